//! The mesh mended as far as that is safe: nothing is moved, nothing is filled in.

use super::bodies::{self, Bodies};
use super::cracks;
use super::edges::Edges;
use super::holes::{self, Hole};
use super::patches::Patches;
use super::weld::{self, Welded};
use crate::Mesh;

/// A mesh made ready for a signed field.
#[derive(Clone, Debug)]
pub struct Mended {
    /// Welded, without degenerate and duplicate faces, neighbours wound alike where they can be, solids outwards,
    /// cavities inwards. Faces with three points in a line stay where dropping them would open an edge.
    pub mesh: Mesh,
    /// For every face: whether it belongs to an open sheet without an inside.
    pub sheet: Vec<bool>,
    /// For every face: its number in the mesh that was given.
    pub origin: Vec<u32>,
    /// For every face: its body. Faces of one body are joined over edges, points or cracks.
    pub body: Vec<u32>,
    /// Whether every edge of the faces that are no sheets is walked forth as often as back: the winding number is
    /// then a whole number everywhere. Where two faces meet that is the usual meaning.
    pub watertight: bool,
    /// Whether orientation could be settled everywhere; if not, sign by the offset surface.
    pub oriented: bool,
    /// Width of the largest hole of the faces that are no sheets, in m: the smallest extent of a loop of open
    /// edges in its plane, or the gape of a crack. Zero when watertight, and for T-junctions.
    pub hole: f64,
}

/// Everything found while mending, for the diagnosis.
pub(super) struct Work {
    pub welded: Welded,
    pub edges: Edges,
    pub patches: Patches,
    pub bodies: Bodies,
    /// For every welded face whether it is a sheet.
    pub sheet: Vec<bool>,
    /// Holes of the faces that are no sheets, widest first.
    pub holes: Vec<Hole>,
    pub watertight: bool,
    pub oriented: bool,
}

/// Mends a mesh. The same on any number of threads.
pub fn mend(mesh: &Mesh) -> Mended {
    finish(work(mesh))
}

/// Welds and settles.
pub(super) fn work(mesh: &Mesh) -> Work {
    let welded = weld::weld(mesh);
    let edges = Edges::new(&welded.mesh.faces);
    let mut patches = Patches::new(&welded.mesh, &edges);
    let cracks = cracks::find(&welded.mesh, &edges, &patches);
    let bodies = bodies::settle(&welded.mesh, &edges, &mut patches, &cracks);
    let sheet: Vec<bool> = patches.of.iter().map(|&p| bodies.sheet[p as usize]).collect();
    let solid: Vec<bool> = sheet.iter().map(|s| !s).collect();
    let holes = holes::find(&welded.mesh, &edges, &patches.flip, &solid, &cracks.width);
    let net = |g: &[super::edges::Use]| {
        g.iter().filter(|u| solid[u.face as usize]).map(|u| u.sign(&patches.flip)).sum::<i32>()
    };
    let watertight = edges.groups().all(|g| net(g) == 0);
    let oriented = bodies.settled && patches.orientable.iter().all(|&o| o);
    Work { welded, edges, patches, bodies, sheet, holes, watertight, oriented }
}

/// The mended mesh.
pub(super) fn finish(work: Work) -> Mended {
    let Work { welded, patches, bodies, sheet, holes, watertight, oriented, .. } = work;
    let mut mesh = welded.mesh;
    for (face, _) in mesh.faces.iter_mut().zip(&patches.flip).filter(|(_, flip)| **flip) {
        face.swap(1, 2);
    }
    let body = patches.of.iter().map(|&p| bodies.of[p as usize]).collect();
    let hole = holes.first().map_or(0.0, |h| h.width_m);
    Mended { mesh, sheet, origin: welded.origin, body, watertight, oriented, hole }
}
