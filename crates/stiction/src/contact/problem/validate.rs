//! The check of every number that a contact problem is given, and the errors from it.

use super::Contact;
use crate::spatial::Vec3;

/// Why a set of contacts and loads is not a problem that can be solved.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// A number of the load is NaN or infinite.
    #[error("the load's {what} has an entry that is not finite")]
    NonFiniteLoad {
        /// "wrench", "stiffness" or "mass".
        what: &'static str,
    },
    /// A number of a contact is NaN or infinite.
    #[error("contact {index} has a {what} that is not finite")]
    NonFiniteContact {
        /// Position in the order the contacts were given.
        index: usize,
        /// The field.
        what: &'static str,
    },
    /// A direction is not a unit vector.
    #[error("contact {index}: the {what} has length {length}, not 1")]
    NotUnit {
        /// Position in the order the contacts were given.
        index: usize,
        /// "normal" or "tangent".
        what: &'static str,
        /// The length found.
        length: f64,
    },
    /// The tangent leaves the contact plane.
    #[error("contact {index}: tangent and normal are not perpendicular (cosine {cosine})")]
    NotPerpendicular {
        /// Position in the order the contacts were given.
        index: usize,
        /// Dot product of the two.
        cosine: f64,
    },
    /// A normal force below zero: contacts push, they do not pull.
    #[error("contact {index}: the normal force {force} N is negative")]
    NegativeNormalForce {
        /// Position in the order the contacts were given.
        index: usize,
        /// The force found.
        force: f64,
    },
    /// A friction coefficient below zero, or a kinetic one above the static one.
    #[error(
        "contact {index}: friction coefficients must satisfy 0 <= mu_kinetic ({mu_kinetic}) <= mu_static ({mu_static})"
    )]
    BadFriction {
        /// Position in the order the contacts were given.
        index: usize,
        /// The static coefficient found.
        mu_static: f64,
        /// The kinetic coefficient found.
        mu_kinetic: f64,
    },
    /// K cannot be inverted, so that the step of the part is not determined by the load.
    #[error(
        "the stiffness matrix K is singular (reciprocal condition {rcond:e} after scaling): is the coupling spring switched off?"
    )]
    SingularStiffness {
        /// Estimated reciprocal condition number, rows and columns scaled to unit size.
        rcond: f64,
    },
    /// The mass metric is not symmetric positive definite.
    #[error("the mass matrix is not symmetric positive definite")]
    BadMass,
    /// More contacts than the problem was made for.
    #[error("more contacts than the problem's capacity of {capacity}")]
    Capacity {
        /// The number given to `with_capacity`.
        capacity: usize,
    },
    /// Magnitudes so large or small that products of them leave the range of `f64`.
    #[error("{what} of contact {index} is out of range ({value:e})")]
    OutOfRange {
        /// Position in the order the contacts were given.
        index: usize,
        /// The field.
        what: &'static str,
        /// The value found.
        value: f64,
    },
}

/// Largest magnitude of any input, so that sums of squares of products stay finite.
pub(super) const MAX_MAGNITUDE: f64 = 1e60;
/// How far a unit vector's length, or a right angle's cosine, may be off.
const UNIT_TOLERANCE: f64 = 1e-6;

/// Nothing to complain about and nothing to normalise, told without a branch per number. Vectors that the engine made itself are unit and
/// perpendicular to rounding.
#[inline(always)]
fn is_fine(c: &Contact) -> bool {
    const ROUNDING: f64 = 4.0 * f64::EPSILON;
    let size = c.point.x.abs() + c.point.y.abs() + c.point.z.abs() + c.normal_force + c.gap.abs();
    let unit = (c.normal.norm_squared() - 1.0).abs() <= ROUNDING && (c.tangent.norm_squared() - 1.0).abs() <= ROUNDING;
    let square = c.normal.dot(&c.tangent).abs() <= ROUNDING;
    let friction = c.mu_kinetic >= 0.0 && c.mu_kinetic <= c.mu_static && c.mu_static * c.normal_force <= MAX_MAGNITUDE;
    size <= MAX_MAGNITUDE && c.normal_force >= 0.0 && unit && square && friction && c.mu_static <= MAX_MAGNITUDE
}

/// The contact with its directions normalised, or what is wrong with it.
pub(super) fn validated(index: usize, mut contact: Contact) -> Result<Contact, ProblemError> {
    if is_fine(&contact) {
        return Ok(contact);
    }
    let finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
    for (what, ok) in [
        ("point", finite(&contact.point)),
        ("normal", finite(&contact.normal)),
        ("tangent", finite(&contact.tangent)),
        ("gap", contact.gap.is_finite()),
        ("normal force", contact.normal_force.is_finite()),
        ("static friction coefficient", contact.mu_static.is_finite()),
        ("kinetic friction coefficient", contact.mu_kinetic.is_finite()),
    ] {
        if !ok {
            return Err(ProblemError::NonFiniteContact { index, what });
        }
    }
    for (what, value) in [
        ("point", contact.point.amax()),
        ("normal force", contact.normal_force),
        ("friction limit", contact.mu_static * contact.normal_force),
    ] {
        if value.abs() > MAX_MAGNITUDE {
            return Err(ProblemError::OutOfRange { index, what, value });
        }
    }
    for (what, v) in [("normal", &mut contact.normal), ("tangent", &mut contact.tangent)] {
        let length = v.norm();
        if (length - 1.0).abs() > UNIT_TOLERANCE {
            return Err(ProblemError::NotUnit { index, what, length });
        }
        *v /= length;
    }
    let cosine = contact.normal.dot(&contact.tangent);
    if cosine.abs() > UNIT_TOLERANCE {
        return Err(ProblemError::NotPerpendicular { index, cosine });
    }
    let tangent = contact.tangent - contact.normal * cosine;
    contact.tangent = tangent / tangent.norm();
    if contact.normal_force < 0.0 {
        return Err(ProblemError::NegativeNormalForce { index, force: contact.normal_force });
    }
    let (mu_static, mu_kinetic) = (contact.mu_static, contact.mu_kinetic);
    if mu_kinetic < 0.0 || mu_kinetic > mu_static {
        return Err(ProblemError::BadFriction { index, mu_static, mu_kinetic });
    }
    Ok(contact)
}
