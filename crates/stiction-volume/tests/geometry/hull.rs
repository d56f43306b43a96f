//! [`Convex::of_points`]: hulls against a search over all triples of points, and moments against closed forms.

use crate::clipping::half_spaces;
use crate::random::Random;
use crate::{cases, shapes, tell};
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};
use stiction::spatial::{Mat3, Vec3};
use stiction_volume::{Convex, ConvexError};

/// Corners, edges and faces fit together, planes hold all points, and faces are flat and turn around their normals.
fn assert_sound(convex: &Convex, points: &[Vec3]) {
    let size = 2.0 * convex.radius();
    let (corners, faces) = (convex.points().len(), convex.planes().len());
    let sides: usize = (0..faces).map(|f| convex.face(f).len()).sum();
    assert_eq!(corners + faces, sides / 2 + 2, "Euler");
    for (f, plane) in convex.planes().iter().enumerate() {
        assert!((plane.normal.norm() - 1.0).abs() < 1e-14);
        let out = points.iter().map(|p| plane.normal.dot(p) - plane.offset).fold(f64::NEG_INFINITY, f64::max);
        assert!(out <= 1e-8 * size, "a point {out:e} m outside of {size} m");
        let face = convex.face(f);
        let at = |i: usize| convex.points()[face[i % face.len()] as usize];
        for i in 0..face.len() {
            assert!((plane.normal.dot(&at(i)) - plane.offset).abs() <= 1e-6 * size, "not flat");
            let turn = (at(i + 1) - at(i)).cross(&(at(i + 2) - at(i + 1))).dot(&plane.normal);
            assert!(turn > 0.0, "a face turns the wrong way: {turn:e}");
        }
    }
    for i in 0..corners as u32 {
        assert!(convex.neighbours(i).len() >= 3);
        assert!(convex.neighbours(i).iter().all(|j| convex.neighbours(*j).contains(&i)));
    }
    let given = |p: &Vec3| points.iter().any(|q| q == p);
    assert!(convex.points().iter().all(given), "corners are points that were given, to the bit");
}

#[test]
fn hulls_of_few_points_are_those_of_a_search_over_all_triples() {
    let mut random = Random(21);
    let sets = cases(2000, 100_000);
    for _ in 0..sets {
        let (mut points, _) = shapes::any_convex(&mut random);
        // Points inside, on faces and on edges, and points twice.
        for _ in 0..random.below(8) {
            let [p, q, r] = [0; 3].map(|_| points[random.below(points.len())]);
            let more = match random.below(3) {
                0 => p,
                1 => 0.5 * (p + q),
                _ => (p + q + r) / 3.0,
            };
            points.push(more);
        }
        let convex = Convex::of_points(&points).unwrap();
        assert_sound(&convex, &points);
        let wanted = half_spaces(&points);
        assert_eq!(convex.planes().len(), wanted.len(), "{points:?}");
        for (f, plane) in convex.planes().iter().enumerate() {
            let like = |w: &&(crate::clipping::HalfSpace, u64)| (w.0.normal - plane.normal).norm() < 1e-8;
            let (same, on) = wanted.iter().find(like).expect("a plane that the search has not");
            assert!((same.offset - plane.offset).abs() < 1e-10);
            let corners: BTreeSet<[u64; 3]> =
                convex.face(f).iter().map(|c| bits(&convex.points()[*c as usize])).collect();
            let there: BTreeSet<[u64; 3]> =
                (0..points.len()).filter(|i| on >> i & 1 == 1).map(|i| bits(&points[i])).collect();
            assert!(corners.is_subset(&there), "a face has a corner that is not on it");
        }
    }
}

fn bits(p: &Vec3) -> [u64; 3] {
    [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits())
}

