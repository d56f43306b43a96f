//! What lies between the handle and the loop: encoders, jitter, saturation, delay. The current's lag is part of the motion: see [`super::flow`].

use super::handle::moved;
use super::params::{Chain, SimParams};
use stiction::spatial::{self, Pose, Vec3, Vec6};

/// Random numbers: xorshift64* (Marsaglia 2003, Vigna 2016).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        // Any seed is as good as another, but for zero.
        Random(seed ^ 0x9e37_79b9_7f4a_7c15).or_one()
    }

    fn or_one(self) -> Random {
        if self.0 == 0 { Random(1) } else { self }
    }

    /// From 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The wrenches written last, newest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Delay {
    history: [Vec6; 4],
    writes: usize,
}

impl Delay {
    /// Takes a wrench in, and tells the one that acts now.
    pub fn push(&mut self, wrench: Vec6, chain: &Chain) -> Vec6 {
        self.history.rotate_right(1);
        self.history[0] = wrench;
        let ticks = chain.delays.get(self.writes).copied().unwrap_or(chain.delay);
        self.writes = if self.writes + 1 < chain.delays.len() { self.writes + 1 } else { 0 };
        self.history[usize::from(ticks).min(3)]
    }

    /// As if zero had been written for long.
    pub fn clear(&mut self) {
        self.history = [Vec6::zeros(); 4];
    }
}

/// Where the handle was `age` seconds ago, at its present velocity.
pub(super) fn earlier(pose: &Pose, twist: &Vec6, age: f64) -> Pose {
    if age > 0.0 { moved(pose, &(twist * -age)) } else { *pose }
}

/// What the encoders tell of a pose.
pub(super) fn encoded(pose: &Pose, params: &SimParams) -> Pose {
    let [step, step_rad] = params.chain.encoder;
    let home = &params.home;
    let mut told = *pose;
    if step > 0.0 {
        told.translation.vector.apply(|x| *x = libm::rint(*x / step) * step);
    }
    let senses = &params.sensed.0;
    if step_rad > 0.0 || !senses[3] || !senses[4] || !senses[5] {
        let mut turn = spatial::log(&(pose.rotation * home.rotation.inverse()));
        if step_rad > 0.0 {
            turn.apply(|x| *x = libm::rint(*x / step_rad) * step_rad);
        }
        turn = Vec3::from_fn(|i, _| if senses[3 + i] { turn[i] } else { 0.0 });
        told.rotation = spatial::exp(&turn) * home.rotation;
    }
    for i in 0..3 {
        if !senses[i] {
            told.translation.vector[i] = home.translation.vector[i];
        }
    }
    told
}

/// What the motors can do of a wrench: force and torque scaled down to their limits, each for itself. Nothing for what is not finite.
pub(super) fn saturated(wrench: &Vec6, params: &SimParams) -> Vec6 {
    if !wrench.iter().all(|x| x.is_finite()) {
        return Vec6::zeros();
    }
    let (force, torque) = spatial::halves(&params.actuated.of(wrench));
    spatial::join(limited(force, params.chain.force[1]), limited(torque, params.chain.torque[1]))
}

fn limited(v: Vec3, limit: f64) -> Vec3 {
    // Scaled first, so that no square overflows.
    let largest = v.amax();
    if !(largest > 0.0) {
        return v;
    }
    let length = (v / largest).norm() * largest;
    if length > limit { v * (limit / length) } else { v }
}
