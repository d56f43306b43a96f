//! The common part of two solids against clipped half-spaces, where it is easy and where it is not.
//!
//! Tolerances, from rounding alone. A plane's place is known to ε L, with ε = 2.2e-16 and L the lengths it is computed from; 64 of these for a chain of operations. So volume is known to
//! 64 ε L S, with S the surface, times the condition 1/sin of the smallest angle of two planes, by which the line where they meet moves more than they do.

use crate::clipping::{HalfSpace, Region, half_spaces, placed, region};
use crate::random::Random;
use crate::{cases, shapes, tell};
use stiction::spatial::{Pose, Vec3};
use stiction_volume::Convex;
use stiction_volume::geometry::{IntersectionWorkspace, Owner};

const ROUNDING: f64 = 64.0 * f64::EPSILON;

struct Solid {
    convex: Convex,
    planes: Vec<HalfSpace>,
}

impl Solid {
    fn of(points: &[Vec3]) -> Solid {
        let convex = Convex::of_points(points).unwrap();
        let planes = half_spaces(points).into_iter().map(|p| p.0).collect::<Vec<_>>();
        assert_eq!(planes.len(), convex.planes().len(), "faces of the hull of {points:?}");
        Solid { convex, planes }
    }

    fn any(random: &mut Random) -> Solid {
        Solid::of(&shapes::any_convex(random).0)
    }
}

/// The largest errors so far, in units of what is allowed.
#[derive(Default)]
struct Errors {
    volume: f64,
    area: f64,
    normal: f64,
    together: usize,
}

struct Check {
    common: IntersectionWorkspace,
    errors: Errors,
    random: Random,
}

impl Check {
    fn new(seed: u64) -> Check {
        Check { common: IntersectionWorkspace::new(256), errors: Errors::default(), random: Random(seed) }
    }

    /// Intersects two solids both ways, and compares.
    fn pair(&mut self, a: &Solid, world_from_a: &Pose, b: &Solid, world_from_b: &Pose) {
        self.one_way(a, world_from_a, b, world_from_b);
        self.one_way(b, world_from_b, a, world_from_a);
    }

    fn one_way(&mut self, a: &Solid, world_from_a: &Pose, b: &Solid, world_from_b: &Pose) {
        let found = self.common.intersect(&a.convex, world_from_a, &b.convex, world_from_b);
        let (small, at) = if a.convex.radius() <= b.convex.radius() { (a, world_from_a) } else { (b, world_from_b) };
        let centre = at * nalgebra::Point3::from(small.convex.centre());
        let reach = 2.0 * small.convex.radius();
        let apart = (world_from_a.translation.vector - world_from_b.translation.vector).norm();
        let reaches = |s: &Solid| s.convex.radius() + s.convex.centre().norm();
        let lengths = reaches(a) + reaches(b) + apart + centre.coords.norm();
        let near = ROUNDING * lengths;
        let planes = placed([(&a.planes, world_from_a), (&b.planes, world_from_b)], &centre.coords);
        let direction = self.random.direction();
        let wanted = region(planes.clone(), reach, 4.0 * near, &direction);
        let what = || {
            let told = |s: &Solid, p: &Pose| format!("{:?} at {:?}", s.convex.points(), p.to_homogeneous());
            format!("{}, {}", told(a, world_from_a), told(b, world_from_b))
        };
        if !found {
            // Nothing is left of it if all planes move in by rounding.
            let shrunk = planes.iter().map(|p| HalfSpace { offset: p.offset - 2.0 * near, ..*p }).collect();
            let left = region(shrunk, reach, 0.0, &direction);
            assert!(left.surface == 0.0, "not found: {wanted:?}, {}", what());
            assert!(self.common.vertices().is_empty() && self.common.face_count() == 0 && self.common.volume() == 0.0);
            return;
        }
        let near = near * wanted.condition;
        self.errors.together += 1;
        let got = self.measured(&centre.coords, &direction);
        self.assert_whole(a, world_from_a, b, world_from_b, 4.0 * near);
        // Corners of faces of length s move by `near`, which changes areas by s near.
        let (volume, area) = (near * wanted.surface, near * reach * 8.0);
        let volume_error = (got.volume - wanted.volume).abs() / volume;
        let area_error = (got.surface - wanted.surface).abs().max((got.projected - wanted.projected).abs()) / area;
        assert!(volume_error <= 1.0, "volume {} for {}, allowed {volume}: {}", got.volume, wanted.volume, what());
        assert!(area_error <= 1.0, "area {} for {}, allowed {area}: {}", got.surface, wanted.surface, what());
        let first_error = (got.first - wanted.first).norm() / (volume * reach);
        assert!(first_error <= 1.0, "centre: {first_error}, {}", what());
        self.errors.volume = self.errors.volume.max(volume_error);
        self.errors.area = self.errors.area.max(area_error);
        // Where both have the same plane, either may own the face.
        if !wanted.shared {
            let owners = (got.areas[0] - wanted.areas[0]).norm().max((got.areas[1] - wanted.areas[1]).norm());
            assert!(owners <= area, "area vectors {:?} for {:?}: {}", got.areas, wanted.areas, what());
            self.errors.normal = self.errors.normal.max(owners / area);
        }
    }

