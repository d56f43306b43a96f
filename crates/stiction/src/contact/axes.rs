//! The axes of a shell and of a field that meet, as both contact models need them: turned to the way out for the held part.

use crate::spatial::{Mat3, Pose, Vec3};

/// Turns what a shell and a field know of a point into world axes about the held part's centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    /// The way out for the held part is along the field's gradient, +1, or against it where the held part carries the field, -1.
    pub sign: f64,
    /// World from field.
    pub field: Mat3,
    /// World from shell, with the sign that turns a shell normal to the way out for the held part.
    pub shell: Mat3,
    /// The field's origin about the held part's centre (m).
    shift: Vec3,
}

impl Axes {
    /// For a shell of the held part or of the fixed one, with the held part's centre there.
    pub fn new(of_held: bool, world_from_shell: &Pose, world_from_field: &Pose, centre: &Vec3) -> Self {
        let sign = if of_held { 1.0 } else { -1.0 };
        let matrix = |pose: &Pose| *pose.rotation.to_rotation_matrix().matrix();
        let shift = world_from_field.translation.vector - centre;
        Axes { sign, field: matrix(world_from_field), shell: matrix(world_from_shell) * -sign, shift }
    }

    /// Where a position of the field's frame is, about the held part's centre (m).
    #[inline(always)]
    pub fn arm(&self, position: &Vec3) -> Vec3 {
        self.field * position + self.shift
    }

    /// Length of `out` times the cosine between it and the shell normal (both in world axes), or the nearest of the normals of the faces around an edge (in the shell's axes).
    #[inline(always)]
    pub fn along(&self, out: &Vec3, normal: &Vec3, edge: Option<&[Vec3; 8]>) -> f64 {
        normal.dot(out).max(edge.map_or(f64::NEG_INFINITY, |normals| {
            // In the shell's axes: one turn instead of nine.
            let out = self.shell.tr_mul(out);
            normals.iter().map(|n| n.dot(&out)).fold(f64::NEG_INFINITY, f64::max)
        }))
    }
}
