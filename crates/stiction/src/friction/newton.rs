//! A primal-dual Newton method in six dimensions for disks.
//!
//! The dual of the program in `interior.rs` has no constraints. With u_i(y) = G_iᵀBᵀy + s_i it is
//!
//! ```text
//! min over y ∈ R⁶ of  P(y) = ½‖y‖² - yᵀB f + Σ L_i ‖u_i(y)‖
//! ```
//!
//! a sum of Euclidean norms, solved here as in T. Chan, G. Golub, P. Mulet, *A nonlinear primal-dual method for
//! total variation-based image restoration*, SIAM J. Sci. Comput. 20 (1999), and K. Andersen, E. Christiansen,
//! A. Conn, M. Overton, *An efficient primal-dual interior-point method for minimizing a sum of Euclidean norms*,
//! SIAM J. Sci. Comput. 22 (2000): norms are smoothed to θ_i = √(‖u_i‖² + δ²), and Newton's method is applied to
//!
//! ```text
//! y = B (f + G β),      θ_i β_i + L_i u_i = 0
//! ```
//!
//! with β as unknowns of their own, which keeps it convergent where plain Newton on the smoothed P would not be:
//!
//! ```text
//! W_i = (L_i I + sym(β_i u_iᵀ)/θ_i)/θ_i,      (I + B (Σ G_i W_i G_iᵀ) Bᵀ) dy = B (f - Σ G_i L_i u_i/θ_i) - y
//! β_i ← the point of the disk nearest to  -L_i u_i/θ_i - W_i G_iᵀBᵀdy
//! ```
//!
//! The right-hand side is minus the gradient of the smoothed P, so dy always goes downhill; a step that does not
//! lower P is halved. δ follows the duality gap P(y) + ½‖y_β‖² + Σ s_iᵀβ_i, y_β = B (f + G β), so that it falls as
//! fast as the iteration really converges. One pass over the contacts per iteration.
//!
//! Every β is admissible; the best one so far, β = 0 included, is what a spent budget returns.

use super::cone::{Disk, Shape};
use super::passes::{self, GramSum, Pair, Wide6, WrenchSum, transposed};
use crate::contact::{Block, Lane};
use crate::small::{self, ScaledCholesky};
use crate::spatial::{Mat6, Vec6};

/// Gap, relative to the objective's scale, at which the answer is final.
const GAP_TOLERANCE: f64 = 1e-12;
/// Gap, relative to the objective's scale, that is accepted when rounding lets it fall no further.
const ROUNDING_GAP: f64 = 1e-9;
/// Smoothing, as a part of the gap per unit of friction limit.
const SMOOTHING: f64 = 0.03;

/// Iterations in which the gap may fail to halve before rounding is blamed.
const PATIENCE: u32 = 5;

/// Restarts before the method gives up.
const RESTARTS: u32 = 5;

/// The program to be solved, in the reduced form of `form.rs`.
pub(super) struct Program<'a> {
    pub blocks: &'a [Block],
    pub limits: &'a [Lane],
    pub anchors: &'a [Pair],
    pub b: &'a Mat6,
    pub f: &'a Vec6,
    /// Slip that is rounding (m): work of friction over it is the least scale of the objective.
    pub nothing: f64,
}

/// What a contact contributes to the next step.
#[derive(Clone, Copy, Debug, Default)]
struct Local {
    u: Pair,
    /// -L u/θ.
    base: Pair,
    /// W as [[a, c], [c, b]].
    w: [Lane; 3],
}

/// Sums of a pass.
struct Sums {
    schur: Mat6,
    base: Vec6,
    friction: Vec6,
    /// Σ L θ, Σ (L θ + βᵀu) (the gap, but for the smoothing), Σ sᵀβ.
    smoothed: f64,
    gap: f64,
    slip_work: f64,
}

/// Memory of the method: three generations of friction (so that the best is never lost), two of the rest.
#[derive(Clone, Debug)]
pub(super) struct Newton {
    friction: [Vec<Pair>; 3],
    local: [Vec<Local>; 2],
    /// Which generation of friction the last answer is.
    answer: usize,
    /// y of the last answer, to start the next from.
    pub y: Vec6,
    pub iterations: u32,
    pub passes: u32,
    pub gap: f64,
    pub converged: bool,
    pub stalled: bool,
}

