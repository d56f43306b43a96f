//! A primal-dual interior-point method on k polygons, with a 6 × 6 Schur complement: `hold` with slip memory.
//!
//! Problem, in the reduced form of `form.rs`, with slip memory s_i:
//!
//! ```text
//! min over β_i ∈ P_i of  ½‖y‖² + Σ s_iᵀβ_i,      y = B (f + G β)
//! ```
//!
//! Optimality: -u_i ∈ normal cone of P_i at β_i, with u_i = G_iᵀBᵀy + s_i (for `hold`, Bᵀy = q, so that u_i is the
//! slip from the anchor and friction opposes it). With a barrier Φ_i of P_i, its 2 × 2 primal-dual Hessian H_i,
//! W_i = H_i⁻¹, gradient g_i and barrier weight µ, a Newton step satisfies
//!
//! ```text
//! H_i dβ_i = -(G_iᵀBᵀŷ + s_i) - µ g_i,      ŷ = y + B G dβ
//! (I + B (Σ G_i W_i G_iᵀ) Bᵀ) ŷ = y - B Σ G_i W_i (s_i + µ g_i)
//! ```
//!
//! one pass to assemble, a 6 × 6 factorisation, one pass each for predictor and corrector. β stays strictly inside P_i and y is always that
//! of β: every iterate is admissible, and the best one so far is what a spent budget returns.
//!
//! P_i is given by its facets, with slacks t_j = h - a_jᵀβ and multipliers z_j:
//!
//! ```text
//! H = Σ (z_j/t_j) a_j a_jᵀ,   g = Σ a_j/t_j,   dz_j = (µ - z_j t_j + z_j a_jᵀdβ)/t_j
//! ```
//!
//! S. Mehrotra's predictor and corrector (SIAM J. Optim. 2, 1992) choose µ and correct for dz_j a_jᵀdβ.
//!
//! The proof is the duality gap Σ (σ_i(-u_i) + β_iᵀu_i) ≥ 0, each term the gap of one contact; it bounds both the
//! objective's error and ½‖y - y*‖².

use super::cone::{Disk, Shape};
use super::passes::{self, GramSum, Pair, Wide6, WrenchSum, transposed};
use crate::contact::{Block, Lane};
use crate::small;
use crate::spatial::{Mat6, Vec6};
pub(super) use facets::Facets;
use facets::{TINY, Weights};

mod facets;

/// Gap, relative to the objective's scale, at which the answer is final.
pub(super) const GAP_TOLERANCE: f64 = 1e-12;

/// How fast the method goes.
#[derive(Clone, Copy)]
struct Pace {
    /// How much of the way to the boundary a step may go.
    to_boundary: f64,
    /// How much lower than the average complementarity the barrier may be aimed.
    least_sigma: f64,
    /// Gap, relative to the objective's scale, that is accepted when rounding lets it fall no further.
    accepted: f64,
}

impl Pace {
    const FAST: Self = Self { to_boundary: 0.995, least_sigma: 1e-6, accepted: 1e-10 };
    /// For the few problems in which the fast pace leaves the central path too early.
    const CAREFUL: Self = Self { to_boundary: 0.9, least_sigma: 0.05, accepted: 1e-8 };
}
/// Iterations in which the gap may fail to fall before rounding is blamed.
const PATIENCE: u32 = 4;
/// Barrier weight, at least this part of the measured gap per multiplier.
const PACE: f64 = 0.02;

/// The program to be solved.
pub(super) struct Program<'a, S: Shape> {
    pub blocks: &'a [Block],
    pub limits: &'a [Lane],
    pub anchors: &'a [Pair],
    pub cone: Facets<'a, S>,
    pub b: &'a Mat6,
    pub f: &'a Vec6,
}

/// Memory of the method: three generations of friction (so that the best is never lost), multipliers, steps.
#[derive(Clone, Debug)]
pub(super) struct Interior {
    friction: [Vec<Pair>; 3],
    /// What the first attempt found, while a second is made.
    kept: Vec<Pair>,
    step: Vec<Pair>,
    weights: Vec<Weights>,
    z: Vec<Lane>,
    dz: Vec<Lane>,
    pub iterations: u32,
    pub passes: u32,
    pub gap: f64,
    /// Of the best friction so far.
    objective: f64,
    /// The gap that the pace at hand accepts when rounding lets it fall no further.
    accepted: f64,
    pub converged: bool,
    pub stalled: bool,
}

/// Sums of an assembling pass.
struct Assembly {
    schur: Mat6,
    by_slip: Vec6,
    by_centre: Vec6,
    wrench: Vec6,
    slip_work: f64,
    complementarity: f64,
}