    /// The region that was found, from its faces' corners alone.
    fn measured(&self, centre: &Vec3, direction: &Vec3) -> Region {
        let mut out = Region::default();
        for face in self.common.faces() {
            let vector = face.normal * face.area;
            out.surface += face.area;
            out.projected += 0.5 * vector.dot(direction).abs();
            out.areas[usize::from(face.owner == Owner::B)] += vector;
        }
        out.volume = self.common.volume();
        out.first = (self.common.centroid() - centre) * out.volume;
        out
    }

    /// Faces are flat, turn around their normal, have the area they say, lie on the face that they name, and close the region.
    fn assert_whole(&self, a: &Solid, world_from_a: &Pose, b: &Solid, world_from_b: &Pose, near: f64) {
        let points = self.common.vertices();
        let mut sum = Vec3::zeros();
        for face in self.common.faces() {
            let (convex, pose) =
                if face.owner == Owner::A { (&a.convex, world_from_a) } else { (&b.convex, world_from_b) };
            let plane = convex.planes()[face.face as usize];
            assert!((pose.rotation * plane.normal - face.normal).norm() < 1e-14, "normal of a face");
            let offset = plane.offset + face.normal.dot(&pose.translation.vector);
            assert!(face.corners.len() >= 3);
            let corners: Vec<Vec3> = face.corners.iter().map(|c| points[*c as usize]).collect();
            let mut vector = Vec3::zeros();
            for i in 1..corners.len() - 1 {
                vector += 0.5 * (corners[i] - corners[0]).cross(&(corners[i + 1] - corners[0]));
            }
            for corner in &corners {
                let height = face.normal.dot(corner) - offset;
                assert!(height.abs() <= near, "a corner {height:e} m off its face, allowed {near:e}");
            }
            let reach = near * convex.radius().min(a.convex.radius()).min(b.convex.radius()) * 8.0;
            assert!((vector.norm() - face.area).abs() <= reach, "area {} for {}", face.area, vector.norm());
            assert!(
                (vector - face.normal * face.area).norm() <= reach,
                "turn {vector} for {}",
                face.normal * face.area
            );
            sum += vector;
        }
        assert!(sum.norm() <= near * 16.0 * a.convex.radius().min(b.convex.radius()), "not closed: {sum}");
        for (solid, pose) in [(a, world_from_a), (b, world_from_b)] {
            for plane in solid.convex.planes() {
                let normal = pose.rotation * plane.normal;
                let offset = plane.offset + normal.dot(&pose.translation.vector);
                let out = points.iter().map(|p| normal.dot(p) - offset).fold(f64::NEG_INFINITY, f64::max);
                assert!(out <= near, "a vertex {out:e} m outside, allowed {near:e}");
            }
        }
    }

    fn tell(&self, kind: &str, pairs: usize, least_together: usize) {
        assert!(self.errors.together >= 2 * least_together, "{kind}: only {} were found", self.errors.together);
        tell(
            &format!("intersection, {pairs} {kind} pairs: volume, share of the rounding bound"),
            self.errors.volume,
            "",
            1.0,
        );
        tell(
            &format!("intersection, {pairs} {kind} pairs: area, share of the rounding bound"),
            self.errors.area,
            "",
            1.0,
        );
        tell(
            &format!("intersection, {pairs} {kind} pairs: area vectors, share of the rounding bound"),
            self.errors.normal,
            "",
            1.0,
        );
    }
}

