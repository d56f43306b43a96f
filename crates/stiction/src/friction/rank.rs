//! Rank of G = [T; R], and a basis Z of null(Gᵀ): the twists that slip at no contact.
//!
//! Rank is decided from unit-tangent columns, whatever the friction limits are. A plane has rank 3, a two-wall
//! corner and two opposing walls 5, three walls 6. The Gram matrix G Gᵀ (torque rows divided by a length of the
//! part) is factored with diagonal pivoting. It can only tell singular values above 1e-8 of the largest from
//! rounding, so candidates are sharpened: Gᵀz is evaluated directly, which resolves singular values down to
//! 1e-16, and z is corrected until Gᵀz stops shrinking. A direction counts as null when its singular value is
//! at most [`TOLERANCE`] of the largest.

use super::passes::{self, Wide6, WrenchSum, transposed};
use crate::contact::{Block, Lane};
use crate::spatial::{Mat6, Vec6};

/// Singular values of the scaled G below this part of the largest count as zero.
pub(super) const TOLERANCE: f64 = 1e-10;
/// Pivots of the scaled Gram matrix below this part of its trace are candidates for zero.
const CANDIDATE: f64 = 1e-10;

/// A basis of null(Gᵀ).
#[derive(Clone, Copy, Debug)]
pub(super) struct NullSpace {
    basis: [Vec6; 6],
    dimension: usize,
}

impl NullSpace {
    /// The null space of a G of full rank.
    pub const EMPTY: Self = Self { basis: [Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0); 6], dimension: 0 };

    /// From an orthonormal basis of null(Ĝᵀ), Ĝ = D G.
    fn from_scaled(z: &[Vec6], scale: &Vec6) -> Self {
        let mut null = Self { dimension: z.len(), ..Self::EMPTY };
        for (basis, z) in null.basis.iter_mut().zip(z) {
            *basis = z.component_mul(scale);
        }
        null
    }

    /// Basis vectors z, with Gᵀz = 0, orthonormal once their rotations are multiplied by the part's length.
    pub fn basis(&self) -> &[Vec6] {
        &self.basis[..self.dimension]
    }

    /// 6 - rank G.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Adds `weight` Z̃ Z̃ᵀ to a Gram matrix, Z̃ the basis as wrenches: fills the directions it cannot see.
    pub fn fill(&self, gram: &Mat6, length: f64) -> Mat6 {
        let mut filled = *gram;
        let weight = gram.fixed_view::<3, 3>(0, 0).trace();
        let to_wrench = row_scale(1.0 / length);
        for z in self.basis() {
            // z = D ẑ as a twist; the wrench direction dual to it is D⁻¹ ẑ.
            let wrench = z.component_div(&to_wrench).component_div(&to_wrench);
            filled += wrench * wrench.transpose() * weight;
        }
        filled
    }
}

/// diag(1, 1, 1, s, s, s).
pub(super) fn row_scale(s: f64) -> Vec6 {
    Vec6::new(1.0, 1.0, 1.0, s, s, s)
}

/// The null space of Gᵀ, and the number of passes it took. `length` scales torques; `weighted` is the Gram matrix
/// with squared limits as weights.
pub(super) fn null_space(blocks: &[Block], length: f64, weighted: &Mat6) -> (NullSpace, u32) {
    let scale = row_scale(1.0 / length);
    let scaled = |gram: &Mat6| Mat6::from_fn(|i, j| gram[(i, j)] * scale[i] * scale[j]);
    // The null space of the weighted matrix contains that of the unit one. If all of it slips nowhere, they are equal.
    let guess = scaled(weighted);
    let pivoted = Pivoted::new(&guess, CANDIDATE * guess.trace());
    let n = 6 - pivoted.rank;
    if n < 6 {
        let mut z = pivoted.null_vectors();
        orthonormalise(&mut z[..n]);
        let (slips, tangents) = total_slip(blocks, &scale, &z[..n]);
        if slips <= 1e-28 * tangents {
            return (NullSpace::from_scaled(&z[..n], &scale), 1);
        }
    }
    let (null, passes) = null_space_of_unit_tangents(blocks, &scale);
    (null, passes + 1)
}

