//! The signed distance field of a mesh: exact distances at the nodes of a lattice, signs that survive bad meshes.
//!
//! 0. Faces inside the union of overlapping solids are left out ([`crate::expose`]).
//! 1. Unsigned distances to the nearest triangle, by a tree (`bvh.rs`) and packets of eight nodes (`unsigned.rs`, `front.rs`, `cell.rs`): at every
//!    node for a dense field, in blocks of 8³ near the surface for a sparse one (`nodes.rs`); of a closed mesh together with
//!    the signs (`dense.rs`).
//! 2. Signs: by counting crossings along rows of nodes for closed meshes (`rows.rs`), by generalised winding numbers for
//!    those with holes (`sign.rs`, `winding.rs`), or by the offset surface (`offset.rs`).
//! 3. Where signs change without a surface, membranes close the hole (`membrane.rs`).
//! 4. Open sheets, which have no inside, are thickened when asked, and the result is stored (`store.rs`).
//!
//! Everything within is in units of a voxel, in single precision: distances are good to 1e-4 voxels or so. Results do not
//! depend on the number of threads.

mod accuracy;
mod build;
mod bvh;
mod cell;
mod dense;
mod front;
mod grid;
mod lanes;
mod membrane;
mod nodes;
mod offset;
mod plan;
mod rows;
mod sign;
mod store;
mod triangle;
mod unsigned;
mod volume;
mod winding;

pub use accuracy::{Accuracy, measure};
pub use grid::{Fineness, Storage};
pub use volume::mass;

use crate::diagnose::Mended;
use crate::expose::{Exposed, exposed};
use crate::progress::{Cancelled, Progress};
use serde::Serialize;
use stiction::shape::{DistanceField, ShapeError};

/// How inside and outside are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sign {
    /// By winding numbers where faces could be oriented, else by the offset surface.
    #[default]
    Auto,
    /// By generalised winding numbers: holes of any size are closed by membranes; needs oriented faces.
    Winding,
    /// By the surface at a small distance from the mesh: needs no orientation; fills closed cavities.
    Offset,
}

/// Options of building a distance field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldOptions {
    /// Size of the voxels.
    pub fineness: Fineness,
    /// How signs are found.
    pub sign: Sign,
    /// Thickness given to open sheets, in m; zero leaves them out. Without it, sheets of more than a thousandth of the
    /// area are an error.
    pub thicken: Option<f64>,
    /// Half-width of the band of exact nodes of a sparse field, in voxels.
    pub band: f64,
    /// Distance of the offset surface, in voxels: gaps up to twice this are closed.
    pub offset: f64,
    /// How distances are stored.
    pub storage: Storage,
    /// A cube instead of a box that fits the part.
    pub cube: bool,
    /// Bytes that may be used.
    pub memory: u64,
}

impl Default for FieldOptions {
    fn default() -> Self {
        FieldOptions {
            fineness: Fineness::Resolution(256),
            sign: Sign::Auto,
            thicken: None,
            band: 4.0,
            offset: 2.0,
            storage: Storage::Auto,
            cube: false,
            memory: 8 << 30,
        }
    }
}

/// Errors from building a distance field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FieldError {
    /// No face that could be near anything.
    #[error("there is no face left to make a field of")]
    Empty,
    /// The options do not fit the part.
    #[error("{0}")]
    Options(String),
    /// Not enough memory.
    #[error(
        "a {}x{}x{} grid with voxels of {} needs about {} of memory, {} are available; a resolution of {fits} or a voxel of {} m would fit",
        cells[0], cells[1], cells[2], crate::diagnose::length(*voxel), crate::words::bytes(*needed),
        crate::words::bytes(*available), voxel_fits
    )]
    Memory {
        /// Cells of the grid.
        cells: [u32; 3],
        /// Its voxel in m.
        voxel: f64,
        /// Bytes needed.
        needed: u64,
        /// Bytes available.
        available: u64,
        /// The finest resolution that fits.
        fits: u32,
        /// Its voxel in m, rounded up to two digits.
        voxel_fits: f64,
    },
    /// Sheets, and nothing said about them.
    #[error(
        "{faces} of {all} faces belong to open sheets, which have no inside and so would never touch anything; give them a \
         thickness, for example `stiction bake --thicken {}` or `thicken` of a scene's part, or leave them out with 0",
        crate::diagnose::length(*suggested).replace(' ', "").replace('µ', "u")
    )]
    Sheets {
        /// Faces of sheets.
        faces: usize,
        /// All faces.
        all: usize,
        /// A thickness that the voxel resolves, in m.
        suggested: f64,
    },
    /// The user stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The engine does not accept the field: an error of ours.
    #[error("the field is not valid: {0}")]
    Shape(#[from] ShapeError),
}

/// What was made, and how.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldReport {
    /// How signs were found: `winding` or `offset`.
    pub sign: Sign,
    /// Whether every node is stored.
    pub dense: bool,
    /// Cells along x, y, z.
    pub cells: [u32; 3],
    /// Edge of a voxel in m.
    pub voxel_m: f64,
    /// Half-width of the band in m, for a sparse field.
    pub band_m: Option<f64>,
    /// Blocks stored, for a sparse field.
    pub blocks: Option<usize>,
    /// Nodes at which the distance was computed.
    pub nodes: usize,
    /// Points of membranes over holes; zero for a closed mesh.
    pub membrane_points: usize,
    /// Faces of open sheets that were thickened.
    pub thickened_faces: usize,
    /// Faces wholly or partly inside the union of overlapping solids; what is inside was left out.
    pub buried_faces: usize,
    /// Bytes of the field.
    pub bytes: u64,
}

/// Makes the field of a mended mesh. Overlapping solids are their union.
pub fn build(
    mended: &Mended,
    options: &FieldOptions,
    progress: &dyn Progress,
) -> Result<(DistanceField, FieldReport), FieldError> {
    let plan = plan::FieldPlan::new(mended, options)?;
    let exposed = if plan.by_winding() { exposed(mended, progress)? } else { None };
    run(plan, mended, exposed.as_ref(), progress)
}

/// Makes the field of a mended mesh of which is known what bounds it: see [`exposed`].
pub fn build_exposed(
    mended: &Mended,
    exposed: Option<&Exposed>,
    options: &FieldOptions,
    progress: &dyn Progress,
) -> Result<(DistanceField, FieldReport), FieldError> {
    run(plan::FieldPlan::new(mended, options)?, mended, exposed, progress)
}

fn run(
    mut plan: plan::FieldPlan,
    mended: &Mended,
    exposed: Option<&Exposed>,
    progress: &dyn Progress,
) -> Result<(DistanceField, FieldReport), FieldError> {
    if let Some(exposed) = exposed.filter(|_| plan.by_winding()) {
        plan.expose(mended, exposed);
    }
    plan.run(progress)
}
