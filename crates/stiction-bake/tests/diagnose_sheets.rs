//! Sheets: surfaces without an inside are known, alone and among solids.

mod common;
use common::*;
use stiction::spatial::Vec3;
use stiction_bake::Mesh;
use stiction_bake::diagnose::mend;

#[test]
fn a_flat_sheet_is_a_sheet_and_a_doubled_one_too() {
    let flat = sheet(5);
    let mut other_diagonals = Mesh::default();
    for quad in flat.faces.chunks_exact(2) {
        let (a, b, c, d) = (quad[0][0], quad[0][1], quad[0][2], quad[1][2]);
        other_diagonals.faces.extend([[a, d, b], [b, d, c]]);
    }
    other_diagonals.points = flat.points.clone();
    for mesh in [flat.clone(), both(flat.clone(), &reversed(flat.clone())), both(flat, &other_diagonals)] {
        let mended = mend(&mesh);
        assert!(!mended.sheet.is_empty() && mended.sheet.iter().all(|&s| s));
        assert_eq!((mended.oriented, mended.hole), (true, 0.0));
    }
}

#[test]
fn a_sheet_beside_and_inside_a_solid_is_still_a_sheet() {
    let mut solid = cube(Vec3::zeros(), Vec3::repeat(1.0), 6);
    solid.faces.remove(17);
    for at in [Vec3::new(0.0, 0.0, 1.2), Vec3::new(-0.25, -0.25, 0.1)] {
        let mut small = sheet(2);
        small.points.iter_mut().for_each(|p| *p = 0.5 * *p + at);
        let mended = mend(&both(solid.clone(), &small));
        let sheets: Vec<bool> = mended.origin.iter().map(|&f| f as usize >= solid.faces.len()).collect();
        assert_eq!(mended.sheet, sheets, "{at}");
        assert!(mended.oriented);
    }
}

#[test]
fn a_moebius_strip_is_not_oriented() {
    let strip = |u: f64, v: f64| {
        let (a, w) = (std::f64::consts::TAU * u, v - 0.5);
        let r = 1.0 + w * libm::cos(0.5 * a);
        Vec3::new(r * libm::cos(a), r * libm::sin(a), w * libm::sin(0.5 * a))
    };
    let mut mesh = grid(24, 3, [false, false], strip);
    // The last column is the first one upside down: name the same points.
    for f in &mut mesh.faces {
        for i in f {
            if *i % 25 == 24 {
                *i = (3 - *i / 25) * 25;
            }
        }
    }
    let mended = mend(&mesh);
    assert!(!mended.oriented);
}

#[test]
fn a_wall_between_two_cubes_is_a_sheet_and_the_rest_watertight() {
    let mut mesh =
        both(cube(Vec3::zeros(), Vec3::repeat(1.0), 3), &cube(Vec3::new(2.0, 0.0, 0.0), Vec3::repeat(1.0), 3));
    let all = mesh.triangles().map(|t| t.iter().all(|p| p.x == 1.0)).collect::<Vec<_>>();
    assert_eq!(all.iter().filter(|&&w| w).count(), 36);
    // Once with the wall from both cubes, once with it from one only.
    for _ in 0..2 {
        let mended = mend(&mesh);
        assert_eq!(mended.sheet.iter().filter(|&&s| s).count(), 18);
        assert!(mended.watertight && mended.oriented);
        let solid = mended.mesh.triangles().zip(&mended.sheet).filter(|(_, s)| !**s);
        let volume: f64 = solid.map(|([a, b, c], _)| a.dot(&b.cross(&c)) / 6.0).sum();
        assert!((volume - 16.0).abs() < 1e-12, "{volume}");
        let mut seen = 0;
        let triangles: Vec<[Vec3; 3]> = mesh.triangles().collect();
        let mut number = 0..;
        mesh.faces.retain(|_| {
            let wall = triangles[number.next().unwrap()].iter().all(|p| p.x == 1.0);
            seen += usize::from(wall);
            !wall || seen <= 18
        });
    }
}

