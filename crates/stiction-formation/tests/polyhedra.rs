//! Faces, edges and vertices from triangles, in closed form.

mod support;

use stiction::spatial::Vec3;
use stiction_formation::polyhedron::MOST_FACES;
use stiction_formation::{Polyhedron, PolyhedronError};
use support::{EDGE, cube, ell, prism, split};

fn counts(solid: &Polyhedron) -> [usize; 3] {
    [solid.faces.len(), solid.edges.len(), solid.vertices.len()]
}

#[test]
fn a_cube_has_six_faces_whatever_its_triangles() {
    let whole = cube();
    assert_eq!(counts(&whole), [6, 12, 8]);
    let h = 0.5 * EDGE;
    let (points, triangles) = prism(&[[-h, -h], [h, -h], [h, h], [-h, h]], EDGE);
    let (points, triangles) = split(&points, &triangles);
    let fine = Polyhedron::new(&points, &triangles).unwrap();
    assert_eq!(counts(&fine), [6, 12, 8]);
    assert!((fine.volume - EDGE.powi(3)).abs() < 1e-15 && fine.centre.norm() < 1e-15);
    assert!((whole.radius - 0.75f64.sqrt() * EDGE).abs() < 1e-15);
    assert!(whole.edges.iter().all(|e| e.convex && (e.length - EDGE).abs() < 1e-15));
    assert!(whole.faces.iter().all(|f| f.pieces.len() == 1 && (f.area - EDGE * EDGE).abs() < 1e-15));
}

#[test]
fn a_side_in_pieces_is_one_edge() {
    // A point in the middle of a side of the polygon: two walls in one plane, and collinear borders.
    let (points, triangles) = prism(&[[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], 1.0);
    assert_eq!(counts(&Polyhedron::new(&points, &triangles).unwrap()), [6, 12, 8]);
}

#[test]
fn an_l_has_one_concave_edge_and_faces_that_are_not_convex() {
    let solid = ell();
    assert_eq!(counts(&solid), [8, 18, 12]);
    assert_eq!(solid.edges.iter().filter(|e| !e.convex).count(), 1);
    // The two L-shaped ends are kept as triangles, the rest as one polygon each.
    assert_eq!(solid.faces.iter().filter(|f| f.pieces.len() > 1).count(), 2);
    let area = 0.19 * 0.19 - 0.15 * 0.15;
    assert!((solid.volume - area * 0.2).abs() < 1e-15);
    // The centroid of an L: that of the square less that of the missing square, and not the mean of its vertices.
    let x = (0.19f64.powi(2) * (0.095 - 0.04) - 0.15f64.powi(2) * 0.075) / area;
    assert!((solid.centre - Vec3::new(x, x, 0.0)).norm() < 1e-15);
    let end = solid.faces.iter().find(|f| f.normal.z > 0.5).unwrap();
    assert!(end.covers(&Vec3::new(-0.02, 0.1, 0.3), 0.0) && !end.covers(&Vec3::new(0.01, 0.01, 0.3), 0.0));
}

/// A face of many corners was cut off where clipping had no more room.
#[test]
fn a_face_of_many_corners_is_covered_by_small_pieces() {
    let round: Vec<[f64; 2]> =
        (0..198).map(|i| (f64::from(i) / 198.0 * std::f64::consts::TAU).sin_cos()).map(|(s, c)| [c, s]).collect();
    let solid = support::solid(&round, 1.0);
    let cap = solid.faces.iter().find(|f| f.normal.z > 0.5).unwrap();
    let twice = |p: &[Vec3]| (1..p.len() - 1).map(|i| (p[i] - p[0]).cross(&(p[i + 1] - p[0])).z).sum::<f64>();
    assert!(cap.pieces.iter().all(|p| p.len() <= 32));
    assert!((0.5 * cap.pieces.iter().map(|p| twice(p)).sum::<f64>() - cap.area).abs() < 1e-12 * cap.area);
}

#[test]
fn edges_know_the_way_into_their_faces() {
    for solid in [cube(), ell()] {
        for edge in &solid.edges {
            let middle = (solid.point(edge.vertices[0]) + solid.point(edge.vertices[1])) * 0.5;
            for (face, into) in edge.faces.iter().zip(edge.into) {
                let face = &solid.faces[*face as usize];
                assert!(face.covers(&(middle + into * 1e-4), 0.0) && !face.covers(&(middle - into * 1e-4), 0.0));
                assert!(into.dot(&edge.direction).abs() < 1e-12 && (into.norm() - 1.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn meshes_that_are_no_polyhedra_are_refused_with_the_engine_to_use_instead() {
    let (points, mut triangles) = prism(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 1.0);
    triangles.pop();
    let open = Polyhedron::new(&points, &triangles).unwrap_err();
    assert_eq!(open, PolyhedronError::Open { edges: 3 });
    assert!(open.to_string().contains("engine = \"quasi-static\""), "{open}");
    let turned: Vec<[u32; 3]> =
        prism(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 1.0).1.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    assert_eq!(Polyhedron::new(&points, &turned).unwrap_err(), PolyhedronError::InsideOut);
    assert_eq!(Polyhedron::new(&points, &[[0, 1, 9]]).unwrap_err(), PolyhedronError::BadTriangle { triangle: 0 });
    assert_eq!(
        Polyhedron::new(&[Vec3::x() * f64::NAN; 3], &[[0, 1, 2]]).unwrap_err(),
        PolyhedronError::BadTriangle { triangle: 0 }
    );
    assert_eq!(Polyhedron::new(&[Vec3::zeros(); 3], &[[0, 1, 2]]).unwrap_err(), PolyhedronError::Empty);
    assert_eq!(Polyhedron::new(&[], &[]).unwrap_err(), PolyhedronError::Empty);
    let round: Vec<[f64; 2]> = (0..MOST_FACES)
        .map(|i| (i as f64 / MOST_FACES as f64 * std::f64::consts::TAU).sin_cos())
        .map(|(s, c)| [c, s])
        .collect();
    let (points, triangles) = prism(&round, 1.0);
    let smooth = Polyhedron::new(&points, &triangles).unwrap_err();
    assert_eq!(smooth, PolyhedronError::TooManyFaces { faces: MOST_FACES + 2 });
    assert!(smooth.to_string().contains("engine = \"quasi-static\""), "{smooth}");
}
