//! Principal contacts that may exist at a pose, each judged by itself (sections 2 and 4.1 of the paper; predicates of section 8.2 of the notes).
//!
//! Point contacts come from near pairs of features; the degenerate ones (a vertex at an edge or at a vertex) count as a contact with the neighbouring face whose normal is nearest. Every point
//! contact is evidence for line and plane contacts of the elements that it is on the border of; those are contacts if they are within the tolerance over the whole of their region. Nothing
//! is left out here because something larger covers it: `identify` chooses.

use crate::contact::{ContactKind, Element, PrincipalContact, Touch};
use crate::placed::{Placed, Solids, moved};
use crate::proximity::{NearPair, PairKind};
use crate::region::{RegionMoments, overlap, segment_over};
use stiction::spatial::Vec3;

/// Most candidates.
pub const MOST_CANDIDATES: usize = 1024;
/// Cosine below which the normals of faces that touch are opposed.
const OPPOSED: f64 = -0.98;
/// Sine of the angle up to which an edge may be parallel to a face that it touches.
const ALONG: f64 = 0.2;
/// Sine of the angle by which the faces at an edge may lead into the face that the edge touches.
const INTO: f64 = 0.05;

/// Slots of the table of contacts that were looked at; at most half of them are used.
const SLOTS: usize = 4096;

/// Principal contacts that may exist at a pose, and the memory to find them.
#[derive(Clone, Debug)]
pub struct Candidates {
    touches: Vec<Touch>,
    /// Contacts that were looked at, by a number that is never zero, where their hash says or in the next free slot; and for those that are candidates, their place among them from 1 on.
    seen: Vec<(u64, u16)>,
    used: Vec<u16>,
    /// Whether all candidates fitted.
    whole: bool,
}

impl Default for Candidates {
    fn default() -> Self {
        Candidates {
            touches: Vec::with_capacity(MOST_CANDIDATES),
            seen: vec![(0, 0); SLOTS],
            used: Vec::with_capacity(SLOTS),
            whole: true,
        }
    }
}

impl Candidates {
    /// The candidates of the last search.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Finds the candidates that are within a tolerance (m), given the near pairs of features. Returns false if there were more than fit. Allocates nothing.
    pub fn find(&mut self, solids: &Solids, placed: &Placed, pairs: &[NearPair], tolerance: f64) -> bool {
        self.touches.clear();
        self.used.drain(..).for_each(|slot| self.seen[usize::from(slot)] = (0, 0));
        self.whole = true;
        pairs
            .iter()
            .filter(|p| p.gap <= tolerance && p.gap >= -tolerance)
            .for_each(|p| point_contact(solids, placed, p, tolerance, self));
        let points = self.touches.len();
        for i in 0..points {
            let [a, b] = self.touches[i].contact.elements();
            for f in a.faces(&solids.held) {
                for g in b.faces(&solids.fixed) {
                    if self.is_new(ContactKind::FaceFace, *f, *g) {
                        face_face(solids, placed, *f, *g, tolerance, self);
                    }
                }
                for k in b.edges(&solids.fixed) {
                    if self.is_new(ContactKind::FaceEdge, *f, *k) {
                        face_edge(solids, placed, *f, *k, tolerance, self);
                    }
                }
            }
            for e in a.edges(&solids.held) {
                for g in b.faces(&solids.fixed) {
                    if self.is_new(ContactKind::EdgeFace, *e, *g) {
                        edge_face(solids, placed, *e, *g, tolerance, self);
                    }
                }
            }
        }
        self.whole
    }

    /// The number of a contact, and its slot: where it is, or where it would be.
    fn slot(&self, contact: &PrincipalContact) -> (u64, usize) {
        let number = (contact.kind as u64 + 1) << 48 | u64::from(contact.a) << 24 | u64::from(contact.b);
        // Fibonacci hashing: the upper bits of a product with 2⁶⁴ / φ.
        let mut slot = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize % SLOTS;
        while self.seen[slot].0 != 0 && self.seen[slot].0 != number {
            slot = (slot + 1) % SLOTS;
        }
        (number, slot)
    }

    /// Whether a contact was not looked at before in this search; from now on it was.
    fn is_new(&mut self, kind: ContactKind, a: u32, b: u32) -> bool {
        let (number, slot) = self.slot(&PrincipalContact { kind, a, b });
        if self.seen[slot].0 == number {
            return false;
        }
        self.whole &= self.used.len() < SLOTS / 2;
        if self.whole {
            self.seen[slot] = (number, 0);
            self.used.push(slot as u16);
        }
        self.whole
    }

    fn put(&mut self, touch: Touch) {
        self.whole &= self.touches.len() < MOST_CANDIDATES.min(self.touches.capacity());
        if self.whole {
            self.touches.push(touch);
            let (number, slot) = self.slot(&touch.contact);
            self.seen[slot] = (number, self.touches.len() as u16);
        }
    }

    /// The number of a contact among the candidates, if it is one.
    fn place(&self, contact: &PrincipalContact) -> Option<usize> {
        usize::from(self.seen[self.slot(contact).1].1).checked_sub(1)
    }