impl Interior {
    pub fn with_capacity(blocks: usize, multipliers: usize) -> Self {
        let pairs = || vec![[Lane::ZERO; 2]; blocks];
        Self {
            friction: [pairs(), pairs(), pairs()],
            kept: pairs(),
            objective: f64::INFINITY,
            accepted: 0.0,
            step: pairs(),
            weights: vec![Weights::default(); blocks],
            z: vec![Lane::ONE; blocks * multipliers],
            dz: vec![Lane::ZERO; blocks * multipliers],
            iterations: 0,
            passes: 0,
            gap: f64::INFINITY,
            converged: false,
            stalled: false,
        }
    }

    /// Solves the program; returns the best friction found within `budget` passes.
    pub fn solve<S: Shape>(&mut self, program: &Program<S>, budget: u32) -> &[Pair] {
        (self.iterations, self.passes) = (0, 0);
        let n = program.blocks.len();
        let first = self.iterate(program, budget, Pace::FAST);
        if !self.stalled {
            return &self.friction[first][..n];
        }
        self.kept[..n].copy_from_slice(&self.friction[first][..n]);
        let (objective, gap) = (self.objective, self.gap);
        let second = self.iterate(program, budget, Pace::CAREFUL);
        if self.converged || self.objective <= objective && !(gap <= self.accepted) {
            return &self.friction[second][..n];
        }
        // Twice as far as rounding lets it: the first attempt was the better one.
        (self.objective, self.gap) = (objective, gap);
        self.converged = gap <= self.accepted;
        self.stalled = self.stalled && !self.converged;
        &self.kept[..n]
    }

    fn iterate<S: Shape>(&mut self, program: &Program<S>, budget: u32, pace: Pace) -> usize {
        self.gap = f64::INFINITY;
        (self.converged, self.stalled) = (false, false);
        let n = program.blocks.len();
        let free = 0.5 * (program.b * program.f).norm_squared();
        let (slip_work, count) = self.start(program);
        let scale = free + slip_work;
        self.accepted = pace.accepted * scale;
        // Generation 2 is the floor, β = 0; generation 0 is where the iteration starts.
        self.friction[2][..n].fill([Lane::ZERO; 2]);
        let (mut current, mut best) = (0, 2);
        self.objective = free;
        if !(scale > 0.0) || count == 0.0 {
            (self.converged, self.gap) = (true, 0.0);
            return best;
        }
        let (mut alpha, mut expected, mut idle) = (0.0, Vec6::zeros(), 0);
        loop {
            let sums = self.assemble(program, &mut current, best, alpha);
            let mut y = program.b * (program.f + sums.wrench);
            let mut objective = 0.5 * y.norm_squared() + sums.slip_work;
            // Near the end the gap tells better than an objective that differs by rounding only.
            if objective <= self.objective && self.gap.is_infinite() {
                (best, self.objective) = (current, objective);
            }
            let schur = program.b * sums.schur * program.b.transpose() + Mat6::identity();
            let Some(factor) =
                small::cholesky_scaled(&schur).or_else(|| small::cholesky_scaled(&small::lifted(&schur)))
            else {
                return self.end_at_rounding(program, best);
            };
            // Near the end, and whenever steps have become useless, look at the real gap.
            let average = sums.complementarity / count;
            let mut real_gap = 0.0;
            if 2.0 * sums.complementarity <= 1e4 * GAP_TOLERANCE * scale || (self.iterations > 0 && alpha < 1e-6) {
                let mut gap = self.measure(program, &y, current);
                for _ in 0..2 {
                    // Where contacts stick, rounding in slip shows in friction: make friction agree with the step.
                    if gap > 4.0 * sums.complementarity && gap > GAP_TOLERANCE * scale && self.iterations > 0 {
                        let d = factor.solve(&(y - expected));
                        let slip_work;
                        (y, slip_work) = self.settle(program, &d, current);
                        objective = 0.5 * y.norm_squared() + slip_work;
                        expected += d;
                        gap = self.measure(program, &y, current);
                    }
                }
                real_gap = gap;
                // Never at the price of an objective that rises by more than rounding.
                let better = gap < self.gap && objective <= self.objective + 1e-13 * scale;
                if better {
                    (self.gap, best, self.objective) = (gap, current, self.objective.min(objective));
                }
                self.converged = self.gap <= GAP_TOLERANCE * scale;
                if self.converged {
                    return best;
                }
                idle = if better { 0 } else { idle + 1 };
                if idle >= PATIENCE {
                    return self.end_at_rounding(program, best);
                }
            }
            if self.passes + 3 > budget {
                return best;
            }
            self.iterations += 1;
            let towards = |rhs: &Vec6| factor.solve(&(y - program.b * rhs));
            // Predictor: straight to the boundary. Its success tells how far the barrier can be lowered.
            let (longest, correction, curvature) =
                self.predict(program, &(program.b.transpose() * towards(&sums.by_slip)), current);
            let reach = (pace.to_boundary * longest).min(1.0);
            let left = (1.0 - reach) + reach * reach * curvature.abs() / sums.complementarity;
            let sigma = (left * left * left).clamp(pace.least_sigma, 0.5);
            // The barrier falls no faster than the real gap does.
            let mu = (sigma * average).max(PACE * real_gap / count);
            let target = towards(&(sums.by_slip + sums.by_centre * mu + correction));
            alpha = (pace.to_boundary * self.correct(program, &(program.b.transpose() * target), mu, current)).min(1.0);
            expected = y + (target - y) * alpha;
        }
    }

