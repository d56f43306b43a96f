//! The point shell against parts whose distance is known.

mod parts;

use parts::{ball, check_tree, cuboid, cuboid_distance, ell, ell_distance, flip, nearest, unweld};
use std::sync::atomic::{AtomicBool, Ordering};
use stiction::shape::{Aabb, Dense, DistanceField, Lattice, PointShell, ShellPoint};
use stiction::spatial::Vec3;
use stiction_bake::shell::{ShellError, ShellOptions, ShellReport, build};
use stiction_bake::{Mesh, Progress, Silent};

fn make(mesh: &Mesh, options: &ShellOptions, distance: &(dyn Fn(Vec3) -> f64 + Sync)) -> (PointShell, ShellReport) {
    let (shell, report) = build(mesh, options, distance, &Silent).unwrap();
    check_tree(&shell);
    assert_eq!(report.points, shell.points().len());
    (shell, report)
}

fn ball_distance(p: Vec3) -> f64 {
    p.norm() - 1.0
}

const ONE: Vec3 = Vec3::new(1.0, 1.0, 1.0);

#[test]
fn points_are_on_the_sphere_with_outward_normals() {
    let mesh = ball(5);
    let (shell, report) = make(&mesh, &ShellOptions::new(2000, 0.01), &ball_distance);
    let sagitta = mesh.triangles().map(|[a, b, c]| 1.0 - (a + b + c).norm() / 3.0).fold(0.0, f64::max);
    assert_eq!((report.points, report.wanted, report.buried, report.off, report.features), (2000, 2000, 0, 0, 0));
    for p in shell.points() {
        assert!((-1e-12..=1.01 * sagitta).contains(&(1.0 - p.position.norm())));
        assert!((p.normal.norm() - 1.0).abs() < 1e-14);
        assert!(p.normal.dot(&p.position.normalize()) > 0.999);
    }
    assert!((report.area / (4.0 * std::f64::consts::PI) - 1.0).abs() < 2e-3);
}

/// Gonzalez: the points of a prefix are at least its covering radius apart, and that radius is at most twice the best
/// possible, which is at least that of a hexagonal covering of the plane. Measured at places of their own, so that the
/// distance between candidates, which are 14 a point, comes on top.
#[test]
fn every_level_is_spread_as_well_as_the_theorem_says() {
    let (shell, report) = make(&ball(5), &ShellOptions::new(1500, 0.01), &ball_distance);
    let places: Vec<Vec3> = (0..20_000)
        .map(|i| {
            let (z, turn) = (1.0 - (2.0 * f64::from(i) + 1.0) / 20_000.0, f64::from(i) * 2.399963229728653);
            let r = (1.0 - z * z).sqrt();
            Vec3::new(r * turn.cos(), r * turn.sin(), z)
        })
        .collect();
    let between = (4.0 * std::f64::consts::PI / f64::from(14 * 1500)).sqrt();
    for &level in shell.levels().iter().filter(|&&l| l >= 16) {
        let points = &shell.points()[..level as usize];
        let covering = places.iter().map(|&p| nearest(points, p, |_| true)).fold(0.0, f64::max);
        let apart = points.iter().enumerate().map(|(i, p)| nearest(&points[..i], p.position, |_| true));
        let apart = apart.fold(f64::INFINITY, f64::min);
        assert!(apart + between >= covering, "{level}: {apart} apart, covering {covering}");
        let best = (8.0 * std::f64::consts::PI / (27f64.sqrt() * f64::from(level))).sqrt();
        assert!(covering <= 2.0 * best, "{level}: covering {covering}, best {best}");
        if level == 1500 {
            assert!((report.covering - covering).abs() < between);
            assert_eq!(report.spacing.min, apart);
            assert_eq!(report.spacing.counts.iter().sum::<u32>(), 1500);
        }
    }
}

#[test]
fn eight_levels_for_eight_thousand_points_with_about_four_children() {
    let (shell, report) =
        make(&cuboid(Vec3::zeros(), ONE), &ShellOptions::new(8000, 0.01), &cuboid_distance(Vec3::zeros(), ONE));
    assert_eq!(shell.levels().len(), 8);
    // With κ = 1.5 points on edges were chosen a hundredth of the spacing from points on faces.
    assert!(report.spacing.min > 0.25 * (6.0f64 / 8000.0).sqrt(), "{}", report.spacing.min);
    let inner = shell.nodes().iter().filter(|n| n.children > 0).count();
    let mean = (shell.nodes().len() - 1) as f64 / inner as f64;
    assert!((3.0..=5.0).contains(&mean), "{mean}");
    assert!(shell.nodes().iter().all(|n| n.children <= 24));
    let other = ShellOptions { levels: Some(4), ..ShellOptions::new(500, 0.01) };
    let (shell, _) = make(&ball(4), &other, &ball_distance);
    assert_eq!(shell.levels(), [1, 8, 63, 500]);
}

