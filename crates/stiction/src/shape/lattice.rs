//! The regular lattice on which distances are stored.

use crate::spatial::Vec3;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Its lowest corner.
    pub min: Vec3,
    /// Its highest corner.
    pub max: Vec3,
}

/// A lattice of cubic cells; nodes are the corners of cells, x runs fastest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Position of node (0, 0, 0), in metres.
    pub origin: Vec3,
    /// Edge of a cell, h, in metres.
    pub spacing: f64,
    /// Number of cells along x, y and z; there is one node more than cells along each axis.
    pub cells: [u32; 3],
}

impl Lattice {
    /// Number of nodes along x, y and z.
    pub fn nodes(&self) -> [usize; 3] {
        self.cells.map(|n| n as usize + 1)
    }

    /// Number of all nodes.
    pub fn node_count(&self) -> usize {
        self.nodes().iter().product()
    }

    /// Index of a node in an array over all nodes.
    pub fn index(&self, node: [usize; 3]) -> usize {
        let [nx, ny, _] = self.nodes();
        (node[2] * ny + node[1]) * nx + node[0]
    }

    /// Position of a node.
    pub fn position(&self, node: [usize; 3]) -> Vec3 {
        self.origin + Vec3::new(node[0] as f64, node[1] as f64, node[2] as f64) * self.spacing
    }

    /// The box that the lattice fills.
    pub fn bounds(&self) -> Aabb {
        let [x, y, z] = self.cells.map(f64::from);
        Aabb { min: self.origin, max: self.origin + Vec3::new(x, y, z) * self.spacing }
    }
}
