//! Sheet metal, cables and rings: volumes against closed forms, shapes that are none, and unions of them.

mod solids_support;

use solids_support::{assert_watertight, sheet};
use std::f64::consts::{FRAC_PI_2, PI};
use stiction::spatial::Vec3;
use stiction_bake::mass::of_mesh;
use stiction_bake::solids::{Cable, SheetBend, SheetMetal, Solid};

/// A strip of 0.4 m × 0.1 m, 4 mm thick.
fn strip(bends: Vec<SheetBend>) -> SheetMetal {
    SheetMetal {
        outline: vec![[0.0, 0.0], [0.4, 0.0], [0.4, 0.1], [0.0, 0.1]],
        rounding: 0.0,
        holes: vec![],
        windows: vec![],
        thickness: 0.004,
        bends,
        segments: 48,
    }
}

#[test]
fn a_plate_with_holes_has_the_volume_of_its_outline_less_that_of_its_holes() {
    for n in [8_u32, 24, 61] {
        let plate = SheetMetal {
            rounding: 0.01,
            holes: vec![[0.05, 0.05, 0.02], [0.35, 0.05, 0.03], [0.12, 0.03, 0.004]],
            windows: vec![[0.2, 0.05, 0.1, 0.06, 0.015], [0.28, 0.02, 0.02, 0.01, 0.0]],
            segments: n,
            ..strip(vec![])
        };
        // An arc of a quarter takes so much from its corner when cut into chords: r² less k triangles.
        let corner = |r: f64| {
            let k = (f64::from(n) / 4.0).ceil();
            r * r - 0.5 * k * r * r * (FRAC_PI_2 / k).sin()
        };
        let disk = |r: f64| 0.5 * f64::from(n) * r * r * (2.0 * PI / f64::from(n)).sin();
        let outline = 0.4 * 0.1 - 4.0 * corner(0.01);
        let windows = 0.1 * 0.06 - 4.0 * corner(0.015) + 0.02 * 0.01;
        let area = outline - windows - disk(0.02) - disk(0.03) - disk(0.004);
        let mesh = Solid::SheetMetal(plate).mesh().unwrap();
        assert_watertight(&mesh, "plate");
        let volume = of_mesh(&mesh).volume;
        assert!((volume / (0.004 * area) - 1.0).abs() < 1e-11, "{n}: {volume} is not {}", 0.004 * area);
    }
}

#[test]
fn bends_keep_the_volume_of_the_middle_surface_and_lead_where_arcs_lead() {
    // Up by 90°, down by 30°, far apart: lengths and directions by hand.
    let bends = vec![
        SheetBend { at: 0.1, angle: FRAC_PI_2, radius: 0.02 },
        SheetBend { at: 0.25, angle: -PI / 6.0, radius: 0.05 },
    ];
    let mesh = Solid::SheetMetal(strip(bends)).mesh().unwrap();
    assert_watertight(&mesh, "bent strip");
    let chords = |radius: f64, angle: f64, n: f64| n * 2.0 * radius * (0.5 * angle / n).sin();
    let arcs = 0.02 * FRAC_PI_2 + 0.05 * PI / 6.0;
    let length = 0.4 - arcs + chords(0.02, FRAC_PI_2, 12.0) + chords(0.05, PI / 6.0, 4.0);
    let volume = of_mesh(&mesh).volume;
    assert!((volume / (0.004 * 0.1 * length) - 1.0).abs() < 1e-12, "{volume}");
    // Along x for 0.1, the arc to (0.12, 0.02), up to its end, the arc to the right, then on at 60°.
    let up = 0.25 - 0.1 - 0.02 * FRAC_PI_2;
    let (s, c) = (PI / 6.0).sin_cos();
    let turned = Vec3::new(0.12 + 0.05 * (1.0 - c), 0.0, 0.02 + up + 0.05 * s);
    let rest = 0.4 - 0.25 - 0.05 * PI / 6.0;
    let end = turned + Vec3::new(s, 0.0, c) * rest;
    let corners = mesh.points.iter().filter(|p| (**p - end).xz().norm() < 0.0021 && p.y == 0.0);
    let corners: Vec<Vec3> = corners.copied().collect();
    assert_eq!(corners.len(), 2, "{corners:?}");
    assert!(((corners[0] + corners[1]) * 0.5 - end).norm() < 1e-12, "{corners:?} is not at {end}");
    assert!(((corners[0] - corners[1]).norm() - 0.004).abs() < 1e-12);
}

#[test]
fn a_bent_plate_with_holes_has_about_the_volume_of_the_flat_one() {
    let flat = of_mesh(&Solid::SheetMetal(SheetMetal { bends: vec![], ..sheet(96) }).mesh().unwrap()).volume;
    let bent = of_mesh(&Solid::SheetMetal(sheet(96)).mesh().unwrap()).volume;
    // Chords of a 96-gon are shorter than their arcs by (π/96)²/6, and only bends have them.
    assert!((bent / flat - 1.0).abs() < 2e-4, "{bent} and {flat}");
}

