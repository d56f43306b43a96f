//! The integrals over contact areas: (7), (8), (11), (12), (15), (16), (21) to (29) of the paper, against quadrature of what they integrate; and what is misprinted there, which must fail.
//!
//! Triangles have corners p, heights h over the plane, area S_t, and are part of an area S_c; forces are per coefficient: k_N = b_N = k_S = b_S = 1.

use crate::clipping::{half_spaces, placed, region};
use crate::quadrature::{fine_mean, mean};
use crate::random::Random;
use crate::{cases, shapes, tell};
use stiction::spatial::{Mat3, Pose, Vec3};
use stiction_volume::Convex;
use stiction_volume::geometry::{GjkMemory, IntersectionWorkspace, contact_plane, first_normal};
use stiction_volume::patch::{Corner, Displacement, FlatIntersection, MOST_OUTLINE, Moments, PlaneAxes, Vec2, cross};

/// As the issue asks.
const RELATIVE: f64 = 1e-6;
/// A misprint changes a force or moment by at least this, for half of all triangles.
const WRONG: f64 = 0.05;

/// A triangle in the plane z = 0 with normal n = z, heights, and a relative motion.
struct Case {
    p: [Vec3; 3],
    h: [f64; 3],
    v: Vec3,
    w: Vec3,
}

impl Case {
    fn any(random: &mut Random) -> Case {
        loop {
            let shift = random.ball();
            let p = [0; 3].map(|_| random.ball() + shift).map(|p| Vec3::new(p.x, p.y, 0.0));
            let h = [0; 3].map(|_| random.between(0.01, 1.0));
            if (p[1] - p[0]).cross(&(p[2] - p[0])).z > 0.05 {
                return Case { p, h, v: random.ball(), w: random.ball() };
            }
        }
    }

    fn at(&self, bary: [f64; 3]) -> Vec3 {
        self.p[0] * bary[0] + self.p[1] * bary[1] + self.p[2] * bary[2]
    }

    fn height(&self, bary: [f64; 3]) -> f64 {
        self.h[0] * bary[0] + self.h[1] * bary[1] + self.h[2] * bary[2]
    }

    fn mean(&self) -> Vec3 {
        self.at([1.0 / 3.0; 3])
    }

    fn mean_height(&self) -> f64 {
        self.height([1.0 / 3.0; 3])
    }

    /// The mean of a vector over the triangle, by quadrature.
    fn quadrature(&self, of: impl Fn(Vec3, f64) -> Vec3) -> Vec3 {
        Vec3::from(mean(|bary| of(self.at(bary), self.height(bary)).into()))
    }

    fn corners(&self) -> [Corner; 3] {
        [0, 1, 2].map(|i| Corner { p: self.p[i].xy(), h: self.h[i] })
    }

    fn area(&self) -> f64 {
        0.5 * (self.p[1] - self.p[0]).cross(&(self.p[2] - self.p[0])).z
    }
}

fn relative(got: Vec3, wanted: Vec3) -> f64 {
    (got - wanted).norm() / wanted.norm()
}

/// The paper's weights: 3/4 of the product of the means, and 1/12 of the sum of the products at the corners.
fn weighted(of_means: Vec3, of_corners: [Vec3; 3]) -> Vec3 {
    0.75 * of_means + (of_corners[0] + of_corners[1] + of_corners[2]) / 12.0
}

const N: Vec3 = Vec3::new(0.0, 0.0, 1.0);

