//! The faceting error: against closed forms, on planes and pins where there is none, and on damaged meshes.

mod common;

use common::{Random, both, cube, reversed, sphere};
use std::f64::consts::PI;
use stiction::shape::file::{decode, encode};
use stiction::spatial::Vec3;
use stiction_bake::diagnose::{Mended, mend};
use stiction_bake::faceting::{Faceting, HollowEdge, measure};
use stiction_bake::field::{FieldOptions, Fineness};
use stiction_bake::solids::{Planar, Solid, extrude, refine, revolve};
use stiction_bake::{BakeOptions, Mesh, Silent, bake};

fn bore(radius: f64, segments: u32) -> Mesh {
    let size = [4.0 * radius, 4.0 * radius];
    Solid::PlateRoundHole { size, thickness: radius, radius, segments }.mesh().unwrap()
}

fn measured(mesh: &Mesh) -> (Mended, Faceting) {
    let mended = mend(mesh);
    let faceting = measure(&mended);
    assert_eq!(faceting.faces.len(), mended.mesh.faces.len());
    (mended, faceting)
}

fn sagitta(radius: f64, segments: u32) -> f64 {
    radius * (1.0 - (PI / f64::from(segments)).cos())
}

/// Whether all corners of a face are this far from the z axis.
fn on_bore(mended: &Mended, face: usize, radius: f64) -> bool {
    mended.mesh.triangle(face).iter().all(|p| p.x.hypot(p.y) < radius * (1.0 + 1e-9))
}

#[test]
fn bores_have_the_sagitta_of_their_facets_and_the_plate_has_none() {
    for segments in [16, 32, 64, 200] {
        for radius in [0.5e-3, 6e-3, 0.04, 3.0] {
            let expected = sagitta(radius, segments);
            for cut in [false, true] {
                let mesh = bore(radius, segments);
                let mesh = if cut { refine(&mesh, 0.15 * radius).unwrap() } else { mesh };
                let (mended, faceting) = measured(&mesh);
                for (f, error) in faceting.faces.iter().enumerate() {
                    if on_bore(&mended, f, radius) {
                        assert!((error.sagitta / expected - 1.0).abs() < 0.05, "{error:?} for {expected}");
                        assert!((error.angle * f64::from(segments) / (2.0 * PI) - 1.0).abs() < 1e-3);
                    } else {
                        assert_eq!(error.sagitta, 0.0);
                    }
                }
                assert_eq!(faceting.summary.facets, segments as usize);
                let area = 2.0 * PI * radius * radius;
                let whole = 2.0 * (16.0 - PI) * radius * radius + 16.0 * radius * radius + area;
                let share = faceting.summary.share_of_surface;
                assert!((share / (area / whole) - 1.0).abs() < 0.03, "{share} for {}", area / whole);
            }
        }
    }
}

#[test]
fn pins_boxes_and_other_convex_or_flat_solids_have_none() {
    let solids = [
        Solid::Box { size: [0.1, 0.05, 0.02] },
        Solid::LBar { legs: [0.1, 0.05], thickness: 0.01, length: 0.1 },
        Solid::Corner { size: 0.05, thickness: 0.01 },
        Solid::PlateSquareHole { size: [0.1, 0.1], thickness: 0.01, hole: [0.03, 0.02] },
        Solid::Cylinder { radius: 0.01, height: 0.05, segments: 32 },
        Solid::Capsule { radius: 0.01, height: 0.05, segments: 32, rings: 8 },
        Solid::Peg { radius: 0.004, length: 0.03, chamfer: 0.001, segments: 48 },
        Solid::Shaft { steps: vec![[0.01, 0.02], [0.005, 0.03]], segments: 24 },
    ];
    for solid in solids {
        let (mended, faceting) = measured(&solid.mesh().unwrap());
        assert_eq!(faceting.summary, Default::default(), "{solid:?}");
        // Hollow edges have the field's error, which is below half a voxel.
        let lattice = faceting.lattice(&mended.mesh, 1e-4).unwrap();
        assert_eq!(lattice.is_some(), !faceting.hollow_edges.is_empty(), "{solid:?}");
        assert!(lattice.is_none_or(|l| l.largest() < 0.62e-4), "{solid:?}");
        assert!(faceting.faces.iter().all(|f| f.allowance(1e-4) == 0.0));
    }
}

