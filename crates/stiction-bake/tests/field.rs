//! The field against brute force, against closed forms, and against itself.

#[path = "common/analytic.rs"]
mod analytic;
#[path = "common/exact.rs"]
mod exact;
#[path = "common/random.rs"]
mod random;

use analytic::Analytic;
use exact::to_mesh;
use random::Random;
use stiction::shape::{DistanceField, Lattice};
use stiction::spatial::Vec3;
use stiction_bake::diagnose::{Mended, mend};
use stiction_bake::field::{FieldError, FieldOptions, FieldReport, Fineness, Sign, Storage, build};
use stiction_bake::solids::Solid;
use stiction_bake::{Mesh, Silent};

fn options(resolution: u32, storage: Storage) -> FieldOptions {
    FieldOptions { fineness: Fineness::Resolution(resolution), storage, ..FieldOptions::default() }
}

fn bake(mesh: &Mesh, options: &FieldOptions) -> (DistanceField, FieldReport) {
    build(&mend(mesh), options, &Silent).unwrap()
}

fn solids() -> Vec<(Solid, f64)> {
    // The second number is how far facets lie from the true surface.
    vec![
        (Solid::Box { size: [0.03, 0.02, 0.05] }, 0.0),
        (Solid::Cylinder { radius: 0.02, height: 0.05, segments: 256 }, 0.02 * 8e-5),
        (Solid::Torus { major: 0.03, minor: 0.01, segments: 192, rings: 128 }, 0.04 * 2e-4),
        (Solid::LBar { legs: [0.05, 0.03], thickness: 0.01, length: 0.02 }, 0.0),
        (Solid::Corner { size: 0.04, thickness: 0.01 }, 0.0),
        (Solid::PlateSquareHole { size: [0.05, 0.04], thickness: 0.01, hole: [0.02, 0.01] }, 0.0),
    ]
}

fn grid_values(field: &DistanceField) -> (&Lattice, &[f32]) {
    match field {
        DistanceField::Dense(dense) => (field.lattice(), dense.values()),
        DistanceField::Sparse(_) => panic!("expected a dense field"),
    }
}

#[test]
fn every_node_of_a_dense_field_is_exact_for_random_soups() {
    let mut random = Random(7);
    for case in 0..12 {
        let mut mesh = Mesh::default();
        for _ in 0..30 {
            let at = random.point(Vec3::repeat(-1.0), Vec3::repeat(1.0));
            // Slivers, points and large faces among ordinary ones.
            let size = [1e-6, 0.1, 0.5, 2.0][(random.unit() * 4.0) as usize];
            for _ in 0..3 {
                mesh.points.push(at + random.point(Vec3::repeat(-size), Vec3::repeat(size)));
            }
            let n = mesh.points.len() as u32;
            mesh.faces.push([n - 3, n - 2, n - 1]);
        }
        // As sheets: then the field is the unsigned distance less half the thickness, without any sign to be found.
        let faces = mesh.faces.len();
        let mended = Mended {
            mesh,
            sheet: vec![true; faces],
            origin: (0..faces as u32).collect(),
            body: vec![0; faces],
            watertight: false,
            oriented: false,
            hole: 0.0,
        };
        let thick = FieldOptions { cube: case % 3 == 0, thicken: Some(0.2), ..options(32, Storage::Dense) };
        let (field, _) = build(&mended, &thick, &Silent).unwrap();
        let (lattice, values) = grid_values(&field);
        let size = (field.part().max - field.part().min).max();
        for _ in 0..1000 {
            let node = lattice.nodes().map(|n| (random.unit() * n as f64) as usize);
            let expected = to_mesh(lattice.position(node), &mended.mesh) - 0.1;
            let got = f64::from(values[lattice.index(node)]);
            assert!((got - expected).abs() <= 1e-5 * size, "case {case}: {got} for {expected} at {node:?}");
        }
    }
}

