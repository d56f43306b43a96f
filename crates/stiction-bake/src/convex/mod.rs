//! Convex parts of closed meshes, for engines that intersect convex polyhedra.
//!
//! Solids by parameter have exact parts: [`Solid::convex_parts`](crate::solids::Solid::convex_parts). A mesh that is convex is its own part. Other meshes are taken apart by parry's V-HACD
//! (Mamou, *Volumetric hierarchical approximate convex decomposition*, 2016): voxels of the inside are cut by planes where that lowers the concavity most; the hull of the surface in each piece is a
//! part. This is done twice, and the result that is closer to the mesh by volume is kept:
//!
//! * finely, with more pieces than are wanted; then those two parts are joined again and again whose hull has the least volume that neither has, until there are few enough;
//! * as V-HACD does it by default, with no more pieces than are wanted. It is the better one of thin parts, of which fine cuts are not worth their while, and of some gears.
//!
//! How close the result is, is measured ([`ConvexCloseness`]), not assumed: hulls of neighbours overlap a little, and hollow places are filled.

mod closeness;
mod join;

use crate::Mesh;
use crate::diagnose::{self, length};
use crate::expose;
use crate::mass;
use crate::progress::{Cancelled, Progress};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::{FillMode, VoxelSet};
use rayon::prelude::*;
use std::collections::HashSet;
pub use stiction::shape::{ConvexCloseness, ConvexParts};
use stiction::spatial::Vec3;
use stiction_volume::Convex;

/// The number of the way in which convex parts are made. It goes up whenever the same mesh and options give other parts.
pub const REVISION: u32 = 2;

/// Volume that the hull of a mesh may have beyond the mesh's, as a share, if the mesh is to count as convex: facets of curved surfaces are rounded to single precision in most files.
const CONVEX: f64 = 1e-6;

/// Width of cracks that a closed mesh may have, in units of its diagonal.
const CRACK: f64 = 1e-4;

/// How a mesh is taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexOptions {
    /// Most parts.
    pub most_parts: usize,
    /// Most corners of a part: rounder parts lose corners.
    pub most_corners: usize,
    /// Voxels along the longest side.
    pub resolution: u32,
    /// Share of the mesh's volume by which a piece may be hollow before it is cut again.
    pub concavity: f64,
}

impl Default for ConvexOptions {
    fn default() -> Self {
        ConvexOptions { most_parts: 32, most_corners: 64, resolution: 64, concavity: 3e-4 }
    }
}

impl ConvexOptions {
    /// Every option that changes the result, as one line: part of a cache's key.
    pub fn line(&self) -> String {
        let ConvexOptions { most_parts, most_corners, resolution, concavity } = self;
        format!(
            "convex={most_parts} corners={most_corners} voxels={resolution} concavity={concavity} revision={REVISION}"
        )
    }
}

/// Errors from taking a mesh apart.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConvexPartsError {
    /// The mesh does not enclose a volume.
    #[error("no convex parts: {0}")]
    NotClosed(String),
    /// The decomposition has no result.
    #[error("no convex parts: {0}; simplify the mesh, or make the part of solids by parameter")]
    Failed(String),
    /// An option is out of its range.
    #[error("no convex parts: {0}")]
    Option(String),
    /// The user stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Finds convex parts whose union is close to a closed mesh. The result is the same on any number of threads.
