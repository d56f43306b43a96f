//! Scenes of many bodies: how they are read, what is refused and in which words, and what the bundled ones do.

mod support;

use std::f64::consts::PI;
use std::path::Path;
use stiction::spatial::Vec3;
use stiction_bake::Silent;
use stiction_scene::{EngineKind, Run, Scene, SceneError, Setting, VolumeDriver, World};
use stiction_volume::{BodyState, Grip, JointKind};
use support::world;

const TABLE: &str = r#"
engine = "volume"
load = { gravity = [0, 0, -9.81] }

[[body]]
name = "floor"
fixed = true
solid = "box"
size = [1, 1, 0.1]
position = [0, 0, -0.05]
material = "stone"

[[body]]
name = "block"
solid = "box"
size = [0.1, 0.1, 0.1]
density = 700
material = "wood"
position = [0, 0, 0.05]
velocity = [0, 0.1, 0]
spin = [0, 0, 2]
copies = { count = [2, 1, 2], step = [0.2, 0, 0.1] }
"#;

fn parse(text: &str, set: &[&str]) -> Result<Scene, SceneError> {
    let set: Vec<Setting> = set.iter().map(|s| s.parse().unwrap()).collect();
    Scene::parse(text, Path::new("some/scene.toml"), &set)
}

fn built(text: &str, set: &[&str]) -> Result<World, SceneError> {
    parse(text, set)?.build(None, &Silent)
}

#[test]
fn bodies_copies_joints_hands_and_pairs_are_read() {
    let text = format!(
        "{TABLE}{}",
        r#"
[[body]]
name = "door"
solids = [{ solid = "box", size = [0.1, 0.1, 0.1] }, { solid = "box", size = [0.1, 0.1, 0.1], position = [0.1, 0, 0] }]
mass = 2
position = [0, 0.4, 0.5]

[[joint]]
between = ["floor", "door"]
kind = "hinge"
at = [0, 0.4, 0.5]
axis = [0, 0, 2]
limits_deg = [-90, 45]
drive = { stiffness = 3, damping = 0.1, amplitude_deg = 90, frequency = 2, phase = 0.25, speed = -1, max_torque = 4 }
collide = true

[[joint]]
between = ["block 1", "block 2"]
at = [0.1, 0, 0.05]

[[friction.pair]]
between = ["wood", "stone"]
static = 0.3

[[friction.pair]]
between = ["wood", "wood"]
static = 0.6
kinetic = 0.4

[[hand]]
holds = "block 3"
grip = "spring"

[[hand]]
"#
    );
    let scene = parse(&text, &[]).unwrap();
    let names: Vec<&str> = scene.bodies().iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["floor", "block 1", "block 2", "block 3", "block 4", "door"]);
    let at = |body: usize| scene.bodies()[body].world_from_body.translation.vector;
    for (i, place) in [[0.0, 0.0, 0.05], [0.2, 0.0, 0.05], [0.0, 0.0, 0.15], [0.2, 0.0, 0.15]].into_iter().enumerate() {
        assert!((at(i + 1) - Vec3::from(place)).norm() < 1e-12, "block {}: {:?}", i + 1, at(i + 1));
    }
    assert_eq!((scene.bodies()[4].twist[1], scene.bodies()[4].twist[5]), (0.1, 2.0));
    assert_eq!(
        scene.hands().iter().map(|h| (h.holds, h.grip)).collect::<Vec<_>>(),
        [(Some(3), Grip::Spring), (None, Grip::Device)]
    );
    assert_eq!((scene.held().name.as_str(), scene.fixed().name.as_str()), ("block 3", "floor"));
    let [door, ball] = scene.joints() else { panic!("{:?}", scene.joints()) };
    assert_eq!(
        (door.bodies, door.kind, door.limits, door.collide),
        ([0, 5], JointKind::Hinge(Vec3::z()), Some([-PI / 2.0, PI / 4.0]), true)
    );
    let drive = door.drive.unwrap();
    assert_eq!((drive.stiffness, drive.damping, drive.amplitude, drive.frequency), (3.0, 0.1, PI / 2.0, 2.0));
    assert_eq!((drive.phase, drive.speed, drive.max_torque, drive.offset), (0.25, -1.0, 4.0, 0.0));
    assert_eq!((ball.bodies, ball.kind, ball.drive), ([1, 2], JointKind::Ball, None));
    let pairs = scene.friction_pairs();
    assert_eq!(pairs.len(), 4 + 6, "each block with the floor, and with each other");
    assert!(pairs.iter().all(|p| if p.bodies[0] == 0 {
        (p.mu_static, p.mu_kinetic) == (0.3, 0.3)
    } else {
        (p.mu_static, p.mu_kinetic) == (0.6, 0.4)
    }));
    let world = scene.build(None, &Silent).unwrap();
    let bodies = world.volume.as_ref().unwrap();
    assert!((bodies.bodies[1].mass - 0.7).abs() < 1e-12, "700 kg/m³ of a litre");
    assert_eq!((bodies.bodies[5].shape.pieces.len(), bodies.bodies[5].mass), (2, 2.0));
    assert!(std::sync::Arc::ptr_eq(&bodies.bodies[1].shape, &bodies.bodies[4].shape), "copies share their shape");
    assert_eq!(world.volume_engine().unwrap().bodies().len(), 6);
}

