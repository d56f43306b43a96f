//! What solvers need of the Delassus operator W, whatever it is made of.

use crate::spatial::{Mat3, Vec3};

/// A Delassus operator: symmetric, positive semidefinite, in blocks of 3 × 3, contacts ordered (normal, tangent, tangent).
///
/// A *motion* is whatever the operator keeps of W r, so that changing one force and reading one velocity are cheap: for a dense matrix all velocities, for the product J C Jᵀ
/// six numbers. Solvers own motions and do not look into them.
pub trait Delassus {
    /// The memory of [`solve_shifted`](Self::solve_shifted).
    type Factor: Clone + std::fmt::Debug;

    /// The number of contacts.
    fn len(&self) -> usize;

    /// Whether there is no contact.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most contacts that it has room for.
    fn capacity(&self) -> usize;

    /// Removes all contacts.
    fn clear(&mut self);

    /// W_ii of a contact.
    fn diagonal(&self, contact: usize) -> Mat3;

    /// How many numbers a motion has now.
    fn motion_len(&self) -> usize;

    /// How many numbers a motion has when the operator is full.
    fn motion_capacity(&self) -> usize;

    /// Adds W times a change of one contact's force to a motion.
    fn change(&self, motion: &mut [f64], contact: usize, change: &Vec3);

    /// (W r)_i of a contact.
    fn velocity(&self, motion: &[f64], contact: usize) -> Vec3;

    /// W_ij of two contacts. For checks, and for methods that need W as a matrix.
    fn block(&self, row: usize, column: usize) -> Mat3;

    /// Memory for [`solve_shifted`](Self::solve_shifted) with as many contacts as there is room for.
    fn factor(&self) -> Self::Factor;

    /// Finds x with (I + S W) x = S y, S = diag(L_i L_iᵀ): the linear system of Newton and interior-point methods, also where directions of S are zero, in which x is zero then. False
    /// where the system is not positive definite to the last digit, or not finite.
    fn solve_shifted(&self, factor: &mut Self::Factor, roots: &[Mat3], y: &[Vec3], x: &mut [Vec3]) -> bool;
}

/// Zeroes a motion and gives it the operator's length; allocates nothing where it has room.
pub(super) fn still<W: Delassus>(operator: &W, motion: &mut Vec<f64>) {
    motion.clear();
    motion.resize(operator.motion_len(), 0.0);
}

/// Makes the motion W r.
pub(super) fn moved_by<W: Delassus>(operator: &W, forces: &[Vec3], motion: &mut Vec<f64>) {
    still(operator, motion);
    for (i, force) in forces.iter().enumerate() {
        if *force != Vec3::zeros() {
            operator.change(motion, i, force);
        }
    }
}
