//! What a simulated device is made of.

use super::hand::SimHand;
use crate::device::{Caps, Dofs, Drive};
use stiction::spatial::{Pose, Vec3};

/// The moving part of a device, as felt at the handle. Each value is of translation, then of rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    /// Mass (kg) and inertia about any axis (kg m²).
    pub mass: [f64; 2],
    /// Viscous damping b (N s/m, N m s/rad).
    pub damping: [f64; 2],
    /// Coulomb friction f_c along each axis while it slides (N, N m).
    pub friction: [f64; 2],
    /// Breakaway force over sliding friction, at least 1.
    pub breakaway: f64,
}

/// From the handle to the loop and back.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Encoder steps (m, rad); 0 for none. Each coordinate in the device's axes is rounded to the nearest step, and each component of the rotation
    /// vector from [`SimParams::home`].
    pub encoder: [f64; 2],
    /// Whether the true velocity is told; else the twist is zero and the loop differentiates.
    pub velocity: bool,
    /// Force for ever and at most (N): a larger one is scaled down to the latter, its direction kept.
    pub force: [f64; 2],
    /// Torque likewise (N m).
    pub torque: [f64; 2],
    /// Time constant of the motors' current (s); 0 for none.
    pub lag: f64,
    /// A wrench acts so many writes after it was written: 0 to 3.
    pub delay: u8,
    /// Recorded delays (0 to 3), one for each write, over and over; they replace `delay` where there are any.
    pub delays: Vec<u8>,
    /// A measurement is up to this much older than the end of the step (s), at random; its time stamp says so.
    pub jitter: f64,
    /// After this long without a write there is no force (s); 0 for never.
    pub watchdog: f64,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// A simulated device. All fields may be changed; [`super::SimDevice::new`] checks them.
#[derive(Clone, Debug, PartialEq)]
pub struct SimParams {
    /// Name of the device, for display.
    pub name: String,
    /// What it measures.
    pub sensed: Dofs,
    /// What it can push.
    pub actuated: Dofs,
    /// Radius of its workspace around the home position (m). There is no stop at its end.
    pub radius: f64,
    /// Where the handle is at first; rotations are measured from here.
    pub home: Pose,
    /// Rates at which it can be driven (Hz).
    pub rate: [f64; 2],
    /// Largest stiffness that its maker allows (N/m, N m/rad).
    pub stiffness: [f64; 2],
    /// How long the peak force may last (s). Told, not enforced.
    pub peak_seconds: f64,
    /// It has a dead-man switch: a released handle gets no force.
    pub dead_man: bool,
    /// What moves.
    pub handle: Handle,
    /// What measures and pushes.
    pub chain: Chain,
    /// What holds it.
    pub hand: SimHand,
}

/// Errors from building a simulated device or changing its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// A value is out of its range.
    #[error("{0} must be {1}")]
    Value(&'static str, &'static str),
    /// No room for another fault.
    #[error("at most {0} faults at once: clear the old ones")]
    Faults(usize),
}

impl Default for SimParams {
    /// A desktop device with six degrees of freedom, of middling quality, held lightly.
    ///
    /// Peak force and torque, and the largest stiffness, are those that CHAI3D has for the Premium 1.5 6DOF: 8.5 N, 0.188 N m, 800 N/m, 0.3 N m/rad; the
    /// share of them that can be held is that of the Virtuose TAO (30 of 70 N, 1.5 of 5 N m). Encoder: 29.2 µm, SPIDAR (Springhead);
    /// 0.0364°, Novint Falcon (libnifalcon). Watchdog: 255 × 125 µs, Force Dimension. Mass (of 0.05 to 0.5 kg) and friction (of 0.05 to 0.3 N) are from memory.
    /// Assumptions: damping 0.5 N s/m; inertia and friction of rotation as of the mass and the friction at a radius of 30 mm; its damping,
    /// 5e-4 N m s/rad; breakaway 1.2; lag 0.5 ms; one tick of delay; jitter 50 µs; a radius of 0.1 m; peaks of 1 s; 100 Hz to 10 kHz.
    fn default() -> Self {
        SimParams {
            name: "simulated desktop device".into(),
            sensed: Dofs::ALL,
            actuated: Dofs::ALL,
            radius: 0.1,
            home: Pose::identity(),
            rate: [100.0, 10_000.0],
            stiffness: [800.0, 0.3],
            peak_seconds: 1.0,
            dead_man: true,
            handle: Handle { mass: [0.1, 9e-5], damping: [0.5, 5e-4], friction: [0.1, 3e-3], breakaway: 1.2 },
            chain: Chain {
                encoder: [29.2e-6, 0.0364_f64.to_radians()],
                velocity: false,
                force: [3.6, 8.5],
                torque: [0.056, 0.188],
                lag: 5e-4,
                delay: 1,
                delays: Vec::new(),
                jitter: 5e-5,
                watchdog: 255.0 * 125e-6,
                seed: 1,
            },
            hand: SimHand::Light,
        }
    }
}

