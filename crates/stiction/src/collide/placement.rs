//! A shell placed in a field.

use crate::contact::Lane;
use crate::shape::{Aabb, DistanceField, PointShell, ShellNode};
use crate::spatial::{Pose, Vec3};

/// What is walked.
pub(super) struct Ground<'a> {
    pub shell: &'a PointShell,
    pub nodes: &'a [ShellNode],
    pub field: &'a DistanceField,
    pub place: Placement,
    pub part: Aabb,
    pub margin: f64,
    /// Beyond this and its radius, (1) rules a subtree out.
    pub far: f64,
    pub slack: f64,
    pub steepest: f64,
}

impl Ground<'_> {
    /// Distance from the part's box, of (2).
    #[inline(always)]
    pub fn outside(&self, position: &Vec3) -> f64 {
        (self.part.min - position).sup(&(position - self.part.max)).sup(&Vec3::zeros()).norm()
    }
}

/// A pose as a matrix, with a fixed order of operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    rows: [[f64; 3]; 3],
    shift: Vec3,
}

impl Placement {
    pub fn new(pose: &Pose) -> Self {
        let m = pose.rotation.to_rotation_matrix();
        let m = m.matrix();
        let rows = std::array::from_fn(|i| std::array::from_fn(|j| m[(i, j)]));
        Placement { rows, shift: pose.translation.vector }
    }

    #[inline(always)]
    pub fn apply(&self, p: &Vec3) -> Vec3 {
        let row = |i: usize| {
            let [a, b, c] = self.rows[i];
            a * p.x + b * p.y + c * p.z + self.shift[i]
        };
        Vec3::new(row(0), row(1), row(2))
    }

    /// The same for four points.
    #[inline(always)]
    pub fn apply_to_four(&self, p: &[Lane; 3]) -> [Lane; 3] {
        std::array::from_fn(|i| {
            let [a, b, c] = self.rows[i].map(Lane::splat);
            a * p[0] + b * p[1] + c * p[2] + Lane::splat(self.shift[i])
        })
    }
}
