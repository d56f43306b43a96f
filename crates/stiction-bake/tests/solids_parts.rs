//! Exact convex parts of solids by parameter: as much volume, at the same places, as the mesh has, and none of it twice.

mod solids_support;

use solids_support::every_solid;
use std::f64::consts::PI;
use stiction::spatial::{Mat3, Pose, Vec3};
use stiction_bake::mass::of_mesh;
use stiction_bake::solids::{Solid, SpurGear};
use stiction_volume::Convex;
use stiction_volume::geometry::IntersectionWorkspace;

/// Rounding of sums over a thousand tetrahedra, in units of what is summed.
const ROUNDING: f64 = 1e-11;

fn parts_of(solid: &Solid) -> Option<Vec<Convex>> {
    let parts = solid.convex_parts().unwrap()?;
    Some(parts.iter().map(|p| Convex::of_points(p).unwrap_or_else(|e| panic!("{}: {e}", solid.name()))).collect())
}

/// Volume, centre and inertia of parts add up to those of the mesh. A part at a wrong place or of a wrong form would change them.
fn assert_same_mass(solid: &Solid, parts: &[Convex]) {
    let (mesh, what) = (solid.mesh().unwrap(), solid.name());
    let (mass, bounds) = (of_mesh(&mesh), mesh.bounds().unwrap());
    let size = (bounds.max - bounds.min).norm();
    let volume: f64 = parts.iter().map(Convex::volume).sum();
    let first: Vec3 = parts.iter().map(|p| p.centroid() * p.volume()).sum();
    let second: Mat3 = parts.iter().map(Convex::second_moment).sum();
    assert!((volume / mass.volume - 1.0).abs() < ROUNDING, "{what}: {volume} m³, not {}", mass.volume);
    assert!((first / volume - mass.centre).norm() < ROUNDING * size, "{what}: centre");
    let about = second - first * first.transpose() / volume;
    let inertia = Mat3::identity() * about.trace() - about;
    assert!(
        (inertia - mass.inertia).norm() < 10.0 * ROUNDING * mass.inertia.norm(),
        "{what}: {inertia}{}",
        mass.inertia
    );
}

fn assert_none_twice(what: &str, parts: &[Convex]) {
    let here = Pose::identity();
    let most = parts.iter().map(|p| p.planes().len()).max().unwrap();
    let mut common = IntersectionWorkspace::new(2 * most);
    for (i, a) in parts.iter().enumerate() {
        for b in &parts[i + 1..] {
            if common.intersect(a, &here, b, &here) {
                let share = common.volume() / a.volume().min(b.volume());
                assert!(share < 1e-9, "{what}: parts share {share} of their volume");
            }
        }
    }
}

#[test]
fn parts_of_solids_are_exact_at_every_tessellation() {
    for n in [3, 4, 5, 7, 8, 12, 37] {
        for (solid, _) in every_solid(n) {
            let Some(parts) = parts_of(&solid) else {
                let bent = matches!(&solid, Solid::SheetMetal(sheet) if !sheet.bends.is_empty());
                let known = matches!(solid, Solid::Torus { .. } | Solid::Cable(_) | Solid::Bolt(_) | Solid::Nut(_));
                assert!(known || bent, "{}", solid.name());
                continue;
            };
            assert_same_mass(&solid, &parts);
            assert_none_twice(solid.name(), &parts);
        }
    }
}

#[test]
fn there_are_no_more_parts_than_there_must_be() {
    let gear = SpurGear::standard(0.001, 24, 0.008);
    let bored = SpurGear { bore: 0.003, rings: 3, layers: 8, ..gear.clone() };
    let around = bored.teeth * (1 + bored.arc_pieces);
    let wedge = vec![[0.0, 0.0], [0.3, 0.0], [0.0, 0.1]];
    let ell = vec![[0.0, 0.0], [0.0, 0.3], [0.1, 0.3], [0.1, 0.1], [0.3, 0.1], [0.3, 0.0]];
    let round: Vec<[f64; 2]> = (0..40).map(|i| (0.05 * PI * f64::from(i)).sin_cos().into()).collect();
    // A comb with n teeth needs n + 1 parts, and has no more.
    let mut comb = vec![[0.0, -1.0], [9.0, -1.0]];
    for i in (0..5).rev() {
        comb.extend([[f64::from(2 * i + 1), 1.0], [f64::from(2 * i), 1.0]]);
        if i > 0 {
            comb.extend([[f64::from(2 * i), 0.0], [f64::from(2 * i - 1), 0.0]]);
        }
    }
    let solids = [
        (Solid::Box { size: [1.0, 2.0, 3.0] }, 1),
        (Solid::Plate { size: [1.0, 2.0], thickness: 0.1 }, 1),
        (Solid::Cylinder { radius: 0.1, height: 0.4, segments: 64 }, 1),
        (Solid::Capsule { radius: 0.1, height: 0.4, segments: 24, rings: 6 }, 1),
        (Solid::Peg { radius: 0.01, length: 0.05, chamfer: 0.001, segments: 32 }, 1),
        (Solid::LBar { legs: [0.04, 0.03], thickness: 0.005, length: 0.1 }, 2),
        (Solid::Corner { size: 0.05, thickness: 0.005 }, 3),
        (Solid::PlateSquareHole { size: [0.06, 0.05], thickness: 0.02, hole: [0.02, 0.01] }, 4),
        (Solid::PlateRoundHole { size: [0.06, 0.05], thickness: 0.02, radius: 0.01, segments: 30 }, 30),
        (Solid::Shaft { steps: vec![[0.005, 0.02], [0.008, 0.03], [0.008, 0.01], [0.006, 0.015]], segments: 48 }, 3),
        // A top: a cone and the slope above it are convex, the stem is another part.
        (Solid::Revolution { profile: vec![[0.0, 0.0], [0.3, 0.3], [0.1, 0.4], [0.08, 0.8]], segments: 24 }, 2),
        (Solid::Revolution { profile: vec![[0.2, -0.1], [0.3, 0.0], [0.2, 0.1]], segments: 24 }, 1),
        (Solid::Prism { outline: wedge, length: 0.1 }, 1),
        (Solid::Prism { outline: ell, length: 0.1 }, 2),
        (Solid::Prism { outline: round, length: 0.1 }, 1),
        (Solid::Prism { outline: comb, length: 0.1 }, 6),
        (Solid::Gear(gear), 25),
        (Solid::Gear(bored), 24 + around as usize),
    ];
    for (solid, count) in solids {
        let parts = parts_of(&solid).unwrap();
        assert_eq!(parts.len(), count, "{}", solid.name());
        assert_same_mass(&solid, &parts);
        assert_none_twice(solid.name(), &parts);
    }
}

#[test]
fn parameters_that_describe_no_solid_have_no_parts() {
    let error = Solid::Box { size: [1.0, 0.0, 1.0] }.convex_parts().unwrap_err().to_string();
    assert!(error.contains("y is 0"), "{error}");
}