impl Newton {
    pub fn with_capacity(blocks: usize) -> Self {
        let pairs = || vec![[Lane::ZERO; 2]; blocks];
        let locals = || vec![Local::default(); blocks];
        Self {
            friction: [pairs(), pairs(), pairs()],
            local: [locals(), locals()],
            answer: 0,
            y: Vec6::zeros(),
            iterations: 0,
            passes: 0,
            gap: f64::INFINITY,
            converged: false,
            stalled: false,
        }
    }

    /// Solves the program, from the given y or from the frictionless one; returns the best friction found. `rests` where the last
    /// answer may be this one's too.
    pub fn solve(&mut self, program: &Program, near: Option<Vec6>, rests: bool, budget: u32) -> &[Pair] {
        if !(rests && self.converged && self.still_answers(program)) {
            self.answer = self.iterate(program, near, budget);
        }
        &self.friction[self.answer][..program.blocks.len()]
    }

    /// Whether the last friction is optimal here as it was there: it is admissible, and its own gap proves it.
    fn still_answers(&mut self, program: &Program) -> bool {
        (self.iterations, self.passes) = (0, 0);
        let free = program.b * program.f;
        let (_, slip_work, limits) = self.survey(program, &Vec6::zeros());
        let scale = (0.5 * free.norm_squared() + slip_work).max(program.nothing * limits);
        let friction = self.friction[self.answer][..program.blocks.len()].iter().zip(program.limits);
        let admissible = friction
            .fold(0, |bits, (b, &limit)| bits | (b[0] * b[0] + b[1] * b[1]).simd_gt(limit * limit).to_bitmask());
        if admissible != 0 {
            return false;
        }
        let gap = self.gap_of(program, self.answer);
        // No worse than it was: at rest, rounding of the load must not make every other tick start afresh.
        let still = gap <= (GAP_TOLERANCE * scale).max((1.0 + 1e-3) * self.gap.min(ROUNDING_GAP * scale));
        if still {
            (self.gap, self.stalled) = (gap, false);
        }
        still
    }

