//! Balancing a wrench by friction directly: the closed form that answers most ticks.
//!
//! Wanted: β with G β = w and β_i ∈ P_i. Of all β with G β = w, the one that minimises Σ ‖β_i‖²/L_i² is
//!
//! ```text
//! β_i = L_i² G_iᵀ ν,      (Σ L_i² G_i G_iᵀ) ν = w
//! ```
//!
//! and m_i = ‖β_i‖/L_i says how far each limit is used. If every β_i is admissible, friction balances w: proved.
//! Since νᵀw = Σ m_i² and the largest νᵀGβ over disks is Σ m_i, Σ m_i² > Σ m_i proves the opposite: ν is a twist
//! that friction cannot stop. In between, a few Newton steps towards the analytic centre of
//! { β : G β = w, ‖β_i‖ < R_i } follow, R_i the radius of the disk inside P_i: with c_i = (R_i² - ‖β_i‖²)/2
//! and the barrier -Σ log c_i,
//!
//! ```text
//! W_i = c_i (I - β_i β_iᵀ/(c_i + ‖β_i‖²)),   dβ_i = W_i (G_iᵀ ν - β_i/c_i),   Σ G_i W_i G_iᵀ ν = r + Σ G_i W_i β_i/c_i
//! ```
//!
//! with r = w - G β. The first full step that stays admissible balances w exactly (Boyd & Vandenberghe, *Convex
//! Optimization*, section 10.3, infeasible start Newton method).

use super::cone::Shape;
use super::passes::{self, GramSum, Pair, Wide6, WrenchSum, transposed};
use super::rank::{NullSpace, row_scale};
use crate::contact::{Block, Lane};
use crate::small::{self, ScaledCholesky};
use crate::spatial::Vec6;

/// Newton steps towards the centre before the question is handed to a solver that always terminates: many where the
/// disk is the limit itself, few where it lies inside a polygon that the corral decides exactly.
const CENTRING_STEPS_DISK: u32 = 10;
const CENTRING_STEPS_POLYGON: u32 = 3;
/// A step shorter than this gets nowhere.
const SHORT_STEP: f64 = 0.02;
/// Least-norm friction beyond this multiple of the limits is not worth centring.
const WORTH_CENTRING: f64 = 2.5;
/// How much of the way to the boundary a step that leaves the disk may go.
const TO_BOUNDARY: f64 = 0.95;
/// Unbalanced rest, relative to w, that counts as rounding.
const BALANCED: f64 = 1e-13;

/// What a try to balance w found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    /// `friction` balances w within every limit.
    Balanced,
    /// ν: friction cannot balance w, seen along this twist (for disks of the polygons' outer radius).
    Impossible(Vec6),
    /// Not decided here.
    Unknown,
}

/// The contacts and the wrench to be balanced.
pub(super) struct Task<'a, S: Shape> {
    pub blocks: &'a [Block],
    pub limits: &'a [Lane],
    pub shape: S,
    /// Radius of the disk inside P_i, for L = 1.
    pub inner: f64,
    /// Radius of the disk about P_i, for L = 1.
    pub outer: f64,
    /// Torque rows are divided by this length when residuals are measured.
    pub length: f64,
    pub w: &'a Vec6,
    /// The directions that no tangent reaches, to be filled in Gram matrices.
    pub null: &'a NullSpace,
}