/// A channel along z with a floor of `width`, fillets of radius 2 mm in `steps` steps of a right angle, and walls of 20 mm.
fn channel(width: f64, steps: usize) -> Mesh {
    let (radius, half) = (2e-3, 0.5 * width + 2e-3);
    let arc = |k: usize| {
        let a = 0.5 * PI * k as f64 / steps as f64;
        [radius * (1.0 - a.cos()), 8e-3 + radius * (1.0 - a.sin())]
    };
    let left = (0..=steps).map(|k| [arc(k)[0] - half, arc(k)[1]]);
    let right = (0..=steps).rev().map(|k| [half - arc(k)[0], arc(k)[1]]);
    let profile: Vec<[f64; 2]> = left.chain(right).collect();
    let mut region = Planar::default();
    let mut add = |p: [f64; 2]| {
        region.points.push(p);
        region.points.len() as u32 - 1
    };
    let upper: Vec<u32> = profile.iter().map(|&p| add(p)).collect();
    let lower: Vec<u32> = profile.iter().map(|&p| add([p[0], 0.0])).collect();
    let [a, b, c] = [[-half - 5e-3, 0.0], [-half - 5e-3, 30e-3], [-half, 30e-3]].map(&mut add);
    let [d, e, f] = [[half + 5e-3, 0.0], [half + 5e-3, 30e-3], [half, 30e-3]].map(&mut add);
    let (first, last) = (upper[0], upper[upper.len() - 1]);
    region.triangles.extend([[a, lower[0], first], [a, first, b], [b, first, c]]);
    for i in 0..upper.len() - 1 {
        region.triangles.extend([[lower[i], lower[i + 1], upper[i + 1]], [lower[i], upper[i + 1], upper[i]]]);
    }
    let end = lower[lower.len() - 1];
    region.triangles.extend([[end, d, last], [d, e, last], [e, f, last]]);
    extrude(&region, 0.0, 40e-3, 3)
}

#[test]
fn the_floor_of_a_pocket_has_none_and_its_fillets_have() {
    let steps = 8;
    let (mended, faceting) = measured(&channel(50e-3, steps));
    let expected = sagitta(2e-3, 4 * steps as u32);
    let mut fillets = 0;
    for (f, error) in faceting.faces.iter().enumerate() {
        let t = mended.mesh.triangle(f);
        let normal = (t[1] - t[0]).cross(&(t[2] - t[0])).normalize();
        let slanted = normal.x.abs() > 1e-6 && normal.y.abs() > 1e-6;
        if slanted {
            // The fillet's first and last crease have half of the angle.
            assert!((error.sagitta / expected - 1.0).abs() < 0.05, "{error:?} for {expected}");
            fillets += 1;
        } else {
            assert_eq!(error.sagitta, 0.0, "{t:?}");
        }
    }
    assert_eq!(fillets, 2 * steps * 3 * 2);
}

/// The largest gap between a face and the sphere of this radius around the origin.
fn gap(radius: f64, [a, b, c]: [Vec3; 3]) -> f64 {
    let mut most = 0.0f64;
    for i in 0..=24 {
        for j in 0..=24 - i {
            let (s, t) = (i as f64 / 24.0, j as f64 / 24.0);
            most = most.max(radius - (a + (b - a) * s + (c - a) * t).norm());
        }
    }
    most
}

