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
use crate::small;
use crate::spatial::{Mat3, Mat6, Vec3, Vec6, join};

/// The rows of J of one contact: normal, tangent, tangent.
pub type ContactRows = [Vec6; 3];

/// W as the product J C Jᵀ of a rigid part.
#[derive(Clone, Debug)]
pub struct RigidOperator {
    capacity: usize,
    /// L⁻¹ with A = L Lᵀ.
    whitening: Mat6,
    /// E_i, and W_ii.
    rows: Vec<[[f64; 6]; 3]>,
    blocks: Vec<Mat3>,
}

impl RigidOperator {
    /// Without contacts, with room for so many, for a part with A = 1.
    pub fn with_capacity(capacity: usize) -> Self {
        let (rows, blocks) = (Vec::with_capacity(capacity), Vec::with_capacity(capacity));
        RigidOperator { capacity, whitening: Mat6::identity(), rows, blocks }
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
        if self.rows.len() >= self.capacity {
            return Err(ConeError::Capacity { contacts: self.rows.len() + 1, capacity: self.capacity });
        }
        let whitened = rows.map(|row| self.whitening * row);
        self.rows.push(whitened.map(|row| [row[0], row[1], row[2], row[3], row[4], row[5]]));
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

    fn down(rows: &[[f64; 6]; 3], motion: &[f64; 6]) -> Vec3 {
        let along = |row: &[f64; 6]| {
            let [a, b] = [0, 3].map(|k| row[k] * motion[k] + row[k + 1] * motion[k + 1] + row[k + 2] * motion[k + 2]);
            a + b
        };
        Vec3::new(along(&rows[0]), along(&rows[1]), along(&rows[2]))
    }

    fn up(rows: &[[f64; 6]; 3], force: &Vec3) -> [f64; 6] {
        std::array::from_fn(|k| rows[0][k] * force.x + rows[1][k] * force.y + rows[2][k] * force.z)
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
        self.rows.len()
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn clear(&mut self) {
        self.rows.clear();
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
        let up = Self::up(&self.rows[contact], change);
        for (y, x) in motion.iter_mut().zip(up) {
            *y += x;
        }
    }

    fn velocity(&self, motion: &[f64], contact: usize) -> Vec3 {
        Self::down(&self.rows[contact], &six(motion))
    }

    fn block(&self, row: usize, column: usize) -> Mat3 {
        let (a, b) = (&self.rows[row], &self.rows[column]);
        Mat3::from_fn(|i, j| (0..6).map(|k| a[i][k] * b[j][k]).sum())
    }

    fn factor(&self) {}

    fn solve_shifted(&self, _factor: &mut (), roots: &[Mat3], y: &[Vec3], x: &mut [Vec3]) -> bool {
        let (mut matrix, mut right) = (Mat6::identity(), Vec6::zeros());
        for ((rows, root), y) in self.rows.iter().zip(roots).zip(y) {
            for k in 0..3 {
                let column = root.column(k).into_owned();
                if column == Vec3::zeros() {
                    continue;
                }
                let e = Self::up(rows, &column);
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
        for (((rows, root), y), x) in self.rows.iter().zip(roots).zip(y).zip(x) {
            *x = root * (root.transpose() * (y - Self::down(rows, &w)));
        }
        w.iter().all(|w: &f64| w.is_finite())
    }
}