/// In a scene without hands there is one that holds nothing, so that the viewer's mouse has one.
#[test]
fn a_scene_without_hands_has_one_that_holds_nothing() {
    let scene = parse(TABLE, &[]).unwrap();
    assert_eq!(scene.hands().len(), 1);
    assert_eq!((scene.hands()[0].holds, scene.held().name.as_str()), (None, "block 1"));
    assert_eq!(scene.settings.gravity, Vec3::new(0.0, 0.0, -9.81));
}

#[test]
fn two_parts_make_a_scene_of_this_engine_too() {
    let text = r#"
engine = "volume"
held = { solid = "box", size = [0.1, 0.1, 0.1], mass = 0.5 }
fixed = { solid = "plate", size = [1, 1], thickness = 0.1, position = [0, 0, -0.05] }
hand = { keyframes = [{ t = 0, position = [0, 0, 0.06] }, { t = 1, position = [0, 0, 0.049] }] }
"#;
    let mut run = built(text, &[]).unwrap().volume_run().unwrap();
    while !run.finished() {
        run.step();
    }
    // The device is the body, 1 mm in the plate.
    assert!((run.trace().part.translation.z - 0.049).abs() < 1e-9);
    assert!(run.trace().wrench[2] > 0.1, "{}", run.trace().wrench);
}