/// A sphere of triangles, from an octahedron.
fn octahedron_sphere(radius: f64, times: usize) -> Mesh {
    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
    let mut all = Vec::new();
    for [a, b, c] in [[x, y, z], [y, -x, z], [-x, -y, z], [-y, x, z]] {
        let below = |p: Vec3| Vec3::new(p.x, p.y, -p.z);
        all.extend([[a, b, c], [below(b), below(a), below(c)]]);
    }
    for _ in 0..times {
        let cut = |[a, b, c]: [Vec3; 3]| {
            let [d, e, f] = [(a + b).normalize(), (b + c).normalize(), (c + a).normalize()];
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        all = all.into_iter().flat_map(cut).collect();
    }
    let mut mesh = Mesh::default();
    for t in all {
        let n = mesh.points.len() as u32;
        mesh.points.extend(t.map(|p| p * radius));
        mesh.faces.push([n, n + 1, n + 2]);
    }
    mesh
}

#[test]
fn sockets_have_about_the_gap_between_facet_and_sphere() {
    let radius = 0.01;
    let block = cube(Vec3::zeros(), Vec3::repeat(0.02), 1);
    let spheres = [
        ("octahedron 2", octahedron_sphere(radius, 2)),
        ("octahedron 3", octahedron_sphere(radius, 3)),
        ("octahedron 4", octahedron_sphere(radius, 4)),
        ("rings 32 × 16", sphere(Vec3::zeros(), radius, 32, 16)),
        ("rings 48 × 40", sphere(Vec3::zeros(), radius, 48, 40)),
    ];
    for (name, ball) in spheres {
        assert_eq!(measured(&ball).1.summary.facets, 0, "the ball {name} is convex");
        let (mended, faceting) = measured(&both(block.clone(), &reversed(ball)));
        let (mut largest, mut low, mut high) = (0.0f64, f64::INFINITY, 0.0f64);
        for (f, error) in faceting.faces.iter().enumerate() {
            let t = mended.mesh.triangle(f);
            if t[0].norm() > 1.01 * radius {
                assert_eq!(error.sagitta, 0.0);
                continue;
            }
            // At a pole, triangles have no crease opposite to their base, and what is measured is too small.
            if t.iter().any(|p| p.x.hypot(p.y) < 1e-9) && name.contains('×') {
                continue;
            }
            let truth = gap(radius, t);
            largest = largest.max(truth);
            (low, high) = (low.min(error.sagitta / truth), high.max(error.sagitta / truth));
        }
        let ratio = faceting.summary.largest_sagitta_m / largest;
        println!("socket {name}: largest {ratio:.2} of the true gap, faces {low:.2} to {high:.2}");
        assert!((0.5..=2.0).contains(&ratio), "{name}: {ratio}");
        assert!(low > 0.4 && high < 3.0, "{name}: {low} to {high}");
    }
}

#[test]
fn a_conical_seat_and_a_ring_groove_have_a_sensible_one() {
    // A countersink from radius 4 to 8 mm, 64 facets around.
    let seat = [[4e-3, 0.0], [20e-3, 0.0], [20e-3, 10e-3], [8e-3, 10e-3], [4e-3, 6e-3]];
    let (_, faceting) = measured(&revolve(&seat, true, 64).unwrap());
    // Perpendicular to a cone of 45° the sagitta is smaller than in a section across the axis.
    let expected = sagitta(8e-3, 64) * 0.5f64.sqrt();
    let ratio = faceting.summary.largest_sagitta_m / expected;
    assert!((0.9..1.5).contains(&ratio), "{ratio}");
    // A groove for an O-ring: half a circle of 2 mm in a bore of 10 mm.
    let mut groove = vec![[10e-3, -5e-3], [20e-3, -5e-3], [20e-3, 5e-3], [10e-3, 5e-3]];
    groove.extend((0..=12).map(|k| {
        let a = PI * f64::from(k) / 12.0;
        [10e-3 + 2e-3 * a.sin(), 2e-3 * a.cos()]
    }));
    let (_, faceting) = measured(&revolve(&groove, true, 96).unwrap());
    // Both curvatures: along the groove at its largest radius, and across it.
    let expected = sagitta(12e-3, 96) + 2e-3 * (1.0 - (PI / 24.0).cos());
    let ratio = faceting.summary.largest_sagitta_m / expected;
    assert!((0.5..2.0).contains(&ratio), "{ratio}");
}

#[test]
fn t_junctions_in_a_bore_change_nothing() {
    let (radius, segments) = (6e-3, 32);
    let mut mesh = bore(radius, segments);
    let faces = std::mem::take(&mut mesh.faces);
    let cut = |p: &[Vec3; 3]| {
        let middle = (p[0] + p[1] + p[2]) / 3.0;
        let facet = (middle.y.atan2(middle.x) / (2.0 * PI) * f64::from(segments)).floor() as i64;
        p.iter().all(|q| q.x.hypot(q.y) < 1.001 * radius) && facet.rem_euclid(3) == 0
    };
    for face in faces {
        let corners = face.map(|i| mesh.points[i as usize]);
        if !cut(&corners) {
            mesh.faces.push(face);
            continue;
        }
        let n = mesh.points.len() as u32;
        let middle = |i: usize| 0.5 * (corners[i] + corners[(i + 1) % 3]);
        mesh.points.extend([middle(0), middle(1), middle(2)]);
        let [a, b, c] = face;
        mesh.faces.extend([[a, n, n + 2], [n, b, n + 1], [n + 2, n + 1, c], [n, n + 1, n + 2]]);
    }
    let (mended, faceting) = measured(&mesh);
    assert!(!mended.watertight || mended.hole == 0.0);
    for (f, error) in faceting.faces.iter().enumerate().filter(|(f, _)| on_bore(&mended, *f, radius)) {
        let ratio = error.sagitta / sagitta(radius, segments);
        assert!((ratio - 1.0).abs() < 0.05, "face {f}: {ratio}");
    }
}

#[test]
fn damaged_meshes_are_measured_as_far_as_they_go() {
    let mut random = Random(5);
    let socket = both(cube(Vec3::zeros(), Vec3::repeat(0.02), 2), &reversed(octahedron_sphere(0.01, 2)));
    for base in [bore(6e-3, 32), socket, Mesh::default()] {
        for round in 0..60 {
            let mut mesh = base.clone();
            for _ in 0..(round % 12) * base.faces.len() / 40 {
                let (f, g) = (random.below(mesh.faces.len()), random.below(mesh.faces.len()));
                let point = random.below(mesh.points.len());
                match random.below(6) {
                    0 => drop(mesh.faces.swap_remove(f)),
                    1 => mesh.faces[f].swap(0, 1),
                    2 => mesh.faces.push(mesh.faces[g]),
                    3 => mesh.faces[f][0] = mesh.faces[g][1],
                    4 => mesh.points[point] *= 1.0 + 1e-4 * random.unit(),
                    _ => mesh.points[point] = mesh.points[mesh.faces[f][0] as usize],
                }
            }
            let (mended, faceting) = measured(&mesh);
            assert!(faceting.faces.iter().all(|f| f.sagitta.is_finite() && (0.0..0.02).contains(&f.sagitta)));
            assert!((0.0..=1.0).contains(&faceting.summary.share_of_surface));
            let lattice = faceting.lattice(&mended.mesh, 1e-4).unwrap();
            assert_eq!(lattice.is_some(), faceting.summary.facets > 0 || !faceting.hollow_edges.is_empty());
        }
    }
    // One face gone: its facet's neighbours keep theirs, and nothing grows.
    let mut mesh = bore(6e-3, 32);
    let whole = measured(&mesh).1.summary;
    let gone = mesh.triangles().position(|t| t.iter().all(|p| p.x.hypot(p.y) < 6.001e-3)).unwrap();
    mesh.faces.remove(gone);
    let less = measured(&mesh).1.summary;
    assert!(less.facets >= 29 && less.largest_sagitta_m < 1.2 * whole.largest_sagitta_m, "{less:?}");
}

/// The whole way: the shape's allowance covers what a true pin overlaps the baked bore by, and it is local.
#[test]
fn a_baked_bore_allows_what_the_true_pin_overlaps() {
    let (radius, segments) = (6e-3, 32);
    for resolution in [64, 160] {
        let field = FieldOptions { fineness: Fineness::Resolution(resolution), ..FieldOptions::default() };
        let options = BakeOptions { field, shell_points: 3000, ..BakeOptions::default() };
        let baked = bake(&bore(radius, segments), &options, String::new(), &Silent).unwrap();
        let (shape, h) = (&baked.shape, baked.shape.field.lattice().spacing);
        let allowance = shape.allowance.as_ref().unwrap();
        let sagitta = sagitta(radius, segments);
        let report = baked.report.faceting;
        println!(
            "bore of {segments} facets, voxel {:.0} µm: sagitta {:.1} µm, allowance {:.1} µm, lattice of {:?} cells",
            1e6 * h,
            1e6 * sagitta,
            1e6 * report.largest_allowance_m,
            allowance.lattice().cells
        );
        assert!((report.summary.largest_sagitta_m / sagitta - 1.0).abs() < 0.05);
        assert_eq!(report.largest_allowance_m, allowance.largest());
        assert!(report.largest_allowance_m < sagitta + 0.4 * h * 2.0 * PI / f64::from(segments));
        assert!(allowance.lattice().spacing <= 2.0 * h * (1.0 + 1e-12));
        let mut random = Random(8);
        let mut deepest = 0.0f64;
        for _ in 0..20_000 {
            let (angle, z) = (2.0 * PI * random.unit(), 0.8 * radius * (random.unit() - 0.5));
            let p = Vec3::new(radius * angle.cos(), radius * angle.sin(), z);
            let (allowed, gradient) = allowance.sample(p);
            let depth = -shape.field.distance(p);
            deepest = deepest.max(depth);
            assert!(allowed >= depth, "{allowed} for {depth} at {p}");
            // One value all over the bore.
            assert!((allowed / allowance.largest() - 1.0).abs() < 1e-6 && gradient.norm() < 1e-6);
        }
        assert!(deepest > 0.9 * sagitta, "{deepest}");
        // The plate's faces beyond three coarse cells have exactly none, also over the bore's mouth.
        let coarse = allowance.lattice().spacing;
        for _ in 0..20_000 {
            let [x, y] = [0; 2].map(|_| 4.0 * radius * (random.unit() - 0.5));
            let z = 0.5 * radius * if random.unit() < 0.5 { 1.0 } else { -1.0 };
            let outside = x.abs().max(y.abs()) > radius + 3.0 * coarse;
            let (value, gradient) = allowance.sample(Vec3::new(x, y, z));
            assert!(!outside || (value == 0.0 && gradient == Vec3::zeros()));
            assert_eq!(
                allowance.sample(Vec3::new(0.1 * x, 0.1 * y, z.signum() * (0.5 * radius + 3.0 * coarse))).0,
                0.0
            );
        }
        let points = shape.shell.points();
        let mut bore_points = 0;
        for (i, p) in (0u32..).zip(points) {
            let on_bore = p.position.x.hypot(p.position.y) < radius * (1.0 + 1e-6);
            let own = shape.shell.allowance(i);
            if on_bore {
                assert!((own / allowance.largest() - 1.0).abs() < 1e-3, "{own} at {}", p.position);
                bore_points += 1;
            } else {
                assert_eq!(own, 0.0, "at {}", p.position);
            }
        }
        assert!(bore_points > 100 && report.shell_points == bore_points);
        let mut bytes = Vec::new();
        encode(shape, &mut bytes).unwrap();
        assert_eq!(decode(&mut &bytes[..], bytes.len() as u64).unwrap(), *shape);
    }
}

#[test]
fn a_baked_box_has_no_allowance() {
    let mesh = Solid::Box { size: [0.05, 0.04, 0.03] }.mesh().unwrap();
    let field = FieldOptions { fineness: Fineness::Resolution(32), ..FieldOptions::default() };
    let options = BakeOptions { field, shell_points: 300, ..BakeOptions::default() };
    let baked = bake(&mesh, &options, String::new(), &Silent).unwrap();
    assert!(baked.shape.allowance.is_none() && baked.shape.shell.allowances().is_empty());
    assert_eq!(baked.report.faceting.largest_allowance_m, 0.0);
}

/// The last facet beside a slot has a smooth crease on one side only, and stands in front of the true bore as far as the others.
#[test]
fn a_facet_beside_a_slot_has_the_sagitta_of_its_bore() {
    let mut mesh = bore(6e-3, 32);
    let whole = measured(&mesh).1.summary;
    // A facet less, as where a slot begins: both triangles of one strip go.
    let inside = |t: &[Vec3; 3]| t.iter().all(|p| p.x.hypot(p.y) < 6.001e-3);
    let normal = |t: [Vec3; 3]| (t[1] - t[0]).cross(&(t[2] - t[0])).normalize();
    let first = mesh.triangles().find(inside).map(normal).unwrap();
    let kept = mesh.triangles().map(|t| !(inside(&t) && normal(t).dot(&first) > 0.9999)).collect::<Vec<_>>();
    let mut keep = kept.iter();
    mesh.faces.retain(|_| *keep.next().unwrap());
    let less = measured(&mesh).1.summary;
    assert_eq!(less.facets, whole.facets - 1);
    assert!((less.largest_sagitta_m / whole.largest_sagitta_m - 1.0).abs() < 0.05, "{less:?} {whole:?}");
}

/// A cube that fills a cubic cavity exactly must not be driven out by the field, which fills the cavity's inner edges a little.
#[test]
fn the_inner_edges_of_a_cavity_have_an_allowance_for_the_field() {
    let mut random = Random(11);
    let (half, voxel) = (0.01, 0.7e-3);
    for round in 0..6 {
        let axis = Vec3::new(random.unit(), random.unit(), random.unit());
        let turn = stiction::spatial::exp(&(axis * if round == 0 { 0.0 } else { 2.0 }));
        let shift = Vec3::new(random.unit(), random.unit(), random.unit()) * voxel;
        let mut mesh = both(
            cube(Vec3::zeros(), Vec3::repeat(2.0 * half), 2),
            &reversed(cube(Vec3::zeros(), Vec3::repeat(half), 3)),
        );
        mesh.points.iter_mut().for_each(|p| *p = turn * *p + shift);
        let options = BakeOptions {
            field: FieldOptions { fineness: Fineness::Voxel(voxel), ..FieldOptions::default() },
            ..BakeOptions::default()
        };
        let shape = bake(&mesh, &options, String::new(), &Silent).unwrap().shape;
        let allowance = shape.allowance.as_ref().unwrap();
        let (mut worst, mut without) = (0.0f64, 0.0f64);
        for _ in 0..20_000 {
            // A point on the cavity's surface, often near an edge or a corner.
            let mut near = || {
                let x = 2.0 * random.unit() - 1.0;
                half * x.signum() * (1.0 - x.abs().powi(4))
            };
            let mut p = Vec3::new(near(), near(), near());
            p[random.below(3)] = half * (random.unit() - 0.5).signum();
            let p = turn * p + shift;
            let distance = shape.field.sample(p).distance;
            without = without.min(distance);
            worst = worst.min(distance + allowance.sample(p).0);
        }
        assert!(without < -0.2 * voxel, "the field has no error here: {without}");
        assert!(worst > -0.02 * voxel, "round {round}: {} voxels in contact where nothing is", worst / voxel);
    }
}

/// The field of a kink between two planes, at a place on one of them or below it: how far it lies below the true distance, in voxels.
fn kink_error(turn: &stiction::spatial::Rotation, angle: f64, offset: Vec3, place: [f64; 2]) -> f64 {
    let normals = [Vec3::y(), Vec3::new(angle.sin(), angle.cos(), 0.0)].map(|n| turn * n);
    let distance = |p: &Vec3| normals[0].dot(p).min(normals[1].dot(p));
    let p = turn * Vec3::new(place[0], -place[1], 0.0);
    let low = (p + offset).map(f64::floor);
    let at = p + offset - low;
    let corner = |n: usize| {
        let up = Vec3::new((n & 1) as f64, (n >> 1 & 1) as f64, (n >> 2) as f64);
        let weight = at.zip_map(&up, |t, up| if up > 0.5 { t } else { 1.0 - t }).product();
        weight * distance(&(low + up - offset))
    };
    distance(&p) - (0..8).map(corner).sum::<f64>()
}

/// Equation (3) of `faceting`: for every angle, place and direction of the lattice.
#[test]
fn the_error_of_a_field_at_a_hollow_edge_is_within_its_envelope() {
    let mut random = Random(12);
    for degrees in [41.0f64, 60.0, 90.0, 120.0, 150.0] {
        let edge = HollowEdge { ends: [Vec3::zeros(); 2], angle: degrees.to_radians() };
        let (error, reach) = (edge.allowance(1.0), edge.reach(1.0));
        let (mut beyond, mut most) = (0.0f64, 0.0f64);
        for round in 0..20_000 {
            let axis = Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5);
            let turn =
                stiction::spatial::exp(&(axis.normalize() * if round % 4 == 0 { 0.0 } else { PI * random.unit() }));
            let offset = Vec3::new(random.unit(), random.unit(), random.unit());
            let away = 1.2 * reach * random.unit();
            let found = kink_error(&turn, edge.angle, offset, [away, 0.25 * random.unit()]) / error;
            beyond = beyond.max(found - (1.0 - away / reach).max(0.0).powi(3));
            most = most.max(found);
        }
        assert!(beyond < 0.012, "{degrees}°: {beyond} of the largest error beyond the envelope");
        // It is no loose bound either.
        assert!(most > 0.8, "{degrees}°: {most}");
    }
}

