//! Distances by GJK: against parry, and by certificates that need no other program.
//!
//! For two points and a direction n it is enough that one is on each solid, that they are d n apart, and that the solids are d apart along n: then nothing is nearer.

use crate::random::Random;
use crate::{cases, shapes, tell};
use parry3d_f64::math::{Pose as ParryPose, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::ConvexPolyhedron;
use stiction::spatial::{Pose, Vec3};
use stiction_volume::Convex;
use stiction_volume::geometry::{GjkMemory, IntersectionWorkspace, Proximity, proximity};

/// Errors of what GJK says (m).
#[derive(Default)]
struct Errors {
    off_solid: f64,
    not_nearest: f64,
    apart: usize,
}

impl Errors {
    #[allow(clippy::too_many_arguments)]
    fn check(&mut self, a: &Convex, pa: &Pose, b: &Convex, pb: &Pose, found: &Proximity, allowed: f64, along: f64) {
        let out = |c: &Convex, pose: &Pose, p: &Vec3| {
            let at = pose.inverse() * nalgebra::Point3::from(*p);
            c.planes().iter().map(|f| f.normal.dot(&at.coords) - f.offset).fold(f64::NEG_INFINITY, f64::max)
        };
        match found {
            Proximity::Apart { distance, on_a, on_b, normal } => {
                self.apart += 1;
                assert!((normal.norm() - 1.0).abs() < 1e-12);
                let off = out(a, pa, on_a).max(out(b, pb, on_b)).max(((on_b - on_a).norm() - distance).abs());
                assert!(off <= allowed, "nearest points are {off:e} m off, allowed {allowed:e}: {found:?}");
                let most = |c: &Convex, pose: &Pose, n: Vec3| {
                    let world = |p: &Vec3| n.dot(&(pose * nalgebra::Point3::from(*p)).coords);
                    c.points().iter().map(world).fold(f64::NEG_INFINITY, f64::max)
                };
                let apart = -most(b, pb, -normal) - most(a, pa, *normal);
                let error = (distance - apart).abs();
                assert!(error <= along, "apart by {apart} along the normal, not {distance}, allowed {along:e}");
                self.off_solid = self.off_solid.max(off);
                self.not_nearest = self.not_nearest.max(error);
            }
            Proximity::Together { common } => {
                let off = out(a, pa, common).max(out(b, pb, common));
                assert!(off <= allowed, "the common point is {off:e} m outside, allowed {allowed:e}");
            }
        }
    }
}

/// The pair in parry, in the world's axes.
fn parry_distance(a: &Convex, pa: &Pose, b: &Convex, pb: &Pose) -> Option<f64> {
    let solid = |c: &Convex, pose: &Pose| {
        let points: Vec<Vector> = c
            .points()
            .iter()
            .map(|p| {
                let p = pose * nalgebra::Point3::from(*p);
                Vector::new(p.x, p.y, p.z)
            })
            .collect();
        ConvexPolyhedron::from_convex_hull(&points)
    };
    let here = ParryPose::IDENTITY;
    let (a, b) = (solid(a, pa)?, solid(b, pb)?);
    Some(query::distance(&here, &a, &here, &b).ok()?.distance)
}

#[test]
fn distances_are_parrys_and_certified() {
    let mut random = Random(31);
    let pairs = cases(3000, 100_000);
    let (mut errors, mut from_parry, mut compared) = (Errors::default(), 0.0f64, 0);
    for _ in 0..pairs {
        let (a, b) = (shapes::any_convex(&mut random).1, shapes::any_convex(&mut random).1);
        let far = random.decades(0.3, 30.0);
        let (pa, pb) = (random.pose(far), random.pose(far));
        let found = proximity(&a, &pa, &b, &pb, &mut GjkMemory::default());
        errors.check(&a, &pa, &b, &pb, &found, 1e-11 * (2.0 + far), 1e-11 * (2.0 + far));
        let Some(theirs) = parry_distance(&a, &pa, &b, &pb) else { continue };
        compared += 1;
        let ours = if let Proximity::Apart { distance, .. } = found { distance } else { 0.0 };
        // Parry stops where its bounds are within 1e-7 or so of each other.
        from_parry = from_parry.max((ours - theirs).abs() / (2.0 + far));
    }
    assert!(compared > pairs * 99 / 100 && errors.apart > pairs / 2);
    tell(&format!("distance of {pairs} pairs: from parry's, relative to their place"), from_parry, "", 1e-6);
    tell(&format!("distance of {pairs} pairs: from the distance along the normal"), errors.not_nearest, "m", 1e-9);
    tell(&format!("distance of {pairs} pairs: nearest points off the solids"), errors.off_solid, "m", 1e-9);
}

/// Solids side by side with parallel faces, edges or flush corners, at gaps down to rounding.
#[test]
fn small_gaps_between_parallel_faces_have_their_distance_and_normal() {
    let mut random = Random(32);
    for _ in 0..cases(2000, 50_000) {
        let [a, b] = [0; 2].map(|_| {
            Convex::of_points(&shapes::cuboid([0.25, 0.5, 1.0].map(|s| s * random.pick(&[1.0, 2.0])))).unwrap()
        });
        let gap = random.pick(&[1e-12, 1e-10, 1e-8, 1e-6, 1e-3, 1.0]);
        let axis = random.below(3);
        let mut shift = Vec3::from_fn(|_, _| random.pick(&[-0.5, 0.0, 0.25, 0.1]));
        shift[axis] = a.upper()[axis] - b.lower()[axis] + gap;
        let pa = random.pose(1.0);
        let pb = pa * Pose::translation(shift.x, shift.y, shift.z);
        let found = proximity(&a, &pa, &b, &pb, &mut GjkMemory::default());
        // Points are known to four roundings of the lengths that they are computed from, and a direction between two that are a gap apart to that over the gap; by as large an angle the solids overlap along it.
        let sizes = a.radius() + b.radius();
        let lengths = sizes + a.centre().norm() + b.centre().norm() + shift.norm();
        let turned = 4.0 * f64::EPSILON * lengths / gap;
        Errors::default().check(&a, &pa, &b, &pb, &found, 1e-14, 1e-14 + turned * sizes);
        let Proximity::Apart { distance, normal, .. } = found else { panic!("not apart at {gap:e}") };
        assert!((distance - gap).abs() < 1e-14, "{distance:e} for {gap:e}");
        // A triangle of the difference gives the normal; an edge or a corner only the direction of a short vector.
        let error = (normal - pa.rotation * Vec3::ith(axis, 1.0)).norm();
        assert!(error < 1e-14 + turned, "normal off by {error:e} at a gap of {gap:e}");
    }
}

/// What is remembered changes nothing, whatever it is; and it saves steps only where it is right.
#[test]
fn memory_does_not_change_the_answer() {
    let mut random = Random(33);
    let mut most: f64 = 0.0;
    for _ in 0..cases(200, 5000) {
        let (a, b) = (shapes::any_convex(&mut random).1, shapes::any_convex(&mut random).1);
        let (pa, mut pb) = (random.pose(1.0), random.pose(3.0));
        let (mut warm, mut stale) = (GjkMemory::default(), GjkMemory::default());
        proximity(&a, &pa, &b, &random.pose(3.0), &mut stale);
        for _ in 0..50 {
            let turn = nalgebra::UnitQuaternion::from_scaled_axis(random.ball() * 0.02);
            let to = pb.translation.vector + random.ball() * 0.02;
            pb = Pose::from_parts(to.into(), turn * pb.rotation);
            let cold = proximity(&a, &pa, &b, &pb, &mut GjkMemory::default());
            for memory in [&mut warm, &mut stale.clone()] {
                let found = proximity(&a, &pa, &b, &pb, memory);
                Errors::default().check(&a, &pa, &b, &pb, &found, 1e-11, 1e-11);
                let distance = |p: &Proximity| if let Proximity::Apart { distance, .. } = p { *distance } else { 0.0 };
                most = most.max((distance(&found) - distance(&cold)).abs());
            }
        }
    }
    tell("distance with memory against without", most, "m", 1e-11);
}

/// Solids that overlap by more than rounding are together, and those that do not are apart.
#[test]
fn distance_and_intersection_agree() {
    let mut random = Random(34);
    let (mut together, mut apart) = (0, 0);
    for _ in 0..cases(3000, 100_000) {
        let (a, b) = (shapes::any_convex(&mut random).1, shapes::any_convex(&mut random).1);
        let (pa, pb) = (random.pose(1.0), random.pose(1.0));
        let mut common = IntersectionWorkspace::new(128);
        let overlap = common.intersect(&a, &pa, &b, &pb);
        match proximity(&a, &pa, &b, &pb, &mut GjkMemory::default()) {
            Proximity::Together { .. } => together += usize::from(overlap),
            Proximity::Apart { distance, .. } => {
                assert!(!overlap, "apart by {distance:e} with a common volume of {:e}", common.volume());
                apart += 1;
            }
        }
    }
    assert!(together > 300 && apart > 300, "{together} {apart}");
}