#[test]
fn edges_and_corners_of_a_box_are_covered_more_densely_than_faces() {
    let distance = cuboid_distance(Vec3::zeros(), ONE);
    let (shell, report) = make(&cuboid(Vec3::zeros(), ONE), &ShellOptions::new(3000, 0.005), &distance);
    let spacing = (6.0f64 / 3000.0).sqrt();
    for i in 0..8 {
        let corner = Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1));
        let point = shell.points().iter().find(|p| p.position == corner).expect("every corner is a point");
        assert!((point.normal - (corner * 2.0 - ONE).normalize()).norm() < 1e-12);
    }
    let is_edge = |p: Vec3| (0..3).filter(|&k| p[k] == 0.0 || p[k] == 1.0).count() >= 2;
    let mut edge_worst = 0f64;
    for (i, k) in (0..400).flat_map(|i| (0..3).map(move |k| (i, k))) {
        for (a, b) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
            let mut place = Vec3::zeros();
            (place[k], place[(k + 1) % 3], place[(k + 2) % 3]) = (f64::from(i) / 399.0, a, b);
            edge_worst = edge_worst.max(nearest(shell.points(), place, |p| is_edge(p.position)));
        }
    }
    assert!(edge_worst < spacing, "{edge_worst} of {spacing}");
    assert!(report.edge_covering <= report.covering && report.covering < 1.4 * spacing);
    for p in shell.points() {
        assert!(distance(p.position).abs() < 1e-12);
        assert!(distance(p.position + p.normal * 1e-3) > 0.99e-3);
    }
}

/// Also with a probe that goes right through the plate.
#[test]
fn both_sides_of_a_plate_a_tenth_as_thick_as_the_spacing_are_covered() {
    let spacing = (2.0f64 / 1000.0).sqrt();
    let max = Vec3::new(1.0, 1.0, 0.1 * spacing);
    for probe in [0.02 * spacing, spacing] {
        let (shell, report) =
            make(&cuboid(Vec3::zeros(), max), &ShellOptions::new(1000, probe), &cuboid_distance(Vec3::zeros(), max));
        assert_eq!(report.buried + report.off, 0);
        for (i, j) in (0..60).flat_map(|i| (0..60).map(move |j| (i, j))) {
            for (z, side) in [(0.0, -1.0), (max.z, 1.0)] {
                let place = Vec3::new(f64::from(i) / 59.0, f64::from(j) / 59.0, z);
                let far = nearest(shell.points(), place, |p| p.normal.z * side > 0.5);
                assert!(far < 1.5 * spacing, "{far} of {spacing} at {place}");
            }
        }
    }
}

#[test]
fn a_part_with_a_concave_edge_has_right_normals() {
    let (shell, report) = make(&ell(), &ShellOptions::new(1500, 0.01), &ell_distance);
    assert_eq!(report.buried + report.off, 0);
    let h = 1e-4;
    for p in shell.points() {
        assert!(ell_distance(p.position).abs() < 1e-12);
        // Twice the slope along the normal; least at the ends of the concave edge, where N = (1, 1, 3) / √11 outside and
        // inside are √(10/11) and √(2/11) h from the surface.
        let rise = ell_distance(p.position + p.normal * h) - ell_distance(p.position - p.normal * h);
        assert!(rise > 1.379 * h, "{p:?}");
    }
    assert!(nearest(shell.points(), Vec3::new(1.0, 1.0, 0.5), |_| true) < 0.1);
}

#[test]
fn a_needle_has_points_along_all_of_it() {
    let (min, max) = (Vec3::zeros(), Vec3::new(1.0, 1e-3, 1e-3));
    let (shell, report) = make(&cuboid(min, max), &ShellOptions::new(400, 1e-4), &cuboid_distance(min, max));
    assert_eq!(report.points, 400);
    for (i, side) in (0..=500).flat_map(|i| [(i, Vec3::y()), (i, -Vec3::y()), (i, Vec3::z()), (i, -Vec3::z())]) {
        let place = Vec3::new(f64::from(i) / 500.0, 5e-4, 5e-4);
        assert!(nearest(shell.points(), place, |p| p.normal.dot(&side) > 0.5) < 0.02);
    }
}

