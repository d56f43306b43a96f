//! Stuffed solids: dihedral angles within the proved bounds for any function, nodes of the surface on the surface, volumes that converge, walls that are measured and refused.

mod support;

use stiction::spatial::{Vec3, exp};
use stiction_fem::stuffing::{
    LARGEST_AT_CREASES, LARGEST_DIHEDRAL, SMALLEST_AT_CREASES, SMALLEST_DIHEDRAL, thinnest_wall,
};
use stiction_fem::{BoundarySurface, MeshQuality, SolidRegion, StuffingError, StuffingSettings, stuff};
use support::{cuboid, cylinder, region, torus, unit, vector};

type Distance<'a> = &'a dyn Fn(Vec3) -> f64;

/// Without sharp edges: as the source has it.
fn cells(cell: f64) -> StuffingSettings {
    StuffingSettings { cell: Some(cell), sharpen: false, ..StuffingSettings::default() }
}

/// The bounds of the source, to the digits that it prints.
fn within_bounds(quality: &MeshQuality, what: &str) {
    let slack = 1e-4;
    assert!(
        quality.smallest_dihedral > SMALLEST_DIHEDRAL - slack,
        "{what}: {}°",
        quality.smallest_dihedral.to_degrees()
    );
    assert!(quality.largest_dihedral < LARGEST_DIHEDRAL + slack, "{what}: {}°", quality.largest_dihedral.to_degrees());
}

#[test]
fn angles_of_smooth_and_sharp_solids_are_within_the_bounds() {
    let turn = exp(&Vec3::new(0.3, -0.7, 0.2));
    let sphere = |p: Vec3| p.norm() - 1.0;
    let cube = |p: Vec3| cuboid(p, Vec3::new(0.9, 0.7, 0.8));
    let turned = move |p: Vec3| cuboid(turn * p, Vec3::new(0.9, 0.7, 0.8));
    let ring = |p: Vec3| torus(p, 1.0, 0.4);
    let pin = move |p: Vec3| cylinder(turn * p, 0.7, 1.1);
    let shell = |p: Vec3| (p.norm() - 1.0).abs() - 0.3;
    let solids: [(&str, &dyn Fn(Vec3) -> f64); 6] = [
        ("sphere", &sphere),
        ("cube", &cube),
        ("turned cube", &turned),
        ("torus", &ring),
        ("pin", &pin),
        ("shell", &shell),
    ];
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0f64);
    for (name, distance) in solids {
        for cell in [0.19, 0.137, 0.0913] {
            let made = stuff(&region(distance, Vec3::repeat(1.6)), &cells(cell)).unwrap();
            let quality = MeshQuality::of(&made.mesh);
            within_bounds(&quality, name);
            smallest = smallest.min(quality.smallest_dihedral);
            largest = largest.max(quality.largest_dihedral);
        }
    }
    println!("angles from {:.2}° to {:.2}°", smallest.to_degrees(), largest.to_degrees());
}

