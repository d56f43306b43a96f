//! How well tetrahedra are shaped: flat angles make elements too stiff, sharp ones make matrices ill-conditioned (J. R. Shewchuk, *What is a good linear finite element?*, 2002).

use super::surface::FACES;
use super::{BoundarySurface, TetMesh, longest_edge, volume_of};
use stiction::spatial::Vec3;

/// What is told of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshQuality {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of tetrahedra.
    pub tetrahedra: usize,
    /// Number of triangles of the surface.
    pub triangles: usize,
    /// Number of nodes on the surface.
    pub surface_nodes: usize,
    /// Volume of all tetrahedra (m³).
    pub volume: f64,
    /// Area of the surface (m²).
    pub area: f64,
    /// The smallest angle between two faces of a tetrahedron (rad).
    pub smallest_dihedral: f64,
    /// The largest angle between two faces of a tetrahedron (rad).
    pub largest_dihedral: f64,
    /// The smallest volume of a tetrahedron, as a share of its longest edge cubed.
    pub flattest: f64,
    /// The longest edge (m).
    pub longest_edge: f64,
}

impl MeshQuality {
    /// Measures a mesh.
    pub fn of(mesh: &TetMesh) -> MeshQuality {
        let surface = BoundarySurface::of(mesh);
        let mut quality = MeshQuality {
            nodes: mesh.nodes().len(),
            tetrahedra: mesh.tetrahedra().len(),
            triangles: surface.triangles.len(),
            surface_nodes: surface.nodes.len(),
            volume: mesh.volume(),
            area: surface.area(mesh),
            smallest_dihedral: f64::INFINITY,
            largest_dihedral: 0.0,
            flattest: f64::INFINITY,
            longest_edge: 0.0,
        };
        for t in 0..mesh.tetrahedra().len() {
            let corners = mesh.corners(t);
            let longest = longest_edge(&corners);
            quality.longest_edge = quality.longest_edge.max(longest);
            quality.flattest = quality.flattest.min(volume_of(&corners) / (longest * longest * longest));
            let (smallest, largest) = dihedral_angles(&corners);
            quality.smallest_dihedral = quality.smallest_dihedral.min(smallest);
            quality.largest_dihedral = quality.largest_dihedral.max(largest);
        }
        quality
    }
}

/// The smallest and the largest angle between two faces of a tetrahedron (rad).
pub(crate) fn dihedral_angles(corners: &[Vec3; 4]) -> (f64, f64) {
    let normals = FACES.map(|[a, b, c]| {
        let n = (corners[b] - corners[a]).cross(&(corners[c] - corners[a]));
        n / n.norm()
    });
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0f64);
    for i in 0..4 {
        for j in 0..i {
            // Between outer normals is the angle that the dihedral one lacks to a half turn.
            let cross = normals[i].cross(&normals[j]).norm();
            let angle = std::f64::consts::PI - libm::atan2(cross, normals[i].dot(&normals[j]));
            smallest = smallest.min(angle);
            largest = largest.max(angle);
        }
    }
    (smallest, largest)
}