#[test]
fn mistakes_are_told_with_the_names_of_bodies_and_keys() {
    let with = |more: &str| format!("{TABLE}{more}");
    let joint = |rest: &str| with(&format!("[[joint]]\n{rest}\n"));
    let cases = [
        (TABLE.replace("density = 700", "mass = 0"), "`mass` is 0, but must be above zero and finite"),
        (TABLE.replace("count = [2, 1, 2]", "count = [2, 1.5, 2]"), "three whole numbers"),
        (TABLE.replace("count = [2, 1, 2]", "count = [200, 1, 200]"), "at most 1000"),
        (with("[[hand]]\nholds = \"block\"\n"), "unknown word \"block\" for `holds`: did you mean `block 1`?"),
        (with("[[hand]]\nholds = \"floor\"\n"), "cannot hold `floor`, which is fixed"),
        (with("[[hand]]\n[[hand]]\n[[hand]]\n"), "takes 2 hands; there are 3"),
        (joint("between = [\"floor\", \"blok 1\"]\nat = [0, 0, 0]"), "did you mean `block 1`?"),
        (joint("between = [\"block 1\", \"block 1\"]\nat = [0, 0, 0]"), "a joint of one body"),
        (joint("between = [\"floor\", \"block 1\"]\nat = [0, 0, 0]\naxis = [1, 0, 0]"), "`axis` is for hinges"),
        (
            joint("between = [\"floor\", \"block 1\"]\nat = [0, 0, 0]\nkind = \"hinge\"\nlimits_deg = [9, -9]"),
            "is the smaller one",
        ),
        (
            with("[[friction.pair]]\nbetween = [\"wood\", \"stoan\"]\nstatic = 0.3\n"),
            "no body has the material `stoan`",
        ),
        (TABLE.replace("load = { gravity = [0, 0, -9.81] }", "load = { force = [1, 0, 0] }"), "`floor` is in no hand"),
        (with("[run]\nengine_rate = 100\n"), "run.engine_rate has no effect"),
        (
            with("[contact]\nmodel = \"hard\"\n"),
            "contact.model has no effect: the engine is \"volume\", and it belongs to \"quasi-static\"",
        ),
        (
            TABLE.replace("engine = \"volume\"\nload = { gravity = [0, 0, -9.81] }", "engine = \"quasi-static\""),
            "takes two bodies",
        ),
    ];
    for (text, wanted) in cases {
        let got = parse(&text, &[]).map(drop).expect_err(&text).to_string();
        assert!(got.contains(wanted), "wanted: {wanted}\n   got: {got}");
        assert!(got.starts_with("some/scene.toml, line "), "{got}");
    }
}

#[test]
fn what_the_engine_refuses_is_told_with_the_names_of_bodies_and_keys() {
    let refused = |text: &str, set: &[&str]| built(text, set).map(drop).expect_err(text).to_string();
    let stiff = refused(TABLE, &["contact.normal_stiffness=1e9"]);
    assert!(stiff.contains("normal stiffness 1000000000 N/m") && stiff.contains("`block "), "{stiff}");
    assert!(stiff.contains("(contact.normal_stiffness)") && stiff.contains("(run.rate)"), "{stiff}");
    // What it says works.
    let most: f64 = stiff.split("at most ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(built(TABLE, &[&format!("contact.normal_stiffness={}", 0.999 * most)]).is_ok());
    let rate: f64 = stiff.split("or at least ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(built(TABLE, &["contact.normal_stiffness=1e9", &format!("run.rate={rate}")]).is_ok(), "{stiff}");
    let deep = refused(TABLE, &["body.1.position=[0,0,0.02]"]);
    assert!(
        deep.contains("`floor` and `block 1` begin 3.000e-2 m in each other") && deep.contains("`position`"),
        "{deep}"
    );
}

/// Meshes that enclose nothing.
#[test]
fn open_and_flat_meshes_are_refused_by_name() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("volume-meshes");
    std::fs::create_dir_all(&folder).unwrap();
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    for (name, faces) in [("open", "f 1 3 2\nf 1 2 4\nf 2 3 4\n"), ("flat", "f 1 3 2\nf 1 2 3\n")] {
        std::fs::write(folder.join(format!("{name}.obj")), format!("{corners}{faces}")).unwrap();
        let text = TABLE.replace("solid = \"box\"\nsize = [0.1, 0.1, 0.1]\n", &format!("mesh = \"{name}.obj\"\n"));
        let scene = Scene::parse(&text, &folder.join("scene.toml"), &[]).unwrap();
        let told = scene.build(None, &Silent).map(drop).expect_err(name).to_string();
        assert!(
            told.contains("`block 1`: no convex parts: the mesh ")
                && (told.contains("enclose") || told.contains("inside")),
            "{name}: {told}"
        );
    }
}

/// Runs a bundled scene for some seconds.
fn run(name: &str, set: &[&str], seconds: f64) -> (World, Run<VolumeDriver>) {
    let world = world(name, set);
    let mut run = world.volume_run().unwrap();
    while run.time() < seconds {
        run.step();
    }
    (world, run)
}

fn body<'a>(world: &World, run: &'a Run<VolumeDriver>, name: &str) -> &'a BodyState {
    &run.engine().engine().bodies()[world.volume.as_ref().unwrap().number(name).unwrap()]
}

