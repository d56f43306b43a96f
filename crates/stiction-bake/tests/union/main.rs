//! Overlapping solids as one soup are a union: distances, signs, volumes and shells.

mod exact;
#[path = "../common/random.rs"]
mod random;

use exact::{Brick, Part, Union, boundary, brick};
use random::Random;
use stiction::shape::{DistanceField, MassProperties};
use stiction::spatial::{Mat3, Vec3};
use stiction_bake::diagnose::mend;
use stiction_bake::expose::exposed;
use stiction_bake::field::{FieldOptions, FieldReport, Fineness, Storage, build, build_exposed};
use stiction_bake::mass::{of_mended, of_mesh};
use stiction_bake::shell::{self, ShellOptions};
use stiction_bake::solids::{Solid, SpurGear, refine};
use stiction_bake::{Mesh, Silent};

fn options(resolution: u32, storage: Storage) -> FieldOptions {
    FieldOptions { fineness: Fineness::Resolution(resolution), storage, ..FieldOptions::default() }
}

fn bake(mesh: &Mesh, resolution: u32, storage: Storage) -> (DistanceField, FieldReport) {
    build(&mend(mesh), &options(resolution, storage), &Silent).unwrap()
}

fn mass(mesh: &Mesh) -> MassProperties {
    let mended = mend(mesh);
    of_mended(&mended, exposed(&mended, &Silent).unwrap().as_ref())
}

/// Unions of boxes, in units of a few centimetres, and how many of their faces are wholly or partly inside.
fn unions() -> Vec<(&'static str, Union)> {
    let unit = brick([0.0; 3], [0.04, 0.03, 0.02]);
    let with = |others: &[Brick]| Union::new(&[&[unit], others].concat());
    vec![
        ("corner in corner", with(&[brick([0.025, 0.017, 0.011], [0.06, 0.05, 0.04])])),
        ("shifted along x in line", with(&[brick([0.021, 0.0, 0.0], [0.061, 0.03, 0.02])])),
        ("top faces in one plane", with(&[brick([0.02, 0.01, 0.005], [0.055, 0.04, 0.02])])),
        ("through and through", with(&[brick([0.012, 0.009, -0.02], [0.023, 0.021, 0.05])])),
        ("one inside the other", with(&[brick([0.01, 0.01, 0.005], [0.02, 0.02, 0.015])])),
        ("one inside, on a wall", with(&[brick([0.01, 0.01, 0.0], [0.02, 0.02, 0.015])])),
        ("identical", with(&[unit])),
        ("standing on it", with(&[brick([0.01, 0.005, 0.02], [0.03, 0.02, 0.05])])),
        ("side by side, one lower", with(&[brick([0.04, 0.0, 0.0], [0.06, 0.03, 0.013])])),
        ("side by side, shifted", with(&[brick([0.04, 0.011, -0.007], [0.06, 0.041, 0.012])])),
        ("apart", with(&[brick([0.05, 0.0, 0.0], [0.06, 0.03, 0.02])])),
        (
            "plus",
            Union::new(&[
                brick([-0.03, -0.01, -0.01], [0.03, 0.01, 0.01]),
                brick([-0.01, -0.03, -0.01], [0.01, 0.03, 0.01]),
                brick([-0.01, -0.01, -0.03], [0.01, 0.01, 0.03]),
            ]),
        ),
        (
            "three walls of a corner",
            Union::new(&[
                brick([0.0; 3], [0.01, 0.04, 0.04]),
                brick([0.0; 3], [0.04, 0.01, 0.04]),
                brick([0.0; 3], [0.04, 0.04, 0.01]),
            ]),
        ),
        (
            "staircase of touching and overlapping",
            Union::new(&[
                brick([0.0; 3], [0.02, 0.02, 0.01]),
                brick([0.02, 0.0, 0.0], [0.04, 0.02, 0.02]),
                brick([0.03, 0.005, 0.005], [0.06, 0.02, 0.03]),
                brick([0.0, 0.02, 0.0], [0.05, 0.03, 0.005]),
            ]),
        ),
    ]
}

/// A rotation by three random angles.
fn turn(random: &mut Random) -> Mat3 {
    let about = |axis: usize, angle: f64| {
        let (s, c) = angle.sin_cos();
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut m = Mat3::identity();
        (m[(i, i)], m[(i, j)], m[(j, i)], m[(j, j)]) = (c, -s, s, c);
        m
    };
    (0..3).fold(Mat3::identity(), |m, axis| about(axis, 6.0 * random.unit()) * m)
}