/// A pose at which a face of b lies on a face of a, with a gap between them (m) and a shift along the face.
fn on_face(random: &mut Random, a: &Solid, world_from_a: &Pose, b: &Solid, gap: f64) -> Pose {
    let (p, q) = (random.pick(a.convex.planes()), random.pick(b.convex.planes()));
    let normal = world_from_a.rotation * p.normal;
    let spin =
        nalgebra::UnitQuaternion::from_axis_angle(&nalgebra::Unit::new_normalize(normal), random.between(0.0, 6.3));
    let onto = nalgebra::UnitQuaternion::rotation_between(&q.normal, &-normal).unwrap_or_else(|| {
        nalgebra::UnitQuaternion::from_axis_angle(
            &nalgebra::Unit::new_normalize(q.normal.cross(&Vec3::new(0.3, 0.5, 0.7))),
            std::f64::consts::PI,
        )
    });
    let rotation = spin * onto;
    let inside = world_from_a * nalgebra::Point3::from(a.convex.centroid());
    let height = p.offset + normal.dot(&world_from_a.translation.vector) + gap - normal.dot(&inside.coords) + q.offset;
    let sideways = random.ball() * 0.3 * a.convex.radius();
    let sideways = sideways - normal * normal.dot(&sideways);
    let centre = rotation * b.convex.centroid();
    let centre = centre - normal * normal.dot(&centre);
    Pose::from_parts((inside.coords + normal * height + sideways - centre).into(), rotation)
}

#[test]
fn generic_pairs() {
    let (pairs, mut check) = (cases(3000, 100_000), Check::new(1));
    let mut random = Random(2);
    for _ in 0..pairs {
        let (a, b) = (Solid::any(&mut random), Solid::any(&mut random));
        let far = a.convex.radius() + b.convex.radius();
        let (pa, pb) = (random.pose(1.0), random.pose(far));
        let shift = pa.translation.vector - pb.rotation * b.convex.centre() + pa.rotation * a.convex.centre();
        let pb = Pose::from_parts((pb.translation.vector + shift).into(), pb.rotation);
        check.pair(&a, &pa, &b, &pb);
    }
    check.tell("generic", pairs, pairs / 4);
}

#[test]
fn touching_pairs() {
    let (pairs, mut check) = (cases(2000, 100_000), Check::new(3));
    let mut random = Random(4);
    for _ in 0..pairs {
        let (a, b) = (Solid::any(&mut random), Solid::any(&mut random));
        let pa = random.pose(1.0);
        let gap = random.pick(&[0.0, 1e-16, -1e-16, 1e-12, -1e-12, -1e-11, -1e-9, -1e-6, -1e-3]);
        let pb = on_face(&mut random, &a, &pa, &b, gap);
        check.pair(&a, &pa, &b, &pb);
    }
    check.tell("touching", pairs, pairs / 6);
}

#[test]
fn nested_pairs() {
    let (pairs, mut check) = (cases(1000, 100_000), Check::new(5));
    let mut random = Random(6);
    for _ in 0..pairs {
        let (points, a) = shapes::any_convex(&mut random);
        let a = Solid { convex: a, planes: half_spaces(&points).into_iter().map(|p| p.0).collect() };
        let (inner, b) = shapes::any_convex(&mut random);
        let pa = random.pose(1.0);
        // In the largest ball about the centre.
        let middle = a.convex.centroid();
        let room = a.convex.planes().iter().map(|p| p.offset - p.normal.dot(&middle)).fold(f64::MAX, f64::min);
        let scale = room * random.decades(0.01, 0.99) / b.radius();
        let b = Solid::of(&inner.iter().map(|p| (p - b.centre()) * scale).collect::<Vec<_>>());
        let pb = Pose::from_parts((pa * nalgebra::Point3::from(middle)).coords.into(), random.rotation());
        check.pair(&a, &pa, &b, &pb);
        assert!((check.common.volume() / b.convex.volume() - 1.0).abs() < 1e-12);
        assert_eq!(check.common.face_count(), b.convex.planes().len());
    }
    check.tell("nested", pairs, pairs);
}

