//! The faces that belong to one tetrahedron only: the surface of the part.

use super::{TetMesh, TetMeshError};
use stiction::spatial::Vec3;

/// The faces of a tetrahedron, each seen from outside in anticlockwise order.
pub(crate) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The surface of a mesh: triangles that are anticlockwise from outside, and which node of the mesh each of its vertices is.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundarySurface {
    /// The node of the mesh that a vertex of the surface is, in ascending order.
    pub nodes: Vec<u32>,
    /// The vertex of the surface that a node of the mesh is, if it is one.
    pub vertices: Vec<Option<u32>>,
    /// The triangles, as numbers of vertices of the surface.
    pub triangles: Vec<[u32; 3]>,
    /// The tetrahedron behind each triangle.
    pub tetrahedra: Vec<u32>,
}

/// One face of a tetrahedron: its nodes in ascending order, and how they were ordered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Face {
    sorted: [u32; 3],
    tetrahedron: u32,
    seen: [u32; 3],
}

fn faces(tetrahedra: &[[u32; 4]]) -> Vec<Face> {
    let mut all = Vec::with_capacity(4 * tetrahedra.len());
    for (t, corners) in tetrahedra.iter().enumerate() {
        for face in FACES {
            let seen = face.map(|k| corners[k]);
            let mut sorted = seen;
            sorted.sort_unstable();
            all.push(Face { sorted, tetrahedron: t as u32, seen });
        }
    }
    all.sort_unstable();
    all
}

/// Whether the order of three nodes is an even permutation of ascending order.
fn even(seen: &[u32; 3]) -> bool {
    let [a, b, c] = seen;
    (a < b) ^ (b < c) ^ (a < c)
}

/// The sizes of the pieces of a mesh by common faces; refuses faces at which tetrahedra overlap.
pub(super) fn pieces(tetrahedra: &[[u32; 4]]) -> Result<Vec<usize>, TetMeshError> {
    let mut parent: Vec<u32> = (0..tetrahedra.len() as u32).collect();
    let find = |parent: &mut Vec<u32>, mut t: u32| {
        while parent[t as usize] != t {
            parent[t as usize] = parent[parent[t as usize] as usize];
            t = parent[t as usize];
        }
        t
    };
    for same in faces(tetrahedra).chunk_by(|a, b| a.sorted == b.sorted) {
        let number = |k: usize| same[k].tetrahedron as usize;
        match same.len() {
            1 => {}
            2 if even(&same[0].seen) == even(&same[1].seen) => {
                return Err(TetMeshError::Inverted(number(0), number(1)));
            }
            2 => {
                let (a, b) = (find(&mut parent, same[0].tetrahedron), find(&mut parent, same[1].tetrahedron));
                parent[a.max(b) as usize] = a.min(b);
            }
            _ => return Err(TetMeshError::SharedFace(number(0), number(1), number(2))),
        }
    }
    let mut sizes = vec![0; tetrahedra.len()];
    for t in 0..tetrahedra.len() as u32 {
        sizes[find(&mut parent, t) as usize] += 1;
    }
    sizes.retain(|&n| n > 0);
    Ok(sizes)
}

impl BoundarySurface {
    /// The surface of a mesh. It is closed, since every edge of a tetrahedron's boundary belongs to two of its faces.
    pub fn of(mesh: &TetMesh) -> BoundarySurface {
        let all = faces(mesh.tetrahedra());
        let mut outer: Vec<Face> =
            all.chunk_by(|a, b| a.sorted == b.sorted).filter(|same| same.len() == 1).map(|same| same[0]).collect();
        outer.sort_unstable_by_key(|face| (face.tetrahedron, face.sorted));
        let mut vertices = vec![None; mesh.nodes().len()];
        outer.iter().flat_map(|face| face.seen).for_each(|n| vertices[n as usize] = Some(0));
        let mut nodes = Vec::new();
        for (node, vertex) in vertices.iter_mut().enumerate() {
            if vertex.is_some() {
                *vertex = Some(nodes.len() as u32);
                nodes.push(node as u32);
            }
        }
        let triangle = |face: &Face| face.seen.map(|n| vertices[n as usize].unwrap_or(0));
        let triangles = outer.iter().map(triangle).collect();
        let tetrahedra = outer.iter().map(|face| face.tetrahedron).collect();
        BoundarySurface { nodes, vertices, triangles, tetrahedra }
    }

    /// The corners of a triangle of the surface.
    pub fn corners(&self, mesh: &TetMesh, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| mesh.nodes()[self.nodes[v as usize] as usize])
    }

    /// The volume inside, by the divergence theorem (m³): that of the mesh, found from the triangles alone.
    pub fn enclosed_volume(&self, mesh: &TetMesh) -> f64 {
        let cone = |t: usize| {
            let [a, b, c] = self.corners(mesh, t);
            a.dot(&b.cross(&c)) / 6.0
        };
        (0..self.triangles.len()).map(cone).sum()
    }

    /// The area (m²).
    pub fn area(&self, mesh: &TetMesh) -> f64 {
        let half = |t: usize| {
            let [a, b, c] = self.corners(mesh, t);
            0.5 * (b - a).cross(&(c - a)).norm()
        };
        (0..self.triangles.len()).map(half).sum()
    }
}
