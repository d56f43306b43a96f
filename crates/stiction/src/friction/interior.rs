//! A primal-dual interior-point method on k small cones, with a 6 × 6 Schur complement.
//!
//! Problem, in the reduced form of `form.rs`, with slip memory s_i (zero for the quadratic program):
//!
//!     min over β_i ∈ P_i of  ½‖y‖² + Σ s_iᵀβ_i,      y = B (f + G β)
//!
//! Optimality: -u_i ∈ normal cone of P_i at β_i, with u_i = G_iᵀBᵀy + s_i (for `hold`, Bᵀy = q, so that u_i is the
//! slip from the anchor and friction opposes it). With a barrier Φ_i of P_i, its 2 × 2 primal-dual Hessian H_i,
//! W_i = H_i⁻¹, gradient g_i and barrier weight µ, a Newton step satisfies
//!
//!     H_i dβ_i = -(G_iᵀBᵀŷ + s_i) - µ g_i,      ŷ = y + B G dβ
//!     (I + B (Σ G_i W_i G_iᵀ) Bᵀ) ŷ = y - B Σ G_i W_i (s_i + µ g_i)
//!
//! one pass to assemble, a 6 × 6 solve, one pass for the step. β stays strictly inside P_i and y is always that
//! of β: every iterate is admissible, and the best one so far is what a spent budget returns.
//!
//! Disk: c = (L² - ‖β‖²)/2 with multiplier γ, γ c = µ;  H = γ (I + ββᵀ/c), W = (I - ββᵀ/(c + ‖β‖²))/γ,
//! W g = β/(γ (c + ‖β‖²)), dγ = (µ - γc + γ βᵀdβ)/c.
//! Polygon: slacks t_j = h - a_jᵀβ with multipliers z_j;  H = Σ (z_j/t_j) a_j a_jᵀ, g = Σ a_j/t_j,
//! dz_j = (µ - z_j t_j + z_j a_jᵀdβ)/t_j.
//!
//! The proof is the duality gap Σ (σ_i(-u_i) + β_iᵀu_i) ≥ 0, each term the gap of one contact; it bounds both the
//! objective's error and ½‖y - y*‖².

use super::balance::to_boundary;
use super::cone::{Disk, PolygonTable, Shape};
use super::passes::{self, GramSum, Pair, Wide6, WrenchSum, transposed};
use super::small;
use crate::contact::{Block, Lane};
use crate::spatial::{Mat6, Vec6};

/// Gap, relative to the objective's scale, at which the answer is final.
pub(super) const GAP_TOLERANCE: f64 = 1e-12;
/// Gap, relative to the objective's scale, that is accepted when rounding lets it fall no further.
const ROUNDING_GAP: f64 = 1e-8;
/// How much of the way to the boundary a step may go.
const TO_BOUNDARY: f64 = 0.995;
const TINY: f64 = 1e-300;

/// What the method needs of a cone: its barrier, four contacts at a time.
pub(super) trait Barrier: Copy {
    /// The support function's shape.
    type Shape: Shape;
    fn shape(&self) -> Self::Shape;
    /// Multipliers per contact.
    fn multipliers(&self) -> usize;
    /// Radius of the disk inside P, for L = 1.
    fn inner(&self) -> f64;
    /// Multipliers that make `b` central for µ.
    fn start(&self, b: &Pair, limit: Lane, mu: f64, z: &mut [Lane]);
    /// W and W g, and Σ multiplier × slack.
    fn weights(&self, b: &Pair, limit: Lane, z: &[Lane]) -> (Weights, Lane);
    /// The multipliers' step `dz` for friction step `db`, and the largest step lengths for friction and for
    /// multipliers. On entry `affine` and `dz` are the predictor's steps, whose products are corrected for.
    fn step(&self, b: &Pair, db: &Pair, affine: &Pair, limit: Lane, mu: Lane, z: &[Lane], dz: &mut [Lane]) -> (Lane, Lane);
    /// W times the second-order terms of the predictor's step `db`, `dz`, and their total in Σ multiplier × slack.
    fn second_order(&self, b: &Pair, db: &Pair, limit: Lane, w: &Weights, z: &[Lane], dz: &[Lane]) -> (Pair, Lane);
}