/// Every scene builds, runs and stays finite for a second; the engine is that of the scenes in this list.
#[test]
fn every_scene_of_many_bodies_runs() {
    let expected = [
        "block-stack",
        "cube-drop",
        "gears",
        "insect",
        "pinched-capsule",
        "shovels",
        "spinning-top",
        "stick-slip",
        "tippe-top",
    ];
    assert_eq!(Scene::names_of(EngineKind::Volume), expected);
    for name in expected {
        let (_, run) = run(name, &[], 1.0);
        assert!(run.summary().finite, "{name}");
        assert!(run.engine().sums().pairs_max > 0, "{name}: nothing touches");
    }
}

/// Experiment 1: columns stand for 5 s with forces over areas, and fall with forces at points.
#[test]
fn blocks_stand_on_each_other() {
    for (count, height) in [("[1,1,3]", 3), ("[1,1,6]", 6)] {
        let set = format!("body.1.copies.count={count}");
        let (world, run) = run("block-stack", &[&set], 5.0);
        for i in 1..=height {
            let block = body(&world, &run, &format!("block {i}"));
            let lean = (block.pose.rotation * Vec3::z()).z;
            assert!(lean > 0.9999 && block.centre.xy().norm() < 0.01, "block {i} of {height}: {block:?}");
        }
    }
}

/// Experiment 2: the cube lies still on a face in the end. It may be another face than at first.
#[test]
fn a_cube_that_falls_comes_to_rest() {
    let (world, run) = run("cube-drop", &[], 40.0);
    let cube = body(&world, &run, "cube");
    assert!(cube.spin.norm() < 1e-3 && cube.velocity.norm() < 1e-3, "{cube:?}");
    assert!((cube.centre.z - 0.99347).abs() < 1e-4, "{} m", cube.centre.z);
}

/// Experiment 3: the period of stick-slip, by Coulomb's law with two coefficients, is 0.4847 s; 3 % as the notes have it.
#[test]
fn a_weight_on_a_spring_sticks_and_slips() {
    let world = world("stick-slip", &[]);
    let mut run = world.volume_run().unwrap();
    let (mut slips, mut sliding) = (Vec::new(), false);
    let mut tension = [f64::INFINITY, 0.0f64];
    while !run.finished() {
        let trace = *run.step();
        let now = trace.sliding > 0;
        if now && !sliding {
            slips.push(run.time());
        }
        sliding = now;
        if slips.len() > 1 {
            let pull = trace.wrench[0].abs();
            tension = [tension[0].min(pull), tension[1].max(pull)];
        }
    }
    let periods: Vec<f64> = slips.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(periods.len() >= 6, "{slips:?}");
    for period in &periods[1..] {
        assert!((period / 0.4847 - 1.0).abs() < 0.03, "{periods:?} s");
    }
    assert!((tension[0] - 0.391).abs() < 0.2 && (tension[1] - 5.881).abs() < 0.2, "{tension:?} N");
}

/// A capsule that friction holds stays where it is.
#[test]
fn a_pinched_capsule_does_not_creep() {
    let (world, mut run) = run("pinched-capsule", &[], 3.0);
    let before = body(&world, &run, "capsule").centre;
    while run.time() < 5.0 {
        run.step();
    }
    let crept = (body(&world, &run, "capsule").centre - before).norm();
    assert!(crept <= 2e-12, "{crept} m in 2 s, which is more than 1e-12 m/s");
    let (world, run) = self::run("pinched-capsule", &["friction.static=0.2", "friction.kinetic=0.2"], 1.0);
    assert!(body(&world, &run, "capsule").centre.z < -0.05, "with less friction it falls");
}

