//! The Delassus operator of one rigid part: W = J C Jᵀ, of rank 6 at most, kept as the m rows of J. A sweep over the contacts costs O(m), not O(m²).
//!
//! | symbol | meaning |
//! |---|---|
//! | A = C⁻¹ | the part's stiffness without contacts (quasi-static: that of the coupling), or its mass; symmetric, positive definite |
//! | J_i (3 × 6) | velocities of contact i in its frame from the part's twist |
//! | E_i = J_i L⁻ᵀ | its rows in coordinates in which A is one: A = L Lᵀ, so that W_ij = E_i E_jᵀ |
//! | y = Σ E_iᵀ r_i | the motion: six numbers |
//!
//! `solve_shifted`: with M = I + Σ E_iᵀ S_i E_i (6 × 6),  x_i = S_i (y_i - E_i M⁻¹ Σ E_jᵀ S_j y_j), by Sherman, Morrison and Woodbury.

use super::operator::Delassus;
use super::problem::ConeError;
use crate::contact::Lane;
use crate::small;
use crate::spatial::{Mat3, Mat6, Vec3, Vec6, join};

/// The rows of J of one contact: normal, tangent, tangent.
pub type ContactRows = [Vec6; 3];

/// E_i of a contact, twice: its columns, each as (normal, tangent, tangent, 0), for velocities, and its rows, each in two halves, for motions. So both are sums of lanes, and a contact is not waited for any longer than its
/// numbers depend on each other.
#[derive(Clone, Copy, Debug)]
struct RigidRows {
    columns: [Lane; 6],
    rows: [[Lane; 2]; 3],
}

impl RigidRows {
    fn new(rows: &[Vec6; 3]) -> Self {
        RigidRows {
            columns: std::array::from_fn(|k| Lane::from([rows[0][k], rows[1][k], rows[2][k], 0.0])),
            rows: rows
                .map(|row| [Lane::from([row[0], row[1], row[2], 0.0]), Lane::from([row[3], row[4], row[5], 0.0])]),
        }
    }

    /// E y.
    #[inline(always)]
    fn down(&self, y: &[f64; 6]) -> Vec3 {
        let c = &self.columns;
        let sum = |k: usize| c[k] * Lane::splat(y[k]);
        let [x, y, z, _] = ((sum(0) + sum(1)) + (sum(2) + sum(3)) + (sum(4) + sum(5))).to_array();
        Vec3::new(x, y, z)
    }

    /// Eᵀ r.
    #[inline(always)]
    fn up(&self, r: &Vec3) -> [f64; 6] {
        let [a, b] = [0, 1].map(|half| {
            let [n, u, v] = [0, 1, 2].map(|row| self.rows[row][half] * Lane::splat(r[row]));
            (n + (u + v)).to_array()
        });
        [a[0], a[1], a[2], b[0], b[1], b[2]]
    }
}

/// W as the product J C Jᵀ of a rigid part.
#[derive(Clone, Debug)]
pub struct RigidOperator {
    capacity: usize,
    /// L⁻¹ with A = L Lᵀ.
    whitening: Mat6,
    contacts: Vec<RigidRows>,
    blocks: Vec<Mat3>,
}

impl RigidOperator {
    /// Without contacts, with room for so many, for a part with A = 1.
    pub fn with_capacity(capacity: usize) -> Self {
        let (contacts, blocks) = (Vec::with_capacity(capacity), Vec::with_capacity(capacity));
        RigidOperator { capacity, whitening: Mat6::identity(), contacts, blocks }
    }

    /// Begins a new part without contacts, with this stiffness (or mass) A.
    ///
    /// # Errors
    /// A is not symmetric to a millionth, or not positive definite.
    pub fn begin(&mut self, stiffness: &Mat6) -> Result<(), ConeError> {
        self.clear();
        let off = (stiffness - stiffness.transpose()).amax() / stiffness.amax();
        if !(off <= 1e-6) {
            return Err(ConeError::Asymmetric { off });
        }
        let factor = small::cholesky(stiffness).ok_or(ConeError::Indefinite)?;
        self.whitening = small::invert_lower(&factor);
        Ok(())
    }

