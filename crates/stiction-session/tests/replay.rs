//! Recorded runs replay to the same bits; one bit of an input that matters changes them; what cannot be replayed is told why.

mod support;

use std::io::Cursor;
use std::path::{Path, PathBuf};
use stiction::columns::Row;
use stiction_device::servo_loop::run_virtual;
use stiction_device::sim::SimFault;
use stiction_device::{Applied, Caps, Commands, Device, DeviceError, DeviceState, SafeWrench, Snapshot};
use stiction_record::{Entry, Header, Recording, WriteOptions, Writer};
use stiction_session::{Pace, Plan, Replayed, SceneDevice, Session, entry};
use support::{plan, session};

/// What happens in a recorded run besides the scene.
#[derive(Clone, Copy, Default)]
struct Events {
    faults: bool,
    clutch: bool,
}

/// Every cycle of a run on the virtual clock.
fn recorded(session: &Session, ticks: u64, events: Events) -> Vec<Entry> {
    let devices = |number| {
        let mut device = session.device(number, Pace::Virtual(session.period()))?;
        if events.faults {
            for (fault, from) in
                [(SimFault::NanPosition, 100), (SimFault::GoneOnRead, 300), (SimFault::EmergencyStop, 420)]
            {
                device.sim.inject(fault, from, 5).unwrap();
            }
        }
        Ok(Box::new(device) as Box<dyn Device>)
    };
    let (mut arms, mut reins) = session.arms_with(|_| None, devices).unwrap();
    let (mut out, mut tick) = (Vec::new(), 0);
    run_virtual(&mut arms, |arms, late| {
        for arm in arms.iter() {
            let mut snapshot = *arm.snapshot();
            // The count is already that of the next cycle.
            snapshot.cycle -= 1;
            out.push(entry(&snapshot));
        }
        tick += 1;
        let clutch = events.clutch && (200..260).contains(&tick);
        let rearm = if events.faults { (tick / 310 + tick / 430) as u32 } else { 0 };
        for rein in &mut reins {
            rein.commands.publish(&Commands { clutch, rearm, ..Commands::default() });
        }
        *late = if events.faults && tick % 97 == 0 { 1_700_000 } else { 0 };
        tick < ticks
    });
    out
}

fn written(header: &Header, entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, header, WriteOptions::default()).unwrap();
    entries.iter().for_each(|e| writer.add(e).unwrap());
    writer.finish().unwrap();
    drop(writer);
    bytes
}

fn replayed(session: &Session, bytes: &[u8]) -> Replayed {
    session.replay(&mut Recording::new(Cursor::new(bytes)).unwrap(), |_, _| true).unwrap()
}

/// Written and read again.
fn again(session: &Session, entries: &[Entry]) -> Replayed {
    replayed(session, &written(&session.header("test", 0), entries))
}

fn plain(arms: u8) -> Session {
    session(Plan { arms, ..plan("small", &[]) })
}

#[test]
fn runs_replay_to_the_same_bits() {
    for arms in [1, 2] {
        for (faults, clutch) in [(false, false), (true, false), (false, true), (true, true)] {
            let session = plain(arms);
            let ticks = 1200;
            let entries = recorded(&session, ticks, Events { faults, clutch });
            assert_eq!(entries.len() as u64, ticks * u64::from(arms));
            assert!(entries.iter().any(|e| e.sent[2] != 0.0), "no force was ever sent");
            assert_eq!(faults, entries.iter().any(|e| e.fault > 0));
            let found = again(&session, &entries);
            let all = Replayed { ticks: entries.len() as u64, ..Replayed::default() };
            assert_eq!(found, all, "{arms} arms, faults {faults}, clutch {clutch}");
        }
    }
}

/// A device whose read panics after some time.
struct Dies(SceneDevice, u32);

impl Device for Dies {
    fn caps(&self) -> &Caps {
        self.0.caps()
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.0.arm()
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        self.1 = self.1.checked_sub(1).unwrap_or_else(|| std::panic::resume_unwind(Box::new(())));
        self.0.read()
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        self.0.write(wrench)
    }

