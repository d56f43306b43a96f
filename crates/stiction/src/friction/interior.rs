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
    /// Multipliers that make `b` central for µ.
    fn start(&self, b: &Pair, limit: Lane, mu: f64, z: &mut [Lane]);
    /// W as [[a, c], [c, b]], W g, and Σ multiplier × slack.
    fn weights(&self, b: &Pair, limit: Lane, z: &[Lane]) -> ([Lane; 3], Pair, Lane);
    /// The multipliers' step, and the largest step lengths for friction and for multipliers.
    fn step(&self, b: &Pair, db: &Pair, limit: Lane, mu: Lane, z: &[Lane], dz: &mut [Lane]) -> (Lane, Lane);
}

impl Barrier for Disk {
    type Shape = Disk;

    fn shape(&self) -> Disk {
        *self
    }

    fn multipliers(&self) -> usize {
        1
    }

    #[inline(always)]
    fn start(&self, b: &Pair, limit: Lane, mu: f64, z: &mut [Lane]) {
        let slack = (limit * limit - (b[0] * b[0] + b[1] * b[1])) * Lane::HALF;
        z[0] = limit.simd_gt(Lane::ZERO).select(Lane::splat(mu) / slack.fast_max(Lane::splat(TINY)), Lane::ONE);
    }

    #[inline(always)]
    fn weights(&self, b: &Pair, limit: Lane, z: &[Lane]) -> ([Lane; 3], Pair, Lane) {
        let squared = b[0] * b[0] + b[1] * b[1];
        let slack = (limit * limit - squared) * Lane::HALF;
        let inverse = limit.simd_gt(Lane::ZERO) & (Lane::ONE / z[0]);
        let per = inverse / (slack + squared).fast_max(Lane::splat(TINY));
        let w = [inverse - per * b[0] * b[0], inverse - per * b[1] * b[1], -(per * b[0] * b[1])];
        (w, [b[0] * per, b[1] * per], z[0] * slack)
    }

    #[inline(always)]
    fn step(&self, b: &Pair, db: &Pair, limit: Lane, mu: Lane, z: &[Lane], dz: &mut [Lane]) -> (Lane, Lane) {
        let squared = b[0] * b[0] + b[1] * b[1];
        let slack = (limit * limit - squared) * Lane::HALF;
        let along = b[0] * db[0] + b[1] * db[1];
        let change = (mu - z[0] * slack + z[0] * along) / slack.fast_max(Lane::splat(TINY));
        dz[0] = limit.simd_gt(Lane::ZERO) & change;
        (to_boundary(b, db, limit), positive(z[0], dz[0]))
    }
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

    #[inline(always)]
    fn start(&self, b: &Pair, limit: Lane, mu: f64, z: &mut [Lane]) {
        for (z, facet) in z.iter_mut().zip(&self.table.facets) {
            let (_, slack) = self.slack(b, limit, facet);
            *z = limit.simd_gt(Lane::ZERO).select(Lane::splat(mu) / slack, Lane::ONE);
        }
    }

    #[inline(always)]
    fn weights(&self, b: &Pair, limit: Lane, z: &[Lane]) -> ([Lane; 3], Pair, Lane) {
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
        let pull = [w[0] * g_u + w[2] * g_v, w[2] * g_u + w[1] * g_v];
        (w, pull.map(|x| real & x), real & product)
    }

    #[inline(always)]
    fn step(&self, b: &Pair, db: &Pair, limit: Lane, mu: Lane, z: &[Lane], dz: &mut [Lane]) -> (Lane, Lane) {
        let real = limit.simd_gt(Lane::ZERO);
        let (mut friction, mut multiplier) = (Lane::splat(f64::INFINITY), Lane::splat(f64::INFINITY));
        for ((z, dz), facet) in z.iter().zip(dz).zip(&self.table.facets) {
            let (a, slack) = self.slack(b, limit, facet);
            let along = a[0] * db[0] + a[1] * db[1];
            *dz = real & ((mu - *z * slack + *z * along) / slack);
            friction = friction.fast_min(real.select(positive(slack, -along), Lane::splat(f64::INFINITY)));
            multiplier = multiplier.fast_min(positive(*z, *dz));
        }
        (friction, multiplier)
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

/// Memory of the method: three generations of friction (so that the best is never lost), multipliers, steps.
#[derive(Clone, Debug)]
pub(super) struct Interior {
    friction: [Vec<Pair>; 3],
    step: Vec<Pair>,
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
            z: vec![Lane::ONE; blocks * multipliers],
            dz: vec![Lane::ZERO; blocks * multipliers],
            iterations: 0,
            passes: 0,
            gap: f64::INFINITY,
            converged: false,
            stalled: false,
        }
    }