fn turned(mesh: &Mesh, m: &Mat3) -> Mesh {
    Mesh { points: mesh.points.iter().map(|p| m * p).collect(), faces: mesh.faces.clone() }
}

/// Every node of a field against the union turned by `m`, as far as the field knows distances; how many were inside by more
/// than a voxel.
fn assert_nodes(name: &str, field: &DistanceField, union: &Union, m: &Mat3) -> usize {
    let lattice = *field.lattice();
    let [nx, ny, nz] = lattice.nodes();
    let (h, size) = (lattice.spacing, (field.part().max - field.part().min).max());
    let (reach, slack) = match field {
        DistanceField::Dense(_) => (f64::INFINITY, 1e-5 * size),
        DistanceField::Sparse(_) => (3.9 * h, 1e-3 * h),
    };
    let mut deep = 0;
    for i in 0..nx * ny * nz {
        let at = lattice.position([i % nx, i / nx % ny, i / (nx * ny)]);
        let (got, expected) = (field.distance(at), union.distance(m.transpose() * at));
        if expected.abs() < reach {
            assert!((got - expected).abs() <= slack, "{name}: {got} for {expected} at {at}");
        } else {
            assert_eq!(got < 0.0, expected < 0.0, "{name}: sign of {expected} at {at}");
        }
        deep += usize::from(expected < -h);
    }
    deep
}

#[test]
fn nodes_of_unions_of_boxes_are_exact() {
    for (name, union) in unions() {
        for (resolution, storage) in [(40, Storage::Dense), (48, Storage::Sparse)] {
            let (field, report) = bake(&union.mesh(), resolution, storage);
            assert_eq!(report.membrane_points, 0, "{name}");
            assert!(assert_nodes(name, &field, &union, &Mat3::identity()) > 100, "{name}");
        }
    }
}

#[test]
fn turned_and_partly_flipped_unions_are_as_exact() {
    let mut random = Random(17);
    for (name, union) in unions() {
        let m = turn(&mut random);
        let mut mesh = turned(&refine(&union.mesh(), 0.02).unwrap(), &m);
        mesh.faces.iter_mut().filter(|_| random.unit() < 0.3).for_each(|f| f.swap(1, 2));
        let (field, _) = bake(&mesh, 36, Storage::Dense);
        assert_nodes(name, &field, &union, &m);
    }
}

#[test]
fn volume_centre_and_inertia_count_every_place_once() {
    let mut random = Random(23);
    for (name, union) in unions() {
        let (volume, centre, inertia) = union.mass();
        for case in 0..6 {
            let m = if case == 0 { Mat3::identity() } else { turn(&mut random) };
            let mesh = turned(&union.mesh(), &m);
            let got = mass(&mesh);
            assert!((got.volume - volume).abs() < 1e-9 * volume, "{name} {case}: {} for {volume}", got.volume);
            assert!((got.centre - m * centre).norm() < 1e-10, "{name} {case}");
            let expected = m * inertia * m.transpose();
            assert!((got.inertia - expected).norm() < 1e-9 * expected.norm(), "{name} {case}");
        }
    }
}

#[test]
fn what_is_left_has_the_area_of_the_boundary() {
    for (name, union) in unions() {
        let mended = mend(&union.mesh());
        let left = exposed(&mended, &Silent).unwrap().map_or(mended.mesh.clone(), |e| e.mesh);
        let area: f64 = left.triangles().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
        let walls = mended.sheet.iter().any(|s| *s);
        assert!(walls || (area - union.area()).abs() < 1e-9 * area, "{name}: {area} for {}", union.area());
    }
}

#[test]
fn equal_boxes_with_one_wall_in_common_are_one_box() {
    let union = Union::new(&[brick([0.0; 3], [0.02, 0.03, 0.02]), brick([0.02, 0.0, 0.0], [0.04, 0.03, 0.02])]);
    let (field, report) = bake(&union.mesh(), 40, Storage::Dense);
    assert_eq!((report.thickened_faces, report.membrane_points), (0, 0));
    assert!(assert_nodes("one wall", &field, &union, &Mat3::identity()) > 100);
    let volume = mass(&union.mesh()).volume;
    assert!((volume - union.mass().0).abs() < 1e-9 * volume);
}

