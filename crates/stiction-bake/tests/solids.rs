//! Solids by parameter: closed, outward, of the right size, against closed forms.

mod solids_support;

use solids_support::{assert_watertight, euler_characteristic, every_solid};
use std::f64::consts::PI;
use stiction::spatial::{Mat3, Vec3};
use stiction_bake::mass::of_mesh;
use stiction_bake::solids::{Solid, SpurGear, refine};

#[test]
fn every_solid_is_watertight_at_every_tessellation() {
    for n in [3, 4, 5, 7, 8, 12, 16, 37, 64] {
        for (solid, handles) in every_solid(n) {
            let mesh = solid.mesh().unwrap();
            let what = format!("{} with {n}", solid.name());
            assert_watertight(&mesh, &what);
            assert_eq!(euler_characteristic(&mesh), 2 - 2 * handles, "{what}");
            assert!(of_mesh(&mesh).volume > 0.0, "{what} is inside out");
            let smallest = mesh.triangles().map(|[a, b, c]| (b - a).cross(&(c - a)).norm()).fold(f64::MAX, f64::min);
            let bounds = mesh.bounds().unwrap();
            let size = (bounds.max - bounds.min).norm();
            // Volume does not tell: a triangulation that folds over itself has the same signed area.
            for t in mesh.triangles().filter(|t| t.iter().all(|p| p.z == bounds.max.z)) {
                assert!((t[1] - t[0]).cross(&(t[2] - t[0])).z > 0.0, "{what} folds over itself: {t:?}");
            }
            assert!(smallest > 1e-12 * size * size, "{what} has a face of area {smallest}");
        }
    }
}

#[test]
fn refined_solids_stay_watertight_and_keep_volume_and_inertia() {
    for (solid, handles) in every_solid(9) {
        let coarse = solid.mesh().unwrap();
        let size = coarse.bounds().map(|b| (b.max - b.min).norm()).unwrap();
        let before = of_mesh(&coarse);
        for part in [0.5, 0.13, 0.041] {
            let fine = refine(&coarse, part * size).unwrap();
            assert_watertight(&fine, solid.name());
            assert_eq!(euler_characteristic(&fine), 2 - 2 * handles, "{}", solid.name());
            let longest = fine.triangles().map(|[a, b, _]| (a - b).norm()).fold(0.0, f64::max);
            assert!(longest <= part * size, "{}: {longest}", solid.name());
            let after = of_mesh(&fine);
            assert!((after.volume / before.volume - 1.0).abs() < 1e-12);
            assert!((after.centre - before.centre).norm() < 1e-12 * size);
            assert!((after.inertia - before.inertia).norm() < 1e-11 * before.inertia.norm());
        }
    }
}

#[test]
fn a_gear_can_be_made_with_fifty_and_two_hundred_thousand_triangles() {
    let base = SpurGear { bore: 0.01, ..SpurGear::standard(0.002, 30, 0.02) };
    let fifty = SpurGear { flank_pieces: 10, arc_pieces: 4, layers: 20, rings: 10, ..base.clone() };
    let two_hundred = SpurGear { flank_pieces: 20, arc_pieces: 8, layers: 40, rings: 20, ..base };
    for (gear, wanted) in [(fifty, 50_000), (two_hundred, 200_000)] {
        let mesh = Solid::Gear(gear).mesh().unwrap();
        assert_watertight(&mesh, "gear");
        let ratio = mesh.faces.len() as f64 / f64::from(wanted);
        assert!((0.8..1.2).contains(&ratio), "{} triangles for {wanted}", mesh.faces.len());
    }
}

/// A solid by its segments, its volume, centre, and the diagonal of its inertia.
type ClosedForm = (Box<dyn Fn(u32) -> Solid>, f64, Vec3, Vec3);

