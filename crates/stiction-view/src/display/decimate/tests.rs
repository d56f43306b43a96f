use super::*;
use std::path::Path;
use std::time::Instant;
use stiction_bake::Silent;
use stiction_bake::diagnose::mend;
use stiction_bake::import::{ImportOptions, read};
use stiction_bake::mass::of_mesh;
use stiction_bake::solids::{Solid, SpurGear, refine};

fn fewer(mesh: &Mesh, budget: usize) -> Mesh {
    let out = decimate(mesh, budget, &Silent).unwrap();
    check(&out, budget);
    out
}

/// What holds for every result.
fn check(mesh: &Mesh, budget: usize) {
    assert!(mesh.faces.len() <= budget, "{} triangles of {budget}", mesh.faces.len());
    let mut used = vec![false; mesh.points.len()];
    let mut keys = HashSet::new();
    for face in &mesh.faces {
        let mut key = *face;
        key.sort_unstable();
        assert!(key[0] < key[1] && key[1] < key[2] && keys.insert(key), "{face:?} is degenerate or there twice");
        face.iter().for_each(|&i| used[i as usize] = true);
    }
    assert!(used.iter().all(|u| *u), "points without a triangle");
    assert!(mesh.points.iter().all(|p| p.iter().all(|x| x.is_finite())));
}

fn sphere(segments: u32) -> Mesh {
    Solid::Capsule { radius: 0.01, height: 1e-6, segments, rings: segments / 4 }.mesh().unwrap()
}

fn gear() -> Mesh {
    let gear = SpurGear { bore: 0.005, layers: 40, rings: 12, flank_pieces: 24, ..SpurGear::standard(0.001, 24, 0.01) };
    Solid::Gear(gear).mesh().unwrap()
}

/// From a point to a triangle: to its edges, and to its plane where the point is above it.
fn distance(p: Vec3, [a, b, c]: [Vec3; 3]) -> f64 {
    let edge = |a: Vec3, b: Vec3| {
        let t = (p - a).dot(&(b - a)) / (b - a).norm_squared();
        (p - a - (b - a) * t.clamp(0.0, 1.0)).norm()
    };
    let n = (b - a).cross(&(c - a));
    let inside = [[a, b], [b, c], [c, a]].iter().all(|[a, b]| n.cross(&(b - a)).dot(&(p - a)) >= 0.0);
    let plane = if inside { (p - a).dot(&n).abs() / n.norm() } else { f64::INFINITY };
    plane.min(edge(a, b)).min(edge(b, c)).min(edge(c, a))
}

fn far_from(mesh: &Mesh, surface: &Mesh) -> f64 {
    let far = |p: &Vec3| surface.triangles().map(|t| distance(*p, t)).fold(f64::INFINITY, f64::min);
    // Some hundred of them: this is brute force.
    mesh.points.iter().step_by(1 + mesh.points.len() / 300).map(far).fold(0.0, f64::max)
}

#[test]
fn a_mesh_within_its_budget_stays_as_it_is() {
    let mesh = sphere(16);
    assert_eq!(decimate(&mesh, mesh.faces.len(), &Silent).unwrap(), mesh);
    assert_eq!(decimate(&Mesh::default(), 0, &Silent).unwrap(), Mesh::default());
}

#[test]
fn budgets_are_kept_and_used() {
    for mesh in [sphere(120), gear()] {
        for budget in [100, 1000, 5000] {
            let count = fewer(&mesh, budget).faces.len();
            assert!(3 * count >= budget, "only {count} of {budget}");
        }
        for budget in 0..14 {
            fewer(&mesh, budget);
        }
    }
}

#[test]
fn vertices_stay_within_a_cell_of_the_old_surface() {
    // Quadrics find the surface, far better than the bound; but flanks of a tooth that share a cell get a vertex between them.
    for (mesh, budget, share) in [(sphere(48), 400, 0.1), (gear(), 3000, 0.5), (gear(), 12_000, 0.2)] {
        let out = fewer(&mesh, budget);
        let (clusters, _) = search(&mesh, &mesh.bounds().unwrap(), budget, &Silent).unwrap().unwrap();
        let far = far_from(&out, &mesh);
        assert!(far < share * clusters.size.norm(), "{far} m, a cell is {:?}", clusters.size);
    }
}

#[test]
fn closed_solids_keep_their_volume() {
    for (mesh, budget, tolerance) in [(sphere(160), 2000, 0.01), (sphere(160), 8000, 0.0025), (gear(), 8000, 0.02)] {
        let (old, new) = (of_mesh(&mesh).volume, of_mesh(&fewer(&mesh, budget)).volume);
        assert!((new / old - 1.0).abs() < tolerance, "{budget} triangles: {}", new / old);
    }
}