/// Boxes in any position.
fn tilted(random: &mut Random, count: usize, tilt: f64) -> Vec<(Mesh, Vec3, Vec3, Mat3)> {
    let tilted = |_| {
        let half = random.point(Vec3::repeat(0.2), Vec3::repeat(0.6));
        let at = random.point(Vec3::repeat(-0.6), Vec3::repeat(0.6));
        // On a lattice, so that small tilts give faces that nearly lie in one plane.
        let (half, at) =
            if tilt < 1.0 { ((half * 5.0).map(f64::ceil) / 5.0, (at * 5.0).map(f64::round) / 5.0) } else { (half, at) };
        let full = turn(random);
        let m = if tilt < 1.0 {
            let w = random.point(Vec3::repeat(-tilt), Vec3::repeat(tilt));
            // Cayley: exactly a rotation, however small.
            let k = w.cross_matrix() * 0.5;
            (Mat3::identity() - k).try_inverse().unwrap() * (Mat3::identity() + k)
        } else {
            full
        };
        let mesh = brick([-half.x, -half.y, -half.z], half.into()).mesh();
        let mesh = Mesh { points: mesh.points.iter().map(|p| m * p + at).collect(), faces: mesh.faces };
        (mesh, half, at, m)
    };
    (0..count).map(tilted).collect()
}

#[test]
fn pieces_of_any_boxes_close_around_just_their_union() {
    let mut random = Random(41);
    let (mut asked, mut inside) = (0, 0);
    for case in 0..120 {
        let tilt = [2.0, 2.0, 1e-3, 1e-5, 1e-7, 1e-9, 1e-12, 0.0][case % 8];
        let boxes = tilted(&mut random, 2 + case % 7, tilt);
        let mut mesh = Mesh::default();
        boxes.iter().for_each(|b| mesh.append(&b.0));
        let mended = mend(&mesh);
        let left = exposed(&mended, &Silent).unwrap().map_or(mended.mesh.clone(), |e| e.mesh);
        for _ in 0..150 {
            let p = random.point(Vec3::repeat(-1.0), Vec3::repeat(1.0));
            let depths = boxes.iter().map(|(_, half, at, m)| (half - (m.transpose() * (p - at)).abs()).min());
            let depth = depths.fold(f64::NEG_INFINITY, f64::max);
            let number: f64 = left
                .triangles()
                .map(|t| {
                    let [a, b, c] = t.map(|q| (q - p).normalize());
                    a.dot(&b.cross(&c)).atan2(1.0 + a.dot(&b) + b.dot(&c) + c.dot(&a)) / std::f64::consts::TAU
                })
                .sum();
            if depth.abs() > 1e-3 {
                let expected = if depth > 0.0 { 1.0 } else { 0.0 };
                assert!((number - expected).abs() < 1e-3, "case {case}, tilt {tilt}: {number} for {expected} at {p}");
                asked += 1;
                inside += usize::from(depth > 0.0);
            }
        }
    }
    assert!(asked > 10_000 && inside > 2_000, "{asked} {inside}");
}

/// Checks a field against samples of the boundary of the union of parts.
fn assert_near_samples(name: &str, parts: &[Part], resolution: u32, storage: Storage) {
    let mut soup = Mesh::default();
    parts.iter().for_each(|part| soup.append(&part.mesh));
    let (field, report) = bake(&soup, resolution, storage);
    assert!(report.buried_faces > 0 && report.membrane_points == 0, "{name}: {report:?}");
    let lattice = *field.lattice();
    let h = lattice.spacing;
    let samples = boundary(parts, 0.25 * h);
    let mut random = Random(3);
    let mut deep = 0;
    for _ in 0..400 {
        let p = lattice.position(lattice.nodes().map(|n| (random.unit() * n as f64) as usize));
        let near = samples.iter().map(|s| (s - p).norm_squared()).fold(f64::INFINITY, f64::min).sqrt();
        let inside = parts.iter().any(|part| (part.has)(p));
        let got = field.distance(p);
        if near > 0.5 * h {
            assert_eq!(got < 0.0, inside, "{name}: {got} at {p}");
        }
        if storage == Storage::Dense || near < 3.5 * h {
            // A sample is within a quarter of a voxel of the nearest point.
            assert!(got.abs() <= near + 0.01 * h && got.abs() >= near - 0.25 * h, "{name}: {got} for {near} at {p}");
        }
        deep += usize::from(inside && near > h);
    }
    assert!(deep > 20, "{name}: {deep}");
}