fn closed_forms() -> Vec<ClosedForm> {
    let mut forms: Vec<ClosedForm> = Vec::new();
    let (r, h) = (0.7, 1.9);
    let v = PI * r * r * h;
    let i = Vec3::new(v * (3.0 * r * r + h * h) / 12.0, v * (3.0 * r * r + h * h) / 12.0, v * r * r / 2.0);
    forms.push((Box::new(move |segments| Solid::Cylinder { radius: r, height: h, segments }), v, Vec3::zeros(), i));
    // A cylinder between two half spheres whose own centres lie 3/8 of a radius off their flat faces.
    let (cyl, half) = (v, 2.0 / 3.0 * PI * r * r * r);
    let side = cyl * (3.0 * r * r + h * h) / 12.0
        + 2.0 * half * (83.0 / 320.0 * r * r + (h / 2.0 + 3.0 / 8.0 * r) * (h / 2.0 + 3.0 / 8.0 * r));
    let axial = cyl * r * r / 2.0 + 2.0 * half * 2.0 / 5.0 * r * r;
    let capsule = move |n: u32| Solid::Capsule { radius: r, height: h, segments: n, rings: n / 4 };
    forms.push((Box::new(capsule), cyl + 2.0 * half, Vec3::zeros(), Vec3::new(side, side, axial)));
    let (a, b) = (1.3, 0.4);
    let v = 2.0 * PI * PI * a * b * b;
    let side = v * (4.0 * a * a + 5.0 * b * b) / 8.0;
    let i = Vec3::new(side, side, v * (4.0 * a * a + 3.0 * b * b) / 4.0);
    let torus = move |n: u32| Solid::Torus { major: a, minor: b, segments: n, rings: n / 2 };
    forms.push((Box::new(torus), v, Vec3::zeros(), i));
    // A round hole takes its cylinder from its plate.
    let ([x, y], t, r) = ([2.0, 1.5], 0.3, 0.6);
    let (plate, hole) = (x * y * t, PI * r * r * t);
    let i = Vec3::new(
        plate * (y * y + t * t) / 12.0 - hole * (3.0 * r * r + t * t) / 12.0,
        plate * (x * x + t * t) / 12.0 - hole * (3.0 * r * r + t * t) / 12.0,
        plate * (x * x + y * y) / 12.0 - hole * r * r / 2.0,
    );
    let holed = move |segments| Solid::PlateRoundHole { size: [x, y], thickness: t, radius: r, segments };
    forms.push((Box::new(holed), plate - hole, Vec3::zeros(), i));
    forms
}

#[test]
fn volume_and_inertia_of_round_solids_converge_to_closed_forms_with_the_square_of_the_segments() {
    for (solid, volume, centre, inertia) in closed_forms() {
        let error = |n: u32| {
            let mass = of_mesh(&solid(n).mesh().unwrap());
            assert!((mass.centre - centre).norm() < 1e-12);
            let off = mass.inertia - Mat3::from_diagonal(&mass.inertia.diagonal());
            assert!(off.norm() < 1e-12 * inertia.norm(), "{}: {off}", solid(n).name());
            [(mass.volume / volume - 1.0).abs(), (mass.inertia.diagonal() - inertia).norm() / inertia.norm()]
        };
        let (coarse, fine) = (error(64), error(128));
        for (c, f) in coarse.iter().zip(fine) {
            assert!(f < 3e-3, "{}: {f}", solid(8).name());
            assert!((3.8..4.2).contains(&(c / f)), "{}: {c} to {f}", solid(8).name());
        }
    }
}

#[test]
fn volume_of_the_faceted_cylinder_is_that_of_the_prism_over_a_regular_polygon() {
    for n in [3u32, 5, 8, 100] {
        let mass = of_mesh(&Solid::Cylinder { radius: 2.0, height: 3.0, segments: n }.mesh().unwrap());
        let area = f64::from(n) / 2.0 * 4.0 * (2.0 * PI / f64::from(n)).sin();
        assert!((mass.volume - 3.0 * area).abs() < 1e-12 * mass.volume);
    }
}

/// A box as (min, max): volume, first and second moments about the origin, to be added and subtracted.
fn moments(min: [f64; 3], max: [f64; 3]) -> (f64, Vec3, Mat3) {
    let (min, max) = (Vec3::from(min), Vec3::from(max));
    let (centre, size) = ((min + max) / 2.0, max - min);
    let v = size.x * size.y * size.z;
    let own = Mat3::from_diagonal(&size.component_mul(&size)) / 12.0;
    (v, centre * v, (own + centre * centre.transpose()) * v)
}

/// Added or taken away, from a corner to a corner.
type SignedBox = (f64, [f64; 3], [f64; 3]);