    /// Corrects friction by -W_i G_iᵀBᵀd, kept admissible; returns its y and Σ s_iᵀβ_i.
    fn settle<S: Shape>(&mut self, program: &Program<S>, d: &Vec6, current: usize) -> (Vec6, f64) {
        let p = Wide6::splat(&(program.b.transpose() * d));
        let (mut friction, mut slip_work) = (WrenchSum::default(), Lane::ZERO);
        let data = program.blocks.iter().zip(program.limits).zip(program.anchors).zip(&self.weights);
        for ((((block, &limit), s), w), b) in data.zip(&mut self.friction[current]) {
            let moved = w.apply(&transposed(block, &p));
            let moved = [b[0] - moved[0], b[1] - moved[1]];
            let used = program.cone.shape.gauge(moved).fast_max(Lane::splat(TINY));
            let shrink = (limit / used).fast_min(Lane::ONE);
            *b = [moved[0] * shrink, moved[1] * shrink];
            friction.add(block, b);
            slip_work += s[0] * b[0] + s[1] * b[1];
        }
        self.passes += 1;
        (program.b * (program.f + friction.total()), passes::total(slip_work))
    }

    /// Rounding ended the descent: the best gap is what it is.
    fn end_at_rounding<S: Shape>(&mut self, program: &Program<S>, best: usize) -> usize {
        if self.gap > self.accepted {
            let mut friction = WrenchSum::default();
            for (block, b) in program.blocks.iter().zip(&self.friction[best]) {
                friction.add(block, b);
            }
            self.gap = self.measure(program, &(program.b * (program.f + friction.total())), best);
        }
        self.converged = self.gap <= self.accepted;
        self.stalled = !self.converged;
        best
    }

    /// β = 0 with central multipliers. Returns Σ L_i‖s_i‖ and the number of multipliers in force.
    fn start<S: Shape>(&mut self, program: &Program<S>) -> (f64, f64) {
        let (n, m) = (program.blocks.len(), program.cone.table.sides);
        let p = Wide6::splat(&(program.b.transpose() * (program.b * program.f)));
        let (mut work, mut slip_work, mut count) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
        for ((block, &limit), s) in program.blocks.iter().zip(program.limits).zip(program.anchors) {
            let d = transposed(block, &p);
            work += limit * Disk.gauge([d[0] + s[0], d[1] + s[1]]);
            slip_work += limit * Disk.gauge(*s);
            count += limit.simd_gt(Lane::ZERO) & Lane::ONE;
        }
        self.passes += 1;
        let contacts = passes::total(count);
        let mu = (0.5 * passes::total(work) / contacts.max(1.0)).max(TINY);
        for (z, &limit) in self.z.chunks_exact_mut(m).zip(program.limits) {
            program.cone.start(&[Lane::ZERO; 2], limit, mu, z);
        }
        self.friction[0][..n].fill([Lane::ZERO; 2]);
        self.step[..n].fill([Lane::ZERO; 2]);
        self.dz[..n * m].fill(Lane::ZERO);
        (passes::total(slip_work), contacts * m as f64)
    }

    /// Takes the last step by `alpha` and sums up the next Newton system.
    fn assemble<S: Shape>(&mut self, program: &Program<S>, current: &mut usize, best: usize, alpha: f64) -> Assembly {
        let (n, m) = (program.blocks.len(), program.cone.table.sides);
        let from = *current;
        let to = (0..3).find(|&i| i != from && i != best).unwrap_or(0);
        *current = to;
        let alpha = Lane::splat(alpha);
        let (mut schur, mut by_slip, mut by_centre) = (GramSum::default(), WrenchSum::default(), WrenchSum::default());
        let (mut wrench, mut slip_work, mut complementarity) = (WrenchSum::default(), Lane::ZERO, Lane::ZERO);
        let (source, target) = two(&mut self.friction, from, to);
        let steps = source[..n].iter().zip(&self.step).zip(target);
        let data = program.blocks.iter().zip(program.limits).zip(program.anchors);
        let multipliers = self.z.chunks_exact_mut(m).zip(self.dz.chunks_exact(m)).zip(&mut self.weights);
        for ((((block, &limit), s), ((b, d), out)), ((z, dz), weights)) in data.zip(steps).zip(multipliers) {
            let b = [b[0] + alpha * d[0], b[1] + alpha * d[1]];
            *out = b;
            for (z, dz) in z.iter_mut().zip(dz) {
                *z += alpha * *dz;
            }
            let (w, product) = program.cone.weights(&b, limit, z);
            *weights = w;
            let [uu, vv, uv] = w.in_tangents();
            schur.add(block, uu, vv, uv);
            by_slip.add(block, &w.apply(s));
            by_centre.add(block, &w.centre);
            wrench.add(block, &b);
            slip_work += s[0] * b[0] + s[1] * b[1];
            complementarity += product;
        }
        self.passes += 1;
        Assembly {
            schur: schur.total(),
            by_slip: by_slip.total(),
            by_centre: by_centre.total(),
            wrench: wrench.total(),
            slip_work: passes::total(slip_work),
            complementarity: passes::total(complementarity),
        }
    }