fn round(radius: f64, height: f64, segments: u32, m: Mat3, at: Vec3) -> Part {
    let mesh = turned(&Solid::Cylinder { radius, height, segments }.mesh().unwrap(), &m);
    let mesh = Mesh { points: mesh.points.iter().map(|p| p + at).collect(), faces: mesh.faces };
    let has = move |p: Vec3| {
        let q = m.transpose() * (p - at);
        q.xy().norm() < radius && q.z.abs() < 0.5 * height
    };
    Part { mesh, has: Box::new(has) }
}

#[test]
fn a_cylinder_through_a_box_leaves_no_wall_inside() {
    let size = [0.05, 0.04, 0.02];
    let block = || Part {
        mesh: Solid::Box { size }.mesh().unwrap(),
        has: Box::new(move |p| (0..3).all(|k| p[k].abs() < 0.5 * size[k])),
    };
    let at = Vec3::new(0.004, -0.003, 0.006);
    let pin = |m: Mat3| round(0.012, 0.05, 96, m, at);
    assert_near_samples("upright", &[block(), pin(Mat3::identity())], 40, Storage::Dense);
    assert_near_samples("oblique", &[block(), pin(turn(&mut Random(5)))], 48, Storage::Sparse);
}

fn gear_and_shaft() -> (Part, Part, f64) {
    let gear = SpurGear { bore: 0.004, ..SpurGear::standard(0.001, 18, 0.008) };
    let filled = SpurGear { bore: 0.0, ..gear.clone() };
    let shaft = round(0.0042, 0.02, 61, Mat3::identity(), Vec3::zeros());
    // Pressed in: the bore, a polygon in a circle of 4 mm, lies within the shaft's, so that the hole is filled.
    let outside = of_mesh(&shaft.mesh).volume * (0.02 - 0.008) / 0.02;
    let volume = of_mesh(&Solid::Gear(filled).mesh().unwrap()).volume + outside;
    let (root, tip) = (gear.root_radius(), gear.tip_radius());
    let angle = {
        let gear = gear.clone();
        move |r: f64| gear.half_tooth_angle(r)
    };
    let has = move |p: Vec3| {
        let (r, pitch) = (p.xy().norm(), std::f64::consts::TAU / 18.0);
        let tooth = p.y.atan2(p.x).rem_euclid(pitch);
        let on_tooth = r < tip && tooth.min(pitch - tooth) < angle(r);
        p.z.abs() < 0.004 && r > 0.004 && (r < root || on_tooth)
    };
    (Part { mesh: Solid::Gear(gear).mesh().unwrap(), has: Box::new(has) }, shaft, volume)
}

#[test]
fn a_shaft_pressed_into_a_gear_is_one_solid() {
    let (gear, shaft, volume) = gear_and_shaft();
    let parts = [gear, shaft];
    assert_near_samples("gear on shaft", &parts, 48, Storage::Dense);
    let mut soup = parts[0].mesh.clone();
    soup.append(&parts[1].mesh);
    for m in [Mat3::identity(), turn(&mut Random(8))] {
        let got = mass(&turned(&soup, &m)).volume;
        assert!((got - volume).abs() < 1e-9 * volume, "{got} for {volume}");
    }
    // Neighbouring nodes never differ by more than their distance.
    let (field, _) = bake(&soup, 64, Storage::Dense);
    let lattice = *field.lattice();
    let [nx, ny, nz] = lattice.nodes();
    for i in 0..nx * ny * nz {
        let at = [i % nx, i / nx % ny, i / (nx * ny)];
        for axis in 0..3 {
            let mut to = at;
            to[axis] += 1;
            if to[axis] < lattice.nodes()[axis] {
                let step = field.distance(lattice.position(to)) - field.distance(lattice.position(at));
                assert!(step.abs() <= 1.001 * lattice.spacing, "{step} at {at:?}");
            }
        }
    }
}