#[test]
fn shovels_pick_up_pass_and_throw() {
    let (world, mut run) = run("shovels", &[], 2.3);
    let height = |run: &Run<VolumeDriver>| body(&world, run, "block 1").centre.z;
    assert!((height(&run) - 0.14).abs() < 2e-3, "picked up: {} m", height(&run));
    while run.time() < 4.2 {
        run.step();
    }
    let (block, shovel) = (body(&world, &run, "block 1").centre, body(&world, &run, "left shovel").pose);
    let on_it = shovel.inverse_transform_point(&block.into());
    assert!(on_it.coords.norm() < 5e-3, "it lies on the left shovel alone: {on_it}");
    let mut highest = 0.0f64;
    while run.time() < 5.3 {
        run.step();
        highest = highest.max(height(&run));
    }
    assert!(highest > 0.24, "thrown: {highest} m");
    assert!(world.scene.bodies().iter().filter(|b| b.name.starts_with("block")).count() == 6);
}

#[test]
fn an_insect_walks() {
    let (world, run) = run("insect", &[], 5.0);
    let thorax = body(&world, &run, "thorax");
    let up = (thorax.pose.rotation * Vec3::z()).z;
    assert!(thorax.centre.x > 0.3 && up > 0.9 && thorax.centre.z > 0.12, "{thorax:?}");
    assert_eq!(world.scene.joints().len(), 27);
}

/// A cube that lies on the gears slows them down.
#[test]
fn a_cube_slows_gears_down() {
    let speed = |set: &[&str]| {
        let world = world("gears", set);
        let mut run = world.volume_run().unwrap();
        let (mut turned, mut ticks) = (0.0, 0.0);
        while run.time() < 6.0 {
            run.step();
            if run.time() > 2.0 {
                turned += body(&world, &run, "left gear").spin.y;
                ticks += 1.0;
            }
        }
        -turned / ticks
    };
    let (alone, slowed) = (speed(&["body.3.position=[0,0,-1]"]), speed(&[]));
    assert!((alone - 3.0).abs() < 0.1, "{alone} rad/s");
    assert!(slowed > 1.0 && slowed < 0.9 * alone, "{slowed} of {alone} rad/s");
}

/// Stages of work, as they are told.
#[derive(Default)]
struct Stages(std::sync::Mutex<Vec<&'static str>>);

impl stiction_bake::Progress for Stages {
    fn stage(&self, name: &'static str, _: u64) {
        self.0.lock().unwrap().push(name);
    }
    fn advance(&self, _: u64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// Guards against meshes that were taken apart anew, for minutes, each time that their scene was opened.
#[test]
fn convex_parts_that_are_not_exact_are_made_once_and_kept_in_the_cache() {
    let folder = std::env::temp_dir().join(format!("stiction-convex-{}", std::process::id()));
    let cache = stiction_bake::cache::Cache::new(folder.clone());
    let text = r#"
engine = "volume"
body = [
    { name = "floor", fixed = true, solid = "box", size = [1, 1, 0.1], position = [0, 0, -0.05] },
    { name = "ring", solid = "torus", major = 0.1, minor = 0.03, segments = 8, rings = 5, mass = 0.1, position = [0, 0, 0.03] },
]
"#;
    let made = || {
        let stages = Stages::default();
        let world = parse(text, &[]).unwrap().build(Some(&cache), &stages).unwrap();
        (world.volume.unwrap(), stages.0.into_inner().unwrap())
    };
    let [(first, worked), (again, idle)] = [made(), made()];
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(worked.contains(&"taking apart") && !idle.contains(&"taking apart"), "{worked:?} {idle:?}");
    assert_eq!(first, again);
    assert_eq!(first.bodies[1].shape.closeness, again.bodies[1].shape.closeness);
}
