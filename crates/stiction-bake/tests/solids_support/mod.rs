//! What the tests of solids share.
#![allow(dead_code)]

use std::collections::{HashMap, HashSet};
use std::f64::consts::PI;
use stiction::spatial::{Mat3, Vec3};
use stiction_bake::Mesh;
use stiction_bake::solids::{Bolt, BoltHead, Cable, Nut, ScrewThread, SheetBend, SheetMetal, Solid, SpurGear};

/// One of each solid, with n points around, and its number of handles.
pub fn every_solid(n: u32) -> Vec<(Solid, i64)> {
    let gear = |teeth: u32, bore: f64| {
        let standard = SpurGear::standard(0.002, teeth, 0.01);
        Solid::Gear(SpurGear {
            bore,
            flank_pieces: n,
            arc_pieces: n.div_ceil(4),
            layers: n / 3,
            rings: n / 3,
            ..standard
        })
    };
    let thread = || ScrewThread { segments: n, ..ScrewThread::metric(0.012, 0.00175) };
    let bolt = |head: BoltHead| Solid::Bolt(Bolt { thread: thread(), length: 0.02, head });
    vec![
        (Solid::Box { size: [1.0, 2.0, 3.0] }, 0),
        (Solid::Cylinder { radius: 0.5, height: 2.0, segments: n }, 0),
        (Solid::Capsule { radius: 0.5, height: 2.0, segments: n, rings: n.div_ceil(4) }, 0),
        (Solid::Torus { major: 1.0, minor: 0.3, segments: n, rings: n }, 1),
        (Solid::Plate { size: [1.0, 0.5], thickness: 0.01 }, 0),
        (Solid::LBar { legs: [1.0, 0.6], thickness: 0.1, length: 3.0 }, 0),
        (Solid::Prism { outline: vec![[0.0, 0.0], [1.0, 0.0], [0.2, 0.3], [0.0, 1.0]], length: 0.7 }, 0),
        (Solid::Corner { size: 1.0, thickness: 0.1 }, 0),
        (Solid::PlateRoundHole { size: [1.0, 1.0], thickness: 0.1, radius: 0.4, segments: n }, 1),
        (Solid::PlateRoundHole { size: [3.0, 1.0], thickness: 0.1, radius: 0.495, segments: n }, 1),
        (Solid::PlateSquareHole { size: [1.0, 1.0], thickness: 0.1, hole: [0.5, 0.5] }, 1),
        (Solid::Peg { radius: 0.5, length: 2.0, chamfer: 0.1, segments: n }, 0),
        (Solid::Shaft { steps: vec![[0.5, 1.0], [0.7, 0.2], [0.3, 1.0]], segments: n }, 0),
        (
            Solid::Revolution {
                profile: vec![[0.0, 0.0], [0.5, 0.4], [0.4, 0.7], [0.1, 0.8], [0.1, 1.5]],
                segments: n,
            },
            0,
        ),
        (Solid::Ring { section: vec![[0.5, 0.0], [0.8, 0.1], [0.8, 0.3], [0.6, 0.2], [0.5, 0.4]], segments: n }, 1),
        (Solid::SheetMetal(SheetMetal { bends: vec![], ..sheet(n) }), 3),
        (Solid::SheetMetal(sheet(n)), 3),
        (
            Solid::Cable(Cable {
                path: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.5, 1.0]],
                radius: 0.1,
                bend: 0.3,
                segments: n,
            }),
            0,
        ),
        (gear(8, 0.0), 0),
        (gear(20, 0.005), 1),
        (gear(60, 0.02), 1),
        (bolt(BoltHead::None), 0),
        (bolt(BoltHead::Hexagon { width: 0.018, height: 0.0075 }), 0),
        (bolt(BoltHead::Cylinder { width: 0.018, height: 0.012 }), 0),
        (Solid::Nut(Nut { thread: thread(), width: 0.018, height: 0.0108 }), 1),
    ]
}

/// An L of sheet metal with holes in both legs and a window, of which one edge is in a bend.
pub fn sheet(n: u32) -> SheetMetal {
    let bend = |at, degrees: f64, radius| SheetBend { at, angle: degrees.to_radians(), radius };
    SheetMetal {
        outline: vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.4, 1.2], [1.0, 2.0], [0.0, 2.0]],
        rounding: 0.05,
        holes: vec![[0.5, 0.5, 0.2], [0.5, 1.5, 0.15]],
        windows: vec![[1.8, 0.5, 0.5, 0.3, 0.1]],
        thickness: 0.08,
        bends: vec![bend(0.95, 70.0, 0.3), bend(2.1, -40.0, 0.5)],
        segments: n,
    }
}

/// Every edge has exactly one face in each direction, every face three different points, every point a face.
pub fn assert_watertight(mesh: &Mesh, what: &str) {
    let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
    for &[a, b, c] in &mesh.faces {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            assert_ne!(p, q, "{what}");
            *edges.entry([p, q]).or_default() += 1;
        }
    }
    for (&[p, q], &count) in &edges {
        assert_eq!(count, 1, "{what}: edge {p} {q}");
        assert_eq!(edges.get(&[q, p]), Some(&1), "{what}: edge {p} {q} has one face");
    }
    let used: HashSet<u32> = mesh.faces.iter().flatten().copied().collect();
    assert_eq!(used.len(), mesh.points.len(), "{what}: unused points");
    let different: HashSet<[u64; 3]> =
        mesh.points.iter().map(|p| [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits())).collect();
    assert_eq!(different.len(), mesh.points.len(), "{what}: points repeat");
}

/// V − E + F.
pub fn euler_characteristic(mesh: &Mesh) -> i64 {
    mesh.points.len() as i64 - mesh.faces.len() as i64 * 3 / 2 + mesh.faces.len() as i64
}

/// The distance to a mesh by looking at every face, and the sign by the winding number (van Oosterom and Strackee).
pub fn brute_force(mesh: &Mesh, p: &Vec3) -> f64 {
    let mut nearest = f64::MAX;
    let mut angle = 0.0;
    for t in mesh.triangles() {
        nearest = nearest.min(to_triangle(&t, p));
        let [a, b, c] = t.map(|q| q - p);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let denominator = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        angle += 2.0 * a.dot(&b.cross(&c)).atan2(denominator);
    }
    if angle > 2.0 * PI { -nearest } else { nearest }
}

/// The distance to a triangle: to its plane where the foot lies inside, to its edges otherwise.
fn to_triangle(t: &[Vec3; 3], p: &Vec3) -> f64 {
    let normal = (t[1] - t[0]).cross(&(t[2] - t[0]));
    let basis = Mat3::from_columns(&[t[1] - t[0], t[2] - t[0], normal]);
    if let Some(inverse) = basis.try_inverse() {
        let x = inverse * (p - t[0]);
        if x[0] >= 0.0 && x[1] >= 0.0 && x[0] + x[1] <= 1.0 {
            return x[2].abs() * normal.norm();
        }
    }
    let edge = |a: Vec3, b: Vec3| {
        let e = b - a;
        let s = ((p - a).dot(&e) / e.norm_squared()).clamp(0.0, 1.0);
        (p - a - e * s).norm()
    };
    edge(t[0], t[1]).min(edge(t[1], t[2])).min(edge(t[2], t[0]))
}

/// Numbers from a seed.
pub struct Random(pub u64);

impl Random {
    /// A 64-bit number (splitmix64).
    pub fn next(&mut self) -> u64 {
        stiction_testing::splitmix64(&mut self.0)
    }

    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