#[test]
fn volume_and_inertia_of_flat_solids_are_sums_of_boxes() {
    let (s, t) = (1.0, 0.25);
    let cases: Vec<(Solid, Vec<SignedBox>)> = vec![
        (Solid::Box { size: [1.0, 2.0, 3.0] }, vec![(1.0, [-0.5, -1.0, -1.5], [0.5, 1.0, 1.5])]),
        (Solid::Plate { size: [1.0, 2.0], thickness: 0.1 }, vec![(1.0, [-0.5, -1.0, -0.05], [0.5, 1.0, 0.05])]),
        (Solid::Corner { size: s, thickness: t }, vec![(1.0, [-t; 3], [s; 3]), (-1.0, [0.0; 3], [s; 3])]),
        (
            Solid::LBar { legs: [2.0, 1.0], thickness: t, length: 4.0 },
            vec![(1.0, [-t, -t, -2.0], [2.0, 1.0, 2.0]), (-1.0, [0.0, 0.0, -2.0], [2.0, 1.0, 2.0])],
        ),
        (
            Solid::PlateSquareHole { size: [2.0, 1.0], thickness: 0.2, hole: [0.5, 0.25] },
            vec![(1.0, [-1.0, -0.5, -0.1], [1.0, 0.5, 0.1]), (-1.0, [-0.25, -0.125, -0.1], [0.25, 0.125, 0.1])],
        ),
    ];
    for (solid, boxes) in cases {
        let (mut v, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        for (sign, min, max) in boxes {
            let (bv, bf, bs) = moments(min, max);
            (v, first, second) = (v + sign * bv, first + bf * sign, second + bs * sign);
        }
        let centre = first / v;
        let about = second - centre * centre.transpose() * v;
        let inertia = Mat3::from_diagonal_element(about.trace()) - about;
        let mass = of_mesh(&solid.mesh().unwrap());
        assert!((mass.volume / v - 1.0).abs() < 1e-13, "{}", solid.name());
        assert!((mass.centre - centre).norm() < 1e-13, "{}", solid.name());
        assert!((mass.inertia - inertia).norm() < 1e-13 * inertia.norm(), "{}", solid.name());
    }
}

#[test]
fn mass_far_from_the_origin_keeps_its_digits() {
    let mut mesh = Solid::Box { size: [1.0, 2.0, 4.0] }.mesh().unwrap();
    mesh.points.iter_mut().for_each(|p| *p += Vec3::new(1048576.0, -2097152.0, 4194304.0));
    let mass = of_mesh(&mesh);
    assert!((mass.volume - 8.0).abs() < 1e-12);
    assert!((mass.inertia[(0, 0)] - 8.0 * 20.0 / 12.0).abs() < 1e-11, "{}", mass.inertia);
    assert_eq!(mass.centre, Vec3::new(1048576.0, -2097152.0, 4194304.0));
}

#[test]
fn mass_of_an_irregular_tetrahedron_is_its_closed_form() {
    let p = [[0.3, -0.2, 0.1], [1.7, 0.4, -0.6], [0.2, 2.1, 0.5], [-0.4, 0.3, 1.9]].map(Vec3::from);
    let mesh = stiction_bake::Mesh { points: p.to_vec(), faces: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] };
    let mass = of_mesh(&mesh);
    let volume = Mat3::from_columns(&[p[1] - p[0], p[2] - p[0], p[3] - p[0]]).determinant() / 6.0;
    let centre = p.iter().sum::<Vec3>() / 4.0;
    // The covariance of a uniform simplex is that of its corners, divided by n + 2 = 5.
    let spread: Mat3 = p.iter().map(|q| (q - centre) * (q - centre).transpose()).sum::<Mat3>() / 4.0 / 5.0 * volume;
    let inertia = Mat3::from_diagonal_element(spread.trace()) - spread;
    assert!((mass.volume - volume).abs() < 1e-14 * volume && volume > 0.0);
    assert!((mass.centre - centre).norm() < 1e-14);
    assert!((mass.inertia - inertia).norm() < 1e-14 * inertia.norm());
}

#[test]
fn stepped_shaft_and_peg_have_the_volume_of_their_cylinders_and_cone() {
    let n = 512;
    let facets = f64::from(n) / (2.0 * PI) * (2.0 * PI / f64::from(n)).sin();
    let shaft = Solid::Shaft { steps: vec![[1.0, 2.0], [1.5, 0.5], [1.5, 0.5], [0.5, 3.0]], segments: n };
    let mass = of_mesh(&shaft.mesh().unwrap());
    let volume = PI * facets * (2.0 + 2.25 + 0.75);
    assert!((mass.volume / volume - 1.0).abs() < 1e-12);
    let height = (2.0 * 1.0 + 2.25 * 2.5 + 0.75 * 4.5) / 5.0;
    assert!((mass.centre.z - height).abs() < 1e-12);
    let (r, l, c) = (1.0, 5.0, 0.2);
    let peg = of_mesh(&Solid::Peg { radius: r, length: l, chamfer: c, segments: n }.mesh().unwrap());
    let cone = c / 3.0 * (r * r + r * (r - c) + (r - c) * (r - c));
    assert!((peg.volume / (PI * facets * (r * r * (l - c) + cone)) - 1.0).abs() < 1e-12);
}

