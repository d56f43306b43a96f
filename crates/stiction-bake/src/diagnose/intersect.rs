//! Self-intersections: pairs of faces that cross, and pairs in one plane that lie over each other.
//!
//! Distances of the corners of one face from the plane of the other count as zero up to
//!
//! ```text
//! ε = 4 · 2^-24 · max |coordinate|
//! ```
//!
//! the spacing of single precision, in which most meshes were once stored: what only touches does not cross. Faces
//! A, B cross if each has corners on both sides of the other's plane, and the segment in which A meets the plane of B
//! runs for more than ε within B. Faces that share a corner need no care: the segment then starts at it. Faces that
//! share an edge never cross. Where an edge of A lies in the plane of B and inside B, the faces on either side of the
//! edge go through B together: the one behind B is counted. Faces lie over each other if all corners are in both
//! planes and their overlap, clipped (Sutherland and Hodgman 1974), has more area than ε times their longest side.
//!
//! Left out: surfaces that cross exactly along an edge of each, unwelded.

use super::DiagnoseOptions;
use super::bvh::{Bvh, around};
use super::edges::Edges;
use super::weld::is_needle;
use crate::Mesh;
use crate::progress::{Cancelled, Progress};
use rayon::prelude::*;
use serde::Serialize;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;

/// Faces between two looks at the effort.
const BATCH: usize = 512;

/// What a search for self-intersections found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Intersections {
    /// Whether all pairs that could meet were tested.
    pub complete: bool,
    /// Pairs whose boxes meet and that were tested.
    pub tested_pairs: u64,
    /// Pairs of faces that cross.
    pub crossing_pairs: u64,
    /// Pairs of faces in one plane that lie over each other.
    pub overlapping_pairs: u64,
    /// A place where faces cross or lie over each other, in m.
    pub example_m: Option<[f64; 3]>,
}

/// How two faces meet.
enum Meeting {
    Cross(Vec3),
    Overlap(Vec3),
}

/// A face with its plane.
pub(crate) struct Plane {
    /// Its corners.
    pub corners: [Vec3; 3],
    /// Its unit normal.
    pub normal: Vec3,
    /// For every side, the normal within the plane that points inwards.
    pub inward: [Vec3; 3],
    /// Length of its longest side.
    pub longest: f64,
}

impl Plane {
    /// The plane of a face that is no needle.
    pub fn new(corners: [Vec3; 3]) -> Self {
        let [a, b, c] = corners;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let normal = (b - a).cross(&(c - a)).normalize();
        let inward = [b - a, c - b, a - c].map(|side| normal.cross(&side).normalize());
        Plane { corners, normal, inward, longest }
    }

    /// Signed distances of points from the plane; up to ε they are zero.
    pub fn distances(&self, points: [Vec3; 3], epsilon: f64) -> [f64; 3] {
        points.map(|p| {
            let d = self.normal.dot(&(p - self.corners[0]));
            if d.abs() <= epsilon { 0.0 } else { d }
        })
    }

    /// The part of a segment in the plane that is within the face or up to `slack` beside it, as parameters from zero to
    /// one.
    pub fn clip(&self, from: Vec3, to: Vec3, slack: f64) -> Option<(f64, f64)> {
        let (mut first, mut last) = (0.0f64, 1.0f64);
        for k in 0..3 {
            let inward = self.inward[k];
            let [a, b] = [from, to].map(|p| inward.dot(&(p - self.corners[k])) + slack);
            if a < 0.0 && b < 0.0 {
                return None;
            }
            if a < 0.0 {
                first = first.max(a / (a - b));
            } else if b < 0.0 {
                last = last.min(a / (a - b));
            }
        }
        (first < last).then_some((first, last))
    }

    /// How deep a point of the plane is within the face.
    pub fn depth(&self, point: Vec3) -> f64 {
        (0..3).map(|k| self.inward[k].dot(&(point - self.corners[k]))).fold(f64::INFINITY, f64::min)
    }
}

/// The segment in which a face meets a plane, from the distances of its corners, of which some are above and some
/// below zero.
pub(crate) fn section(corners: [Vec3; 3], d: [f64; 3]) -> [Vec3; 2] {
    let mut ends = [Vec3::zeros(); 2];
    let mut found = 0;
    for k in 0..3 {
        let j = (k + 1) % 3;
        if d[k] == 0.0 {
            ends[found] = corners[k];
            found += 1;
        } else if d[k] * d[j] < 0.0 {
            ends[found] = corners[k] + d[k] / (d[k] - d[j]) * (corners[j] - corners[k]);
            found += 1;
        }
    }
    ends
}

/// Whether some are above and some below zero.
pub(crate) fn both(d: [f64; 3]) -> bool {
    d.iter().any(|&x| x > 0.0) && d.iter().any(|&x| x < 0.0)
}

/// The overlap of two faces in one plane: its middle and area.
pub(crate) fn overlap(a: &Plane, b: &Plane) -> (Vec3, f64) {
    let mut polygon: Vec<Vec3> = a.corners.to_vec();
    for k in 0..3 {
        let inward = b.inward[k];
        let depth = |p: &Vec3| inward.dot(&(p - b.corners[k]));
        let mut next = Vec::with_capacity(polygon.len() + 1);
        for i in 0..polygon.len() {
            let (p, q) = (polygon[i], polygon[(i + 1) % polygon.len()]);
            let (u, v) = (depth(&p), depth(&q));
            if u >= 0.0 {
                next.push(p);
            }
            if (u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0) {
                next.push(p + u / (u - v) * (q - p));
            }
        }
        polygon = next;
    }
    let Some(&first) = polygon.first() else { return (Vec3::zeros(), 0.0) };
    let twice: Vec3 = polygon.windows(2).map(|w| (w[0] - first).cross(&(w[1] - first))).sum();
    (polygon.iter().sum::<Vec3>() / polygon.len() as f64, 0.5 * twice.norm())
}

