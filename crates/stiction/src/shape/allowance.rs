//! How much depth a contact may have before it pushes, because the mesh is faceted: a coarse lattice over a part's surface.
//!
//! A mesh of flat facets stands for a curved surface. In a bore, the middle of a facet lies inside the bore by the facet's sagitta,
//! so that a pin which fits the true bore overlaps the mesh by that much. The allowance at a place is an upper bound of this
//! error. It is zero on planes and on convex surfaces, and it is measured by `stiction-bake`.
//!
//! The value is trilinear between nodes (see the module `cell`, equations 1 and 2), so that it is continuous and its gradient is the exact gradient
//! of what is interpolated. Nodes on the boundary of the lattice are zero, and outside the lattice the value is zero.
//!
//! The field's error at hollow edges is allowed for as well, on a finer lattice along them ([`EdgeAllowance`]). Where both have a value the larger counts: that of a facet contains the field's error already.

use super::cell::{pair, trilinear};
use super::{Aabb, EdgeAllowance, Lattice, ShapeError};
use crate::spatial::Vec3;

/// The depth that contacts near a part's surface are allowed, because the mesh is faceted there. In metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Allowance {
    lattice: Lattice,
    /// One over the spacing.
    inverse: f64,
    largest: f32,
    values: Vec<f32>,
    edges: Option<EdgeAllowance>,
}

impl Allowance {
    /// The largest number of nodes that an allowance may have.
    pub const MAX_NODES: u64 = 1 << 21;
    /// The largest value that a node may have (m).
    pub const MAX_VALUE: f32 = 1.0;

    /// Builds an allowance from the value at every node of a lattice, x fastest, in metres.
    ///
    /// # Errors
    /// [`ShapeError`] if the lattice is not usable or has more than [`Allowance::MAX_NODES`] nodes, the number of values is
    /// not the number of nodes, a value is not between zero and [`Allowance::MAX_VALUE`], or a node on the boundary of the
    /// lattice is not zero.
    pub fn new(lattice: Lattice, values: Vec<f32>) -> Result<Self, ShapeError> {
        let error = |reason: String| Err(ShapeError::new("allowance", reason));
        lattice.check_size()?;
        let [nx, ny, nz] = lattice.nodes();
        let nodes = (nx as u64).saturating_mul(ny as u64).saturating_mul(nz as u64);
        if nodes > Self::MAX_NODES {
            return error(format!("{nodes} nodes are more than {}", Self::MAX_NODES));
        }
        if values.len() as u64 != nodes {
            return error(format!("{} values for {nodes} nodes", values.len()));
        }
        let mut largest = 0.0f32;
        for (row, line) in values.chunks_exact(nx).enumerate() {
            let (j, k) = (row % ny, row / ny);
            let edge = j == 0 || j == ny - 1 || k == 0 || k == nz - 1;
            for (i, &value) in line.iter().enumerate() {
                // Also refuses NaN.
                if !(0.0..=Self::MAX_VALUE).contains(&value) {
                    return error(format!("a value of {value} m"));
                }
                if value != 0.0 && (edge || i == 0 || i == nx - 1) {
                    return error("a node on the boundary of its lattice is not zero".into());
                }
                largest = largest.max(value);
            }
        }
        Ok(Allowance { lattice, inverse: 1.0 / lattice.spacing, largest, values, edges: None })
    }

    /// An allowance at hollow edges alone. Its lattice for facets is one cell, and zero.
    pub fn of_edges(edges: EdgeAllowance) -> Self {
        let lattice = Lattice { origin: Vec3::zeros(), spacing: edges.lattice().spacing, cells: [1; 3] };
        let values = vec![0.0; lattice.node_count()];
        Allowance { lattice, inverse: 1.0 / lattice.spacing, largest: 0.0, values, edges: Some(edges) }
    }

    /// The same allowance for facets with one at hollow edges.
    pub fn with_edges(self, edges: Option<EdgeAllowance>) -> Self {
        Allowance { edges, ..self }
    }

    /// The allowance at hollow edges, if the part has some.
    pub fn edges(&self) -> Option<&EdgeAllowance> {
        self.edges.as_ref()
    }

    /// The allowance at a position in the part's frame (m), and its gradient (dimensionless). Both are zero away from facets and hollow edges
    /// and where the position is not finite. Reads at most seventeen numbers and allocates nothing.
    #[inline(always)]
    pub fn sample(&self, position: Vec3) -> (f64, Vec3) {
        let facets = self.of_facets(position);
        let Some(edges) = &self.edges else { return facets };
        let edges = edges.sample(position);
        if edges.0 > facets.0 { edges } else { facets }
    }

    /// The same for facets alone.
    #[inline(always)]
    fn of_facets(&self, position: Vec3) -> (f64, Vec3) {
        let mut cell = [0; 3];
        let mut at = [0.0; 3];
        for a in 0..3 {
            let t = (position[a] - self.lattice.origin[a]) * self.inverse;
            // Also leaves for NaN.
            if !(t >= 0.0 && t <= f64::from(self.lattice.cells[a])) {
                return (0.0, Vec3::zeros());
            }
            let index = (t as i32).min(self.lattice.cells[a] as i32 - 1);
            (cell[a], at[a]) = (index as usize, t - f64::from(index));
        }
        let [nx, ny, _] = self.lattice.nodes();
        let base = (cell[2] * ny + cell[1]) * nx + cell[0];
        let nodes = &self.values[base..base + nx * ny + nx + 2];
        let inner = trilinear([0, nx, nx * ny, nx * ny + nx].map(|i| pair(&nodes[i..i + 2])), at);
        (inner.value, Vec3::from(inner.slope) * self.inverse)
    }

    /// The largest value of a node (m): no sample is larger.
    pub fn largest(&self) -> f64 {
        self.edges.as_ref().map_or(0.0, EdgeAllowance::largest).max(f64::from(self.largest))
    }

    /// The box outside of which the allowance for facets is zero.
    pub fn bounds(&self) -> Aabb {
        self.lattice.bounds()
    }

    /// The lattice of the nodes for facets.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The value for facets at every node (m), x fastest.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}
