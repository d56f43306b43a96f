//! Principal contacts and contact formations (section 2 of the paper).

use crate::placed::Solids;
use crate::polyhedron::Polyhedron;
use stiction::spatial::Vec3;

/// The non-degenerate kinds of principal contacts, the element of the held part first (figure 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContactKind {
    /// A plane contact.
    #[default]
    FaceFace,
    /// A line contact: an edge of the held part on a face.
    EdgeFace,
    /// A line contact: a face of the held part on an edge.
    FaceEdge,
    /// A point contact: a vertex of the held part on a face.
    VertexFace,
    /// A point contact: a face of the held part on a vertex.
    FaceVertex,
    /// A point contact: two edges that cross.
    EdgeEdge,
}

impl ContactKind {
    /// All kinds, by their numbers.
    pub const ALL: [ContactKind; 6] = [
        ContactKind::FaceFace,
        ContactKind::EdgeFace,
        ContactKind::FaceEdge,
        ContactKind::VertexFace,
        ContactKind::FaceVertex,
        ContactKind::EdgeEdge,
    ];

    /// A short name for each: the element of the held part, then that of the fixed part.
    pub const NAMES: &'static [&'static str] =
        &["face-face", "edge-face", "face-edge", "vertex-face", "face-vertex", "edge-edge"];

    /// The short name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The two elements by their nouns.
    pub fn elements(self) -> [&'static str; 2] {
        match self {
            ContactKind::FaceFace => ["face", "face"],
            ContactKind::EdgeFace => ["edge", "face"],
            ContactKind::FaceEdge => ["face", "edge"],
            ContactKind::VertexFace => ["vertex", "face"],
            ContactKind::FaceVertex => ["face", "vertex"],
            ContactKind::EdgeEdge => ["edge", "edge"],
        }
    }

    /// 2 for a plane contact, 1 for a line contact, 0 for a point contact.
    pub fn dimension(self) -> u8 {
        match self {
            ContactKind::FaceFace => 2,
            ContactKind::EdgeFace | ContactKind::FaceEdge => 1,
            _ => 0,
        }
    }
}

/// A principal contact: two elements that touch and are not part of the border of others that touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrincipalContact {
    /// Which elements touch.
    pub kind: ContactKind,
    /// The number of the element of the held part A.
    pub a: u32,
    /// The number of the element of the fixed part B.
    pub b: u32,
}

/// A face, edge or vertex of a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A face.
    Face(u32),
    /// An edge.
    Edge(u32),
    /// A vertex.
    Vertex(u32),
}

impl Element {
    /// Whether it is the other element, or on its border.
    pub fn within(self, other: Element, solid: &Polyhedron) -> bool {
        match (self, other) {
            (Element::Face(f), Element::Face(g)) => f == g,
            (Element::Edge(e), Element::Edge(k)) => e == k,
            (Element::Vertex(v), Element::Vertex(w)) => v == w,
            (Element::Edge(e), Element::Face(f)) => solid.edges[e as usize].faces.contains(&f),
            (Element::Vertex(v), Element::Edge(e)) => solid.edges[e as usize].vertices.contains(&v),
            (Element::Vertex(v), Element::Face(f)) => solid.vertices[v as usize].faces.contains(&f),
            _ => false,
        }
    }

    /// Shows the faces that it is, or is on the border of.
    pub fn faces<'a>(&'a self, solid: &'a Polyhedron) -> &'a [u32] {
        match self {
            Element::Face(f) => std::slice::from_ref(f),
            Element::Edge(e) => &solid.edges[*e as usize].faces,
            Element::Vertex(v) => &solid.vertices[*v as usize].faces,
        }
    }

    /// The edges that it is, or is an end of; none for a face.
    pub fn edges<'a>(&'a self, solid: &'a Polyhedron) -> &'a [u32] {
        match self {
            Element::Face(_) => &[],
            Element::Edge(e) => std::slice::from_ref(e),
            Element::Vertex(v) => &solid.vertices[*v as usize].edges,
        }
    }
}

impl PrincipalContact {
    /// The element of the held part, and that of the fixed part.
    pub fn elements(&self) -> [Element; 2] {
        let (a, b) = (self.a, self.b);
        match self.kind {
            ContactKind::FaceFace => [Element::Face(a), Element::Face(b)],
            ContactKind::EdgeFace => [Element::Edge(a), Element::Face(b)],
            ContactKind::FaceEdge => [Element::Face(a), Element::Edge(b)],
            ContactKind::VertexFace => [Element::Vertex(a), Element::Face(b)],
            ContactKind::FaceVertex => [Element::Face(a), Element::Vertex(b)],
            ContactKind::EdgeEdge => [Element::Edge(a), Element::Edge(b)],
        }
    }

