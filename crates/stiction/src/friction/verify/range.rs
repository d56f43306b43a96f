//! The range of G, without allocation: Gᵀ (2k × 6, torques divided by a length) is reduced to a 6 × 6 triangle by
//! Givens rotations, one row at a time, and that to its singular values by one-sided Jacobi rotations (Golub & Van
//! Loan, sections 5.1 and 8.6). No products GGᵀ are formed, so that singular values down to 1e-15 of the
//! largest are seen; the paper's rank decision, equations (32)-(34), needs them.

use super::columns;
use crate::contact::Contact;
use crate::spatial::{Mat6, Vec6};

/// Singular values below this multiple of the largest are rounding of the input.
const NOISE: f64 = 64.0 * f64::EPSILON;

/// Singular values of the scaled G, falling, and the wrench directions (scaled) that belong to them, as columns.
fn singular(contacts: &[Contact], length: f64) -> ([f64; 6], Mat6) {
    let mut r = Mat6::zeros();
    for contact in contacts {
        for column in columns(contact) {
            let mut row = scaled(&column, length);
            for i in 0..6 {
                let h = r[(i, i)].hypot(row[i]);
                if h > 0.0 {
                    let (c, s) = (r[(i, i)] / h, row[i] / h);
                    for j in i..6 {
                        let (a, b) = (r[(i, j)], row[j]);
                        r[(i, j)] = c * a + s * b;
                        row[j] = c * b - s * a;
                    }
                }
            }
        }
    }
    // R V = U Σ: V's columns are the directions.
    let mut v = Mat6::identity();
    for _sweep in 0..30 {
        let mut rotated = false;
        for p in 0..5 {
            for q in p + 1..6 {
                let (app, aqq) = (r.column(p).norm_squared(), r.column(q).norm_squared());
                let apq = r.column(p).dot(&r.column(q));
                // Also false for NaN.
                if apq.abs() > f64::EPSILON * (app * aqq).sqrt() {
                    rotated = true;
                    let zeta = (aqq - app) / (2.0 * apq);
                    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                    let c = 1.0 / (1.0 + t * t).sqrt();
                    let s = c * t;
                    for m in [&mut r, &mut v] {
                        for i in 0..6 {
                            let (a, b) = (m[(i, p)], m[(i, q)]);
                            m[(i, p)] = c * a - s * b;
                            m[(i, q)] = s * a + c * b;
                        }
                    }
                }
            }
        }
        if !rotated {
            break;
        }
    }
    let mut values: [f64; 6] = std::array::from_fn(|j| r.column(j).norm());
    for i in 0..6 {
        let best = (i..6).fold(i, |b, j| if values[j] > values[b] { j } else { b });
        values.swap(i, best);
        v.swap_columns(i, best);
    }
    (values, v)
}

fn scaled(wrench: &Vec6, length: f64) -> Vec6 {
    Vec6::from_fn(|i, _| if i < 3 { wrench[i] } else { wrench[i] / length })
}

/// The singular values of G and the wrench directions that belong to them.
pub(super) struct Range {
    values: [f64; 6],
    directions: Mat6,
    length: f64,
}

impl Range {
    pub(super) fn of(contacts: &[Contact], length: f64) -> Self {
        let (values, directions) = singular(contacts, length);
        Self { values, directions, length }
    }

    /// What a claimed rank ignores, relative to the largest singular value. With `strict` infinite when it counts
    /// a singular value that is only rounding.
    pub(super) fn rank_error(&self, rank: u8, strict: bool) -> f64 {
        let (rank, values) = (usize::from(rank), &self.values);
        if rank > 6 || (strict && rank > 0 && values[rank - 1] <= NOISE * values[0]) {
            return f64::INFINITY;
        }
        if rank < 6 && values[rank] > 0.0 { values[rank] / values[0] } else { 0.0 }
    }

    /// The part of `wrench` outside of the range of G (scaled norm), and what `y` gains from that part: y_Nᵀ wrench.
    pub(super) fn outside(&self, rank: u8, wrench: &Vec6, y: &Vec6) -> (f64, f64) {
        let wrench = scaled(wrench, self.length);
        // yᵀ wrench must not change, so y's torque part grows by the same length.
        let y = scaled(y, 1.0 / self.length);
        let (mut squares, mut gained) = (0.0, 0.0);
        for j in usize::from(rank).min(6)..6 {
            let direction = self.directions.column(j);
            let part = direction.dot(&wrench);
            squares += part * part;
            gained += part * direction.dot(&y);
        }
        (squares.sqrt(), gained)
    }
}
