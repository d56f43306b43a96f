//! How far a grip is from slipping: on demand, or at display rate.
//!
//! *Ray margin.* The smallest s with w ∈ s Σ G_i P_i, w = -(f + K q*): every µ could fall to s µ before the linear
//! program (32)-(37) lets go. With the support function σ(y) = Σ max yᵀG_iβ_i,
//!
//! ```text
//! s* = max over y of yᵀw/σ(y)
//! ```
//!
//! found by W. Dinkelbach's method (Management Science 13, 1967): for a lower bound s, a twist y that separates w/s
//! from Σ G_i P_i gives the larger bound yᵀw/σ(y); when none exists, s = s*.
//!
//! *Robust margin.* The smallest factor on all limits for which the solver's own method still calls the part held:
//! every contact within the micro-slip tolerance. Found by bisection with warm-started solves, to 0.1 %. For `lp`
//! it is the ray margin to that accuracy; for `qp` and `hold` it does not jump when normals become noisy.
//!
//! Both take normal forces as given, as penalty contacts do. Those of hard contacts change when friction does: `hard/margin.rs`.

use super::cone::Shape;
use super::corral::Set;
use super::form::Form;
use super::lp::whitening;
use super::rank::{self, NullSpace};
use super::solver::{FrictionSolver, SolverError};
use super::{Verdict, passes};
use crate::contact::ContactProblem;
use crate::spatial::{Mat6, Vec6};

/// Relative growth of the lower bound that ends the search for the ray margin.
const RAY_TOLERANCE: f64 = 1e-10;
/// Growth of the lower bound by which a search in other coordinates must be better to count.
const BETTER: f64 = 1.0 + 1e-6;
/// Ratio of upper and lower bound that ends the bisection for the robust margin.
const ROBUST_TOLERANCE: f64 = 1.001;
/// Factors beyond these count as zero and infinity.
const RANGE: (f64, f64) = (1e-9, 1e9);

impl FrictionSolver {
    /// The ray margin: 0 without load, below 1 when the linear program holds, infinite when no friction limit, however
    /// large, would hold. Does not allocate; the last answer is recomputed.
    pub fn ray_margin(&mut self, problem: &ContactProblem) -> Result<f64, SolverError> {
        self.solve(problem)?;
        let table = self.table.take();
        let margin = super::solver::with_shape!(table.as_deref(), shape => self.ray_margin_with(problem, shape));
        self.table = table;
        self.solve(problem)?;
        Ok(margin)
    }

    /// The robust margin: 0 when the part would stay without any friction, infinite when no friction holds it. Does not
    /// allocate; the last answer is recomputed.
    pub fn robust_margin(&mut self, problem: &ContactProblem) -> Result<f64, SolverError> {
        let mut holds_at = |scale: f64| -> Result<bool, SolverError> {
            self.limit_scale = scale;
            let result = self.solve(problem).map(|answer| matches!(answer.verdict, Verdict::Holds | Verdict::Free));
            self.limit_scale = 1.0;
            result
        };
        let margin = least_scale(RANGE, &mut holds_at)?;
        self.solve(problem)?;
        Ok(margin)
    }

    /// The motion (m, rad) with which a part begins to slip where friction falls just below a margin: the step with limits a tenth below it less the
    /// step with limits a tenth above. Zero for a margin that is nothing or infinite. Does not allocate; the last answer is recomputed.
    pub fn gives_way(&mut self, problem: &ContactProblem, margin: f64) -> Result<Vec6, SolverError> {
        if !(margin > RANGE.0 && margin < RANGE.1) {
            return Ok(Vec6::zeros());
        }
        let mut step_at = |scale: f64| -> Result<Vec6, SolverError> {
            self.limit_scale = scale;
            let step = self.solve(problem).map(|answer| answer.step);
            self.limit_scale = 1.0;
            step
        };
        let motion = step_at(0.9 * margin)? - step_at(1.1 * margin)?;
        self.solve(problem)?;
        Ok(motion)
    }