/// Tries to balance w. `factor` is that of Σ L_i² G_i G_iᵀ. Returns the outcome, G β and the number of passes.
pub(super) fn balance<S: Shape>(
    task: &Task<S>,
    factor: &ScaledCholesky,
    friction: &mut [Pair],
) -> (Outcome, Vec6, u32) {
    let scale = row_scale(1.0 / task.length);
    let size = |v: &Vec6| v.component_mul(&scale).norm();
    let target = size(task.w);
    let mut nu = factor.solve(task.w);
    let mut wrench = Vec6::zeros();
    // Least norm, then refinement of the same system if rounding left something.
    for attempt in 0..3 {
        let passes = attempt + 1;
        let found = least_norm_pass(task, &nu, attempt > 0, friction);
        wrench = found.wrench;
        if found.most_used > 1.0 {
            if attempt == 0 && found.sum_of_squares > task.outer * found.sum * (1.0 + 1e-9) {
                return (Outcome::Impossible(nu), wrench, passes);
            }
            if attempt > 0 || found.most_used > WORTH_CENTRING {
                return (Outcome::Unknown, wrench, passes);
            }
            return centre(task, friction, passes);
        }
        let rest = task.w - wrench;
        if size(&rest) <= BALANCED * target {
            return (Outcome::Balanced, wrench, passes);
        }
        nu = factor.solve(&rest);
    }
    let balanced = size(&(task.w - wrench)) <= 100.0 * BALANCED * target;
    (if balanced { Outcome::Balanced } else { Outcome::Unknown }, wrench, 3)
}

struct LeastNorm {
    wrench: Vec6,
    /// max m_i, by the gauge of P_i.
    most_used: f64,
    /// Σ m_i and Σ m_i², by the disk.
    sum: f64,
    sum_of_squares: f64,
}

fn least_norm_pass<S: Shape>(task: &Task<S>, nu: &Vec6, add: bool, friction: &mut [Pair]) -> LeastNorm {
    let nu = Wide6::splat(nu);
    let keep = if add { Lane::ONE } else { Lane::ZERO };
    let (mut wrench, mut most) = (WrenchSum::default(), Lane::ZERO);
    let (mut sum, mut squares) = (Lane::ZERO, Lane::ZERO);
    for ((block, &limit), out) in task.blocks.iter().zip(task.limits).zip(friction) {
        let d = transposed(block, &nu);
        let weight = limit * limit;
        *out = [out[0] * keep + d[0] * weight, out[1] * keep + d[1] * weight];
        wrench.add(block, out);
        // Used part of the limit; a limit of zero carries nothing and uses nothing.
        most = most.fast_max(task.shape.gauge(*out) / limit.fast_max(Lane::splat(f64::MIN_POSITIVE)));
        let used = (d[0] * d[0] + d[1] * d[1]) * weight;
        squares += used;
        sum += used.sqrt();
    }
    LeastNorm {
        wrench: wrench.total(),
        most_used: passes::largest(most),
        sum: passes::total(sum),
        sum_of_squares: passes::total(squares),
    }
}

