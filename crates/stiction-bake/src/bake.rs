//! The whole way from a mesh to a shape.

use crate::Mesh;
use crate::convex::{ConvexOptions, ConvexPartsError, convex_parts};
use crate::diagnose::{self, Mended};
use crate::expose;
use crate::faceting::{self, FacetingSummary};
use crate::field::{self, Accuracy, FieldError, FieldOptions, FieldReport, Sign};
use crate::mass;
use crate::progress::{Cancelled, Progress};
use crate::shell::{self, ShellError, ShellOptions, ShellReport};
use serde::Serialize;
use stiction::shape::{Allowance, Shape, ShapeError};

/// The number of the way in which shapes are made. It goes up whenever the same mesh and settings give another shape, so that shapes in a
/// cache are made again.
pub const REVISION: u32 = 5;

/// What to make of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeOptions {
    /// The distance field.
    pub field: FieldOptions,
    /// Points of the shell.
    pub shell_points: usize,
    /// Levels of the shell; by default as many as give about four children a point.
    pub shell_levels: Option<usize>,
    /// Distance of the shell from the surface in m; negative is inside.
    pub shell_offset: f64,
    /// Convex parts, if they are wanted.
    pub convex: Option<ConvexOptions>,
}

impl Default for BakeOptions {
    fn default() -> Self {
        BakeOptions {
            field: FieldOptions::default(),
            shell_points: 8000,
            shell_levels: None,
            shell_offset: 0.0,
            convex: None,
        }
    }
}

impl BakeOptions {
    /// Every option that changes the result, as one line: part of a cache's key. Memory is left out: it only decides
    /// whether there is a result.
    pub fn line(&self) -> String {
        let FieldOptions { fineness, sign, thicken, band, offset, storage, cube, memory: _ } = self.field;
        let BakeOptions { shell_points, shell_levels, shell_offset, convex, .. } = self;
        let convex = convex.as_ref().map_or_else(String::new, |convex| format!(" {}", convex.line()));
        format!(
            "{fineness:?} sign={sign:?} thicken={thicken:?} band={band} offset={offset} storage={storage:?} cube={cube} \
             shell={shell_points} levels={shell_levels:?} shell-offset={shell_offset}{convex}"
        )
    }
}

/// Errors from baking a mesh into a shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// The distance field could not be built.
    #[error(transparent)]
    Field(FieldError),
    /// The point shell could not be built.
    #[error(transparent)]
    Shell(ShellError),
    /// The allowance for faceting was refused.
    #[error(transparent)]
    Allowance(ShapeError),
    /// The mesh could not be taken apart into convex parts.
    #[error(transparent)]
    Convex(ConvexPartsError),
    /// The user stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<ConvexPartsError> for BakeError {
    fn from(error: ConvexPartsError) -> Self {
        if let ConvexPartsError::Cancelled(c) = error { BakeError::Cancelled(c) } else { BakeError::Convex(error) }
    }
}

impl From<FieldError> for BakeError {
    fn from(error: FieldError) -> Self {
        if let FieldError::Cancelled(c) = error { BakeError::Cancelled(c) } else { BakeError::Field(error) }
    }
}

impl From<ShellError> for BakeError {
    fn from(error: ShellError) -> Self {
        if let ShellError::Cancelled(c) = error { BakeError::Cancelled(c) } else { BakeError::Shell(error) }
    }
}

/// What was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BakeReport {
    /// The field.
    pub field: FieldReport,
    /// The shell.
    pub shell: ShellReport,
    /// How good interpolated distances are; not measured where membranes or thickened sheets are part of the surface.
    pub accuracy: Option<Accuracy>,
    /// How far facets of curved surfaces reach into the open, and what contacts are allowed for it.
    pub faceting: AllowanceReport,
    /// Whether mass properties come from triangles, which is exact, or from the field.
    pub mass_from_triangles: bool,
    /// Volume, centre and inertia.
    pub mass: diagnose::Mass,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// The faceting error of a mesh, and the allowance that a shape has for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AllowanceReport {
    /// The faceting error of the mesh.
    #[serde(flatten)]
    pub summary: FacetingSummary,
    /// The largest depth that a contact is allowed (m): sagitta and lattice error.
    pub largest_allowance_m: f64,
    /// The spacing of the lattice of allowances (m); zero if there is none.
    pub spacing_m: f64,
    /// Points of the shell that have an allowance.
    pub shell_points: usize,
}

/// A shape and how it came about.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The shape.
    pub shape: Shape,
    /// Report of field, shell and allowance.
    pub report: BakeReport,
}

