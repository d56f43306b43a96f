//! Tetrahedra that fill what a distance function says is inside: isosurface stuffing.
//!
//! Source: F. Labelle and J. R. Shewchuk, *Isosurface stuffing: fast tetrahedral meshes with good dihedral angles* (2007), with cells of one size. Nodes of a body-centred cubic
//! lattice are moved to the surface where it passes close by (`lattice.rs`), and each tetrahedron of the lattice is filled by one of a few patterns (`stencil.rs`).
//!
//! | symbol | here | value |
//! |---|---|---|
//! | side of the lattice's cubes, which is the length of its long edges | `cell` | – |
//! | α_long, α_short: how close a cut is, as a share of its edge, that moves a node | `ALPHA_LONG`, `ALPHA_SHORT` | 0.24999, 0.41189 |
//! | all dihedral angles, for any function | [`SMALLEST_DIHEDRAL`], [`LARGEST_DIHEDRAL`] | 10.78°, 164.74° |
//!
//! Deviations: nodes move in the order of how close their cuts are, and each to its closest one (the paper allows any order and any cut; in the order of the lattice, 150 random functions gave
//! an angle of 10.51°, below the bound, and 11.52° in this order); cuts are roots of the function along the edge, and not of its interpolant, so that nodes of the surface lie on it. The rule
//! for quadrilaterals of which a long edge is cut was found by trying both (`stencil.rs`). The paper's proof was not repeated: the bounds are tested.
//!
//! Stuffing chamfers sharp edges. Nodes are then moved onto them (`crease.rs`), with bounds of their own for the angles there.

mod crease;
mod lattice;
mod stencil;
mod wall;

pub use crease::{LARGEST_AT_CREASES, SMALLEST_AT_CREASES};
pub use wall::{ThinnestWall, thinnest_wall};

use crate::mesh::{TetMesh, TetMeshError};
use lattice::Lattice;
use stiction::spatial::Vec3;

/// The smallest dihedral angle that stuffing makes (rad): 10.7843°, by the source.
pub const SMALLEST_DIHEDRAL: f64 = 10.7843 * std::f64::consts::PI / 180.0;
/// The largest dihedral angle that stuffing makes (rad): 164.744°, by the source.
pub const LARGEST_DIHEDRAL: f64 = 164.744 * std::f64::consts::PI / 180.0;

/// How many cells a wall must have at least: fewer neither show its shape nor bend as it does.
pub const CELLS_THROUGH_WALL: f64 = 3.0;

/// The most cells of a lattice: beyond this neither memory nor the factorisation that follows would hold.
const MOST_CELLS: f64 = 2e7;

/// A solid, as a signed distance function and a box around it.
#[derive(Clone, Copy)]
pub struct SolidRegion<'a> {
    /// Distance to the surface in m, negative inside. Anything with the right sign can be stuffed; walls are measured right only where it is a distance.
    pub distance: &'a dyn Fn(Vec3) -> f64,
    /// The lower corner of a box that contains the solid (m).
    pub lower: Vec3,
    /// The upper corner of that box (m).
    pub upper: Vec3,
}

impl std::fmt::Debug for SolidRegion<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SolidRegion").field("lower", &self.lower).field("upper", &self.upper).finish_non_exhaustive()
    }
}

/// How fine a solid is stuffed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StuffingSettings {
    /// The side of a cell (m); `None` takes the thinnest wall over [`cells_through_wall`](Self::cells_through_wall).
    pub cell: Option<f64>,
    /// How many cells a wall must have at least. Fewer than [`CELLS_THROUGH_WALL`] may lose thin walls, and bend wrongly by linear elements.
    pub cells_through_wall: f64,
    /// Whether nodes are moved onto sharp edges and corners (`crease.rs`); without it they are chamfered.
    pub sharpen: bool,
}

impl Default for StuffingSettings {
    fn default() -> Self {
        StuffingSettings { cell: None, cells_through_wall: CELLS_THROUGH_WALL, sharpen: true }
    }
}