#[test]
fn a_fin_of_no_thickness_does_not_open_a_solid() {
    // As in so101_servo/motor_holder: one face and its back stand on an edge of a closed solid.
    let mut mesh = unit_cube();
    mesh.points.push(Vec3::new(0.5, 0.5, 1.0));
    let tip = mesh.points.len() as u32 - 1;
    let at = |p: Vec3| mesh.points.iter().position(|q| *q == p).unwrap() as u32;
    let (a, b) = (at(Vec3::new(0.5, -0.5, 0.5)), at(Vec3::new(0.5, 0.5, 0.5)));
    mesh.faces.extend([[a, b, tip], [b, a, tip]]);
    let mended = mend(&mesh);
    assert!(mended.watertight && mended.oriented);
    assert_eq!(mended.sheet.iter().filter(|&&s| s).count(), 1);
}

#[test]
fn cups_and_tubes_are_solids_with_big_holes_and_dishes_are_sheets() {
    // A cylinder of radius one, with a floor or without.
    let cup = |height: f64, floor: bool| {
        let at = |u: f64, z: f64| {
            let a = std::f64::consts::TAU * u;
            Vec3::new(libm::cos(a), libm::sin(a), z)
        };
        let mut mesh = grid(32, 16, [true, false], |u, v| at(u, height * v));
        if floor {
            let centre = mesh.points.len() as u32;
            mesh.points.push(Vec3::zeros());
            mesh.faces.extend((0..32).map(|k| [centre, (k + 1) % 32, k]));
        }
        mesh
    };
    for (height, floor, sheet) in [(0.6, true, false), (2.0, false, false), (0.2, true, true), (1.0, false, true)] {
        let mended = mend(&cup(height, floor));
        assert!(mended.sheet.iter().all(|&s| s == sheet), "{height} {floor}");
        assert!(sheet || (mended.hole - 2.0).abs() < 0.05, "{height} {floor}: {}", mended.hole);
        assert!(sheet || mended.mesh.triangles().any(|[a, b, c]| (b - a).cross(&(c - a)).dot(&a) > 0.0));
    }
}

/// Every face of a mesh as a patch of its own, a little smaller than it was.
fn apart(mesh: &Mesh, share: f64) -> Mesh {
    let mut out = Mesh::default();
    for corners in mesh.triangles() {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let first = out.points.len() as u32;
        out.points.extend(corners.map(|p| middle + share * (p - middle)));
        out.faces.push([first, first + 1, first + 2]);
    }
    out
}

/// Where there are more patches than can be asked one by one in reasonable time, the small ones are asked only if the large ones make solids: here they do.
#[test]
fn a_solid_in_thousands_of_pieces_is_a_solid_and_thousands_of_scraps_are_sheets() {
    let whole = cube(Vec3::zeros(), Vec3::repeat(1.0), 20);
    let pieces = apart(&whole, 0.97);
    assert!(pieces.faces.len() > 4000);
    let mended = mend(&pieces);
    assert!(mended.sheet.iter().all(|s| !s));
    // Scraps: pieces of the same size that lie anywhere, in any direction.
    let mut random = Random(7);
    let mut scraps = Mesh::default();
    for first in (0..3 * pieces.faces.len() as u32).step_by(3) {
        let mut place = || Vec3::from_fn(|_, _| 2.0 * random.unit() - 1.0);
        let at = place();
        scraps.points.extend([at, at + 0.05 * place(), at + 0.05 * place()]);
        scraps.faces.push([first, first + 1, first + 2]);
    }
    // Rays that cross scraps at random are odd or even by chance: 16 behind and 16 in front differ by more than 8 of them in one case of 300.
    let mended = mend(&scraps);
    let solid = mended.sheet.iter().filter(|s| !**s).count();
    assert!(solid * 100 < mended.sheet.len(), "{solid} of {}", mended.sheet.len());
}

#[test]
fn thousands_of_boxes_without_a_lid_are_as_many_solids() {
    let mut random = Random(11);
    let mut boxes = Mesh::default();
    for _ in 0..3000 {
        let at = Vec3::from_fn(|_, _| 100.0 * random.unit());
        let mut one = cube(at, Vec3::repeat(0.2), 1);
        one.faces.truncate(10);
        boxes = both(boxes, &if random.below(2) == 0 { one } else { reversed(one) });
    }
    let mended = mend(&boxes);
    assert!(mended.sheet.iter().all(|s| !s));
    let mut bodies = mended.body.clone();
    bodies.sort_unstable();
    bodies.dedup();
    assert_eq!(bodies.len(), 3000);
    assert!(mended.oriented);
}