///
/// # Errors
/// If the mesh is open or flat, if it cannot be taken apart, if an option is out of its range, or if the user stops it.
pub fn convex_parts(
    mesh: &Mesh,
    options: &ConvexOptions,
    progress: &dyn Progress,
) -> Result<ConvexParts, ConvexPartsError> {
    check(options)?;
    progress.stage("mending", 0);
    let surface = surface(mesh, progress)?;
    let volume = mass::of_mesh(&surface).volume;
    let points = used_points(&surface);
    let hull =
        Convex::of_points(&points).map_err(|e| ConvexPartsError::NotClosed(format!("the mesh is no solid: {e}")))?;
    // A volume smaller than what rounding of its size could be.
    if !(volume > 1e-9 * hull.volume()) {
        let (is, of) = (volume, hull.volume());
        let reason =
            format!("the mesh encloses {is:.3e} m³ in a hull of {of:.3e} m³, which is flat: give it a thickness");
        return Err(ConvexPartsError::NotClosed(reason));
    }
    let parts = if hull.volume() - volume <= CONVEX * volume {
        vec![hull]
    } else {
        progress.stage("taking apart", 0);
        let finely = VHACDParameters {
            // V-HACD goes by the volume of the hull: parts of a thin mesh would all be nothing.
            concavity: options.concavity * volume / hull.volume(),
            // More than are wanted, so that joining has a choice.
            max_convex_hulls: (2 * options.most_parts).max(16) as u32,
            ..VHACDParameters::default()
        };
        let fine = fine_pieces(&surface, &points, &finely, options)?;
        stop(progress)?;
        let plain = plain_pieces(&surface, options);
        stop(progress)?;
        progress.stage("joining", 0);
        let few = |parts: Vec<Convex>| -> Vec<Convex> {
            parts.iter().map(|part| join::with_few_corners(part, options.most_corners)).collect()
        };
        let [fine, plain] =
            [fine, plain].map(|pieces| join::join(pieces, volume, options.most_parts, progress).map(few));
        let (fine, plain) = (fine?, plain?);
        let off = |parts: &[Convex]| closeness::volume_share(&surface, volume, parts);
        if !plain.is_empty() && off(&plain) < off(&fine) { plain } else { fine }
    };
    let parts: Vec<Convex> = parts.iter().map(|part| join::with_few_corners(part, options.most_corners)).collect();
    if parts.is_empty() {
        return Err(ConvexPartsError::Failed("every piece of the mesh is flat".into()));
    }
    progress.stage("measuring", 0);
    let closeness = closeness::closeness(&surface, volume, &parts, progress)?;
    Ok(ConvexParts { parts: parts.iter().map(|part| part.points().to_vec()).collect(), closeness })
}

/// Measures how close the union of some convex parts is to a closed mesh, however the parts were made.
///
/// # Errors
/// If the mesh is open or flat, or if the user stops it.
pub fn measured_closeness(
    mesh: &Mesh,
    parts: &[Convex],
    progress: &dyn Progress,
) -> Result<ConvexCloseness, ConvexPartsError> {
    let surface = surface(mesh, progress)?;
    let volume = mass::of_mesh(&surface).volume;
    Ok(closeness::closeness(&surface, volume, parts, progress)?)
}

fn check(options: &ConvexOptions) -> Result<(), ConvexPartsError> {
    let ConvexOptions { most_parts, most_corners, resolution, concavity } = *options;
    let range = |what: &str, value: usize, low: usize, high: usize| {
        if (low..=high).contains(&value) {
            Ok(())
        } else {
            Err(ConvexPartsError::Option(format!("{what} is {value}: give {low} to {high}")))
        }
    };
    range("the largest number of parts", most_parts, 1, 1024)?;
    range("the largest number of corners", most_corners, 8, 4096)?;
    range("the number of voxels", resolution as usize, 8, 512)?;
    if concavity > 0.0 && concavity < 1.0 {
        Ok(())
    } else {
        Err(ConvexPartsError::Option(format!("the concavity is {concavity}: give a share between 0 and 1")))
    }
}

fn stop(progress: &dyn Progress) -> Result<(), Cancelled> {
    if progress.cancelled() { Err(Cancelled) } else { Ok(()) }
}

/// The surface of the union of the solids of a mesh, outwards.
fn surface(mesh: &Mesh, progress: &dyn Progress) -> Result<Mesh, ConvexPartsError> {
    let mended = diagnose::mend(mesh);
    let solid: Vec<[u32; 3]> =
        mended.mesh.faces.iter().zip(&mended.sheet).filter(|(_, s)| !**s).map(|(f, _)| *f).collect();
    if solid.is_empty() {
        return Err(ConvexPartsError::NotClosed("the mesh is open everywhere and has no inside: close it, or give its sheets a thickness in the program that made it".into()));
    }
    // Cracks and T-junctions that no voxel sees leave an inside.
    let size = mended.mesh.bounds().map_or(0.0, |b| (b.max - b.min).norm());
    let closed = mended.watertight || mended.hole <= CRACK * size;
    if !closed || !mended.oriented {
        let what = if closed {
            "some of its faces cannot be turned outwards".into()
        } else {
            format!("it has holes up to {} wide", length(mended.hole))
        };
        return Err(ConvexPartsError::NotClosed(format!(
            "the mesh does not enclose a solid: {what}; `stiction inspect` says where, close it there"
        )));
    }
    Ok(match expose::exposed(&mended, progress)? {
        Some(exposed) => exposed.mesh,
        None => Mesh { points: mended.mesh.points, faces: solid },
    })
}