fn null_space_of_unit_tangents(blocks: &[Block], scale: &Vec6) -> (NullSpace, u32) {
    let raw = passes::gram(blocks);
    let gram = Mat6::from_fn(|i, j| raw[(i, j)] * scale[i] * scale[j]);
    let trace = gram.trace();
    if !(trace > 0.0) {
        let basis: [Vec6; 6] = std::array::from_fn(|i| Vec6::from_fn(|j, _| (i == j) as u8 as f64));
        return (NullSpace::from_scaled(&basis, scale), 1);
    }
    let pivoted = Pivoted::new(&gram, CANDIDATE * trace);
    let n = 6 - pivoted.rank;
    if n == 0 {
        return (NullSpace::EMPTY, 1);
    }
    let mut z = pivoted.null_vectors();
    orthonormalise(&mut z[..n]);
    let mut passes = 1;
    let mut previous = f64::INFINITY;
    loop {
        passes += 1;
        let (slips, wrenches) = slips(blocks, scale, &z[..n]);
        let size = (0..n).map(|i| slips[(i, i)]).sum::<f64>();
        // Null to rounding, or no longer shrinking: what is left is a real singular value.
        if size <= 1e-28 * trace || size > 0.25 * previous || passes >= 5 {
            return (split(&slips, &z[..n], trace, scale), passes);
        }
        previous = size;
        for i in 0..n {
            z[i] -= pivoted.solve(&wrenches[i]);
        }
        orthonormalise(&mut z[..n]);
    }
}

/// Σ ‖Ĝ_iᵀ z_a‖² over all z, and the trace of Ĝ Ĝᵀ over the force rows: a lower bound of the whole.
fn total_slip(blocks: &[Block], scale: &Vec6, z: &[Vec6]) -> (f64, f64) {
    let directions: [Wide6; 6] =
        std::array::from_fn(|i| Wide6::splat(&z.get(i).map_or(Vec6::zeros(), |z| z.component_mul(scale))));
    let (mut slips, mut tangents) = (Lane::ZERO, Lane::ZERO);
    for block in blocks {
        for direction in &directions[..z.len()] {
            let slip = transposed(block, direction);
            slips += slip[0] * slip[0] + slip[1] * slip[1];
        }
        let u = &block.u;
        tangents += u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    }
    (passes::total(slips), 2.0 * passes::total(tangents))
}

/// Σ (Ĝ_iᵀ z_a)·(Ĝ_iᵀ z_b) and Σ Ĝ_i Ĝ_iᵀ z_a for scaled columns Ĝ = D G.
fn slips(blocks: &[Block], scale: &Vec6, z: &[Vec6]) -> (Mat6, [Vec6; 6]) {
    let directions: [Wide6; 6] =
        std::array::from_fn(|i| Wide6::splat(&z.get(i).map_or(Vec6::zeros(), |z| z.component_mul(scale))));
    let mut products = [[Lane::ZERO; 6]; 6];
    let mut sums = [WrenchSum::default(); 6];
    for block in blocks {
        let mut slip = [[Lane::ZERO; 2]; 6];
        for a in 0..z.len() {
            slip[a] = transposed(block, &directions[a]);
            sums[a].add(block, &slip[a]);
            for b in 0..=a {
                products[a][b] += slip[a][0] * slip[b][0] + slip[a][1] * slip[b][1];
            }
        }
    }
    let products = Mat6::from_fn(|i, j| passes::total(products[i.max(j)][i.min(j)]));
    (products, sums.map(|s| s.total().component_mul(scale)))
}

/// Keeps the combinations of `z` whose singular value is below the tolerance.
fn split(slips: &Mat6, z: &[Vec6], trace: f64, scale: &Vec6) -> NullSpace {
    let mut null = NullSpace::EMPTY;
    let (values, vectors) = jacobi_eigen(slips, z.len());
    for k in 0..z.len() {
        if values[k] <= TOLERANCE * TOLERANCE * trace {
            let combined = (0..z.len()).fold(Vec6::zeros(), |sum, i| sum + z[i] * vectors[(i, k)]);
            null.basis[null.dimension] = combined.component_mul(scale);
            null.dimension += 1;
        }
    }
    null
}

