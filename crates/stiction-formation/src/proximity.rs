//! Pairs of features that are near each other, each with the direction that separates them.
//!
//! A pair counts if its distance is a local minimum: no neighbour of one feature leads towards the other (sections 8.1 and 8.2 of the notes: topological applicability). That is asked
//! with `LOOSE` tolerance, since the pairs serve a step in which the part may turn; `candidates` asks again, exactly. Besides the pairs of features that make point contacts
//! (vertex and face, face and vertex, two edges that cross) there are the degenerate ones (vertex and edge, two vertices), which are no principal contacts but keep parts apart.

use crate::placed::{Placed, Solids, moved};
use crate::polyhedron::Polyhedron;
use crate::tree::BoxFrame;
use stiction::spatial::{Pose, Vec3};

/// Sine of the angle by which a neighbour may lead towards the other feature.
const LOOSE: f64 = 0.15;
/// Sine of the angle below which two edges count as parallel.
const PARALLEL: f64 = 1e-3;
/// Most pairs that are kept; a tick with more of them is flagged as coarse.
pub const MOST_PAIRS: usize = 1024;

/// Which features are near each other, that of A first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PairKind {
    /// A vertex of A and a face of B.
    VertexFace,
    /// A face of A and a vertex of B.
    FaceVertex,
    /// Two edges that cross.
    EdgeEdge,
    /// A vertex of A and an edge of B.
    VertexEdge,
    /// An edge of A and a vertex of B.
    EdgeVertex,
    /// Two vertices.
    VertexVertex,
}

/// Two features that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPair {
    /// What they are.
    pub kind: PairKind,
    /// The number of A's feature.
    pub a: u32,
    /// The number of B's feature.
    pub b: u32,
    /// Distance (m), negative where they are in each other.
    pub gap: f64,
    /// Unit direction from B to A, in B's frame.
    pub normal: Vec3,
    /// Where they touch, or nearly so: the point of A's feature, in B's frame (m).
    pub point: Vec3,
}

/// Most pairs of features whose boxes are near each other; a tick with more of them is flagged as coarse.
const MOST_NEAR: usize = 1 << 15;
/// How far the boxes of features are looked for, in units of how far is asked: what is found then serves until the part has moved by the rest.
const BEYOND: f64 = 1.7;

/// Pairs of features whose boxes are near each other. They are found at one pose and serve at all poses so near that no other pair can have come within what is asked for.
#[derive(Clone, Debug)]
pub struct NearFeatures {
    pairs: Vec<(PairKind, u32, u32)>,
    /// Where they were found (B from A), with A's centre.
    at: Pose,
    centre: Vec3,
    /// All pairs with boxes at most so far (m) from each other are among them; negative before the first search.
    within: f64,
    /// Whether all fitted.
    whole: bool,
}

impl Default for NearFeatures {
    fn default() -> Self {
        let pairs = Vec::with_capacity(MOST_NEAR);
        NearFeatures { pairs, at: Pose::identity(), centre: Vec3::zeros(), within: -1.0, whole: true }
    }
}

impl NearFeatures {
    /// Finds the pairs that are at most `margin` apart and at most `depth` in each other. Returns false if there were more than fit. The answer depends on the pose alone, not on the poses before.
    pub fn find(&mut self, solids: &Solids, placed: &Placed, margin: f64, depth: f64, out: &mut Vec<NearPair>) -> bool {
        let reach = margin.max(depth);
        if !(self.moved(solids, placed) + reach <= self.within) {
            self.search(solids, placed, BEYOND * reach);
        }
        out.clear();
        for &(kind, a, b) in &self.pairs {
            let pair = match kind {
                PairKind::VertexFace => vertex_face(solids, placed, a, b, [margin, depth]),
                PairKind::FaceVertex => face_vertex(solids, placed, a, b, [margin, depth]),
                PairKind::EdgeEdge => edge_edge(solids, placed, a, b, [margin, depth]),
                PairKind::VertexEdge => vertex_edge(solids, placed, a, b, margin),
                _ => edge_vertex(solids, placed, a, b, margin),
            };
            if let Some(pair) = pair {
                if out.len() >= MOST_PAIRS.min(out.capacity()) {
                    return false;
                }
                out.push(pair);
            }
        }
        self.whole
    }