/// W as [[a, c], [c, b]] and W g of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weights {
    w: [Lane; 3],
    centre: Pair,
}

impl Weights {
    #[inline(always)]
    fn apply(&self, x: &Pair) -> Pair {
        [self.w[0] * x[0] + self.w[2] * x[1], self.w[2] * x[0] + self.w[1] * x[1]]
    }
}

impl Barrier for Disk {
    type Shape = Disk;

    fn shape(&self) -> Disk {
        *self
    }

    fn multipliers(&self) -> usize {
        1
    }

    fn inner(&self) -> f64 {
        1.0
    }

    #[inline(always)]
    fn start(&self, b: &Pair, limit: Lane, mu: f64, z: &mut [Lane]) {
        let slack = (limit * limit - (b[0] * b[0] + b[1] * b[1])) * Lane::HALF;
        z[0] = limit.simd_gt(Lane::ZERO).select(Lane::splat(mu) / slack.fast_max(Lane::splat(TINY)), Lane::ONE);
    }

    #[inline(always)]
    fn weights(&self, b: &Pair, limit: Lane, z: &[Lane]) -> (Weights, Lane) {
        let squared = b[0] * b[0] + b[1] * b[1];
        let slack = (limit * limit - squared) * Lane::HALF;
        let inverse = limit.simd_gt(Lane::ZERO) & (Lane::ONE / z[0]);
        let per = inverse / (slack + squared).fast_max(Lane::splat(TINY));
        let w = [inverse - per * b[0] * b[0], inverse - per * b[1] * b[1], -(per * b[0] * b[1])];
        (Weights { w, centre: [b[0] * per, b[1] * per] }, z[0] * slack)
    }

    #[inline(always)]
    fn step(&self, b: &Pair, db: &Pair, affine: &Pair, limit: Lane, mu: Lane, z: &[Lane], dz: &mut [Lane]) -> (Lane, Lane) {
        let slack = (limit * limit - (b[0] * b[0] + b[1] * b[1])) * Lane::HALF;
        let along = b[0] * db[0] + b[1] * db[1];
        let change = mu + disk_second_order(b, affine, z[0], dz[0]) - z[0] * slack + z[0] * along;
        dz[0] = limit.simd_gt(Lane::ZERO) & (change / slack.fast_max(Lane::splat(TINY)));
        (to_boundary(b, db, limit), positive(z[0], dz[0]))
    }

    #[inline(always)]
    fn second_order(&self, b: &Pair, db: &Pair, _: Lane, w: &Weights, z: &[Lane], dz: &[Lane]) -> (Pair, Lane) {
        let product = disk_second_order(b, db, z[0], dz[0]);
        let bilinear = w.apply(&[dz[0] * db[0], dz[0] * db[1]]);
        ([bilinear[0] + product * w.centre[0], bilinear[1] + product * w.centre[1]], product)
    }
}

/// What the linear model of γ c leaves out: γ ‖dβ‖²/2 + dγ βᵀdβ.
#[inline(always)]
fn disk_second_order(b: &Pair, db: &Pair, gamma: Lane, dgamma: Lane) -> Lane {
    let squared = db[0] * db[0] + db[1] * db[1];
    gamma * squared * Lane::HALF + dgamma * (b[0] * db[0] + b[1] * db[1])
}

/// The polygon, by its facets.
#[derive(Clone, Copy)]
pub(super) struct Facets<'a, S: Shape> {
    pub table: &'a PolygonTable,
    pub shape: S,
}