/// A drawer sank 119 µm into its rails: they end at inner edges 2¼ voxels away, and the allowance for those reached over 4½.
#[test]
fn an_inner_edge_is_allowed_for_only_where_the_field_is_off() {
    let (half, voxel) = (0.01, 0.7e-3);
    let mut random = Random(13);
    for round in 0..6 {
        let axis = Vec3::new(random.unit(), random.unit(), random.unit());
        let turn = stiction::spatial::exp(&(axis * if round == 0 { 0.0 } else { 2.0 }));
        let shift = Vec3::new(random.unit(), random.unit(), random.unit()) * voxel;
        let mut mesh = both(
            cube(Vec3::zeros(), Vec3::repeat(2.0 * half), 2),
            &reversed(cube(Vec3::zeros(), Vec3::repeat(half), 3)),
        );
        mesh.points.iter_mut().for_each(|p| *p = turn * *p + shift);
        let allowance = measured(&mesh).1.lattice(&mesh, voxel).unwrap().unwrap();
        let edge = HollowEdge { ends: [Vec3::zeros(); 2], angle: 0.5 * PI };
        for _ in 0..20_000 {
            let mut p = Vec3::new(random.unit(), random.unit(), random.unit()).map(|x| half * (2.0 * x - 1.0));
            let axis = random.below(3);
            p[axis] = half;
            let away = (0..3).filter(|a| *a != axis).map(|a| half - p[a].abs()).fold(f64::INFINITY, f64::min);
            let value = allowance.sample(turn * p + shift).0 / edge.allowance(voxel);
            // A node covers the eight cells around it: a voxel to each side along its axes, and more across them.
            let along_axes = round == 0 && away >= 2.25 * voxel;
            assert!(!along_axes || value < 0.2, "{value} of the edge's, {} voxels away", away / voxel);
            assert!(away < edge.reach(voxel) + 2.0 * 3f64.sqrt() * voxel || value == 0.0, "{value} at {away}");
        }
    }
}

