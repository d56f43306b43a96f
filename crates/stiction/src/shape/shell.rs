//! The point shell: points on a part's surface, ordered so that every level is a subset of the next.

use super::ShapeError;
use crate::spatial::Vec3;

/// A point on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellPoint {
    /// Position in m, in the part's frame.
    pub position: Vec3,
    /// Unit normal out of the solid, from the mesh.
    pub normal: Vec3,
}

/// A point at one of its levels, with everything below it.
///
/// Nodes lie level by level. The first child of a node is the same point one level deeper; the others are points
/// that are new there. Children of neighbouring nodes are neighbours, so the descendants of a node on any level are
/// contiguous. A node of the last level has no children and radius zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellNode {
    /// Its point.
    pub point: u32,
    /// Its first child among all nodes.
    pub first_child: u32,
    /// How many children.
    pub children: u32,
    /// No descendant is further from the point than this, in m.
    pub radius: f32,
}

/// Points with their tree.
#[derive(Clone, Debug, PartialEq)]
pub struct PointShell {
    points: Vec<ShellPoint>,
    nodes: Vec<ShellNode>,
    levels: Vec<u32>,
}

impl PointShell {
    /// A shell from points in nested order, the nodes level by level, and the number of nodes on each level (which is
    /// the number of points on it too: level l holds the first `levels[l]` points).
    pub fn new(points: Vec<ShellPoint>, nodes: Vec<ShellNode>, levels: Vec<u32>) -> Result<Self, ShapeError> {
        Ok(PointShell { points, nodes, levels })
    }

    /// All points, coarse levels first.
    pub fn points(&self) -> &[ShellPoint] {
        &self.points
    }

    /// All nodes, level by level.
    pub fn nodes(&self) -> &[ShellNode] {
        &self.nodes
    }

    /// Number of points on each level.
    pub fn levels(&self) -> &[u32] {
        &self.levels
    }
}
