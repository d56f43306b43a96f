//! The servo loop: cycles at absolute deadlines on a thread of its own, or as fast as they go on a virtual clock.
//!
//! [`Arms`] are the devices of a servo. [`Arms::once`] is a whole cycle, on the caller's thread. [`start`] drives a device as its [`Drive`] says: polled at the loop's own deadlines; read on
//! a thread of its own where it answers requests ([`crate::exchange`]); or by the calls of a vendor's thread. In that last case the loop's thread stands by: if no call
//! has come for two periods, it makes the cycles itself, so that force fades, people are told, the device can be armed again, and the other hand goes on. Nothing in a
//! cycle allocates, waits or prints: poses, wrenches and traces leave through a triple buffer ([`crate::handover`]) and an optional [`CycleSink`].

use crate::arming::{self, Arming, ArmingThread};
use crate::device::{Applied, Device, DeviceError, DeviceState, Drive};
use crate::envelope::SafeWrench;
use crate::exchange::Exchange;
use crate::handover::{Latest, Publisher, latest};
use crate::periodic::{self, Periodic, PeriodicThread, Stats};
use crate::realtime;
use crate::servo::{Commands, Servo, ServoInput, ServoOutput};
use crate::vendor_calls;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use stiction::spatial::Vec6;

/// Inputs and results of one cycle of an arm, as they leave the loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapshot {
    /// Which arm, from 0.
    pub arm: u8,
    /// Cycles of this arm before this one.
    pub cycle: u64,
    /// Inputs of the cycle.
    pub input: ServoInput,
    /// Results of the cycle.
    pub output: ServoOutput,
    /// How much of the wrench the device rendered, or the error of writing.
    pub applied: Result<Applied, DeviceError>,
    /// CPU time of the engine's tick, of all hands together (ns).
    pub compute: u64,
    /// CPU time of the whole cycle up to here: reading, the tick, writing (ns).
    pub duration: u64,
}

/// Receives every cycle inside the loop, for example to record it. It must not allocate, wait, print or panic.
pub trait CycleSink: Send {
    /// Receives one cycle.
    fn put(&mut self, snapshot: &Snapshot);
}

