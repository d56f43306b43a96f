//! The Delassus operator as a matrix, column by column.

use super::operator::Delassus;
use super::problem::ConeError;
use crate::spatial::{Mat3, Vec3};

/// W as a dense symmetric matrix of 3 × 3 blocks.
#[derive(Clone, Debug)]
pub struct DenseOperator {
    capacity: usize,
    len: usize,
    /// Column after column, each with 3 `len` numbers.
    numbers: Vec<f64>,
}

/// Memory of a dense factorisation.
#[derive(Clone, Debug)]
pub struct DenseFactor {
    /// The columns of L that are not zero: contact, and direction in its frame.
    columns: Vec<(u32, Vec3)>,
    /// I + Lᵀ W L and its Cholesky factor in place, lower triangle by rows.
    matrix: Vec<f64>,
    unknown: Vec<f64>,
}

impl DenseOperator {
    /// Without contacts, with room for so many: 72 bytes for each pair of contacts.
    pub fn with_capacity(capacity: usize) -> Self {
        DenseOperator { capacity, len: 0, numbers: Vec::with_capacity(9 * capacity * capacity) }
    }

    /// Makes W zero for so many contacts.
    ///
    /// # Errors
    /// More contacts than there is room for; the operator is empty then.
    pub fn begin(&mut self, contacts: usize) -> Result<(), ConeError> {
        self.clear();
        if contacts > self.capacity {
            return Err(ConeError::Capacity { contacts, capacity: self.capacity });
        }
        self.len = contacts;
        self.numbers.resize(9 * contacts * contacts, 0.0);
        Ok(())
    }

    /// Adds to W_ij, and nothing to W_ji; blocks out of range are left out.
    pub fn add(&mut self, row: usize, column: usize, block: &Mat3) {
        if row >= self.len || column >= self.len {
            return;
        }
        let height = 3 * self.len;
        for k in 0..3 {
            let start = (3 * column + k) * height + 3 * row;
            for l in 0..3 {
                self.numbers[start + l] += block[(l, k)];
            }
        }
    }

    /// Takes over any other operator, block by block.
    ///
    /// # Errors
    /// More contacts than there is room for; the operator is empty then.
    pub fn copy_from<W: Delassus>(&mut self, other: &W) -> Result<(), ConeError> {
        self.begin(other.len())?;
        for j in 0..other.len() {
            for i in 0..other.len() {
                let block = other.block(i, j);
                self.add(i, j, &block);
            }
        }
        Ok(())
    }

    /// Replaces W by its symmetric part and returns how far it was from it: the largest |W - Wᵀ| as a share of the largest |W|. NaN where a number is not finite.
    pub fn symmetrise(&mut self) -> f64 {
        let height = 3 * self.len;
        let (mut largest, mut off) = (0.0f64, 0.0f64);
        for j in 0..height {
            for i in 0..=j {
                let (a, b) = (self.numbers[j * height + i], self.numbers[i * height + j]);
                if !(a.is_finite() && b.is_finite()) {
                    return f64::NAN;
                }
                largest = largest.max(a.abs()).max(b.abs());
                off = off.max((a - b).abs());
                let mean = 0.5 * a + 0.5 * b;
                (self.numbers[j * height + i], self.numbers[i * height + j]) = (mean, mean);
            }
        }
        if largest > 0.0 { off / largest } else { 0.0 }
    }

    fn column(&self, column: usize) -> &[f64] {
        let height = 3 * self.len;
        &self.numbers[column * height..(column + 1) * height]
    }
}

impl Delassus for DenseOperator {
    type Factor = DenseFactor;

