//! Two hands, each with a part that is the other's fixed one.
//!
//! Each part's engine finds its equilibrium in the axes of the other part, so what friction holds goes along. But where friction holds both, neither
//! engine moves the two of them together, whatever the hands pull: in its own engine each part hangs on the other. That motion is made here,
//! before each cycle: by Newton's third law contact forces cancel in the sum, so the pair as one body is in equilibrium where
//!
//! ```text
//! F = Σ F_i = 0,   T = Σ τ_i + r_i × F_i = 0        F_i, τ_i coupling and load on part i about its centre, r_i from the point between the centres
//! δx = β F/Σ k_i,   δω = β T/Σ (t_i + k_i |r_i|²)   k_i, t_i stiffness and torsion of the couplings
//! ```
//!
//! Both parts are seen moved by (δx, δω): their relative pose, contacts and slip memory stay as they are. With linear springs |F| falls by 1 - β a
//! cycle; the stiffness in rotation is an upper bound, so that falls no faster. Saturated springs are softer and take longer. Nothing is moved without
//! contact, or where a hand is not known.

use crate::servo::Output;
use stiction::coupling::Coupling;
use stiction::spatial::{Pose, Vec3, exp, halves};
use stiction::trace::Flags;

/// β: half, since contacts yield in the same cycle.
const SHARE: f64 = 0.5;

/// Where each of two parts is to be seen by the other's hand, after a cycle of both (world from part).
pub fn seen(parts: [&Output; 2], couplings: [&Coupling; 2]) -> [Pose; 2] {
    let poses = parts.map(|p| p.part);
    let known = parts.iter().all(|p| p.trace.contacts > 0 && !p.trace.flags.has(Flags::BAD_HAND));
    if !known {
        return poses;
    }
    let pulls = parts.map(pull);
    let middle = (pulls[0].0 + pulls[1].0) * 0.5;
    let (mut force, mut torque, mut stiffness, mut torsion) = (Vec3::zeros(), Vec3::zeros(), 0.0, 0.0);
    for ((centre, f, t), coupling) in pulls.iter().zip(couplings) {
        let arm = centre - middle;
        force += f;
        torque += t + arm.cross(f);
        stiffness += coupling.stiffness;
        torsion += coupling.torsion + coupling.stiffness * arm.norm_squared();
    }
    let (shift, turn) = (force * (SHARE / stiffness), exp(&(torque * (SHARE / torsion))));
    if !(shift.norm() < 1.0) {
        return poses;
    }
    poses.map(|p| {
        let place = middle + shift + turn * (p.translation.vector - middle);
        Pose::from_parts(place.into(), turn * p.rotation)
    })
}

/// A part's centre, and force and torque of coupling and load about it, in the world.
fn pull(part: &Output) -> (Vec3, Vec3, Vec3) {
    let trace = &part.trace;
    let axes = part.part * trace.part.inverse();
    let (force, torque) = halves(&(trace.load - trace.device));
    let centre = axes * nalgebra::Point3::from(trace.centre);
    (centre.coords, axes.rotation * force, axes.rotation * torque)
}
