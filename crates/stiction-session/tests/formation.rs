//! The engine of contact formations behind the seam: recorded, replayed, changed while it runs, and driven by random hands.

mod support;

use std::io::Cursor;
use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, exp, halves};
use stiction_device::servo_loop::run_virtual;
use stiction_formation::tick::{formation_of, trace_of_row};
use stiction_record::{Entry, Recording, WriteOptions, Writer};
use stiction_session::{HandWord, Pace, Plan, Replayed, SessionError, entry};
use stiction_testing::alloc::{Counting, counts};
use stiction_testing::splitmix64;
use support::{plan, session};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SCENES: [&str; 5] = ["formation-block", "formation-bracket", "formation-l", "formation-peg", "formation-wedge"];

/// Every cycle of a run with a simulated device on the virtual clock.
fn recorded(session: &stiction_session::Session, ticks: u64) -> Vec<Entry> {
    let (mut arms, _) = session.arms(Pace::Virtual(session.period()), |_| None).unwrap();
    let mut out = Vec::new();
    run_virtual(&mut arms, |arms, _| {
        for arm in arms.iter() {
            let mut snapshot = *arm.snapshot();
            snapshot.cycle -= 1;
            out.push(entry(&snapshot));
        }
        (out.len() as u64) < ticks
    });
    out
}

#[test]
fn every_scene_replays_to_the_same_bits_with_a_device() {
    for name in SCENES {
        let session = session(Plan { hand: HandWord::Firm, ..plan(name, &[]) });
        let entries = recorded(&session, 1500);
        let header = session.header("test", 0);
        assert_eq!(header.method, "formation");
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &header, WriteOptions::default()).unwrap();
        entries.iter().for_each(|e| writer.add(e).unwrap());
        writer.finish().unwrap();
        drop(writer);
        let mut recording = Recording::new(Cursor::new(&bytes[..])).unwrap();
        let again = session.replay(&mut recording, |_, _| true).unwrap();
        assert_eq!(again, Replayed { ticks: entries.len() as u64, ..Replayed::default() }, "{name}");
        let touching = |e: &Entry| formation_of(&header.columns, &e.row).is_some_and(|f| !f.is_empty());
        let touched = entries.iter().filter(|e| touching(e)).count();
        assert!(touched > 100, "{name}: {touched} ticks with contacts");
        assert!(entries.iter().all(|e| e.sent.iter().all(|x| x.is_finite())), "{name}");
        assert!(
            entries.iter().all(|e| trace_of_row(&e.row).is_some_and(|t| t.contacts == 0 || t.stuck + t.sliding > 0))
        );
    }
}

fn random(seed: &mut u64) -> f64 {
    splitmix64(seed) as f64 / u64::MAX as f64 * 2.0 - 1.0
}

fn random_vector(seed: &mut u64) -> Vec3 {
    Vec3::new(random(seed), random(seed), random(seed))
}

/// Random hands on every scene, through the seam: no allocation, nothing that is not finite, bounded wrenches, and the same bits twice.
#[test]
fn random_hands_through_the_seam_find_no_fault() {
    for (number, name) in SCENES.into_iter().enumerate() {
        let session = session(plan(name, &[]));
        let mut engines = [session.simulation(false).unwrap(), session.simulation(false).unwrap()];
        let start = engines[0].hand(0).body;
        let (mut seed, mut at) = (number as u64, start);
        let limits = session.world.scene.settings.coupling;
        let mut touching = 0;
        for tick in 0..3000 {
            // Now and then a jump, and a pull back to where the scene begins.
            let way = if random(&mut seed) > 0.98 { 0.03 } else { 0.001 };
            let back = (start.translation.vector - at.translation.vector) * 0.002 - Vec3::z() * 2e-5;
            let place = at.translation.vector + random_vector(&mut seed) * way + back;
            let turn = exp(&(random_vector(&mut seed) * 0.03)) * at.rotation;
            at = Pose::from_parts(place.into(), Rotation::new_normalize(turn.into_inner()));
            let input = [HandInput::at(at)];
            let before = counts();
            engines[0].tick(&input, 1e-3);
            assert_eq!(counts(), before, "{name}: tick {tick} allocated");
            engines[1].tick(&input, 1e-3);
            let [one, two] = [&engines[0], &engines[1]].map(|e| e.hand(0));
            assert_eq!(one, two, "{name}: tick {tick}");
            let (force, torque) = halves(&one.wrench);
            assert!(force.norm().is_finite() && torque.norm().is_finite(), "{name}: tick {tick}");
            assert!(force.norm() <= 3.0 * limits.max_force, "{name}: tick {tick}: {} N", force.norm());
            touching += u32::from(one.contacts > 0);
        }
        assert!(touching > 300, "{name}: {touching} ticks with contacts");
        engines[0].tick(&[HandInput::unknown()], 1e-3);
        assert_eq!(engines[0].hand(0).wrench, engines[1].hand(0).wrench, "an unknown hand leaves the wrench");
    }
}

#[test]
fn settings_change_while_it_runs_and_contacts_go_on() {
    let first = session(plan("formation-l", &[]));
    let other = first.changed(
        plan("formation-l", &["friction.static=0.9", "coupling.stiffness=700"]),
        None,
        &stiction_bake::Silent,
    );
    let other = other.unwrap();
    assert!(std::sync::Arc::ptr_eq(&first.world.held, &other.world.held), "nothing is baked again");
    let mut old = first.simulation(false).unwrap();
    let down = Pose::translation(0.0, 0.08, 0.022);
    for i in 0..200 {
        let share = f64::from(i) / 199.0;
        let at = Pose::translation(0.0, 0.08, 0.03 - 0.008 * share);
        old.tick(&[HandInput { pose: at, twist: Vec6::zeros(), load: Vec6::zeros() }], 1e-3);
    }
    assert_eq!(old.hand(0).contacts, 1);
    let mut new = other.simulation(false).unwrap();
    new.go_on_from(&*old);
    new.tick(&[HandInput::at(down)], 1e-3);
    assert_eq!(new.hand(0).contacts, 1);
    assert!(new.hand(0).wrench[2] > 0.0 && new.hand(0).wrench[2] < old.hand(0).wrench[2] + 0.5);
}

#[test]
fn two_devices_are_refused_in_a_sentence() {
    let two = Plan { arms: 2, ..plan("formation-l", &[]) };
    let error = stiction_session::Session::new(two, None, &stiction_bake::Silent).map(drop).unwrap_err();
    assert!(
        matches!(&error, SessionError::Plan { name, why } if name == "arms" && why.contains("quasi-static")),
        "{error}"
    );
}

#[test]
fn it_runs_beside_a_faster_loop_too() {
    let session = session(plan("formation-l", &["run.engine_rate=250"]));
    assert_eq!(session.columns().len(), session.simulation(false).unwrap().columns().len());
    let entries = recorded(&session, 400);
    assert!(entries.iter().any(|e| e.sent[2] > 0.0));
}
