//! From the device's handle to the hand in the scene, and from the scene's wrench to the handle.
//!
//! With x, R the handle in the device's axes, C the turn from those axes to the world's, s the scale of motion:
//!
//! ```text
//! x_w = a_w + s C (x - a),     R_w = (C R Cᵀ)(C A Cᵀ)⁻¹ A_w            a, A ↦ a_w, A_w: where handle and scene were tied together
//! hand = (x_w, R_w) ∘ part in the handle
//! ```
//!
//! The clutch cuts the tie: the handle moves, the hand stays; letting go ties them where they are then, so that the hand never jumps.
//!
//! *Wrenches.* A step (dx, ω) of the handle moves the part's centre c by s C dx + Cω × (c - h), h = x_w. With (F, τ) about c the work is
//! s F·C dx + (τ + (c - h) × F)·Cω. So what the handle must feel is, up to one factor e for all of it,
//!
//! ```text
//! f = e s CᵀF,     t = e Cᵀ(τ + (c - h) × F)
//! ```
//!
//! and energy at the handle is e times energy in the scene: what is passive there is passive here, for any e. [`Mapping::force_scale`] is
//! g = e s: forces are felt g times as large, torques g/s times. Stiffness k of the coupling is felt as g s k, torsion as (g/s) k_tor:
//! [`Mapping::coupling`] makes the coupling from what the device can render by that.

use crate::device::{Caps, Dofs};
use stiction::coupling::Coupling;
use stiction::spatial::{Pose, Rotation, Vec3, Vec6, halves, join};

/// How a handle is tied to the hand of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    /// C: world from the device's axes.
    pub turn: Rotation,
    /// s: how far the hand goes for 1 m of the handle.
    pub motion_scale: f64,
    /// g: how many times larger forces are felt.
    pub force_scale: f64,
    /// The part in the handle: an offset where one holds it elsewhere than at its origin.
    pub part_in_handle: Pose,
    /// What the device pushes: the rest of a wrench is left out.
    pub actuated: Dofs,
    tie: Option<Tie>,
}

/// a, A and a_w, A_w.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tie {
    device: Pose,
    world: Pose,
}

/// Errors from building a mapping or deriving a coupling.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MappingError {
    /// A scale is out of range.
    #[error("{what} is {value}, but must be above zero and finite")]
    BadScale {
        /// Name of the scale.
        what: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// The device renders no force.
    #[error("the device renders no stiffness ({value} N/m): it can be used for input only")]
    NoStiffness {
        /// Stiffness that the device reports (N/m).
        value: f64,
    },
}

/// Share of the passivity bound 2b/T that a derived coupling uses: hands and encoders take the rest.
const PASSIVE_SHARE: f64 = 0.8;

impl Mapping {
    /// One to one, axes as they are.
    pub fn new(actuated: Dofs) -> Self {
        Mapping {
            turn: Rotation::identity(),
            motion_scale: 1.0,
            force_scale: 1.0,
            part_in_handle: Pose::identity(),
            actuated,
            tie: None,
        }
    }

