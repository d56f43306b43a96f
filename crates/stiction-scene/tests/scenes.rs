//! Every scene of the tree runs for its whole length and does what its README says; every friction method runs in every scene.

mod support;

use std::path::Path;
use stiction::spatial::Vec3;
use stiction::trace::Flags;
use stiction_scene::{EngineKind, Hand, Run, Scene, SceneSource, Summary};
use support::world;

/// Runs to the end; nothing may go wrong on the way.
fn whole(name: &str, set: &[&str]) -> (Run, Summary) {
    let mut run = world(name, set).run().unwrap();
    while !run.finished() {
        let t = run.time();
        let flags = run.step().flags;
        for bad in [Flags::BAD_HAND, Flags::BAD_LOAD, Flags::UNSOLVABLE, Flags::TELEPORT, Flags::COARSE] {
            assert!(!flags.has(bad), "{name} at {t} s: {:?}", flags.names().collect::<Vec<_>>());
        }
    }
    let summary = run.summary();
    println!("{name} {set:?}: {}", serde_json::to_string(&summary).unwrap());
    assert!(summary.finite && summary.residual_max < 1e-6, "{name}");
    // As the scenes are, nobody pulls harder than the coupling's linear range; overrides may.
    assert!(!set.is_empty() || !summary.flags.contains_key("saturated"), "{name}: {summary:?}");
    (run, summary)
}

fn place(run: &Run) -> Vec3 {
    run.trace().part.translation.vector
}

/// The part stood still in its last second.
fn at_rest(name: &str, set: &[&str]) {
    let world = world(name, set);
    let mut run = world.run().unwrap();
    let end = (world.scene.seconds * world.scene.rate) as u64;
    let mut before = Vec3::zeros();
    for tick in 0..end {
        run.step();
        if tick + 500 == end {
            before = place(&run);
        }
    }
    assert!((place(&run) - before).norm() < 1e-9, "{name}: {} m", (place(&run) - before).norm());
}