/// Functions that are no distances, with random blobs: the bounds of the source hold for any function. What has several pieces is refused, and does not count.
#[test]
fn angles_of_random_functions_are_within_the_bounds() {
    let mut seed = 7;
    let (mut made, mut smallest, mut largest) = (0, f64::INFINITY, 0.0f64);
    for _ in 0..150 {
        let blobs: Vec<(Vec3, f64)> = (0..4).map(|_| (0.5 * vector(&mut seed), 0.3 + 0.4 * unit(&mut seed))).collect();
        let (wave, phase) = (10.0 * vector(&mut seed), 6.0 * unit(&mut seed));
        let rough = 0.15 * unit(&mut seed);
        let distance = |p: Vec3| {
            let nearest = blobs.iter().map(|(c, r)| (p - c).norm() - r).fold(f64::INFINITY, f64::min);
            nearest + rough * (wave.dot(&p) + phase).sin()
        };
        // Walls are not what is asked here: a third of the thinnest would be refused for most.
        let solid = region(&distance, Vec3::repeat(1.5));
        let wall = thinnest_wall(&solid).unwrap().map_or(1.0, |w| w.thickness);
        let cell = (wall / 3.0).min(0.05 + 0.1 * unit(&mut seed)).max(0.045);
        match stuff(&solid, &cells(cell)) {
            Ok(done) => {
                let quality = MeshQuality::of(&done.mesh);
                smallest = smallest.min(quality.smallest_dihedral);
                largest = largest.max(quality.largest_dihedral);
                made += 1;
            }
            Err(StuffingError::Mesh { .. } | StuffingError::ThinWall { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
    println!("{made} made: angles from {:.2}° to {:.2}°", smallest.to_degrees(), largest.to_degrees());
    assert!(made >= 75, "{made}");
    assert!(smallest > SMALLEST_DIHEDRAL && largest < LARGEST_DIHEDRAL);
}

#[test]
fn the_surface_is_on_the_solid_and_encloses_the_volume() {
    let ring = |p: Vec3| torus(p, 1.0, 0.4);
    let true_volume = 2.0 * std::f64::consts::PI.powi(2) * 0.16;
    let mut errors = Vec::new();
    for cell in [0.2, 0.1, 0.05] {
        let made = stuff(&region(&ring, Vec3::new(1.5, 1.5, 0.5)), &cells(cell)).unwrap();
        let surface = BoundarySurface::of(&made.mesh);
        for &node in &surface.nodes {
            assert!(ring(made.mesh.nodes()[node as usize]).abs() < 1e-9, "{cell}");
        }
        let volume = made.mesh.volume();
        let off = (surface.enclosed_volume(&made.mesh) - volume).abs();
        // Equal but for rounding: so many summands.
        assert!(off < made.mesh.tetrahedra().len() as f64 * f64::EPSILON * volume, "{off:e}");
        // A torus: Euler's number is zero.
        let (v, f) = (surface.nodes.len() as i64, surface.triangles.len() as i64);
        assert_eq!(v - f / 2, 0);
        errors.push((volume - true_volume).abs() / true_volume);
    }
    println!("volume errors {errors:?}");
    // Second order: a smooth surface of flat triangles.
    assert!(errors[2] < 0.35 * errors[1] && errors[1] < 0.35 * errors[0], "{errors:?}");
    assert!(errors[2] < 0.01, "{errors:?}");
}

#[test]
fn equal_solids_have_equal_meshes() {
    let ring = |p: Vec3| torus(p, 1.0, 0.4);
    let one = stuff(&region(&ring, Vec3::new(1.5, 1.5, 0.5)), &cells(0.1)).unwrap();
    let two = stuff(&region(&ring, Vec3::new(1.5, 1.5, 0.5)), &cells(0.1)).unwrap();
    assert_eq!(one, two);
}

#[test]
fn walls_are_measured() {
    let plate = |p: Vec3| cuboid(p, Vec3::new(1.0, 0.6, 0.05));
    let turn = exp(&Vec3::new(0.4, 0.1, -0.3));
    let turned = move |p: Vec3| cuboid(turn * p, Vec3::new(1.0, 0.6, 0.005));
    let shell = |p: Vec3| (p.norm() - 1.0).abs() - 0.02;
    let ball = |p: Vec3| p.norm() - 1.0;
    let solids: [(&dyn Fn(Vec3) -> f64, f64); 4] = [(&plate, 0.1), (&turned, 0.01), (&shell, 0.04), (&ball, 2.0)];
    for (distance, thickness) in solids {
        let found = thinnest_wall(&region(distance, Vec3::repeat(1.3))).unwrap().unwrap();
        assert!((found.thickness / thickness - 1.0).abs() < 0.02, "{found:?}, not {thickness}");
    }
    // A wedge of 60° has no wall but its ends.
    let wedge = |p: Vec3| (0.5 * p.x + 0.75f64.sqrt() * p.z.abs() - 0.5).max(-1.0 - p.x).max(p.y.abs() - 2.0);
    let found = thinnest_wall(&region(&wedge, Vec3::new(1.2, 2.1, 1.3))).unwrap().unwrap();
    assert!((found.thickness - 4.0).abs() < 0.1, "{found:?}");
}

#[test]
fn cells_follow_from_walls_and_coarser_ones_are_refused() {
    let plate = |p: Vec3| cuboid(p, Vec3::new(0.5, 0.3, 0.05));
    let solid = region(&plate, Vec3::new(0.55, 0.35, 0.1));
    let own = stuff(&solid, &StuffingSettings::default()).unwrap();
    assert!((own.cell - 0.1 / 3.0).abs() < 1e-3 * own.cell);
    let error = stuff(&solid, &cells(0.04)).unwrap_err();
    let StuffingError::ThinWall { wall, works, .. } = error else { panic!("{error}") };
    assert!((wall - 0.1).abs() < 1e-3 && (works - 0.1 / 3.0).abs() < 1e-3);
    println!("{error}");
    // What the message says works.
    assert!(stuff(&solid, &cells(works)).is_ok());
}

#[test]
fn bad_solids_are_refused_with_a_remedy() {
    let ball = |p: Vec3| p.norm() - 1.0;
    let solid = region(&ball, Vec3::repeat(1.1));
    assert!(matches!(stuff(&solid, &cells(0.0)), Err(StuffingError::BadCell(_))));
    assert!(matches!(stuff(&solid, &cells(f64::NAN)), Err(StuffingError::BadCell(_))));
    let StuffingError::TooManyCells { works, .. } = stuff(&solid, &cells(1e-3)).unwrap_err() else { panic!() };
    assert!(works > 1e-3 && works < 2e-2, "{works}");
    let empty = SolidRegion { upper: solid.lower, ..solid };
    assert!(matches!(stuff(&empty, &cells(0.1)), Err(StuffingError::BadBox)));
    let nothing = |_: Vec3| 1.0;
    assert!(matches!(
        stuff(&region(&nothing, Vec3::repeat(1.0)), &cells(0.1)),
        Err(StuffingError::NothingInside { .. })
    ));
    let nan = |_: Vec3| f64::NAN;
    assert!(matches!(stuff(&region(&nan, Vec3::repeat(1.0)), &cells(0.1)), Err(StuffingError::NotANumber(_))));
    let two = |p: Vec3| ((p - Vec3::x()).norm() - 0.5).min((p + Vec3::x()).norm() - 0.5);
    assert!(matches!(stuff(&region(&two, Vec3::new(1.6, 0.6, 0.6)), &cells(0.1)), Err(StuffingError::Mesh { .. })));
    // A function that jumps, or is infinite, makes a mesh or an error, within the bounds.
    let jump = |p: Vec3| if p.norm() < 1.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    if let Ok(made) = stuff(&solid_of(&jump), &cells(0.2)) {
        within_bounds(&MeshQuality::of(&made.mesh), "jump");
    }
}

fn solid_of<'a>(distance: &'a dyn Fn(Vec3) -> f64) -> SolidRegion<'a> {
    region(distance, Vec3::repeat(1.2))
}

/// Nodes on edges and corners: the volume of what stuffing cuts off comes back for the most part, within bounds of angles that are a little wider.
#[test]
fn sharp_edges_are_recovered() {
    for (axis, angle) in [(Vec3::x(), 0.0), (Vec3::new(0.5, 0.3, -0.4), 1.0), (Vec3::new(-0.2, 0.9, 0.1), 1.3)] {
        let turn = exp(&(angle * axis));
        let cube = move |p: Vec3| cuboid(turn * p, Vec3::new(0.9, 0.7, 0.8));
        let pin = move |p: Vec3| cylinder(turn * p, 0.7, 0.9);
        let solids: [(&str, Distance, f64); 2] =
            [("cube", &cube, 8.0 * 0.9 * 0.7 * 0.8), ("pin", &pin, std::f64::consts::PI * 0.49 * 1.8)];
        for (name, distance, volume) in solids {
            for cell in [0.3, 0.2, 0.1] {
                let solid = region(distance, Vec3::repeat(1.5));
                let chamfered = stuff(&solid, &cells(cell)).unwrap().mesh.volume() / volume;
                let sharp = stuff(&solid, &StuffingSettings { sharpen: true, ..cells(cell) }).unwrap().mesh;
                let quality = MeshQuality::of(&sharp);
                let share = sharp.volume() / volume;
                println!(
                    "{name}, turned by {angle}, cells of {cell}: {chamfered:.4} → {share:.4} of the volume, {:.1}° to {:.1}°",
                    quality.smallest_dihedral.to_degrees(),
                    quality.largest_dihedral.to_degrees()
                );
                assert!(
                    quality.smallest_dihedral > SMALLEST_AT_CREASES - 1e-9
                        && quality.largest_dihedral < LARGEST_AT_CREASES + 1e-9
                );
            }
        }
    }
}
