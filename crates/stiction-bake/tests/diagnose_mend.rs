//! Mending: orientation comes back, solids stay closed, sheets are known, cracks are no holes.

mod common;
use common::*;
use stiction::spatial::Vec3;
use stiction_bake::Mesh;
use stiction_bake::diagnose::mend;

fn nested_cavity() -> Mesh {
    both(cube(Vec3::zeros(), Vec3::repeat(1.0), 4), &reversed(sphere(Vec3::new(0.1, 0.0, 0.0), 0.6, 24, 12)))
}

fn overlapping_cubes() -> Mesh {
    both(cube(Vec3::zeros(), Vec3::repeat(1.0), 4), &cube(Vec3::new(0.9, 0.7, 0.3), Vec3::repeat(1.0), 4))
}

/// A ball in a spherical room in a box.
fn bearing() -> Mesh {
    both(nested_cavity(), &sphere(Vec3::new(0.1, 0.0, 0.0), 0.3, 16, 8))
}

/// Cubes on one lattice: they cross exactly along edges of both, each with four faces.
fn lattice_cubes() -> Mesh {
    both(cube(Vec3::zeros(), Vec3::repeat(0.5), 4), &cube(Vec3::new(0.5, 0.25, 0.25), Vec3::repeat(0.5), 4))
}

/// Cubes that share one side of their twelve.
fn touching_cubes() -> Mesh {
    both(cube(Vec3::zeros(), Vec3::repeat(0.5), 2), &cube(Vec3::new(1.0, 1.0, 0.0), Vec3::repeat(0.5), 2))
}

fn closed_shapes() -> Vec<(&'static str, Mesh)> {
    vec![
        ("unit cube", unit_cube()),
        ("fine cube", cube(Vec3::zeros(), Vec3::new(0.5, 0.3, 0.01), 8)),
        ("sphere", sphere(Vec3::zeros(), 1.0, 32, 16)),
        ("torus", torus(40, 20)),
        ("nested cavity", nested_cavity()),
        ("overlapping cubes", overlapping_cubes()),
        ("bearing", bearing()),
        ("cubes that cross along their edges", lattice_cubes()),
        ("cubes that touch in an edge", touching_cubes()),
    ]
}

fn flip_some(mesh: &Mesh, share: f64, seed: u64) -> Mesh {
    let mut out = mesh.clone();
    let n = mesh.faces.len();
    for f in Random(seed).choose(n, (share * n as f64) as usize) {
        out.faces[f].swap(1, 2);
    }
    out
}

fn expect_closed(name: &str, given: &Mesh, original: &Mesh) {
    let mended = mend(given);
    assert!(wound(&mended.mesh) == wound(original), "{name}: not the original triangles");
    assert!(mended.watertight && mended.oriented, "{name}: {} {}", mended.watertight, mended.oriented);
    assert!(mended.sheet.iter().all(|s| !s), "{name}: sheets");
    assert_eq!(mended.hole, 0.0, "{name}");
}

#[test]
fn closed_meshes_are_left_as_they_are() {
    for (name, mesh) in closed_shapes() {
        expect_closed(name, &mesh, &mesh);
    }
}

#[test]
fn flipping_three_in_ten_faces_is_undone() {
    for (name, mesh) in closed_shapes() {
        for seed in 0..20 {
            expect_closed(name, &flip_some(&mesh, 0.3, seed), &mesh);
        }
    }
}

#[test]
fn an_inside_out_mesh_is_turned_and_keeps_its_cavities() {
    for (name, mesh) in closed_shapes() {
        expect_closed(name, &reversed(mesh.clone()), &mesh);
    }
}

#[test]
fn doubled_faces_go_whichever_way_they_are_wound() {
    for (name, mesh) in closed_shapes() {
        expect_closed(name, &both(mesh.clone(), &mesh), &mesh);
        expect_closed(name, &both(mesh.clone(), &reversed(mesh.clone())), &mesh);
        let mut random = Random(7);
        let mut some = mesh.clone();
        for f in random.choose(mesh.faces.len(), mesh.faces.len() / 3) {
            let [a, b, c] = mesh.faces[f];
            some.faces.push(if random.below(2) == 0 { [b, c, a] } else { [c, b, a] });
        }
        expect_closed(name, &some, &mesh);
    }
}