impl<S: Shape> Barrier for Facets<'_, S> {
    type Shape = S;

    fn shape(&self) -> S {
        self.shape
    }

    fn multipliers(&self) -> usize {
        self.table.sides
    }

    fn inner(&self) -> f64 {
        self.table.inradius
    }

    #[inline(always)]
    fn start(&self, b: &Pair, limit: Lane, mu: f64, z: &mut [Lane]) {
        for (z, facet) in z.iter_mut().zip(&self.table.facets) {
            let (_, slack) = self.slack(b, limit, facet);
            *z = limit.simd_gt(Lane::ZERO).select(Lane::splat(mu) / slack, Lane::ONE);
        }
    }

    #[inline(always)]
    fn weights(&self, b: &Pair, limit: Lane, z: &[Lane]) -> (Weights, Lane) {
        let [mut h_uu, mut h_vv, mut h_uv, mut g_u, mut g_v, mut product] = [Lane::ZERO; 6];
        for (z, facet) in z.iter().zip(&self.table.facets) {
            let (a, slack) = self.slack(b, limit, facet);
            let inverse = Lane::ONE / slack;
            let weight = *z * inverse;
            h_uu += weight * a[0] * a[0];
            h_vv += weight * a[1] * a[1];
            h_uv += weight * a[0] * a[1];
            g_u += a[0] * inverse;
            g_v += a[1] * inverse;
            product += *z * slack;
        }
        let real = limit.simd_gt(Lane::ZERO);
        let inverse = real & (Lane::ONE / (h_uu * h_vv - h_uv * h_uv).fast_max(Lane::splat(TINY)));
        let w = [h_vv * inverse, h_uu * inverse, -(h_uv * inverse)];
        let centre = [real & (w[0] * g_u + w[2] * g_v), real & (w[2] * g_u + w[1] * g_v)];
        (Weights { w, centre }, real & product)
    }

    #[inline(always)]
    fn step(&self, b: &Pair, db: &Pair, affine: &Pair, limit: Lane, mu: Lane, z: &[Lane], dz: &mut [Lane]) -> (Lane, Lane) {
        let real = limit.simd_gt(Lane::ZERO);
        let (mut friction, mut multiplier) = (Lane::splat(f64::INFINITY), Lane::splat(f64::INFINITY));
        for ((z, dz), facet) in z.iter().zip(dz).zip(&self.table.facets) {
            let (a, slack) = self.slack(b, limit, facet);
            let along = a[0] * db[0] + a[1] * db[1];
            let product = *dz * (a[0] * affine[0] + a[1] * affine[1]);
            *dz = real & ((mu + product - *z * slack + *z * along) / slack);
            friction = friction.fast_min(real.select(positive(slack, -along), Lane::splat(f64::INFINITY)));
            multiplier = multiplier.fast_min(positive(*z, *dz));
        }
        (friction, multiplier)
    }

    #[inline(always)]
    fn second_order(&self, b: &Pair, db: &Pair, limit: Lane, w: &Weights, _: &[Lane], dz: &[Lane]) -> (Pair, Lane) {
        let [mut u, mut v, mut total] = [Lane::ZERO; 3];
        for (dz, facet) in dz.iter().zip(&self.table.facets) {
            let (a, slack) = self.slack(b, limit, facet);
            let product = *dz * (a[0] * db[0] + a[1] * db[1]);
            let pull = product / slack;
            u += a[0] * pull;
            v += a[1] * pull;
            total += product;
        }
        let real = limit.simd_gt(Lane::ZERO);
        (w.apply(&[real & u, real & v]), real & total)
    }
}

impl<S: Shape> Facets<'_, S> {
    #[inline(always)]
    fn slack(&self, b: &Pair, limit: Lane, facet: &[f64; 2]) -> (Pair, Lane) {
        let a = facet.map(Lane::splat);
        let slack = limit * Lane::splat(self.table.inradius) - (a[0] * b[0] + a[1] * b[1]);
        (a, slack.fast_max(Lane::splat(TINY)))
    }
}

/// The largest α with x + α dx ≥ 0, for x > 0.
#[inline(always)]
fn positive(x: Lane, dx: Lane) -> Lane {
    dx.simd_lt(Lane::ZERO).select(x / (-dx).fast_max(Lane::splat(TINY)), Lane::splat(f64::INFINITY))
}

/// The program to be solved.
pub(super) struct Program<'a, C: Barrier> {
    pub blocks: &'a [Block],
    pub limits: &'a [Lane],
    pub anchors: &'a [Pair],
    pub cone: C,
    pub b: &'a Mat6,
    pub f: &'a Vec6,
}

/// Where the method starts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// β = 0.
    Zero,
    /// The central friction for u_i = G_iᵀp + s_i, as for a twist p close to the answer.
    Near(Vec6),
}

