//! The servo loop: cycles at absolute deadlines on a thread of its own, or as fast as they go on a virtual clock.
//!
//! An [`Arm`] is one device with its servo. [`Arm::once`] is a whole cycle, whoever calls it. [`start`] drives a device as its [`Drive`] says: polled at the loop's own deadlines; read on
//! a thread of its own where it answers requests ([`crate::exchange`]); or by the calls of a vendor's thread. In that last case the loop's thread stands by: if no call
//! has come for two periods, it makes the cycles itself, so that force fades, people are told, the device can be armed again, and the other hand goes on. Nothing in a
//! cycle allocates, waits or prints: poses, wrenches and traces leave through a triple buffer ([`crate::handover`]) and an optional [`Sink`].

use crate::arming::{self, Arming, ArmingThread};
use crate::device::{Applied, Device, DeviceError, Drive, State};
use crate::envelope::SafeWrench;
use crate::exchange::Exchange;
use crate::handover::{Latest, Publisher, latest};
use crate::histogram::Histogram;
use crate::pair;
use crate::realtime::{self, Granted};
use crate::servo::{Commands, Input, Output, Servo};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use stiction::spatial::{Pose, Vec6};

/// A cycle as others see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapshot {
    /// Which arm, from 0.
    pub arm: u8,
    /// Cycles of this arm before this one.
    pub cycle: u64,
    /// What it depended on.
    pub input: Input,
    /// What it did.
    pub output: Output,
    /// What the device did with it.
    pub applied: Result<Applied, DeviceError>,
    /// CPU time of the thread for reading, the cycle and writing (ns).
    pub compute: u64,
}

/// Takes every cycle, from inside the loop: must not allocate, wait, print or panic.
pub trait Sink: Send {
    /// One cycle.
    fn put(&mut self, snapshot: &Snapshot);
}

/// One device with its servo.
pub struct Arm {
    servo: Servo,
    /// None while it is being armed.
    device: Option<Box<dyn Device>>,
    arming: Arming,
    /// The device goes to be armed in the next cycle.
    gives: bool,
    /// The device is on a thread of its own.
    separate: bool,
    /// Why the device could not be armed again.
    refused: Option<DeviceError>,
    commands: Latest<Commands>,
    publisher: Publisher<Snapshot>,
    sink: Option<Box<dyn Sink>>,
    loads: Option<Loads>,
    /// The clock at the first cycle (ns).
    begun: Option<u64>,
    snapshot: Snapshot,
    rearmed: u32,
    /// It panicked: its device is disarmed and left alone.
    dead: bool,
}

/// A load on the part (world, about its centre) by the time since the first cycle (s). Must not allocate, wait or panic.
pub type Loads = Box<dyn Fn(f64) -> Vec6 + Send>;

/// The ends of an arm that stay outside the loop.
pub struct Reins {
    /// What others want of it.
    pub commands: Publisher<Commands>,
    /// What it does.
    pub snapshots: Latest<Snapshot>,
}

impl Arm {
    /// An arm; number 0 or 1. Its device must be armed. By itself an arm never arms a lost device again: [`start`] and [`run_virtual`] see to that.
    pub fn new(number: u8, servo: Servo, device: Box<dyn Device>, sink: Option<Box<dyn Sink>>) -> (Arm, Reins) {
        let input = Input {
            now: 0,
            late: 0,
            read: Err(DeviceError::NotArmed),
            wrote: Ok(()),
            commands: Commands::default(),
            other: None,
        };
        let output = *servo.output();
        let snapshot = Snapshot { arm: number, cycle: 0, input, output, applied: Ok(Applied::Full), compute: 0 };
        let (publisher, snapshots) = latest(snapshot);
        let (command, commands) = latest(Commands::default());
        let arm = Arm {
            servo,
            device: Some(device),
            arming: Arming::Never,
            gives: false,
            separate: false,
            refused: None,
            commands,
            publisher,
            sink,
            loads: None,
            begun: None,
            snapshot,
            rearmed: 0,
            dead: false,
        };
        (arm, Reins { commands: command, snapshots })
    }

    /// The same with a load that comes and goes with time, besides that of the [`Commands`].
    #[must_use]
    pub fn with_loads(mut self, loads: Loads) -> Arm {
        self.loads = Some(loads);
        self
    }

    /// For a virtual clock: a lost device that shall be armed again is armed between two cycles, and is away for so many of them.
    pub fn arm_virtually(&mut self, cycles: u32) {
        self.arming = Arming::Virtual { cycles, away: None };
    }

