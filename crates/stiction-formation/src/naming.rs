//! Names for contacts of engines that know points only: which face, edge or vertex of each part the points are on. For reports and displays: it allocates.
//!
//! Points with a common normal that lie at the same face of either part are one contact. Its element of a part is the smallest that all its points are near to, within the spacing of points: a vertex,
//! an edge, or the face. Pairs of elements that are no principal contact (section 2 of the paper), such as a vertex at an edge, are read as the nearest that is one: the element whose part has a
//! face along the contact's normal is raised to that face. What is named this way is read off points, and is as fine as they are; the engine of this crate identifies formations exactly.

use crate::contact::{ContactKind, Element, PrincipalContact};
use crate::friction::FrictionRule;
use crate::polyhedron::Polyhedron;
use crate::words::contact_words;
use std::sync::Arc;
use stiction::spatial::{Pose, Vec3};

/// Cosine of the angle up to which a face counts as lying along a contact's normal.
const ALONG: f64 = 0.9;
/// Sine of the angle up to which two edges count as parallel.
const PARALLEL: f64 = 0.1;
/// Most faces of a polyhedron whose contacts are named: names of more say nothing to a reader, and take time.
pub const MOST_NAMED_FACES: usize = 300;

/// A contact at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointContact {
    /// Where it is (m, world).
    pub position: Vec3,
    /// Unit direction of the normal force on the held part (world).
    pub normal: Vec3,
    /// Whether it slides.
    pub sliding: bool,
}

/// Contacts at points that have one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedContact {
    /// The elements that touch.
    pub contact: PrincipalContact,
    /// Number of points.
    pub points: usize,
    /// Number of those that slide.
    pub sliding: usize,
}

impl NamedContact {
    /// In words: "face 3 of the part on face 12, 64 points, sticking"; without friction, points neither stick nor slide.
    pub fn words(&self, frictionless: bool) -> String {
        let points = if self.points == 1 { "1 point".into() } else { format!("{} points", self.points) };
        let how = match self.sliding {
            _ if frictionless => String::new(),
            0 => ", sticking".into(),
            n if n == self.points => ", sliding".into(),
            n => format!(", {n} of them sliding"),
        };
        format!("{}, {points}{how}", contact_words(&self.contact))
    }

    /// Whether the contact sticks or slides, as a [`FormationTimeline`](crate::timeline::FormationTimeline) takes it: it slides where most of its points do.
    pub fn rule(&self) -> FrictionRule {
        if 2 * self.sliding > self.points { FrictionRule::Dynamic } else { FrictionRule::Static }
    }
}

/// Names contacts at points by the elements of two polyhedra.
#[derive(Clone, Debug)]
pub struct ContactNamer {
    held: Arc<Polyhedron>,
    fixed: Arc<Polyhedron>,
    world_from_fixed: Pose,
    /// Points nearer than this to an element are at it (m).
    near: f64,
}

/// What a point is at: a face of the held and of the fixed part that lie along its normal.
type Faces = [Option<u32>; 2];

impl ContactNamer {
    /// For two polyhedra and points at this distance from each other or from the surfaces (m); `None` for polyhedra with too many faces.
    pub fn new([held, fixed]: [Arc<Polyhedron>; 2], world_from_fixed: Pose, near: f64) -> Option<ContactNamer> {
        let few = held.faces.len().max(fixed.faces.len()) <= MOST_NAMED_FACES;
        few.then_some(ContactNamer { held, fixed, world_from_fixed, near })
    }

    /// The names of contacts while the held part is at a pose (world from part), those of most points first. Points that are at no element, as by an error of the field, are left out.
    pub fn names(&self, world_from_held: &Pose, contacts: impl Iterator<Item = PointContact>) -> Vec<NamedContact> {
        let mut groups: Vec<(Faces, Vec3, Vec<[Vec3; 2]>, usize)> = Vec::new();
        for c in contacts {
            let at = [world_from_held, &self.world_from_fixed].map(|pose| {
                let local = pose.inverse_transform_point(&c.position.into()).coords;
                (local, pose.rotation.inverse() * c.normal)
            });
            let faces = [self.face(&self.held, &at[0].0, &-at[0].1), self.face(&self.fixed, &at[1].0, &at[1].1)];
            let points = at.map(|(point, _)| point);
            let same = |(other, normal, ..): &&mut (Faces, Vec3, Vec<[Vec3; 2]>, usize)| {
                *other == faces && (faces != [None; 2] || normal.dot(&c.normal) > ALONG)
            };
            match groups.iter_mut().find(same) {
                Some((_, _, all, sliding)) => {
                    all.push(points);
                    *sliding += usize::from(c.sliding);
                }
                None => groups.push((faces, c.normal, vec![points], usize::from(c.sliding))),
            }
        }
        let mut names: Vec<NamedContact> = Vec::new();
        for (faces, normal, points, sliding) in groups {
            let Some(contact) = self.contact(faces, world_from_held, &normal, &points) else { continue };
            let named = NamedContact { contact, points: points.len(), sliding };
            match names.iter_mut().find(|n| n.contact == contact) {
                Some(n) => (n.points, n.sliding) = (n.points + named.points, n.sliding + named.sliding),
                None => names.push(named),
            }
        }
        names.sort_by(|a, b| b.points.cmp(&a.points).then(a.contact.cmp(&b.contact)));
        names
    }

