//! Contact shapes: a signed distance field for one part, a nested point shell for the other.
//!
//! Immutable, and valid once built: every constructor checks what it is given. Shapes are made offline by the
//! `stiction-bake` crate; here they are decoded from bytes, so that an embedder needs no mesh importer.
//! Distances are in metres, negative inside.

mod allowance;
mod area;
mod beyond;
mod cell;
mod convex;
mod dense;
mod edge_allowance;
mod field;
pub mod file;
mod lattice;
mod mass;
mod shell;
mod sparse;
mod wall;

pub use allowance::Allowance;
pub use convex::{ConvexCloseness, ConvexParts};
pub use dense::Dense;
pub use edge_allowance::{EdgeAllowance, EdgeStretch};
pub use field::{DistanceField, Sample};
pub use lattice::{Aabb, Lattice};
pub use mass::MassProperties;
pub use shell::{PointShell, ShellNode, ShellPoint};
pub use sparse::Sparse;
pub use wall::Edges;

/// Why a shape could not be built from its parts.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("invalid {part}: {reason}")]
pub struct ShapeError {
    /// The part that is wrong, such as "point shell".
    pub part: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

impl ShapeError {
    fn new(part: &'static str, reason: impl Into<String>) -> Self {
        ShapeError { part, reason: reason.into() }
    }
}

/// Everything the engine needs of one part: what it collides with and how it is moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The signed distance field of the part's solid.
    pub field: DistanceField,
    /// Points on the part's surface, nested.
    pub shell: PointShell,
    /// The depth that contacts with the field are allowed because the mesh is faceted; `None` if no place of the surface needs
    /// one. The same for contacts of the shell's points is [`PointShell::allowance`].
    pub allowance: Option<Allowance>,
    /// Convex parts of the solid, if they were asked for.
    pub convex: Option<ConvexParts>,
    /// Volume, centre and inertia for a density of one.
    pub mass: MassProperties,
    /// Where the shape comes from, as `key: value` lines: source file, settings, version of the baker.
    pub provenance: String,
}