#[test]
fn distances_and_signs_of_solids_are_their_closed_forms() {
    let mut random = Random(3);
    for (solid, facets) in solids() {
        let mesh = solid.mesh().unwrap();
        for (resolution, storage) in [(64, Storage::Dense), (96, Storage::Sparse)] {
            let (field, report) = bake(&mesh, &options(resolution, storage));
            assert_eq!((report.sign, report.membrane_points), (Sign::Winding, 0), "{}", solid.name());
            let size = (field.part().max - field.part().min).max();
            let h = field.lattice().spacing;
            let reach = field.reach();
            let bounds = field.lattice().bounds();
            for _ in 0..20_000 {
                let p = random.point(bounds.min - Vec3::repeat(5.0 * h), bounds.max + Vec3::repeat(5.0 * h));
                let expected = solid.signed_distance(&p).unwrap();
                let got = field.distance(p);
                let slack = 0.5 * 3f64.sqrt() * h + facets + 1e-5 * size;
                let within = bounds.min.inf(&p) == bounds.min && bounds.max.sup(&p) == bounds.max;
                if within && expected.abs() < reach - slack {
                    assert!((got - expected).abs() <= slack, "{}: {got} for {expected} at {p}", solid.name());
                }
                assert!(got.abs() <= expected.abs() + slack, "{}: {got} above {expected} at {p}", solid.name());
                if expected.abs() > h {
                    assert_eq!(got < 0.0, expected < 0.0, "{}: sign of {expected} at {p}", solid.name());
                }
            }
        }
    }
}

#[test]
fn nodes_are_exact_to_a_hundred_thousandth_and_lipschitz() {
    for (solid, facets) in solids() {
        let mesh = solid.mesh().unwrap();
        let (field, _) = bake(&mesh, &options(64, Storage::Dense));
        let (lattice, values) = grid_values(&field);
        let size = (field.part().max - field.part().min).max();
        let [nx, ny, nz] = lattice.nodes();
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    let here = f64::from(values[lattice.index([x, y, z])]);
                    let expected = solid.signed_distance(&lattice.position([x, y, z])).unwrap();
                    assert!((here - expected).abs() <= 1e-5 * size + facets, "{}: {here} {expected}", solid.name());
                    for step in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]] {
                        let to = [x + step[0], y + step[1], z + step[2]];
                        if to[0] < nx && to[1] < ny && to[2] < nz {
                            let there = f64::from(values[lattice.index(to)]);
                            let apart = lattice.spacing * f64::from(step.iter().sum::<usize>() as u32).sqrt();
                            assert!((here - there).abs() <= apart + 1e-5 * size, "{}", solid.name());
                        }
                    }
                }
            }
        }
    }
}

const DENSE: (u32, Storage) = (64, Storage::Dense);
const SPARSE: (u32, Storage) = (80, Storage::Sparse);

/// Rounder solids cost slivers when refined; these are round enough for signs.
fn rough_solids() -> Vec<(Solid, f64)> {
    let mut all = solids();
    all[1] = (Solid::Cylinder { radius: 0.02, height: 0.05, segments: 64 }, 0.02 * 1.3e-3);
    all[2] = (Solid::Torus { major: 0.03, minor: 0.01, segments: 96, rings: 48 }, 0.04 * 6e-4 + 0.01 * 2.2e-3);
    all
}

/// The meshes of the bad-mesh tests: fine enough that single faces are smaller than a voxel.
fn fine(solid: &Solid) -> Mesh {
    stiction_bake::solids::refine(&solid.mesh().unwrap(), 0.00075).unwrap()
}

/// Checks the sign of sampled points further than a voxel from the surface.
fn assert_signs(name: &str, solid: &Solid, mesh: &Mesh, sign: Sign, facets: f64, grids: &[(u32, Storage)]) {
    for &(resolution, storage) in grids {
        let (field, report) = bake(mesh, &FieldOptions { sign, ..options(resolution, storage) });
        let h = field.lattice().spacing;
        let bounds = field.lattice().bounds();
        let mut random = Random(11);
        let mut wrong = 0;
        for _ in 0..40_000 {
            let p = random.point(bounds.min, bounds.max);
            let expected = solid.signed_distance(&p).unwrap();
            wrong += usize::from(expected.abs() > h + facets && (field.distance(p) < 0.0) != (expected < 0.0));
        }
        assert_eq!(wrong, 0, "{name} of {} at {resolution}: {report:?}", solid.name());
    }
}

