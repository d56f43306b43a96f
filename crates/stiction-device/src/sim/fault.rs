//! Faults to inject: what devices, cables and people do wrong.

use super::params::SimError;
use crate::device::{Alarms, DeviceState};
use stiction::named;
use stiction::spatial::{self, Rotation, Vec3};

/// How many faults may be injected at once.
pub const FAULTS: usize = 16;

named! {
    /// Something that goes wrong with a simulated device.
    #[derive(Hash)]
    pub enum SimFault {
        /// A coordinate is no number.
        NanPosition = "position is no number",
        /// A coordinate is infinite.
        InfinitePosition = "position is infinite",
        /// The quaternion is no number.
        NanRotation = "quaternion is no number",
        /// The quaternion is zero.
        ZeroRotation = "quaternion is zero",
        /// The position is off by [`JUMP`].
        PositionJump = "position jumps",
        /// The rotation is off by [`JUMP_RAD`].
        RotationJump = "rotation jumps",
        /// The same measurement over and over.
        Frozen = "measurement frozen",
        /// Time runs backwards.
        ReversedTime = "time stamps reversed",
        /// Time stands still while measurements go on.
        RepeatedTime = "time stamps repeated",
        /// Time is [`FUTURE`] ahead.
        FutureTime = "time stamps in the future",
        /// Gone, noticed by a read.
        GoneOnRead = "disconnected on read",
        /// Gone, noticed by a write.
        GoneOnWrite = "disconnected on write",
        /// A read takes too long. Still armed.
        TimeoutOnRead = "timeout on read",
        /// A read brings rubbish. Still armed.
        GarbledRead = "garbled read",
        /// Gone when it is armed.
        GoneAtArm = "disconnected at arm",
        /// In use by others when it is armed.
        BusyAtArm = "busy at arm",
        /// Complains of too much force.
        SaturatedAlarm = "saturation alarm",
        /// Complains of hot motors.
        HotAlarm = "hot alarm",
        /// Complains of a failure.
        FailureAlarm = "failure alarm",
        /// Complains of too much speed.
        OverspeedAlarm = "overspeed alarm",
        /// The dead-man switch is let go: no force.
        LostHand = "dead-man switch lost",
        /// The emergency stop is pressed: no force.
        EmergencyStop = "emergency stop",
        /// The motors have no power: no force.
        PowerLoss = "power lost",
        /// The device's clutch is held.
        Clutched = "clutch pressed",
        /// All buttons are pressed.
        ButtonsStuck = "buttons stuck",
        /// Half of the wrench is rendered, and it says so.
        HalfApplied = "half the wrench applied",
        /// Nothing is rendered, and it says so; what it reads does not tell why.
        Inhibited = "inhibited",
        /// x reads the same for ever.
        StuckEncoder = "encoder stuck",
        /// x drifts by [`DRIFT`] a tick.
        EncoderDrift = "encoder drifts",
        /// The x motor pushes the other way, and nothing says so.
        FlippedMotor = "motor reversed",
        /// Every measurement comes twice: every second read is the last one again.
        DoubleReading = "every reading twice",
        /// Writes are lost, and nothing says so: the last wrench stays.
        DroppedWrites = "writes dropped",
    }
}

/// A jump of the position (m), along y.
pub const JUMP: f64 = 0.05;
/// A jump of the rotation (rad), about y.
pub const JUMP_RAD: f64 = 1.0;
/// How far in the future a time stamp can be (ns): an hour.
pub const FUTURE: u64 = 3_600_000_000_000;
/// Drift of an encoder in a tick (m).
pub const DRIFT: f64 = 1e-5;

/// A fault, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Injection {
    fault: SimFault,
    start: u64,
    ticks: u64,
    /// The first measurement in that time.
    first: Option<DeviceState>,
}

/// Faults to come, present and past.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    list: [Option<Injection>; FAULTS],
}

