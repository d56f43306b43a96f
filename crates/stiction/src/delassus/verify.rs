//! How far forces are from Signorini's condition and Coulomb's law, from (1)-(3) of the module alone. Shares no code with the solvers.
//!
//! The natural map of the cone complementarity problem (V. Acary, B. Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, chapter 13):
//!
//! ```text
//! e_i = r_i - P_K(r_i - ρ_i ũ_i),   ũ_i = u_i + µ_i‖u_t,i‖ (1, 0, 0),   u = W r + q            zero where and only where (1)-(3) hold
//! residual = √(Σ (‖e_i‖/ρ_i)²) / ‖q‖
//! ```
//!
//! **Scale.** ρ_i = 3/tr(W_ii), the inverse of the contact's mean compliance (of the mean of all contacts, where W_ii is zero), turns forces into velocities: e_i/ρ_i is the velocity by which the contact
//! misses its law. It is told as a share of ‖q‖, the velocities that contacts have to deal with, so that the residual is the same in any units of force, length or time. Where q is zero, no force is
//! the answer, and the residual is told in velocities. (Siconos takes ρ = 1 for all contacts, which depends on the units.)
//!
//! For an inscribed regular polygon with vertices at µ r_n, (3) says that friction is what dissipates most among the polygon's points, and the map is that of P. Alart and A. Curnier (1991):
//!
//! ```text
//! e_n = r_n - max(0, r_n - ρ u_n),   e_t = r_t - P(r_t - ρ u_t),   P onto µ r_n times the polygon
//! ```

use super::operator::Delassus;
use super::problem::ConeProblem;
use crate::friction::Cone;
use crate::spatial::Vec3;

/// The residual of forces for Coulomb's cone; infinite where their number is not that of the contacts, or one is not finite. `motion` is memory; it needs room for the operator's
/// [`motion_capacity`](Delassus::motion_capacity).
pub fn residual<W: Delassus>(problem: &ConeProblem<W>, forces: &[Vec3], motion: &mut Vec<f64>) -> f64 {
    let miss = |r: &Vec3, u: &Vec3, mu: f64, rho: f64| {
        let slip = (u.y * u.y + u.z * u.z).sqrt();
        let moved = Vec3::new(r.x - rho * (u.x + mu * slip), r.y - rho * u.y, r.z - rho * u.z);
        r - onto_cone(&moved, mu)
    };
    measured(problem, forces, motion, miss)
}

/// The residual of forces for a friction cone of the given kind: Coulomb's own, or an inscribed or circumscribed regular polygon with a vertex along the first tangent.
pub fn residual_of<W: Delassus>(problem: &ConeProblem<W>, forces: &[Vec3], cone: Cone, motion: &mut Vec<f64>) -> f64 {
    let Cone::Polygon { sides, fit } = cone else { return residual(problem, forces, motion) };
    let sides = sides.clamp(3, Cone::MAX_SIDES);
    let turn = std::f64::consts::TAU / sides as f64;
    let mut vertices = [[0.0; 2]; Cone::MAX_SIDES];
    let reach = match fit {
        crate::friction::Fit::Inscribed => 1.0,
        crate::friction::Fit::Circumscribed => 1.0 / libm::cos(0.5 * turn),
    };
    for (i, vertex) in vertices[..sides].iter_mut().enumerate() {
        *vertex = [reach * libm::cos(turn * i as f64), reach * libm::sin(turn * i as f64)];
    }
    let vertices = &vertices[..sides];
    let miss = |r: &Vec3, u: &Vec3, mu: f64, rho: f64| {
        let [y, z] = onto_polygon([r.y - rho * u.y, r.z - rho * u.z], vertices, mu * r.x.max(0.0));
        Vec3::new(r.x - (r.x - rho * u.x).max(0.0), r.y - y, r.z - z)
    };
    measured(problem, forces, motion, miss)
}

/// The largest velocity by which contacts overlap more than they should: max(0, -u_n), as a share of ‖q‖ (or as it is, where q is zero).
pub fn penetration<W: Delassus>(problem: &ConeProblem<W>, forces: &[Vec3], motion: &mut Vec<f64>) -> f64 {
    if forces.len() != problem.len() {
        return f64::INFINITY;
    }
    let mut worst = 0.0f64;
    velocities(problem, forces, motion, |_, u| worst = worst.max(-u.x));
    let size = scale(problem);
    if size > 0.0 { worst / size } else { worst }
}