/// Errors of formulas over many triangles: the largest for those that are right, the median for those that are not.
#[derive(Default)]
struct Told(Vec<(&'static str, bool, Vec<f64>)>);

impl Told {
    fn add(&mut self, what: &'static str, right: bool, error: f64) {
        match self.0.iter_mut().find(|t| t.0 == what) {
            Some(known) => known.2.push(error),
            None => self.0.push((what, right, vec![error])),
        }
    }

    fn check(mut self) {
        for (what, right, errors) in &mut self.0 {
            errors.sort_by(f64::total_cmp);
            if *right {
                tell(&format!("{what}: largest relative error"), errors[errors.len() - 1], "", RELATIVE);
            } else {
                let median = errors[errors.len() / 2];
                assert!(median > WRONG, "{what} is said to be wrong, but its median error is {median}");
                println!("{what}: median error {:.0} %", 100.0 * median);
            }
        }
    }
}

#[test]
fn closed_forms_are_those_of_quadrature_and_misprints_are_not() {
    let mut random = Random(61);
    let mut told = Told::default();
    for _ in 0..cases(500, 100_000) {
        let case = Case::any(&mut random);
        let Case { p, h, v, w } = &case;
        let (mean_p, mean_h) = (case.mean(), case.mean_height());
        let each = |of: &dyn Fn(usize) -> Vec3| [of(0), of(1), of(2)];

        // (7), (8): the normal spring.
        let force = case.quadrature(|_, h| h * N);
        told.add("(7)", true, relative(mean_h * N, force));
        let moment = case.quadrature(|p, h| p.cross(&(h * N)));
        told.add("(8)", true, relative(weighted(mean_h * mean_p, each(&|i| h[i] * p[i])).cross(&N), moment));

        // (11), (12): the normal damper.
        let velocity = |p: Vec3| N * N.dot(&(v + w.cross(&p)));
        let force = case.quadrature(|p, _| velocity(p));
        told.add("(11)", true, relative(velocity(mean_p), force));
        let moment = case.quadrature(|p, _| p.cross(&velocity(p)));
        let turn = N.cross(w);
        let of_corners = each(&|i| p[i].dot(&turn) * p[i]);
        let corrected = N.dot(v) * mean_p + weighted(mean_p.dot(&turn) * mean_p, of_corners);
        told.add("(12), corrected", true, relative(corrected.cross(&N), moment));
        let printed = weighted(N.dot(v) * mean_p, of_corners);
        told.add("(12), as printed", false, relative(printed.cross(&N), moment));

        // (21), (22): the spring of static friction. r in the plane, θ along the normal.
        let (r, theta) = (Vec3::new(v.x, v.y, 0.0), w.z);
        let stretched = |p: Vec3| r + theta * N.cross(&p);
        let force = case.quadrature(|p, _| -stretched(p));
        told.add("(21)", true, relative(-stretched(mean_p), force));
        let moment = case.quadrature(|p, _| -p.cross(&stretched(p)));
        let squares = (0..3).map(|i| p[i].dot(&p[i]) + p[i].dot(&p[(i + 1) % 3])).sum::<f64>() / 6.0;
        told.add("(22), (24), corrected", true, relative(-(mean_p.cross(&r) + theta * squares * N), moment));
        told.add("(22), (24), as printed", false, relative(-(r.cross(&mean_p) + theta * squares * N), moment));

        // (27) to (29): its damper. The angular velocity along the normal moves points in the plane; that in the plane does not.
        let flat = |x: Vec3| x - N * N.dot(&x);
        let of_motion = |p: Vec3| flat(v + w.cross(&p));
        let force = case.quadrature(|p, _| -of_motion(p));
        let along = N * N.dot(w);
        told.add("(27), (28), corrected", true, relative(-(flat(*v) + along.cross(&mean_p)), force));
        told.add("(27), (28), as printed", false, relative(-(flat(*v) + flat(*w).cross(&mean_p)), force));
        let moment = case.quadrature(|p, _| -p.cross(&of_motion(p)));
        told.add("(29), corrected", true, relative(-(mean_p.cross(&flat(*v)) + squares * along), moment));
        told.add("(29), as printed", false, relative(-(flat(*v).cross(&mean_p) + squares * along), moment));

        // (15), (16): what (14) interpolates between the corners. (17) divides by S_c once more than it may: wrong by S_c, unless that is 1.
        let f = each(&|i| h[i] * stretched(p[i]).normalize());
        let interpolated = |b: [f64; 3]| f[0] * b[0] + f[1] * b[1] + f[2] * b[2];
        let force = Vec3::from(mean(|b| interpolated(b).into()));
        let moment = Vec3::from(mean(|b| case.at(b).cross(&interpolated(b)).into()));
        let mean_f = (f[0] + f[1] + f[2]) / 3.0;
        told.add("(15)", true, relative(mean_f, force));
        told.add("(16)", true, relative(weighted(mean_p.cross(&mean_f), each(&|i| p[i].cross(&f[i]))), moment));
        told.add("(15) with (17) as printed", false, relative(mean_f / case.area(), force));

        // The same of `patch.rs`: integrals, not means.
        let (corners, area) = (case.corners(), case.area());
        let mut moments = Moments::default();
        moments.add(&corners);
        told.add("Moments: area", true, (moments.area / area - 1.0).abs());
        told.add("Moments: first", true, relative(moments.first.push(0.0), case.quadrature(|p, _| p) * area));
        told.add("Moments: volume", true, (moments.volume / (case.quadrature(|_, h| h * N).z * area) - 1.0).abs());
        told.add("Moments: pressed", true, relative(moments.pressed.push(0.0), case.quadrature(|p, h| p * h) * area));
        let [xx, xy, yy] = mean(|b| {
            let p = case.at(b);
            [p.x * p.x, p.x * p.y, p.y * p.y]
        });
        told.add("Moments: second", true, relative(Vec3::from(moments.second), Vec3::new(xx, xy, yy) * area));
        // A side that looks against n counts against its depth, and not as area.
        let mut below = Moments::default();
        below.add(&[corners[0], corners[2], corners[1]]);
        assert_eq!((below.area, below.first, below.second), (0.0, Vec2::zeros(), [0.0; 3]));
        assert!((below.volume + moments.volume).abs() < 1e-15 && (below.pressed + moments.pressed).norm() < 1e-15);
    }
    told.check();
}

/// (22), (24) and (12) by moments of the whole area about its centre, as [`Moments::centred`] has them.
#[test]
fn moments_about_the_centre_give_the_torques_of_the_area() {
    let mut random = Random(62);
    let mut told = Told::default();
    for _ in 0..cases(500, 100_000) {
        // Two triangles with a side in common.
        let first = Case::any(&mut random);
        let second =
            Case { p: [first.p[0], first.p[2], first.p[0] + first.p[2] - first.p[1]], ..Case::any(&mut random) };
        let parts = [&first, &second];
        let mut moments = Moments::default();
        parts.iter().for_each(|c| moments.add(&c.corners()));
        let about = moments.centred().unwrap();
        let centre = about.first.push(0.0);
        let integral = |of: &dyn Fn(Vec3, f64) -> Vec3| -> Vec3 {
            parts.iter().map(|c| c.quadrature(of) * c.area()).sum::<Vec3>()
        };
        let area = integral(&|_, _| N).z;
        told.add("centred: centre of the area", true, relative(centre, integral(&|p, _| p) / area));
        let (r, theta, w) = (first.v, first.w.z, first.w);
        let torque = integral(&|p, _| (p - centre).cross(&(r + theta * N.cross(&(p - centre))))).z / area;
        told.add(
            "centred: torque of static springs is θ times the gyration",
            true,
            (about.gyration() * theta / torque - 1.0).abs(),
        );
        let damped = integral(&|p, _| (p - centre).cross(&(N * N.dot(&w.cross(&(p - centre)))))) / area;
        let turn = N.cross(&w);
        let [xx, xy, yy] = about.second;
        let lever = Vec3::new(xx * turn.x + xy * turn.y, xy * turn.x + yy * turn.y, 0.0);
        told.add("centred: torque of normal dampers", true, relative(lever.cross(&N), damped));
        let depth = integral(&|_, h| h * N).z;
        told.add(
            "centred: centre of pressure",
            true,
            relative(about.pressed.push(0.0), integral(&|p, h| p * h) / depth),
        );
        // The general form of the notes, about any origin.
        let tensor = parts
            .iter()
            .map(|c| {
                let sum = c.p[0] + c.p[1] + c.p[2];
                let squares: Mat3 = c.p.iter().map(|p| p * p.transpose()).sum();
                (squares + sum * sum.transpose()) * (c.area() / 12.0)
            })
            .sum::<Mat3>()
            / area;
        let wanted = integral(&|p, _| p.cross(&w.cross(&p))) / area;
        told.add("general form of (22)", true, relative((Mat3::identity() * tensor.trace() - tensor) * w, wanted));
    }
    told.check();
}

struct Patch {
    a: Vec<Vec3>,
    b: Vec<Vec3>,
    poses: [Pose; 2],
    common: IntersectionWorkspace,
    axes: PlaneAxes,
}

/// Pairs that overlap, with their contact plane.
fn any_patch(random: &mut Random) -> Patch {
    loop {
        let ((a, ca), (b, cb)) = (shapes::any_convex(random), shapes::any_convex(random));
        let (pa, pb) = (random.pose(0.7), random.pose(0.7));
        let mut common = IntersectionWorkspace::new(128);
        if common.intersect(&ca, &pa, &cb, &pb) && common.volume() > 1e-4 {
            let normal = first_normal(&common, &ca, &pa, &cb, &pb);
            let plane = contact_plane(&ca, &pa, &cb, &pb, &normal, 0.0, &mut GjkMemory::default());
            return Patch { a, b, poses: [pa, pb], common, axes: PlaneAxes::new(plane.point, plane.normal) };
        }
    }
}

/// The convex hull of points in the plane, counter-clockwise, by wrapping. It starts at the point furthest from the first one, which is a corner of the hull whatever rounding says; the leftmost one may
/// lie within an upright side, which passes it by, so that the wrapping does not end.
fn wrap(points: &[Vec2]) -> Vec<Vec2> {
    let from = |i: &usize| (points[*i] - points[0]).norm();
    let start = (0..points.len()).max_by(|a, b| from(a).total_cmp(&from(b))).unwrap();
    let mut hull = vec![points[start]];
    loop {
        let from = hull[hull.len() - 1];
        let mut next = None;
        for q in points.iter().filter(|q| (*q - from).norm() > 1e-12) {
            // Of points in one direction the furthest; a point of the same side behind is in another.
            let right = |best: Vec2| {
                let (best, q) = (best - from, q - from);
                let turn = cross(&best, &q);
                turn < -1e-14 || (turn <= 1e-14 && best.dot(&q) > 0.0 && q.norm() > best.norm())
            };
            if next.is_none_or(right) {
                next = Some(*q);
            }
        }
        let Some(next) = next else { return hull };
        if (next - hull[0]).norm() <= 1e-12 || hull.len() > points.len() {
            return hull;
        }
        hull.push(next);
    }
}

/// Area, first and second moments of the projection, from its outline alone; volume and centre of pressure from clipped half-spaces.
#[test]
fn moments_of_intersections_are_those_of_their_shadow_and_their_volume() {
    let mut random = Random(64);
    let mut told = Told::default();
    let mut flat = FlatIntersection::default();
    for _ in 0..cases(1000, 100_000) {
        let Patch { a, b, poses, common, axes } = any_patch(&mut random);
        flat.project(&common, &axes);
        let got = flat.moments(&common).unwrap();
        let planes = |points: &[Vec3]| half_spaces(points).into_iter().map(|p| p.0).collect::<Vec<_>>();
        let placed = placed([(&planes(&a), &poses[0]), (&planes(&b), &poses[1])], &axes.origin);
        let wanted = region(placed, 10.0, 1e-14, &axes.n);
        told.add("patch: area", true, (got.area / wanted.projected - 1.0).abs());
        told.add("patch: volume", true, (got.volume / wanted.volume - 1.0).abs());
        let size = got.area.sqrt();
        told.add(
            "patch: centre of pressure",
            true,
            (got.pressed - axes.flat(&wanted.first) / wanted.volume).norm() / size,
        );
        let shadow: Vec<Vec2> = common.vertices().iter().map(|v| axes.flat(&(v - axes.origin))).collect();
        // Corners that rounding keeps apart would lead the wrapping astray.
        let mut apart: Vec<Vec2> = Vec::new();
        for p in shadow {
            if apart.iter().all(|q| (p - q).norm() > 1e-9) {
                apart.push(p);
            }
        }
        let hull = wrap(&apart);
        let (mut area, mut first, mut second) = (0.0, Vec2::zeros(), [0.0; 3]);
        for i in 1..hull.len() - 1 {
            let [p, q, r] = [hull[0], hull[i], hull[i + 1]];
            let s = 0.5 * cross(&(q - p), &(r - p));
            let at = |bary: [f64; 3]| p * bary[0] + q * bary[1] + r * bary[2];
            area += s;
            first += (p + q + r) * (s / 3.0);
            let squares = mean(|bary| {
                let x = at(bary);
                [x.x * x.x, x.x * x.y, x.y * x.y]
            });
            second.iter_mut().zip(squares).for_each(|(sum, x)| *sum += s * x);
        }
        let centre = first / area;
        told.add("patch: area of the shadow", true, (got.area / area - 1.0).abs());
        told.add("patch: centre of the shadow", true, (got.first - centre).norm() / size);
        let wanted = [
            second[0] / area - centre.x * centre.x,
            second[1] / area - centre.x * centre.y,
            second[2] / area - centre.y * centre.y,
        ];
        told.add(
            "patch: second moments of the shadow",
            true,
            (Vec3::from(got.second) - Vec3::from(wanted)).norm() / (wanted[0] + wanted[2]),
        );

        // Where it does not turn, friction is the depth times one direction.
        let straight = Displacement { r: Vec2::new(0.6, -0.8), theta: 0.0 };
        let directed = flat.directed(&common, &got, &straight);
        told.add("patch: straight friction", true, (directed.force - straight.r * got.volume).norm() / got.volume);
        let lever = cross(&(got.pressed - got.first), &straight.r) * got.volume;
        told.add("patch: its moment", true, (directed.moment - lever).abs() / (got.volume * size));

        // The outline is the shadow's, where there is room for all of its corners.
        let mut outline = [Vec2::zeros(); MOST_OUTLINE];
        let count = flat.outline(&mut outline);
        let outlined: f64 = (0..count).map(|i| 0.5 * cross(&outline[i], &outline[(i + 1) % count])).sum();
        if count < MOST_OUTLINE {
            told.add("patch: outline", true, (outlined / area - 1.0).abs());
        }
    }
    told.check();
}

/// Direction of friction that turns over the area, (13): the integral over all faces by quadrature of fine pieces, for rotations about points that are near, further, and far away.
#[test]
fn turning_friction_is_the_integral_of_its_directions() {
    let mut random = Random(63);
    let mut told = Told::default();
    for _ in 0..cases(40, 400) {
        let patch = any_patch(&mut random);
        let mut flat = FlatIntersection::default();
        flat.project(&patch.common, &patch.axes);
        let Some(moments) = flat.moments(&patch.common) else { continue };
        let corner = |i: &u32| {
            let from = patch.common.vertices()[*i as usize] - patch.axes.origin;
            (patch.axes.flat(&from) - moments.first, patch.axes.n.dot(&from))
        };
        let size = patch.common.faces().flat_map(|f| f.corners.iter()).map(|i| corner(i).0.norm()).fold(0.0, f64::max);
        for far in [1.5, 3.0, 19.0, 21.0, 1e3, 1e5, 1e8] {
            let angle = random.between(0.0, std::f64::consts::TAU);
            let c = Vec2::new(angle.cos(), angle.sin()) * (far * size);
            let theta = random.between(0.1, 1.0) * if random.between(-1.0, 1.0) > 0.0 { 1.0 } else { -1.0 };
            // r + θ n × c = 0
            let displacement = Displacement { r: Vec2::new(c.y, -c.x) * theta, theta };
            let mut wanted = Vec3::zeros();
            for face in patch.common.faces() {
                let at: Vec<(Vec2, f64)> = face.corners.iter().map(corner).collect();
                for k in 1..at.len() - 1 {
                    let t = [at[0], at[k], at[k + 1]];
                    let area = 0.5 * cross(&(t[1].0 - t[0].0), &(t[2].0 - t[0].0));
                    wanted += area
                        * Vec3::from(fine_mean(3, &|b: [f64; 3]| -> [f64; 3] {
                            let p = t[0].0 * b[0] + t[1].0 * b[1] + t[2].0 * b[2];
                            let h = t[0].1 * b[0] + t[1].1 * b[1] + t[2].1 * b[2];
                            let f = displacement.at(&p).normalize() * h;
                            [f.x, f.y, cross(&p, &f) / size]
                        }));
                }
            }
            let got = flat.directed(&patch.common, &moments, &displacement);
            let error = (got.force.push(got.moment / size) - wanted).norm() / moments.volume;
            told.add("patch: turning friction", true, error);
        }
    }
    told.check();
}

/// A prism stands in a floor by a depth.
fn standing(points: &[Vec3], height: f64, depth: f64) -> (IntersectionWorkspace, PlaneAxes) {
    let floor = Convex::of_points(&shapes::cuboid([10.0, 10.0, 1.0])).unwrap();
    let prism = Convex::of_points(points).unwrap();
    let mut common = IntersectionWorkspace::new(256);
    let on = Pose::translation(0.3, -0.2, height - depth);
    assert!(common.intersect(&floor, &Pose::translation(0.0, 0.0, -1.0), &prism, &on));
    (common, PlaneAxes::new(Vec3::new(0.1, 0.1, -0.5 * depth), Vec3::z()))
}

/// Pure spin about the centre: the moment is the depth times ∫|p| over the area: (√2 + ln(1 + √2)) a³/6 for a square of side a, and 2π/3 R³ for a disc, which a polygon of n corners is short of by some 5/n².
#[test]
fn spinning_on_the_spot_has_the_torque_of_a_disc_and_of_a_square() {
    let depth = 1e-3;
    let square = |a: f64| (2f64.sqrt() + (1.0 + 2f64.sqrt()).ln()) * a * a * a / 6.0;
    let disc = |r: f64| 2.0 * std::f64::consts::PI / 3.0 * r * r * r;
    let mut worst: f64 = 0.0;
    for (points, height, wanted, allowed) in [
        (shapes::prism(96, 0.4, 0.5), 0.5, disc(0.4), 10.0 / (96.0 * 96.0)),
        (shapes::prism(16, 0.4, 0.5), 0.5, disc(0.4), 10.0 / (16.0 * 16.0)),
        (shapes::cuboid([0.5, 0.5, 0.5]), 0.5, square(1.0), 1e-9),
    ] {
        let (common, axes) = standing(&points, height, depth);
        let mut flat = FlatIntersection::default();
        flat.project(&common, &axes);
        let moments = flat.moments(&common).unwrap();
        let spin = flat.directed(&common, &moments, &Displacement { r: Vec2::zeros(), theta: 1e-3 });
        let error = (spin.moment / (depth * wanted) - 1.0).abs();
        println!("{} corners: torque off by {:.2e}", points.len(), error);
        assert!(error < allowed, "{} corners: torque {} for {}", points.len(), spin.moment, depth * wanted);
        assert!(spin.force.norm() < 1e-9 * moments.volume, "force of pure spin {:?}", spin.force);
        worst = worst.max(error / allowed);
    }
    tell("friction torque of pure spin on disc and square, of the allowed error", worst, "", 1.0);
}

/// Between spin and translation there is a trade: the force falls as the spin rises, and neither is more than it is alone.
#[test]
fn force_falls_as_spin_rises() {
    let (common, axes) = standing(&shapes::prism(48, 0.4, 0.5), 0.5, 1e-3);
    let mut flat = FlatIntersection::default();
    flat.project(&common, &axes);
    let moments = flat.moments(&common).unwrap();
    let mut last = (f64::INFINITY, -1.0);
    for theta in [0.0, 0.01, 0.1, 1.0, 3.0, 10.0, 100.0, 1e4] {
        let directed = flat.directed(&common, &moments, &Displacement { r: Vec2::new(1.0, 0.0), theta });
        let (force, moment) = (directed.force.norm() / moments.volume, directed.moment / moments.volume);
        assert!(force <= last.0 + 1e-9 && moment >= last.1 - 1e-9, "at {theta}: {force}, {moment} after {last:?}");
        assert!(force <= 1.0 + 1e-9 && moment <= 0.4 + 1e-9);
        last = (force, moment);
    }
    assert!(last.0 < 1e-3, "{last:?}");
}

/// An outline with more corners than are kept is thinned all around.
#[test]
fn outlines_of_round_areas_go_all_around() {
    for n in [12, 24, 48, 96, 240] {
        let (common, axes) = standing(&shapes::prism(n, 0.4, 0.5), 0.5, 1e-3);
        let mut flat = FlatIntersection::default();
        flat.project(&common, &axes);
        let area = flat.moments(&common).unwrap().area;
        let mut outline = [Vec2::zeros(); MOST_OUTLINE];
        let count = flat.outline(&mut outline);
        assert!(count <= MOST_OUTLINE && count >= n.min(MOST_OUTLINE / 2), "{n}: {count} corners");
        let outlined: f64 = (0..count).map(|i| 0.5 * cross(&outline[i], &outline[(i + 1) % count])).sum();
        // A regular polygon of 12 corners has 95.5 % of its circle.
        assert!(outlined > 0.95 * area && outlined <= area * (1.0 + 1e-12), "{n}: outline {outlined} of {area}");
    }
}
