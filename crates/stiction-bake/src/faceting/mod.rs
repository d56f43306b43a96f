//! The faceting error of a mesh: how far flat facets reach into the open side of the curved surface that they stand for.
//!
//! Source: our own derivation.
//!
//! The corners of a tessellated surface lie on the true surface, and the middle of a facet lies off it by the facet's sagitta. On a
//! convex surface material is missing there, which does no harm. In a bore, a socket or the root of a thread the facet intrudes, and a
//! part that fits the true surface overlaps the mesh. This module measures that error for every face of a mended mesh.
//!
//! 1. Triangles in one plane are joined into facets (`facet`), because many meshes are facets cut into smaller triangles. Two triangles that
//!    are halves of one slightly warped quadrilateral, as on spheres and threads, are joined too.
//! 2. Where two facets meet is a crease (`link`, `facet`). It is smooth if its angle t is between 0.3° and 40°: a flatter one is
//!    rounding, a sharper one is an edge of the part. It is concave if the facets look towards each other. Only smooth concave creases count.
//! 3. A facet bends if it has such creases on opposite sides (`sagitta`), or one and a neighbour of its width that bends: the last facet beside a slot. Its curvature across a crease is κ = t/w, w its width
//!    between the creases, because the normal of the true surface turns by t/2 from the facet's middle to the crease, w/2 away.
//!    The sagitta is the largest ½ (κ x² + λ y²) of a corner, x and y from the facet's middle along the direction of the largest
//!    curvature κ and across it, where λ is what the other creases leave for it. For a strip of a cylinder that is w t/8, against R (1 - cos t/2) with w = 2 R sin t/2: the
//!    same up to t⁴. For a triangle or square on a sphere it is ρ²/2R, ρ the radius of the circle around the corners.
//!
//! Each direction counts w t/3 at most, the highest point of a surface that leaves a crease at t/2 and bends one way: so roughness of the vertices, which turns narrow triangles by large angles,
//! is read as a sagitta of its own size, and not multiplied by the length of a facet.
//!
//! A plane between fillets is no facet of a curved surface, though it has concave smooth creases on opposite sides: a facet more than three
//! times as wide as its neighbour across a crease does not bend there.
//!
//! The field adds an error of its own at creases, because it is interpolated between nodes h apart. Along a direction u across a crease the
//! distance has a kink, -t|u - u₀|/2. With X the place of a node, drawn with the weights of the trilinear interpolation at a point x, the
//! interpolated value is below the true one by t (E|X - u₀| - |x - u₀|)/2. As E X = x and Var X ≤ h²/4, that is at most t h/4, it falls to both sides of u₀ = x, and its
//! integral over u₀ is t Var X/2 ≤ t h²/8. The sum over many creases w apart is at most the largest term and the integral over w:
//!
//! ```text
//! lattice error ≤ t h/4 + (t/w) h²/8 = t h/4 + κ h²/8                               (1)
//! ```
//!
//! and never more than (√3/2) h, as for every distance. Where facets are smaller than a voxel, t and κ are no more than the surface around them has (`patch`), so that roughness is not taken for curvature. The allowance of a face is the sagitta of its facet and (1), and zero where the sagitta is zero.
//!
//! The same kink stands at the hollow edges of a part, such as the inner edges of a pocket, where two faces meet at a sharp angle t: with
//! ‖n - n'‖ = 2 sin(t/2) for t,
//!
//! ```text
//! lattice error ≤ sin(t/2) h/2                                                      (2)
//! ```
//!
//! and the root of the sum of squares where several hollow edges meet. A part that fits exactly would be driven out of its pocket by it. The kink is a plane through the edge, halfway
//! between the faces, and only cells that it goes through have the error: at the distance D from it,
//!
//! ```text
//! lattice error ≤ sin(t/2) (h/2) (1 - D/(3h/2))³,   zero from D = 3h/2 on           (3)
//! ```
//!
//! is an envelope of what an integration over all places and directions of the lattice gives (a test compares them; the error is not quite zero up to D = √3 h, but
//! below a hundredth of (2) there). A place on a face at the distance x from the edge has D = x cos(t/2), so that the error ends at x = 3h/(2 cos(t/2)): contacts are allowed (3), and no more than
//! that, since an allowance that is too wide lets parts sink in where the field is right. It does not count for the shell's own points there, because the other
//! part's field has no such error at the edges that stand out.
//!
//! What is not seen: tessellations whose corners lie off the true surface, such as polygons drawn around a circle; facets more than
//! three times as wide as a neighbour on the same curved surface; curved surfaces of so few facets that their creases are sharper than
//! 40° (a bore of eight sides); the curvature from the middle to the rim of the thin triangles around the pole of a sphere; warped facets that
//! are cut into smaller triangles; facets that are rough and finely divided, whose triangles are no longer in one plane; creases at edges of three faces and more, or across holes. There the allowance is zero or too small. Sharply
//! tapering facets and triangles much longer than wide get up to twice their sagitta.