    fn disarm(&mut self) {
        self.0.disarm();
    }
}

#[test]
fn a_run_in_which_an_arm_dies_replays() {
    let session = plain(2);
    for dies in [0, 1] {
        let pace = Pace::Virtual(session.period());
        let devices = |arm| -> Result<Box<dyn Device>, _> {
            Ok(Box::new(Dies(session.device(arm, pace)?, if arm == dies { 500 } else { u32::MAX })))
        };
        let (mut arms, _reins) = session.arms_with(|_| None, devices).unwrap();
        let (mut entries, mut rounds) = (Vec::new(), 0);
        run_virtual(&mut arms, |arms, _| {
            let living = arms.iter().filter(|arm| !arm.is_dead());
            entries.extend(living.map(|arm| entry(&Snapshot { cycle: rounds, ..*arm.snapshot() })));
            rounds += 1;
            rounds < 900
        });
        assert_eq!(again(&session, &entries), Replayed { ticks: 1400, ..Replayed::default() }, "arm {dies} died");
    }
}

/// A change of an entry by its name.
type Change = (&'static str, fn(&mut Entry));

fn bit(x: &mut f64, bit: u32) {
    *x = f64::from_bits(x.to_bits() ^ 1 << bit);
}

#[test]
fn one_bit_of_an_input_that_matters_is_seen() {
    let session = plain(1);
    let entries = recorded(&session, 900, Events::default());
    let changes: [Change; 11] = [
        ("lowest bit of x", |e| bit(&mut e.input.pose[0], 0)),
        ("middle bit of z", |e| bit(&mut e.input.pose[2], 26)),
        ("sign of z", |e| bit(&mut e.input.pose[2], 63)),
        ("highest bit of qx", |e| bit(&mut e.input.pose[3], 62)),
        ("load", |e| bit(&mut e.input.load[0], 62)),
        ("the dead-man switch", |e| e.input.enable ^= 1),
        ("the emergency stop", |e| e.input.enable ^= 2),
        ("the failure alarm", |e| e.input.alarms ^= 8),
        ("a failed read", |e| e.input.failed ^= 1),
        ("the command to stop", |e| e.input.commands ^= 2),
        ("a second of lateness", |e| e.input.late_ns ^= 1 << 30),
    ];
    for at in [350, 640, 777] {
        for (what, change) in changes {
            let mut changed = entries.clone();
            change(&mut changed[at]);
            assert_ne!(changed[at].words(), entries[at].words(), "{what}");
            let found = again(&session, &changed).difference;
            let tick = found.unwrap_or_else(|| panic!("{what} at {at} went unnoticed")).tick;
            // What is only in the envelope's memory shows a cycle or so later.
            assert!((at as u64..at as u64 + 3).contains(&tick), "{what} at {at} was seen at {tick}");
        }
        // And what came out is compared to the bit.
        let mut changed = entries.clone();
        bit(&mut changed[at].sent[4], 0);
        let found = again(&session, &changed).difference.unwrap();
        assert!(found.tick == at as u64 && found.in_wrench);
        let mut changed = entries.clone();
        let mut words = changed[at].row.words().to_vec();
        words[30] ^= 1;
        changed[at].row = Row::of(&words).unwrap();
        let found = again(&session, &changed).difference.unwrap();
        assert!(found.tick == at as u64 && !found.in_wrench);
    }
}

#[test]
fn what_the_loop_ignores_is_not_claimed_to_differ() {
    let session = plain(1);
    let mut entries = recorded(&session, 700, Events::default());
    entries[600].input.buttons ^= 1;
    entries[601].notes.compute_ns ^= 1;
    assert_eq!(again(&session, &entries).difference, None);
}

#[test]
fn a_cut_off_recording_replays_what_is_there() {
    let session = plain(1);
    let bytes = written(&session.header("test", 0), &recorded(&session, 1300, Events::default()));
    let found = replayed(&session, &bytes[..bytes.len() * 3 / 4]);
    let cut_off = found.cut_off.unwrap();
    assert!(found.difference.is_none() && found.gap.is_none() && found.ticks == cut_off.entries);
    assert!((400..1300).contains(&found.ticks), "{found:?}");
    assert!(cut_off.to_string().contains("what comes before is good"));
}

#[test]
fn a_gap_ends_a_replay_and_is_told() {
    let session = plain(1);
    let mut entries = recorded(&session, 700, Events::default());
    entries.remove(500);
    let found = again(&session, &entries);
    assert_eq!((found.ticks, found.gap, found.difference), (500, Some(501), None));
}

#[test]
fn a_recording_that_does_not_fit_is_refused_with_cause_and_remedy() {
    let small = plain(1);
    let entries = recorded(&small, 20, Events::default());
    let refused = |session: &Session, header: &Header| {
        let bytes = written(header, &entries);
        session.replay(&mut Recording::new(Cursor::new(bytes)).unwrap(), |_, _| true).unwrap_err().to_string()
    };
    let header = small.header("test", 0);
    let other = session(plan("small", &["fixed.size=[0.09,0.08]"]));
    let told = refused(&other, &header);
    assert!(
        told.contains("fixed part") && told.contains("a mesh has changed") && told.contains("replay with that"),
        "{told}"
    );
    let told = refused(&small, &Header { shapes: vec![[1, 2]], stiction: "0.0.7".into(), ..header.clone() });
    assert!(told.contains("held part") && told.contains("Stiction 0.0.7"), "{told}");
    // Everything else that a run depends on is in the recording: the plan comes from there.
    let plan = Plan::recorded(&header).unwrap();
    assert_eq!(plan, Plan { recorded: true, ..small.plan.clone() });
    let mut broken = header.clone();
    broken.parameters.remove("hand");
    assert_eq!(Plan::recorded(&broken).unwrap_err().to_string(), "parameter hand: it is missing");
    broken.parameters.insert("hand".into(), "third".into());
    assert!(Plan::recorded(&broken).unwrap_err().to_string().contains("\"third\" is none of free, light"));
}

#[test]
fn a_recording_of_another_session_is_refused() {
    let (one, two) = (plain(1), plain(2));
    let bytes = written(&two.header("test", 0), &recorded(&two, 20, Events::default()));
    let told = one.replay(&mut Recording::new(Cursor::new(bytes)).unwrap(), |_, _| true).unwrap_err().to_string();
    assert!(told.contains("number of parts") || told.contains("parameters"), "{told}");
    let stiffer = session(plan("small", &["contact.stiffness=60000"]));
    let bytes = written(&one.header("test", 0), &recorded(&one, 20, Events::default()));
    let told = stiffer.replay(&mut Recording::new(Cursor::new(bytes)).unwrap(), |_, _| true).unwrap_err().to_string();
    assert!(told.contains("overrides"), "{told}");
}

/// A recording that another build made: 0.8 s at 500 Hz with contact, sliding, faults and the clutch.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/small.mcap")
}

#[test]
fn a_recording_by_another_build_replays_to_the_same_bits() {
    if std::env::var_os("STICTION_UPDATE").is_some() {
        let session = session(plan("small", &["run.rate=500"]));
        let entries = recorded(&session, 400, Events { faults: true, clutch: true });
        let header = session.header(concat!("tests/replay.rs of ", env!("CARGO_PKG_VERSION")), 0);
        std::fs::write(kept(), written(&header, &entries)).unwrap();
    }
    let mut recording = Recording::open(&kept()).unwrap();
    let session = session(Plan::recorded(recording.header()).unwrap());
    let found = session.replay(&mut recording, |_, _| true).unwrap_or_else(|e| panic!("{e}; {RENEW}"));
    assert!(found.ticks == 400 && found.difference.is_none() && found.gap.is_none(), "{found:?}; {RENEW}");
}

const RENEW: &str = "where a change of the engine, the servo or the baking is meant to alter answers, write it anew by \
                     `STICTION_UPDATE=1 cargo test -p stiction-session --test replay` and say why in the commit";