    /// The servo.
    pub fn servo(&self) -> &Servo {
        &self.servo
    }

    /// The device; none while it is being armed.
    pub fn device(&self) -> Option<&dyn Device> {
        self.device.as_deref()
    }

    /// The device, before the loop starts or after it ended; none if it was being armed when it ended.
    pub fn device_mut(&mut self) -> Option<&mut (dyn Device + 'static)> {
        self.device.as_deref_mut()
    }

    /// The last cycle.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Whether a panic ended it.
    pub fn is_dead(&self) -> bool {
        self.dead
    }

    /// One cycle that begins at `now` (ns), `late` ns behind its deadline; `other` is where the other hand's part is, for a part that meets
    /// it. A panic in here ends the arm, not the program: its device is disarmed.
    pub fn once(&mut self, now: u64, late: u64, other: Option<Pose>) {
        if self.dead {
            return;
        }
        if catch_unwind(AssertUnwindSafe(|| self.cycle(now, late, other))).is_err() {
            self.dead = true;
            self.disarm();
        }
    }

    fn cycle(&mut self, now: u64, late: u64, other: Option<Pose>) {
        let begun = realtime::thread_time();
        let (mut commands, _) = self.commands.take();
        let begun_at = *self.begun.get_or_insert(now);
        if let Some(loads) = &self.loads {
            commands.load += loads(now.saturating_sub(begun_at) as f64 * 1e-9);
        }
        let wrote = self.snapshot.applied.map(|_| ());
        if let Some((device, armed)) = self.arming.take() {
            (self.device, self.refused) = (Some(device), armed.err());
        }
        // A cycle after the command: what the device said then still counts, so that a pressed stop stays latched. It goes without force.
        let gives = std::mem::take(&mut self.gives);
        let read = if gives { Err(DeviceError::Arming) } else { self.read() };
        let asked = commands.rearm != self.rearmed;
        self.rearmed = commands.rearm;
        let failed = read.is_err() || wrote.is_err();
        self.gives = asked && failed && !gives && self.device.is_some() && self.arming.is_possible();
        let input = Input { now, late, read, wrote, commands, other };
        let output = *self.servo.cycle(&input);
        let applied = match &mut self.device {
            Some(device) if self.refused.is_none() => device.write(&output.sent),
            _ => Ok(Applied::Inhibited),
        };
        if gives && let Some(device) = self.device.take() {
            self.arming.give(device);
        }
        let compute = realtime::thread_time().saturating_sub(begun);
        let s = &mut self.snapshot;
        (s.input, s.output, s.applied, s.compute) = (input, output, applied, compute);
        self.publisher.publish(s);
        if let Some(sink) = &mut self.sink {
            sink.put(s);
        }
        s.cycle += 1;
    }

    /// Who calls whom; none while the device is being armed.
    fn drive(&self) -> Option<Drive> {
        self.device.as_ref().map(|device| device.caps().drive)
    }

    /// Puts a device whose reads wait on a thread of its own.
    fn separate(&mut self) {
        if self.drive() == Some(Drive::RequestReply) && !self.separate {
            self.separate = true;
            self.device = self.device.take().map(|device| {
                let mut exchange = Exchange::new(device);
                self.refused = exchange.arm().err();
                Box::new(exchange) as Box<dyn Device>
            });
        }
    }

    /// A measurement; while there is no armed device, why not.
    fn read(&mut self) -> Result<State, DeviceError> {
        match (&mut self.device, self.refused) {
            (None, _) => Err(DeviceError::Arming),
            (_, Some(refused)) => Err(refused),
            (Some(device), None) => device.read(),
        }
    }

    /// Where this part and another are to be seen by the other's hand.
    fn seen_with(&self, other: &Arm) -> [Pose; 2] {
        let outputs = [&self.snapshot.output, &other.snapshot.output];
        if self.dead || other.dead {
            return outputs.map(|o| o.part);
        }
        pair::seen(outputs, [self, other].map(|arm| &arm.servo.engine().settings().coupling))
    }

    /// Takes the device's force away. A device that is being armed is disarmed as soon as that ends; nobody waits for it.
    pub fn disarm(&mut self) {
        if self.device.is_none() {
            self.arming.end();
            self.device = self.arming.take().map(|armed| armed.0);
        }
        if let Some(device) = &mut self.device {
            arming::disarm(&mut **device);
        }
    }

