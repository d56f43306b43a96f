//! The simulated device, the default: a handle with mass, damping and friction, in a hand, behind encoders and motors that are not perfect.
//!
//! ```text
//! intend ─▶ hand ─spring, damper─▶ handle ─▶ encoders, jitter ─▶ read
//!                                  ▲  mass, damping, friction
//!                                  └─ lag ◀─ saturation, delay ◀─ write
//! ```
//!
//! Time passes only in [`SimDevice::step`]: on a virtual clock the loop reads, writes, says what the hand intends and steps by one period, as
//! fast as it can; in real time it steps by the time that has passed. The same calls give the same bits everywhere. Its motion has no
//! error of integration: see [`wall`], where that is tested.
//!
//! Left out: the heat of motors ([`SimFault::HotAlarm`] only), stops at the end of the workspace, gravity (taken as compensated), inertia and friction that change
//! with the pose.

mod chain;
mod fault;
mod flow;
mod hand;
mod handle;
mod kinds;
mod paced;
mod params;
#[cfg(test)]
mod tests;
pub mod wall;

pub use fault::{DRIFT, FAULTS, FUTURE, Faults, JUMP, JUMP_RAD, SimFault};
pub use hand::{Grip, SimHand};
pub use kinds::{CallbackDevice, RequestReplyDevice};
pub use paced::PacedDevice;
pub use params::{Chain, Handle, SimError, SimParams};

use crate::device::{Alarms, Applied, Caps, Device, DeviceError, DeviceState, Enable};
use crate::envelope::SafeWrench;
use chain::{Delay, Random};
use handle::Body;
use stiction::spatial::{Pose, Vec6};

/// Longest time that one call of [`SimDevice::step`] can take (s).
pub const LONGEST: f64 = 1.0;

/// A simulated device.
#[derive(Clone, Debug)]
pub struct SimDevice {
    params: SimParams,
    caps: Caps,
    body: Body,
    random: Random,
    delay: Delay,
    faults: Faults,
    armed: bool,
    /// The wrench that the motors are commanded to render.
    command: Vec6,
    /// What pushes the handle besides motors and hand.
    push: Vec6,
    buttons: u32,
    alarms: Alarms,
    /// Time (ns), and what rounding left of it.
    nanos: u64,
    rest: f64,
    tick: u64,
    /// Since the last write (s).
    unwritten: f64,
    measured: DeviceState,
    told: Option<DeviceState>,
}

impl SimDevice {
    /// A device at rest at its home, not armed.
    ///
    /// # Errors
    /// [`SimError::Value`] where a value is out of its range.
    pub fn new(params: SimParams) -> Result<Self, SimError> {
        params.check()?;
        let body = Body::new(params.handle, params.chain.lag, params.hand, params.home);
        let mut device = SimDevice {
            caps: params.caps(),
            body,
            random: Random::new(params.chain.seed),
            delay: Delay::default(),
            faults: Faults::default(),
            armed: false,
            command: Vec6::zeros(),
            push: Vec6::zeros(),
            buttons: 0,
            alarms: Alarms::default(),
            nanos: 0,
            rest: 0.0,
            tick: 0,
            unwritten: 0.0,
            measured: DeviceState::still(),
            told: None,
            params,
        };
        device.measure(0.0);
        Ok(device)
    }

    /// What it was made of.
    pub fn params(&self) -> &SimParams {
        &self.params
    }

    /// Where the hand wants the handle at the end of the next step, in the device's axes; it goes there at constant velocity. A pose that is not finite
    /// changes nothing.
    pub fn intend(&mut self, pose: &Pose) {
        if pose.translation.vector.iter().chain(pose.rotation.coords.iter()).all(|x| x.is_finite()) {
            self.body.intent = *pose;
        }
    }

    /// Holds the handle differently from now on. A hand comes with the velocity that the handle has, and pulls at once to where it intends to be: see
    /// [`SimDevice::intend`].
    ///
    /// # Errors
    /// [`SimError::Value`] where a value is out of its range.
    pub fn hold(&mut self, hand: SimHand) -> Result<(), SimError> {
        if !hand.grip().is_none_or(|grip| grip.is_sound()) {
            return Err(SimError::Value("hand", "finite and not negative"));
        }
        self.body.hand = hand;
        Ok(())
    }

    /// Puts the handle somewhere, at rest, and the hand's intent with it.
    pub fn place(&mut self, pose: &Pose) {
        self.body.place(*pose);
        self.measure(0.0);
    }

    /// Gives the handle a velocity (m/s, rad/s).
    pub fn kick(&mut self, twist: &Vec6) {
        self.body.kick(*twist);
    }

    /// Pushes the handle with a constant wrench from outside, besides motors and hand: a weight, an elbow. Until the next call.
    pub fn push(&mut self, wrench: &Vec6) {
        self.push = *wrench;
    }

    /// Holds buttons, one bit each.
    pub fn press(&mut self, buttons: u32) {
        self.buttons = buttons;
    }

    /// Injects a fault from tick `start` on for some ticks. Tick k is from the k-th call of [`SimDevice::step`] to the next: see [`SimDevice::tick`].
    ///
    /// # Errors
    /// [`SimError::Faults`] where there are [`FAULTS`] already.
    pub fn inject(&mut self, fault: SimFault, start: u64, ticks: u64) -> Result<(), SimError> {
        self.faults.add(fault, start, ticks)
    }

    /// Takes all faults away.
    pub fn heal(&mut self) {
        self.faults.clear();
    }