    /// The affine step for p = Bᵀŷ: its largest length, what its second-order terms ask for, and their sum.
    fn predict<S: Shape>(&mut self, program: &Program<S>, p: &Vec6, current: usize) -> (f64, Vec6, f64) {
        let (n, m) = (program.blocks.len(), program.cone.table.sides);
        let p = Wide6::splat(p);
        let mut longest = Lane::splat(f64::INFINITY);
        let (mut correction, mut curvature) = (WrenchSum::default(), Lane::ZERO);
        let data = program.blocks.iter().zip(program.limits).zip(program.anchors);
        let steps = self.friction[current][..n].iter().zip(&mut self.step);
        let multipliers = self.z.chunks_exact(m).zip(self.dz.chunks_exact_mut(m)).zip(&self.weights);
        for ((((block, &limit), s), (b, step)), ((z, dz), w)) in data.zip(steps).zip(multipliers) {
            let d = transposed(block, &p);
            let db = w.apply(&[-(d[0] + s[0]), -(d[1] + s[1])]);
            *step = db;
            longest = longest.fast_min(program.cone.step(b, &db, &[Lane::ZERO; 2], limit, Lane::ZERO, z, dz));
            let (pull, product) = program.cone.second_order(b, &db, limit, w, dz);
            correction.add(block, &pull);
            curvature += product;
        }
        self.passes += 1;
        (passes::smallest(longest), correction.total(), passes::total(curvature))
    }

    /// The corrected step for p = Bᵀŷ; returns its largest length.
    fn correct<S: Shape>(&mut self, program: &Program<S>, p: &Vec6, mu: f64, current: usize) -> f64 {
        let (n, m) = (program.blocks.len(), program.cone.table.sides);
        let (p, mu) = (Wide6::splat(p), Lane::splat(mu));
        let mut longest = Lane::splat(f64::INFINITY);
        let data = program.blocks.iter().zip(program.limits).zip(program.anchors);
        let steps = self.friction[current][..n].iter().zip(&mut self.step);
        let multipliers = self.z.chunks_exact(m).zip(self.dz.chunks_exact_mut(m)).zip(&self.weights);
        for ((((block, &limit), s), (b, step)), ((z, dz), w)) in data.zip(steps).zip(multipliers) {
            let affine = *step;
            let (pull, _) = program.cone.second_order(b, &affine, limit, w, dz);
            let d = transposed(block, &p);
            let db = w.apply(&[-(d[0] + s[0]), -(d[1] + s[1])]);
            let db = [db[0] - mu * w.centre[0] - pull[0], db[1] - mu * w.centre[1] - pull[1]];
            *step = db;
            longest = longest.fast_min(program.cone.step(b, &db, &affine, limit, mu, z, dz));
        }
        self.passes += 1;
        passes::smallest(longest)
    }

    /// The duality gap of the current friction, contact by contact.
    fn measure<S: Shape>(&mut self, program: &Program<S>, y: &Vec6, current: usize) -> f64 {
        let p = Wide6::splat(&(program.b.transpose() * y));
        let shape = program.cone.shape;
        let mut gap = Lane::ZERO;
        for (i, block) in program.blocks.iter().enumerate() {
            let (b, s, limit) = (self.friction[current][i], program.anchors[i], program.limits[i]);
            let d = transposed(block, &p);
            let u = [d[0] + s[0], d[1] + s[1]];
            let extreme = shape.extreme([-u[0], -u[1]], limit);
            gap += u[0] * (b[0] - extreme[0]) + u[1] * (b[1] - extreme[1]);
        }
        self.passes += 1;
        passes::total(gap)
    }
}

/// Two different generations at once.
fn two(friction: &mut [Vec<Pair>; 3], from: usize, to: usize) -> (&[Pair], &mut [Pair]) {
    let (low, high) = friction.split_at_mut(from.max(to));
    if from < to { (&low[from], &mut high[0]) } else { (&high[0], &mut low[to]) }
}
