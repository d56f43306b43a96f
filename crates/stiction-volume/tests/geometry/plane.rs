//! Contact planes where they are known: boxes on floors, on edges and on corners; and under common motion.

use crate::random::Random;
use crate::{cases, shapes, tell};
use stiction::spatial::{Pose, Vec3};
use stiction_volume::Convex;
use stiction_volume::geometry::{ContactPlane, GjkMemory, IntersectionWorkspace, contact_plane, first_normal};

/// What a first contact does: the intersection's normal, then the plane from it; twice, as a second step would from the first one's result.
fn plane(a: &Convex, pa: &Pose, b: &Convex, pb: &Pose) -> [ContactPlane; 2] {
    let mut common = IntersectionWorkspace::new(a.planes().len() + b.planes().len());
    assert!(common.intersect(a, pa, b, pb), "they do not overlap");
    let normal = first_normal(&common, a, pa, b, pb);
    assert!((normal.norm() - 1.0).abs() < 1e-14);
    let mut memory = GjkMemory::default();
    let first = contact_plane(a, pa, b, pb, &normal, 0.0, &mut memory);
    [first, contact_plane(a, pa, b, pb, &first.normal, first.depth, &mut memory)]
}

fn hull(points: &[Vec3]) -> Convex {
    Convex::of_points(points).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(x, y, z)
}

fn floor() -> (Convex, Pose) {
    (hull(&shapes::cuboid([50.0, 40.0, 0.5])), at(0.0, 0.0, -0.5))
}

fn turned(axis: Vec3, angle: f64, x: f64, y: f64, z: f64) -> Pose {
    let axis = nalgebra::Unit::new_normalize(axis);
    Pose::from_parts(Vec3::new(x, y, z).into(), nalgebra::UnitQuaternion::from_axis_angle(&axis, angle))
}

#[test]
fn a_box_flat_on_a_floor_is_pushed_up_by_its_depth() {
    let (floor, under) = floor();
    let cube = hull(&shapes::cuboid([0.5; 3]));
    for depth in [1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.3] {
        for (x, y) in [(0.0, 0.0), (3.0, -7.0), (49.9, 39.9)] {
            let on = at(x, y, 0.5 - depth);
            for found in plane(&floor, &under, &cube, &on) {
                assert!((found.normal - Vec3::z()).norm() < 1e-12, "{found:?} at {depth}");
                assert!((found.depth - depth).abs() < 1e-12, "{found:?} at {depth}");
                assert!((found.point.z + 0.5 * depth).abs() < 1e-12, "{found:?} at {depth}");
            }
            // The other way round the normal is from the box to the floor.
            for found in plane(&cube, &on, &floor, &under) {
                assert!((found.normal + Vec3::z()).norm() < 1e-12 && (found.depth - depth).abs() < 1e-12);
                assert!((found.point.z + 0.5 * depth).abs() < 1e-12, "{found:?} at {depth}");
            }
        }
    }
}

#[test]
fn a_box_on_its_edge_or_corner_is_pushed_up_by_its_depth() {
    let (floor, under) = floor();
    let cube = hull(&shapes::cuboid([0.5; 3]));
    let corner = turned(Vec3::new(1.0, -1.0, 0.0), (1.0f64 / 3.0).sqrt().acos(), 0.0, 0.0, 0.0);
    let edge = turned(Vec3::x(), std::f64::consts::FRAC_PI_4, 0.0, 0.0, 0.0);
    let tilted = turned(Vec3::x(), 0.1, 0.0, 0.0, 0.0);
    for (pose, height) in
        [(corner, 0.75f64.sqrt()), (edge, 0.5f64.sqrt()), (tilted, 0.5 * (0.1f64.cos() + 0.1f64.sin()))]
    {
        for depth in [1e-6, 1e-3, 0.05] {
            let on = at(1.0, 2.0, height - depth) * pose;
            for found in plane(&floor, &under, &cube, &on) {
                assert!((found.normal - Vec3::z()).norm() < 1e-9, "{found:?} at {depth}");
                assert!((found.depth - depth).abs() < 1e-9 && (found.point.z + 0.5 * depth).abs() < 1e-9, "{found:?}");
            }
        }
    }
}

#[test]
fn crossed_edges_touch_along_the_normal_of_both() {
    // Two long prisms, each with an edge towards the other, at an angle: the normal is the cross product of the edges.
    let beam = hull(&shapes::cuboid([4.0, 0.5, 0.5]));
    let on_edge = turned(Vec3::x(), std::f64::consts::FRAC_PI_4, 0.0, 0.0, 0.0);
    for angle in [0.3, 0.8, std::f64::consts::FRAC_PI_2, 2.0] {
        for depth in [1e-6, 1e-3, 0.02] {
            let upper = turned(Vec3::z(), angle, 0.0, 0.0, 2.0 * 0.5f64.sqrt() - depth) * on_edge;
            for found in plane(&beam, &on_edge, &beam, &upper) {
                assert!((found.normal - Vec3::z()).norm() < 1e-9, "{found:?} at {angle}, {depth}");
                assert!((found.depth - depth).abs() < 1e-9, "{found:?} at {angle}, {depth}");
                let middle = Vec3::new(0.0, 0.0, 0.5f64.sqrt() - 0.5 * depth);
                assert!((found.point - middle).norm() < 1e-9, "{found:?} at {angle}, {depth}");
            }
        }
    }
}

