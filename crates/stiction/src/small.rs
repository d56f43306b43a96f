//! Small dense linear algebra with a fixed order of operations: 6 × 6 inverse, Cholesky factor and
//! triangular solves. Textbook algorithms (Golub & Van Loan, chapters 3 and 4), written out so that the bits
//! do not depend on a library's version.

use crate::spatial::{Mat3, Mat6, Vec6};

/// Inverse by Gaussian elimination with partial pivoting on the equilibrated matrix, and an estimate of the
/// reciprocal condition number (exact in the 1-norm of the equilibrated matrix). A singular matrix gives 0.
pub(crate) fn invert(a: &Mat6) -> (Mat6, f64) {
    // Rows, then columns, scaled to unit size: forces and torques have different units.
    let inverse_or_zero = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
    let rows: [f64; 6] = std::array::from_fn(|i| inverse_or_zero(a.row(i).amax()));
    let cols: [f64; 6] =
        std::array::from_fn(|j| inverse_or_zero((0..6).map(|i| (a[(i, j)] * rows[i]).abs()).fold(0.0, f64::max)));
    let mut m = Mat6::from_fn(|i, j| a[(i, j)] * rows[i] * cols[j]);
    let one_norm = |m: &Mat6| (0..6).map(|j| m.column(j).lp_norm(1)).fold(0.0, f64::max);
    let norm = one_norm(&m);
    let mut inv = Mat6::identity();
    for k in 0..6 {
        let pivot_row = (k..6).fold(k, |best, i| if m[(i, k)].abs() > m[(best, k)].abs() { i } else { best });
        if m[(pivot_row, k)] == 0.0 || !m[(pivot_row, k)].is_finite() {
            return (Mat6::zeros(), 0.0);
        }
        m.swap_rows(k, pivot_row);
        inv.swap_rows(k, pivot_row);
        let pivot = 1.0 / m[(k, k)];
        for i in 0..6 {
            if i != k {
                let factor = m[(i, k)] * pivot;
                for j in 0..6 {
                    m[(i, j)] -= factor * m[(k, j)];
                    inv[(i, j)] -= factor * inv[(k, j)];
                }
            }
        }
        for j in 0..6 {
            m[(k, j)] *= pivot;
            inv[(k, j)] *= pivot;
        }
    }
    let rcond = 1.0 / (norm * one_norm(&inv));
    let inv = Mat6::from_fn(|i, j| inv[(i, j)] * cols[i] * rows[j]);
    (inv, if rcond.is_finite() { rcond } else { 0.0 })
}

/// Lower Cholesky factor C with C Cᵀ = sym(a); `None` unless every pivot stays above rounding.
pub(crate) fn cholesky(a: &Mat6) -> Option<Mat6> {
    let mut c = Mat6::zeros();
    for j in 0..6 {
        let mut d = a[(j, j)];
        for k in 0..j {
            d -= c[(j, k)] * c[(j, k)];
        }
        // 1e-15 of the diagonal: a pivot below it is rounding, not stiffness.
        if !(d > 1e-15 * a[(j, j)].abs()) || !d.is_finite() {
            return None;
        }
        let pivot = d.sqrt();
        let inverse = 1.0 / pivot;
        c[(j, j)] = pivot;
        for i in j + 1..6 {
            let mut s = 0.5 * (a[(i, j)] + a[(j, i)]);
            for k in 0..j {
                s -= c[(i, k)] * c[(j, k)];
            }
            c[(i, j)] = s * inverse;
        }
    }
    Some(c)
}

/// C⁻¹ b for lower triangular C.
pub(crate) fn solve_lower(c: &Mat6, b: &Vec6) -> Vec6 {
    let mut x = *b;
    for i in 0..6 {
        for k in 0..i {
            x[i] -= c[(i, k)] * x[k];
        }
        x[i] /= c[(i, i)];
    }
    x
}

/// C⁻ᵀ b for lower triangular C.
pub(crate) fn solve_lower_transposed(c: &Mat6, b: &Vec6) -> Vec6 {
    let mut x = *b;
    for i in (0..6).rev() {
        for k in i + 1..6 {
            x[i] -= c[(k, i)] * x[k];
        }
        x[i] /= c[(i, i)];
    }
    x
}

/// C⁻¹ for lower triangular C.
pub(crate) fn invert_lower(c: &Mat6) -> Mat6 {
    let mut inverse = Mat6::zeros();
    for j in 0..6 {
        inverse[(j, j)] = 1.0 / c[(j, j)];
        for i in j + 1..6 {
            let mut s = 0.0;
            for k in j..i {
                s -= c[(i, k)] * inverse[(k, j)];
            }
            inverse[(i, j)] = s / c[(i, i)];
        }
    }
    inverse
}

/// A Cholesky factorisation of D a D with D scaling the diagonal to one. In plain arrays and with inverse pivots: it
/// is on the way of every solve, where divisions would cost more than a pass over the contacts.
#[derive(Clone, Copy)]
pub(crate) struct ScaledCholesky {
    /// Lower factor, row by row; the diagonal is not used.
    factor: [[f64; 6]; 6],
    inverse_pivots: [f64; 6],
    scale: [f64; 6],
    /// Smallest pivot, between 0 and 1: how far the scaled matrix is from singular.
    pub smallest_pivot: f64,
}

