//! Checks an answer to (1)-(3) of the module from the contacts themselves, in plain numbers one contact after the other. Shares no code with the solver.
//!
//! For fixed limits L_i = µ_iF_i, q minimises the convex function (4) but for η; no other step is better by more than the sum of
//!
//! ```text
//! ½ (A q - w)ᵀA⁻¹(A q - w),  w = f + Σ J_iF_i + Σ G_iβ_i            what is left of the balance
//! ½ k_i d_i² + F_i²/(2 k_i) - F_i d_i,  d_i = max(0, δ_i - J_iᵀq)    whether each F_i follows from q
//! L_i‖u_i‖ + β_iᵀu_i                                                whether each β_i opposes its slip
//! ```
//!
//! which are not negative: the duality gap. That the limits are those of the step's own forces is seen from ‖β_i‖ ≤ µ_iF_i.

use super::problem::HardContact;
use crate::spatial::{Mat6, Vec3, Vec6, join};

/// A contact with the forces that an answer gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnsweredContact {
    /// The contact, as the solver was given it.
    pub contact: HardContact,
    /// F (N).
    pub force: f64,
    /// β, in world axes (N).
    pub friction: Vec3,
}

/// How well an answer satisfies (1)-(3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HardResiduals {
    /// Force (N) and torque (N m) that are left of the balance (1).
    pub unbalanced: [f64; 2],
    /// The largest difference between a normal force and (2) (N).
    pub normal_error: f64,
    /// The most by which a friction force is beyond its limit µF, or off its tangent plane (N).
    pub beyond_limit: f64,
    /// The duality gap of (4) for these limits (J).
    pub gap: f64,
    /// Σ L_i‖u_i‖ + β_iᵀu_i alone (J).
    pub slip_gap: f64,
}

/// Checks the step q of an answer to the problem with wrench f and stiffness A.
pub fn certify(f: &Vec6, a: &Mat6, step: &Vec6, contacts: impl IntoIterator<Item = AnsweredContact>) -> HardResiduals {
    let mut found = HardResiduals::default();
    let (dx, dw) = (Vec3::new(step[0], step[1], step[2]), Vec3::new(step[3], step[4], step[5]));
    let mut w = *f;
    for AnsweredContact { contact: c, force, friction } in contacts {
        let moved = dx + dw.cross(&c.arm);
        let depth = (c.depth - c.normal.dot(&moved)).max(0.0);
        found.normal_error = found.normal_error.max((force - c.stiffness * depth).abs());
        let limit = c.mu * force;
        let off_plane = friction.dot(&c.normal).abs();
        found.beyond_limit = found.beyond_limit.max(friction.norm() - limit).max(off_plane);
        let total = c.normal * force + friction;
        w += join(total, c.arm.cross(&total));
        // The remembered slip keeps its length when the tangent plane has turned.
        let flat = c.slip - c.normal * c.normal.dot(&c.slip);
        let kept = if flat.norm() > 0.5 * c.slip.norm() { flat * (c.slip.norm() / flat.norm()) } else { Vec3::zeros() };
        let slip = moved - c.normal * c.normal.dot(&moved) + kept;
        let rubs = limit * slip.norm() + friction.dot(&slip);
        found.slip_gap += rubs;
        found.gap += rubs;
        if c.stiffness > 0.0 {
            found.gap += 0.5 * c.stiffness * depth * depth + force * force / (2.0 * c.stiffness) - force * depth;
        }
    }
    let left = w - a * step;
    found.unbalanced = [left.fixed_rows::<3>(0).norm(), left.fixed_rows::<3>(3).norm()];
    found.gap += a.lu().solve(&left).map_or(f64::INFINITY, |x| 0.5 * left.dot(&x));
    found
}
