//! What acts on a body besides hands, contacts and weight.

use crate::hand::minimum_jerk;
use std::f64::consts::TAU;
use std::sync::Arc;
use stiction::spatial::Vec6;

/// A load: (steady + varying · sin(2πt/period + phase)) · ramp(t), in world axes about the body's centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedLoad {
    /// Force (N) and torque (N m) that stay.
    pub steady: Vec6,
    /// Amplitude of the force (N) and torque (N m) that come and go.
    pub varying: Vec6,
    /// Period of what comes and goes (s).
    pub period: f64,
    /// Phase of what comes and goes (rad).
    pub phase: f64,
    /// Time in which all of it grows from zero (s), by the minimum-jerk law.
    pub ramp_seconds: f64,
}

impl Default for TimedLoad {
    fn default() -> Self {
        TimedLoad { steady: Vec6::zeros(), varying: Vec6::zeros(), period: 1.0, phase: 0.0, ramp_seconds: 0.0 }
    }
}

impl TimedLoad {
    /// Force and torque at a time (s). Allocates nothing.
    pub fn at(&self, t: f64) -> Vec6 {
        let ramp = if self.ramp_seconds > 0.0 { minimum_jerk(t / self.ramp_seconds) } else { 1.0 };
        let wave = if self.varying == Vec6::zeros() { 0.0 } else { libm::sin(TAU * (t / self.period) + self.phase) };
        (self.steady + self.varying * wave) * ramp
    }
}

/// All loads on a body, which add up. Clones share them.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadSum(Arc<[TimedLoad]>);

impl LoadSum {
    /// The sum of some loads.
    pub fn of(loads: impl IntoIterator<Item = TimedLoad>) -> LoadSum {
        LoadSum(loads.into_iter().collect())
    }

    /// Force (N) and torque (N m) of all of them at a time (s). Allocates nothing.
    pub fn at(&self, t: f64) -> Vec6 {
        self.0.iter().map(|load| load.at(t)).reduce(|a, b| a + b).unwrap_or_else(Vec6::zeros)
    }
}
