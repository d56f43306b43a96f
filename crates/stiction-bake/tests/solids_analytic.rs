//! Closed-form distances against a brute-force search over the meshes' triangles; the gear against its definition.

#[path = "common/analytic.rs"]
mod analytic;
mod solids_support;

use analytic::Analytic;
use solids_support::{Random, brute_force, every_solid};
use std::f64::consts::PI;
use stiction::spatial::Vec3;
use stiction_bake::mass::of_mesh;
use stiction_bake::solids::{Solid, SpurGear};

#[test]
fn distances_are_those_to_the_mesh_up_to_its_facets() {
    let n = 96;
    let mut random = Random(7);
    for (solid, _) in every_solid(n) {
        let mesh = solid.mesh().unwrap();
        let bounds = mesh.bounds().unwrap();
        let (centre, size) = ((bounds.min + bounds.max) / 2.0, bounds.max - bounds.min);
        let flat = matches!(solid.name(), "box" | "plate" | "L-bar" | "corner" | "plate with square hole" | "prism");
        // The sagitta of a facet of the largest circle, and on the torus that across it too.
        let allowed = if flat { 1e-12 } else { size.max() * (1.0 - (PI / f64::from(n)).cos()) + 1e-12 };
        let open_form = matches!(
            solid,
            Solid::Gear(_)
                | Solid::Bolt(_)
                | Solid::Nut(_)
                | Solid::Revolution { .. }
                | Solid::SheetMetal(_)
                | Solid::Cable(_)
        );
        let mut inside = 0;
        for _ in 0..400 {
            let off = Vec3::from_fn(|_, _| random.unit() - 0.5).component_mul(&size) * 1.8;
            let p = centre + off;
            let Some(distance) = solid.signed_distance(&p) else {
                assert!(open_form, "{}", solid.name());
                continue;
            };
            let brute = brute_force(&mesh, &p);
            assert!((distance - brute).abs() <= allowed, "{}: {distance} is {brute} at {p}", solid.name());
            inside += usize::from(distance < 0.0);
        }
        assert!(inside > 5 || open_form, "{}: {inside} points inside", solid.name());
    }
}

#[test]
fn distances_at_known_places() {
    let at = |solid: &Solid, x, y, z| solid.signed_distance(&Vec3::new(x, y, z)).unwrap();
    let corner = Solid::Corner { size: 1.0, thickness: 0.2 };
    // In the free octant the nearest wall counts; in the walls, the nearest surface; at the inner corner, the surface.
    assert!((at(&corner, 0.3, 0.4, 0.5) - 0.3).abs() < 1e-15);
    assert!((at(&corner, -0.1, -0.1, -0.1) + 0.1).abs() < 1e-15);
    assert!((at(&corner, -0.05, -0.05, -0.05) + 0.05 * 3f64.sqrt()).abs() < 1e-15);
    assert_eq!(at(&corner, 0.0, 0.0, 0.0), 0.0);
    let bar = Solid::LBar { legs: [1.0, 1.0], thickness: 0.2, length: 2.0 };
    assert!((at(&bar, 1.0, 1.0, 0.0) - 1.0).abs() < 1e-15);
    assert!((at(&bar, -0.06, -0.08, 0.0) + 0.1).abs() < 1e-15);
    let torus = Solid::Torus { major: 2.0, minor: 0.5, segments: 3, rings: 3 };
    assert!((at(&torus, 0.0, 0.0, 0.0) - 1.5).abs() < 1e-15);
    assert!((at(&torus, 0.0, 2.0, 0.0) + 0.5).abs() < 1e-15);
    let peg = Solid::Peg { radius: 1.0, length: 4.0, chamfer: 0.5, segments: 3 };
    // Straight off the middle of the chamfer.
    assert!((at(&peg, 0.75 + 1.0, 0.0, 0.25 - 1.0) - 2f64.sqrt()).abs() < 1e-15);
    assert!((at(&peg, 0.0, 0.0, 2.0) + 1.0).abs() < 1e-15);
}