/// The points of the faces, each once.
fn used_points(mesh: &Mesh) -> Vec<Vec3> {
    let mut used = vec![false; mesh.points.len()];
    mesh.faces.iter().flatten().for_each(|i| used[*i as usize] = true);
    mesh.points.iter().zip(used).filter(|(_, used)| *used).map(|(p, _)| *p).collect()
}

/// The hulls that V-HACD makes by default, of no more pieces than are wanted. Flat ones are left out.
fn plain_pieces(surface: &Mesh, options: &ConvexOptions) -> Vec<Convex> {
    let parameters = VHACDParameters {
        max_convex_hulls: options.most_parts as u32,
        resolution: options.resolution,
        ..VHACDParameters::default()
    };
    let points: Vec<Vector> = surface.points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let hulls = VHACD::decompose(&parameters, &points, &surface.faces, true)
        .compute_exact_convex_hulls(&points, &surface.faces);
    let part = |corners: &Vec<Vector>| {
        Convex::of_points(&corners.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect::<Vec<_>>()).ok()
    };
    hulls.iter().filter_map(|(corners, _)| part(corners)).collect()
}

/// Hulls of the surface in pieces of the inside. Flat ones are left out.
fn fine_pieces(
    surface: &Mesh,
    points: &[Vec3],
    parameters: &VHACDParameters,
    options: &ConvexOptions,
) -> Result<Vec<Convex>, ConvexPartsError> {
    // In units of its size and about its centre, so that where it is and in which unit it came makes no difference.
    let (low, high) = points.iter().fold((points[0], points[0]), |(low, high), p| (low.inf(p), high.sup(p)));
    let (centre, size) = (0.5 * (low + high), (high - low).amax());
    let to = |p: &Vec3| {
        let q = (p - centre) / size;
        Vector::new(q.x, q.y, q.z)
    };
    let back = |q: &Vector| Vec3::new(q.x, q.y, q.z) * size + centre;
    let places: Vec<Vector> = surface.points.iter().map(to).collect();
    let fill = FillMode::FloodFill { detect_cavities: false };
    let voxels = VoxelSet::voxelize(&places, &surface.faces, options.resolution, fill, true);
    let inner: HashSet<[i64; 3]> =
        voxels.voxels().iter().filter(|v| !v.is_on_surface).map(|v| v.coords.to_array()).collect();
    let apart = VHACD::from_voxels(parameters, voxels);
    let hulls = apart.voxel_parts().par_iter().filter(|part| !part.is_empty()).map(|part| {
        let mut corners = part.compute_primitive_intersections(&places, &surface.faces);
        // Where planes cut through the inside, the piece ends at voxels that the surface does not meet: those belong to it whole.
        for voxel in part.voxels().iter().filter(|v| v.is_on_surface && inner.contains(&v.coords.to_array())) {
            let (middle, half) = (part.get_voxel_point(voxel), 0.5 * part.scale);
            corners.extend((0..8).map(|i: u32| {
                let side = |bit: u32| if i & bit == 0 { -half } else { half };
                middle + Vector::new(side(1), side(2), side(4))
            }));
        }
        let hull = Convex::of_points(&corners.iter().map(back).collect::<Vec<_>>());
        hull.map(|hull| join::with_few_corners(&hull, 4 * options.most_corners))
    });
    let hulls: Vec<Result<Convex, _>> = hulls.collect();
    let hulls: Vec<Convex> = hulls.into_iter().filter_map(Result::ok).collect();
    if hulls.is_empty() {
        return Err(ConvexPartsError::Failed("no piece of it has a volume".into()));
    }
    Ok(hulls)
}
