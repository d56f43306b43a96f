//! Laws of one contact while the forces of all others stand still: what Gauss-Seidel does at each contact.
//!
//! With W = W_ii, u the velocity with the present force f, and w_t the mean of both tangential diagonal entries:
//!
//! ```text
//! graph intersection   f_n ← max(0, f_n - u_n/W_nn);  u_t ← u_t + W_tn Δf_n;  f_t ← the point of the disk µ f_n nearest to f_t - u_t/w_t
//! bipotential          f ← the point of K nearest to f - ρ(u + µ‖u_t‖ (1, 0, 0))
//! exact                f solves (1)-(3) of the module with W_ii and v = u - W_ii f
//! ```
//!
//! **Graph intersection**: C. Duriez et al., *Realistic haptic rendering of interacting deformable objects in virtual environments* (IEEE TVCG 12, 2006), Algorithm 1, whose listing is not in our text; as the
//! authors' published code has it (physics notes, 7.1). **Bipotential**: G. de Saxcé and Z.-Q. Feng. Deviations: ρ = 1/‖W_ii‖ (Frobenius) and not 3/tr(W_ii), which is too long a step where one direction is
//! much softer than the others; and the projection onto K is the exact one.
//!
//! **Exact**, derived: v_n ≥ 0 comes apart. Otherwise u_n = 0, and with the Schur complement S = W_tt - W_tn W_nt/W_nn and b = v_t - W_tn v_n/W_nn, Coulomb's law is
//!
//! ```text
//! r_t(λ) = -(S + λ)⁻¹ b,   r_n(λ) = -(v_n + W_nt r_t)/W_nn,   λ = 0 if ‖r_t(0)‖ ≤ µ r_n(0), else λ > 0 with ‖r_t(λ)‖ = µ r_n(λ)
//! ```
//!
//! ‖r_t‖ - µ r_n is positive at 0 then, and not positive from λ = ‖b‖(W_nn + µ‖W_nt‖)/(-µ v_n) on, so that a root always exists. (O. Bonnefon and G. Daviet, 2011, write it as a quartic.) It is found by Newton's method on µ r_n/‖r_t‖ - 1,
//! nearly linear in λ, between bounds that close in.

use crate::named;
use crate::spatial::{Mat3, Vec3};

named! {
    /// What Gauss-Seidel does at one contact.
    pub enum LocalRule {
        /// Normal, then friction with one tangential compliance for both directions: Duriez's rule.
        GraphIntersection = "graph-intersection",
        /// A projection onto the cone: de Saxcé's and Feng's rule.
        Bipotential = "bipotential",
        /// Signorini's condition and Coulomb's law of the one contact, solved.
        Exact = "exact",
    }
}

/// The most trials of λ.
const TRIALS: u32 = 60;
/// The least share of W_nn that an eigenvalue of S counts for.
const LEAST: f64 = 1e-14;

/// A contact with everything that depends on W_ii and µ alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalContact {
    pub block: Mat3,
    mu: f64,
    /// 1/W_nn; zero where the contact does not give way, and then carries no force.
    per_normal: f64,
    per_tangential: f64,
    rho: f64,
    /// W_tn/W_nn.
    coupling: [f64; 2],
    /// Unit eigenvector of S, and both eigenvalues.
    axis: [f64; 2],
    stiffness: [f64; 2],
}

impl LocalContact {
    /// For a diagonal block and µ; `mean` is the mean diagonal entry of W.
    pub fn new(block: &Mat3, mu: f64, mean: f64) -> Self {
        let normal = block[(0, 0)];
        let gives = normal > LEAST * mean;
        let inverse = |x: f64| if x > LEAST * mean { 1.0 / x } else { 0.0 };
        let tangential = 0.5 * (block[(1, 1)] + block[(2, 2)]);
        let coupling = [1, 2].map(|k| block[(k, 0)] * inverse(normal));
        let schur = |i: usize, j: usize| block[(i + 1, j + 1)] - block[(i + 1, 0)] * coupling[j];
        let (a, b, c) = (schur(0, 0), 0.5 * (schur(0, 1) + schur(1, 0)), schur(1, 1));
        // Half of the difference of the diagonal, and the radius of Mohr's circle.
        let half = 0.5 * (a - c);
        let radius = (half * half + b * b).sqrt();
        let (x, y) = if half >= 0.0 { (radius + half, b) } else { (b, radius - half) };
        let length = (x * x + y * y).sqrt();
        let axis = if length > 0.0 { [x / length, y / length] } else { [1.0, 0.0] };
        let centre = 0.5 * (a + c);
        let least = LEAST * (normal + tangential);
        LocalContact {
            block: *block,
            mu,
            per_normal: if gives { 1.0 / normal } else { 0.0 },
            per_tangential: inverse(tangential),
            rho: inverse(block.norm()),
            coupling,
            axis,
            stiffness: [centre + radius, centre - radius].map(|s| s.max(least)),
        }
    }

