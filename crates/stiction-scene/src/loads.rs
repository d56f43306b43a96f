//! What acts on the held part besides hand, contact and weight.

use crate::hand::minimum_jerk;
use std::f64::consts::TAU;
use stiction::spatial::Vec6;

/// (steady + varying · sin(2πt/period + phase)) · ramp(t), in world axes about the part's centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loads {
    /// Force and torque that stay.
    pub steady: Vec6,
    /// Amplitude of what comes and goes.
    pub varying: Vec6,
    /// Its period (s).
    pub period: f64,
    /// Its phase (rad).
    pub phase: f64,
    /// Time in which all of it grows from zero (s), by the minimum-jerk law.
    pub ramp_seconds: f64,
}

impl Default for Loads {
    fn default() -> Self {
        Loads { steady: Vec6::zeros(), varying: Vec6::zeros(), period: 1.0, phase: 0.0, ramp_seconds: 0.0 }
    }
}

impl Loads {
    /// Force and torque at a time. Allocates nothing.
    pub fn at(&self, t: f64) -> Vec6 {
        let ramp = if self.ramp_seconds > 0.0 { minimum_jerk(t / self.ramp_seconds) } else { 1.0 };
        let wave = if self.varying == Vec6::zeros() { 0.0 } else { libm::sin(TAU * (t / self.period) + self.phase) };
        (self.steady + self.varying * wave) * ramp
    }
}