/// One device of a servo.
pub struct Arm {
    /// The device; `None` while it is being armed.
    device: Option<Box<dyn Device>>,
    arming: Arming,
    /// The device goes to be armed in the next cycle; it goes in this one.
    gives: bool,
    giving: bool,
    /// The device is on a thread of its own.
    separate: bool,
    /// The error of the last attempt to arm the device again.
    refused: Option<DeviceError>,
    commands: Latest<Commands>,
    publisher: Publisher<Snapshot>,
    sink: Option<Box<dyn CycleSink>>,
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

/// The application's handle to an arm: commands in, snapshots out.
pub struct ArmHandle {
    /// Commands to the arm.
    pub commands: Publisher<Commands>,
    /// The newest snapshot of the arm.
    pub snapshots: Latest<Snapshot>,
}

impl Arm {
    /// An arm for the port of this number of a servo. Its device must be armed. By itself an arm never arms a lost device again: [`start`] and [`run_virtual`] see to that.
    pub fn new(
        number: u8,
        servo: &Servo,
        device: Box<dyn Device>,
        sink: Option<Box<dyn CycleSink>>,
    ) -> (Arm, ArmHandle) {
        let input = ServoInput { read: Err(DeviceError::NotArmed), ..ServoInput::missing(0, 0) };
        let output = servo.outputs()[usize::from(number)];
        let (applied, compute, duration) = (Ok(Applied::Full), 0, 0);
        let snapshot = Snapshot { arm: number, cycle: 0, input, output, applied, compute, duration };
        let (publisher, snapshots) = latest(snapshot);
        let (command, commands) = latest(Commands::default());
        let arm = Arm {
            device: Some(device),
            arming: Arming::Never,
            gives: false,
            giving: false,
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
        (arm, ArmHandle { commands: command, snapshots })
    }

    /// The same with a load that comes and goes with time, besides that of the [`Commands`].
    #[must_use]
    pub fn with_loads(mut self, loads: Loads) -> Arm {
        self.loads = Some(loads);
        self
    }

    /// Arms a lost device again between two cycles of a virtual clock; the device is then away for this many cycles.
    pub fn arm_virtually(&mut self, cycles: u32) {
        self.arming = Arming::Virtual { cycles, away: None };
    }

    /// The device; `None` while it is being armed.
    pub fn device(&self) -> Option<&dyn Device> {
        self.device.as_deref()
    }

    /// The device, before the loop starts or after it ended; `None` if it was being armed when it ended.
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

    /// Does something; a panic in it ends the arm, not the program: its device is disarmed.
    fn guarded<T>(&mut self, what: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.dead {
            return None;
        }
        let done = catch_unwind(AssertUnwindSafe(|| what(self)));
        if done.is_err() {
            self.dead = true;
            self.disarm();
        }
        done.ok()
    }

    /// Reads the device: the first half of a cycle.
    fn begin(&mut self, now: u64, late: u64) -> ServoInput {
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
        self.giving = std::mem::take(&mut self.gives);
        let read = if self.giving { Err(DeviceError::Arming) } else { self.read() };
        let asked = commands.rearm != self.rearmed;
        self.rearmed = commands.rearm;
        let failed = read.is_err() || wrote.is_err();
        self.gives = asked && failed && !self.giving && self.device.is_some() && self.arming.is_possible();
        ServoInput { now, late, read, wrote, commands }
    }

    /// Writes to the device and tells what was done: the second half of a cycle that began at `begun` by the thread's CPU time, and whose tick took `compute` (ns).
    fn end(&mut self, input: &ServoInput, output: &ServoOutput, [begun, compute]: [u64; 2]) {
        // A cycle in which writing panicked is told all the same, since the engine had its input.
        let applied = self.guarded(|arm| match &mut arm.device {
            Some(device) if arm.refused.is_none() => device.write(&output.sent),
            _ => Ok(Applied::Inhibited),
        });
        let applied = applied.unwrap_or(Err(DeviceError::Gone));
        if std::mem::take(&mut self.giving)
            && let Some(device) = self.device.take()
        {
            self.arming.give(device);
        }
        let s = &mut self.snapshot;
        (s.input, s.output, s.applied, s.compute) = (*input, *output, applied, compute);
        s.duration = realtime::thread_time().saturating_sub(begun);
        self.publisher.publish(s);
        if let Some(sink) = &mut self.sink {
            sink.put(s);
        }
        s.cycle += 1;
    }

    /// How the device is driven; `None` while it is being armed.
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
    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        match (&mut self.device, self.refused) {
            (None, _) => Err(DeviceError::Arming),
            (_, Some(refused)) => Err(refused),
            (Some(device), None) => device.read(),
        }
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

/// A servo and an arm for each of its ports.
pub struct Arms {
    servo: Servo,
    arms: Vec<Arm>,
    inputs: Vec<ServoInput>,
    /// The period of a cycle (ns).
    period: u64,
}

impl Arms {
    /// A servo with its arms, in the order of its ports.
    pub fn new(servo: Servo, arms: Vec<Arm>) -> Self {
        let inputs = vec![ServoInput::missing(0, 0); arms.len()];
        // Whole nanoseconds, whichever way 1/rate was rounded.
        let period = (1e9 * servo.period() + 1e-3) as u64;
        Arms { servo, arms, inputs, period }
    }

    /// One cycle: reads every device, ticks the engine once, writes to every device. A panic of a device ends its arm only.
    pub fn once(&mut self, now: u64, late: u64) {
        let begun = realtime::thread_time();
        for (arm, input) in self.arms.iter_mut().zip(&mut self.inputs) {
            *input = arm.guarded(|arm| arm.begin(now, late)).unwrap_or(ServoInput::missing(now, late));
        }
        let ticking = realtime::thread_time();
        let outputs = self.servo.cycle(&self.inputs);
        let compute = realtime::thread_time().saturating_sub(ticking);
        for (arm, (input, output)) in self.arms.iter_mut().zip(self.inputs.iter().zip(outputs)) {
            if !arm.dead {
                arm.end(input, output, [begun, compute]);
            }
        }
    }

    /// The servo.
    pub fn servo(&self) -> &Servo {
        &self.servo
    }

    /// The engine goes on from where that of other arms is, with what contacts remember there.
    pub fn go_on_from(&mut self, other: &Arms) {
        self.servo.go_on_from(&other.servo);
    }

    /// The arms, in the order of the servo's ports.
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// Each arm.
    pub fn iter(&self) -> impl Iterator<Item = &Arm> {
        self.arms.iter()
    }

    /// Each arm.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Arm> {
        self.arms.iter_mut()
    }
}

impl Periodic for Arms {
    fn period(&self) -> u64 {
        self.period
    }

    fn cycle(&mut self, now: u64, late: u64) -> bool {
        self.once(now, late);
        true
    }
}

/// A servo loop at work.
pub type Running = PeriodicThread<Arms>;

/// Starts a thread that cycles at absolute deadlines until it is stopped, or that stands by while a vendor's thread calls, with first-in-first-out `priority` (1 to 99) if it is
/// given. Devices must be armed; lost ones are armed again on command ([`Commands::rearm`]), each on a thread of its own, while the loop goes on.
///
/// # Errors
/// If the system makes no thread, or if two devices each have a vendor's thread that wants to call.
pub fn start(arms: Arms, priority: Option<i32>) -> io::Result<Running> {
    start_counting(arms, priority, Arc::new(Stats::default()))
}

/// The same, adding to statistics of earlier loops.
///
/// # Errors
/// As [`start`].
pub fn start_counting(mut arms: Arms, priority: Option<i32>, stats: Arc<Stats>) -> io::Result<Running> {
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
    PeriodicThread::start("stiction-servo", priority, stats, move |stop, stats| {
        if callers == 1 {
            arms = vendor_calls::run(arms, stop, Arc::clone(stats));
        } else {
            periodic::run(&mut arms, stop, stats);
        }
        arms.iter_mut().for_each(Arm::disarm);
        arms
    })
}

/// Cycles on a virtual clock, as fast as they go, until `each` says false. It sees every cycle and may say how late the next one is (ns).
pub fn run_virtual(arms: &mut Arms, mut each: impl FnMut(&Arms, &mut u64) -> bool) {
    for arm in arms.iter_mut().filter(|arm| !arm.arming.is_possible()) {
        arm.arming = Arming::Virtual { cycles: 0, away: None };
    }
    let period = arms.period;
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