    /// Solves the program and returns the index of the best friction found.
    pub fn solve<C: Barrier>(&mut self, program: &Program<C>, budget: u32) -> &[Pair] {
        let n = program.blocks.len();
        let (mut current, mut best) = (0, 0);
        (self.iterations, self.passes, self.gap) = (0, 0, f64::INFINITY);
        (self.converged, self.stalled) = (false, false);
        let free = program.b * program.f;
        let (work, count) = self.start(program);
        let scale = 0.5 * free.norm_squared() + work;
        if !(scale > 0.0) || count == 0.0 {
            (self.converged, self.gap) = (true, 0.0);
            return &self.friction[0][..n];
        }
        let mut best_objective = 0.5 * free.norm_squared();
        let mut alpha = 0.0;
        let mut last = f64::INFINITY;
        loop {
            let assembly = self.assemble(program, &mut current, best, alpha);
            let y = program.b * (program.f + assembly.wrench);
            let objective = 0.5 * y.norm_squared() + assembly.slip_work;
            if objective <= best_objective {
                (best, best_objective) = (current, objective);
            }
            let average = assembly.complementarity / count;
            if 2.0 * assembly.complementarity <= 0.5 * GAP_TOLERANCE * scale || last < 1e-14 {
                self.gap = self.measure(program, &y, current);
                self.converged = self.gap <= GAP_TOLERANCE * scale;
                self.stalled = !self.converged && last < 1e-14;
                if self.converged || self.stalled {
                    return &self.friction[if self.converged { current } else { best }][..n];
                }
            }
            if self.passes + 2 > budget {
                return &self.friction[best][..n];
            }
            self.iterations += 1;
            let sigma = if self.iterations == 1 { 0.3 } else { ((1.0 - alpha) * (1.0 - alpha)).clamp(1e-3, 0.8) };
            let mu = sigma * average;
            let schur = program.b * assembly.schur * program.b.transpose() + Mat6::identity();
            let rhs = y - program.b * (assembly.by_slip + assembly.by_centre * mu);
            let Some(factor) = small::cholesky_scaled(&schur) else {
                self.stalled = true;
                return &self.friction[best][..n];
            };
            let p = program.b.transpose() * factor.solve(&rhs);
            alpha = (TO_BOUNDARY * self.directions(program, &p, mu, current)).min(1.0);
            last = alpha;
        }
    }

    /// β = 0 with central multipliers. Returns Σ L_i‖s_i‖ and the number of multipliers in force.
    fn start<C: Barrier>(&mut self, program: &Program<C>) -> (f64, f64) {
        let m = program.cone.multipliers();
        let p = Wide6::splat(&(program.b.transpose() * (program.b * program.f)));
        let (mut work, mut slip_work, mut count) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
        for i in 0..program.blocks.len() {
            let (s, limit) = (program.anchors[i], program.limits[i]);
            let d = transposed(&program.blocks[i], &p);
            let u = [d[0] + s[0], d[1] + s[1]];
            work += limit * (u[0] * u[0] + u[1] * u[1]).sqrt();
            slip_work += limit * (s[0] * s[0] + s[1] * s[1]).sqrt();
            count += limit.simd_gt(Lane::ZERO) & Lane::splat(m as f64);
            self.friction[0][i] = [Lane::ZERO; 2];
            self.step[i] = [Lane::ZERO; 2];
        }
        self.passes += 1;
        let count = passes::total(count);
        let mu = 0.5 * (passes::total(work) / count.max(1.0)).max(TINY);
        for i in 0..program.blocks.len() {
            let z = &mut self.z[i * m..(i + 1) * m];
            program.cone.start(&[Lane::ZERO; 2], program.limits[i], mu, z);
            self.dz[i * m..(i + 1) * m].fill(Lane::ZERO);
        }
        (passes::total(slip_work), count)
    }

    /// Takes the last step by `alpha` and sums up the next Newton system.
    fn assemble<C: Barrier>(&mut self, program: &Program<C>, current: &mut usize, best: usize, alpha: f64) -> Assembly {
        let m = program.cone.multipliers();
        let from = *current;
        let to = (0..3).find(|&i| i != from && i != best).unwrap_or(0);
        *current = to;
        let alpha = Lane::splat(alpha);
        let (mut schur, mut by_slip, mut by_centre) = (GramSum::default(), WrenchSum::default(), WrenchSum::default());
        let (mut wrench, mut slip_work, mut complementarity) = (WrenchSum::default(), Lane::ZERO, Lane::ZERO);
        for (i, block) in program.blocks.iter().enumerate() {
            let (b, d, s, limit) = (self.friction[from][i], self.step[i], program.anchors[i], program.limits[i]);
            let b = [b[0] + alpha * d[0], b[1] + alpha * d[1]];
            self.friction[to][i] = b;
            let z = &mut self.z[i * m..(i + 1) * m];
            for (z, dz) in z.iter_mut().zip(&self.dz[i * m..(i + 1) * m]) {
                *z += alpha * *dz;
            }
            let (w, centre, product) = program.cone.weights(&b, limit, z);
            schur.add(block, w[0], w[1], w[2]);
            by_slip.add(block, &[w[0] * s[0] + w[2] * s[1], w[2] * s[0] + w[1] * s[1]]);
            by_centre.add(block, &centre);
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

    /// Newton directions for p = Bᵀŷ; returns the largest common step length.
    fn directions<C: Barrier>(&mut self, program: &Program<C>, p: &Vec6, mu: f64, current: usize) -> f64 {
        let m = program.cone.multipliers();
        let (p, mu) = (Wide6::splat(p), Lane::splat(mu));
        let mut longest = [Lane::splat(f64::INFINITY); 2];
        for (i, block) in program.blocks.iter().enumerate() {
            let (b, s, limit) = (self.friction[current][i], program.anchors[i], program.limits[i]);
            let z = &self.z[i * m..(i + 1) * m];
            let d = transposed(block, &p);
            let u = [d[0] + s[0], d[1] + s[1]];
            let (w, centre, _) = program.cone.weights(&b, limit, z);
            let db = [
                -(w[0] * u[0] + w[2] * u[1]) - mu * centre[0],
                -(w[2] * u[0] + w[1] * u[1]) - mu * centre[1],
            ];
            self.step[i] = db;
            let (friction, multiplier) = program.cone.step(&b, &db, limit, mu, z, &mut self.dz[i * m..(i + 1) * m]);
            longest[0] = longest[0].fast_min(friction);
            longest[1] = longest[1].fast_min(multiplier);
        }
        self.passes += 1;
        passes::smallest(longest[0]).min(passes::smallest(longest[1]))
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