    fn len(&self) -> usize {
        self.len
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn clear(&mut self) {
        self.len = 0;
        self.numbers.clear();
    }

    fn diagonal(&self, contact: usize) -> Mat3 {
        self.block(contact, contact)
    }

    fn motion_len(&self) -> usize {
        3 * self.len
    }

    fn motion_capacity(&self) -> usize {
        3 * self.capacity
    }

    fn change(&self, motion: &mut [f64], contact: usize, change: &Vec3) {
        let [a, b, c] = [0, 1, 2].map(|k| self.column(3 * contact + k));
        let (x, y, z) = (change.x, change.y, change.z);
        for (((v, a), b), c) in motion.iter_mut().zip(a).zip(b).zip(c) {
            *v += a * x + b * y + c * z;
        }
    }

    fn velocity(&self, motion: &[f64], contact: usize) -> Vec3 {
        let at = 3 * contact;
        Vec3::new(motion[at], motion[at + 1], motion[at + 2])
    }

    fn block(&self, row: usize, column: usize) -> Mat3 {
        Mat3::from_fn(|l, k| self.column(3 * column + k)[3 * row + l])
    }

    fn factor(&self) -> DenseFactor {
        let n = 3 * self.capacity;
        DenseFactor {
            columns: Vec::with_capacity(n),
            matrix: Vec::with_capacity(n * n),
            unknown: Vec::with_capacity(n),
        }
    }

    /// x = L z with (I + Lᵀ W L) z = Lᵀ y, by Cholesky in the columns of L that are not zero.
    fn solve_shifted(&self, factor: &mut DenseFactor, roots: &[Mat3], y: &[Vec3], x: &mut [Vec3]) -> bool {
        let DenseFactor { columns, matrix, unknown } = factor;
        columns.clear();
        unknown.clear();
        for (i, root) in roots.iter().enumerate() {
            for k in 0..3 {
                let column = root.column(k).into_owned();
                if column != Vec3::zeros() {
                    columns.push((i as u32, column));
                    unknown.push(column.dot(&y[i]));
                }
            }
        }
        let n = columns.len();
        matrix.clear();
        for (a, (i, left)) in columns.iter().enumerate() {
            for (j, right) in &columns[..=a] {
                let block = self.block(*i as usize, *j as usize);
                matrix.push(left.dot(&(block * right)));
            }
            let last = matrix.len() - 1;
            matrix[last] += 1.0;
        }
        if !cholesky(matrix, n) {
            return false;
        }
        solve(matrix, unknown);
        x.iter_mut().for_each(|x| *x = Vec3::zeros());
        for ((i, column), z) in columns.iter().zip(unknown.iter()) {
            x[*i as usize] += column * *z;
        }
        unknown.iter().all(|z| z.is_finite())
    }
}

/// Where row `i` of a packed lower triangle begins.
fn row(i: usize) -> usize {
    i * (i + 1) / 2
}

/// Replaces a packed lower triangle by its Cholesky factor; false where a pivot is not positive.
fn cholesky(matrix: &mut [f64], n: usize) -> bool {
    for i in 0..n {
        let (above, this) = matrix.split_at_mut(row(i));
        let this = &mut this[..=i];
        for j in 0..=i {
            let other = if j < i { &above[row(j)..=row(j) + j] } else { &[][..] };
            if j < i {
                let sum = this[j] - dot(&this[..j], &other[..j]);
                this[j] = sum / other[j];
            } else {
                let pivot = this[i] - dot(&this[..i], &this[..i]);
                if !(pivot > 0.0) {
                    return false;
                }
                this[i] = pivot.sqrt();
            }
        }
    }
    true
}

/// Solves C Cᵀ x = b in place for a packed lower factor.
fn solve(factor: &[f64], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        let this = &factor[row(i)..=row(i) + i];
        b[i] = (b[i] - dot(&this[..i], &b[..i])) / this[i];
    }
    for i in (0..n).rev() {
        let this = &factor[row(i)..=row(i) + i];
        b[i] /= this[i];
        let x = b[i];
        for (b, c) in b[..i].iter_mut().zip(&this[..i]) {
            *b -= c * x;
        }
    }
}

/// A dot product in four sums, in an order that vector instructions can keep.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours_a.remainder().iter().zip(fours_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in fours_a.zip(fours_b) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