#[test]
fn scattered_missing_faces_leave_solids_outwards() {
    // Not cubes that cross along edges: where one face of each is missing at such an edge, the two that are left look
    // like neighbours of one surface.
    let shapes =
        closed_shapes().into_iter().filter(|(name, m)| m.faces.len() > 100 && !name.contains("along their edges"));
    for (name, mesh) in shapes {
        for seed in 0..10 {
            let n = mesh.faces.len();
            let gone = Random(seed).choose(n, n / 50);
            let mut number = 0..;
            let mut kept = mesh.clone();
            kept.faces.retain(|_| gone.binary_search(&number.next().unwrap()).is_err());
            let mended = mend(&flip_some(&kept, 0.3, seed + 100));
            assert!(wound(&mended.mesh) == wound(&kept), "{name} {seed}");
            assert!(mended.oriented && !mended.watertight, "{name} {seed}");
            assert!(mended.sheet.iter().all(|s| !s), "{name} {seed}: sheets");
            let side = |t: [Vec3; 3]| (t[1] - t[0]).norm().max((t[2] - t[1]).norm()).max((t[0] - t[2]).norm());
            let longest = mesh.triangles().map(side).fold(0.0, f64::max);
            assert!(mended.hole > 0.0 && mended.hole <= 3.0 * longest, "{name} {seed}: {} {longest}", mended.hole);
        }
    }
}

/// A cube whose top has one edge more finely cut than its side: a T-junction.
fn t_junction() -> Mesh {
    let mut mesh = unit_cube();
    let edge = |p: &Vec3| p.z == 0.5 && p.y == 0.5;
    let top = |t: [Vec3; 3]| t.iter().all(|p| p.z == 0.5) && t.iter().filter(|p| edge(p)).count() == 2;
    let f = (0..12).find(|&f| top(mesh.triangle(f))).unwrap();
    let k = (0..3).find(|&k| !edge(&mesh.triangle(f)[k])).unwrap();
    let [apex, a, b] = [0, 1, 2].map(|j| mesh.faces[f][(k + j) % 3]);
    let m = mesh.points.len() as u32;
    mesh.points.push(0.5 * (mesh.points[a as usize] + mesh.points[b as usize]));
    mesh.faces[f] = [apex, a, m];
    mesh.faces.push([apex, m, b]);
    mesh
}

#[test]
fn a_t_junction_is_a_hole_of_no_width() {
    let mended = mend(&t_junction());
    assert!(!mended.watertight && mended.oriented);
    assert_eq!(mended.hole, 0.0);
    assert!(mended.sheet.iter().all(|s| !s));
    assert!((volume(&mended.mesh) - 1.0).abs() < 1e-15);
}

#[test]
fn a_needle_that_seals_a_t_junction_stays_and_one_that_does_not_goes() {
    let mut mesh = t_junction();
    let n = mesh.points.len();
    let m = mesh.points[n - 1];
    let (a, b) = (Vec3::new(-0.5, 0.5, 0.5), Vec3::new(0.5, 0.5, 0.5));
    let base = n as u32;
    mesh.points.extend([a, m, b]);
    mesh.faces.push([base, base + 1, base + 2]);
    let mended = mend(&mesh);
    assert_eq!(mended.mesh.faces.len(), 14);
    assert!(mended.watertight && mended.oriented);
    // Alone in space it is nothing.
    let mut mesh = unit_cube();
    mesh.points.extend([0.0, 1.0, 2.0].map(|x| Vec3::new(x, 3.0, 3.0)));
    mesh.faces.push([24, 25, 26]);
    assert_eq!(mend(&mesh).mesh.faces.len(), 12);
}

/// A cylinder whose side has 32 columns and whose lids have 48 sides.
fn ringed_cylinder() -> Mesh {
    let circle = |n: usize, k: usize, z: f64| {
        let a = std::f64::consts::TAU * k as f64 / n as f64;
        Vec3::new(libm::cos(a), libm::sin(a), z)
    };
    let mut mesh = grid(32, 4, [true, false], |u, v| circle(32, (32.0 * u).round() as usize, 2.0 * v));
    for z in [0.0, 2.0] {
        let base = mesh.points.len() as u32;
        mesh.points.push(Vec3::new(0.0, 0.0, z));
        mesh.points.extend((0..48).map(|k| circle(48, k, z)));
        for k in 0..48 {
            let f = [base, base + 1 + k, base + 1 + (k + 1) % 48];
            mesh.faces.push(if z > 0.0 { f } else { [f[0], f[2], f[1]] });
        }
    }
    mesh
}

#[test]
fn rings_tessellated_apart_are_cracks_not_holes() {
    let mesh = ringed_cylinder();
    for seed in 0..5 {
        let mended = mend(&flip_some(&mesh, 0.3, seed));
        assert!(mended.oriented && !mended.watertight);
        assert!(mended.sheet.iter().all(|s| !s));
        assert!(mended.hole < 0.006, "{}", mended.hole);
        assert!(wound(&mended.mesh) == wound(&mesh));
    }
}

