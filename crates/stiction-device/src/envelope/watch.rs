//! What is wrong in a cycle, and how the handle moved: from what the loop saw and what the engine answered.

use super::Observation;
use super::limits::Limits;
use super::report::{EnvelopeReport, Fault, Intervention};
use crate::device::{Alarms, DeviceState, Enable};
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, join, log};

/// Positions beyond this are none (m).
const FAR: f64 = 1e3;
/// How far from 1 the length of a quaternion may be.
const UNIT: f64 = 1e-3;
/// Rounding of sums of times (s).
const TINY: f64 = 1e-9;

/// A set of faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found(u16);

impl Found {
    pub fn add(&mut self, fault: Fault, is: bool) {
        self.0 |= u16::from(is) << fault as u16;
    }

    pub fn has(self, fault: Fault) -> bool {
        self.0 >> fault as u16 & 1 == 1
    }

    pub fn without(self, fault: Fault) -> Self {
        Found(self.0 & !(1 << fault as u16))
    }

    pub fn iter(self) -> impl Iterator<Item = Fault> {
        Fault::ALL.into_iter().filter(move |f| self.has(*f))
    }

    /// Those that were not there before.
    pub fn since(self, before: Found) -> Self {
        Found(self.0 & !before.0)
    }
}

/// What a measurement says about motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Motion {
    /// No new measurement.
    Unknown,
    /// The handle moved by this since the last one.
    Step(Vec6),
    /// The first one, or one that does not go with the last.
    Anew,
}

/// What it remembers between cycles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    now: Option<u64>,
    sequence: Option<u64>,
    /// Time stamp and pose of the last good measurement.
    last: Option<(u64, Vec3, Rotation)>,
    /// The newest measurement was a bad one.
    bad_pose: bool,
    /// Since the last good measurement (s).
    waited: f64,
    enable: Enable,
    alarms: Alarms,
    /// Answers in a row that were not finite.
    bad_answers: u32,
}

impl Watch {
    pub fn new() -> Self {
        Watch {
            now: None,
            sequence: None,
            last: None,
            bad_pose: false,
            waited: 0.0,
            enable: Enable::YES,
            alarms: Alarms::default(),
            bad_answers: 0,
        }
    }

    /// Whether there ever was a good measurement.
    pub fn measured(&self) -> bool {
        self.last.is_some()
    }

    pub fn hot(&self) -> bool {
        self.alarms.has(Alarms::HOT)
    }

    /// Looks at a cycle.
    pub fn look(
        &mut self,
        limits: &Limits,
        period: f64,
        asked: Option<&Vec6>,
        seen: &Observation,
        report: &mut EnvelopeReport,
    ) -> (Found, Motion) {
        let mut found = Found::default();
        self.answer(limits, asked, &mut found);
        self.clock(limits, period, seen, &mut found);
        report.count(Intervention::CycleLate, seen.late > period);
        if seen.arming {
            // It may be anywhere when it comes back, and says anew whether it is well.
            *self = Watch { now: self.now, bad_answers: self.bad_answers, ..Watch::new() };
            found.add(Fault::NotArmed, true);
        }
        let motion = match seen.state.as_ref().filter(|_| !seen.arming) {
            Some(state) => {
                self.enable = state.enable;
                self.alarms = state.alarms;
                self.measurement(limits, period, state, &mut found)
            }
            None => Motion::Unknown,
        };
        report.count(Intervention::MeasurementRepeated, motion == Motion::Unknown);
        found.add(Fault::BadPose, self.bad_pose);
        found.add(Fault::Stale, self.last.is_some() && self.waited > limits.stale + TINY);
        found.add(Fault::EmergencyStop, !self.enable.estop_ok);
        found.add(Fault::Unpowered, !self.enable.powered);
        found.add(Fault::NoHand, !self.enable.hand);
        found.add(Fault::DeviceFailure, self.alarms.has(Alarms::FAILURE));
        found.add(Fault::OverSpeed, self.alarms.has(Alarms::OVERSPEED));
        (found, motion)
    }

    fn answer(&mut self, limits: &Limits, asked: Option<&Vec6>, found: &mut Found) {
        let Some(asked) = asked else {
            found.add(Fault::NoAnswer, true);
            return;
        };
        let bad = !asked.iter().all(|x| x.is_finite());
        self.bad_answers = if bad { self.bad_answers.saturating_add(1) } else { 0 };
        found.add(Fault::BadAnswer, bad);
        found.add(Fault::BrokenEngine, self.bad_answers >= limits.bad_answers);
    }

    fn clock(&mut self, limits: &Limits, period: f64, seen: &Observation, found: &mut Found) {
        let before = self.now.replace(seen.now);
        found.add(Fault::ClockReversed, before.is_some_and(|b| seen.now < b));
        let elapsed = before.map_or(0.0, |b| seen.now.saturating_sub(b) as f64 * 1e-9);
        self.waited += period.max(elapsed);
        let late = !(seen.late <= limits.late) || elapsed > period + limits.late + TINY;
        found.add(Fault::MissedDeadline, late);
    }

    fn measurement(&mut self, limits: &Limits, period: f64, state: &DeviceState, found: &mut Found) -> Motion {
        if self.sequence.replace(state.sequence) == Some(state.sequence) {
            return Motion::Unknown;
        }
        self.bad_pose = !(is_good(&state.pose) && state.twist.iter().all(|x| x.is_finite()));
        if self.bad_pose {
            return Motion::Unknown;
        }
        let (place, rotation) =
            (state.pose.translation.vector, Rotation::new_normalize(*state.pose.rotation.quaternion()));
        let before = self.last.replace((state.time, place, rotation));
        let waited = std::mem::take(&mut self.waited);
        let Some((time, x, r)) = before else { return Motion::Anew };
        if state.time < time {
            found.add(Fault::ClockReversed, true);
            return Motion::Anew;
        }
        // The device's own clock may say that more time has passed than the host's, but not without end.
        let measured = (state.time.saturating_sub(time) as f64 * 1e-9).min(limits.stale);
        let seconds = waited.max(measured).max(period);
        let (shift, turn) = (place - x, log(&(rotation * r.inverse())));
        let speed = [shift.norm() / seconds, turn.norm() / seconds];
        if (0..2).any(|i| speed[i] > limits.jump[i] / period) {
            found.add(Fault::Jump, true);
            return Motion::Anew;
        }
        found.add(Fault::OverSpeed, (0..2).any(|i| speed[i] > limits.speed[i]));
        Motion::Step(join(shift, turn))
    }
}

/// Finite, near, and a rotation.
pub(crate) fn is_good(pose: &Pose) -> bool {
    let near = pose.translation.vector.iter().all(|x| x.abs() < FAR);
    near && (pose.rotation.quaternion().norm() - 1.0).abs() < UNIT
}