/// Tests pairs of faces.
struct Test<'a> {
    mesh: &'a Mesh,
    edges: &'a Edges,
    /// For every face, in the order of the mesh; needles have none.
    planes: Vec<Option<Plane>>,
    epsilon: f64,
}

impl Test<'_> {
    /// How two faces meet.
    fn meeting(&self, f: u32, g: u32) -> Option<Meeting> {
        let (Some(a), Some(b)) = (&self.planes[f as usize], &self.planes[g as usize]) else { return None };
        let of_a = b.distances(a.corners, self.epsilon);
        let apart = |d: &[f64; 3]| d.iter().all(|&x| x > 0.0) || d.iter().all(|&x| x < 0.0);
        if apart(&of_a) {
            return None;
        }
        let of_b = a.distances(b.corners, self.epsilon);
        if apart(&of_b) {
            return None;
        }
        if of_a == [0.0; 3] && of_b == [0.0; 3] {
            let (middle, area) = overlap(a, b);
            return (area > self.epsilon * a.longest.max(b.longest)).then_some(Meeting::Overlap(middle));
        }
        if both(of_a) && both(of_b) {
            let [p, q] = section(a.corners, of_a);
            let (s, t) = b.clip(p, q, 0.0)?;
            let long = (t - s) * (q - p).norm() > self.epsilon;
            return long.then(|| Meeting::Cross(p + 0.5 * (s + t) * (q - p)));
        }
        self.through_edge(f, a, of_a, b).or_else(|| self.through_edge(g, b, of_b, a)).map(Meeting::Cross)
    }

    /// Whether a face behind another ends at it in an edge from which the surface goes on in front.
    fn through_edge(&self, face: u32, a: &Plane, of_a: [f64; 3], b: &Plane) -> Option<Vec3> {
        let apex = (0..3).find(|&k| of_a[k] < 0.0 && of_a[(k + 1) % 3] == 0.0 && of_a[(k + 2) % 3] == 0.0)?;
        let (p, q) = (a.corners[(apex + 1) % 3], a.corners[(apex + 2) % 3]);
        let (s, t) = b.clip(p, q, 0.0)?;
        let middle = p + 0.5 * (s + t) * (q - p);
        if (t - s) * (q - p).norm() <= self.epsilon || b.depth(middle) <= self.epsilon {
            return None;
        }
        let own = self.mesh.faces[face as usize];
        let edge = self.edges.of_face(&own).into_iter().find(|&e| {
            let u = self.edges.group(e)[0];
            let ends = [self.mesh.points[u.lo as usize], self.mesh.points[u.hi as usize]];
            ends == [p, q] || ends == [q, p]
        })?;
        let goes_on = self.edges.group(edge).iter().any(|u| {
            let d = b.distances(self.mesh.triangle(u.face as usize), self.epsilon);
            u.face != face && d.iter().any(|&x| x > 0.0)
        });
        goes_on.then_some(middle)
    }
}

/// ε: up to this distance, in m, a point is in a plane.
pub(crate) fn tolerance(mesh: &Mesh) -> f64 {
    let reach = mesh.points.iter().fold(0.0, |m: f64, p| m.max(p.amax()));
    4.0 * 0.5f64.powi(24) * reach
}

/// Searches for self-intersections of welded faces, at most so many pairs as the options say.
pub(super) fn find(
    mesh: &Mesh,
    edges: &Edges,
    flip: &[bool],
    options: &DiagnoseOptions,
    progress: &dyn Progress,
) -> Result<Intersections, Cancelled> {
    let boxes: Vec<Aabb> = mesh.triangles().map(around).collect();
    let plane = |f: usize| {
        let [a, b, c] = mesh.triangle(f);
        (!is_needle([a, b, c])).then(|| Plane::new(if flip[f] { [a, c, b] } else { [a, b, c] }))
    };
    let planes: Vec<Option<Plane>> = (0..mesh.faces.len()).into_par_iter().map(plane).collect();
    let faces: Vec<u32> = (0u32..).zip(&planes).filter(|(_, p)| p.is_some()).map(|(f, _)| f).collect();
    let bvh = Bvh::new(&boxes, faces.clone());
    let test = Test { mesh, edges, planes, epsilon: tolerance(mesh) };
    progress.stage("self-intersections", faces.len() as u64);
    let mut out = Intersections { complete: true, ..Default::default() };
    for batch in faces.chunks(BATCH) {
        if progress.cancelled() {
            return Err(Cancelled);
        }
        if out.tested_pairs >= options.pairs {
            out.complete = false;
            break;
        }
        let found: Vec<(u64, Vec<Meeting>)> = batch
            .par_iter()
            .map(|&f| {
                let (mut tested, mut meetings) = (0, Vec::new());
                bvh.near(&boxes[f as usize], |g| {
                    if g > f && super::bvh::meet(&boxes[f as usize], &boxes[g as usize]) {
                        tested += 1;
                        meetings.extend(test.meeting(f, g));
                    }
                });
                (tested, meetings)
            })
            .collect();
        for (tested, meetings) in found {
            out.tested_pairs += tested;
            for meeting in meetings {
                let at = match meeting {
                    Meeting::Cross(at) => {
                        out.crossing_pairs += 1;
                        at
                    }
                    Meeting::Overlap(at) => {
                        out.overlapping_pairs += 1;
                        at
                    }
                };
                out.example_m.get_or_insert(at.into());
            }
        }
        progress.advance(batch.len() as u64);
    }
    Ok(out)
}