    /// The last wrench sent.
    pub fn sent(&self) -> &SafeWrench {
        &self.snapshot.output.sent
    }
}

impl Drop for Arm {
    fn drop(&mut self) {
        self.disarm();
    }
}

/// Arms and what they share: one part each, and each arm may see the other's part.
pub struct Arms {
    arms: Vec<Arm>,
    meet: bool,
}

impl Arms {
    /// One arm, whose fixed part stands still.
    pub fn one(arm: Arm) -> Self {
        Arms { arms: vec![arm], meet: false }
    }

    /// Two arms, each one's part the other's fixed one: each sees the other part at its last pose, moved as both of them go together: see [`pair`].
    pub fn two(first: Arm, second: Arm) -> Self {
        Arms { arms: vec![first, second], meet: true }
    }

    /// One cycle of each.
    pub fn once(&mut self, now: u64, late: u64) {
        let seen = match &self.arms[..] {
            [first, second] if self.meet => Some(first.seen_with(second)),
            _ => None,
        };
        for (i, arm) in self.arms.iter_mut().enumerate() {
            arm.once(now, late, seen.map(|seen| seen[1 - i]));
        }
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Arm> {
        self.arms.iter()
    }

    /// Each of them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Arm> {
        self.arms.iter_mut()
    }
}

/// How the loop did, always on: one thread counts, any other may look.
#[derive(Debug, Default)]
pub struct Stats {
    /// From the start of one cycle to that of the next (ns).
    pub period: Histogram,
    /// CPU time of a cycle, all arms (ns).
    pub compute: Histogram,
    /// How late cycles begin (ns): the machine's doing.
    pub late: Histogram,
    /// Deadlines that were skipped because a cycle was still at work or the thread was not woken.
    pub skipped: AtomicU64,
}

/// How the loop runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopSettings {
    /// Cycles a second (Hz), up to 10,000.
    pub rate: f64,
    /// First-in-first-out priority to ask for, 1 to 99; none to stay an ordinary thread.
    pub priority: Option<i32>,
}

impl LoopSettings {
    /// The period (ns).
    pub fn period(&self) -> u64 {
        (1e9 / self.rate) as u64
    }
}

/// A loop at work.
pub struct Running {
    thread: Option<JoinHandle<Arms>>,
    stop: Arc<AtomicBool>,
    stats: Arc<Stats>,
    granted: Granted,
}

/// Starts a thread that cycles at absolute deadlines until it is stopped, or that stands by while a vendor's thread calls. Devices must be armed; lost ones are armed again on command ([`Commands::rearm`]), each on a
/// thread of its own, while the loop goes on.
///
/// # Errors
/// If the system makes no thread, or if two devices each have a vendor's thread that wants to call.
pub fn start(arms: Arms, settings: LoopSettings) -> io::Result<Running> {
    start_counting(arms, settings, Arc::new(Stats::default()))
}

