//! Meshes are checked once: what is flat, inverted, twice or in pieces is refused, and what passes has a closed surface.

mod support;

use stiction::spatial::Vec3;
use stiction_fem::{BoundarySurface, MeshQuality, TetMesh, TetMeshError};
use support::bar;

fn corner() -> Vec<Vec3> {
    vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(1.0, 1.0, 1.0)]
}

#[test]
fn the_surface_of_a_bar_is_closed_and_known() {
    let (nodes, tetrahedra) = bar([4, 3, 2], Vec3::new(4.0, 3.0, 2.0));
    let mesh = TetMesh::new(nodes, tetrahedra).unwrap();
    let surface = BoundarySurface::of(&mesh);
    assert_eq!(surface.triangles.len(), 2 * 2 * (12 + 8 + 6));
    assert_eq!(surface.nodes.len(), 60 - 6);
    assert!((mesh.volume() - 24.0).abs() < 1e-12);
    assert!((surface.enclosed_volume(&mesh) - 24.0).abs() < 1e-12);
    assert!((surface.area(&mesh) - 52.0).abs() < 1e-12);
    for (vertex, &node) in surface.nodes.iter().enumerate() {
        assert_eq!(surface.vertices[node as usize], Some(vertex as u32));
    }
    let quality = MeshQuality::of(&mesh);
    // Tetrahedra with three mutually orthogonal edges in a row: angles of 45°, 60° and 90°.
    assert!((quality.smallest_dihedral.to_degrees() - 45.0).abs() < 1e-9);
    assert!((quality.largest_dihedral.to_degrees() - 90.0).abs() < 1e-9);
    assert!((quality.longest_edge - 3f64.sqrt()).abs() < 1e-12);
}

#[test]
fn orientation_in_the_file_does_not_matter() {
    let mesh = TetMesh::new(corner(), vec![[0, 2, 1, 3], [1, 2, 3, 4]]).unwrap();
    assert!((0..2).all(|t| stiction_fem::mesh::volume_of(&mesh.corners(t)) > 0.0));
}

#[test]
fn bad_meshes_are_refused() {
    let of = |tetrahedra: &[[u32; 4]]| TetMesh::new(corner(), tetrahedra.to_vec()).unwrap_err();
    assert_eq!(of(&[]), TetMeshError::Empty);
    assert!(matches!(of(&[[0, 1, 2, 9]]), TetMeshError::NoSuchNode { node: 9, .. }));
    assert!(matches!(of(&[[0, 1, 2, 2]]), TetMeshError::Flat { tetrahedron: 0, .. }));
    let mut flat = corner();
    flat[3] = Vec3::new(0.3, 0.3, 1e-8);
    assert!(matches!(TetMesh::new(flat, vec![[0, 1, 2, 3]]).unwrap_err(), TetMeshError::Flat { .. }));
    // The second one lies on the same side of the common face as the first one.
    let mut folded = corner();
    folded[4] = Vec3::new(0.1, 0.1, 0.1);
    assert_eq!(TetMesh::new(folded, vec![[0, 1, 2, 3], [1, 2, 3, 4]]).unwrap_err(), TetMeshError::Inverted(0, 1));
    assert_eq!(of(&[[0, 1, 2, 3], [0, 1, 2, 3]]), TetMeshError::Inverted(0, 1));
    assert_eq!(of(&[[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 2, 3]]), TetMeshError::SharedFace(0, 1, 2));
    let mut nan = corner();
    nan[2].y = f64::NAN;
    assert!(matches!(TetMesh::new(nan, vec![[0, 1, 2, 3]]).unwrap_err(), TetMeshError::NotFinite { node: 2 }));
    let mut apart = corner();
    apart.extend([Vec3::new(9.0, 0.0, 0.0), Vec3::new(9.0, 1.0, 0.0), Vec3::new(9.0, 0.0, 1.0)]);
    // Two tetrahedra that share only a node hang together like a joint, not like a part.
    let pieces = TetMesh::new(apart, vec![[0, 1, 2, 3], [4, 5, 6, 7]]).unwrap_err();
    assert_eq!(pieces, TetMeshError::Pieces { pieces: 2, smallest: 1 });
}