    /// Checks the scales.
    ///
    /// # Errors
    /// [`MappingError::BadScale`].
    pub fn check(&self) -> Result<(), MappingError> {
        for (what, value) in [("motion scale", self.motion_scale), ("force scale", self.force_scale)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(MappingError::BadScale { what, value });
            }
        }
        Ok(())
    }

    /// Ties the handle, where it is, to a hand in the scene (world from part).
    pub fn tie(&mut self, handle: &Pose, hand: &Pose) {
        self.tie = Some(Tie { device: *handle, world: hand * self.part_in_handle.inverse() });
    }

    /// Cuts the tie: see [`hand`](Self::hand).
    pub fn untie(&mut self) {
        self.tie = None;
    }

    /// The hand (world from part) for a handle in the device's axes; `None` while they are not tied together.
    pub fn hand(&self, handle: &Pose) -> Option<Pose> {
        self.handle(handle).map(|h| h * self.part_in_handle)
    }

    /// The handle in the world.
    fn handle(&self, handle: &Pose) -> Option<Pose> {
        let tie = self.tie.as_ref()?;
        let moved = self.turn * (handle.translation.vector - tie.device.translation.vector);
        let turned = self.turn * (handle.rotation * tie.device.rotation.inverse()) * self.turn.inverse();
        let at = tie.world.translation.vector + moved * self.motion_scale;
        Some(Pose::from_parts(at.into(), turned * tie.world.rotation))
    }

    /// The hand's velocity in the world for that of a handle in the device's axes (m/s, rad/s); zero while they are not tied together.
    pub fn twist(&self, handle: &Pose, twist: &Vec6) -> Vec6 {
        let Some(place) = self.handle(handle) else { return Vec6::zeros() };
        let (linear, angular) = halves(twist);
        let angular = self.turn * angular;
        let arm = place.rotation * self.part_in_handle.translation.vector;
        join(self.turn * linear * self.motion_scale + angular.cross(&arm), angular)
    }

    /// What the handle must feel (device's axes, at its origin) of a wrench about a centre in the world.
    pub fn wrench(&self, wrench: &Vec6, centre: &Vec3, handle: &Pose) -> Vec6 {
        let Some(place) = self.handle(handle) else { return Vec6::zeros() };
        let (force, torque) = halves(wrench);
        let torque = torque + (centre - place.translation.vector).cross(&force);
        let back = self.turn.inverse();
        let torque_scale = self.force_scale / self.motion_scale;
        self.actuated.of(&join(back * force * self.force_scale, back * torque * torque_scale))
    }

    /// What counts of a load on the part (world) at the handle: its dot product with the part's motion is work at the handle. That is e times the load, as far as the
    /// device renders it: along its actuated axes, and no more than these forces (N) and torques (N m) at the handle.
    pub fn load(&self, load: &Vec6, limits: [f64; 2]) -> Vec6 {
        let (force, torque) = halves(load);
        let back = self.turn.inverse();
        let (g, s) = (self.force_scale, self.motion_scale);
        let (force, torque) = halves(&self.actuated.of(&join(back * force * g, back * torque * (g / s))));
        let within = |v: Vec3, limit: f64| if v.norm() > limit { v * (limit / v.norm()) } else { v };
        join(self.turn * within(force, limits[0]) / s, self.turn * within(torque, limits[1]))
    }

    /// The point of the part (part's axes) by whose motion loads are reckoned, given the part's centre: the centre itself, where loads act; for a device without torque
    /// the point where the handle is, since it feels nothing of what turning the handle does to a load.
    pub fn load_point(&self, centre: &Vec3) -> Vec3 {
        if self.renders_torque() { *centre } else { self.part_in_handle.inverse().translation.vector }
    }

    fn renders_torque(&self) -> bool {
        self.actuated.0[3..] == [true; 3]
    }

    /// A handle's pose that puts the hand where it is wanted: for simulated devices.
    pub fn handle_for(&self, hand: &Pose) -> Option<Pose> {
        let tie = self.tie.as_ref()?;
        let wanted = hand * self.part_in_handle.inverse();
        let moved = (wanted.translation.vector - tie.world.translation.vector) / self.motion_scale;
        let turned = self.turn.inverse() * (wanted.rotation * tie.world.rotation.inverse()) * self.turn;
        let at = tie.device.translation.vector + self.turn.inverse() * moved;
        Some(Pose::from_parts(at.into(), turned * tie.device.rotation))
    }

    /// The coupling no stiffer and no stronger than the device can render at a period, and the scene's own where that is less.
    ///
    /// The device's bounds: what its maker says, and the passivity of a sampled wall, k < b/(T/2 + t) (Colgate). b is the handle's damping, and t a delay in the loop, which is a
    /// period for a device that answers requests and zero for others ([`Drive::delay`](crate::Drive::delay)). Moving at v, the force is that of v (T/2 + t) before, which leaks
    /// k v² (T/2 + t) T a period, and the damper takes b v² T.
    ///
    /// # Errors
    /// [`MappingError`] where the device renders no force at all.
    pub fn coupling(&self, wanted: &Coupling, caps: &Caps, period: f64) -> Result<Coupling, MappingError> {
        let bound = |i: usize| {
            let passive = PASSIVE_SHARE * 2.0 * caps.damping[i] / (period * (1.0 + 2.0 * caps.drive.delay()));
            if passive > 0.0 { caps.stiffness[i].min(passive) } else { caps.stiffness[i] }
        };
        let (g, s) = (self.force_scale, self.motion_scale);
        let value = bound(0);
        if !(value > 0.0) {
            return Err(MappingError::NoStiffness { value });
        }
        let mut out = *wanted;
        out.stiffness = wanted.stiffness.min(value / (g * s));
        out.max_force = wanted.max_force.min(caps.force[1] / g);
        if self.renders_torque() {
            out.torsion = wanted.torsion.min(bound(1) * s / g);
            out.max_torque = wanted.max_torque.min(caps.torque[1] * s / g);
        }
        Ok(out)
    }
}