/// Gives the velocity u = W r + q of every contact, with its number.
pub fn velocities<W: Delassus>(
    problem: &ConeProblem<W>,
    forces: &[Vec3],
    motion: &mut Vec<f64>,
    mut each: impl FnMut(usize, &Vec3),
) {
    let w = problem.operator();
    motion.clear();
    motion.resize(w.motion_len(), 0.0);
    forces.iter().enumerate().take(problem.len()).for_each(|(i, force)| w.change(motion, i, force));
    for (i, contact) in problem.contacts().iter().enumerate() {
        each(i, &(w.velocity(motion, i) + contact.free));
    }
}

/// ‖q‖.
fn scale<W: Delassus>(problem: &ConeProblem<W>) -> f64 {
    problem.contacts().iter().map(|c| c.free.norm_squared()).sum::<f64>().sqrt()
}

/// The size of all misses, as velocities, as a share of ‖q‖.
fn measured<W: Delassus>(
    problem: &ConeProblem<W>,
    forces: &[Vec3],
    motion: &mut Vec<f64>,
    miss: impl Fn(&Vec3, &Vec3, f64, f64) -> Vec3,
) -> f64 {
    let n = problem.len();
    if forces.len() != n || !forces.iter().all(|r| r.iter().all(|x| x.is_finite())) {
        return f64::INFINITY;
    }
    let w = problem.operator();
    let mean = (0..n).map(|i| w.diagonal(i).trace()).sum::<f64>() / (3 * n).max(1) as f64;
    let mut sum = 0.0;
    velocities(problem, forces, motion, |i, u| {
        let own = w.diagonal(i).trace() / 3.0;
        let compliance = if own > 0.0 { own } else { mean };
        let rho = if compliance > 0.0 { 1.0 / compliance } else { 1.0 };
        sum += miss(&forces[i], u, problem.contacts()[i].mu, rho).norm_squared() / (rho * rho);
    });
    let (error, size) = (sum.sqrt(), scale(problem));
    let found = if size > 0.0 { error / size } else { error };
    if found.is_nan() { f64::INFINITY } else { found }
}

/// The point of {‖x_t‖ ≤ µ x_n} nearest to a point.
fn onto_cone(x: &Vec3, mu: f64) -> Vec3 {
    let side = (x.y * x.y + x.z * x.z).sqrt();
    if side <= mu * x.x {
        return *x;
    }
    if mu * side <= -x.x {
        return Vec3::zeros();
    }
    let n = (x.x + mu * side) / (1.0 + mu * mu);
    if side > 0.0 { Vec3::new(n, mu * n * x.y / side, mu * n * x.z / side) } else { Vec3::new(n, 0.0, 0.0) }
}

/// The point of a polygon with these vertices, times a radius, that is nearest to a point: the nearest of all edges' nearest points, unless the point is inside.
fn onto_polygon(x: [f64; 2], vertices: &[[f64; 2]], radius: f64) -> [f64; 2] {
    let (mut inside, mut best, mut nearest) = (true, f64::INFINITY, x);
    for (i, a) in vertices.iter().enumerate() {
        let b = vertices[(i + 1) % vertices.len()];
        let (a, b) = (a.map(|c| radius * c), b.map(|c| radius * c));
        let along = [b[0] - a[0], b[1] - a[1]];
        let off = [x[0] - a[0], x[1] - a[1]];
        inside &= along[0] * off[1] - along[1] * off[0] >= 0.0;
        let square = along[0] * along[0] + along[1] * along[1];
        let share = (along[0] * off[0] + along[1] * off[1]) / square;
        let t = if square > 0.0 { share.clamp(0.0, 1.0) } else { 0.0 };
        let p = [a[0] + t * along[0], a[1] + t * along[1]];
        let d = (p[0] - x[0]) * (p[0] - x[0]) + (p[1] - x[1]) * (p[1] - x[1]);
        if d < best {
            (best, nearest) = (d, p);
        }
    }
    if inside && radius > 0.0 { x } else { nearest }
}
