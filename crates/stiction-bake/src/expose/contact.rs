//! Where other faces meet a face: along segments, or lying in its plane over it.
//!
//! With ε the tolerance of self-intersections (see `diagnose::intersect`), face g meets face f
//!
//! ```text
//! coincident   if all corners of one are within ε of the other's plane, and they overlap by more area than ε · longest side
//! along [p, q] if g meets the plane of f in [p, q], of which more than 8 ε is within ε of f
//! ```
//!
//! Of faces that are not coincident, no distance is taken for zero: at small angles the place where they cross would move
//! by ε / angle. An edge of g that lies in f counts as well as a true crossing: cutting f along it does no harm. Two faces with a common
//! edge meet nowhere else, unless one is folded onto the other. Needles meet nothing: they have no plane.

use crate::Mesh;
use crate::diagnose::bvh::{Bvh, around, meet};
use crate::diagnose::intersect::{Plane, both, overlap, section, tolerance};
use crate::diagnose::weld::is_needle;
use rayon::prelude::*;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;

/// Shorter segments than this many ε are no contact: so far may a segment that only leaves f in a common corner run
/// beside it within the tolerance.
const SHORTEST: f64 = 8.0;

/// A face in the same plane, over or under another.
#[derive(Clone, Copy, Debug)]
pub struct Partner {
    /// Number of the face.
    pub face: u32,
    /// Whether it looks the same way.
    pub same: bool,
}

/// Where a face is met.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// Segments in the face.
    pub segments: Vec<[Vec3; 2]>,
    /// Faces over or under it.
    pub partners: Vec<Partner>,
}

impl Contacts {
    /// Whether nothing meets the face.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty() && self.partners.is_empty()
    }
}

/// Finds contacts of faces.
pub struct Search<'a> {
    mesh: &'a Mesh,
    /// The box around every face.
    pub boxes: Vec<Aabb>,
    /// For every face whether it is a needle.
    pub needle: Vec<bool>,
    /// A tree over all faces but needles.
    pub bvh: Bvh,
    /// ε in m.
    pub epsilon: f64,
    /// The largest coordinate in m.
    pub reach: f64,
}

impl<'a> Search<'a> {
    /// Prepares a welded mesh.
    pub fn new(mesh: &'a Mesh) -> Self {
        let boxes: Vec<Aabb> = mesh.triangles().map(around).collect();
        let needle: Vec<bool> = (0..mesh.faces.len()).into_par_iter().map(|f| is_needle(mesh.triangle(f))).collect();
        let bvh = Bvh::new(&boxes, (0..mesh.faces.len() as u32).filter(|&f| !needle[f as usize]).collect());
        let reach = mesh.points.iter().fold(0.0, |m: f64, p| m.max(p.amax()));
        Search { mesh, boxes, needle, bvh, epsilon: tolerance(mesh), reach }
    }

    /// Where a face is met by others.
    pub fn of(&self, f: u32) -> Contacts {
        let mut out = Contacts::default();
        if self.needle[f as usize] {
            return out;
        }
        let plane = Plane::new(self.mesh.triangle(f as usize));
        let bounds = &self.boxes[f as usize];
        let bounds = Aabb { min: bounds.min.add_scalar(-self.epsilon), max: bounds.max.add_scalar(self.epsilon) };
        self.bvh.near(&bounds, |g| {
            if g != f && meet(&bounds, &self.boxes[g as usize]) {
                self.add(f, &plane, g, &mut out);
            }
        });
        // The order in which a tree is walked is no property of the mesh.
        out.partners.sort_unstable_by_key(|p| p.face);
        out
    }

    /// Adds where face g meets face f.
    fn add(&self, f: u32, plane: &Plane, g: u32, out: &mut Contacts) {
        let corners = self.mesh.triangle(g as usize);
        let (own, named) = (self.mesh.faces[f as usize], self.mesh.faces[g as usize]);
        let mut of_g = plane.distances(corners, 0.0);
        let shared = (0..3).filter(|&k| own.contains(&named[k])).fold(0, |n, k| {
            of_g[k] = 0.0;
            n + 1
        });
        let flat = of_g.iter().all(|d| d.abs() <= self.epsilon);
        let (above, below) = (of_g.iter().any(|&d| d > 0.0), of_g.iter().any(|&d| d < 0.0));
        let edge = (0..3).find(|&k| of_g[k] == 0.0 && of_g[(k + 1) % 3] == 0.0);
        if if flat { self.beside(plane, &corners) } else { shared >= 2 } {
            return;
        }
        let far = |d: &[f64; 3], side: f64| d.iter().all(|&d| side * d > self.epsilon);
        if far(&of_g, 1.0) || far(&of_g, -1.0) {
            return;
        }
        // Corners that only touch: where one is common to both faces, that is all there is.
        if shared == 1 && !flat && edge.is_none() && !(above && below) {
            return;
        }
        let other = Plane::new(corners);
        let of_f = other.distances(plane.corners, 0.0);
        if far(&of_f, 1.0) || far(&of_f, -1.0) {
            return;
        }
        let mut push = |p: Vec3, q: Vec3| {
            let long = |(s, t): (f64, f64)| (t - s) * (q - p).norm() > SHORTEST * self.epsilon;
            if let Some((s, t)) = plane.clip(p, q, self.epsilon).filter(|&st| long(st)) {
                out.segments.push([p + s * (q - p), p + t * (q - p)]);
            }
        };
        if flat || of_f.iter().all(|d| d.abs() <= self.epsilon) {
            if overlap(plane, &other).1 > self.epsilon * plane.longest.max(other.longest) {
                (0..3).for_each(|k| push(corners[k], corners[(k + 1) % 3]));
                out.partners.push(Partner { face: g, same: plane.normal.dot(&other.normal) > 0.0 });
            }
        } else if both(of_g) {
            let [p, q] = section(corners, of_g);
            push(p, q);
        } else if let Some(k) = edge {
            push(corners[k], corners[(k + 1) % 3]);
        }
    }

    /// Whether a side of the face has all these points of its plane behind it.
    fn beside(&self, plane: &Plane, points: &[Vec3; 3]) -> bool {
        (0..3).any(|k| points.iter().all(|p| plane.inward[k].dot(&(p - plane.corners[k])) <= self.epsilon))
    }
}