/// Slabs and needles down to a millionth of their length, in each other and in thick solids. Clipping in these places is no better than the least angle of three planes; but squeezing space squeezes
/// volumes by the same factor, so the reference is found where the first solid is as thick as it is long. There a plane n·x ≤ d of the squeezed world is (T n)·y ≤ d, with x = T y.
#[test]
fn slivers() {
    let pairs = cases(3000, 100_000);
    let mut random = Random(8);
    let mut common = IntersectionWorkspace::new(256);
    let (mut worst, mut together): (f64, usize) = (0.0, 0);
    for i in 0..pairs {
        let thin = 0.5f64.powi(random.between(5.0, 21.0) as i32);
        let squeeze = if random.unit() < 0.5 { Vec3::new(1.0, 1.0, thin) } else { Vec3::new(1.0, thin, thin) };
        let thick = Solid::any(&mut random);
        let squeezed = |points: &[Vec3]| {
            Convex::of_points(&points.iter().map(|p| p.component_mul(&squeeze)).collect::<Vec<_>>()).unwrap()
        };
        let a = squeezed(thick.convex.points());
        let other = Solid::any(&mut random);
        let rotation = random.rotation();
        let (b, to, planes) = if i % 2 == 0 {
            let to = thick.convex.centroid() + random.ball() * 0.5 - rotation * other.convex.centroid();
            let at = Pose::from_parts(to.into(), rotation);
            let points: Vec<Vec3> =
                other.convex.points().iter().map(|p| (at * nalgebra::Point3::from(*p)).coords).collect();
            (
                squeezed(&points),
                Pose::identity(),
                placed([(&thick.planes, &Pose::identity()), (&other.planes, &at)], &Vec3::zeros()),
            )
        } else {
            let to = a.centroid() + random.ball() * 0.5 - rotation * other.convex.centroid();
            let at = Pose::from_parts(to.into(), rotation);
            let mut planes = placed([(&thick.planes, &Pose::identity()), (&other.planes, &at)], &Vec3::zeros());
            for plane in planes.iter_mut().filter(|p| p.owner == 1) {
                let normal = plane.normal.component_mul(&squeeze);
                *plane = HalfSpace { normal: normal.normalize(), offset: plane.offset / normal.norm(), owner: 1 };
            }
            (other.convex.clone(), at, planes)
        };
        let wanted = region(planes, 2.0 * (thick.convex.radius() + thick.convex.centre().norm()), 0.0, &Vec3::z());
        let by = random.pose(1.0);
        for order in 0..2 {
            let (first, second) = (by, by * to);
            let found = if order == 0 {
                common.intersect(&a, &first, &b, &second)
            } else {
                common.intersect(&b, &second, &a, &first)
            };
            let lengths =
                a.radius() + a.centre().norm() + b.radius() + b.centre().norm() + 2.0 + to.translation.vector.norm();
            let surface: f64 = common.faces().map(|f| f.area).sum();
            let factor = squeeze.product();
            // The rounding of poses moves planes of the squeezed solids; that of the reference is squeezed with it.
            let allowed = ROUNDING
                * lengths
                * (surface.max(wanted.surface * factor) + wanted.surface * wanted.condition * factor);
            let error = (common.volume() - factor * wanted.volume).abs();
            if !found {
                assert!(factor * wanted.volume <= ROUNDING * lengths * 10.0 * wanted.surface, "not found: {wanted:?}");
                continue;
            }
            together += 1;
            assert!(
                error <= allowed,
                "volume {:e} for {:e}, allowed {allowed:e}",
                common.volume(),
                factor * wanted.volume
            );
            worst = worst.max(error / allowed);
        }
    }
    assert!(together > pairs);
    tell(&format!("intersection, {pairs} sliver pairs: volume, share of the rounding bound"), worst, "", 1.0);
}