    /// Adds a contact by its rows of J.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn push(&mut self, rows: &ContactRows) -> Result<(), ConeError> {
        if self.contacts.len() >= self.capacity {
            return Err(ConeError::Capacity { contacts: self.contacts.len() + 1, capacity: self.capacity });
        }
        let whitened = rows.map(|row| self.whitening * row);
        self.contacts.push(RigidRows::new(&whitened));
        self.blocks.push(Mat3::from_fn(|i, j| whitened[i].dot(&whitened[j])));
        Ok(())
    }

    /// The rows of a contact at an arm from the part's centre, in a frame of three unit vectors.
    pub fn rows_at(arm: &Vec3, frame: &[Vec3; 3]) -> ContactRows {
        frame.map(|direction| join(direction, arm.cross(&direction)))
    }

    /// The part's twist from a motion.
    pub fn twist(&self, motion: &[f64]) -> Vec6 {
        self.whitening.transpose() * Vec6::from_fn(|i, _| motion.get(i).copied().unwrap_or(0.0))
    }
}

/// Six numbers of a motion; zero where there are none.
fn six(motion: &[f64]) -> [f64; 6] {
    motion.first_chunk().copied().unwrap_or_default()
}

impl Delassus for RigidOperator {
    /// Nothing: six unknowns live on the stack.
    type Factor = ();

    fn len(&self) -> usize {
        self.contacts.len()
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn clear(&mut self) {
        self.contacts.clear();
        self.blocks.clear();
    }

    fn diagonal(&self, contact: usize) -> Mat3 {
        self.blocks[contact]
    }

    fn motion_len(&self) -> usize {
        6
    }

    fn motion_capacity(&self) -> usize {
        6
    }

    fn change(&self, motion: &mut [f64], contact: usize, change: &Vec3) {
        let up = self.contacts[contact].up(change);
        for (y, x) in motion.iter_mut().zip(up) {
            *y += x;
        }
    }

    fn velocity(&self, motion: &[f64], contact: usize) -> Vec3 {
        self.contacts[contact].down(&six(motion))
    }

    fn block(&self, row: usize, column: usize) -> Mat3 {
        let [a, b] = [row, column].map(|i| self.contacts[i].columns.map(|column| column.to_array()));
        Mat3::from_fn(|i, j| (0..6).map(|k| a[k][i] * b[k][j]).sum())
    }

    fn factor(&self) {}

    fn solve_shifted(&self, _factor: &mut (), roots: &[Mat3], y: &[Vec3], x: &mut [Vec3]) -> bool {
        let (mut matrix, mut right) = (Mat6::identity(), Vec6::zeros());
        for ((rows, root), y) in self.contacts.iter().zip(roots).zip(y) {
            for k in 0..3 {
                let column = root.column(k).into_owned();
                if column == Vec3::zeros() {
                    continue;
                }
                let e = rows.up(&column);
                let along = column.dot(y);
                for a in 0..6 {
                    right[a] += e[a] * along;
                    for b in 0..=a {
                        matrix[(a, b)] += e[a] * e[b];
                    }
                }
            }
        }
        for a in 0..6 {
            for b in a + 1..6 {
                matrix[(a, b)] = matrix[(b, a)];
            }
        }
        let Some(factor) = small::cholesky(&matrix) else { return false };
        let w = small::solve_lower_transposed(&factor, &small::solve_lower(&factor, &right));
        let w = std::array::from_fn(|k| w[k]);
        for (((rows, root), y), x) in self.contacts.iter().zip(roots).zip(y).zip(x) {
            *x = root * (root.transpose() * (y - rows.down(&w)));
        }
        w.iter().all(|w: &f64| w.is_finite())
    }
}