    /// Whether something is true of one of the candidates, told by their numbers, of which a contact is part, plane contacts first; ends with the first.
    pub fn any_larger(&self, solids: &Solids, contact: &PrincipalContact, mut test: impl FnMut(usize) -> bool) -> bool {
        let [a, b] = contact.elements();
        let (faces, edges) = (a.faces(&solids.held), a.edges(&solids.held));
        let (faces_b, edges_b) = (b.faces(&solids.fixed), b.edges(&solids.fixed));
        let mut any = |kind, of_held: &[u32], of_fixed: &[u32]| {
            let all =
                of_held.iter().flat_map(|a| of_fixed.iter().map(move |b| PrincipalContact { kind, a: *a, b: *b }));
            all.filter(|larger| larger != contact).filter_map(|larger| self.place(&larger)).any(&mut test)
        };
        any(ContactKind::FaceFace, faces, faces_b)
            || any(ContactKind::EdgeFace, edges, faces_b)
            || any(ContactKind::FaceEdge, faces, edges_b)
    }
}

fn point_contact(solids: &Solids, placed: &Placed, pair: &NearPair, tolerance: f64, out: &mut Candidates) {
    let NearPair { kind, a, b, normal, .. } = *pair;
    match kind {
        PairKind::EdgeEdge => {
            if out.is_new(ContactKind::EdgeEdge, a, b) {
                out.put(point(ContactKind::EdgeEdge, a, b, normal, pair.point, pair.gap));
            }
        }
        PairKind::VertexFace => vertex_face(solids, placed, a, b, tolerance, out),
        PairKind::FaceVertex => face_vertex(solids, placed, a, b, tolerance, out),
        PairKind::VertexEdge => vertex_by(solids, placed, a, Element::Edge(b), &normal, tolerance, out),
        PairKind::EdgeVertex => by_vertex(solids, placed, Element::Edge(a), b, &normal, tolerance, out),
        PairKind::VertexVertex => {
            let before = out.touches.len();
            vertex_by(solids, placed, a, Element::Vertex(b), &normal, tolerance, out);
            if out.touches.len() == before {
                by_vertex(solids, placed, Element::Vertex(a), b, &normal, tolerance, out);
            }
        }
    }
}

/// A vertex of A at the border of faces of B counts as on the face whose normal is nearest to the separating direction.
fn vertex_by(
    solids: &Solids,
    placed: &Placed,
    v: u32,
    at: Element,
    normal: &Vec3,
    tolerance: f64,
    out: &mut Candidates,
) {
    let along = |g: &&u32| solids.fixed.faces[**g as usize].normal.dot(normal);
    let best = at.faces(&solids.fixed).iter().max_by(|g, h| along(g).total_cmp(&along(h)));
    best.into_iter().for_each(|g| vertex_face(solids, placed, v, *g, tolerance, out));
}

/// The same for a vertex of B.
fn by_vertex(
    solids: &Solids,
    placed: &Placed,
    at: Element,
    v: u32,
    normal: &Vec3,
    tolerance: f64,
    out: &mut Candidates,
) {
    let along = |f: &&u32| -placed.turned(&solids.held.faces[**f as usize].normal).dot(normal);
    let best = at.faces(&solids.held).iter().max_by(|f, g| along(f).total_cmp(&along(g)));
    best.into_iter().for_each(|f| face_vertex(solids, placed, *f, v, tolerance, out));
}

fn point(kind: ContactKind, a: u32, b: u32, normal: Vec3, point: Vec3, gap: f64) -> Touch {
    let contact = PrincipalContact { kind, a, b };
    Touch { contact, normal, point, gap, span: [point; 3], gaps: [gap; 3], points: 1, measure: 0.0 }
}

fn vertex_face(solids: &Solids, placed: &Placed, v: u32, g: u32, tolerance: f64, out: &mut Candidates) {
    let face = &solids.fixed.faces[g as usize];
    let at = placed.vertices[v as usize];
    let gap = face.height(&at);
    let neighbours = &solids.held.vertices[v as usize].neighbours;
    // Where an edge of the vertex leads below the face, the contact is another one.
    let rests = neighbours.iter().all(|n| face.normal.dot(&(placed.vertices[*n as usize] - at)) >= -2.0 * tolerance);
    if gap.abs() <= tolerance && rests && out.is_new(ContactKind::VertexFace, v, g) {
        out.put(point(ContactKind::VertexFace, v, g, face.normal, at, gap));
    }
}

fn face_vertex(solids: &Solids, placed: &Placed, f: u32, v: u32, tolerance: f64, out: &mut Candidates) {
    let face = &solids.held.faces[f as usize];
    let seen = placed.seen[v as usize];
    let gap = face.height(&seen);
    let neighbours = &solids.fixed.vertices[v as usize].neighbours;
    let rests = neighbours.iter().all(|n| face.normal.dot(&(placed.seen[*n as usize] - seen)) >= -2.0 * tolerance);
    if gap.abs() <= tolerance && rests && out.is_new(ContactKind::FaceVertex, f, v) {
        let at = moved(&placed.pose, &(seen - face.normal * gap));
        out.put(point(ContactKind::FaceVertex, f, v, -placed.turned(&face.normal), at, gap));
    }
}