/// The mesh with vertices at most `grain` apart, each moved by up to `by` in each direction.
fn roughened(mesh: &Mesh, grain: f64, by: f64, seed: u64) -> Mesh {
    let mut random = Random(seed);
    let mut out = refine(mesh, grain).unwrap();
    let mut off = || by * (2.0 * random.unit() - 1.0);
    out.points.iter_mut().for_each(|p| *p += Vec3::new(off(), off(), off()));
    out
}

/// Vertices that are off by a few micrometres turn narrow triangles by degrees. What that looks like is no more than the roughness itself, from peak to valley p: a crease tells of
/// w t/3 at most, and between facets of one width w t is 2p at most; two directions make 4p/3. It used to be read as 0.2 to 17 mm.
#[test]
fn roughness_is_not_read_as_curvature() {
    // Where triangles are narrower than the roughness, as on plates beside a bore of many facets, they fold over, and only the sagitta is bounded.
    let cases = [
        (4.05e-3, 32, 1e-3, 5e-6, true),
        (4.05e-3, 32, 0.5e-3, 5e-6, false),
        (4.05e-3, 128, 1e-3, 5e-6, false),
        (4.05e-3, 32, 1e-3, 1e-6, true),
        (20e-3, 64, 2e-3, 10e-6, false),
    ];
    for (radius, segments, grain, by, wide) in cases {
        let plate = Solid::PlateRoundHole { size: [0.03f64.max(4.0 * radius); 2], thickness: 0.02, radius, segments };
        let faceting = measured(&roughened(&plate.mesh().unwrap(), grain, by, 2)).1;
        let rough = faceting.summary.largest_sagitta_m;
        let bound = sagitta(radius, segments) + 4.0 / 3.0 * 2.0 * 3f64.sqrt() * by;
        let words = format!("{:.1} µm, bound {:.1}", 1e6 * rough, 1e6 * bound);
        println!("bore of {segments} facets, vertices off by {:.0} µm: {words}", 1e6 * by);
        assert!(rough <= bound, "{words}");
        // The smooth bore's lattice error, and as much again for what patches of facets are off by.
        let (voxel, turn) = (0.04 * radius, 2.0 * PI / f64::from(segments));
        let allowed = faceting.face_allowances(voxel).into_iter().fold(0.0, f64::max);
        let most = bound + 2.0 * voxel * (0.25 * turn + 0.125 * voxel / radius);
        println!("  allowance {:.1} µm with a voxel of {:.0} µm (bound {:.1})", 1e6 * allowed, 1e6 * voxel, 1e6 * most);
        assert!(!wide || allowed <= most, "{allowed} for {most}");
    }
}
