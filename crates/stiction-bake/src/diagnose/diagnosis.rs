//! The diagnosis: everything found wrong with a mesh, in numbers.
//!
//! Counts follow the conventions that reproduce the manifest of real parts: points welded where they are equal, faces
//! that name a point twice left out and counted as degenerate, edges counted with doubled faces still there, components
//! joined over shared points, watertight if no edge has one face or three and more, however they are wound.

use super::edges::Edges;
use super::holes::Hole;
use super::intersect::{self, Intersections};
use super::mend::{self, Mended, Work};
use super::patches::area;
use super::thickness::{self, ThicknessSpread};
use super::union::Union;
use super::unit::{self, UnitGuess};
use super::{bodies, weld};
use crate::Mesh;
use crate::faceting::{self, FacetingSummary};
use crate::progress::{Cancelled, Progress};
use serde::Serialize;
use stiction::shape::MassProperties;
use stiction::spatial::Vec3;

/// Components and holes that are listed one by one.
const LISTED: usize = 64;

/// What to look for, and how hard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiagnoseOptions {
    /// Voxel against which thin walls and gaps are held, in m; if `None`, the longest side over `resolution`.
    pub voxel: Option<f64>,
    /// Voxels along the longest side, where `voxel` is not given.
    pub resolution: u32,
    /// Metres that one unit of the file was taken for.
    pub metres_per_unit: f64,
    /// Pairs of faces tested for self-intersection at most (checked every few hundred faces).
    pub pairs: u64,
    /// Places at which walls and gaps are measured.
    pub samples: usize,
}

impl Default for DiagnoseOptions {
    fn default() -> Self {
        DiagnoseOptions { voxel: None, resolution: 256, metres_per_unit: 1.0, pairs: 50_000_000, samples: 20_000 }
    }
}

/// Faces joined over shared points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Component {
    /// Faces as given, without degenerate ones.
    pub triangles: usize,
    /// Area after mending, in m².
    pub area_m2: f64,
    /// Whether no edge has one face only.
    pub closed: bool,
    /// Whether most of its area is open sheets without an inside.
    pub sheet: bool,
    /// Volume of its solid faces after mending, in m³; negative for a cavity, approximate with holes.
    pub volume_m3: f64,
    /// Whether it lies inside another solid.
    pub nested: bool,
}

/// Volume, centre and inertia for a density of 1 kg/m³.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mass {
    /// Volume in m³.
    pub volume_m3: f64,
    /// Centre of mass in m.
    pub centre_m: [f64; 3],
    /// Inertia about the centre of mass, row by row, in m⁵.
    pub inertia_m5: [[f64; 3]; 3],
}

