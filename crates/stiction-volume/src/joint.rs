//! Joints by stiff spring-dampers: ball and hinge, with limits and drives.

use crate::body::BodyMotion;
use crate::error::VolumeError;
use crate::model::Model;
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
    /// Largest torque (N m); 0 for no limit.
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

impl Joint {
    /// Refuses a joint that makes no sense.
    pub(crate) fn check(&self, number: usize, model: &Model) -> Result<(), VolumeError> {
        let what = || format!("joint {number}");
        let bad = |body: usize, why| Err(VolumeError::BadBody { what: what(), body, why });
        let [a, b] = self.bodies;
        for body in self.bodies {
            if body >= model.bodies.len() {
                return bad(body, "there is no such body");
            }
        }
        if a == b {
            return bad(a, "a joint needs two bodies");
        }
        if self.bodies.iter().all(|i| model.bodies[*i].motion == BodyMotion::Fixed) {
            return bad(a, "neither body of the joint moves");
        }
        let mut numbers: Vec<f64> = self.at.iter().copied().collect();
        if let JointKind::Hinge(axis) = self.kind {
            numbers.extend(axis.iter());
            if !(axis.norm() > 0.0) {
                return Err(VolumeError::NotPositive { what: format!("the axis of {}", what()), value: axis.norm() });
            }
        }
        if let Some([least, most]) = self.limits {
            numbers.extend([least, most]);
            if least > most {
                return Err(VolumeError::NotPositive { what: format!("the range of {}", what()), value: most - least });
            }
        }
        if let Some(d) = self.drive {
            numbers.extend([d.stiffness, d.damping, d.offset, d.amplitude, d.frequency, d.phase, d.speed]);
            if let Some(value) = [d.stiffness, d.damping].into_iter().find(|x| *x < 0.0) {
                return Err(VolumeError::NotPositive { what: format!("the drive of {}", what()), value });
            }
        }
        if let Some(value) = self.stiffness
            && !(value > 0.0)
        {
            return Err(VolumeError::NotPositive { what: format!("the stiffness of {}", what()), value });
        }
        if numbers.iter().any(|x| !x.is_finite()) {
            return Err(VolumeError::NotFinite { what: format!("a number of {}", what()) });
        }
        Ok(())
    }
}
