//! Signed distance fields on a lattice: every node (dense), or blocks around the surface (sparse).

use super::{Aabb, Lattice, ShapeError};
use crate::spatial::Vec3;

/// Value and gradient of a distance field at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Distance to the surface in m, negative inside.
    pub distance: f64,
    /// Its gradient: of length about one, pointing out of the solid.
    pub gradient: Vec3,
}

/// Every node of the lattice, exact.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    lattice: Lattice,
    part: Aabb,
    values: Vec<f32>,
}

/// Exact nodes in a band around the surface, in blocks of 8³ cells; a lower bound elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    lattice: Lattice,
    part: Aabb,
    band: f64,
    coarse: Vec<f32>,
    slots: Vec<u32>,
    blocks: Vec<i16>,
}

/// A signed distance field.
#[derive(Clone, Debug, PartialEq)]
pub enum DistanceField {
    /// Every node.
    Dense(Dense),
    /// Blocks around the surface.
    Sparse(Sparse),
}

impl Dense {
    /// A field from the distance at every node, x fastest. `part` is the tight box of the surface; it lies strictly
    /// inside the lattice.
    pub fn new(lattice: Lattice, part: Aabb, values: Vec<f32>) -> Result<Self, ShapeError> {
        Ok(Dense { lattice, part, values })
    }
}

impl Sparse {
    /// Cells of a block along one axis.
    pub const CELLS: usize = 8;
    /// Nodes of a block along one axis: neighbours share their faces.
    pub const NODES: usize = 9;
    /// A slot without a block.
    pub const EMPTY: u32 = u32::MAX;
    /// The stored number that stands for the band's edge.
    pub const FULL: i16 = i16::MAX;

    /// A field from its parts. `cells` of the lattice are multiples of eight.
    ///
    /// - `coarse`: at every eighth node, x fastest, a signed lower bound such that its trilinear interpolation
    ///   never exceeds the true distance minus (√3/2) h in magnitude.
    /// - `slots`: for every block of 8³ cells, x fastest, its number among `blocks` or [`Sparse::EMPTY`].
    /// - `blocks`: 9³ nodes each, x fastest: round(clamp(d, -band, band) / band · 32767).
    pub fn new(
        lattice: Lattice,
        part: Aabb,
        band: f64,
        coarse: Vec<f32>,
        slots: Vec<u32>,
        blocks: Vec<i16>,
    ) -> Result<Self, ShapeError> {
        Ok(Sparse { lattice, part, band, coarse, slots, blocks })
    }
}

impl DistanceField {
    /// Distance and gradient at a point in the part's frame, anywhere in space.
    pub fn sample(&self, point: Vec3) -> Sample {
        let _ = point;
        Sample { distance: f64::NAN, gradient: Vec3::zeros() }
    }

    /// The lattice of the finest nodes.
    pub fn lattice(&self) -> &Lattice {
        match self {
            DistanceField::Dense(f) => &f.lattice,
            DistanceField::Sparse(f) => &f.lattice,
        }
    }
}
