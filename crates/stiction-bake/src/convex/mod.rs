//! Convex parts of closed meshes, for engines that intersect convex polyhedra.
//!
//! Solids by parameter have exact parts: [`Solid::convex_parts`](crate::solids::Solid::convex_parts).

use crate::Mesh;
use crate::progress::{Cancelled, Progress};
use stiction::spatial::Vec3;

/// How a mesh is taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexOptions {
    /// Most parts.
    pub most_parts: usize,
}

impl Default for ConvexOptions {
    fn default() -> Self {
        ConvexOptions { most_parts: 32 }
    }
}

/// Convex parts of a mesh, and how close their union is to it.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexParts {
    /// Corner points of each part (m).
    pub parts: Vec<Vec<Vec3>>,
    /// How close the union of the parts is to the mesh.
    pub closeness: ConvexCloseness,
}

/// How close the union of convex parts is to the mesh that they were made of, as measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexCloseness {
    /// Volume that is in the mesh or in the parts but not in both, as a share of the mesh's volume.
    pub volume_share: f64,
    /// Largest distance of the surface of one from that of the other (m).
    pub largest_distance_m: f64,
}

/// Errors from taking a mesh apart.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConvexPartsError {
    /// The mesh does not enclose a volume.
    #[error("the mesh is open or flat, so that it has no inside: {0}; mend it, or bake it with a thickness")]
    NotClosed(String),
    /// The decomposition has no result.
    #[error("the mesh could not be taken apart: {0}; simplify it, or give its convex parts as solids")]
    Failed(String),
    /// The user stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Finds convex parts whose union is close to a closed mesh. The result is the same on any number of threads.
///
/// # Errors
/// If the mesh is open or flat, if it cannot be taken apart, or if the user stops it.
pub fn convex_parts(
    _mesh: &Mesh,
    _options: &ConvexOptions,
    _progress: &dyn Progress,
) -> Result<ConvexParts, ConvexPartsError> {
    Err(ConvexPartsError::Failed("this is not there yet".into()))
}