#[test]
fn solids_with_symmetry_have_their_faces() {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let signs = || (0..8).map(|i| [0, 1, 2].map(|a| if i >> a & 1 == 0 { -1.0 } else { 1.0 }));
    // A regular dodecahedron: 12 faces of 5 corners, all on a sphere.
    let mut dodecahedron: Vec<Vec3> = signs().map(Vec3::from).collect();
    dodecahedron.extend((0..12).map(|i| {
        let (s, t) = ([-1.0, 1.0][i & 1], [-1.0, 1.0][i >> 1 & 1]);
        let mut p = Vec3::zeros();
        (p[i / 4], p[(i / 4 + 1) % 3]) = (s / golden, t * golden);
        p
    }));
    let mut random = Random(22);
    for turned in 0..cases(20, 200) {
        let rotation = if turned == 0 { nalgebra::UnitQuaternion::identity() } else { random.rotation() };
        let scale = random.decades(1e-4, 1e4);
        let mut turn = |points: &[Vec3]| -> Vec<Vec3> {
            let shift = random.ball() * 10.0 * scale;
            points.iter().map(|p| rotation * p * scale + shift).collect()
        };
        let faces = |points: &[Vec3]| {
            let convex = Convex::of_points(points).unwrap();
            assert_sound(&convex, points);
            let most = (0..convex.planes().len()).map(|f| convex.face(f).len()).max().unwrap();
            (convex.points().len(), convex.planes().len(), most)
        };
        assert_eq!(faces(&turn(&dodecahedron)), (20, 12, 5));
        assert_eq!(faces(&turn(&shapes::octahedron())), (6, 8, 3));
        assert_eq!(faces(&turn(&shapes::cuboid([1.0, 2.0, 3.0]))), (8, 6, 4));
        assert_eq!(faces(&turn(&shapes::prism(96, 1.0, 2.0))), (192, 98, 96));
        // A ball of 32 meridians and 16 rings: 14 bands of quadrilaterals, triangles about the poles.
        let ball: Vec<Vec3> = (0..17 * 32)
            .map(|i| {
                let ((s, c), (t, d)) =
                    ((PI * f64::from(i / 32) / 16.0).sin_cos(), (TAU * f64::from(i % 32) / 32.0).sin_cos());
                let s = if i / 32 % 16 == 0 { 0.0 } else { s };
                Vec3::new(s * d, s * t, c)
            })
            .collect();
        assert_eq!(faces(&turn(&ball)), (15 * 32 + 2, 16 * 32, 4));
        // A lattice: what is inside, on faces and on edges is no corner.
        let lattice: Vec<Vec3> =
            (0..9 * 9 * 9).map(|i| Vec3::new(f64::from(i % 9), f64::from(i / 9 % 9), f64::from(i / 81))).collect();
        assert_eq!(faces(&turn(&lattice)), (8, 6, 4));
    }
}

#[test]
fn a_box_has_exact_planes() {
    let convex = Convex::of_points(&shapes::cuboid([0.3, 0.7, 0.011])).unwrap();
    for plane in convex.planes() {
        let axis = plane.normal.iamax();
        assert_eq!(plane.normal.abs(), Vec3::ith(axis, 1.0));
        assert_eq!(plane.offset, [0.3, 0.7, 0.011][axis]);
    }
}

#[test]
fn many_points_on_a_sphere_and_nearly_the_same_points() {
    let mut random = Random(23);
    let sphere: Vec<Vec3> = (0..3000).map(|_| random.direction()).collect();
    let convex = Convex::of_points(&sphere).unwrap();
    assert_sound(&convex, &sphere);
    assert_eq!(convex.points().len(), 3000);
    assert_eq!(convex.planes().len(), 2 * 3000 - 4);
    for near in [1e-9, 1e-12, 1e-14, 1e-16] {
        let mut points = shapes::cuboid([0.5; 3]);
        for i in 0..40 {
            let p = points[i % 8] + random.ball() * near;
            points.push(p);
        }
        let convex = Convex::of_points(&points).unwrap_or_else(|e| panic!("{near:e}: {e}"));
        assert_sound(&convex, &points);
        assert!((convex.volume() - 1.0).abs() < 10.0 * near + 1e-12, "{near:e}: {}", convex.volume());
    }
}

