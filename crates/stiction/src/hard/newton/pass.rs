//! One pass over the contacts: forces and friction for a step, and the sums of the next Newton step.

use super::Newton;
use crate::contact::Lane;
use crate::friction::passes::{Pair, total};
use crate::hard::problem::{Block, HardProblem};
use crate::spatial::{Mat6, Vec6};

/// What a pass found for a block of contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Local {
    pub force: Lane,
    pub limit: Lane,
    pub u: Pair,
    pub friction: Pair,
    pub base: Pair,
    pub direction: Pair,
    pub w: [Lane; 3],
}

/// Sums of a pass.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub matrix: Mat6,
    pub normal: Vec6,
    pub base: Vec6,
    pub friction: Vec6,
    pub gap: f64,
    pub pressure: f64,
    pub limit: f64,
    /// Σ k_i of the contacts that push (N/m).
    pub stiffness: f64,
}

/// Where a pass takes friction from.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum From {
    /// The friction of the last tick.
    LastTick,
    /// (3) itself.
    Law,
    /// The last pass, by (5).
    LastPass,
}

impl Newton {
    /// Counts a pass in which contacts of so many blocks pushed.
    pub(super) fn swept(&mut self, problem: &HardProblem, pushing: u64) {
        self.effort.passes += 1;
        self.effort.pushing += pushing;
        self.effort.idle += problem.blocks.len() as u64 - pushing;
    }

    /// Forces and friction at q, and the sums of the next Newton step, whose matrix has the last sum of (5) where it is `coupled`.
    pub(super) fn pass(&mut self, problem: &HardProblem, q: &Vec6, eta: f64, from: From, coupled: bool) -> Sums {
        let wide = splat(q);
        let smooth = Lane::splat(eta * eta);
        let coupling = if coupled { Lane::ONE } else { Lane::ZERO };
        let [low, high] = &mut self.local;
        let (source, target) = if self.current == 0 { (low, high) } else { (high, low) };
        let [low, high] = &mut self.busy;
        let (was_busy, busy) = if self.current == 0 { (low, high) } else { (high, low) };
        let mut swept = 0;
        self.current = 1 - self.current;
        let mut matrix = [[Lane::ZERO; 6]; 6];
        let [mut normal, mut base, mut friction] = [[Lane::ZERO; 6]; 3];
        let [mut gap, mut pressure, mut limits, mut stiff_sum] = [Lane::ZERO; 4];
        let locals = source.iter().zip(target.iter_mut()).zip(&self.start).zip(was_busy.iter().zip(busy.iter_mut()));
        for (block, (((old, new), start), (was_busy, busy))) in problem.blocks.iter().zip(locals) {
            let depth = block.depth - dot(&block.n, &wide);
            let pushes = depth.simd_gt(Lane::ZERO);
            if pushes.to_bitmask() == 0 {
                // Most blocks of a tick are idle, pass after pass.
                if std::mem::take(busy) {
                    *new = Local::default();
                }
                continue;
            }
            (*busy, swept) = (true, swept + 1);
            new.u = [dot(&block.u, &wide) + block.slip[0], dot(&block.v, &wide) + block.slip[1]];
            let stiffness = block.stiffness & pushes;
            let mu = block.mu;
            new.force = stiffness * depth;
            new.limit = mu * new.force;
            let u = new.u;
            let square = u[0] * u[0] + u[1] * u[1];
            let inverse = Lane::ONE / (square + smooth).sqrt();
            new.direction = [u[0] * inverse, u[1] * inverse];
            new.base = [-(new.limit * new.direction[0]), -(new.limit * new.direction[1])];
            new.friction = match from {
                From::Law => new.base,
                // Nothing of the block pushed: there is nothing to go on from.
                From::LastPass if !was_busy => new.base,
                From::LastTick => into_disk(*start, new.limit),
                From::LastPass => {
                    let du = [u[0] - old.u[0], u[1] - old.u[1]];
                    let more = new.limit - old.limit;
                    let b = [
                        old.base[0] - (old.w[0] * du[0] + old.w[2] * du[1]) - old.direction[0] * more,
                        old.base[1] - (old.w[2] * du[0] + old.w[1] * du[1]) - old.direction[1] * more,
                    ];
                    into_disk(b, new.limit)
                }
            };
            let b = new.friction;
            let stiff = new.limit * inverse;
            let bend = inverse * inverse;
            new.w = [
                stiff + bend * b[0] * u[0],
                stiff + bend * b[1] * u[1],
                bend * (b[0] * u[1] + b[1] * u[0]) * Lane::HALF,
            ];
            let steer = coupling * mu * stiffness;
            add(&mut matrix, block, stiffness, [steer * new.direction[0], steer * new.direction[1]], &new.w);
            for row in 0..6 {
                normal[row] += block.n[row] * new.force;
                base[row] += block.u[row] * new.base[0] + block.v[row] * new.base[1];
                friction[row] += block.u[row] * b[0] + block.v[row] * b[1];
            }
            gap += new.limit * square.sqrt() + (b[0] * u[0] + b[1] * u[1]);
            pressure += new.force;
            stiff_sum += stiffness;
            limits += new.limit;
        }
        self.swept(problem, swept);
        let sum = |lanes: &[Lane; 6]| Vec6::from_fn(|i, _| total(lanes[i]));
        Sums {
            matrix: Mat6::from_fn(|i, j| total(matrix[i][j])),
            normal: sum(&normal),
            base: sum(&base),
            friction: sum(&friction),
            gap: total(gap).max(0.0),
            pressure: total(pressure),
            limit: total(limits),
            stiffness: total(stiff_sum),
        }
    }
}

/// k J Jᵀ - G steer Jᵀ + G W Gᵀ.
#[inline(always)]
fn add(sum: &mut [[Lane; 6]; 6], block: &Block, stiffness: Lane, steer: Pair, w: &[Lane; 3]) {
    for row in 0..6 {
        let (n, u, v) = (block.n[row], block.u[row], block.v[row]);
        let by_n = stiffness * n - (u * steer[0] + v * steer[1]);
        let by_u = u * w[0] + v * w[2];
        let by_v = u * w[2] + v * w[1];
        for column in 0..6 {
            sum[row][column] += by_n * block.n[column] + by_u * block.u[column] + by_v * block.v[column];
        }
    }
}

#[inline(always)]
pub(super) fn splat(p: &Vec6) -> [Lane; 6] {
    [p[0], p[1], p[2], p[3], p[4], p[5]].map(Lane::splat)
}

#[inline(always)]
pub(super) fn dot(c: &[Lane; 6], p: &[Lane; 6]) -> Lane {
    (c[0] * p[0] + c[1] * p[1] + c[2] * p[2]) + (c[3] * p[3] + c[4] * p[4] + c[5] * p[5])
}

/// The point of the disk nearest to b.
#[inline(always)]
fn into_disk(b: Pair, limit: Lane) -> Pair {
    let length = (b[0] * b[0] + b[1] * b[1]).sqrt().fast_max(Lane::splat(1e-300));
    let shrink = (limit / length).fast_min(Lane::ONE);
    [b[0] * shrink, b[1] * shrink]
}