/// Memory of the method: three generations of friction (so that the best is never lost), multipliers, steps.
#[derive(Clone, Debug)]
pub(super) struct Interior {
    friction: [Vec<Pair>; 3],
    step: Vec<Pair>,
    weights: Vec<Weights>,
    z: Vec<Lane>,
    dz: Vec<Lane>,
    pub iterations: u32,
    pub passes: u32,
    pub gap: f64,
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
    pub fn solve<C: Barrier>(&mut self, program: &Program<C>, start: Start, budget: u32) -> &[Pair] {
        let best = self.iterate(program, start, budget);
        &self.friction[best][..program.blocks.len()]
    }

    fn iterate<C: Barrier>(&mut self, program: &Program<C>, start: Start, budget: u32) -> usize {
        (self.iterations, self.passes, self.gap) = (0, 0, f64::INFINITY);
        (self.converged, self.stalled) = (false, false);
        let n = program.blocks.len();
        let free = 0.5 * (program.b * program.f).norm_squared();
        let (slip_work, count) = self.start(program, start);
        let scale = free + slip_work;
        // Generation 2 is the floor, β = 0; generation 0 is where the iteration starts.
        self.friction[2][..n].fill([Lane::ZERO; 2]);
        let (mut current, mut best, mut best_objective) = (0, 2, free);
        if !(scale > 0.0) || count == 0.0 {
            (self.converged, self.gap) = (true, 0.0);
            return best;
        }
        let mut alpha = 0.0;
        loop {
            let sums = self.assemble(program, &mut current, best, alpha);
            let y = program.b * (program.f + sums.wrench);
            let objective = 0.5 * y.norm_squared() + sums.slip_work;
            let improves = objective <= best_objective;
            if improves {
                (best, best_objective) = (current, objective);
            }
            // Near the end, and whenever steps have become useless, look at the real gap.
            let average = sums.complementarity / count;
            if 2.0 * sums.complementarity <= 1e3 * GAP_TOLERANCE * scale || (self.iterations > 0 && alpha < 1e-6) {
                let gap = self.measure(program, &y, current);
                let better = gap < self.gap;
                if better {
                    (self.gap, best) = (gap, current);
                }
                self.converged = self.gap <= GAP_TOLERANCE * scale;
                if self.converged {
                    return best;
                }
                if !better || alpha < 1e-6 {
                    // Rounding: the best gap is what it is.
                    self.converged = self.gap <= ROUNDING_GAP * scale;
                    self.stalled = !self.converged;
                    return best;
                }
            }
            if self.passes + 3 > budget {
                return best;
            }
            self.iterations += 1;
            let schur = program.b * sums.schur * program.b.transpose() + Mat6::identity();
            let Some(factor) = small::cholesky_scaled(&schur) else {
                self.stalled = true;
                return best;
            };
            let towards = |rhs: &Vec6| program.b.transpose() * factor.solve(&(y - program.b * rhs));
            // Predictor: straight to the boundary. Its success tells how far the barrier can be lowered.
            let (longest, correction, curvature) = self.predict(program, &towards(&sums.by_slip), current);
            let reach = (TO_BOUNDARY * longest).min(1.0);
            let left = (1.0 - reach) - reach * reach * curvature / sums.complementarity;
            let sigma = (left * left * left).clamp(1e-6, 0.5);
            let mu = sigma * average;
            let p = towards(&(sums.by_slip + sums.by_centre * mu + correction));
            alpha = (TO_BOUNDARY * self.correct(program, &p, mu, current)).min(1.0);
        }
    }