#[test]
fn flat_faces_stay_flat_and_corners_stay_where_they_are() {
    let solid = Solid::Box { size: [0.03, 0.02, 0.0137] };
    let mesh = refine(&solid.mesh().unwrap(), 5e-4).unwrap();
    let out = fewer(&mesh, 1000);
    let half = [0.015, 0.01, 0.00685];
    for p in &out.points {
        let off = (0..3).map(|a| p[a].abs() - half[a]).fold(f64::NEG_INFINITY, f64::max);
        assert!(off.abs() < 1e-12, "{p:?} is {off} m off the box");
    }
    for corner in 0..8 {
        let corner = Vec3::from_fn(|a, _| if corner >> a & 1 == 1 { half[a] } else { -half[a] });
        assert!(out.points.iter().any(|p| (p - corner).norm() < 1e-9), "{corner:?} is gone");
    }
    let (old, new) = (of_mesh(&mesh).volume, of_mesh(&out).volume);
    assert!((new / old - 1.0).abs() < 1e-9, "{}", new / old);
}

#[test]
fn the_same_comes_out_every_time() {
    let mesh = gear();
    let first = fewer(&mesh, 2500);
    for _ in 0..3 {
        assert_eq!(fewer(&mesh, 2500), first);
    }
}

#[test]
fn soups_with_holes_flipped_repeated_and_degenerate_faces_come_out_clean() {
    let clean = sphere(64);
    let mut soup = Mesh::default();
    for (number, triangle) in clean.triangles().enumerate() {
        if number % 17 == 0 {
            continue;
        }
        let first = soup.points.len() as u32;
        soup.points.extend(triangle);
        let face = [first, first + 1, first + 2];
        soup.faces.push(if number % 3 == 0 { [face[0], face[2], face[1]] } else { face });
        if number % 5 == 0 {
            soup.faces.extend([face, [face[1], face[2], face[0]], [face[0]; 3], [face[0], face[0], face[1]]]);
        }
    }
    // A point of no face, far away, changes nothing.
    soup.points.push(Vec3::new(1e6, -1e6, 0.0));
    let out = fewer(&soup, 800);
    assert!(out.faces.len() > 300, "{}", out.faces.len());
    assert!(out.points.iter().all(|p| (p.norm() - 0.01).abs() < 5e-4));
}

#[test]
fn meshes_without_a_size_or_a_thickness_are_no_trouble() {
    let point = Mesh { points: vec![Vec3::new(1.0, 2.0, 3.0)], faces: vec![[0; 3]; 50] };
    assert_eq!(fewer(&point, 10), Mesh::default());
    let line = Mesh { points: (0..300).map(|i| Vec3::x() * f64::from(i)).collect(), faces: vec![[0, 100, 200]; 50] };
    assert_eq!(fewer(&line, 10), Mesh::default());
    let mut flat = refine(&Solid::Box { size: [1.0, 1.0, 1.0] }.mesh().unwrap(), 0.05).unwrap();
    flat.points.iter_mut().for_each(|p| p.z = 1e-14 * p.x);
    let out = fewer(&flat, 300);
    assert!(out.faces.len() > 50 && out.points.iter().all(|p| p.z.abs() < 1e-13));
    // The same triangles over and over are fewer than the budget on the finest grid.
    let mut many = sphere(12);
    many.faces = many.faces.repeat(20);
    let out = fewer(&many, 2 * sphere(12).faces.len());
    assert_eq!(out.faces.len(), sphere(12).faces.len());
}

#[test]
fn stopping_stops_it() {
    assert_eq!(decimate(&sphere(32), 100, &crate::display::tests::Stop), Err(Cancelled));
}

#[test]
fn a_million_triangles_take_seconds_not_minutes() {
    let mesh = Solid::Torus { major: 0.05, minor: 0.02, segments: 1000, rings: 500 }.mesh().unwrap();
    assert_eq!(mesh.faces.len(), 1_000_000);
    let begin = Instant::now();
    let out = fewer(&mesh, 60_000);
    let took = begin.elapsed();
    println!("a million triangles to {}: {took:.2?}", out.faces.len());
    assert!(took.as_secs_f64() < 20.0, "{took:?}");
    assert!(out.faces.len() > 50_000);
}

#[test]
fn real_parts_come_out_within_their_budget() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let Ok(manifest) = std::fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        println!("SKIP: {} is missing, so no real part was decimated", folder.display());
        return;
    };
    for file in manifest.lines().skip(1).filter_map(|line| line.split('\t').next()) {
        let mesh = read(&folder.join(file), &ImportOptions::default()).unwrap().mesh;
        let mended = mend(&mesh).mesh;
        for budget in [super::super::BUDGET, 10_000, 2000] {
            for mesh in [&mesh, &mended] {
                let out = decimate(mesh, budget, &Silent).unwrap();
                if mesh.faces.len() > budget {
                    check(&out, budget);
                }
                assert!(!out.faces.is_empty() && out.faces.len() <= budget, "{file}: {}", out.faces.len());
                let (old, new) = (mesh.bounds().unwrap(), out.bounds().unwrap());
                let moved = (old.min - new.min).amax().max((old.max - new.max).amax());
                assert!(moved < 0.05 * (old.max - old.min).norm(), "{file}: the box moved by {moved}");
            }
        }
    }
}
