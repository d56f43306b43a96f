//! Polyhedra: faces, edges and vertices, merged from the triangles of a closed mesh.
//!
//! Triangles that meet at an edge and lie in one plane are one face; collinear pieces of a border are one edge. What remains are the surface elements of which principal
//! contacts are made (section 2 of the paper). A face knows its convex pieces, for clipping; an edge the two faces that meet there and, in each, the direction that leads from
//! the edge into the face; a vertex its neighbours along edges. The predicates of `candidates` need no more.

mod merge;

use stiction::spatial::Vec3;

/// Most faces of a polyhedron: beyond, a part is a smooth one in facets, and contact formations say nothing about it that a user would understand.
pub const MOST_FACES: usize = 2000;

/// Errors from making a polyhedron of a mesh. Each message names the engine to use instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolyhedronError {
    /// The mesh has no triangle with an area.
    #[error("it has no faces, so there is nothing to touch: give a closed mesh with flat faces")]
    Empty,
    /// An index is out of range or a coordinate is not finite.
    #[error(
        "triangle {triangle} names a point that does not exist or is not finite: mend the mesh, for example with `stiction bake`, which says what is wrong"
    )]
    BadTriangle {
        /// The number of the triangle.
        triangle: usize,
    },
    /// Some edges do not belong to exactly two triangles of one orientation.
    #[error(
        "it is not a closed surface: {edges} edges do not belong to exactly two faces. Contact formations need solids with finite flat faces; use engine = \"quasi-static\", which takes open and dirty meshes"
    )]
    Open {
        /// The number of such edges.
        edges: usize,
    },
    /// It has more flat faces than an engine of named contacts makes sense for.
    #[error(
        "it has {faces} flat faces, more than {MOST_FACES}: it is a smooth part rather than a polyhedron. Use engine = \"quasi-static\", which takes parts of any shape"
    )]
    TooManyFaces {
        /// The number of its faces.
        faces: usize,
    },
    /// The triangles enclose no volume, or point inwards.
    #[error(
        "its faces point inwards or enclose no volume: turn the faces of the mesh round, or use engine = \"quasi-static\", which mends that"
    )]
    InsideOut,
}

/// A flat face.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Outward unit normal.
    pub normal: Vec3,
    /// The plane is the set of x with normal · x = offset (m).
    pub offset: f64,
    /// Its edges.
    pub edges: Vec<u32>,
    /// Its vertices.
    pub vertices: Vec<u32>,
    /// Convex polygons that cover the face without overlap, counter-clockwise seen from outside.
    pub pieces: Vec<Vec<Vec3>>,
    /// A circle around each of them: centre and radius (m).
    pub circles: Vec<(Vec3, f64)>,
    /// For each side of each piece, whether it lies on an edge where the solid is concave: what is beyond is in the solid.
    pub concave: Vec<Vec<bool>>,
    /// Area (m²).
    pub area: f64,
}

/// A straight edge between two faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its two vertices.
    pub vertices: [u32; 2],
    /// The two faces that meet here.
    pub faces: [u32; 2],
    /// In each face, the unit direction from the edge into the face, perpendicular to the edge.
    pub into: [Vec3; 2],
    /// Unit direction from the first vertex to the second.
    pub direction: Vec3,
    /// Length (m).
    pub length: f64,
    /// Whether the solid is convex there.
    pub convex: bool,
}

/// A vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertex {
    /// Its position (m).
    pub position: Vec3,
    /// The vertices at the other ends of its edges.
    pub neighbours: Vec<u32>,
    /// Its edges, in the same order.
    pub edges: Vec<u32>,
    /// The unit directions along them, away from the vertex.
    pub directions: Vec<Vec3>,
    /// Its faces.
    pub faces: Vec<u32>,
}

/// A solid with flat faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    /// The faces.
    pub faces: Vec<Face>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// Centre of volume (m): that of mass for a part of one density. (The paper takes the mean of the vertices, which is right for symmetric solids only.)
    pub centre: Vec3,
    /// Volume (m³).
    pub volume: f64,
    /// Largest distance of a vertex from the centre (m).
    pub radius: f64,
}

impl Polyhedron {
    /// The polyhedron of a closed mesh whose triangles are counter-clockwise seen from outside.
    ///
    /// # Errors
    /// [`PolyhedronError`] for meshes that are open, smooth or inside out; the message says which engine to use instead.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<Polyhedron, PolyhedronError> {
        merge::polyhedron(points, triangles)
    }

    /// Position of a vertex (m).
    pub fn point(&self, vertex: u32) -> Vec3 {
        self.vertices[vertex as usize].position
    }

    /// The two ends of an edge (m).
    pub fn ends(&self, edge: u32) -> [Vec3; 2] {
        self.edges[edge as usize].vertices.map(|v| self.point(v))
    }
}

impl Face {
    /// Signed distance of a point from the plane (m), positive outside.
    pub fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Whether the foot of a point lies in the face, or at most so far (m) beyond an edge where the solid is concave: a vertex in an inner corner rests on both faces, though rounding or a small
    /// penetration of one puts it beside the other.
    pub fn covers(&self, point: &Vec3, beyond: f64) -> bool {
        self.pieces.iter().zip(&self.concave).any(|(piece, concave)| {
            corners(piece).zip(concave).all(|((a, b), concave)| {
                let inward = self.normal.cross(&(b - a));
                let allowed = if *concave { beyond * inward.norm() } else { 0.0 };
                (point - a).dot(&inward) >= -allowed
            })
        })
    }
}

/// The sides of a polygon.
pub fn corners(polygon: &[Vec3]) -> impl Iterator<Item = (Vec3, Vec3)> + Clone + '_ {
    (0..polygon.len()).map(|i| (polygon[i], polygon[(i + 1) % polygon.len()]))
}