#[test]
fn a_face_missing_beside_a_ring_crack_is_not_a_hole_as_wide_as_the_ring() {
    let mut mesh = ringed_cylinder();
    let lost = mesh.faces.len() - 7;
    let side = {
        let [a, b, c] = mesh.triangle(lost);
        (b - a).norm().max((c - b).norm()).max((a - c).norm())
    };
    mesh.faces.remove(lost);
    let hole = mend(&mesh).hole;
    assert!(hole > 0.05 && hole < side && side < 1.01, "{hole} {side}");
}

#[test]
fn a_missing_side_is_a_hole_of_its_width() {
    let mut mesh = cube(Vec3::zeros(), Vec3::new(1.0, 0.2, 0.3), 4);
    let triangles: Vec<[Vec3; 3]> = mesh.triangles().collect();
    let mut number = 0..;
    mesh.faces.retain(|_| !triangles[number.next().unwrap()].iter().all(|p| p.z == 0.3));
    let mended = mend(&mesh);
    assert!((mended.hole - 0.4).abs() < 1e-12, "{}", mended.hole);
}

#[test]
fn points_off_by_single_precision_are_welded_at_open_edges() {
    let original = sphere(Vec3::new(0.3, 0.2, 0.1), 0.05, 24, 12);
    let mut mesh = Mesh::default();
    let mut random = Random(3);
    for t in original.triangles() {
        let base = mesh.points.len() as u32;
        mesh.points.extend(t.map(|p| p.map(|x| x + 1e-8 * (random.unit() - 0.5))));
        mesh.faces.push([base, base + 1, base + 2]);
    }
    let mended = mend(&mesh);
    assert!(mended.watertight && mended.oriented);
    assert_eq!(mended.mesh.faces.len(), original.faces.len());
}

#[test]
fn unwelded_faces_with_gaps_are_oriented_by_parity() {
    // Every face shrunk about its middle: no edge and no point is shared.
    let original = sphere(Vec3::zeros(), 1.0, 16, 8);
    let mut mesh = Mesh::default();
    for t in original.triangles() {
        let base = mesh.points.len() as u32;
        let middle = (t[0] + t[1] + t[2]) / 3.0;
        mesh.points.extend(t.map(|p| middle + 0.97 * (p - middle)));
        mesh.faces.push([base, base + 1, base + 2]);
    }
    let mended = mend(&flip_some(&mesh, 0.3, 1));
    assert!(wound(&mended.mesh) == wound(&mesh));
    assert!(mended.oriented && !mended.watertight);
}

#[test]
fn nothing_and_next_to_nothing_are_mended() {
    let mended = mend(&Mesh::default());
    assert!(mended.mesh.faces.is_empty() && mended.hole == 0.0);
    let mended = mend(&Mesh { points: vec![Vec3::zeros(); 3], faces: vec![[0, 1, 2], [0, 0, 0]] });
    assert!(mended.mesh.faces.is_empty());
    let one = Mesh { points: vec![Vec3::zeros(), Vec3::x(), Vec3::y()], faces: vec![[0, 1, 2]] };
    assert_eq!(mend(&one).sheet, [true]);
}

#[test]
fn mending_does_not_depend_on_threads() {
    let mut mesh = flip_some(&bearing(), 0.3, 5);
    mesh.faces.remove(40);
    mesh.append(&sheet(7));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| mend(&mesh))
    };
    let (one, many) = (on(1), on(7));
    assert_eq!(one.mesh, many.mesh);
    assert_eq!((one.sheet, one.body, one.hole.to_bits()), (many.sheet, many.body, many.hole.to_bits()));
}

#[test]
fn extreme_coordinates_do_not_panic() {
    let mut random = Random(9);
    for scale in [1e-320, 1e-300, 1e-30, 1e30, 1e150, 1e300] {
        for _ in 0..20 {
            let mut mesh = Mesh::default();
            for _ in 0..30 {
                let mut x = || if random.below(3) == 0 { 0.0 } else { (random.unit() - 0.5) * scale };
                mesh.points.push(Vec3::new(x(), x(), x()));
            }
            mesh.faces = (0..60).map(|_| [0; 3].map(|_| random.below(30) as u32)).collect();
            let mended = mend(&mesh);
            assert_eq!(mended.sheet.len(), mended.mesh.faces.len());
            let options = stiction_bake::diagnose::DiagnoseOptions { samples: 50, ..Default::default() };
            let d = stiction_bake::diagnose::diagnose(&mesh, &options, &stiction_bake::Silent).unwrap();
            stiction_bake::diagnose::report(&d, &stiction_bake::diagnose::advise(&d), 110);
        }
    }
}
