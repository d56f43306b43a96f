//! Joints by stiff spring-dampers: ball and hinge, with limits and drives.

use stiction::spatial::Vec3;

/// Which motions a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// All rotations about a point.
    Ball,
    /// Rotation about an axis (unit, world, at the start).
    Hinge(Vec3),
}

/// A proportional-derivative drive of a hinge, whose target swings: offset + amplitude sin(2π (frequency t + phase)).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drive {
    /// Torque by angle (N m/rad); 0 for a drive of speed alone.
    pub stiffness: f64,
    /// Torque by angular velocity (N m s/rad).
    pub damping: f64,
    /// Middle of the swing (rad).
    pub offset: f64,
    /// Half of the swing (rad).
    pub amplitude: f64,
    /// Swings in a second (Hz).
    pub frequency: f64,
    /// Where the swing begins, as a share of it (0 to 1).
    pub phase: f64,
    /// Angular velocity that the drive adds (rad/s): a motor's.
    pub speed: f64,
    /// Largest torque (N m); infinite by default.
    pub max_torque: f64,
}

/// A joint of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The numbers of the bodies. The angle of a hinge is that of the second relative to the first.
    pub bodies: [usize; 2],
    /// Where the joint is at the start (m, world).
    pub at: Vec3,
    /// Which motions it leaves free.
    pub kind: JointKind,
    /// Stiffness (N/m); by default from the bodies' masses and the period.
    pub stiffness: Option<f64>,
    /// Smallest and largest angle of a hinge (rad), 0 at the start.
    pub limits: Option<[f64; 2]>,
    /// What turns the hinge.
    pub drive: Option<Drive>,
    /// Whether the two bodies touch each other.
    pub collide: bool,
}
