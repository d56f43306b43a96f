//! The engine of contact volumes behind the seam: recorded and replayed with two hands and with bodies that are grabbed, changed while it runs, and driven by random hands.

mod support;

use std::io::Cursor;
use stiction::simulation::{HandInput, Simulation};
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, exp, halves};
use stiction_bake::Silent;
use stiction_device::servo_loop::run_virtual;
use stiction_device::{Commands, Grab};
use stiction_record::{Entry, Recording, WriteOptions, Writer};
use stiction_results::{Measurement, ResultLog, Target};
use stiction_scene::{EngineKind, Scene};
use stiction_session::{HandWord, Pace, Plan, Replayed, Session, SessionError, SimWord, entry};
use stiction_testing::alloc::{Counting, counts};
use stiction_testing::splitmix64;
use stiction_volume::VolumeTick;
use support::{plan, session, study};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Every cycle of a run on the virtual clock, and where the bodies were in each; `command` says what each hand is told before a cycle.
fn recorded(session: &Session, ticks: u64, command: impl Fn(u64) -> Grab) -> (Vec<Entry>, Vec<Vec<Pose>>) {
    let (mut arms, mut handles) = session.arms(Pace::Virtual(session.period()), |_| None).unwrap();
    let (mut out, mut poses) = (Vec::new(), Vec::new());
    handles[0].commands.publish(&Commands { grab: command(0), ..Commands::default() });
    run_virtual(&mut arms, |arms, _| {
        for arm in arms.iter() {
            let mut snapshot = *arm.snapshot();
            snapshot.cycle -= 1;
            out.push(entry(&snapshot));
        }
        let engine = arms.servo().simulation();
        poses.push((0..engine.body_count()).map(|body| engine.body(body)).collect());
        handles[0].commands.publish(&Commands { grab: command(poses.len() as u64), ..Commands::default() });
        (poses.len() as u64) < ticks
    });
    (out, poses)
}

fn written(session: &Session, entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &session.header("test", 0), WriteOptions::default()).unwrap();
    entries.iter().for_each(|e| writer.add(e).unwrap());
    writer.finish().unwrap();
    drop(writer);
    bytes
}

fn replays(session: &Session, entries: &[Entry]) {
    let bytes = written(session, entries);
    let mut recording = Recording::new(Cursor::new(&bytes[..])).unwrap();
    let again = session.replay(&mut recording, |_, _| true).unwrap();
    assert_eq!(again, Replayed { ticks: entries.len() as u64, ..Replayed::default() });
}

fn tick(entry: &Entry) -> VolumeTick {
    VolumeTick::take(&entry.row).unwrap()
}

#[test]
fn two_shovels_pick_a_block_up_and_the_recording_has_the_same_bits() {
    let session = session(Plan { arms: 2, hand: HandWord::Firm, ..plan("shovels", &[]) });
    let block = session.world.volume.as_ref().unwrap().number("block 1").unwrap();
    let (entries, poses) = recorded(&session, 3000, |_| Grab::AsBefore);
    replays(&session, &entries);
    let height = |tick: usize| poses[tick][block].translation.z;
    assert!((height(800) - 0.02).abs() < 1e-3, "it lies on the floor: {} m", height(800));
    assert!(height(2400) > 0.1, "and is up: {} m", height(2400));
    // Two faces with µ 0.6 hold 50 g from here on.
    let needed = 0.05 * 9.81 / (2.0 * 0.6);
    let pressed = entries.iter().filter(|e| tick(e).normal_force > needed).count();
    assert!(pressed > 2000, "{pressed} ticks with more than {needed} N");
    assert!(entries.iter().all(|e| e.sent.iter().all(|x| x.is_finite())));
}