/// Errors from stuffing a solid with tetrahedra.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StuffingError {
    /// The box around the solid is empty or not finite.
    #[error("the box around the solid is empty or not finite: check the mesh or the distance field")]
    BadBox,
    /// The cell, or the number of cells through a wall, is not a positive number.
    #[error("the cell, or the number of cells through a wall, is {0}: it must be a positive number")]
    BadCell(f64),
    /// The distance function gives something that is not a number.
    #[error("the distance at ({}, {}, {}) is not a number: check the field", .0[0], .0[1], .0[2])]
    NotANumber([f64; 3]),
    /// A wall has too few cells.
    #[error(
        "the thinnest wall is {wall:.3e} m, near ({}, {}, {}), and has fewer than {least} cells of {cell:.3e} m: take cells of at most {works:.3e} m", near[0], near[1], near[2]
    )]
    ThinWall {
        /// The thickness of the wall (m).
        wall: f64,
        /// Where it is (m).
        near: [f64; 3],
        /// The cell that was asked for (m).
        cell: f64,
        /// The cells that it must have.
        least: f64,
        /// The largest cell that works (m).
        works: f64,
    },
    /// The box holds too many cells.
    #[error(
        "cells of {cell:.3e} m make {cells:.1e} of them in the box around the solid, more than {MOST_CELLS:.0e}: take cells of at least {works:.3e} m{because}"
    )]
    TooManyCells {
        /// The cell (m).
        cell: f64,
        /// How many there would be.
        cells: f64,
        /// The smallest cell that works (m).
        works: f64,
        /// Why they are so small, if the thinnest wall asks for it.
        because: String,
    },
    /// The solid has no inside.
    #[error("nothing is inside: the surface is not closed, or its walls are thinner than a cell of {cell:.3e} m")]
    NothingInside {
        /// The cell (m).
        cell: f64,
    },
    /// What came out is not one solid piece.
    #[error("stuffing with cells of {cell:.3e} m gave no valid mesh: {source}")]
    Mesh {
        /// The cell (m).
        cell: f64,
        /// What is wrong with the mesh.
        source: TetMeshError,
    },
}

/// A stuffed solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Stuffed {
    /// The tetrahedra.
    pub mesh: TetMesh,
    /// The side of a cell (m).
    pub cell: f64,
    /// The thinnest wall that was measured, if there is one.
    pub wall: Option<ThinnestWall>,
}

/// Fills a solid with tetrahedra whose dihedral angles are between [`SMALLEST_DIHEDRAL`] and [`LARGEST_DIHEDRAL`].
///
/// # Errors
/// [`StuffingError`]: bad numbers, walls of too few cells, too many cells, or nothing inside.
pub fn stuff(solid: &SolidRegion, settings: &StuffingSettings) -> Result<Stuffed, StuffingError> {
    let size = solid.upper - solid.lower;
    if !(size.iter().all(|x| *x > 0.0 && x.is_finite())) {
        return Err(StuffingError::BadBox);
    }
    if let Some(cell) = settings.cell.filter(|cell| !(*cell > 0.0 && cell.is_finite())) {
        return Err(StuffingError::BadCell(cell));
    }
    let least = settings.cells_through_wall;
    if !(least > 0.0 && least.is_finite()) {
        return Err(StuffingError::BadCell(least));
    }
    let wall = thinnest_wall(solid)?;
    let works = wall.map_or(f64::INFINITY, |w| w.thickness / least);
    let (cell, because) = match (settings.cell, &wall) {
        // Rounding does not refuse what was asked for as it was told.
        (Some(cell), Some(wall)) if cell > works * (1.0 + 1e-3) => {
            let Vec3 { data: nalgebra::ArrayStorage([near]), .. } = wall.point;
            return Err(StuffingError::ThinWall { wall: wall.thickness, near, cell, least, works });
        }
        (Some(cell), _) => (cell, String::new()),
        (None, Some(wall)) => (works, format!(", or thicken the wall of {:.3e} m", wall.thickness)),
        (None, None) => (size.min() / least, String::new()),
    };
    let cells: f64 = size.iter().map(|x| x / cell + 2.0).product();
    if cells > MOST_CELLS {
        let works = cell * libm::cbrt(cells / MOST_CELLS) * 1.01;
        return Err(StuffingError::TooManyCells { cell, cells, works, because });
    }
    let mesh = fill(solid, cell, settings.sharpen)?;
    Ok(Stuffed { mesh, cell, wall })
}

fn fill(solid: &SolidRegion, cell: f64, sharpen: bool) -> Result<TetMesh, StuffingError> {
    let mut lattice = Lattice::over(solid, cell)?;
    lattice.warp();
    let (nodes, tetrahedra) = stencil::fill(&lattice);
    if tetrahedra.is_empty() {
        return Err(StuffingError::NothingInside { cell });
    }
    let refused = |source| StuffingError::Mesh { cell, source };
    let mesh = TetMesh::new(nodes, tetrahedra).map_err(refused)?;
    if !sharpen {
        return Ok(mesh);
    }
    let (nodes, tetrahedra) = crease::sharpen(solid, &mesh, cell);
    TetMesh::new(nodes, tetrahedra).map_err(refused)
}