#[test]
fn signs_survive_flipped_doubled_and_missing_faces() {
    for (solid, facets) in rough_solids() {
        let clean = fine(&solid);
        let mut random = Random(5);
        let mut flipped = clean.clone();
        flipped.faces.iter_mut().filter(|_| random.unit() < 0.3).for_each(|f| f.swap(1, 2));
        assert_signs("30 % flipped", &solid, &flipped, Sign::Auto, facets, &[DENSE]);

        let mut doubled = clean.clone();
        doubled.faces.extend(clean.faces.iter().map(|&[a, b, c]| if a % 2 == 0 { [a, c, b] } else { [a, b, c] }));
        assert_signs("doubled", &solid, &doubled, Sign::Auto, facets, &[SPARSE]);

        let mut missing = clean.clone();
        missing.faces.retain(|_| random.unit() > 0.02);
        assert!(missing.faces.len() < clean.faces.len());
        assert_signs("2 % missing", &solid, &missing, Sign::Auto, facets, &[DENSE, SPARSE]);
    }
}

#[test]
fn the_offset_surface_needs_no_orientation() {
    for (solid, facets) in rough_solids() {
        let mut random = Random(9);
        let mut mesh = fine(&solid);
        mesh.faces.iter_mut().filter(|_| random.unit() < 0.5).for_each(|f| f.swap(1, 2));
        assert_signs("half flipped", &solid, &mesh, Sign::Offset, facets, &[DENSE, SPARSE]);
    }
}

#[test]
fn dense_and_sparse_agree_in_the_band() {
    let solid = Solid::Torus { major: 0.03, minor: 0.01, segments: 48, rings: 32 };
    let mesh = solid.mesh().unwrap();
    let (dense, _) = bake(&mesh, &options(96, Storage::Dense));
    let (sparse, report) = bake(&mesh, &options(96, Storage::Sparse));
    assert_eq!(dense.lattice(), sparse.lattice());
    assert!(report.blocks.unwrap() > 0);
    let mut random = Random(1);
    let (bounds, band) = (dense.lattice().bounds(), report.band_m.unwrap());
    let mut seen = 0;
    for _ in 0..50_000 {
        let p = random.point(bounds.min, bounds.max);
        let (a, b) = (dense.distance(p), sparse.distance(p));
        if a.abs() < band - 2.0 * dense.lattice().spacing {
            assert!((a - b).abs() < band / 30_000.0, "{a} {b}");
            seen += 1;
        }
    }
    assert!(seen > 5_000, "{seen}");
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let mesh = fine(&Solid::Torus { major: 0.03, minor: 0.01, segments: 48, rings: 32 });
    let mut holes = mesh.clone();
    holes.faces.retain(|f| f[0] % 50 != 0);
    for mesh in [&mesh, &holes] {
        for (storage, sign) in
            [(Storage::Dense, Sign::Winding), (Storage::Sparse, Sign::Offset), (Storage::Sparse, Sign::Auto)]
        {
            let run = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| bake(mesh, &FieldOptions { sign, ..options(72, storage) }))
            };
            let one = run(1);
            assert!(one == run(2) && one == run(5));
        }
    }
}

#[test]
fn a_large_hole_is_closed_by_a_membrane_without_a_jump() {
    // A box without its lid.
    let mut mesh = fine(&Solid::Box { size: [0.04, 0.04, 0.04] });
    let lid = |f: &[u32; 3], mesh: &Mesh| f.iter().all(|&i| mesh.points[i as usize].z > 0.02 - 1e-9);
    let closed = mesh.clone();
    mesh.faces.retain(|f| !lid(f, &closed));
    for storage in [Storage::Dense, Storage::Sparse] {
        let (field, report) =
            bake(&mesh, &FieldOptions { sign: Sign::Winding, thicken: Some(0.0), ..options(64, storage) });
        assert!(report.membrane_points > 0, "{report:?}");
        assert!(field.distance(Vec3::zeros()) < 0.0);
        assert!(field.distance(Vec3::new(0.0, 0.0, 0.03)) > 0.0);
        // Values between neighbouring nodes never differ by more than their distance.
        let lattice = *field.lattice();
        let [nx, ny, nz] = lattice.nodes();
        for z in 0..nz {
            for y in 0..ny {
                for x in 1..nx {
                    let step =
                        field.distance(lattice.position([x, y, z])) - field.distance(lattice.position([x - 1, y, z]));
                    let limit = if storage == Storage::Dense { 1.002 } else { 2.0 };
                    assert!(step.abs() <= limit * lattice.spacing, "{storage:?}: {step} at {x} {y} {z}");
                }
            }
        }
    }
}

