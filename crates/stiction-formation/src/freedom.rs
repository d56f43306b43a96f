//! What a formation leaves free: motions that keep it (section 8.3 of the notes, in place of reference \[12\] of the paper).
//!
//! Every point p that spans a contact gives a row (n, (p − c) × n) on twists (v, ω) about A's centre c. Motions that keep the formation make all rows zero.

use crate::contact::{Formation, Touch};
use stiction::spatial::{Vec3, Vec6, halves, join};

/// Share of a row that must be independent of the others to forbid a motion by itself.
const INDEPENDENT: f64 = 0.05;

/// The row of a point of a contact, rotations counted by a lever (m).
pub fn row(point: &Vec3, normal: &Vec3, centre: &Vec3, lever: f64) -> Vec6 {
    join(*normal, (point - centre).cross(normal) / lever)
}

/// An orthonormal basis of the rows of a formation.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowSpace {
    basis: [Vec6; 6],
    /// What the distances of the rows come to along each basis vector.
    values: [f64; 6],
    /// The rank.
    pub rank: usize,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AddedRow {
    /// It was added.
    Independent {
        /// The share of it that is independent of the rows before.
        share: f64,
    },
    /// It says the same as rows before.
    Dependent {
        /// The distance (m) that no small motion can close together with theirs.
        contradiction: f64,
    },
}

impl RowSpace {
    /// The rows of a formation, rotations counted by a lever (m).
    pub fn of(formation: &Formation, centre: &Vec3, lever: f64) -> RowSpace {
        let mut space = RowSpace::default();
        for touch in formation.touches() {
            space.add(touch, centre, lever);
        }
        space
    }

    /// Adds the rows of a contact.
    pub fn add(&mut self, touch: &Touch, centre: &Vec3, lever: f64) {
        for (point, gap) in touch.spanned() {
            self.add_row(&row(&point, &touch.normal, centre, lever), gap, INDEPENDENT);
        }
    }

    /// Adds a row with the distance (m) that shall be closed along it. A row of which less than a share is independent of the rows before is left out.
    pub fn add_row(&mut self, row: &Vec6, distance: f64, independent: f64) -> AddedRow {
        let (mut rest, mut value) = (*row, distance);
        for _ in 0..2 {
            for i in 0..self.rank {
                let share = self.basis[i].dot(&rest);
                rest -= self.basis[i] * share;
                value -= self.values[i] * share;
            }
        }
        let (norm, share) = (rest.norm(), rest.norm() / row.norm());
        if share > independent && self.rank < 6 {
            self.basis[self.rank] = rest / norm;
            self.values[self.rank] = value / norm;
            self.rank += 1;
            return AddedRow::Independent { share };
        }
        AddedRow::Dependent { contradiction: value.abs() }
    }

    /// The least motion that closes all distances; its rotation is counted by the lever of the rows.
    pub fn closing_twist(&self) -> Vec6 {
        (0..self.rank).map(|i| self.basis[i] * -self.values[i]).sum()
    }

    /// The part of a twist that keeps the formation; rotations of the twist are counted by the same lever.
    pub fn kept(&self, twist: &Vec6) -> Vec6 {
        let mut rest = *twist;
        for i in 0..self.rank {
            rest -= self.basis[i] * self.basis[i].dot(&rest);
        }
        rest
    }

    /// Whether a hand's motion (translation of A's centre, rotation) can be a physical one that keeps the formation: more of it goes along the constraints than against them. Motions too small to
    /// tell, below `floor` (m), are not.
    pub fn allows(&self, motion: &Vec6, lever: f64, floor: f64) -> bool {
        let (way, angle) = halves(motion);
        let twist = join(way, angle * lever);
        twist.norm() > floor && self.kept(&twist).norm() > std::f64::consts::FRAC_1_SQRT_2 * twist.norm()
    }
}

/// Whether a formation can be kept in a rotation about a point of one of its contacts: the rows ((p_j − p_i) × n_j) have a common null vector, the axis, for some contact i.
pub fn has_pure_rotation(formation: &Formation, size: f64) -> bool {
    formation.touches().iter().any(|fixed| {
        let mut basis = [Vec3::zeros(); 3];
        let mut rank = 0;
        for touch in formation.touches() {
            for (point, _) in touch.spanned() {
                let mut rest = (point - fixed.point).cross(&touch.normal);
                basis[..rank].iter().for_each(|b| rest -= b * b.dot(&rest));
                let norm = rest.norm();
                if norm > 1e-3 * size && rank < 3 {
                    basis[rank] = rest / norm;
                    rank += 1;
                }
            }
        }
        rank < 3
    })
}
