//! What is wrong with a mesh, in numbers; and the mesh mended as far as that is safe.

use crate::Mesh;

/// A mesh made ready for a signed field.
#[derive(Clone, Debug)]
pub struct Mended {
    /// Welded, without degenerate and duplicate faces, neighbours oriented alike where they can be, closed components
    /// outwards.
    pub mesh: Mesh,
    /// For every face: whether its component is an open sheet without an inside.
    pub sheet: Vec<bool>,
    /// Whether every edge of the faces that are no sheets has exactly two faces, oriented alike: the winding number
    /// is then a whole number everywhere.
    pub watertight: bool,
    /// Whether orientation could be settled by neighbours and majority everywhere; if not, sign by the offset surface.
    pub oriented: bool,
    /// Diameter of the largest hole, in m: the largest extent of a loop of boundary edges. Zero when watertight.
    pub hole: f64,
}