#[test]
fn parallel_faces() {
    let (pairs, mut check) = (cases(2000, 100_000), Check::new(9));
    let mut random = Random(10);
    for _ in 0..pairs {
        let sizes = [0.25, 0.5, 1.0];
        let block = |random: &mut Random| Solid::of(&shapes::cuboid([0; 3].map(|_| random.pick(&sizes))));
        let (a, b) = (block(&mut random), block(&mut random));
        // Flush sides, full faces, edges and corners on each other, with quarter turns and without.
        let shift = Vec3::from_fn(|_, _| random.pick(&[-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.1, 1.0]));
        let pa = if random.unit() < 0.5 { Pose::identity() } else { random.pose(2.0) };
        let quarter = nalgebra::UnitQuaternion::from_axis_angle(
            &Vec3::z_axis(),
            random.pick(&[0.0, 0.5, 1.0]) * std::f64::consts::PI,
        );
        let pb = pa * Pose::from_parts(shift.into(), quarter);
        check.pair(&a, &pa, &b, &pb);
    }
    check.tell("parallel", pairs, pairs / 3);
}

#[test]
fn coincident_pairs() {
    let (pairs, mut check) = (cases(1000, 100_000), Check::new(11));
    let mut random = Random(12);
    for _ in 0..pairs {
        let a = Solid::any(&mut random);
        let pa = random.pose(1.0);
        check.pair(&a, &pa, &a, &pa);
        assert!((check.common.volume() / a.convex.volume() - 1.0).abs() < 1e-12);
    }
    check.tell("coincident", pairs, pairs);
}

/// Where planes nearly coincide, which of them bounds the common part is decided by rounding, and no area of a face can be compared. But the volume of the common part of a solid with itself,
/// turned by an angle about a point inside, is known: points move by at most the angle times R, so the volume lacks at most S R times the angle.
#[test]
fn pairs_turned_by_a_nanoradian() {
    let pairs = cases(1000, 100_000);
    let mut random = Random(14);
    let mut common = IntersectionWorkspace::new(256);
    let mut most: f64 = 0.0;
    for _ in 0..pairs {
        let a = Solid::any(&mut random);
        let pa = random.pose(1.0);
        let axis = nalgebra::Unit::new_normalize(random.direction());
        let angle = random.pick(&[1e-9, 1e-12, 1e-15, 1e-7]);
        let turn = nalgebra::UnitQuaternion::from_axis_angle(&axis, angle);
        let middle = (pa * nalgebra::Point3::from(a.convex.centroid())).coords;
        let to = turn * (pa.translation.vector - middle) + middle;
        let pb = Pose::from_parts(to.into(), turn * pa.rotation);
        let radius = 2.0 * a.convex.radius();
        let whole = region(a.planes.clone(), 10.0, 0.0, &Vec3::z());
        for (p, q) in [(&pa, &pb), (&pb, &pa)] {
            assert!(common.intersect(&a.convex, p, &a.convex, q));
            let allowed = whole.surface * (radius * angle + ROUNDING * 8.0);
            let error = (common.volume() - a.convex.volume()).abs() / allowed;
            assert!(error <= 1.0, "volume {} of {}, turned {angle}", common.volume(), a.convex.volume());
            most = most.max(error);
            // The surface is closed, and as large as the solid's but for the rims that the turn uncovers.
            let closed: Vec3 = common.faces().map(|f| f.normal * f.area).sum();
            assert!(closed.norm() <= 1e-4 * whole.surface, "not closed: {closed}");
            let surface: f64 = common.faces().map(|f| f.area).sum();
            assert!((surface / whole.surface - 1.0).abs() < 1e-4, "surface {surface} of {}", whole.surface);
        }
    }
    tell(
        &format!("intersection, {pairs} pairs turned by 1e-15 to 1e-7 rad: volume, share of the bound"),
        most,
        "",
        1.0,
    );
}

#[test]
fn large_beside_small() {
    let (pairs, mut check) = (cases(1000, 100_000), Check::new(15));
    let mut random = Random(16);
    for _ in 0..pairs {
        let scale = random.decades(1e2, 1e5);
        let points = shapes::any_convex(&mut random).0;
        let a = Solid::of(&points.iter().map(|p| p * scale).collect::<Vec<_>>());
        let b = Solid::any(&mut random);
        let pa = random.pose(scale);
        // In the surface of the large one, most of the time.
        let gap = random.between(-2.0, 0.5) * b.convex.radius();
        let on = on_face(&mut random, &a, &pa, &b, gap);
        let pb = if random.unit() < 0.5 { on } else { Pose::from_parts(on.translation, random.rotation()) };
        check.pair(&a, &pa, &b, &pb);
    }
    check.tell("large beside small", pairs, pairs / 4);
}