mod facet;
mod link;
mod patch;
mod sagitta;
mod spread;

use crate::diagnose::Mended;
use crate::diagnose::intersect::tolerance;
use facet::Facets;
use patch::Patches;
use serde::{Deserialize, Serialize};
use stiction::shape::Allowance;
use stiction::spatial::Vec3;

/// Sagittas below this are zero (m): the rounding of coordinates.
const LEAST: f64 = 1e-9;
/// The error of an interpolated distance is at most this many voxels: √3/2, as `stiction::shape::Dense` derives.
const MOST_LATTICE_ERROR: f64 = 0.8660254037844386;
/// The distance from the plane of a kink at which the error (3) ends, in voxels.
const KINK_REACH: f64 = 1.5;
/// The error at a hollow edge ends at this many voxels from it at most: slots in which two faces meet at less than 30° are narrower than a voxel there.
const MOST_REACH: f64 = 6.0;

/// The error of one face (SI).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FaceError {
    /// How far the facet that the face belongs to reaches into the open side of the true surface (m).
    pub sagitta: f64,
    /// The largest angle of the creases that bend the facet (rad).
    pub angle: f64,
    /// The curvature of the true surface, summed over both directions (1/m).
    pub curvature: f64,
}

impl FaceError {
    /// The depth that a contact with this face is allowed (m), with a field of this voxel: sagitta and lattice error (1), or zero where
    /// the sagitta is zero.
    pub fn allowance(&self, voxel: f64) -> f64 {
        if !(self.sagitta > 0.0) {
            return 0.0;
        }
        let lattice_error = voxel * (0.25 * self.angle + 0.125 * self.curvature * voxel);
        self.sagitta + lattice_error.min(MOST_LATTICE_ERROR * voxel)
    }
}

/// The faceting error of a mesh in a few numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FacetingSummary {
    /// The largest sagitta of a facet (m).
    pub largest_sagitta_m: f64,
    /// The share of the surface's area whose facets have a sagitta.
    pub share_of_surface: f64,
    /// Number of facets that have a sagitta.
    pub facets: usize,
}

/// A stretch of a sharp edge at which two faces look towards each other, such as an inner edge of a pocket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HollowEdge {
    /// Its ends (m).
    pub ends: [Vec3; 2],
    /// The angle between the faces' normals (rad).
    pub angle: f64,
}

impl HollowEdge {
    /// The lattice error (2) of a field of this voxel (m).
    pub fn allowance(&self, voxel: f64) -> f64 {
        (0.5 * libm::sin(0.5 * self.angle) * voxel).min(f64::from(Allowance::MAX_VALUE))
    }

    /// How far from the edge, along its faces, a field of this voxel has the error (3) (m).
    pub fn reach(&self, voxel: f64) -> f64 {
        let voxels = KINK_REACH / libm::cos(0.5 * self.angle).max(f64::MIN_POSITIVE);
        voxels.min(MOST_REACH) * voxel
    }
}

/// The faceting error of every face of a mended mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Faceting {
    /// The error of every face, in the order of the mended mesh.
    pub faces: Vec<FaceError>,
    /// Sharp edges at which the faces look towards each other.
    pub hollow_edges: Vec<HollowEdge>,
    /// The error in a few numbers.
    pub summary: FacetingSummary,
    patches: Patches,
}

impl Faceting {
    /// The depth that contacts with every face are allowed (m), with a field of this voxel.
    pub fn face_allowances(&self, voxel: f64) -> Vec<f64> {
        self.patches.allowances(voxel)
    }
}

/// Measures the faceting error of a mended mesh; open sheets have none. The same on any number of threads.
pub fn measure(mended: &Mended) -> Faceting {
    let links = link::find(mended);
    let facets = Facets::new(&mended.mesh, &mended.sheet, &links, tolerance(&mended.mesh)).paired(&mended.mesh, &links);
    let creases = facets.creases(&links);
    let errors = sagitta::measure(&facets, &creases);
    let faces: Vec<FaceError> =
        facets.of.iter().map(|&f| errors.get(f as usize).copied().unwrap_or_default()).collect();
    let area = |f: usize| {
        let [a, b, c] = mended.mesh.triangle(f);
        0.5 * (b - a).cross(&(c - a)).norm()
    };
    let (mut whole, mut faceted) = (0.0, 0.0);
    for f in (0..faces.len()).filter(|&f| !mended.sheet[f]) {
        whole += area(f);
        faceted += if faces[f].sagitta > 0.0 { area(f) } else { 0.0 };
    }
    let summary = FacetingSummary {
        largest_sagitta_m: errors.iter().fold(0.0, |most, e| e.sagitta.max(most)),
        share_of_surface: if whole > 0.0 { faceted / whole } else { 0.0 },
        facets: errors.iter().filter(|e| e.sagitta > 0.0).count(),
    };
    Faceting {
        faces,
        hollow_edges: facets.hollow_edges(&links),
        summary,
        patches: Patches::new(&facets, &links, errors),
    }
}