/// The same, adding to statistics of earlier loops.
///
/// # Errors
/// As [`start`].
pub fn start_counting(mut arms: Arms, settings: LoopSettings, stats: Arc<Stats>) -> io::Result<Running> {
    for arm in arms.iter_mut() {
        // On this thread, since the loop's may have real-time priority.
        arm.arming = Arming::Thread(ArmingThread::start()?);
        arm.separate();
    }
    let callers = arms.iter().filter(|arm| arm.drive() == Some(Drive::VendorCallback)).count();
    if callers > 1 {
        return Err(io::Error::other(
            "both devices have a vendor's thread that wants to call the loop: only one of them can",
        ));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let (told, asked) = mpsc::channel();
    let (stopping, counting) = (Arc::clone(&stop), Arc::clone(&stats));
    let thread = std::thread::Builder::new().name("stiction-servo".into()).spawn(move || {
        let granted = settings.priority.map_or_else(
            || Granted { priority: Err("not asked for".into()), locked: Err("not asked for".into()) },
            realtime::acquire,
        );
        // Whoever started this may be gone already.
        let _ = told.send(granted);
        if callers == 1 {
            arms = called(arms, settings.period(), &stopping, counting);
        } else {
            cycles(&mut arms, settings.period(), &stopping, &counting);
        }
        arms.iter_mut().for_each(Arm::disarm);
        arms
    })?;
    let granted = asked.recv().map_err(|_| io::Error::other("the servo thread ended at once"))?;
    Ok(Running { thread: Some(thread), stop, stats, granted })
}

fn cycles(arms: &mut Arms, period: u64, stop: &AtomicBool, stats: &Stats) {
    let mut deadline = realtime::now() + period;
    let mut last = None;
    while !stop.load(Relaxed) {
        realtime::sleep_until(deadline);
        let now = realtime::now();
        let late = now.saturating_sub(deadline);
        let begun = realtime::thread_time();
        arms.once(now, late);
        stats.compute.add(realtime::thread_time().saturating_sub(begun));
        stats.late.add(late);
        if let Some(last) = last {
            stats.period.add(now.saturating_sub(last));
        }
        last = Some(now);
        deadline += period;
        let behind = realtime::now().saturating_sub(deadline) / period;
        if behind > 0 {
            stats.skipped.store(stats.skipped.load(Relaxed) + behind, Relaxed);
            deadline += behind * period;
        }
    }
}

/// So many periods without a call, and the loop's own thread makes the cycles.
const STANDBY: u64 = 2;

/// Cycles that two threads may make: the vendor's, and the loop's own where the vendor's does not call.
struct Calls {
    /// None after the end. Nobody waits for it in a cycle: who finds it taken leaves, since the other is at work.
    arms: Mutex<Option<Arms>>,
    period: u64,
    /// Start of the last cycle (ns).
    last: AtomicU64,
    stats: Arc<Stats>,
}

impl Calls {
    fn cycle(&self) {
        let Ok(mut arms) = self.arms.try_lock() else { return };
        let Some(arms) = arms.as_mut() else { return };
        let (now, last) = (realtime::now(), self.last.load(Relaxed));
        // Limits are by the cycle: a vendor's thread that is too fast must not make them looser.
        if now < last + self.period / 2 {
            return;
        }
        let late = now.saturating_sub(last + self.period);
        let begun = realtime::thread_time();
        arms.once(now, late);
        self.stats.compute.add(realtime::thread_time().saturating_sub(begun));
        self.stats.late.add(late);
        self.stats.period.add(now.saturating_sub(last));
        self.stats.skipped.store(self.stats.skipped.load(Relaxed) + late / self.period, Relaxed);
        self.last.store(now, Relaxed);
    }
}

/// Has a vendor's thread make the cycles, and stands by until the end.
fn called(mut arms: Arms, period: u64, stop: &AtomicBool, stats: Arc<Stats>) -> Arms {
    let now = realtime::now();
    let calls = Arc::new(Calls { arms: Mutex::new(None), period, last: AtomicU64::new(now), stats });
    for device in arms.iter_mut().filter_map(|arm| arm.device.as_mut()) {
        if device.caps().drive == Drive::VendorCallback {
            let calls = Arc::clone(&calls);
            device.on_call(Arc::new(move || calls.cycle()));
        }
    }
    let taken = || calls.arms.lock().unwrap_or_else(PoisonError::into_inner);
    *taken() = Some(arms);
    let mut deadline = now + period;
    while !stop.load(Relaxed) {
        realtime::sleep_until(deadline);
        let now = realtime::now();
        if now.saturating_sub(calls.last.load(Relaxed)) > STANDBY * period {
            calls.cycle();
        }
        deadline = (deadline + period).max(now);
    }
    // Waits for the cycle at work. From here on calls find nothing to do.
    let arms = taken().take();
    arms.unwrap_or_else(|| Arms { arms: Vec::new(), meet: false })
}

impl Running {
    /// How it does.
    pub fn stats(&self) -> &Arc<Stats> {
        &self.stats
    }

    /// What the system granted.
    pub fn granted(&self) -> &Granted {
        &self.granted
    }

    /// Whether every arm ended, or the thread did.
    pub fn ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Stops after the cycle at work, disarms, and gives the arms back; none if the thread panicked.
    pub fn stop(mut self) -> Option<Arms> {
        self.stop.store(true, Relaxed);
        self.thread.take().and_then(|thread| thread.join().ok())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Cycles on a virtual clock, as fast as they go, until `each` says false. It sees every cycle and may say how late the next one is (ns).
pub fn run_virtual(arms: &mut Arms, period: u64, mut each: impl FnMut(&Arms, &mut u64) -> bool) {
    for arm in arms.iter_mut().filter(|arm| !arm.arming.is_possible()) {
        arm.arming = Arming::Virtual { cycles: 0, away: None };
    }
    let (mut now, mut late) = (period, 0);
    loop {
        arms.once(now + late, late);
        late = 0;
        if !each(arms, &mut late) {
            return;
        }
        now += period;
    }
}