    fn iterate(&mut self, program: &Program, near: Option<Vec6>, budget: u32) -> usize {
        (self.iterations, self.passes, self.gap) = (0, 0, f64::INFINITY);
        (self.converged, self.stalled) = (false, false);
        let free = program.b * program.f;
        let frictionless = 0.5 * free.norm_squared();
        let mut y = near.unwrap_or(free);
        let (work, slip_work, limits) = self.survey(program, &y);
        let scale = (frictionless + slip_work).max(program.nothing * limits);
        let accepted = ROUNDING_GAP * scale;
        self.friction[2][..program.blocks.len()].fill([Lane::ZERO; 2]);
        let (mut current, mut best, mut best_objective) = (0, 2, frictionless);
        if !(scale > 0.0) || limits == 0.0 {
            (self.converged, self.gap, self.y) = (true, 0.0, free);
            return best;
        }
        let mut delta = (if near.is_some() { 0.02 } else { 0.3 }) * work / limits;
        // A start without any slip still needs smoothing.
        delta = delta.max(1e-9 * scale / limits);
        let mut sums = self.pass(program, &y, delta, None, &mut current, best);
        let (mut local, mut idle, mut restarts) = (0, 0, 0);
        let mut value = 0.5 * y.norm_squared() - y.dot(&free) + sums.smoothed;
        loop {
            let y_beta = program.b * (program.f + sums.friction);
            let objective = 0.5 * y_beta.norm_squared() + sums.slip_work;
            if objective <= best_objective {
                (best, best_objective) = (current, objective);
            }
            let gap = 0.5 * (y - y_beta).norm_squared() + sums.gap;
            let schur = program.b * sums.schur * program.b.transpose() + Mat6::identity();
            let Some(factor) =
                small::cholesky_scaled(&schur).or_else(|| small::cholesky_scaled(&small::lifted(&schur)))
            else {
                (self.y, self.gap) = (y, self.gap_of(program, best));
                self.converged = self.gap <= accepted;
                self.stalled = !self.converged;
                return best;
            };
            idle = if gap < 0.5 * self.gap { 0 } else { idle + 1 };
            if gap <= GAP_TOLERANCE * scale || idle >= PATIENCE {
                // Done, or no longer falling because of rounding: then the best friction so far may do.
                let settled = self.settle(program, y, y_beta, &factor, local, current);
                if settled <= accepted {
                    (self.gap, self.y, self.converged) = (settled, y, true);
                    return current;
                }
                let gap = self.gap_of(program, best);
                if gap <= accepted {
                    (self.gap, self.y, self.converged) = (gap, y, true);
                    return best;
                }
                if restarts == RESTARTS || self.passes + 2 > budget {
                    (self.y, self.stalled) = (y, restarts == RESTARTS);
                    return best;
                }
                // Friction got caught at the limits. Let it follow from y again, smoother than before.
                restarts += 1;
                (idle, delta) = (0, delta.max(self.gap.min(settled) / limits));
                self.gap = f64::INFINITY;
                sums = self.pass(program, &y, delta, None, &mut current, best);
                value = 0.5 * y.norm_squared() - y.dot(&free) + sums.smoothed;
                local = 0;
                continue;
            }
            self.gap = self.gap.min(gap);
            if self.passes + 2 > budget {
                self.y = y;
                return best;
            }
            self.iterations += 1;
            let mut dy = factor.solve(&(program.b * (program.f + sums.base) - y));
            delta = delta.min(SMOOTHING * gap / limits);
            // Halve the step until the smoothed objective falls; the first try nearly always does.
            let from = current;
            for _ in 0..12 {
                let next = y + dy;
                current = from;
                let trial = self.pass(program, &next, delta, Some(local), &mut current, best);
                let trial_value = 0.5 * next.norm_squared() - next.dot(&free) + trial.smoothed;
                // Its friction may be the best so far even where the step is not taken.
                let y_beta = program.b * (program.f + trial.friction);
                let objective = 0.5 * y_beta.norm_squared() + trial.slip_work;
                if objective <= best_objective {
                    (best, best_objective) = (current, objective);
                }
                if trial_value <= value + 1e-15 * scale || self.passes >= budget {
                    (sums, y, value) = (trial, next, trial_value);
                    local = 1 - local;
                    break;
                }
                dy *= 0.5;
                current = from;
            }
        }
    }

    /// Makes friction and y agree: where contacts stick, W is so large that rounding in u shows in β. The correction
    /// -W_i G_iᵀBᵀd with (I + B S Bᵀ) d = y_β - y is small, hence accurate. Returns the gap of the friction by itself.
    fn settle(
        &mut self,
        program: &Program,
        mut y: Vec6,
        mut y_beta: Vec6,
        factor: &ScaledCholesky,
        local: usize,
        current: usize,
    ) -> f64 {
        let mut gap = self.measure(program, &y_beta, current);
        for _ in 0..2 {
            let d = factor.solve(&(y_beta - y));
            let p = Wide6::splat(&(program.b.transpose() * d));
            let mut friction = WrenchSum::default();
            let data = program.blocks.iter().zip(program.limits).zip(&self.local[local]);
            for (((block, &limit), at), b) in data.zip(&mut self.friction[current]) {
                let du = transposed(block, &p);
                let moved = [b[0] - (at.w[0] * du[0] + at.w[2] * du[1]), b[1] - (at.w[2] * du[0] + at.w[1] * du[1])];
                *b = into_disk(moved, limit);
                friction.add(block, b);
            }
            self.passes += 1;
            y += d;
            y_beta = program.b * (program.f + friction.total());
            let corrected = self.measure(program, &y_beta, current);
            let enough = corrected > 0.1 * gap;
            gap = corrected;
            if enough {
                break;
            }
        }
        gap
    }

    /// The duality gap of a generation of friction by itself.
    fn gap_of(&mut self, program: &Program, generation: usize) -> f64 {
        let mut friction = WrenchSum::default();
        for (block, b) in program.blocks.iter().zip(&self.friction[generation]) {
            friction.add(block, b);
        }
        self.passes += 1;
        self.measure(program, &(program.b * (program.f + friction.total())), generation)
    }