#[test]
fn flank_points_end_a_string_unwound_from_the_base_circle() {
    for teeth in [9u32, 17, 20, 41, 80] {
        let gear = SpurGear { flank_pieces: 16, ..SpurGear::standard(0.003, teeth, 0.01) };
        let mesh = Solid::Gear(gear.clone()).mesh().unwrap();
        let alpha = 20.0 * PI / 180.0;
        let pitch = 0.003 * f64::from(teeth) / 2.0;
        let (base, tip) = (pitch * alpha.cos(), pitch + 0.003);
        let root = pitch - 1.25 * 0.003;
        let quarter = PI / (2.0 * f64::from(teeth));
        let mut checked = 0;
        for p in &mesh.points {
            let rho = p.x.hypot(p.y);
            // The tooth on the x axis, its left flank, above the base circle and below the tip.
            let angle = p.y.atan2(p.x);
            let on_tooth = angle > 0.0 && angle < 2.0 * quarter;
            if !on_tooth || rho < base.max(root) * (1.0 + 1e-9) || rho > tip * (1.0 - 1e-9) {
                continue;
            }
            // The string leaves the base circle at a right angle to the radius there; its length is what was unwound.
            let string = (rho * rho - base * base).sqrt();
            let leaves = angle - (string / base).atan();
            let string_at_pitch = (pitch * pitch - base * base).sqrt();
            let leaves_at_pitch = quarter - (string_at_pitch / base).atan();
            let unwound = base * (leaves_at_pitch - leaves);
            assert!((string - string_at_pitch - unwound).abs() < 1e-12 * pitch, "{teeth}: {p}");
            checked += 1;
        }
        assert!(checked >= 2 * 14, "{teeth}: {checked} points");
    }
}

#[test]
fn teeth_are_half_a_pitch_thick_at_the_pitch_circle() {
    for (module, teeth, degrees) in [(0.001, 18, 20.0), (0.002, 40, 14.5), (0.5, 25, 25.0)] {
        let angle = degrees * PI / 180.0;
        let gear = SpurGear { pressure_angle: angle, ..SpurGear::standard(module, teeth, 0.01) };
        let thickness = 2.0 * gear.pitch_radius() * gear.half_tooth_angle(gear.pitch_radius());
        assert!((thickness - PI * module / 2.0).abs() < 1e-13 * module);
        // And so is the mesh: where its outline crosses the pitch circle, by linear interpolation of a fine flank.
        let fine = SpurGear { flank_pieces: 2000, ..gear };
        let mesh = Solid::Gear(fine.clone()).mesh().unwrap();
        let mut flank: Vec<(f64, f64)> = mesh.points.iter().map(|p| (p.x.hypot(p.y), p.y.atan2(p.x))).collect();
        flank.retain(|&(_, a)| a > 1e-9 && a < PI / f64::from(teeth) * 0.99);
        let r = fine.pitch_radius();
        let below = flank.iter().filter(|f| f.0 <= r).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let above = flank.iter().filter(|f| f.0 > r).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let angle = below.1 + (above.1 - below.1) * (r - below.0) / (above.0 - below.0);
        assert!((2.0 * r * angle - PI * module / 2.0).abs() < 1e-6 * module, "{}", 2.0 * r * angle);
    }
}

#[test]
fn volume_of_a_gear_is_the_integral_of_its_tooth_thickness() {
    for (teeth, bore) in [(10u32, 0.0), (24, 0.01), (60, 0.03)] {
        let (module, width) = (0.002, 0.015);
        let gear = SpurGear { bore, flank_pieces: 200, arc_pieces: 50, ..SpurGear::standard(module, teeth, width) };
        let volume = of_mesh(&Solid::Gear(gear).mesh().unwrap()).volume;
        let alpha = 20f64.to_radians();
        let pitch = module * f64::from(teeth) / 2.0;
        let (base, tip, root) = (pitch * alpha.cos(), pitch + module, pitch - 1.25 * module);
        let inv = |phi: f64| phi.tan() - phi;
        let half = |rho: f64| PI / (2.0 * f64::from(teeth)) + inv(alpha) - inv((base / rho.max(base)).min(1.0).acos());
        let steps = 200_000;
        let h = (tip - root) / f64::from(steps);
        let teeth_area: f64 =
            (0..steps).map(|i| root + (f64::from(i) + 0.5) * h).map(|rho| rho * 2.0 * half(rho) * h).sum();
        let area = teeth_area * f64::from(teeth) + PI * (root * root - bore * bore);
        // Below the teeth the mesh has a chord for an arc: a segment each.
        let a = 2.0 * half(root);
        let segments = f64::from(teeth) * root * root / 2.0 * (a - a.sin());
        let error = volume / (width * area) - 1.0;
        assert!(error.abs() < 2e-4 + 1.01 * segments / area, "{teeth}: {error}");
        assert!(error.abs() < 5e-3, "{teeth}: {error}");
    }
}