#[test]
fn sheets_are_thickened_when_asked_and_never_lost_silently() {
    let mut sheet = Mesh::default();
    let n = 20;
    for j in 0..=n {
        for i in 0..=n {
            sheet.points.push(Vec3::new(f64::from(i), f64::from(j), 0.0) * (0.04 / f64::from(n)));
        }
    }
    for j in 0..n as u32 {
        for i in 0..n as u32 {
            let a = j * (n as u32 + 1) + i;
            let b = a + n as u32 + 1;
            sheet.faces.extend([[a, a + 1, b], [b, a + 1, b + 1]]);
        }
    }
    let mended = mend(&sheet);
    let error = build(&mended, &options(64, Storage::Dense), &Silent).unwrap_err();
    assert!(matches!(error, FieldError::Sheets { faces: 800, all: 800, .. }), "{error}");
    assert!(error.to_string().contains("--thicken"), "{error}");
    for (resolution, storage) in [(64, Storage::Dense), (96, Storage::Sparse)] {
        let thick = FieldOptions { thicken: Some(0.004), ..options(resolution, storage) };
        let (field, report) = build(&mended, &thick, &Silent).unwrap();
        assert_eq!(report.thickened_faces, 800);
        let slack = field.lattice().spacing;
        for (z, expected) in [(0.0, -0.002), (0.001, -0.001), (0.002, 0.0), (0.0035, 0.0015), (-0.003, 0.001)] {
            let got = field.distance(Vec3::new(0.021, 0.017, z));
            assert!((got - expected).abs() <= slack, "{got} for {expected}");
        }
    }
    assert_eq!(
        build(&mended, &FieldOptions { thicken: Some(0.0), ..options(64, Storage::Dense) }, &Silent).unwrap_err(),
        FieldError::Empty
    );
}

/// Guards: one stray fin in a real part (a face doubled back to back) must not stop its bake.
#[test]
fn a_stray_fin_is_left_out() {
    let mut mesh = fine(&Solid::Box { size: [0.04, 0.04, 0.04] });
    let n = mesh.points.len() as u32;
    mesh.points.extend([Vec3::new(0.0, 0.0, 0.03), Vec3::new(0.001, 0.0, 0.03), Vec3::new(0.0, 0.001, 0.03)]);
    mesh.faces.push([n, n + 1, n + 2]);
    let (field, report) = bake(&mesh, &options(64, Storage::Dense));
    assert_eq!(report.thickened_faces, 0);
    assert!((field.distance(Vec3::new(0.0002, 0.0002, 0.03)) - 0.01).abs() < field.slack());
}

#[test]
fn a_grid_that_does_not_fit_says_what_would() {
    let mended = mend(&Solid::Box { size: [0.1, 0.1, 0.1] }.mesh().unwrap());
    for storage in [Storage::Auto, Storage::Dense, Storage::Sparse] {
        let large = FieldOptions { memory: 1 << 25, ..options(4096, storage) };
        let error = build(&mended, &large, &Silent).unwrap_err();
        let FieldError::Memory { needed, available, fits, voxel_fits, .. } = error else { panic!("{error}") };
        assert!(needed > available && (48..4096).contains(&fits), "{error}");
        // What is said to fit does.
        for fineness in [Fineness::Resolution(fits), Fineness::Voxel(voxel_fits)] {
            let smaller = FieldOptions { fineness, ..large };
            assert!(!matches!(build(&mended, &smaller, &Silent), Err(FieldError::Memory { .. })), "{fineness:?}");
        }
    }
    for (fineness, reason) in [
        (Fineness::Resolution(9), "at least"),
        (Fineness::Voxel(f64::NAN), "not a size"),
        (Fineness::Voxel(1e-12), "the most"),
    ] {
        let error = build(&mended, &FieldOptions { fineness, ..options(64, Storage::Auto) }, &Silent).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}