/// The program has the texts of scenes, and nothing else of their folders: stick-slip once named a recording beside it, and ran in the source tree only.
#[test]
fn bundled_scenes_need_no_other_file() {
    for name in SceneSource::bundled_names() {
        let text = SceneSource::bundled(name).unwrap().text().unwrap();
        Scene::parse(&text, &Path::new("nowhere").join(name).join("scene.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn corner_cube_holds_below_the_limit() {
    let (run, summary) = whole("corner-cube", &[]);
    assert!((85..=112).contains(&run.trace().contacts), "{} contacts", run.trace().contacts);
    // The hand has gone on by 4 mm, the cube has stayed.
    assert!(place(&run).x.abs() < 0.3e-3 && summary.ticks_holding > 800, "{}", place(&run));
    // It gives way as far as contacts do when they are pressed, and no further.
    assert!(summary.drift_m < 2.0 * summary.depth_max_m, "{} m", summary.drift_m);
    at_rest("corner-cube", &[]);
    let (run, _) = whole("corner-cube", &["friction.static=0.2", "friction.kinetic=0.2"]);
    assert!(place(&run).x > 1e-3, "{}", place(&run));
}

#[test]
fn pegs_go_in_with_friction_and_stay() {
    for (name, tip) in [("peg-in-hole-round", 0.0), ("peg-in-hole-square", -0.02)] {
        let (run, summary) = whole(name, &[]);
        // Behind the hand, since friction has to be overcome, but in.
        let depth = -(place(&run).z + tip);
        assert!(depth > 0.014 && depth < 0.020, "{name}: {depth} m in");
        assert!(
            run.trace().contacts > 100 && summary.ticks_holding > 800 && summary.drift_m < 1e-9,
            "{name}: {summary:?}"
        );
        let needed = run.trace().wrench[2];
        at_rest(name, &[]);
        // With too much friction it does not go in.
        let (blocked, _) = whole(name, &["friction.static=6", "friction.kinetic=6"]);
        assert!(-(place(&blocked).z + tip) < 0.006, "{name}: {}", place(&blocked));
        // Without any it follows the hand better.
        let (smooth, _) = whole(name, &["friction.method=none"]);
        assert!(smooth.trace().wrench[2] < 0.5 * needed, "{name}: {} against {needed}", smooth.trace().wrench[2]);
    }
}

#[test]
fn the_chamfer_leads_the_peg_in() {
    let (run, summary) = whole("peg-in-hole-chamfered", &[]);
    assert!(place(&run).z < -0.023 && place(&run).x.abs() < 0.4e-3, "{}", place(&run));
    assert!(summary.ticks_free > 800 && run.trace().contacts > 2, "{} contacts", run.trace().contacts);
    at_rest("peg-in-hole-chamfered", &[]);
}

#[test]
fn a_box_stays_on_an_incline_up_to_the_angle_of_friction() {
    let slope = |angle: f64, mu: f64| {
        let set = [
            format!("fixed.rotation.angle_deg={angle}"),
            format!("friction.static={mu}"),
            format!("friction.kinetic={mu}"),
        ];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let (run, summary) = whole("incline", &set);
        (run.trace().centre - world("incline", &set).scene.start().translation.vector, summary)
    };
    for (angle, mu) in [(20.0f64, 0.4), (20.0, 0.38), (10.0, 0.2), (30.0, 0.6)] {
        let (moved, summary) = slope(angle, mu);
        // It tilts a little on its springs, and that is all.
        assert!(
            moved.norm() < 30e-6 && summary.ticks_holding >= 1990 && summary.drift_m < 1e-9,
            "{angle}° {mu}: {moved}"
        );
    }
    for (angle, mu) in [(20.0f64, 0.35), (25.0, 0.4), (10.0, 0.15), (30.0, 0.5)] {
        // Down until the coupling, 50 N/m, carries what friction does not.
        let (s, c) = angle.to_radians().sin_cos();
        let wanted = 0.5 * 9.81 * (s - mu * c) / 50.0;
        let (moved, _) = slope(angle, mu);
        assert!((moved.norm() - wanted).abs() < 0.1 * wanted, "{angle}° {mu}: {} instead of {wanted}", moved.norm());
    }
}

#[test]
fn a_box_that_slid_needs_the_friction_that_balances_weight_and_hand() {
    for (degrees, mu) in [(20.0_f64, 0.3), (30.0, 0.4), (40.0, 0.4)] {
        let angle = format!("fixed.rotation.angle_deg={degrees}");
        let friction = [format!("friction.static={mu}"), format!("friction.kinetic={}", 0.5 * mu)];
        let mut run = world("incline", &[&angle, &friction[0], &friction[1]]).run().unwrap();
        for tick in 1..=120 {
            run.step();
            let (trace, engine) = (run.trace(), run.engine());
            if tick % 40 != 0 {
                continue;
            }
            assert_eq!(trace.verdict.name(), "slips", "{degrees}° at tick {tick}");
            // Along the slope act the weight and the hand, which is soft and carries what kinetic friction does not.
            let (sin, cos) = degrees.to_radians().sin_cos();
            let weight = 0.5 * 9.81;
            let down = Vec3::new(cos, 0.0, -sin);
            let pull = trace.wrench.fixed_rows::<3>(0).dot(&down);
            let wanted = (weight * sin - pull) / (weight * cos);
            let [_, robust] = engine.margins();
            let needed = robust * mu;
            assert!((needed / wanted - 1.0).abs() < 0.02, "{degrees}°, tick {tick}: {needed} for {wanted}");
        }
    }
}

#[test]
fn plate_cube_holds_also_with_rough_normals_and_a_load_that_varies() {
    for set in [&[][..], &["fixed.normal_noise=0.05"], &["load.vary={force=[0.5,0,0],period=0.25}"]] {
        let (run, summary) = whole("plate-cube", set);
        // The centre leans by the pull on the springs of the contacts; the foot of the cube stays.
        let foot = run.trace().part * nalgebra::Point3::new(0.0, 0.0, -0.025);
        assert!(foot.x.abs() < 40e-6 && foot.y.abs() < 40e-6, "{set:?}: {foot}");
        assert!(summary.ticks_holding > 1900 || !set.is_empty(), "{set:?}");
        assert!((150..=260).contains(&summary.contacts_max));
    }
    let (run, _) = whole(
        "plate-cube",
        &["hand.keyframes.2.position=[0.006,0,0.0199]", "hand.keyframes.3.position=[0.006,0,0.0199]"],
    );
    assert!(place(&run).x > 2e-3, "{}", place(&run));
}

#[test]
fn the_gear_slides_on_down_to_the_shoulder() {
    let (run, summary) = whole("gear-on-shaft", &[]);
    // Its middle is half its width above the shoulder, less what it is pressed in.
    assert!((place(&run).z - 0.025).abs() < 0.2e-3, "{}", place(&run));
    // On the shaft all the while: never further aside than the play.
    assert!(place(&run).xy().norm() < 0.15e-3 && summary.ticks_holding > 500 && run.trace().contacts > 2);
    at_rest("gear-on-shaft", &[]);
}

/// Where a part is so many seconds after the beginning, and how many contacts it has then.
fn place_at(name: &str, set: &[&str], seconds: f64) -> (Vec3, u32) {
    let mut run = world(name, set).run().unwrap();
    while run.time() < seconds && !run.finished() {
        run.step();
    }
    (place(&run), run.trace().contacts)
}

#[test]
fn the_starter_motor_goes_to_its_seat_and_out_again() {
    let (run, summary) = whole("starter-motor", &[]);
    // Free in the end, where it began.
    assert!(
        (place(&run) - Vec3::new(-0.090, 0.0007, -0.215)).norm() < 1e-9 && summary.ticks_free > 5000,
        "{summary:?}"
    );
    // On its pads, in the bore: with the engine's own contacts, and with the paper's.
    for set in [&[][..], &["contact.model=penalty"], &["friction.method=lp", "friction.cone={sides=8}"]] {
        let (seat, contacts) = place_at("starter-motor", set, 4.55);
        assert!(seat.x.abs() < 0.3e-3 && seat.yz().norm() < 0.6e-3, "{set:?}: {seat}");
        let (before, _) = place_at("starter-motor", set, 4.45);
        let moved = (seat - before).norm();
        assert!(contacts >= 3 && moved < 1e-6, "{set:?}: {contacts} contacts, {moved} m in 0.1 s");
    }
}

#[test]
fn the_window_motor_goes_to_its_seat_and_stays() {
    let (run, summary) = whole("window-motor", &[]);
    // The land is the plane y = 3.5 mm; the hand has gone on by 2 mm downwards, the motor has stayed.
    let seat = Vec3::new(-0.0755, 0.0035, 0.0005);
    assert!((place(&run) - seat).norm() < 0.1e-3, "{}", place(&run));
    assert!(summary.ticks_holding > 3000 && run.trace().contacts > 5, "{summary:?}");
    at_rest("window-motor", &[]);
    for set in [&["contact.model=penalty"][..], &["friction.method=lp", "friction.cone={sides=8}"]] {
        let (seat, contacts) = place_at("window-motor", set, 6.35);
        assert!((seat.y - 0.0035).abs() < 0.5e-3 && (seat.x + 0.0755).abs() < 0.5e-3, "{set:?}: {seat}");
        assert!(contacts > 10, "{set:?}: {contacts} contacts");
    }
}

#[test]
fn hands_of_the_industrial_scenes_are_no_faster_than_a_persons() {
    for name in ["starter-motor", "window-motor", "nut-bolt"] {
        let scene = world(name, &[]).scene;
        let hand: &Hand = scene.hand();
        let mut fastest: f64 = 0.0;
        let step = 1e-3;
        for i in 0..(scene.seconds / step) as u32 {
            let [a, b] = [0.0, 1.0].map(|later| hand.pose((f64::from(i) + later) * step).translation.vector);
            fastest = fastest.max((b - a).norm() / step);
        }
        assert!(fastest > 0.005 && fastest <= 0.5, "{name}: {fastest} m/s");
    }
}

#[test]
fn every_method_runs_in_every_scene() {
    for name in Scene::names_of(EngineKind::QuasiStatic) {
        for method in ["hold", "qp", "lp", "yamane", "none"] {
            // The whole story at a quarter of the rate.
            let mut run = world(&name, &[&format!("friction.method={method}"), "run.rate=250"]).run().unwrap();
            while !run.finished() {
                run.step();
            }
            let summary = run.summary();
            assert!(summary.finite && !summary.flags.contains_key("unsolvable"), "{name} {method}: {summary:?}");
            // Nobody is torn away from the hand by more than the springs allow.
            assert!(summary.device_force_max_n < 40.0 && summary.device_torque_max_nm < 4.0, "{name} {method}");
        }
    }
}

#[test]
fn every_scene_has_a_readme_and_no_warnings_but_known_ones() {
    for name in Scene::names() {
        let source = Scene::find(&name).unwrap();
        let readme = std::fs::read_to_string(source.origin().with_file_name("README.md")).unwrap();
        assert!(readme.contains(&format!("# {name}")) && readme.contains(&format!("stiction run {name}")), "{name}");
        for warning in world(&name, &[]).warnings {
            assert!(name == "gear-on-shaft" && warning.contains("the hardest push"), "{name}: {warning}");
        }
    }
}
