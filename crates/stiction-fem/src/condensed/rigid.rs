//! The rigid motion of a body: (28) of the paper.
//!
//! Momentum and angular momentum are the state, so that both are exact without loads whatever the step: p' = p + Δt F, L' = L + Δt τ, then the body moves by v' = p'/m and ω' = I⁻¹ L' for Δt,
//! with the inertia halfway, so that the energy of a spin is kept to second order.
//! The Coriolis term b of (28) is in this: L is constant where ω is not.

use crate::elastic::RigidMass;
use stiction::spatial::{Frame, Mat3, Pose, Rotation, Vec3, Vec6, exp, halves, join};

/// Where a rigid body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidState {
    /// Mass, centre and inertia.
    pub mass: RigidMass,
    /// Where it is: its centre of mass, and its axes.
    pub frame: Frame,
    /// Momentum (N s).
    pub momentum: Vec3,
    /// Angular momentum about the centre of mass (N m s).
    pub angular_momentum: Vec3,
}

impl RigidState {
    /// A body at rest at a pose.
    pub fn at_rest(mass: RigidMass, pose: &Pose) -> Self {
        let frame = Frame::of(pose, &mass.centre);
        RigidState { mass, frame, momentum: Vec3::zeros(), angular_momentum: Vec3::zeros() }
    }

    /// The pose of the body's axes (world from body).
    pub fn pose(&self) -> Pose {
        self.frame.pose(&self.mass.centre)
    }

    /// The inverse of the inertia in the world's axes.
    pub fn inverse_inertia(&self) -> Mat3 {
        self.inverse_inertia_at(&self.frame.rotation)
    }

    fn inverse_inertia_at(&self, rotation: &Rotation) -> Mat3 {
        let turn = rotation.to_rotation_matrix().into_inner();
        turn * self.mass.inertia.try_inverse().unwrap_or_else(Mat3::zeros) * turn.transpose()
    }

    /// Velocity of the centre and angular velocity (m/s, rad/s).
    pub fn twist(&self) -> Vec6 {
        join(self.momentum / self.mass.mass, self.inverse_inertia() * self.angular_momentum)
    }

    /// Sets the velocity of the centre and the angular velocity.
    pub fn set_twist(&mut self, twist: &Vec6) {
        let (velocity, spin) = halves(twist);
        let turn = self.frame.rotation.to_rotation_matrix().into_inner();
        self.momentum = self.mass.mass * velocity;
        self.angular_momentum = turn * self.mass.inertia * turn.transpose() * spin;
    }

    /// Adds an impulse of a wrench about the centre of mass (N s, N m s).
    pub fn push(&mut self, impulse: &Vec6) {
        let (force, moment) = halves(impulse);
        self.momentum += force;
        self.angular_momentum += moment;
    }

    /// Moves on for a period (s) at the momenta of now.
    pub fn advance(&mut self, period: f64) {
        let (velocity, spin) = halves(&self.twist());
        let halfway = exp(&(0.5 * period * spin)) * self.frame.rotation;
        let spin = self.inverse_inertia_at(&halfway) * self.angular_momentum;
        self.frame = self.frame.moved(&(join(velocity, spin) * period));
    }

    /// Kinetic energy (J).
    pub fn kinetic_energy(&self) -> f64 {
        let (velocity, spin) = halves(&self.twist());
        0.5 * (self.momentum.dot(&velocity) + self.angular_momentum.dot(&spin))
    }
}