impl From<MassProperties> for Mass {
    fn from(m: MassProperties) -> Self {
        let row = |i: usize| [m.inertia[(i, 0)], m.inertia[(i, 1)], m.inertia[(i, 2)]];
        Mass { volume_m3: m.volume, centre_m: m.centre.into(), inertia_m5: [row(0), row(1), row(2)] }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// Lowest corner of the bounding box in m.
    pub min_m: [f64; 3],
    /// Highest corner of the bounding box in m.
    pub max_m: [f64; 3],
    /// Size of the bounding box in m.
    pub size_m: [f64; 3],
    /// The unit the file is probably in.
    pub unit: UnitGuess,
    /// Faces as given.
    pub triangles: usize,
    /// Points as given.
    pub points: usize,
    /// Points in use after those at one place were made one.
    pub points_welded: usize,
    /// Number of components.
    pub components: usize,
    /// The components, largest area first; at most 64.
    pub largest_components: Vec<Component>,
    /// Edges with one face only.
    pub open_edges: usize,
    /// Edges with three or more faces.
    pub nonmanifold_edges: usize,
    /// Whether every edge has exactly two faces.
    pub watertight: bool,
    /// Edges whose two faces are wound against each other.
    pub mismatched_edges: usize,
    /// Faces that mending turned over.
    pub flipped_faces: usize,
    /// Whether most of the solid surface was wound inwards.
    pub inside_out: bool,
    /// Whether some faces cannot be wound alike at all, as on a Möbius strip.
    pub unorientable: bool,
    /// Faces that name a point twice.
    pub degenerate_faces: usize,
    /// Faces with three distinct points in a line.
    pub needle_faces: usize,
    /// Faces with the same three points as an earlier one.
    pub duplicate_faces: usize,
    /// Area after mending, in m².
    pub area_m2: f64,
    /// Area of open sheets without an inside, in m².
    pub sheet_area_m2: f64,
    /// Faces of open sheets, after mending.
    pub sheet_faces: usize,
    /// Number of holes in the surface that is no sheet.
    pub holes: usize,
    /// The holes, widest first; at most 64.
    pub widest_holes: Vec<Hole>,
    /// Whether the mended mesh, without sheets, encloses its inside without a gap.
    pub mended_watertight: bool,
    /// Whether the mended mesh is wound the right way everywhere.
    pub mended_oriented: bool,
    /// Faces that cross or lie over each other.
    pub intersections: Intersections,
    /// The voxel that walls and gaps are held against, in m.
    pub voxel_m: f64,
    /// Thickness of walls.
    pub walls: Option<ThicknessSpread>,
    /// Width of gaps between surfaces.
    pub gaps: Option<ThicknessSpread>,
    /// How far facets of concave curved surfaces reach into the open.
    pub faceting: FacetingSummary,
    /// Mass properties, to be filled in by the caller.
    pub mass: Option<Mass>,
}

/// Diagnoses a mesh. The same on any number of threads.
pub fn diagnose(mesh: &Mesh, options: &DiagnoseOptions, progress: &dyn Progress) -> Result<Diagnosis, Cancelled> {
    diagnose_and_mend(mesh, options, progress).map(|(diagnosis, _)| diagnosis)
}

/// Diagnoses a mesh and gives it back mended, in one go.
pub fn diagnose_and_mend(
    mesh: &Mesh,
    options: &DiagnoseOptions,
    progress: &dyn Progress,
) -> Result<(Diagnosis, Mended), Cancelled> {
    progress.stage("edges and bodies", 1);
    let work = mend::work(mesh);
    progress.advance(1);
    let intersections = intersect::find(&work.welded.mesh, &work.edges, &work.patches.flip, options, progress)?;
    let mut out = counted(mesh, &work, options);
    out.intersections = intersections;
    let mended = mend::finish(work);
    let solid: Vec<u32> = (0u32..).zip(&mended.sheet).filter(|(_, s)| !**s).map(|(f, _)| f).collect();
    [out.walls, out.gaps] = thickness::measure(&mended.mesh, &solid, options.samples, out.voxel_m, progress)?;
    out.faceting = faceting::measure(&mended).summary;
    Ok((out, mended))
}

/// All but intersections, walls, gaps and faceting.
fn counted(mesh: &Mesh, work: &Work, options: &DiagnoseOptions) -> Diagnosis {
    let (raw, origin) = weld::exact(mesh);
    let edges = Edges::new(&raw.faces);
    let count = |wanted: &dyn Fn(&[super::edges::Use]) -> bool| edges.groups().filter(|g| wanted(g)).count();
    let (open_edges, nonmanifold_edges) = (count(&|g| g.len() == 1), count(&|g| g.len() > 2));
    let (mended, flip) = (&work.welded.mesh, &work.patches.flip);
    let areas: Vec<f64> = (0..mended.faces.len()).map(|f| area(mended, f)).collect();
    let sum = |wanted: &dyn Fn(usize) -> bool| (0..areas.len()).filter(|&f| wanted(f)).map(|f| areas[f]).sum::<f64>();
    let components = components(mesh, &raw, &origin, &edges, work, &areas);
    let bounds = mesh.bounds();
    let (min, max) = bounds.map_or((Vec3::zeros(), Vec3::zeros()), |b| (b.min, b.max));
    let longest = (max - min).amax();
    let solid_area = sum(&|f| !work.sheet[f]);
    Diagnosis {
        min_m: min.into(),
        max_m: max.into(),
        size_m: (max - min).into(),
        unit: unit::guess(longest, options.metres_per_unit),
        triangles: mesh.faces.len(),
        points: mesh.points.len(),
        points_welded: raw.points.len(),
        components: components.len(),
        largest_components: components.into_iter().take(LISTED).collect(),
        open_edges,
        nonmanifold_edges,
        watertight: !raw.faces.is_empty() && open_edges + nonmanifold_edges == 0,
        mismatched_edges: count(&|g| g.len() == 2 && g[0].forward == g[1].forward),
        flipped_faces: flip.iter().filter(|f| **f).count(),
        inside_out: solid_area > 0.0 && sum(&|f| !work.sheet[f] && flip[f]) > 0.5 * solid_area,
        unorientable: !work.patches.orientable.iter().all(|&o| o),
        degenerate_faces: mesh.faces.len() - raw.faces.len(),
        needle_faces: work.welded.needles.iter().sum(),
        duplicate_faces: work.welded.duplicate,
        area_m2: sum(&|_| true),
        sheet_area_m2: sum(&|f| work.sheet[f]),
        sheet_faces: work.sheet.iter().filter(|s| **s).count(),
        holes: work.holes.len(),
        widest_holes: work.holes.iter().take(LISTED).copied().collect(),
        mended_watertight: work.watertight,
        mended_oriented: work.oriented,
        intersections: Intersections::default(),
        voxel_m: options.voxel.unwrap_or(longest / f64::from(options.resolution.max(1))),
        walls: None,
        gaps: None,
        faceting: FacetingSummary::default(),
        mass: None,
    }
}

/// The components, largest area first.
fn components(mesh: &Mesh, raw: &Mesh, origin: &[u32], edges: &Edges, work: &Work, areas: &[f64]) -> Vec<Component> {
    let mut union = Union::new(raw.points.len());
    for f in &raw.faces {
        union.join(f[0], f[1]);
        union.join(f[0], f[2]);
    }
    let (of, count) = union.number();
    let mut out = vec![Component { closed: true, ..Default::default() }; count];
    let mut owner = vec![u32::MAX; mesh.faces.len()];
    for (face, &given) in raw.faces.iter().zip(origin) {
        owner[given as usize] = of[face[0] as usize];
        out[of[face[0] as usize] as usize].triangles += 1;
    }
    for group in edges.groups().filter(|g| g.len() == 1) {
        out[of[group[0].lo as usize] as usize].closed = false;
    }
    let mut solid: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (f, &given) in (0u32..).zip(&work.welded.origin) {
        let component = owner[given as usize] as usize;
        out[component].area_m2 += areas[f as usize];
        if !work.sheet[f as usize] {
            solid[component].push(f);
        }
    }
    for (component, faces) in out.iter_mut().zip(&solid) {
        let area: f64 = faces.iter().map(|&f| areas[f as usize]).sum();
        component.sheet = area <= 0.5 * component.area_m2;
        component.volume_m3 = bodies::volume(&work.welded.mesh, &work.patches.flip, faces);
        let inside = |&f: &u32| {
            let body = work.bodies.of[work.patches.of[f as usize] as usize];
            work.bodies.inside[body as usize].is_some()
        };
        component.nested = !faces.is_empty() && faces.iter().all(inside);
    }
    out.sort_by(|a, b| b.area_m2.total_cmp(&a.area_m2));
    out
}
