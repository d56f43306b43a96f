//! Rigid bodies: mass, inertia, and the state that a step moves.

use crate::geometry::Convex;
use stiction::spatial::{Mat3, Pose, Vec3, Vec6};

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyMotion {
    /// By the forces on it.
    Free,
    /// Not at all.
    Fixed,
}

/// A body as it is given to an engine.
#[derive(Clone, Debug)]
pub struct Body {
    /// Convex parts, in the body's axes, whose union is the body.
    pub pieces: Vec<Convex>,
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass in the body's axes (m); `None` for that of a body of equal density.
    pub centre: Option<Vec3>,
    /// Moments of inertia about the centre of mass, in the body's axes (kg m²); `None` for those of a body of equal density.
    pub inertia: Option<Mat3>,
    /// How it moves while no device is this body.
    pub motion: BodyMotion,
    /// Where it is at first (world from body).
    pub world_from_body: Pose,
    /// Velocity of its centre of mass and angular velocity at first (m/s, rad/s, world).
    pub twist: Vec6,
}

impl Body {
    /// A free body at rest, of equal density.
    pub fn new(pieces: Vec<Convex>, mass: f64, world_from_body: Pose) -> Body {
        let (centre, inertia, motion) = (None, None, BodyMotion::Free);
        Body { pieces, mass, centre, inertia, motion, world_from_body, twist: Vec6::zeros() }
    }

    /// A body that never moves.
    pub fn fixed(pieces: Vec<Convex>, world_from_body: Pose) -> Body {
        Body { motion: BodyMotion::Fixed, ..Body::new(pieces, 1.0, world_from_body) }
    }

    /// Centre of mass and moments of inertia of its pieces at equal density: pieces that overlap count twice there, so pieces should not overlap.
    pub(crate) fn mass_properties(&self) -> (Vec3, Mat3) {
        let volume: f64 = self.pieces.iter().map(Convex::volume).sum();
        let first: Vec3 = self.pieces.iter().map(|p| p.centroid() * p.volume()).sum();
        let second: Mat3 = self.pieces.iter().map(Convex::second_moment).sum();
        let uniform = first / volume;
        // The second moment about the centroid, then (tr M) 1 - M.
        let about = (second - uniform * uniform.transpose() * volume) * (self.mass / volume);
        let inertia = Mat3::identity() * about.trace() - about;
        (self.centre.unwrap_or(uniform), self.inertia.unwrap_or(inertia))
    }
}

/// The state of a body in an engine.
#[derive(Clone, Debug)]
pub struct BodyState {
    /// Where its axes are (world from body).
    pub pose: Pose,
    /// Centre of mass (m, world).
    pub centre: Vec3,
    /// Velocity of the centre of mass (m/s, world).
    pub velocity: Vec3,
    /// Angular velocity (rad/s, world).
    pub spin: Vec3,
    /// Force on it in the last step, without weight (N, world).
    pub force: Vec3,
    /// Torque on it in the last step, about its centre (N m, world).
    pub torque: Vec3,
}