    /// Σ L‖u‖, Σ L‖s‖ and Σ L.
    fn survey(&mut self, program: &Program, y: &Vec6) -> (f64, f64, f64) {
        let p = Wide6::splat(&(program.b.transpose() * y));
        let (mut work, mut slip_work, mut limits) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
        for ((block, &limit), s) in program.blocks.iter().zip(program.limits).zip(program.anchors) {
            let d = transposed(block, &p);
            work += limit * Disk.gauge([d[0] + s[0], d[1] + s[1]]);
            slip_work += limit * Disk.gauge(*s);
            limits += limit;
        }
        self.passes += 1;
        (passes::total(work), passes::total(slip_work), passes::total(limits))
    }

    /// Friction for the step to y (from the `Local`s of the last pass, if any) and the sums of the next one.
    fn pass(
        &mut self,
        program: &Program,
        y: &Vec6,
        delta: f64,
        from: Option<usize>,
        current: &mut usize,
        best: usize,
    ) -> Sums {
        let n = program.blocks.len();
        let p = Wide6::splat(&(program.b.transpose() * y));
        let smooth = Lane::splat(delta * delta);
        *current = (0..3).find(|&i| i != *current && i != best).unwrap_or(0);
        let [low, high] = &mut self.local;
        let (source, target) = if from == Some(0) { (low, high) } else { (high, low) };
        let (mut schur, mut base, mut friction) = (GramSum::default(), WrenchSum::default(), WrenchSum::default());
        let [mut smoothed, mut gap, mut slip_work] = [Lane::ZERO; 3];
        let data = program.blocks.iter().zip(program.limits).zip(program.anchors);
        let locals = source[..n].iter().zip(target).zip(&mut self.friction[*current]);
        for (((block, &limit), s), ((old, new), out)) in data.zip(locals) {
            let d = transposed(block, &p);
            let u = [d[0] + s[0], d[1] + s[1]];
            let squared = u[0] * u[0] + u[1] * u[1];
            let theta = (squared + smooth).sqrt();
            let inverse = Lane::ONE / theta;
            let pull = -(limit * inverse);
            new.u = u;
            new.base = [pull * u[0], pull * u[1]];
            let b = match from {
                None => new.base,
                Some(_) => {
                    let du = [u[0] - old.u[0], u[1] - old.u[1]];
                    let b = [
                        old.base[0] - (old.w[0] * du[0] + old.w[2] * du[1]),
                        old.base[1] - (old.w[2] * du[0] + old.w[1] * du[1]),
                    ];
                    into_disk(b, limit)
                }
            };
            *out = b;
            let square = inverse * inverse;
            let stiff = limit * inverse;
            new.w = [
                stiff + square * b[0] * u[0],
                stiff + square * b[1] * u[1],
                square * (b[0] * u[1] + b[1] * u[0]) * Lane::HALF,
            ];
            schur.add(block, new.w[0], new.w[1], new.w[2]);
            base.add(block, &new.base);
            friction.add(block, &b);
            smoothed += limit * theta;
            gap += limit * theta + (b[0] * u[0] + b[1] * u[1]);
            slip_work += s[0] * b[0] + s[1] * b[1];
        }
        self.passes += 1;
        Sums {
            schur: schur.total(),
            base: base.total(),
            friction: friction.total(),
            smoothed: passes::total(smoothed),
            gap: passes::total(gap),
            slip_work: passes::total(slip_work),
        }
    }

    /// The duality gap of a friction with its own y, contact by contact.
    fn measure(&mut self, program: &Program, y: &Vec6, current: usize) -> f64 {
        let p = Wide6::splat(&(program.b.transpose() * y));
        let mut gap = Lane::ZERO;
        let data = program.blocks.iter().zip(program.limits).zip(program.anchors);
        for (((block, &limit), s), b) in data.zip(&self.friction[current]) {
            let d = transposed(block, &p);
            let u = [d[0] + s[0], d[1] + s[1]];
            gap += limit * Disk.gauge(u) + (b[0] * u[0] + b[1] * u[1]);
        }
        self.passes += 1;
        passes::total(gap).max(0.0)
    }
}

/// The point of the disk nearest to b.
#[inline(always)]
fn into_disk(b: Pair, limit: Lane) -> Pair {
    let length = Disk.gauge(b).fast_max(Lane::splat(1e-300));
    let shrink = (limit / length).fast_min(Lane::ONE);
    [b[0] * shrink, b[1] * shrink]
}