    /// How far any point of A can have moved since the search (m): that of the centre, and a chord about it.
    fn moved(&self, solids: &Solids, placed: &Placed) -> f64 {
        let half_sine = (placed.pose.rotation * self.at.rotation.inverse()).imag().norm();
        (placed.centre - self.centre).norm() + 2.0 * half_sine * solids.held.radius
    }

    fn search(&mut self, solids: &Solids, placed: &Placed, within: f64) {
        (self.at, self.centre, self.within, self.whole) = (placed.pose, placed.centre, within, true);
        self.pairs.clear();
        let (held, fixed) = (&solids.held_trees, &solids.fixed_trees);
        let frame = BoxFrame::of(&placed.pose);
        let kinds = [
            (PairKind::VertexFace, &held.vertices, &fixed.faces),
            (PairKind::FaceVertex, &held.faces, &fixed.vertices),
            (PairKind::EdgeEdge, &held.edges, &fixed.edges),
            (PairKind::VertexEdge, &held.vertices, &fixed.edges),
            (PairKind::EdgeVertex, &held.edges, &fixed.vertices),
        ];
        for (kind, one, two) in kinds {
            one.near(&frame, two, within, &mut |a, b| {
                self.whole &= self.pairs.len() < MOST_NEAR;
                if self.whole {
                    self.pairs.push((kind, a, b));
                }
            });
        }
        // In the order of their numbers, not of the search, which the pose decides.
        self.pairs.sort_unstable();
    }
}

/// How far the edges of a vertex lead away from it along a direction of its part, as the least sine.
fn leads_away(solid: &Polyhedron, vertex: u32, direction: &Vec3) -> f64 {
    solid.vertices[vertex as usize].directions.iter().map(|d| d.dot(direction)).fold(1.0, f64::min)
}

fn vertex_face(solids: &Solids, placed: &Placed, v: u32, g: u32, [margin, depth]: [f64; 2]) -> Option<NearPair> {
    let face = &solids.fixed.faces[g as usize];
    let point = placed.vertices[v as usize];
    let gap = face.height(&point);
    if !(gap <= margin && gap >= -depth) {
        return None;
    }
    let slope = leads_away(&solids.held, v, &placed.axes.tr_mul(&face.normal));
    (slope >= -LOOSE && face.covers(&point, depth)).then_some(NearPair {
        kind: PairKind::VertexFace,
        a: v,
        b: g,
        gap,
        normal: face.normal,
        point,
    })
}

fn face_vertex(solids: &Solids, placed: &Placed, f: u32, v: u32, [margin, depth]: [f64; 2]) -> Option<NearPair> {
    let face = &solids.held.faces[f as usize];
    let seen = placed.seen[v as usize];
    let gap = face.height(&seen);
    if !(gap <= margin && gap >= -depth) {
        return None;
    }
    let slope = leads_away(&solids.fixed, v, &placed.turned(&face.normal));
    if !(slope >= -LOOSE && face.covers(&seen, depth)) {
        return None;
    }
    let normal = -placed.turned(&face.normal);
    let point = moved(&placed.pose, &(seen - face.normal * gap));
    Some(NearPair { kind: PairKind::FaceVertex, a: f, b: v, gap, normal, point })
}