/// Bakes a mesh. `provenance` goes into the shape as it is, and should not hold what changes from run to run.
pub fn bake(
    mesh: &Mesh,
    options: &BakeOptions,
    provenance: String,
    progress: &dyn Progress,
) -> Result<Baked, BakeError> {
    // First, as it fails first.
    let convex = options.convex.as_ref().map(|options| convex_parts(mesh, options, progress)).transpose()?;
    progress.stage("mending", 0);
    let mended = diagnose::mend(mesh);
    let exposed = if options.field.sign == Sign::Offset { None } else { expose::exposed(&mended, progress)? };
    let exposed = exposed.as_ref();
    let (field, field_report) = field::build_exposed(&mended, exposed, &options.field, progress)?;
    let h = field.lattice().spacing;
    progress.stage("point shell", 0);
    let shell_options = ShellOptions {
        levels: options.shell_levels,
        offset: options.shell_offset,
        ..ShellOptions::new(options.shell_points, 0.5 * h)
    };
    let solid = solid_part(&mended);
    let (shell, shell_report) = if field_report.thickened_faces == 0 {
        shell::build_mended(&solid, exposed, &shell_options, &|p| field.distance(p), progress)?
    } else {
        shell::build_mended(&mended, exposed, &shell_options, &|p| field.distance(p), progress)?
    };
    progress.stage("faceting", 0);
    let faceting = faceting::measure(&mended);
    let allowance = faceting.lattice(&mended.mesh, h).map_err(BakeError::Allowance)?;
    let allowances = faceting.of_points(&mended.mesh, h, shell.points(), options.shell_offset);
    let shell = shell.with_allowances(allowances).map_err(BakeError::Allowance)?;
    progress.stage("checking", 0);
    let plain = field_report.membrane_points == 0 && field_report.thickened_faces == 0;
    let surface = exposed.map_or(&solid.mesh, |e| &e.mesh);
    let accuracy = if plain { field::measure(&field, surface, shell.points()) } else { None };
    let mass_from_triangles = plain && mended.watertight && mended.oriented && field_report.sign == Sign::Winding;
    let mass = if mass_from_triangles { mass::of_mesh(surface) } else { field::mass(&field) };
    let report = BakeReport {
        warnings: warnings(&mended, options, &field_report, &shell_report),
        field: field_report,
        shell: shell_report,
        accuracy,
        faceting: AllowanceReport {
            summary: faceting.summary,
            largest_allowance_m: allowance.as_ref().map_or(0.0, Allowance::largest),
            spacing_m: allowance.as_ref().map_or(0.0, |a| a.lattice().spacing),
            shell_points: shell.allowances().iter().filter(|a| **a > 0.0).count(),
        },
        mass_from_triangles,
        mass: mass.into(),
    };
    Ok(Baked { shape: Shape { field, shell, allowance, convex, mass, provenance }, report })
}

/// Without sheets, but with the same faces otherwise.
fn solid_part(mended: &Mended) -> Mended {
    let mut solid = mended.clone();
    for (face, _) in solid.mesh.faces.iter_mut().zip(&mended.sheet).filter(|(_, sheet)| **sheet) {
        // A face of one point: nothing lies on it, and the others keep their numbers.
        *face = [face[0]; 3];
    }
    solid
}

fn warnings(mended: &Mended, options: &BakeOptions, field: &FieldReport, shell: &ShellReport) -> Vec<String> {
    let mut out = Vec::new();
    let length = diagnose::length;
    let sheets = mended.sheet.iter().filter(|s| **s).count();
    if sheets > 0 && field.thickened_faces == 0 {
        let faces = if sheets == 1 {
            "1 face of an open sheet was".into()
        } else {
            format!("{sheets} faces of open sheets were")
        };
        out.push(format!("{faces} left out: nothing will touch it"));
    }
    if let Some(thickness) = options.field.thicken.filter(|t| field.thickened_faces > 0 && *t < 2.0 * field.voxel_m) {
        out.push(format!(
            "sheets of {} are thinner than two voxels ({}): parts may pass through them",
            length(thickness),
            length(2.0 * field.voxel_m)
        ));
    }
    if field.membrane_points > 0 {
        out.push(format!(
            "holes up to {} wide were closed by membranes, which are solid: {} points of them",
            length(mended.hole),
            field.membrane_points
        ));
    }
    if field.sign == Sign::Offset {
        let gap = 2.0 * options.field.offset * field.voxel_m;
        out.push(format!(
            "inside was found without orientation: gaps narrower than {} and cavities are filled",
            length(gap)
        ));
    }
    if field.sign == Sign::Winding && !mended.oriented {
        out.push(
            "some faces could not be oriented, so winding numbers may be wrong near them; try the sign \"offset\" (`stiction bake --sign offset`, or `sign` of a scene's part)".into(),
        );
    }
    if shell.points < shell.wanted {
        out.push(format!("the surface gave {} shell points, {} were asked for", shell.points, shell.wanted));
    }
    out
}