    /// Sets friction and central multipliers. Returns Σ L_i‖s_i‖ and the number of multipliers in force.
    fn start<C: Barrier>(&mut self, program: &Program<C>, start: Start) -> (f64, f64) {
        let m = program.cone.multipliers();
        let twist = match start {
            Start::Zero => program.b.transpose() * (program.b * program.f),
            Start::Near(p) => p,
        };
        let p = Wide6::splat(&twist);
        let (mut work, mut slip_work, mut count) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
        let data = program.blocks.iter().zip(program.limits).zip(program.anchors);
        for (((block, &limit), s), step) in data.zip(&mut self.step) {
            let d = transposed(block, &p);
            let u = [d[0] + s[0], d[1] + s[1]];
            work += limit * (u[0] * u[0] + u[1] * u[1]).sqrt();
            slip_work += limit * (s[0] * s[0] + s[1] * s[1]).sqrt();
            count += limit.simd_gt(Lane::ZERO) & Lane::ONE;
            *step = u;
        }
        self.passes += 1;
        let contacts = passes::total(count);
        let (work, near) = (passes::total(work), matches!(start, Start::Near(_)));
        let mu = ((if near { 0.05 } else { 0.5 }) * work / contacts.max(1.0)).max(TINY);
        let smooth = Lane::splat(mu);
        for (i, &limit) in program.limits.iter().enumerate() {
            let u = self.step[i];
            let scale = limit * limit / (smooth + (smooth * smooth + limit * limit * (u[0] * u[0] + u[1] * u[1])).sqrt());
            let scale = if near { scale * Lane::splat(program.cone.inner()) } else { Lane::ZERO };
            let b = [-u[0] * scale, -u[1] * scale];
            self.friction[0][i] = b;
            self.step[i] = [Lane::ZERO; 2];
            program.cone.start(&b, limit, mu, &mut self.z[i * m..(i + 1) * m]);
        }
        self.dz[..program.blocks.len() * m].fill(Lane::ZERO);
        (passes::total(slip_work), contacts * m as f64)
    }

    /// Takes the last step by `alpha` and sums up the next Newton system.
    fn assemble<C: Barrier>(&mut self, program: &Program<C>, current: &mut usize, best: usize, alpha: f64) -> Assembly {
        let (n, m) = (program.blocks.len(), program.cone.multipliers());
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
            schur.add(block, w.w[0], w.w[1], w.w[2]);
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
    fn predict<C: Barrier>(&mut self, program: &Program<C>, p: &Vec6, current: usize) -> (f64, Vec6, f64) {
        let (n, m) = (program.blocks.len(), program.cone.multipliers());
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
            let lengths = program.cone.step(b, &db, &[Lane::ZERO; 2], limit, Lane::ZERO, z, dz);
            longest = longest.fast_min(lengths.0).fast_min(lengths.1);
            let (pull, product) = program.cone.second_order(b, &db, limit, w, z, dz);
            correction.add(block, &pull);
            curvature += product;
        }
        self.passes += 1;
        (passes::smallest(longest), correction.total(), passes::total(curvature))
    }

    /// The corrected step for p = Bᵀŷ; returns its largest length.
    fn correct<C: Barrier>(&mut self, program: &Program<C>, p: &Vec6, mu: f64, current: usize) -> f64 {
        let (n, m) = (program.blocks.len(), program.cone.multipliers());
        let (p, mu) = (Wide6::splat(p), Lane::splat(mu));
        let mut longest = Lane::splat(f64::INFINITY);
        let data = program.blocks.iter().zip(program.limits).zip(program.anchors);
        let steps = self.friction[current][..n].iter().zip(&mut self.step);
        let multipliers = self.z.chunks_exact(m).zip(self.dz.chunks_exact_mut(m)).zip(&self.weights);
        for ((((block, &limit), s), (b, step)), ((z, dz), w)) in data.zip(steps).zip(multipliers) {
            let affine = *step;
            let (pull, _) = program.cone.second_order(b, &affine, limit, w, z, dz);
            let d = transposed(block, &p);
            let db = w.apply(&[-(d[0] + s[0]), -(d[1] + s[1])]);
            let db = [db[0] - mu * w.centre[0] - pull[0], db[1] - mu * w.centre[1] - pull[1]];
            *step = db;
            let lengths = program.cone.step(b, &db, &affine, limit, mu, z, dz);
            longest = longest.fast_min(lengths.0).fast_min(lengths.1);
        }
        self.passes += 1;
        passes::smallest(longest)
    }

    /// The duality gap of the current friction, contact by contact.
    fn measure<C: Barrier>(&mut self, program: &Program<C>, y: &Vec6, current: usize) -> f64 {
        let p = Wide6::splat(&(program.b.transpose() * y));
        let shape = program.cone.shape();
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