    /// Where the handle truly is.
    pub fn pose(&self) -> &Pose {
        &self.body.pose
    }

    /// How it truly moves (m/s, rad/s).
    pub fn twist(&self) -> &Vec6 {
        &self.body.twist
    }

    /// What the motors truly do at this moment (N, N m).
    pub fn acting(&self) -> &Vec6 {
        &self.body.force
    }

    /// Its clock (ns).
    pub fn now(&self) -> u64 {
        self.nanos
    }

    /// How often it was stepped.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Lets time pass, under the wrench written last. At most [`LONGEST`]; a time that is not positive changes nothing. Allocates nothing.
    pub fn step(&mut self, seconds: f64) {
        if !(seconds > 0.0) {
            return;
        }
        let seconds = seconds.min(LONGEST);
        let watchdog = self.params.chain.watchdog;
        if !self.enabled() || (watchdog > 0.0 && self.unwritten >= watchdog) {
            self.quiet();
        }
        let mut command = self.command;
        if self.faults.has(SimFault::FlippedMotor, self.tick) {
            command[0] = -command[0];
        }
        self.body.advance(seconds, &command, &self.push);
        self.unwritten += seconds;
        self.rest += seconds * 1e9;
        let whole = libm::floor(self.rest);
        self.rest -= whole;
        self.nanos = self.nanos.saturating_add(whole as u64);
        self.tick += 1;
        self.measure(seconds);
    }

    /// Takes a measurement, within the last `seconds`.
    fn measure(&mut self, seconds: f64) {
        let jitter = self.params.chain.jitter;
        let age = if jitter > 0.0 { (self.random.unit() * jitter).min(0.999 * seconds) } else { 0.0 };
        let pose = chain::earlier(&self.body.pose, &self.body.twist, age);
        let twist = if self.params.chain.velocity { self.params.sensed.of(&self.body.twist) } else { Vec6::zeros() };
        self.measured = DeviceState {
            time: self.nanos.saturating_sub((age * 1e9) as u64),
            sequence: self.measured.sequence + 1,
            pose: chain::encoded(&pose, &self.params),
            twist,
            buttons: self.buttons,
            enable: Enable { hand: self.held(), ..Enable::YES },
            alarms: self.alarms,
        };
    }

    /// What the dead-man switch tells.
    fn held(&self) -> bool {
        !self.params.dead_man || self.body.hand != SimHand::Released
    }

    /// Whether motors may push.
    fn enabled(&self) -> bool {
        let cut = [SimFault::LostHand, SimFault::EmergencyStop, SimFault::PowerLoss, SimFault::Inhibited];
        self.armed && self.held() && !self.faults.any(&cut, self.tick)
    }

    /// No force, at once: also none of the current's lag, as where a relay cuts it.
    fn quiet(&mut self) {
        self.command = Vec6::zeros();
        self.body.force = Vec6::zeros();
        self.delay.clear();
    }

    fn lost(&mut self) -> DeviceError {
        self.disarm();
        DeviceError::Gone
    }

    /// Renders a wrench. Private: only what has passed the envelope, and the bare wall of the simulator's own test, comes here.
    fn render(&mut self, wrench: &Vec6) -> Applied {
        if self.faults.has(SimFault::DroppedWrites, self.tick) {
            return Applied::Full;
        }
        self.unwritten = 0.0;
        if !self.enabled() {
            self.quiet();
            return Applied::Inhibited;
        }
        let mut done = chain::saturated(wrench, &self.params);
        let full = done == *wrench;
        self.alarms = if full { Alarms::default() } else { Alarms::SATURATED };
        let half = self.faults.has(SimFault::HalfApplied, self.tick);
        if half {
            done *= 0.5;
        }
        self.command = self.delay.push(done, &self.params.chain);
        if full && !half { Applied::Full } else { Applied::Saturated(done) }
    }
}

impl Device for SimDevice {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn arm(&mut self) -> Result<(), DeviceError> {
        self.disarm();
        if self.faults.any(&[SimFault::GoneAtArm, SimFault::GoneOnRead, SimFault::GoneOnWrite], self.tick) {
            return Err(DeviceError::Gone);
        }
        if self.faults.has(SimFault::BusyAtArm, self.tick) {
            return Err(DeviceError::Busy);
        }
        if self.faults.has(SimFault::EmergencyStop, self.tick) {
            return Err(DeviceError::Stopped);
        }
        self.armed = true;
        self.unwritten = 0.0;
        self.alarms = Alarms::default();
        Ok(())
    }

    fn read(&mut self) -> Result<DeviceState, DeviceError> {
        if self.faults.has(SimFault::GoneOnRead, self.tick) {
            return Err(self.lost());
        }
        if !self.armed {
            return Err(DeviceError::NotArmed);
        }
        if self.faults.has(SimFault::TimeoutOnRead, self.tick) {
            return Err(DeviceError::Timeout);
        }
        if self.faults.has(SimFault::GarbledRead, self.tick) {
            return Err(DeviceError::Garbled);
        }
        let told = self.faults.told(self.measured, self.told.as_ref(), self.tick);
        self.told = Some(told);
        Ok(told)
    }

    fn write(&mut self, wrench: &SafeWrench) -> Result<Applied, DeviceError> {
        if self.faults.has(SimFault::GoneOnWrite, self.tick) {
            return Err(self.lost());
        }
        if !self.armed {
            return Err(DeviceError::NotArmed);
        }
        Ok(self.render(wrench.wrench()))
    }

    fn disarm(&mut self) {
        self.armed = false;
        self.quiet();
    }
}