/// Newton steps towards the analytic centre, from friction scaled back into the disks.
fn centre<S: Shape>(task: &Task<S>, friction: &mut [Pair], mut passes: u32) -> (Outcome, Vec6, u32) {
    let inner = Lane::splat(task.inner);
    for (out, &limit) in friction.iter_mut().zip(task.limits) {
        // Radially back to at most 0.8 of the disk: a start inside that keeps the least-norm pattern.
        let most = limit * inner * Lane::splat(0.8);
        let length = (out[0] * out[0] + out[1] * out[1]).sqrt();
        let shrink = (most / length.fast_max(Lane::splat(1e-300))).fast_min(Lane::ONE);
        *out = [out[0] * shrink, out[1] * shrink];
    }
    let scale = row_scale(1.0 / task.length);
    let target = task.w.component_mul(&scale).norm();
    let steps = if task.outer > 1.0 || task.inner < 1.0 { CENTRING_STEPS_POLYGON } else { CENTRING_STEPS_DISK };
    for _ in 0..steps {
        let (mut gram, mut pull) = (GramSum::default(), WrenchSum::default());
        for ((block, &limit), b) in task.blocks.iter().zip(task.limits).zip(friction.iter()) {
            let w = Weights::at(b, limit * inner);
            gram.add(block, w.a, w.b, w.c);
            // What is already carried, less what centring takes back.
            let left = w.centring - Lane::ONE;
            pull.add(block, &[b[0] * left, b[1] * left]);
        }
        let filled = task.null.fill(&gram.total(), task.length);
        let Some(factor) = small::cholesky_scaled(&filled) else { break };
        let nu = factor.solve(&(task.w + pull.total()));
        let wide = Wide6::splat(&nu);
        let (mut admissible, mut longest, mut carried) = (true, Lane::ONE, WrenchSum::default());
        let mut most = Lane::ZERO;
        for ((block, &limit), b) in task.blocks.iter().zip(task.limits).zip(friction.iter()) {
            let d = transposed(block, &wide);
            let step = Weights::at(b, limit * inner).step(b, d);
            let full = [b[0] + step[0], b[1] + step[1]];
            admissible &= !task.shape.gauge(full).simd_gt(limit).any();
            longest = longest.fast_min(to_boundary(b, &step, limit * inner));
            carried.add(block, &full);
            let extreme = task.shape.extreme(d, limit);
            most += extreme[0] * d[0] + extreme[1] * d[1];
        }
        passes += 2;
        if nu.dot(task.w) > passes::total(most) * (1.0 + 1e-9) {
            return (Outcome::Impossible(nu), Vec6::zeros(), passes);
        }
        let reach = passes::smallest(longest).min(1.0);
        let alpha = Lane::splat(if admissible { 1.0 } else { reach * TO_BOUNDARY });
        for ((block, &limit), b) in task.blocks.iter().zip(task.limits).zip(friction.iter_mut()) {
            let step = Weights::at(b, limit * inner).step(b, transposed(block, &wide));
            *b = [b[0] + step[0] * alpha, b[1] + step[1] * alpha];
        }
        passes += 1;
        if admissible {
            let wrench = carried.total();
            let rest = (task.w - wrench).component_mul(&scale).norm();
            let balanced = rest <= 100.0 * BALANCED * target;
            return (if balanced { Outcome::Balanced } else { Outcome::Unknown }, wrench, passes);
        }
        if reach < SHORT_STEP {
            break;
        }
    }
    (Outcome::Unknown, Vec6::zeros(), passes)
}

/// W_i as [[a, c], [c, b]], and the factor of W_i β_i/c_i = centring β_i.
struct Weights {
    a: Lane,
    b: Lane,
    c: Lane,
    centring: Lane,
}

impl Weights {
    #[inline(always)]
    fn at(b: &Pair, radius: Lane) -> Self {
        let squared = b[0] * b[0] + b[1] * b[1];
        let slack = (radius * radius - squared) * Lane::HALF;
        let ratio = slack / (slack + squared).fast_max(Lane::splat(1e-300));
        // c_i/(c_i + ‖β_i‖²) is both the factor of β_iβ_iᵀ in W_i and of the pull to the centre.
        Self {
            a: slack - ratio * b[0] * b[0],
            b: slack - ratio * b[1] * b[1],
            c: -(ratio * b[0] * b[1]),
            centring: ratio,
        }
    }

    #[inline(always)]
    fn step(&self, b: &Pair, d: Pair) -> Pair {
        [self.a * d[0] + self.c * d[1] - self.centring * b[0], self.c * d[0] + self.b * d[1] - self.centring * b[1]]
    }
}

/// The largest α ≥ 0 with ‖b + α step‖ ≤ radius.
#[inline(always)]
fn to_boundary(b: &Pair, step: &Pair, radius: Lane) -> Lane {
    let along = b[0] * step[0] + b[1] * step[1];
    let squared = step[0] * step[0] + step[1] * step[1];
    let room = (radius * radius - (b[0] * b[0] + b[1] * b[1])).fast_max(Lane::ZERO);
    // The positive root of squared α² + 2 along α - room = 0, without cancellation for steps that go outwards.
    let root = (along * along + squared * room).sqrt();
    let denominator = along + root;
    let outward = denominator.simd_gt(Lane::ZERO);
    outward.select(room / denominator.fast_max(Lane::splat(1e-300)), Lane::splat(f64::INFINITY))
}