#[test]
fn no_point_is_buried_where_boxes_overlap() {
    let (a, b) = ((Vec3::zeros(), ONE), (ONE * 0.5, ONE * 1.5));
    let mut mesh = cuboid(a.0, a.1);
    mesh.append(&cuboid(b.0, b.1));
    let (one, two) = (cuboid_distance(a.0, a.1), cuboid_distance(b.0, b.1));
    let union = |p: Vec3| one(p).min(two(p));
    let probe = 0.005;
    let (shell, report) = make(&mesh, &ShellOptions::new(2000, probe), &union);
    assert!(shell.points().iter().all(|p| union(p.position).abs() <= 2.0 * probe));
    // A fourth of three of the six faces of each box is inside the other.
    assert!((report.area / 10.5 - 1.0).abs() < 0.02, "{}", report.area);
    assert!(report.buried > 2000);
}

/// A face where two bricks touch is inside their union, also where it ends at the surface.
#[test]
fn no_point_is_between_bricks_that_touch() {
    let mut mesh = cuboid(Vec3::zeros(), ONE);
    mesh.append(&cuboid(Vec3::x(), ONE + Vec3::x()));
    let union = cuboid_distance(Vec3::zeros(), ONE + Vec3::x());
    let (shell, _) = make(&mesh, &ShellOptions::new(2000, 0.005), &union);
    for p in shell.points() {
        assert!(union(p.position).abs() < 1e-12 && union(p.position + p.normal * 1e-3) > 0.99e-3, "{p:?}");
    }
}

#[test]
fn a_flipped_and_doubled_soup_gives_the_same_outward_normals() {
    let mut flipped = ell();
    flip(&mut flipped, |i| i * 7 % 10 < 4);
    let mut doubled = flipped.clone();
    doubled.append(&ell());
    let options = ShellOptions::new(800, 0.01);
    let clean = make(&ell(), &options, &ell_distance);
    for (mesh, features) in [(unweld(&flipped), Some(clean.1.features)), (unweld(&doubled), None)] {
        let (shell, report) = make(&mesh, &options, &ell_distance);
        assert!(features.is_none_or(|count| count == report.features));
        for p in shell.points() {
            let rise = ell_distance(p.position + p.normal * 1e-4) - ell_distance(p.position - p.normal * 1e-4);
            assert!(rise > 1.37e-4, "{p:?}");
            assert!(nearest(clean.0.points(), p.position, |q| q.normal.dot(&p.normal) > 0.99) < 0.25);
        }
    }
}

#[test]
fn an_open_sheet_that_was_thickened_has_points_on_both_sides_and_its_rim() {
    let points = vec![Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::y()];
    let sheet = Mesh { points, faces: vec![[0, 1, 2], [0, 3, 2]] };
    let half = 0.02;
    let flat = cuboid_distance(Vec3::zeros(), Vec3::new(1.0, 1.0, 0.0));
    let thick = |p: Vec3| flat(p) - half;
    for probe in [0.005, 0.02] {
        let (shell, report) = make(&sheet, &ShellOptions::new(1000, probe), &thick);
        for p in shell.points() {
            assert!(thick(p.position).abs() < 0.01 * probe);
            assert!(thick(p.position + p.normal * 0.01) > 0.0099, "{p:?}");
        }
        let count = |direction: Vec3| shell.points().iter().filter(|p| p.normal.dot(&direction) > 0.99).count();
        assert!(count(Vec3::z()) > 350 && count(-Vec3::z()) > 350);
        assert!([Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y()].iter().all(|&d| count(d) >= 10));
        assert!((report.area - 2.0).abs() < 1e-9);
    }
}

#[test]
fn points_lie_on_the_level_that_is_asked_for() {
    let distance = cuboid_distance(Vec3::zeros(), ONE);
    for offset in [0.03, -0.03] {
        let options = ShellOptions { offset, ..ShellOptions::new(1000, 0.01) };
        for p in make(&ball(5), &options, &ball_distance).0.points() {
            assert!((ball_distance(p.position) - offset).abs() < 1e-5);
        }
        let (shell, _) = make(&cuboid(Vec3::zeros(), ONE), &options, &distance);
        for p in shell.points() {
            assert!((distance(p.position) - offset).abs() < 1e-4 && distance(p.position + p.normal * 0.01) > offset);
        }
        // Corners keep their points: the box of the level has the right size.
        let corner = if offset < 0.0 { Vec3::zeros() - ONE * offset } else { -ONE * (offset / 3f64.sqrt()) };
        assert!(nearest(shell.points(), corner, |_| true) < 1e-4);
    }
}