    fn ray_margin_with<S: Shape>(&mut self, problem: &ContactProblem, shape: S) -> f64 {
        let n = problem.blocks().len();
        let limits = &self.common.solution.per_contact.limit[..n];
        let length = problem.length();
        let gram = passes::gram_by_limit(problem.blocks(), limits);
        let (null, _) = rank::null_space(problem.blocks(), length, &gram);
        let form = Form::new(problem, self.common.settings.method);
        let w = form.held(&null, &form.wrench).w;
        // Where rounding ends the search it goes on in other coordinates, and what it found before stands unless that is better by more than rounding.
        let mut b = Mat6::from_diagonal(&rank::row_scale(1.0 / length));
        let mut other = whitening(&gram, &null, length);
        let (mut plain, mut in_vain) = (None, false);
        self.weakest = Vec6::zeros();
        if (b * w).norm() <= 1e-14 * (b * form.wrench).norm() || null.dimension() == 6 {
            return 0.0;
        }
        let mut margin = 0.0;
        // The direction of the load itself is the first guess.
        let mut y = b * (b * w);
        for _ in 0..100 {
            // Friction supplies yᵀw against the load, which does work in -y.
            self.weakest = -plainest(&null, &y, length);
            let friction = &mut self.common.solution.per_contact.friction[..n];
            let most = y.dot(&passes::support(problem.blocks(), limits, shape, &y, friction));
            let bound = y.dot(&w) / most;
            if !(most > 0.0) || bound > RANGE.1 {
                return f64::INFINITY;
            }
            if bound <= margin * (1.0 + RAY_TOLERANCE) {
                // Both coordinates in turn have nothing better.
                if in_vain {
                    break;
                }
                in_vain = true;
                plain.get_or_insert((margin, self.weakest));
                std::mem::swap(&mut b, &mut other);
            } else {
                in_vain = false;
            }
            margin = margin.max(bound);
            let f = -w / margin;
            let set = Set { blocks: problem.blocks(), limits, shape, b: &b, f: &f };
            let x = self.workspace.separating(&set, self.common.settings.budget);
            if x.norm() <= 1e-12 * (b * f).norm() {
                break;
            }
            y = -(b.transpose() * x);
        }
        if let Some((found, weakest)) = plain.filter(|(found, _)| margin <= found * BETTER) {
            (margin, self.weakest) = (found, weakest);
        }
        margin
    }
}

/// The smallest factor on all limits with which a part holds: 0 where it holds with the least of the range, infinite where it does not with the largest.
pub(crate) fn least_scale<E>(range: (f64, f64), mut holds_at: impl FnMut(f64) -> Result<bool, E>) -> Result<f64, E> {
    if holds_at(range.0)? {
        return Ok(0.0);
    }
    // Bracket from the limits as they are, then bisect on a logarithmic scale.
    let (mut low, mut high) = range;
    let mut scale = 1.0;
    while scale > range.0 && scale < range.1 {
        if holds_at(scale)? {
            high = scale;
            scale *= 0.5;
        } else {
            low = scale;
            scale *= 2.0;
        }
        if low * 2.0 >= high {
            break;
        }
    }
    if !(high < range.1) {
        return Ok(f64::INFINITY);
    }
    while high > low * ROBUST_TOLERANCE {
        let middle = (low * high).sqrt();
        if holds_at(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

/// Weight of a rotation over a shift in [`plainest`].
const TURN: f64 = 1e3;

/// The twist that slips at every contact as `y` does and turns least: y - Z c, the least in diag(1, TURN·ℓ). A box that slides on a plane thus shifts,
/// instead of turning about an axis above it.
fn plainest(null: &NullSpace, y: &Vec6, length: f64) -> Vec6 {
    let weight = rank::row_scale(TURN * length);
    let mut rest = y.component_mul(&weight);
    let mut basis = [Vec6::zeros(); 6];
    for (k, z) in null.basis().iter().enumerate() {
        let mut axis = z.component_mul(&weight);
        for done in &basis[..k] {
            axis -= done * done.dot(&axis);
        }
        let size = axis.norm();
        basis[k] = if size > 0.0 { axis / size } else { axis };
        rest -= basis[k] * basis[k].dot(&rest);
    }
    rest.component_div(&weight)
}