    /// The nearest face at a point that lies along an outward direction.
    fn face(&self, solid: &Polyhedron, point: &Vec3, outward: &Vec3) -> Option<u32> {
        let candidates = solid.faces.iter().enumerate().filter(|(_, f)| f.normal.dot(outward) > ALONG);
        let away = candidates.map(|(i, f)| (i as u32, from_face(f, point)));
        away.filter(|(_, d)| *d <= self.near).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    }

    /// The smallest element that all points are near to; `None` if they are near to none.
    fn element(&self, solid: &Polyhedron, face: Option<u32>, points: &[Vec3]) -> Option<Element> {
        let all = |distance: &dyn Fn(&Vec3) -> f64| {
            let most = points.iter().map(distance).fold(0.0, f64::max);
            (most <= self.near).then_some(most)
        };
        let nearest = |many: Vec<(u32, f64)>| many.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i);
        let vertices = solid.vertices.iter().enumerate();
        let at = vertices.filter_map(|(i, v)| Some((i as u32, all(&|p| (p - v.position).norm())?))).collect();
        if let Some(v) = nearest(at) {
            return Some(Element::Vertex(v));
        }
        let edges = (0..solid.edges.len() as u32).filter_map(|e| Some((e, all(&|p| from_edge(solid.ends(e), p))?)));
        let edge = nearest(edges.collect());
        edge.map(Element::Edge).or(face.map(Element::Face))
    }

    /// The principal contact of a group.
    fn contact(&self, faces: Faces, held: &Pose, normal: &Vec3, points: &[[Vec3; 2]]) -> Option<PrincipalContact> {
        let [on_held, on_fixed] = [0, 1].map(|part| points.iter().map(|p| p[part]).collect::<Vec<_>>());
        let a = self.element(&self.held, faces[0], &on_held)?;
        let b = self.element(&self.fixed, faces[1], &on_fixed)?;
        let (raised_a, raised_b) = (faces[0].map(Element::Face).unwrap_or(a), faces[1].map(Element::Face).unwrap_or(b));
        // How well each part's face lies along the normal: the better one is the contact plane.
        let along = |part: usize| {
            let (solid, turn) =
                if part == 0 { (&self.held, held.rotation) } else { (&self.fixed, self.world_from_fixed.rotation) };
            faces[part].map_or(0.0, |f| (turn * solid.faces[f as usize].normal).dot(normal).abs())
        };
        let crossing = match (a, b) {
            (Element::Edge(e), Element::Edge(k)) => {
                let (u, v) = (self.held.edges[e as usize].direction, self.fixed.edges[k as usize].direction);
                let (u, v) = (held.rotation * u, self.world_from_fixed.rotation * v);
                u.cross(&v).norm() > PARALLEL && faces == [None; 2]
            }
            _ => false,
        };
        if crossing {
            return principal(a, b);
        }
        // Edges that are parallel, and neither of which is part of a face along the normal, have no name.
        let named = |a: Element, b: Element| principal(a, b).filter(|c| c.kind != ContactKind::EdgeEdge);
        named(a, b).or_else(|| match along(1) >= along(0) {
            true => named(a, raised_b).or_else(|| named(raised_a, b)),
            false => named(raised_a, b).or_else(|| named(a, raised_b)),
        })
    }
}

/// The principal contact of two elements; `None` if there is none of these kinds.
fn principal(a: Element, b: Element) -> Option<PrincipalContact> {
    use ContactKind::{EdgeEdge, EdgeFace, FaceEdge, FaceFace, FaceVertex, VertexFace};
    let (kind, a, b) = match (a, b) {
        (Element::Face(a), Element::Face(b)) => (FaceFace, a, b),
        (Element::Edge(a), Element::Face(b)) => (EdgeFace, a, b),
        (Element::Face(a), Element::Edge(b)) => (FaceEdge, a, b),
        (Element::Vertex(a), Element::Face(b)) => (VertexFace, a, b),
        (Element::Face(a), Element::Vertex(b)) => (FaceVertex, a, b),
        (Element::Edge(a), Element::Edge(b)) => (EdgeEdge, a, b),
        _ => return None,
    };
    Some(PrincipalContact { kind, a, b })
}

/// Distance of a point from an edge (m).
fn from_edge([a, b]: [Vec3; 2], point: &Vec3) -> f64 {
    let along = b - a;
    let t = ((point - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    (point - a - along * t).norm()
}

/// Distance of a point from a face (m).
fn from_face(face: &crate::polyhedron::Face, point: &Vec3) -> f64 {
    let height = face.height(point).abs();
    let beside = |piece: &Vec<Vec3>| {
        let sides = crate::polyhedron::corners(piece);
        let outside = sides.clone().any(|(a, b)| (point - a).dot(&face.normal.cross(&(b - a))) < 0.0);
        if outside { sides.map(|(a, b)| from_edge([a, b], point)).fold(f64::INFINITY, f64::min) } else { height }
    };
    face.pieces.iter().map(beside).fold(f64::INFINITY, f64::min)
}
