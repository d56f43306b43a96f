//! The handle's velocity, for devices that do not measure it: an engine in which the device is a body needs it.
//!
//! Between the newest measurement (x_k, R_k, t_k) and the oldest of the last five, (x_j, R_j, t_j):
//!
//! ```text
//! v = (x_k - x_j)/(t_k - t_j),     ω = log(R_k R_jᵀ)/(t_k - t_j)
//! ```
//!
//! That is the mean velocity over four periods, and so exact for constant acceleration half of them ago: it is late by [`DELAY`] periods, 2 ms at 1 kHz. An encoder of step q
//! makes steps of at most q/(4T) in it.

use crate::device::DeviceState;
use stiction::spatial::{Pose, Vec3, Vec6, halves, join, log};

/// Periods of the loop by which an observed velocity is late.
pub const DELAY: f64 = 0.5 * INTERVALS as f64;
/// Intervals between measurements that a velocity is the mean of.
const INTERVALS: usize = 4;
/// Measurements further apart than this say nothing about the velocity in between (ns).
const LONGEST_INTERVAL: u64 = 50_000_000;
/// What moves faster than this is no hand but a glitch (m/s, rad/s).
const FASTEST: [f64; 2] = [20.0, 200.0];

/// Estimates the velocity of a handle from its last measurements.
#[derive(Clone, Copy, Debug, Default)]
pub struct VelocityObserver {
    /// The last measurements (ns, pose), the newest first, and how many there are.
    last: [(u64, Pose); INTERVALS + 1],
    count: usize,
}

impl VelocityObserver {
    /// Forgets all measurements: the next velocity is zero.
    pub fn reset(&mut self) {
        self.count = 0;
    }

    /// Takes a measurement in; `pose` is its pose with a quaternion of length 1. Returns the handle's velocity (m/s, rad/s, in the device's axes): what the device measured itself, and the
    /// estimate for those of both halves that are exactly zero, as they are where it measures none.
    pub fn velocity(&mut self, state: &DeviceState, pose: &Pose) -> Vec6 {
        self.take(state.time, pose);
        let (linear, angular) = halves(&state.twist);
        let (observed, turning) = self.estimate();
        let either = |own: Vec3, estimate: Vec3| if own == Vec3::zeros() { estimate } else { own };
        join(either(linear, observed), either(angular, turning))
    }

    fn take(&mut self, time: u64, pose: &Pose) {
        if self.count > 0 {
            let (last, from) = self.last[0];
            if time == last {
                return;
            }
            let passed = time.saturating_sub(last);
            let seconds = passed as f64 * 1e-9;
            let (moved, turned) = between(from, *pose);
            let [fast, turning] = FASTEST.map(|most| most * seconds);
            if passed == 0 || passed > LONGEST_INTERVAL || moved.norm() > fast || turned.norm() > turning {
                self.count = 0;
            }
        }
        self.last.rotate_right(1);
        self.last[0] = (time, *pose);
        self.count = (self.count + 1).min(self.last.len());
    }

    fn estimate(&self) -> (Vec3, Vec3) {
        if self.count < 2 {
            return (Vec3::zeros(), Vec3::zeros());
        }
        let ((now, to), (then, from)) = (self.last[0], self.last[self.count - 1]);
        let seconds = now.saturating_sub(then) as f64 * 1e-9;
        let (moved, turned) = between(from, to);
        (moved / seconds, turned / seconds)
    }
}

fn between(from: Pose, to: Pose) -> (Vec3, Vec3) {
    (to.translation.vector - from.translation.vector, log(&(to.rotation * from.rotation.inverse())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::spatial::exp;

    /// A handle that accelerates along x and turns about z, at a time (s).
    fn pose(t: f64) -> Pose {
        Pose::from_parts(Vec3::new(0.3 * t + 2.0 * t * t, 0.0, 0.0).into(), exp(&Vec3::new(0.0, 0.0, 1.5 * t)))
    }

    fn state(k: u64) -> DeviceState {
        DeviceState { time: 1_000_000 * k, sequence: k, pose: pose(1e-3 * k as f64), ..DeviceState::still() }
    }

    #[test]
    fn the_velocity_is_that_of_two_periods_ago() {
        let mut observer = VelocityObserver::default();
        for k in 0..100 {
            let seen = observer.velocity(&state(k), &state(k).pose);
            if k >= 4 {
                let then = 1e-3 * (k as f64 - DELAY);
                assert!((seen[0] - (0.3 + 4.0 * then)).abs() < 1e-9, "{k}: {seen}");
                assert!((seen[5] - 1.5).abs() < 1e-9, "{k}: {seen}");
            }
        }
    }

    #[test]
    fn a_measured_velocity_counts_and_each_half_by_itself() {
        let mut observer = VelocityObserver::default();
        let mut seen = Vec6::zeros();
        for k in 0..10 {
            let own = DeviceState { twist: Vec6::new(0.7, 0.0, 0.0, 0.0, 0.0, 0.0), ..state(k) };
            seen = observer.velocity(&own, &own.pose);
        }
        assert_eq!(seen[0], 0.7);
        assert!((seen[5] - 1.5).abs() < 1e-9, "{seen}");
    }

    #[test]
    fn the_same_measurement_again_a_gap_and_a_jump_are_no_motion() {
        let mut observer = VelocityObserver::default();
        let moving = (0..10).map(|k| observer.velocity(&state(k), &state(k).pose)).last().unwrap();
        assert_eq!(observer.velocity(&state(9), &state(9).pose), moving, "the same measurement again");
        assert_eq!(observer.velocity(&state(200), &state(200).pose), Vec6::zeros(), "nothing for 191 ms");
        (201..210).for_each(|k| _ = observer.velocity(&state(k), &state(k).pose));
        let far = DeviceState { pose: Pose::translation(5.0, 0.0, 0.0), ..state(210) };
        assert_eq!(observer.velocity(&far, &far.pose), Vec6::zeros(), "5 m in a period");
        observer.reset();
        assert_eq!(observer.velocity(&state(211), &state(211).pose), Vec6::zeros());
        let back = observer.velocity(&state(100), &state(100).pose);
        assert_eq!(back, Vec6::zeros(), "a clock that goes back");
    }
}