impl Faults {
    /// Adds one: from tick `start` on, for some ticks.
    ///
    /// # Errors
    /// [`SimError::Faults`] where there are [`FAULTS`] already.
    pub fn add(&mut self, fault: SimFault, start: u64, ticks: u64) -> Result<(), SimError> {
        let slot = self.list.iter_mut().find(|slot| slot.is_none()).ok_or(SimError::Faults(FAULTS))?;
        *slot = Some(Injection { fault, start, ticks, first: None });
        Ok(())
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.list = [None; FAULTS];
    }

    /// Whether a fault is there in a tick.
    pub fn has(&self, fault: SimFault, tick: u64) -> bool {
        self.list.iter().flatten().any(|i| i.fault == fault && i.is_on(tick))
    }

    /// Whether one of these is.
    pub fn any(&self, faults: &[SimFault], tick: u64) -> bool {
        faults.iter().any(|fault| self.has(*fault, tick))
    }

    /// What is told in place of a measurement, given what was told last.
    pub fn told(&mut self, measured: DeviceState, last: Option<&DeviceState>, tick: u64) -> DeviceState {
        let mut told = measured;
        for injection in self.list.iter_mut().flatten().filter(|i| i.is_on(tick)) {
            let first = *injection.first.get_or_insert(measured);
            let since = tick - injection.start;
            injection.fault.corrupt(&mut told, &first, last, since);
        }
        told
    }
}

impl Injection {
    fn is_on(&self, tick: u64) -> bool {
        tick >= self.start && tick - self.start < self.ticks
    }
}

impl SimFault {
    fn corrupt(self, told: &mut DeviceState, first: &DeviceState, last: Option<&DeviceState>, since: u64) {
        let position = &mut told.pose.translation.vector;
        let quaternion = |w: f64| Rotation::new_unchecked(nalgebra::Quaternion::new(w, 0.0, 0.0, 0.0));
        match self {
            SimFault::NanPosition => position.x = f64::NAN,
            SimFault::InfinitePosition => position.y = f64::INFINITY,
            SimFault::NanRotation => told.pose.rotation = quaternion(f64::NAN),
            SimFault::ZeroRotation => told.pose.rotation = quaternion(0.0),
            SimFault::PositionJump => position.y += JUMP,
            SimFault::RotationJump => {
                told.pose.rotation = spatial::exp(&Vec3::new(0.0, JUMP_RAD, 0.0)) * told.pose.rotation;
            }
            SimFault::Frozen => *told = *last.unwrap_or(first),
            SimFault::ReversedTime => told.time = first.time.saturating_sub(told.time.saturating_sub(first.time)),
            SimFault::RepeatedTime => told.time = first.time,
            SimFault::FutureTime => told.time = told.time.saturating_add(FUTURE),
            SimFault::SaturatedAlarm => told.alarms.0 |= Alarms::SATURATED.0,
            SimFault::HotAlarm => told.alarms.0 |= Alarms::HOT.0,
            SimFault::FailureAlarm => told.alarms.0 |= Alarms::FAILURE.0,
            SimFault::OverspeedAlarm => told.alarms.0 |= Alarms::OVERSPEED.0,
            SimFault::LostHand => told.enable.hand = false,
            SimFault::EmergencyStop => told.enable.estop_ok = false,
            SimFault::PowerLoss => told.enable.powered = false,
            SimFault::Clutched => told.enable.clutched = true,
            SimFault::ButtonsStuck => told.buttons = u32::MAX,
            SimFault::StuckEncoder => position.x = first.pose.translation.vector.x,
            SimFault::EncoderDrift => position.x += DRIFT * since as f64,
            SimFault::DoubleReading if since % 2 == 1 => *told = *last.unwrap_or(first),
            // These act elsewhere.
            SimFault::DoubleReading
            | SimFault::GoneOnRead
            | SimFault::GoneOnWrite
            | SimFault::TimeoutOnRead
            | SimFault::GarbledRead
            | SimFault::GoneAtArm
            | SimFault::BusyAtArm
            | SimFault::HalfApplied
            | SimFault::Inhibited
            | SimFault::FlippedMotor
            | SimFault::DroppedWrites => {}
        }
    }
}