/// A hand that holds nothing takes a block, which goes along without a jump, and lets it fall.
#[test]
fn what_a_hand_grabs_is_an_input_and_the_recording_has_the_same_bits() {
    let set = ["run.rate=1000", "run.seconds=3"];
    let text = r#"
name = "table"
engine = "volume"
load = { gravity = [0, 0, -9.81] }
body = [
    { name = "floor", fixed = true, solid = "box", size = [1, 1, 0.1], position = [0, 0, -0.05] },
    { name = "block", solid = "box", size = [0.04, 0.04, 0.04], mass = 0.2, position = [0, 0, 0.02], copies = { count = [2, 1, 1], step = [0.1, 0, 0] } },
]
hand = [{ grip = "spring", script = [{ wait = 0.5 }, { move = [0, 0, 0.1], seconds = 0.5 }, { wait = 2 }] }]
"#;
    let set = set.iter().map(|s| s.parse().unwrap()).collect();
    let plan =
        Plan { hand: HandWord::Free, ..Plan::of_text(std::path::Path::new("table/scene.toml"), text.into(), set) };
    let session = session(plan);
    // The second block from 0.4 s to 1.5 s.
    let command = |t: u64| match t {
        400..1500 => Grab::Body(2),
        1500.. => Grab::Nothing,
        _ => Grab::AsBefore,
    };
    let (entries, poses) = recorded(&session, 2500, command);
    let holds = |t: usize| tick(&entries[t]).holds;
    assert_eq!([0, 399, 401, 1499, 1501, 2499].map(holds), [0, 0, 3, 3, 0, 0]);
    let block = |t: usize| poses[t][2].translation.vector;
    assert!((block(399) - block(420)).norm() < 1e-4, "it does not jump: {} m", (block(399) - block(420)).norm());
    assert!((block(1400).z - 0.12).abs() < 0.01, "it is up: {:?}", block(1400));
    assert!((block(2499).z - 0.02).abs() < 2e-3, "it has fallen: {:?}", block(2499));
    assert!((poses[1400][1].translation.z - 0.02).abs() < 1e-3, "the other one lies still");
    replays(&session, &entries);
    // Without the command it is another run.
    let mut other = entries.clone();
    other.iter_mut().for_each(|e| e.input.commands = 0);
    let bytes = written(&session, &other);
    let again = session.replay(&mut Recording::new(Cursor::new(&bytes[..])).unwrap(), |_, _| true).unwrap();
    assert_eq!(again.difference.map(|d| d.tick), Some(400));
}

#[test]
fn a_header_has_all_bodies_and_a_recording_of_others_is_refused_by_name() {
    let session = session(plan("block-stack", &[]));
    let header = session.header("test", 0);
    let names: Vec<&str> = header.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!((header.method.as_str(), names), ("volume", vec!["ground", "block 1", "block 2", "block 3"]));
    assert_eq!(header.bodies[1].hash, header.bodies[2].hash);
    let (entries, _) = recorded(&session, 50, |_| Grab::AsBefore);
    let bytes = written(&session, &entries);
    let mut other = session.clone();
    let world = std::sync::Arc::make_mut(other.world.volume.as_mut().unwrap());
    world.bodies[2].mass = 2.0;
    let error =
        other.replay(&mut Recording::new(Cursor::new(&bytes[..])).unwrap(), |_, _| true).unwrap_err().to_string();
    assert!(error.contains("body") && error.contains("block 2"), "{error}");
}

/// Velocities that a device does not measure are those of two periods ago.
#[test]
fn a_body_that_is_the_device_has_its_velocity_measured_or_not() {
    let run = |device: SimWord| {
        let session = session(Plan {
            device,
            hand: HandWord::Free,
            ..plan("slab", &["load.gravity=[0,0,0]", "hand.script=[{ move = [0, 0, 0.2], seconds = 1 }]"])
        });
        let (mut arms, _handles) = session.arms(Pace::Virtual(session.period()), |_| None).unwrap();
        let mut speeds = Vec::new();
        run_virtual(&mut arms, |arms, _| {
            let engine = arms.servo().simulation().as_any().downcast_ref::<stiction_volume::VolumeEngine>().unwrap();
            speeds.push(engine.bodies()[1].velocity.z);
            speeds.len() < 900
        });
        speeds
    };
    // By minimum jerk 0.2 m in 1 s: 0.375 m/s at half time.
    let [measured, observed] = [SimWord::Ideal, SimWord::Sim].map(run);
    for (name, speeds) in [("measured", &measured), ("observed", &observed)] {
        assert!((speeds[500] - 0.375).abs() < 0.02, "{name}: {} m/s", speeds[500]);
    }
}

/// `--mu` counts whatever the materials.
#[test]
fn one_coefficient_for_all_replaces_those_of_pairs() {
    let set = [
        "body.0.material=stone",
        "body.1.material=wood",
        "friction.pair=[{ between = [\"wood\", \"stone\"], static = 0.9 }]",
    ];
    let scene = |mu| Plan { mu, ..plan("block-stack", &set) }.scene().unwrap();
    assert_eq!(scene(None).friction_pairs().len(), 3);
    assert_eq!((scene(Some(0.1)).friction_pairs().len(), scene(Some(0.1)).settings.mu_kinetic), (0, 0.1));
}

#[test]
fn settings_change_while_it_runs_and_the_world_goes_on() {
    let first = session(plan("block-stack", &[]));
    let other =
        first.changed(plan("block-stack", &["friction.static=0.9", "contact.method=point"]), None, &Silent).unwrap();
    let bodies = [&first, &other].map(|s| s.world.volume.clone().unwrap());
    assert!(
        std::sync::Arc::ptr_eq(&bodies[0].bodies[1].shape, &bodies[1].bodies[1].shape),
        "nothing is taken apart again"
    );
    let mut old = first.simulation(false).unwrap();
    (0..40).for_each(|_| old.tick(&[HandInput::unknown()], first.period()));
    let mut new = other.simulation(false).unwrap();
    new.go_on_from(&*old);
    for body in 0..4 {
        assert_eq!(new.body(body), old.body(body), "body {body}");
    }
}

