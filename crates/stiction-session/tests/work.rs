//! Live sessions measure how much work fits into half a period, record that, and replay to the same bits; changes of level obey the slew rule.

mod support;

use std::io::Cursor;
use std::path::Path;
use stiction::trace::{Flags, Trace};
use stiction_device::servo_loop::run_virtual;
use stiction_record::{Entry, Recording, WriteOptions, Writer};
use stiction_session::{Pace, Plan, Replayed, Session, WrenchChecker, entry};
use support::{Rig, session};

/// A slab that touches a plate with some 3,300 points.
const SLAB: &str = r#"
name = "slab"
run = { rate = 4000, seconds = 0.3 }
held = { solid = "box", size = [0.1, 0.1, 0.01], mass = 0.1, resolution = 32, points = 8000 }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.02, resolution = 64, points = 100, position = [0.0, 0.0, -0.01] }

[hand]
from = { position = [0.0, 0.0, 0.0052] }
script = [{ move = [0.0, 0.0, -0.003], seconds = 0.1 }, { move = [0.004, 0.0, 0.0], seconds = 0.2 }]
"#;

/// A nut that is put on a bolt and screwed on it.
const NUT: &str = r#"
name = "nut"
run = { rate = 1000, seconds = 2.6 }
held = { solid = "nut", diameter = 0.012, mass = 0.05, resolution = 96, points = 6000 }
fixed = { solid = "bolt", diameter = 0.012, length = 0.03, resolution = 128, points = 6000 }
friction = { static = 0.2, kinetic = 0.15 }

[hand]
from = { position = [0.0, 0.0, -0.011] }
script = [
    { move = [0.0, 0.0, 0.001], seconds = 0.2 },
    { move = [0.0, 0.0, 0.00175], turn = { axis = [0, 0, 1], angle_deg = 360 }, seconds = 2.0 },
    { move = [0.003, 0.0, -0.002], seconds = 0.4 },
]
"#;

fn plan(text: &str) -> Plan {
    Plan::of_text(Path::new("work/scene.toml"), text.into(), Vec::new())
}

fn recorded(session: &Session, ticks: usize) -> Vec<Entry> {
    let (mut arms, _reins) = session.arms(Pace::Virtual(session.period()), |_| None).unwrap();
    let mut out = Vec::new();
    run_virtual(&mut arms, |arms, _| {
        for arm in arms.iter() {
            let mut snapshot = *arm.snapshot();
            // The count is already that of the next cycle.
            snapshot.cycle -= 1;
            out.push(entry(&snapshot));
        }
        out.len() < ticks
    });
    out
}

#[test]
fn a_measured_limit_that_binds_is_recorded_and_replays_to_the_same_bits() {
    let live = session(plan(SLAB)).calibrated(1).unwrap();
    let work = live.plan.work.unwrap();
    let entries = recorded(&live, 1200);
    let flags = |e: &Entry| Trace::from_row(Trace::columns(), &e.row).unwrap().flags;
    let coarse = entries.iter().filter(|e| flags(e).has(Flags::COARSE)).count();
    println!("{work} units a tick, {coarse} of {} ticks coarse", entries.len());
    assert!(coarse > 500, "{coarse} coarse ticks with {work} units");
    let header = live.header("test", 0);
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &header, WriteOptions::default()).unwrap();
    entries.iter().for_each(|e| writer.add(e).unwrap());
    writer.finish().unwrap();
    drop(writer);
    // A session by the recording's plan measures nothing.
    let plan = Plan::recorded(&header).unwrap();
    assert_eq!(plan, Plan { recorded: true, ..live.plan.clone() });
    let again = session(plan.clone());
    assert_eq!(again.world.scene.settings.work, work);
    let replayed = |session: &Session| session.replay(&mut Recording::new(Cursor::new(&bytes)).unwrap(), |_, _| true);
    assert_eq!(replayed(&again).unwrap(), Replayed { ticks: 1200, ..Replayed::default() });
    // With another limit it is another run, and refused.
    let other = session(Plan { work: Some(work + 1), ..plan });
    assert!(replayed(&other).unwrap_err().to_string().contains("parameters"));
}

#[test]
fn a_session_never_allows_more_work_than_its_scene() {
    let mut small = session(Plan { set: vec!["contact.work=1500".parse().unwrap()], ..plan(SLAB) });
    small.limit_work(Some(1_000_000));
    assert_eq!(small.world.scene.settings.work, 1500);
    assert_eq!(small.plan.scene().unwrap().settings.work, 1500);
    let penalty = session(Plan { set: vec!["contact.model=penalty".parse().unwrap()], ..plan(SLAB) });
    assert_eq!(penalty.calibrate().unwrap(), None);
    assert_eq!(penalty.calibrated(1).unwrap().plan.work, None);
}

#[test]
fn wrenches_obey_the_slew_rule_while_levels_change() {
    // The nut hardly needs more than the least that a tick can be limited to.
    for (text, work, often) in [(NUT, 1, 10), (NUT, 1500, 10), (SLAB, 2000, 50), (SLAB, 6000, 50)] {
        let session = session(Plan { work: Some(work), ..plan(text) });
        let (mut rig, mut judge) = (Rig::new(&session), WrenchChecker::new(&session.limits(0), session.period()));
        let mut felt = 0.0_f64;
        for _ in 0..(session.world.scene.seconds / session.period()) as u64 {
            let output = rig.step(|_| ());
            judge.look(output.sent.wrench());
            felt = felt.max(output.sent.wrench().norm());
        }
        let (coarse, name) = (rig.servo.simulation().coarse_ticks(), &session.world.scene.name);
        println!(
            "{name}, {work}: {coarse} coarse ticks, {felt:.2} N at most, slew at most {:.3} of its limit",
            judge.worst()[1]
        );
        assert!(coarse > often && felt > 0.3, "{name}, {work}: {coarse} coarse ticks, {felt} N");
        assert_eq!(judge.broken(), 0, "{name}, {work}: wrench {:?}", judge.first());
    }
}