#[test]
fn cables_have_the_volume_of_their_section_times_their_length() {
    for n in [3_u32, 12, 40] {
        let path = vec![[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5, 0.4, 0.0], [0.5, 0.4, 0.6]];
        let mesh = Solid::Cable(Cable { path, radius: 0.01, bend: 0.05, segments: n }).mesh().unwrap();
        assert_watertight(&mesh, "cable");
        let pieces = (f64::from(n) / 4.0).ceil();
        let arcs = 2.0 * pieces * 2.0 * 0.05 * (0.5 * FRAC_PI_2 / pieces).sin();
        let length = 1.5 - 4.0 * 0.05 + arcs;
        let section = 0.5 * f64::from(n) * 1e-4 * (2.0 * PI / f64::from(n)).sin();
        let volume = of_mesh(&mesh).volume;
        assert!((volume / (section * length) - 1.0).abs() < 1e-12, "{n}: {volume}");
    }
}

#[test]
fn rings_have_the_volume_that_pappus_tells() {
    // A triangle with its centroid 0.5 from the axis; facets around take the polygon's share of the circle.
    let section = vec![[0.4, 0.0], [0.7, 0.0], [0.4, 0.3]];
    for n in [5_u32, 96] {
        let mesh = Solid::Ring { section: section.clone(), segments: n }.mesh().unwrap();
        assert_watertight(&mesh, "ring");
        let around = f64::from(n) * (2.0 * PI / f64::from(n)).sin();
        assert!((of_mesh(&mesh).volume / (around * 0.5 * 0.045) - 1.0).abs() < 1e-12);
    }
}

fn refused(solid: &Solid, why: &str) {
    let error = solid.mesh().expect_err(why).to_string();
    assert!(error.contains(why), "{error}");
}

#[test]
fn plates_that_cannot_be_are_refused() {
    let bend = |at, angle, radius| SheetBend { at, angle, radius };
    let cases: Vec<(SheetMetal, &str)> = vec![
        (SheetMetal { holes: vec![[0.01, 0.05, 0.02]], ..strip(vec![]) }, "not within its outline"),
        (SheetMetal { holes: vec![[0.6, 0.05, 0.02]], ..strip(vec![]) }, "not within its outline"),
        (SheetMetal { holes: vec![[0.2, 0.05, 0.02], [0.23, 0.05, 0.02]], ..strip(vec![]) }, "holes 0 and 1 meet"),
        (SheetMetal { holes: vec![[0.2, 0.05, 0.04], [0.2, 0.05, 0.01]], ..strip(vec![]) }, "holes 0 and 1 meet"),
        (SheetMetal { windows: vec![[0.2, 0.05, 0.02, 0.02, 0.02]], ..strip(vec![]) }, "do not fit in a window"),
        (SheetMetal { rounding: 0.06, ..strip(vec![]) }, "too short for corners"),
        (SheetMetal { thickness: f64::NAN, ..strip(vec![]) }, "thickness"),
        (strip(vec![bend(0.1, 1.0, 0.002)]), "too tight"),
        (strip(vec![bend(0.1, 1.0, 0.05), bend(0.12, 1.0, 0.05)]), "overlap"),
        (strip(vec![bend(0.1, f64::INFINITY, 0.05)]), "no bend"),
        (strip(vec![bend(0.02, 3.1, 0.003), bend(0.2, 3.1, 0.003), bend(0.23, 3.1, 0.1)]), "meets itself"),
        (
            SheetMetal { holes: vec![[0.08, 0.05, 0.01995]], ..strip(vec![bend(0.1, 1.0, 0.01)]) },
            "too near the end of a bend",
        ),
    ];
    for (plate, why) in cases {
        refused(&Solid::SheetMetal(plate), why);
    }
}

#[test]
fn cables_and_rings_that_cannot_be_are_refused() {
    let cable = |path: Vec<[f64; 3]>| Solid::Cable(Cable { path, radius: 0.01, bend: 0.05, segments: 12 });
    refused(&cable(vec![[0.0; 3]]), "1 corners");
    refused(&cable(vec![[0.0; 3], [0.0; 3]]), "same point");
    refused(&cable(vec![[0.0; 3], [0.04, 0.0, 0.0], [0.04, 0.3, 0.0]]), "too near each other");
    refused(&cable(vec![[0.0; 3], [0.4, 0.0, 0.0], [0.1, 0.001, 0.0]]), "turns back");
    refused(&cable(vec![[0.0; 3], [f64::NAN, 0.0, 0.0]]), "not within 1e9");
    refused(
        &Solid::Cable(Cable { path: vec![[0.0; 3], [1.0; 3]], radius: 0.1, bend: 0.05, segments: 12 }),
        "too tight",
    );
    refused(&Solid::Ring { section: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], segments: 12 }, "meets the axis");
}