    /// Whether both its elements are those of another contact, or on the border of them.
    pub fn within(&self, other: &PrincipalContact, solids: &Solids) -> bool {
        let ([a, b], [c, d]) = (self.elements(), other.elements());
        a.within(c, &solids.held) && b.within(d, &solids.fixed)
    }

    /// Whether it is part of another contact: within it, and not the same.
    pub fn covered_by(&self, other: &PrincipalContact, solids: &Solids) -> bool {
        self != other && self.within(other, solids)
    }

    /// Whether one can become the other by a small motion: one covers the other, or they share an element of each part.
    pub fn neighbours(&self, other: &PrincipalContact, solids: &Solids) -> bool {
        let ([a, b], [c, d]) = (self.elements(), other.elements());
        let near = |x: Element, y: Element, solid: &Polyhedron| {
            x.within(y, solid) || y.within(x, solid) || share(x.faces(solid), y.faces(solid))
        };
        near(a, c, &solids.held) && near(b, d, &solids.fixed)
    }
}

/// Whether two lists have a number in common.
pub fn share(one: &[u32], two: &[u32]) -> bool {
    one.iter().any(|x| two.contains(x))
}

/// A principal contact where it is: what forces and motions need of it. Everything in B's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Which elements touch.
    pub contact: PrincipalContact,
    /// Unit normal of the contact plane, towards A: the y axis of the task frame (section 3.2).
    pub normal: Vec3,
    /// The contact point, or the centroid of the contact region by length or area (m).
    pub point: Vec3,
    /// Distance at that point along the normal (m).
    pub gap: f64,
    /// Points that span the contact region: one, the two ends of a line, or three that are not on a line (m).
    pub span: [Vec3; 3],
    /// The distances there (m).
    pub gaps: [f64; 3],
    /// The number of points that span it.
    pub points: u8,
    /// Length or area of the contact region (m, m²); 0 for a point.
    pub measure: f64,
}

impl Touch {
    /// The points that span the contact region, with the distances there.
    pub fn spanned(&self) -> impl Iterator<Item = (Vec3, f64)> + Clone + '_ {
        self.span.iter().copied().zip(self.gaps).take(usize::from(self.points))
    }

    /// Axes x and z of the task frame, which with the normal as y are right-handed: z = x × y.
    pub fn tangents(&self) -> [Vec3; 2] {
        let x = self.normal.cross(&if self.normal.x.abs() < 0.8 { Vec3::x() } else { Vec3::y() }).normalize();
        [x, x.cross(&self.normal)]
    }
}

/// Most principal contacts of a formation.
pub const MOST_CONTACTS: usize = 8;

/// A contact formation: a set of principal contacts with at most three different contact planes (section 3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Formation {
    touches: [Touch; MOST_CONTACTS],
    count: usize,
}

impl Formation {
    /// Its contacts.
    pub fn touches(&self) -> &[Touch] {
        &self.touches[..self.count]
    }

    /// Adds a contact. Returns false if there are too many.
    pub fn push(&mut self, touch: Touch) -> bool {
        let room = self.count < MOST_CONTACTS;
        if room {
            self.touches[self.count] = touch;
            self.count += 1;
        }
        room
    }

    /// Takes the last contact away, if there is one.
    pub fn pop(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.touches[self.count] = Touch::default();
    }

    /// Whether nothing touches.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether a contact is one of its.
    pub fn has(&self, contact: &PrincipalContact) -> bool {
        self.touches().iter().any(|t| t.contact == *contact)
    }

    /// Whether all of its contacts are in another.
    pub fn within(&self, other: &Formation) -> bool {
        self.touches().iter().all(|t| other.has(&t.contact))
    }

    /// The number of different contact planes, those less apart than `distance` (m) and about a degree counting as one.
    pub fn planes(&self, distance: f64) -> usize {
        let new = |(i, t): &(usize, &Touch)| !self.touches[..*i].iter().any(|before| same_plane(before, t, distance));
        self.touches().iter().enumerate().filter(new).count()
    }
}

/// Cosine of the angle up to which contact planes count as parallel.
const SAME_DIRECTION: f64 = 0.9998;

/// Whether two contacts have one contact plane.
pub fn same_plane(one: &Touch, two: &Touch, distance: f64) -> bool {
    one.normal.dot(&two.normal) > SAME_DIRECTION && (one.point - two.point).dot(&one.normal).abs() <= distance
}
