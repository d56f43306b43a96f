//! One run: a moment of contact, some faults, and the loop's own cycles through them.

use crate::bench::{Bench, Wire, open};
use crate::checker::{Checker, LimitShares, Told};
use crate::kinds::{FaultKind, OutsideFault};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::RngCore;
use std::sync::{Arc, Mutex};
use stiction::spatial::{Vec3, Vec6, join};
use stiction_device::sim::{SimFault, SimHand};
use stiction_device::{
    Arm, Arms, Commands, CycleSink, Device, Drive, FailingSimulation, SafeWrench, Servo, ServoInput,
};
use stiction_record::{Header, Recorder, WriteOptions};
use stiction_session::{Pace, RecordSink, SceneDevice, Session, SessionError};

/// Random numbers of a run.
pub struct Random(pub SplitMix64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.word() % n
    }

    fn signed(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// Servo and device at a moment of contact.
#[derive(Clone, Debug)]
pub struct Moment {
    servo: Servo,
    device: SceneDevice,
    now: u64,
    time: f64,
}

/// How many moments are looked at in a scene.
const LOOKS: u64 = 24;

/// Moments of contact, evenly over the scene.
pub fn moments(session: &Session) -> Result<Vec<Moment>, SessionError> {
    let none = |why: &str| SessionError::Plan { name: "campaign".into(), why: why.into() };
    let mut servo = session.servo()?;
    if servo.ports().len() != 1 {
        return Err(none("it takes a session with one arm"));
    }
    let mut device = session.device(0, Pace::Virtual(session.period()))?;
    device.arm().map_err(|e| none(&e.to_string()))?;
    let loads = session.loads(0);
    let step = nanoseconds(session);
    let ticks = (session.world.scene.seconds / session.period()) as u64;
    let mut out = Vec::new();
    for tick in 0..ticks {
        let (now, time) = ((tick + 1) * step, tick as f64 * session.period());
        let commands = Commands { load: loads(time), ..Commands::default() };
        let input = ServoInput { now, late: 0, read: device.read(), wrote: Ok(()), commands };
        let output = servo.cycle(&[input])[0];
        device.write(&output.sent).map_err(|e| none(&e.to_string()))?;
        if tick % (ticks / LOOKS).max(1) == 0 && output.hand.contacts > 0 {
            out.push(Moment { servo: servo.clone(), device: device.clone(), now, time });
        }
    }
    if out.is_empty() { Err(none("the part never touches anything in this scene")) } else { Ok(out) }
}

fn nanoseconds(session: &Session) -> u64 {
    (session.period() * 1e9) as u64
}

/// A fault and its span of cycles.
#[derive(Clone, Copy)]
struct Trouble {
    kind: FaultKind,
    from: u64,
    long: u64,
    /// Of what size it is: meaning varies.
    size: u64,
}

/// What a run showed.
pub struct Shown {
    pub wrong: Option<String>,
    pub worst: LimitShares,
    pub cycles: u64,
    pub with_force: u64,
    /// How often the envelope saw each of its faults begin.
    pub faults: [u64; stiction_device::Fault::ALL.len()],
}

/// A disk with some room.
struct Disk(usize);

impl std::io::Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl stiction_record::RecordOutput for Disk {}

/// A recorder that will not keep up.
fn recorder(around: OutsideFault, header: &Header) -> Option<(Recorder, Box<dyn CycleSink>)> {
    let (room, ring) = match around {
        OutsideFault::FullDisk => (20_000, 4096),
        OutsideFault::SlowDisk => (usize::MAX, 2),
        _ => return None,
    };
    let (recorder, [feed]) = Recorder::start(Disk(room), header, WriteOptions { compress: false, ring }).ok()?;
    Some((recorder, Box::new(RecordSink::new(feed, false))))
}

/// One run.
pub fn run(session: &Session, header: &Header, moment: &Moment, kinds: &[FaultKind], random: &mut Random) -> Shown {
    let long_run = random.below(10) == 0 || kinds.contains(&FaultKind::OutsideFault(OutsideFault::FullDisk));
    let ticks = if long_run { 800 } else { 180 };
    let troubles: Vec<Trouble> = kinds
        .iter()
        .map(|kind| Trouble { kind: *kind, from: random.below(100), long: 1 + random.below(60), size: random.word() })
        .collect();
    let Moment { mut servo, mut device, mut now, time } = moment.clone();
    let first = device.sim.tick() + 1;
    for trouble in &troubles {
        trouble.prepare(&mut servo, &mut device, first);
    }
    let sent = *servo.outputs()[0].sent.wrench();
    let checker =
        Checker::new(*servo.ports()[0].envelope().limits(), session.caps(0).actuated.0, session.period(), &sent);
    let told = Told { state: None, refused: false, stop: false, rearm: 0, panicked: None };
    let held = device.sim.params().hand;
    let bench = Bench {
        device,
        checker,
        told,
        extra: 0.0,
        refuses: false,
        stalled: false,
        // The moment is in the middle of a run.
        written: true,
        last: None,
        wrong: None,
    };
    let bench = Arc::new(Mutex::new(bench));
    let panics = Arc::new(Mutex::new([false; 2]));
    let around = |a: OutsideFault| troubles.iter().find(|t| t.kind == FaultKind::OutsideFault(a));
    let mut disk =
        [OutsideFault::FullDisk, OutsideFault::SlowDisk].into_iter().find_map(|a| around(a).and(recorder(a, header)));
    let sink = disk.as_mut().map(|d| std::mem::replace(&mut d.1, Box::new(Nowhere)));
    let caps = session.caps(0);
    let called = caps.drive == Drive::VendorCallback;
    let wire = Wire::new(Arc::clone(&bench), caps, Arc::clone(&panics));
    let (arm, mut handle) = Arm::new(0, &servo, Box::new(wire), sink);
    let loads = session.loads(0);
    let mut arm = arm.with_loads(Box::new(move |t| loads(t + time)));
    arm.arm_virtually(random.below(40) as u32);
    let mut arms = Arms::new(servo, vec![arm]);
    let step = nanoseconds(session);
    let (mut rearm, mut engine_cycles, mut killed) = (0, 0, false);
    for tick in 0..ticks {
        now += step;
        let on = |a: OutsideFault| around(a).filter(|t| (t.from..t.from + t.long).contains(&tick));
        if on(OutsideFault::Killed).is_some() {
            killed = true;
            break;
        }
        let skipped = on(OutsideFault::Skipped).map(|t| tick - t.from);
        // Where a vendor's thread should call and does not, the loop's own makes the cycles from the third on.
        open(&bench).stalled = called && skipped.is_some();
        if skipped.is_some_and(|n| !called || n < 2) {
            open(&bench).extra += session.period();
            continue;
        }
        let eager = troubles.iter().any(|t| t.wants_rearm() && (t.from..t.from + t.long + 5).contains(&tick));
        rearm += u32::from(random.below(if eager { 3 } else { 80 }) == 0);
        let late = on(OutsideFault::Late).map_or(0, |t| t.size % 30_000_000);
        let skipped = (open(&bench).extra * 1e9) as u64;
        let load = match (on(OutsideFault::NanLoad), on(OutsideFault::HugeLoad)) {
            (Some(_), _) => Vec6::repeat(f64::NAN),
            (_, Some(t)) => Vec6::ith(t.size as usize % 6, 1e9),
            _ => Vec6::zeros(),
        };
        let stop = on(OutsideFault::Stop).is_some();
        handle.commands.publish(&Commands { clutch: on(OutsideFault::Clutch).is_some(), stop, rearm, load, ..Commands::default() });
        *open(&panics) = [OutsideFault::ReadPanic, OutsideFault::WritePanic].map(|a| on(a).is_some());
        {
            let bench = &mut *open(&bench);
            bench.extra += late as f64 * 1e-9;
            bench.refuses = on(OutsideFault::WriteRefused).is_some();
            let panicked = around(OutsideFault::EnginePanic).and_then(|t| u64::checked_sub(engine_cycles, t.from));
            (bench.told.stop, bench.told.rearm, bench.told.panicked) = (stop, rearm, panicked);
            hands(bench, &troubles, tick, held, random);
        }
        let set_back = on(OutsideFault::ClockBack).map_or(0, |t| t.size % 1_000_000_000);
        arms.once((now + late).saturating_sub(set_back), late + skipped);
        engine_cycles += 1;
        let arm = &arms.arms()[0];
        if arm.device().is_none() && *arm.sent() != SafeWrench::ZERO {
            open(&bench).wrong.get_or_insert((tick, "a wrench is sent while the device is being armed".into()));
        }
        if arm.is_dead() {
            break;
        }
    }
    let died = arms.arms()[0].is_dead();
    let faults = arms.servo().ports()[0].envelope().report().faults;
    let bench_now = &mut *open(&bench);
    let panics = around(OutsideFault::ReadPanic).is_some() || around(OutsideFault::WritePanic).is_some();
    let after = afterwards(bench_now, died, killed, session);
    let mut wrong = bench_now.wrong.take().map(|(cycle, why)| format!("cycle {cycle}: {why}"));
    wrong = wrong.or(after).or((died && !panics).then(|| "the arm died of another panic than the injected one".into()));
    let Checker { worst, cycles, with_force, .. } = bench_now.checker;
    Shown { wrong, worst, cycles, with_force, faults }
}

/// A sink that keeps nothing.
struct Nowhere;

impl CycleSink for Nowhere {
    fn put(&mut self, _: &stiction_device::Snapshot) {}
}

impl Trouble {
    fn prepare(&self, servo: &mut Servo, device: &mut SceneDevice, first: u64) {
        // There are two at most, and room for sixteen.
        let mut inject = |fault, ticks| {
            let _ = device.sim.inject(fault, first + self.from, ticks);
        };
        match self.kind {
            FaultKind::Device(fault) => {
                inject(fault, self.long);
                if matches!(fault, SimFault::GoneAtArm | SimFault::BusyAtArm) {
                    // It is armed again only after it was lost.
                    inject(SimFault::GoneOnRead, 2);
                }
            }
            FaultKind::OutsideFault(OutsideFault::EnginePanic) => {
                servo.wrap(|inner| Box::new(FailingSimulation::new(inner, self.from as u32)));
            }
            FaultKind::OutsideFault(_) => {}
        }
    }

    fn wants_rearm(&self) -> bool {
        matches!(
            self.kind,
            FaultKind::OutsideFault(OutsideFault::Rearm) | FaultKind::Device(SimFault::GoneAtArm | SimFault::BusyAtArm)
        )
    }
}

/// What people do to the handle.
fn hands(bench: &mut Bench, troubles: &[Trouble], tick: u64, held: SimHand, random: &mut Random) {
    for t in troubles {
        let (begins, ends) = (tick == t.from, tick == t.from + t.long);
        let sim = &mut bench.device.sim;
        match t.kind {
            // The hands are sound ones.
            FaultKind::OutsideFault(OutsideFault::LetGo) if begins => _ = sim.hold(SimHand::Released),
            FaultKind::OutsideFault(OutsideFault::LetGo) if ends => _ = sim.hold(held),
            FaultKind::OutsideFault(OutsideFault::Shove) if begins => {
                sim.push(&join(random.vec3() * 60.0, random.vec3()))
            }
            FaultKind::OutsideFault(OutsideFault::Shove) if ends => sim.push(&Vec6::zeros()),
            FaultKind::OutsideFault(OutsideFault::Knock) if begins => {
                sim.kick(&join(random.vec3() * 4.0, random.vec3() * 40.0))
            }
            _ => {}
        }
    }
}

/// What must be so after the last cycle.
fn afterwards(bench: &mut Bench, died: bool, killed: bool, session: &Session) -> Option<String> {
    let zero = |bench: &Bench| bench.device.sim.acting().iter().all(|x| *x == 0.0);
    if died && !zero(bench) {
        return Some("a dead arm's device still pushes".into());
    }
    let watchdog = session.caps(0).watchdog.filter(|_| killed)?;
    for _ in 0..(watchdog / session.period()) as u64 + 2 {
        bench.device.sim.step(session.period());
    }
    (!zero(bench)).then(|| "nobody writes any more, and the device still pushes".into())
}