impl SimParams {
    /// No friction, encoder steps, lag, delay or jitter, no dead-man switch, no watchdog, and more force than anybody asks for; mass, damping and hand as
    /// by default. It tells its velocity.
    pub fn ideal() -> Self {
        let usual = SimParams::default();
        let handle = Handle { friction: [0.0; 2], breakaway: 1.0, ..usual.handle };
        let chain = Chain {
            encoder: [0.0; 2],
            velocity: true,
            force: [1e3; 2],
            torque: [1e2; 2],
            lag: 0.0,
            delay: 0,
            delays: Vec::new(),
            jitter: 0.0,
            watchdog: 0.0,
            seed: 1,
        };
        SimParams {
            name: "simulated ideal device".into(),
            rate: [10.0, 1e5],
            stiffness: [1e6, 1e4],
            dead_man: false,
            handle,
            chain,
            ..usual
        }
    }

    /// A hand that a page moves: ideal, wherever it goes, and nothing pushes it back. What it would feel is computed all the same.
    pub fn page() -> Self {
        let ideal = SimParams::ideal();
        // Without damping no bound on the coupling follows from it: nobody feels it buzz.
        let handle = Handle { damping: [0.0; 2], ..ideal.handle };
        SimParams { name: "hand on a page".into(), radius: 100.0, hand: SimHand::Free, handle, ..ideal }
    }

    /// Senses and pushes translation only, like the Novint Falcon: 8 N, 3000 N/m, radius 40 mm (CHAI3D), 38 µm (libnifalcon). Its mass, friction and the rest
    /// are assumptions: 0.2 kg, 0.3 N, 1 N s/m.
    pub fn falcon_like() -> Self {
        let usual = SimParams::default();
        SimParams {
            name: "simulated force-only device".into(),
            sensed: Dofs::TRANSLATION,
            actuated: Dofs::TRANSLATION,
            radius: 0.04,
            rate: [100.0, 1000.0],
            stiffness: [3000.0, 0.0],
            dead_man: false,
            handle: Handle { mass: [0.2, 9e-5], damping: [1.0, 5e-4], friction: [0.3, 0.0], breakaway: 1.2 },
            chain: Chain { encoder: [38e-6, 0.0], force: [3.4, 8.0], torque: [0.0; 2], watchdog: 0.0, ..usual.chain },
            ..usual
        }
    }

    /// Senses all six, pushes three, like the Touch: 3.3 N, 400 N/m, 4 N s/m at most to render (CHAI3D). The rest is as by default.
    pub fn touch_like() -> Self {
        let usual = SimParams::default();
        SimParams {
            name: "simulated stylus".into(),
            actuated: Dofs::TRANSLATION,
            rate: [500.0, 1000.0],
            stiffness: [400.0, 0.0],
            dead_man: false,
            chain: Chain { force: [1.4, 3.3], torque: [0.0; 2], ..usual.chain },
            ..usual
        }
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`SimError::Value`] with the first that is out of its range.
    pub fn check(&self) -> Result<(), SimError> {
        let (h, c) = (&self.handle, &self.chain);
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let not_negative = |x: f64| x.is_finite() && x >= 0.0;
        let some = "finite and not negative";
        let pair = |x: [f64; 2]| positive(x[0]) && x[0].is_finite() && x[1].is_finite() && x[0] <= x[1];
        let range = |x: [f64; 2]| x.iter().all(|x| not_negative(*x)) && x[0] <= x[1];
        let finite = |p: &Pose| p.translation.vector.iter().chain(p.rotation.coords.iter()).all(|x| x.is_finite());
        let checks = [
            (h.mass.iter().all(|m| (1e-6..=1e3).contains(m)), "mass", "from 1e-6 to 1e3 kg or kg m²"),
            (h.damping.iter().all(|x| not_negative(*x)), "damping", some),
            (h.friction.iter().all(|x| not_negative(*x)), "friction", some),
            (h.breakaway.is_finite() && h.breakaway >= 1.0, "breakaway", "finite and at least 1"),
            (c.encoder.iter().all(|x| not_negative(*x)), "encoder", some),
            (range(c.force), "force", "finite, not negative, and the first at most the second"),
            (range(c.torque), "torque", "finite, not negative, and the first at most the second"),
            (c.lag == 0.0 || (1e-6..=1.0).contains(&c.lag), "lag", "0 or from 1e-6 to 1 s"),
            (c.delay <= 3 && c.delays.iter().all(|d| *d <= 3), "delay", "at most 3"),
            (not_negative(c.jitter), "jitter", some),
            (not_negative(c.watchdog), "watchdog", some),
            (positive(self.radius), "radius", "finite and positive"),
            (pair(self.rate), "rate", "finite, positive, and the first at most the second"),
            (self.stiffness.iter().all(|x| not_negative(*x)), "stiffness", some),
            (not_negative(self.peak_seconds), "peak_seconds", some),
            (finite(&self.home), "home", "finite"),
            (self.hand.grip().is_none_or(|grip| grip.is_sound()), "hand", some),
        ];
        checks.iter().find(|check| !check.0).map_or(Ok(()), |check| Err(SimError::Value(check.1, check.2)))
    }

    /// What the device tells of itself.
    pub fn caps(&self) -> Caps {
        let watchdog = self.chain.watchdog;
        Caps {
            name: self.name.clone(),
            sensed: self.sensed,
            actuated: self.actuated,
            workspace: (Vec3::from(self.home.translation.vector), self.radius),
            force: self.chain.force,
            torque: self.chain.torque,
            peak_seconds: self.peak_seconds,
            stiffness: self.stiffness,
            damping: self.handle.damping,
            resolution: self.chain.encoder,
            rate: self.rate,
            watchdog: (watchdog > 0.0).then_some(watchdog),
            drive: Drive::Poll,
        }
    }
}