/// Volume, centre, and ∫ x xᵀ dV of an affine image: those of the original, by the determinant.
#[test]
fn moments_are_those_of_closed_forms() {
    let mut random = Random(24);
    let mut most: f64 = 0.0;
    for _ in 0..cases(300, 10_000) {
        let n = 3 + random.below(20);
        let (r, h) = (random.decades(0.01, 10.0), random.decades(0.01, 10.0));
        // A regular polygon: area n/2 r² sin(2π/n), ∫ x² = ∫ y² = area r²/12 (2 + cos(2π/n))... from its triangles about the centre.
        let (s, c) = (TAU / n as f64).sin_cos();
        let area = 0.5 * n as f64 * r * r * s;
        let square = area * r * r * (2.0 + c) / 12.0;
        let upright = Mat3::from_diagonal(&Vec3::new(2.0 * h * square, 2.0 * h * square, area * 2.0 * h * h * h / 3.0));
        // Of the corner simplex: volume 1/6, centre ¼, second moments (1 + δ)/120.
        let simplex: Vec<Vec3> = (0..4).map(|i| if i < 3 { Vec3::ith(i, 1.0) } else { Vec3::zeros() }).collect();
        let of_simplex = (Mat3::repeat(1.0) + Mat3::identity()) / 120.0;
        let forms = [
            (shapes::prism(n, r, h), area * 2.0 * h, Vec3::zeros(), upright),
            (simplex, 1.0 / 6.0, Vec3::repeat(0.25), of_simplex),
            (shapes::octahedron(), 4.0 / 3.0, Vec3::zeros(), Mat3::identity() * (2.0 / 15.0)),
        ];
        let map = Mat3::from_columns(&[random.direction(), random.direction(), random.direction()]);
        if map.determinant().abs() < 0.1 {
            continue;
        }
        let shift = random.ball();
        for (points, volume, centre, second) in forms {
            let mapped: Vec<Vec3> = points.iter().map(|p| map * p + shift).collect();
            let convex = Convex::of_points(&mapped).unwrap();
            let det = map.determinant().abs();
            let (volume, first) = (volume * det, (map * centre + shift) * volume * det);
            let about = map * second * map.transpose() * det;
            let cross = map * centre * shift.transpose() * volume;
            let second = about + cross + cross.transpose() + shift * shift.transpose() * volume;
            let errors = [
                (convex.volume() / volume - 1.0).abs(),
                (convex.centroid() * volume - first).norm() / (volume * (1.0 + r + h)),
                (convex.second_moment() - second).norm() / second.norm(),
            ];
            let error = errors.into_iter().fold(0.0, f64::max);
            assert!(error < 1e-10, "{errors:?}");
            most = most.max(error);
        }
    }
    tell("hull: volume, centre and second moments against closed forms, relative", most, "", 1e-10);
}

#[test]
fn points_that_are_no_solid_are_refused_with_what_to_do() {
    let flat: Vec<Vec3> =
        (0..9).map(|i| Vec3::new(f64::from(i % 3), f64::from(i / 3), 0.1 * f64::from(i % 3))).collect();
    let line: Vec<Vec3> = (0..9).map(|i| Vec3::repeat(f64::from(i))).collect();
    let mut endless = shapes::cuboid([1.0; 3]);
    endless[5].y = f64::NAN;
    let refused = |points: &[Vec3]| Convex::of_points(points).unwrap_err();
    assert!(matches!(refused(&flat), ConvexError::Flat { .. }));
    assert!(matches!(refused(&line), ConvexError::Flat { .. }));
    assert!(matches!(refused(&[Vec3::x(); 7]), ConvexError::Flat { .. }));
    assert_eq!(refused(&flat[..3]), ConvexError::TooFewPoints { count: 3 });
    assert_eq!(refused(&[]), ConvexError::TooFewPoints { count: 0 });
    assert_eq!(refused(&endless), ConvexError::NotFinite { index: 5 });
    assert!(refused(&flat).to_string().contains("give the part a thickness"));
}

#[test]
fn the_furthest_corner_is_found_from_any_start() {
    let mut random = Random(25);
    let sphere: Vec<Vec3> = (0..500).map(|_| random.direction()).collect();
    for points in [sphere, shapes::prism(40, 1.0, 1.0), shapes::cuboid([1.0, 2.0, 3.0])] {
        let convex = Convex::of_points(&points).unwrap();
        for _ in 0..cases(2000, 100_000) {
            let direction = random.direction() * random.decades(1e-9, 1e9);
            let start = random.pick(&[0, 7, 1_000_000, u32::MAX]);
            let found = convex.points()[convex.support(&direction, start) as usize].dot(&direction);
            let most = points.iter().map(|p| p.dot(&direction)).fold(f64::NEG_INFINITY, f64::max);
            assert!(most - found <= 1e-14 * direction.norm(), "{found} of {most}");
        }
    }
}
