//! What the tests of the envelope share: a device, a generator, a handle that moves, and a checker of what is sent.
#![allow(dead_code)]

use stiction::spatial::{Pose, Vec3, Vec6, exp};
use stiction_device::device::Dofs;
use stiction_device::{Caps, DeviceState, Drive, Envelope, Limits, Observation};

/// Period (s), and in ns.
pub const T: f64 = 1e-3;
pub const TICK: u64 = 1_000_000;

pub fn caps() -> Caps {
    Caps {
        name: "test".into(),
        sensed: Dofs::ALL,
        actuated: Dofs::ALL,
        workspace: (Vec3::zeros(), 0.2),
        force: [4.0, 12.0],
        torque: [0.1, 0.4],
        peak_seconds: 0.3,
        stiffness: [3000.0, 3.0],
        damping: [1.0, 0.01],
        resolution: [1e-5, 1e-4],
        rate: [500.0, 4000.0],
        watchdog: None,
        drive: Drive::Poll,
    }
}

/// Limits with a short soft start, so that runs need not be long.
pub fn limits() -> Limits {
    Limits { soft_start: 0.03, settle: 0.015, fade: 0.01, ..Limits::of(&caps()) }
}

/// xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// -1 to 1.
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// A handle that is measured in every cycle.
pub struct Handle {
    pub now: u64,
    pub sequence: u64,
    pub place: Vec3,
    pub turn: Vec3,
}

impl Handle {
    pub fn new() -> Self {
        Handle { now: 1_000_000_000, sequence: 1, place: Vec3::zeros(), turn: Vec3::zeros() }
    }

    pub fn state(&self) -> DeviceState {
        let pose = Pose::from_parts(self.place.into(), exp(&self.turn));
        DeviceState { time: self.now, sequence: self.sequence, pose, ..DeviceState::still() }
    }

    /// A cycle later, and what is seen then.
    pub fn next(&mut self) -> Observation {
        self.now += TICK;
        self.sequence += 1;
        Observation { now: self.now, state: Some(self.state()), late: 0.0, load_work: 0.0, arming: false }
    }
}

/// Passes zero until force may be rendered.
pub fn engaged(limits: Limits) -> (Envelope, Handle) {
    let (mut envelope, mut handle) = (Envelope::new(limits, T).unwrap(), Handle::new());
    for _ in 0..=(limits.soft_start / T) as usize {
        envelope.pass(Some(&Vec6::zeros()), &handle.next());
    }
    assert_eq!(envelope.report().phase, stiction_device::Phase::Running);
    (envelope, handle)
}

/// Verifies each sent wrench against the limits alone: plain arrays, nothing of the envelope's code.
pub struct Checker {
    limits: Limits,
    last: [[f64; 3]; 2],
    heat: [f64; 2],
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

impl Checker {
    pub fn new(limits: Limits) -> Self {
        Checker { limits, last: [[0.0; 3]; 2], heat: [0.0; 2] }
    }

    /// What is wrong with it, if anything.
    pub fn check(&mut self, sent: &Vec6) -> Result<(), String> {
        if !sent.iter().all(|x| x.is_finite()) {
            return Err(format!("not finite: {sent:?}"));
        }
        for i in 0..2 {
            let w = [sent[3 * i], sent[3 * i + 1], sent[3 * i + 2]];
            let [continuous, peak] = if i == 0 { self.limits.force } else { self.limits.torque };
            let size = dot(w, w).sqrt();
            if size > peak * (1.0 + 1e-12) {
                return Err(format!("{i}: {size} is above {peak}"));
            }
            let (gap, allowed) = (distance(self.last[i], w), self.limits.slew[i] * T);
            if gap > allowed * (1.0 + 1e-9) {
                return Err(format!("{i}: {gap} from the segment, not {allowed}: {:?} to {w:?}", self.last[i]));
            }
            let capacity = (peak * peak - continuous * continuous) * self.limits.peak_seconds;
            self.heat[i] = (self.heat[i] + (size * size - continuous * continuous) * T).max(0.0);
            // Rounding, in parts of one cycle at the peak.
            if self.heat[i] > capacity * (1.0 + 1e-9) + 1e-9 * peak * peak * T {
                return Err(format!("{i}: heat {} is above {capacity}", self.heat[i]));
            }
            self.last[i] = w;
        }
        Ok(())
    }
}

/// Distance of `w` from the segment between zero and `end`, by ternary search rather than projection.
fn distance(end: [f64; 3], w: [f64; 3]) -> f64 {
    let at = |c: f64| {
        let d = [w[0] - c * end[0], w[1] - c * end[1], w[2] - c * end[2]];
        dot(d, d)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(a) < at(b) { high = b } else { low = a }
    }
    at(0.0).min(at(1.0)).min(at(0.5 * (low + high))).sqrt()
}
