//! The virtual coupling: a spring between the hand's pose and the simulated part.
//!
//! Equations (5), (6) of *6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming*, with x_m, R_m the
//! hand's centre and rotation and x_s, R_s the part's:
//!
//! ```text
//! F = g(|e|) e/|e|,   e = x_m - x_s                     ∂F/∂x = -s I              s = g(|e|)/|e|   (secant)
//! τ = g(|θ|) θ/|θ|,   θ = log(R_m R_sᵀ)                  ∂τ/∂ω = -s_τ J⁻¹(θ)       J⁻¹ = I + ½[θ]× + c(|θ|) [θ]×²
//! ```
//!
//! with c(a) = 1/a² - (1 + cos a)/(2 a sin a) and the rotation updated from the left, R_s ← exp(\[Δω\]×) R_s. g is the
//! linear spring up to [`LINEAR`] of its limit; beyond, it goes over smoothly into a curve that never reaches the limit.
//!
//! Deviations from the paper: (6) subtracts rotation vectors, which is wrong for anything but small rotations about one
//! axis; forces saturate; and K gets the secant stiffness, so that a hard pull never makes it singular and one step
//! in free space lands on the hand whatever the pull. Where a rotation leaves the linear range, or [`EXACT_ANGLE`], the
//! derivative is the plain secant -s_τ I.

use crate::spatial::{self, Frame, Mat3, Mat6, Vec3, Vec6};

/// Share of the limit up to which a spring is exactly linear.
pub const LINEAR: f64 = 0.8;
/// Angle up to which the derivative of the rotation error is the exact one (rad).
pub const EXACT_ANGLE: f64 = 1.0;

/// A spring that pulls the part to the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// k_vc (N/m).
    pub stiffness: f64,
    /// k_vc,tor (N m/rad).
    pub torsion: f64,
    /// The force never reaches this (N).
    pub max_force: f64,
    /// The torque never reaches this (N m).
    pub max_torque: f64,
}

/// What the coupling does to the part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Force and torque on the part about its centre.
    pub wrench: Vec6,
    /// ∂(F, τ)/∂(x, ω), negative definite.
    pub stiffness: Mat6,
    /// Force or torque is beyond its linear range.
    pub saturated: bool,
}

impl Coupling {
    /// The pull of the hand on the part.
    pub fn pull(&self, hand: &Frame, part: &Frame) -> Pull {
        let error = hand.centre - part.centre;
        let angle = spatial::log(&(hand.rotation * part.rotation.inverse()));
        let (force, s, bent) = spring(&error, self.stiffness, self.max_force);
        let (torque, s_tor, twisted) = spring(&angle, self.torsion, self.max_torque);
        let mut k = Mat6::zeros();
        k.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * -s));
        let a = angle.norm();
        let derivative = if twisted || a > EXACT_ANGLE { Mat3::identity() } else { inverse_jacobian(&angle, a) };
        k.fixed_view_mut::<3, 3>(3, 3).copy_from(&(derivative * -s_tor));
        Pull { wrench: spatial::join(force, torque), stiffness: k, saturated: bent || twisted }
    }
}

/// Force, secant stiffness, and whether it is beyond the linear range.
fn spring(error: &Vec3, stiffness: f64, limit: f64) -> (Vec3, f64, bool) {
    let length = error.norm();
    let linear = LINEAR * limit;
    let excess = stiffness * length - linear;
    if !(excess > 0.0) {
        return (error * stiffness, stiffness, false);
    }
    // C¹ at the join: slope `stiffness` there, and the limit at infinity.
    let t = excess / (limit - linear);
    let force = linear + (limit - linear) * (t / (1.0 + t));
    let secant = force / length;
    (error * secant, secant, true)
}

/// J_r⁻¹(θ).
fn inverse_jacobian(angle: &Vec3, a: f64) -> Mat3 {
    let c = if a < 1e-2 {
        // 1/12 + a²/720 + a⁴/30240
        1.0 / 12.0 + a * a * (1.0 / 720.0 + a * a / 30240.0)
    } else {
        1.0 / (a * a) - (1.0 + libm::cos(a)) / (2.0 * a * libm::sin(a))
    };
    let x = spatial::cross_matrix(*angle);
    Mat3::identity() + x * 0.5 + x * x * c
}
