//! The common form of the solvers' questions, and the closed-form step that friction does not have to move.
//!
//! *Reduced form.* With M̃ = C Cᵀ and B = Cᵀ K⁻¹ the objective of the quadratic program (28)-(31) is
//! ½‖y‖², y = B (f + G β), since f + K q + G β = 0 gives Cᵀq = -y. For `hold`, K is replaced by -A and M̃ by A
//! with A = -sym(K): then q = A⁻¹(f + G β), y = -C⁻¹(f + G β) and the objective is the elastic energy.
//!
//! *Held step.* Let Z span null(Gᵀ). The minimiser of (28)-(30), without (31), is
//!
//! ```text
//! λ = Z (Zᵀ K M̃⁻¹ Kᵀ Z)⁻¹ Zᵀ f,      q* = -M̃⁻¹ Kᵀ λ
//! ```
//!
//! which satisfies (32)-(34): M̃ q* + Kᵀ λ = 0 and Gᵀ λ = 0. It does not depend on β, and Zᵀ(f + K q*) = 0.

use super::rank::NullSpace;
use super::{Method, Metric};
use crate::contact::ContactProblem;
use crate::small;
use crate::spatial::{Mat6, Vec6};

/// One tick's quadratic program in reduced form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// f: the wrench without friction.
    pub wrench: Vec6,
    /// K, or -A for `hold`.
    pub stiffness: Mat6,
    /// Its inverse.
    pub stiffness_inverse: Mat6,
    /// C, the lower Cholesky factor of the metric.
    pub metric_factor: Mat6,
    /// B = Cᵀ K⁻¹.
    pub b: Mat6,
    /// -sym(K) had to be shifted to be positive definite.
    pub shifted: bool,
}

impl Form {
    pub fn new(problem: &ContactProblem, method: Method) -> Self {
        let load = problem.load();
        let (wrench, k) = (load.wrench, load.stiffness);
        match method {
            // The last two are no methods of this solver.
            Method::Lp
            | Method::Qp(Metric::Mass)
            | Method::Yamane
            | Method::Frictionless
            | Method::Staggered
            | Method::GaussSeidel(_) => {
                let (k_inverse, c) = (*problem.stiffness_inverse(), *problem.mass_factor());
                let b = c.transpose() * k_inverse;
                Self { wrench, stiffness: k, stiffness_inverse: k_inverse, metric_factor: c, b, shifted: false }
            }
            Method::Qp(Metric::Stiffness) => {
                let (_, c, shifted) = stiffness_metric(&k);
                let k_inverse = *problem.stiffness_inverse();
                let b = c.transpose() * k_inverse;
                Self { wrench, stiffness: k, stiffness_inverse: k_inverse, metric_factor: c, b, shifted }
            }
            Method::Hold => {
                let (a, c, shifted) = stiffness_metric(&k);
                let c_inverse = small::invert_lower(&c);
                let a_inverse = c_inverse.transpose() * c_inverse;
                Self { wrench, stiffness: -a, stiffness_inverse: -a_inverse, metric_factor: c, b: -c_inverse, shifted }
            }
        }
    }

    /// The step that goes with a total friction wrench: q = -K⁻¹ (f + G β), refined once because K may be stiff in one
    /// direction and soft in another.
    pub fn step(&self, friction: &Vec6) -> Vec6 {
        let wrench = self.wrench + friction;
        let step = -(self.stiffness_inverse * wrench);
        step - self.stiffness_inverse * (wrench + self.stiffness * step)
    }

    /// The step that friction does not have to move, for a load `wrench`.
    pub fn held(&self, null: &NullSpace, wrench: &Vec6) -> Held {
        let n = null.dimension();
        if n == 0 {
            return Held::still(wrench);
        }
        // C⁻¹ Kᵀ Z = Q T with orthonormal Q, so that Zᵀ K M̃⁻¹ Kᵀ Z = Tᵀ T is never formed: its condition is squared.
        let (mut q, mut t) = ([Vec6::zeros(); 6], Mat6::identity());
        for j in 0..n {
            let mut v = small::solve_lower(&self.metric_factor, &(self.stiffness.transpose() * null.basis()[j]));
            t[(j, j)] = 0.0;
            for _ in 0..2 {
                for i in 0..j {
                    let along = q[i].dot(&v);
                    t[(i, j)] += along;
                    v -= q[i] * along;
                }
            }
            let length = v.norm();
            if !(length > 0.0) {
                return Held::still(wrench);
            }
            t[(j, j)] = length;
            q[j] = v / length;
        }
        let (mut step, mut lambda) = (Vec6::zeros(), Vec6::zeros());
        // Twice: the second time for what rounding left of Zᵀ(f + K q).
        for _ in 0..2 {
            let rest = wrench + self.stiffness * step;
            let (mut along, mut coefficients, mut sum) = ([0.0; 6], [0.0; 6], Vec6::zeros());
            for i in 0..n {
                along[i] = null.basis()[i].dot(&rest);
                for k in 0..i {
                    along[i] -= t[(k, i)] * along[k];
                }
                along[i] /= t[(i, i)];
                sum += q[i] * along[i];
            }
            for i in (0..n).rev() {
                coefficients[i] = along[i];
                for k in i + 1..n {
                    coefficients[i] -= t[(i, k)] * coefficients[k];
                }
                coefficients[i] /= t[(i, i)];
                lambda += null.basis()[i] * coefficients[i];
            }
            step -= small::solve_lower_transposed(&self.metric_factor, &sum);
        }
        let mut w = -(wrench + self.stiffness * step);
        // Zᵀw is zero but for the rounding of f + K q*, which may be all there is of w. Friction must not be asked to balance it.
        for _ in 0..2 {
            for z in null.basis() {
                w -= z * (z.dot(&w) / z.dot(z));
            }
        }
        Held { step, lambda, w }
    }
}

/// The step q* that friction does not have to move, and what friction would have to balance for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// q*.
    pub step: Vec6,
    /// λ.
    pub lambda: Vec6,
    /// w = -(f + K q*), in the range of G.
    pub w: Vec6,
}

impl Held {
    /// G has full rank: nothing moves.
    pub fn still(wrench: &Vec6) -> Self {
        Self { step: Vec6::zeros(), lambda: Vec6::zeros(), w: -wrench }
    }
}

/// A = -sym(K) with its Cholesky factor, shifted along its own diagonal until it is positive definite.
fn stiffness_metric(k: &Mat6) -> (Mat6, Mat6, bool) {
    let a = (k + k.transpose()) * -0.5;
    if let Some(c) = small::cholesky(&a) {
        return (a, c, false);
    }
    // A growing shift in proportion to the diagonal, because forces and torques have different units.
    let size = Vec6::from_fn(|i, _| a[(i, i)].abs());
    let floor = size.amax() * 1e-12 + 1e-300;
    let mut shift = 1e-6;
    for _ in 0..60 {
        let mut shifted = a;
        for i in 0..6 {
            shifted[(i, i)] += shift * size[i].max(floor);
        }
        if let Some(c) = small::cholesky(&shifted) {
            return (shifted, c, true);
        }
        shift *= 4.0;
    }
    (Mat6::identity(), Mat6::identity(), true)
}