    /// The new force for the velocity u with the present one.
    #[inline]
    pub fn update(&self, rule: LocalRule, u: &Vec3, force: &Vec3) -> Vec3 {
        if self.per_normal == 0.0 {
            return Vec3::zeros();
        }
        match rule {
            LocalRule::GraphIntersection => self.graph_intersection(u, force),
            LocalRule::Bipotential => self.bipotential(u, force),
            LocalRule::Exact => self.exact(&(u - self.block * force)),
        }
    }

    fn graph_intersection(&self, u: &Vec3, force: &Vec3) -> Vec3 {
        let normal = force.x - u.x * self.per_normal;
        if !(normal > 0.0) {
            return Vec3::zeros();
        }
        let change = normal - force.x;
        let step = |k: usize| force[k] - (u[k] + self.block[(k, 0)] * change) * self.per_tangential;
        let (mut y, mut z) = (step(1), step(2));
        let (square, limit) = (y * y + z * z, self.mu * normal);
        if square > limit * limit {
            let scale = limit / square.sqrt();
            (y, z) = (y * scale, z * scale);
        }
        Vec3::new(normal, y, z)
    }

    fn bipotential(&self, u: &Vec3, force: &Vec3) -> Vec3 {
        let (rho, mu) = (self.rho, self.mu);
        let slip = (u.y * u.y + u.z * u.z).sqrt();
        let [x, y, z] = [force.x - rho * (u.x + mu * slip), force.y - rho * u.y, force.z - rho * u.z];
        let side = (y * y + z * z).sqrt();
        if side <= mu * x {
            return Vec3::new(x, y, z);
        }
        if mu * side <= -x {
            return Vec3::zeros();
        }
        let normal = (x + mu * side) / (1.0 + mu * mu);
        let scale = if side > 0.0 { mu * normal / side } else { 0.0 };
        Vec3::new(normal, scale * y, scale * z)
    }

    fn exact(&self, v: &Vec3) -> Vec3 {
        if !(v.x < 0.0) {
            return Vec3::zeros();
        }
        let alone = -v.x * self.per_normal;
        if self.mu == 0.0 {
            return Vec3::new(alone, 0.0, 0.0);
        }
        let turned = |y: f64, z: f64| [self.axis[0] * y + self.axis[1] * z, self.axis[0] * z - self.axis[1] * y];
        let b = turned(v.y - self.coupling[0] * v.x, v.z - self.coupling[1] * v.x);
        let along = turned(self.coupling[0], self.coupling[1]);
        // r_t in the axes of S, ‖r_t‖ and r_n.
        let at = |lambda: f64| {
            let t = [0, 1].map(|k| -b[k] / (self.stiffness[k] + lambda));
            (t, (t[0] * t[0] + t[1] * t[1]).sqrt(), alone - along[0] * t[0] - along[1] * t[1])
        };
        let back = |t: [f64; 2], normal: f64| {
            Vec3::new(normal, self.axis[0] * t[0] - self.axis[1] * t[1], self.axis[1] * t[0] + self.axis[0] * t[1])
        };
        let (t, size, normal) = at(0.0);
        if size <= self.mu * normal {
            return back(t, normal);
        }
        let size_b = (b[0] * b[0] + b[1] * b[1]).sqrt();
        let slant = (along[0] * along[0] + along[1] * along[1]).sqrt();
        let (mut low, mut high) = (0.0, size_b * (1.0 + self.mu * slant) / (self.mu * alone));
        let mut lambda = low;
        let mut found = (t, size, normal);
        for _ in 0..TRIALS {
            let (t, size, normal) = found;
            let ratio = self.mu * normal / size - 1.0;
            if ratio.abs() <= 1e-15 {
                break;
            }
            if ratio < 0.0 {
                low = lambda
            } else {
                high = lambda
            }
            let slope = [0, 1].map(|k| -t[k] / (self.stiffness[k] + lambda));
            let normal_slope = -along[0] * slope[0] - along[1] * slope[1];
            let size_slope = (t[0] * slope[0] + t[1] * slope[1]) / size;
            let ratio_slope = self.mu * (normal_slope - normal * size_slope / size) / size;
            let next = lambda - ratio / ratio_slope;
            let middle = if low > 0.0 && high > 16.0 * low { (low * high).sqrt() } else { 0.5 * (low + high) };
            let next = if next > low && next < high { next } else { middle };
            if next == lambda || !(high > low) {
                break;
            }
            lambda = next;
            found = at(lambda);
        }
        let (t, size, normal) = found;
        let normal = normal.max(0.0);
        let scale = if size > 0.0 { self.mu * normal / size } else { 0.0 };
        back([t[0] * scale, t[1] * scale], normal)
    }
}