/// Factors a symmetric positive definite matrix after scaling its diagonal to one.
pub(crate) fn cholesky_scaled(a: &Mat6) -> Option<ScaledCholesky> {
    let scale: [f64; 6] = std::array::from_fn(|i| 1.0 / a[(i, i)].sqrt());
    if !scale.iter().all(|x| x.is_finite()) {
        return None;
    }
    let mut c = [[0.0; 6]; 6];
    let mut inverse_pivots = [0.0; 6];
    let mut smallest_pivot: f64 = 1.0;
    for j in 0..6 {
        let mut d = 1.0;
        for k in 0..j {
            d -= c[j][k] * c[j][k];
        }
        // A pivot below 1e-15 of the diagonal is rounding.
        if !(d > 1e-15) {
            return None;
        }
        smallest_pivot = smallest_pivot.min(d);
        let inverse = 1.0 / d.sqrt();
        inverse_pivots[j] = inverse;
        for i in j + 1..6 {
            let mut s = a[(i, j)] * scale[i] * scale[j];
            for k in 0..j {
                s -= c[i][k] * c[j][k];
            }
            c[i][j] = s * inverse;
        }
    }
    Some(ScaledCholesky { factor: c, inverse_pivots, scale, smallest_pivot })
}

impl ScaledCholesky {
    /// B with BᵀB = a⁻¹.
    pub fn whitening(&self) -> Mat6 {
        let lower = Mat6::from_fn(|i, j| if i == j { 1.0 / self.inverse_pivots[i] } else { self.factor[i][j] });
        invert_lower(&lower) * Mat6::from_diagonal(&Vec6::from_column_slice(&self.scale))
    }

    /// a⁻¹ b.
    pub fn solve(&self, b: &Vec6) -> Vec6 {
        let mut x: [f64; 6] = std::array::from_fn(|i| b[i] * self.scale[i]);
        for i in 0..6 {
            for k in 0..i {
                x[i] -= self.factor[i][k] * x[k];
            }
            x[i] *= self.inverse_pivots[i];
        }
        for i in (0..6).rev() {
            for k in i + 1..6 {
                x[i] -= self.factor[k][i] * x[k];
            }
            x[i] *= self.inverse_pivots[i];
        }
        Vec6::from_fn(|i, _| x[i] * self.scale[i])
    }
}

/// A diagonal larger by rounding: a positive definite matrix of condition beyond 1e15 can be factored after all.
pub(crate) fn lifted(a: &Mat6) -> Mat6 {
    let mut lifted = *a;
    for i in 0..6 {
        lifted[(i, i)] *= 1.0 + 1e-12;
    }
    lifted
}

/// x with a x = b for any matrix: Gaussian elimination with partial pivoting after scaling rows and columns to unit size. `None` where it is singular.
pub(crate) fn solve(a: &Mat6, b: &Vec6) -> Option<Vec6> {
    // Forces and torques have different units.
    let scale: [f64; 6] = std::array::from_fn(|i| 1.0 / a[(i, i)].abs().sqrt());
    if !scale.iter().all(|x| x.is_finite()) {
        return None;
    }
    let mut m: [[f64; 7]; 6] =
        std::array::from_fn(|i| std::array::from_fn(|j| scale[i] * if j < 6 { a[(i, j)] * scale[j] } else { b[i] }));
    for k in 0..6 {
        let pivot = (k + 1..6).fold(k, |best, i| if m[i][k].abs() > m[best][k].abs() { i } else { best });
        m.swap(k, pivot);
        if !(m[k][k].abs() > 1e-15) {
            return None;
        }
        let inverse = 1.0 / m[k][k];
        for i in k + 1..6 {
            let factor = m[i][k] * inverse;
            for j in k + 1..7 {
                m[i][j] -= factor * m[k][j];
            }
        }
    }
    let mut x = [0.0; 6];
    for i in (0..6).rev() {
        let mut s = m[i][6];
        for j in i + 1..6 {
            s -= m[i][j] * x[j];
        }
        x[i] = s / m[i][i];
    }
    let x = Vec6::from_fn(|i, _| x[i] * scale[i]);
    x.iter().all(|x| x.is_finite()).then_some(x)
}

/// The positive semidefinite part of a symmetric matrix: its eigenvalues, found by Jacobi's rotations, without the negative ones.
pub(crate) fn positive_part(a: &Mat3) -> Mat3 {
    let (mut a, mut v) = (*a, Mat3::identity());
    for _ in 0..6 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[(p, q)] == 0.0 {
                continue;
            }
            let theta = 0.5 * (a[(q, q)] - a[(p, p)]) / a[(p, q)];
            let t = 1.0f64.copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            let mut turn = Mat3::identity();
            (turn[(p, p)], turn[(q, q)], turn[(p, q)], turn[(q, p)]) = (c, c, s, -s);
            a = turn.transpose() * a * turn;
            v *= turn;
        }
    }
    let kept = Mat3::from_fn(|i, j| if i == j { a[(i, i)].max(0.0) } else { 0.0 });
    v * kept * v.transpose()
}