#[test]
fn a_solid_within_another_or_at_the_same_place_leaves_by_the_shortest_way() {
    let block = hull(&shapes::cuboid([2.0, 1.0, 1.5]));
    let small = hull(&shapes::cuboid([0.1, 0.2, 0.3]));
    let here = Pose::identity();
    // Nested: 0.3 from the top of y to the small one's top; it leaves by 1.0 + 0.2 - 0.5.
    let inside = at(0.1, 0.5, 0.2);
    for found in plane(&block, &here, &small, &inside) {
        assert!((found.normal - Vec3::y()).norm() < 1e-12, "{found:?}");
        assert!((found.depth - 0.7).abs() < 1e-12, "{found:?}");
    }
    for found in plane(&small, &inside, &block, &here) {
        assert!((found.normal + Vec3::y()).norm() < 1e-12 && (found.depth - 0.7).abs() < 1e-12, "{found:?}");
    }
    // Coincident: along y, either way, by its whole width.
    for found in plane(&block, &here, &block, &here) {
        assert!(found.normal.y.abs() > 1.0 - 1e-12 && (found.depth - 2.0).abs() < 1e-12, "{found:?}");
    }
}

/// The plane's definition: B, moved out of A by the depth along the normal, touches A, and touches it nowhere deeper.
#[test]
fn moved_by_the_depth_along_the_normal_solids_touch() {
    let mut random = Random(41);
    let (mut seen, mut most) = (0, 0.0f64);
    let pairs = cases(3000, 100_000);
    for _ in 0..pairs {
        let (a, b) = (shapes::any_convex(&mut random).1, shapes::any_convex(&mut random).1);
        let (pa, pb) = (random.pose(1.0), random.pose(1.0));
        let mut common = IntersectionWorkspace::new(128);
        if !common.intersect(&a, &pa, &b, &pb) {
            continue;
        }
        seen += 1;
        for found in plane(&a, &pa, &b, &pb) {
            let reach = |c: &Convex, p: &Pose, n: Vec3| {
                c.points()
                    .iter()
                    .map(|x| n.dot(&(p * nalgebra::Point3::from(*x)).coords))
                    .fold(f64::NEG_INFINITY, f64::max)
            };
            let overlap = reach(&a, &pa, found.normal) + reach(&b, &pb, -found.normal);
            let error = (overlap - found.depth).abs();
            assert!(error < 1e-7, "{found:?}, overlap {overlap}");
            most = most.max(error);
            assert!(found.depth > 0.0);
            // Midway between the deepest points.
            let top = reach(&a, &pa, found.normal) - 0.5 * overlap;
            assert!((found.normal.dot(&found.point) - top).abs() < 1e-7);
        }
    }
    assert!(seen > pairs / 4);
    tell(&format!("contact plane, {pairs} pairs: depth against the overlap along the normal"), most, "m", 1e-7);
}

#[test]
fn common_motion_moves_the_plane_along() {
    let mut random = Random(42);
    let (mut seen, mut most) = (0, 0.0f64);
    for _ in 0..cases(2000, 100_000) {
        let (a, b) = (shapes::any_convex(&mut random).1, shapes::any_convex(&mut random).1);
        let (pa, pb) = (random.pose(1.0), random.pose(1.0));
        let mut common = IntersectionWorkspace::new(128);
        // Of pairs that hardly overlap the first normal is that of a few rounded areas.
        if !common.intersect(&a, &pa, &b, &pb) || common.volume() < 1e-6 {
            continue;
        }
        seen += 1;
        let (volume, by) = (common.volume(), random.pose(10.0));
        assert!(common.intersect(&a, &(by * pa), &b, &(by * pb)));
        assert!((common.volume() - volume).abs() < 1e-12, "volume");
        let (here, there) = (plane(&a, &pa, &b, &pb), plane(&a, &(by * pa), &b, &(by * pb)));
        for (here, there) in here.iter().zip(&there) {
            let error = (by.rotation * here.normal - there.normal).norm().max((here.depth - there.depth).abs());
            assert!(error < 1e-8, "{here:?} and {there:?}");
            most = most.max(error);
        }
    }
    assert!(seen > 300);
    tell("contact plane: normal and depth under common motion", most, "", 1e-8);
}