/// Cholesky factorisation with diagonal pivoting, stopped at `threshold`.
struct Pivoted {
    order: [usize; 6],
    factor: Mat6,
    rank: usize,
}

impl Pivoted {
    fn new(gram: &Mat6, threshold: f64) -> Self {
        let mut rest = *gram;
        let mut this = Self { order: [0, 1, 2, 3, 4, 5], factor: Mat6::zeros(), rank: 6 };
        for k in 0..6 {
            let best = (k..6).fold(k, |best, i| if rest[(i, i)] > rest[(best, best)] { i } else { best });
            if rest[(best, best)] <= threshold {
                this.rank = k;
                break;
            }
            rest.swap_rows(k, best);
            rest.swap_columns(k, best);
            this.factor.swap_rows(k, best);
            this.order.swap(k, best);
            let pivot = rest[(k, k)].sqrt();
            this.factor[(k, k)] = pivot;
            for i in k + 1..6 {
                this.factor[(i, k)] = rest[(i, k)] / pivot;
            }
            for i in k + 1..6 {
                for j in k + 1..6 {
                    rest[(i, j)] -= this.factor[(i, k)] * this.factor[(j, k)];
                }
            }
        }
        this
    }

    /// One vector per missing rank: [-L₁₁⁻ᵀ L₂₁ᵀ e_j ; e_j], in the original order of rows.
    fn null_vectors(&self) -> [Vec6; 6] {
        let mut z = [Vec6::zeros(); 6];
        for j in self.rank..6 {
            let mut x = [0.0; 6];
            for i in (0..self.rank).rev() {
                x[i] = -self.factor[(j, i)];
                for k in i + 1..self.rank {
                    x[i] -= self.factor[(k, i)] * x[k];
                }
                x[i] /= self.factor[(i, i)];
            }
            x[j] = 1.0;
            for i in 0..6 {
                z[j - self.rank][self.order[i]] = x[i];
            }
        }
        z
    }

    /// Solves the leading block only; other components of the result are zero.
    fn solve(&self, b: &Vec6) -> Vec6 {
        let mut x = [0.0; 6];
        for i in 0..self.rank {
            x[i] = b[self.order[i]];
            for k in 0..i {
                x[i] -= self.factor[(i, k)] * x[k];
            }
            x[i] /= self.factor[(i, i)];
        }
        for i in (0..self.rank).rev() {
            for k in i + 1..self.rank {
                x[i] -= self.factor[(k, i)] * x[k];
            }
            x[i] /= self.factor[(i, i)];
        }
        let mut result = Vec6::zeros();
        for i in 0..self.rank {
            result[self.order[i]] = x[i];
        }
        result
    }
}

fn orthonormalise(z: &mut [Vec6]) {
    for i in 0..z.len() {
        for _ in 0..2 {
            for k in 0..i {
                let along = z[k].dot(&z[i]);
                let other = z[k];
                z[i] -= other * along;
            }
        }
        let length = z[i].norm();
        z[i] /= length;
    }
}

/// Eigenvalues and eigenvectors of the leading n × n block of a symmetric matrix, by cyclic Jacobi rotations.
fn jacobi_eigen(a: &Mat6, n: usize) -> ([f64; 6], Mat6) {
    let mut a = *a;
    let mut v = Mat6::identity();
    for _sweep in 0..12 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[(i, j)] * a[(i, j)]).sum();
        let on: f64 = (0..n).map(|i| a[(i, i)] * a[(i, i)]).sum();
        if off <= 1e-30 * on {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[(p, q)] == 0.0 {
                    continue;
                }
                let theta = (a[(q, q)] - a[(p, p)]) / (2.0 * a[(p, q)]);
                let t = if theta >= 0.0 { 1.0 } else { -1.0 } / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[(k, p)], a[(k, q)]);
                    (a[(k, p)], a[(k, q)]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[(p, k)], a[(q, k)]);
                    (a[(p, k)], a[(q, k)]) = (c * x - s * y, s * x + c * y);
                    let (x, y) = (v[(k, p)], v[(k, q)]);
                    (v[(k, p)], v[(k, q)]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    (std::array::from_fn(|i| a[(i, i)]), v)
}
