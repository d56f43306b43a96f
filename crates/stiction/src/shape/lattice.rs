//! The regular lattice on which distances are stored.

use super::ShapeError;
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
    /// The largest number of cells along one axis.
    pub const MAX_CELLS: u32 = 1 << 16;
    /// No corner of the lattice is further from the part's origin along an axis than this (m).
    pub const MAX_POSITION: f64 = 1e9;

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

    /// Checks that the lattice is finite, not empty and not too large to be addressed.
    ///
    /// # Errors
    /// [`ShapeError`] with what is wrong.
    pub fn check_size(&self) -> Result<(), ShapeError> {
        let error = |reason: String| Err(ShapeError::new("lattice", reason));
        if !(self.spacing > 1e-12 && self.spacing <= Self::MAX_POSITION) {
            return error(format!("a spacing of {} m", self.spacing));
        }
        if self.cells.iter().any(|&n| n == 0 || n > Self::MAX_CELLS) {
            return error(format!("{:?} cells: 1 to {} along each axis", self.cells, Self::MAX_CELLS));
        }
        let nodes: u64 = self.cells.iter().map(|&n| u64::from(n) + 1).product();
        if usize::try_from(nodes).is_err() {
            return error(format!("{nodes} nodes are more than this machine can address"));
        }
        let bounds = self.bounds();
        // Also catches NaN.
        if !bounds.min.iter().chain(bounds.max.iter()).all(|x| x.abs() <= Self::MAX_POSITION) {
            return error(format!("reaches from {:?} to {:?} m", bounds.min.as_slice(), bounds.max.as_slice()));
        }
        Ok(())
    }

    /// Whether distances can be stored on it for a part with this tight box: finite, not empty, and the part strictly
    /// inside.
    ///
    /// # Errors
    /// [`ShapeError`] with what is wrong.
    pub fn check(&self, part: &Aabb) -> Result<(), ShapeError> {
        self.check_size()?;
        let error = |reason: String| Err(ShapeError::new("lattice", reason));
        let bounds = self.bounds();
        for a in 0..3 {
            let (low, high) = (part.min[a], part.max[a]);
            if !(low <= high && low > bounds.min[a] && high < bounds.max[a]) {
                let axis = ["x", "y", "z"][a];
                return error(format!(
                    "the part spans {low} to {high} m along {axis}, which is not strictly inside {} to {} m",
                    bounds.min[a], bounds.max[a]
                ));
            }
        }
        Ok(())
    }
}