/// The field that is there in practice: on a lattice, interpolated, wrong by up to a voxel at corners.
#[test]
fn an_interpolated_field_loses_no_edge_and_no_corner() {
    let lattice = Lattice { origin: Vec3::new(-0.313, -0.327, -0.341), spacing: 0.05, cells: [53, 53, 33] };
    let [nx, ny, nz] = lattice.nodes();
    let nodes = (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])));
    let values = nodes.map(|node| ell_distance(lattice.position(node)) as f32).collect();
    let part = Aabb { min: Vec3::zeros(), max: Vec3::new(2.0, 2.0, 1.0) };
    let field = DistanceField::Dense(Dense::new(lattice, part, values).unwrap());
    let (shell, report) = make(&ell(), &ShellOptions::new(2000, 0.025), &|p| field.distance(p));
    assert!(report.buried + report.off < report.candidates / 100);
    for corner in parts::L.iter().flat_map(|p| [0.0, 1.0].map(|z| Vec3::new(p[0], p[1], z))) {
        assert_eq!(nearest(shell.points(), corner, |_| true), 0.0);
    }
    let spacing = (report.area / 2000.0).sqrt();
    assert!(report.edge_covering < spacing && report.covering < 1.2 * spacing);
    assert!(shell.points().iter().all(|p| ell_distance(p.position).abs() < 1e-12));
    let rise = |p: &ShellPoint| ell_distance(p.position + p.normal * 1e-3) - ell_distance(p.position - p.normal * 1e-3);
    assert!(shell.points().iter().all(|p| rise(p) > 1.37e-3));
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let mut mesh = ell();
    mesh.append(&ball(4));
    let union = |p: Vec3| ell_distance(p).min(ball_distance(p));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| build(&mesh, &ShellOptions::new(1200, 0.01), &union, &Silent).unwrap())
    };
    let one = on(1);
    assert!(one == on(2) && one == on(5));
    let seeded = build(&mesh, &ShellOptions { seed: 1, ..ShellOptions::new(1200, 0.01) }, &union, &Silent).unwrap();
    assert_ne!(one.0, seeded.0);
}

#[test]
fn a_small_piece_far_away_is_not_forgotten() {
    let at = Vec3::new(3.0, 0.0, 0.0);
    let mut mesh = ball(4);
    mesh.append(&cuboid(at, at + ONE * 1e-3));
    let small = cuboid_distance(at, at + ONE * 1e-3);
    let (shell, _) = make(&mesh, &ShellOptions::new(100, 1e-3), &|p| ball_distance(p).min(small(p)));
    assert!(nearest(&shell.points()[..5], at, |_| true) < 2e-3);
}

#[test]
fn with_too_few_candidates_the_report_says_so() {
    let bar = cuboid(Vec3::zeros(), Vec3::new(300.0, 1.0, 1.0));
    let (_, report) = make(&bar, &ShellOptions::new(1000, 0.01), &|p| p.x - 300.0);
    assert_eq!((report.wanted, report.points), (1000, report.candidates));
    assert!((10..200).contains(&report.points));
}

#[test]
fn what_cannot_be_built_is_refused_with_its_reason() {
    let cube = cuboid(Vec3::zeros(), ONE);
    let refuse = |mesh: &Mesh, options: ShellOptions, distance: &(dyn Fn(Vec3) -> f64 + Sync)| {
        build(mesh, &options, distance, &Silent).unwrap_err()
    };
    let usual = ShellOptions::new(100, 0.01);
    assert_eq!(refuse(&Mesh::default(), usual.clone(), &|_| 0.0), ShellError::NoArea);
    let flat = Mesh { points: vec![Vec3::zeros(); 3], faces: vec![[0, 1, 2]; 5] };
    assert_eq!(refuse(&flat, usual.clone(), &|_| 0.0), ShellError::NoArea);
    assert!(matches!(refuse(&cube, usual.clone(), &|_| -1.0), ShellError::NoBoundary { off: 0, .. }));
    assert!(matches!(refuse(&cube, usual.clone(), &|_| 1.0), ShellError::NoBoundary { buried: 0, .. }));
    assert!(matches!(refuse(&cube, usual.clone(), &|_| f64::NAN), ShellError::NoBoundary { .. }));
    for wrong in [
        ShellOptions::new(0, 0.01),
        ShellOptions::new(usize::MAX, 0.01),
        ShellOptions::new(10, 0.0),
        ShellOptions::new(10, f64::NAN),
        ShellOptions { offset: f64::INFINITY, ..usual.clone() },
        ShellOptions { sharp_angle: 0.0, ..usual.clone() },
        ShellOptions { levels: Some(0), ..usual },
    ] {
        assert!(matches!(refuse(&cube, wrong, &|p| p.x), ShellError::Option(_)));
    }
}

#[test]
fn it_stops_when_told() {
    struct Stop(AtomicBool);
    impl Progress for Stop {
        fn stage(&self, _: &'static str, _: u64) {}
        fn advance(&self, steps: u64) {
            self.0.fetch_or(steps == 256, Ordering::Relaxed);
        }
        fn cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }
    let stopped = build(&ball(3), &ShellOptions::new(1000, 0.01), &ball_distance, &Stop(AtomicBool::new(false)));
    assert!(matches!(stopped, Err(ShellError::Cancelled(_))));
}