#[test]
fn impossible_parameters_are_refused_with_the_reason() {
    let ring = |major, minor| Solid::Torus { major, minor, segments: 8, rings: 8 };
    let gear = |change: fn(&mut SpurGear)| {
        let mut gear = SpurGear::standard(1e-3, 20, 5e-3);
        change(&mut gear);
        Solid::Gear(gear)
    };
    let bad = [
        (Solid::Box { size: [1.0, 0.0, 1.0] }, "y is 0"),
        (Solid::Box { size: [1.0, f64::NAN, 1.0] }, "y is NaN"),
        (Solid::Box { size: [1.0, f64::INFINITY, 1.0] }, "y is inf"),
        (Solid::Box { size: [-1.0, 1.0, 1.0] }, "x is -1"),
        (Solid::Cylinder { radius: 1.0, height: 1.0, segments: 2 }, "segments is 2"),
        (Solid::Cylinder { radius: 1.0, height: 1.0, segments: u32::MAX }, "segments is 4294967295"),
        (Solid::Capsule { radius: 1.0, height: 1.0, segments: 9, rings: 0 }, "rings"),
        (Solid::Capsule { radius: 1.0, height: 1.0, segments: 9, rings: u32::MAX }, "rings"),
        (ring(1.0, 1.0), "thicker"),
        (Solid::Revolution { profile: vec![[0.0, 0.0], [1.0, 1.0], [0.5, 0.5]], segments: 9 }, "goes down"),
        (
            Solid::Revolution { profile: vec![[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [0.5, 1.0]], segments: 9 },
            "turns back",
        ),
        (Solid::Revolution { profile: vec![[1.0, 0.0], [0.0, 1.0], [1.0, 2.0]], segments: 9 }, "meets the axis"),
        (Solid::Revolution { profile: vec![[1.0, 0.0], [1.0, f64::NAN]], segments: 9 }, "1e9"),
        (Solid::Revolution { profile: vec![[0.0, 0.0], [1.0, 0.0]], segments: 9 }, "turns back"),
        (Solid::Revolution { profile: vec![], segments: 9 }, "empty"),
        (Solid::Revolution { profile: vec![[1.0, 0.0], [1.0, 1.0]], segments: 2 }, "segments"),
        (Solid::PlateRoundHole { size: [1.0, 2.0], thickness: 0.1, radius: 0.5, segments: 9 }, "does not fit"),
        (Solid::PlateSquareHole { size: [1.0, 2.0], thickness: 0.1, hole: [0.5, 2.0] }, "does not fit"),
        (Solid::Peg { radius: 1.0, length: 3.0, chamfer: 1.0, segments: 9 }, "leaves nothing"),
        (Solid::Shaft { steps: vec![], segments: 9 }, "no steps"),
        (Solid::Shaft { steps: vec![[1.0, 1.0], [0.0, 1.0]], segments: 9 }, "radius is 0"),
        (gear(|g| g.module = 0.0), "module"),
        (gear(|g| g.teeth = 2), "teeth"),
        (gear(|g| g.bore = 8.75e-3), "root radius"),
        (gear(|g| g.bore = 8.74e-3), "no rim"),
        (gear(|g| g.addendum = 3.0), "point"),
        (gear(|g| g.pressure_angle = 1.6), "pressure angle"),
        (gear(|g| g.dedendum = 11.0), "root radius"),
        (gear(|g| g.arc_pieces = 0), "arc pieces"),
        (gear(|g| g.flank_pieces = u32::MAX), "flank"),
    ];
    for (solid, words) in bad {
        let message = solid.mesh().unwrap_err().to_string();
        assert!(message.contains(words) && message.starts_with("impossible"), "{message} lacks {words}");
    }
    let mesh = Solid::Box { size: [1.0; 3] }.mesh().unwrap();
    for edge in [0.0, -1.0, f64::NAN, 1e-9] {
        assert!(refine(&mesh, edge).is_err(), "{edge}");
    }
}
