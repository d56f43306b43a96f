//! Contacts that are about to come apart carry no friction.
//!
//! Section 4.1 of *6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming* with the third condition, which its
//! section 5.6 adds. With f_a the force that is applied to the part (coupling, gravity, loads), and the displacement of the contact in
//! the frictionless step, u = Δx + Δω × r, (Δx, Δω) = -K⁻¹f:
//!
//! ```text
//! separating  ⇔  u·N > 0  and  u·f_a > 0  and  f_a·N > 0
//! ```
//!
//! The first two alone, as printed in section 4.1, halve friction on a plane: without friction a pulled part rights itself,
//! half of its points rise a little and lose their grip. Deviations: all applied forces count, not the coupling's alone (a part
//! lying under its weight is pressed on, however the hand pulls), and u·N must be above [`LEAST`], not above rounding.

use super::penalty::Touch;
use crate::spatial::{Vec3, Vec6, halves};

/// Least predicted rise that counts (m).
pub const LEAST: f64 = 1e-9;

/// Whether any contact could separate: if not, the frictionless step need not be known.
pub fn possible(touches: &[Touch], applied: &Vec3) -> bool {
    touches.iter().any(|touch| touch.normal.dot(applied) > 0.0)
}

/// Whether a contact separates in the frictionless step, under the applied force.
pub fn separates(touch: &Touch, applied: &Vec3, frictionless: &Vec6) -> bool {
    let (translation, rotation) = halves(frictionless);
    let u = translation + rotation.cross(&touch.arm);
    touch.normal.dot(applied) > 0.0 && u.dot(&touch.normal) > LEAST && u.dot(applied) > 0.0
}