#[test]
fn more_devices_than_hands_are_refused_in_a_sentence() {
    let two = Plan { arms: 2, ..plan("block-stack", &[]) };
    let error = Session::new(two, None, &Silent).map(drop).unwrap_err();
    assert!(
        matches!(&error, SessionError::Plan { name, why } if name == "arms" && why.contains("second [[hand]]")),
        "{error}"
    );
    let one = Session::new(plan("shovels", &[]), None, &Silent).map(drop).unwrap_err().to_string();
    assert!(one.contains("two hands"), "{one}");
}

fn random(seed: &mut u64) -> f64 {
    splitmix64(seed) as f64 / u64::MAX as f64 * 2.0 - 1.0
}

fn random_vector(seed: &mut u64) -> Vec3 {
    Vec3::new(random(seed), random(seed), random(seed))
}

/// Ticks for which a scene is soaked: some, or, as a study, those of as many minutes of the scene's time as it says.
fn soaked_ticks(period: f64) -> u64 {
    study().map_or(3000, |minutes| (60.0 * minutes as f64 / period) as u64)
}

/// Random hands that grab whatever there is, throw it and jump: no allocation, nothing that is not finite, and the same bits twice.
#[test]
fn random_hands_on_every_scene_find_no_fault() {
    for (number, name) in Scene::names_of(EngineKind::Volume).into_iter().enumerate() {
        let arms = Scene::read(&Scene::find(&name).unwrap(), &[]).unwrap().hands().len() as u8;
        let session = session(Plan { arms, ..plan(&name, &[]) });
        let mut engines = [session.simulation(false).unwrap(), session.simulation(false).unwrap()];
        let (count, hands, period) = (engines[0].body_count(), engines[0].hand_count(), session.period());
        let size = session.world.held.field.part();
        let size = (size.max - size.min).norm();
        let mut seed = number as u64;
        let mut inputs = vec![HandInput::unknown(); hands];
        let mut targets: Vec<Pose> = (0..hands).map(|hand| engines[0].hand(hand).hand).collect();
        let mut grabbed = 0u64;
        for ticks in 0..soaked_ticks(period) {
            for hand in 0..hands {
                let luck = random(&mut seed);
                if luck > 0.996 {
                    let body = (splitmix64(&mut seed) % (count as u64 + 1)) as usize;
                    let body = (body < count).then_some(body);
                    let both = [0, 1].map(|i| engines[i].grab(hand, body));
                    assert_eq!(both[0], both[1]);
                    if let Some(body) = body.filter(|_| both[0]) {
                        targets[hand] = engines[0].body(body);
                        grabbed += 1;
                    }
                }
                let way = if luck < -0.999 { 0.5 } else { 0.002 } * size;
                let step = random_vector(&mut seed) * way;
                let turn = exp(&(random_vector(&mut seed) * 0.02)) * targets[hand].rotation;
                let at = targets[hand].translation.vector + step;
                targets[hand] = Pose::from_parts(at.into(), Rotation::new_normalize(turn.into_inner()));
                let velocity = step / period * if luck < -0.999 { 0.0 } else { 1.0 };
                let twist = Vec6::new(velocity.x, velocity.y, velocity.z, 0.0, 0.0, 0.0);
                inputs[hand] = HandInput { twist, ..HandInput::at(targets[hand]) };
                if (0.5..0.501).contains(&luck) {
                    inputs[hand] = HandInput::unknown();
                }
            }
            let before = counts();
            engines[0].tick(&inputs, period);
            assert_eq!(counts(), before, "{name}: tick {ticks} allocated");
            engines[1].tick(&inputs, period);
            for hand in 0..hands {
                let [one, two] = [&engines[0], &engines[1]].map(|e| e.hand(hand));
                let same = one == two || (one.hand.translation.x.is_nan() && one.wrench == two.wrench);
                assert!(same, "{name}: tick {ticks}: {one:?} {two:?}");
                let (force, torque) = halves(&one.wrench);
                assert!(force.norm().is_finite() && torque.norm().is_finite(), "{name}: tick {ticks}");
            }
            let poses = |engine: &dyn Simulation| {
                (0..count).all(|b| {
                    let pose = engine.body(b);
                    pose.translation.vector.iter().chain(pose.rotation.coords.iter()).all(|x| x.is_finite())
                })
            };
            assert!(poses(&*engines[0]), "{name}: tick {ticks}: a body is nowhere");
        }
        println!("{name}: {} ticks, {grabbed} bodies grabbed", soaked_ticks(period));
        assert!(grabbed > 0, "{name}: nothing was grabbed");
        if let Some(minutes) = study() {
            let what = format!("{name}: random hands for {minutes} min of its time, faults found");
            ResultLog::of_study("study-volume-soak")
                .add(&Measurement::new(what, 0.0, "").held_to(Target::AtMost(0.0)))
                .unwrap();
        }
    }
}
