//! Passes over the contacts: the only loops whose cost grows with their number k.
//!
//! Everything that a solver needs of the contacts is a sum over them, evaluated in six dimensions:
//!
//! - the *support map* of Σ G_i P_i: for a direction p, the friction in each P_i that is extreme for G_iᵀp;
//! - the *Gram matrix* Σ w_i G_i G_iᵀ of weighted tangent columns;
//! - the transposed product G_iᵀ p (slip, for a twist p).
//!
//! Blocks are visited in order and lanes are summed in a fixed order, without fused multiply-add: the same
//! bits on any processor.

use super::cone::Shape;
use crate::contact::{Block, Lane};
use crate::spatial::{Mat6, Vec6};

/// The two tangential components of a block of contacts.
pub(crate) type Pair = [Lane; 2];

/// A six-vector copied to every lane.
#[derive(Clone, Copy)]
pub(super) struct Wide6([Lane; 6]);

impl Wide6 {
    #[inline(always)]
    pub fn splat(p: &Vec6) -> Self {
        Self([p[0], p[1], p[2], p[3], p[4], p[5]].map(Lane::splat))
    }
}

/// G_iᵀ p for the contacts of a block.
#[inline(always)]
pub(super) fn transposed(block: &Block, p: &Wide6) -> Pair {
    let dot = |c: &[Lane; 6]| {
        (c[0] * p.0[0] + c[1] * p.0[1] + c[2] * p.0[2]) + (c[3] * p.0[3] + c[4] * p.0[4] + c[5] * p.0[5])
    };
    [dot(&block.u), dot(&block.v)]
}

/// Sum of the lanes, in a fixed order.
#[inline(always)]
pub(crate) fn total(x: Lane) -> f64 {
    let a = x.as_array();
    (a[0] + a[1]) + (a[2] + a[3])
}

/// Largest lane.
#[inline(always)]
pub(super) fn largest(x: Lane) -> f64 {
    let a = x.as_array();
    a[0].max(a[1]).max(a[2].max(a[3]))
}

/// Smallest lane.
#[inline(always)]
pub(super) fn smallest(x: Lane) -> f64 {
    let a = x.as_array();
    a[0].min(a[1]).min(a[2].min(a[3]))
}

/// Running sum Σ G_i b_i.
#[derive(Clone, Copy, Default)]
pub(super) struct WrenchSum([Lane; 6]);

impl WrenchSum {
    #[inline(always)]
    pub fn add(&mut self, block: &Block, b: &Pair) {
        for row in 0..6 {
            self.0[row] += block.u[row] * b[0] + block.v[row] * b[1];
        }
    }

    #[inline(always)]
    pub fn total(&self) -> Vec6 {
        Vec6::from_fn(|i, _| total(self.0[i]))
    }
}

/// Running sum Σ G_i W_i G_iᵀ with 2 × 2 symmetric W_i = [[a, c], [c, b]]: the lower triangle, row by row.
#[derive(Clone, Copy, Default)]
pub(super) struct GramSum([Lane; 1], [Lane; 2], [Lane; 3], [Lane; 4], [Lane; 5], [Lane; 6]);

impl GramSum {
    #[inline(always)]
    pub fn add(&mut self, block: &Block, a: Lane, b: Lane, c: Lane) {
        let x = |i: usize| block.u[i] * a + block.v[i] * c;
        let y = |i: usize| block.u[i] * c + block.v[i] * b;
        self.add_rows(block, x, y);
    }

    #[inline(always)]
    pub fn add_scaled(&mut self, block: &Block, w: Lane) {
        self.add_rows(block, |i| block.u[i] * w, |i| block.v[i] * w);
    }

    #[inline(always)]
    fn add_rows(&mut self, block: &Block, x: impl Fn(usize) -> Lane, y: impl Fn(usize) -> Lane) {
        // Rows of fixed length, so that every loop is unrolled.
        #[inline(always)]
        fn row<const N: usize>(sum: &mut [Lane; N], block: &Block, x: Lane, y: Lane) {
            for j in 0..N {
                sum[j] += x * block.u[j] + y * block.v[j];
            }
        }
        row(&mut self.0, block, x(0), y(0));
        row(&mut self.1, block, x(1), y(1));
        row(&mut self.2, block, x(2), y(2));
        row(&mut self.3, block, x(3), y(3));
        row(&mut self.4, block, x(4), y(4));
        row(&mut self.5, block, x(5), y(5));
    }

    pub fn total(&self) -> Mat6 {
        let rows: [&[Lane]; 6] = [&self.0, &self.1, &self.2, &self.3, &self.4, &self.5];
        Mat6::from_fn(|i, j| total(rows[i.max(j)][i.min(j)]))
    }
}

/// Σ w_i G_i G_iᵀ with w_i = L_i².
pub(super) fn gram_by_limit(blocks: &[Block], limits: &[Lane]) -> Mat6 {
    let mut sum = GramSum::default();
    for (block, limit) in blocks.iter().zip(limits) {
        sum.add_scaled(block, *limit * *limit);
    }
    sum.total()
}

/// Σ G_i G_iᵀ: unit tangents, whatever their limits.
pub(super) fn gram(blocks: &[Block]) -> Mat6 {
    let mut sum = GramSum::default();
    for block in blocks {
        sum.add_scaled(block, Lane::ONE);
    }
    sum.total()
}

/// The support map: writes the friction extreme for pᵀG_iβ_i of every contact, and returns Σ G_iβ_i.
pub(super) fn support<S: Shape>(blocks: &[Block], limits: &[Lane], shape: S, p: &Vec6, friction: &mut [Pair]) -> Vec6 {
    let p = Wide6::splat(p);
    let mut sum = WrenchSum::default();
    for ((block, limit), out) in blocks.iter().zip(limits).zip(friction) {
        *out = shape.extreme(transposed(block, &p), *limit);
        sum.add(block, out);
    }
    sum.total()
}