fn edge_edge(solids: &Solids, placed: &Placed, e: u32, k: u32, [margin, depth]: [f64; 2]) -> Option<NearPair> {
    let (one, two) = (&solids.held.edges[e as usize], &solids.fixed.edges[k as usize]);
    let (p, q) = (placed.vertices[one.vertices[0] as usize], solids.fixed.point(two.vertices[0]));
    let apart = p - q;
    let (u, w) = (placed.directions[e as usize], two.direction);
    let across = u.cross(&w);
    let square = across.norm_squared();
    if square < PARALLEL * PARALLEL {
        return None;
    }
    // Closest points of two lines: p + s u, q + t w; s and t are inside if these are between zero and length times the square.
    let (along, to_u, to_w) = (u.dot(&w), apart.dot(&u), apart.dot(&w));
    let (s, t) = (along * to_w - to_u, to_w - along * to_u);
    if !(s >= 0.0 && s <= one.length * square && t >= 0.0 && t <= two.length * square) {
        return None;
    }
    let across_gap = apart.dot(&across);
    if !(across_gap * across_gap <= margin.max(depth) * margin.max(depth) * square) {
        return None;
    }
    let (s, t) = (s / square, t / square);
    let mut normal = across / square.sqrt();
    let slack = |n: &Vec3| {
        let away = one.into.iter().map(|d| placed.turned(d).dot(n)).fold(1.0, f64::min);
        two.into.iter().map(|d| -d.dot(n)).fold(away, f64::min)
    };
    let [as_is, reversed] = [slack(&normal), slack(&-normal)];
    if reversed > as_is {
        normal = -normal;
    }
    let point = p + u * s;
    let gap = (point - q - w * t).dot(&normal);
    let near = gap <= margin && gap >= -depth && as_is.max(reversed) >= -LOOSE;
    near.then_some(NearPair { kind: PairKind::EdgeEdge, a: e, b: k, gap, normal, point })
}

/// The point of a segment nearest to another, and whether it is inside (0) or one of the ends (1, 2).
fn nearest(ends: [Vec3; 2], point: &Vec3) -> (Vec3, usize) {
    let along = ends[1] - ends[0];
    match (point - ends[0]).dot(&along) / along.norm_squared() {
        t if t <= 0.0 => (ends[0], 1),
        t if t >= 1.0 => (ends[1], 2),
        t => (ends[0] + along * t, 0),
    }
}

fn vertex_edge(solids: &Solids, placed: &Placed, v: u32, k: u32, margin: f64) -> Option<NearPair> {
    let edge = &solids.fixed.edges[k as usize];
    let point = placed.vertices[v as usize];
    let (foot, end) = nearest(solids.fixed.ends(k), &point);
    let (normal, gap) = separated(&point, &foot, margin)?;
    let (kind, b, slack) = match end {
        0 => (PairKind::VertexEdge, k, edge.into.iter().map(|d| -d.dot(&normal)).fold(1.0, f64::min)),
        n => {
            let w = edge.vertices[n - 1];
            (PairKind::VertexVertex, w, leads_away(&solids.fixed, w, &-normal))
        }
    };
    let away = leads_away(&solids.held, v, &placed.axes.tr_mul(&normal));
    (slack.min(away) >= -LOOSE).then_some(NearPair { kind, a: v, b, gap, normal, point })
}

fn edge_vertex(solids: &Solids, placed: &Placed, e: u32, v: u32, margin: f64) -> Option<NearPair> {
    let edge = &solids.held.edges[e as usize];
    let target = solids.fixed.point(v);
    let (foot, end) = nearest(edge.vertices.map(|i| placed.vertices[i as usize]), &target);
    if end != 0 {
        // Two vertices: found with the edges of the other.
        return None;
    }
    let (normal, gap) = separated(&foot, &target, margin)?;
    let slack = edge.into.iter().map(|d| placed.turned(d).dot(&normal)).fold(1.0, f64::min);
    let away = leads_away(&solids.fixed, v, &-normal);
    let near = slack.min(away) >= -LOOSE;
    near.then_some(NearPair { kind: PairKind::EdgeVertex, a: e, b: v, gap, normal, point: foot })
}

/// Direction and distance from one point to another where they are apart, though not far.
fn separated(to: &Vec3, from: &Vec3, margin: f64) -> Option<(Vec3, f64)> {
    let apart = to - from;
    let gap = apart.norm();
    (gap <= margin && gap > 1e-6 * margin).then(|| (apart / gap, gap))
}
