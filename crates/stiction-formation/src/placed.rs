//! The two polyhedra, and the held one where it is.

use crate::polyhedron::Polyhedron;
use crate::tree::FeatureTrees;
use nalgebra::Point3;
use std::sync::Arc;
use stiction::spatial::{Mat3, Pose, Vec3};

/// The held polyhedron A and the fixed one, B, with their trees. They never change.
#[derive(Clone, Debug)]
pub struct Solids {
    /// A, which the hand holds.
    pub held: Arc<Polyhedron>,
    /// B, which does not move. Everything is computed in its frame.
    pub fixed: Arc<Polyhedron>,
    pub(crate) held_trees: Arc<FeatureTrees>,
    pub(crate) fixed_trees: Arc<FeatureTrees>,
}

impl Solids {
    /// Two polyhedra.
    pub fn new(held: Arc<Polyhedron>, fixed: Arc<Polyhedron>) -> Solids {
        let [held_trees, fixed_trees] = [&held, &fixed].map(|solid| Arc::new(FeatureTrees::new(solid)));
        Solids { held, fixed, held_trees, fixed_trees }
    }
}

/// A at a pose, in the frame of B; and B's vertices in the frame of A.
#[derive(Clone, Debug)]
pub struct Placed {
    /// B from A.
    pub pose: Pose,
    /// A from B.
    pub inverse: Pose,
    /// A's vertices in B's frame (m).
    pub vertices: Vec<Vec3>,
    /// The directions of A's edges in B's frame.
    pub directions: Vec<Vec3>,
    /// B's vertices in A's frame (m).
    pub seen: Vec<Vec3>,
    /// A's centre in B's frame (m).
    pub centre: Vec3,
    /// A's axes in B's frame: the rotation of the pose.
    pub axes: Mat3,
}

impl Placed {
    /// A at a pose.
    pub fn new(solids: &Solids, pose: &Pose) -> Placed {
        let vertices = vec![Vec3::zeros(); solids.held.vertices.len()];
        let seen = vec![Vec3::zeros(); solids.fixed.vertices.len()];
        let directions = vec![Vec3::zeros(); solids.held.edges.len()];
        let (centre, axes) = (Vec3::zeros(), Mat3::identity());
        let mut placed = Placed { pose: *pose, inverse: pose.inverse(), vertices, directions, seen, centre, axes };
        placed.put(solids, pose);
        placed
    }

    /// Puts A somewhere else. Allocates nothing.
    pub fn put(&mut self, solids: &Solids, pose: &Pose) {
        (self.pose, self.inverse) = (*pose, pose.inverse());
        self.axes = *pose.rotation.to_rotation_matrix().matrix();
        let at = pose.translation.vector;
        for (to, vertex) in self.vertices.iter_mut().zip(&solids.held.vertices) {
            *to = self.axes * vertex.position + at;
        }
        for (to, edge) in self.directions.iter_mut().zip(&solids.held.edges) {
            *to = self.axes * edge.direction;
        }
        for (to, vertex) in self.seen.iter_mut().zip(&solids.fixed.vertices) {
            *to = self.axes.tr_mul(&(vertex.position - at));
        }
        self.centre = moved(pose, &solids.held.centre);
    }

    /// A direction of A in the frame of B.
    pub fn turned(&self, direction: &Vec3) -> Vec3 {
        self.axes * direction
    }
}

/// A point moved by a pose.
pub fn moved(pose: &Pose, point: &Vec3) -> Vec3 {
    (pose * Point3::from(*point)).coords
}