/// A line contact from the parts of a segment that lie over a face.
fn line(
    kind: ContactKind,
    [a, b]: [u32; 2],
    normal: Vec3,
    spots: [(Vec3, f64); 3],
    length: f64,
    tolerance: f64,
) -> Option<Touch> {
    let [(first, g0), (last, g1), (middle, gap)] = spots;
    let within = [g0, g1].iter().all(|g| g.abs() <= tolerance) && length > 2.0 * tolerance;
    let contact = PrincipalContact { kind, a, b };
    let touch = Touch {
        contact,
        normal,
        point: middle,
        gap,
        span: [first, last, middle],
        gaps: [g0, g1, gap],
        points: 2,
        measure: length,
    };
    within.then_some(touch)
}

fn edge_face(solids: &Solids, placed: &Placed, e: u32, g: u32, tolerance: f64, out: &mut Candidates) {
    let (edge, face) = (&solids.held.edges[e as usize], &solids.fixed.faces[g as usize]);
    let n = face.normal;
    let leads = edge.into.iter().all(|d| placed.turned(d).dot(&n) >= -INTO);
    if !leads || placed.turned(&edge.direction).dot(&n).abs() > ALONG {
        return;
    }
    let [p, q] = edge.vertices.map(|v| placed.vertices[v as usize]);
    let Some(over) = segment_over(face, [p, q], 0.0) else { return };
    let spot = |t: f64| {
        let at = p + (q - p) * t;
        (at, face.height(&at))
    };
    let spots = [over.ends[0], over.ends[1], over.middle].map(spot);
    let length = over.covered * edge.length;
    line(ContactKind::EdgeFace, [e, g], n, spots, length, tolerance).into_iter().for_each(|t| out.put(t));
}

fn face_edge(solids: &Solids, placed: &Placed, f: u32, k: u32, tolerance: f64, out: &mut Candidates) {
    let (face, edge) = (&solids.held.faces[f as usize], &solids.fixed.edges[k as usize]);
    let normal = -placed.turned(&face.normal);
    let leads = edge.into.iter().all(|d| -d.dot(&normal) >= -INTO);
    if !leads || edge.direction.dot(&normal).abs() > ALONG {
        return;
    }
    let [p, q] = edge.vertices.map(|v| placed.seen[v as usize]);
    let Some(over) = segment_over(face, [p, q], 0.0) else { return };
    let spot = |t: f64| {
        let seen = p + (q - p) * t;
        let gap = face.height(&seen);
        (moved(&placed.pose, &(seen - face.normal * gap)), gap)
    };
    let spots = [over.ends[0], over.ends[1], over.middle].map(spot);
    let length = over.covered * edge.length;
    line(ContactKind::FaceEdge, [f, k], normal, spots, length, tolerance).into_iter().for_each(|t| out.put(t));
}

fn face_face(solids: &Solids, placed: &Placed, f: u32, g: u32, tolerance: f64, out: &mut Candidates) {
    let (above, below) = (&solids.held.faces[f as usize], &solids.fixed.faces[g as usize]);
    let turned = placed.turned(&above.normal);
    let facing = turned.dot(&below.normal);
    if facing > OPPOSED {
        return;
    }
    // Height of A's plane over a point of B's, along B's normal.
    let on_plane = moved(&placed.pose, &(above.normal * above.offset));
    let gap = |p: &Vec3| (on_plane - p).dot(&turned) / facing;
    let origin = placed.centre;
    let (mut moments, mut widest) = (RegionMoments::default(), 0.0);
    overlap(solids, placed, f, g, &mut |polygon| {
        moments.add(polygon.corners(), &origin);
        widest = polygon.corners().iter().map(|p| gap(p).abs()).fold(widest, f64::max);
    });
    if !(moments.area > 4.0 * tolerance * tolerance) || widest > tolerance {
        return;
    }
    let centre = origin + moments.centroid();
    let centre = centre - below.normal * below.height(&centre);
    // Three points at the region's radii of gyration: enough to fix the plane.
    let spread = moments.spread();
    let x = below.normal.cross(&if below.normal.x.abs() < 0.8 { Vec3::x() } else { Vec3::y() }).normalize();
    let arms = [x, below.normal.cross(&x)].map(|d| d * (d.dot(&(spread * d))).max(0.0).sqrt());
    if arms.iter().any(|arm| arm.norm() < tolerance) {
        return;
    }
    let span = [centre + arms[0], centre - arms[0] * 0.5 + arms[1], centre - arms[0] * 0.5 - arms[1]];
    let contact = PrincipalContact { kind: ContactKind::FaceFace, a: f, b: g };
    let gaps = span.map(|p| gap(&p));
    let (normal, gap) = (below.normal, gap(&centre));
    out.put(Touch { contact, normal, point: centre, gap, span, gaps, points: 3, measure: moments.area });
}