#[test]
fn shells_of_unions_have_no_points_inside_and_look_outwards() {
    for (name, union) in unions() {
        let mended = mend(&union.mesh());
        let exposed = exposed(&mended, &Silent).unwrap();
        let dense = options(64, Storage::Dense);
        let (field, _) = build_exposed(&mended, exposed.as_ref(), &dense, &Silent).unwrap();
        let h = field.lattice().spacing;
        let distance = |p: Vec3| field.distance(p);
        let (shell, report) =
            shell::build_mended(&mended, exposed.as_ref(), &ShellOptions::new(600, 0.5 * h), &distance, &Silent)
                .unwrap();
        assert!(shell.points().len() > 500, "{name}: {report:?}");
        let mut moved = 0;
        for point in shell.points() {
            // Where the interpolated field rounds an edge of a single box, a few points move to its level.
            let off = union.distance(point.position).abs();
            assert!(off <= 0.5 * h, "{name}: {point:?}");
            moved += usize::from(off > 1e-9);
            let (out, back) = (point.position + point.normal * (2.0 * h), point.position - point.normal * (2.0 * h));
            assert!(union.distance(out) > union.distance(back), "{name}: {point:?}");
        }
        assert!(moved <= 6, "{name}: {moved} of {}", shell.points().len());
        // Nothing is left bare: every place of the boundary has a point within a few spacings.
        assert!(report.covering < 4.0 * (union.area() / 600.0).sqrt(), "{name}: {report:?}");
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let (gear, shaft, _) = gear_and_shaft();
    let mut soup = gear.mesh;
    soup.append(&shaft.mesh);
    let mended = mend(&soup);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (exposed(&mended, &Silent).unwrap().unwrap(), bake(&soup, 48, Storage::Sparse)))
    };
    let one = run(1);
    assert!(one == run(2) && one == run(5));
}

#[test]
fn nothing_is_taken_from_single_disjoint_hollow_or_open_solids() {
    let mut two = Solid::Torus { major: 0.03, minor: 0.01, segments: 64, rings: 32 }.mesh().unwrap();
    let single = two.clone();
    // A ball in the hole of the torus: the boxes meet, the solids do not.
    two.append(&Solid::Capsule { radius: 0.01, height: 0.001, segments: 32, rings: 8 }.mesh().unwrap());
    let mut hollow = brick([0.0; 3], [0.04; 3]).mesh();
    let mut cavity = brick([0.01; 3], [0.03; 3]).mesh();
    cavity.faces.iter_mut().for_each(|f| f.swap(1, 2));
    hollow.append(&cavity);
    let mut cup = refine(&brick([0.0; 3], [0.04; 3]).mesh(), 0.004).unwrap();
    let points = cup.points.clone();
    cup.faces.retain(|f| !f.iter().all(|&i| points[i as usize].z > 0.0399));
    for (name, mesh) in [("torus", single), ("two", two), ("hollow", hollow), ("cup", cup)] {
        assert_eq!(exposed(&mend(&mesh), &Silent).unwrap(), None, "{name}");
    }
}

#[test]
fn an_open_cup_stuck_in_a_block_loses_only_what_is_in_the_block() {
    let mut soup = refine(&brick([0.0; 3], [0.04; 3]).mesh(), 0.005).unwrap();
    let points = soup.points.clone();
    soup.faces.retain(|f| !f.iter().all(|&i| points[i as usize].z > 0.0399));
    let block = brick([-0.01, -0.01, -0.02], [0.05, 0.05, 0.0121]);
    soup.append(&block.mesh());
    let mended = mend(&soup);
    assert!(!mended.watertight && mended.oriented);
    let left = exposed(&mended, &Silent).unwrap().unwrap();
    let area = |keep: &dyn Fn(Vec3) -> bool| -> f64 {
        let middle = |t: &[Vec3; 3]| (t[0] + t[1] + t[2]) / 3.0;
        left.mesh.triangles().filter(|t| keep(middle(t))).map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
    };
    // The four walls above the block, and the block without the place of the cup.
    let walls = 4.0 * 0.04 * (0.04 - 0.0121);
    assert!((area(&|p| p.z > 0.01211) - walls).abs() < 1e-9, "{}", area(&|p| p.z > 0.01211));
    let top = 0.06 * 0.06 - 0.04 * 0.04;
    assert!((area(&|p| (p.z - 0.0121).abs() < 1e-6) - top).abs() < 1e-9);
    assert!(area(&|p| p.z < 0.0120 && p.x.min(p.y) > -0.0099 && p.x.max(p.y) < 0.0499 && p.z > -0.0199) < 1e-12);
}
