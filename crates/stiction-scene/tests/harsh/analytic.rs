//! Fits made from solids by parameter: a pin in a bore, a cone in its seat, a ball in its socket, a box on a plate.

use crate::fit::{BlockedWay, FitSource, Pull};
use stiction::spatial::{Pose, Vec3};
use stiction_bake::Mesh;
use stiction_bake::solids::{Solid, refine, revolve};

/// Facets around, and how far every vertex is off in each direction, at most (m). Hard contacts take normals from fields, so roughness must be in the mesh that
/// is baked: 5 µm on vertices 1 mm apart turn normals by up to 10 mrad, and are a quarter of the sagitta of 32 facets on 8 mm.
const VARIANTS: [(u32, f64); 3] = [(32, 0.0), (32, 5e-6), (128, 0.0)];
/// Distance of vertices on rough parts, at most (m).
const GRAIN: f64 = 1e-3;
/// How far the box's pressure centre moves to either side (m).
const SHIFTS: [f64; 2] = [1e-3, 7e-3];

/// Every fit by parameter.
pub fn all() -> Vec<FitSource> {
    let round = VARIANTS.iter().flat_map(|&(facets, rough)| {
        [("pin", pin(facets)), ("cone", cone(facets)), ("ball", ball(facets))].map(|(name, source)| {
            let [held, fixed] = &source.meshes;
            let meshes =
                if rough > 0.0 { [roughened(held, rough, 1), roughened(fixed, rough, 2)] } else { source.meshes };
            let word = if rough > 0.0 { "rough" } else { "smooth" };
            FitSource { name: format!("{name}_{facets}_facets_{word}"), meshes, rough, ..source }
        })
    });
    let flat = SHIFTS.iter().map(|&shift| FitSource {
        name: format!("box_{:.0}_mm", 1e3 * shift),
        // The torque that comes and goes is ±20 % of the press times the lever.
        lever: Some(shift / 0.2),
        ..flat_box()
    });
    round.chain(flat).chain([crate::screw::m12()]).collect()
}

/// The mesh with vertices at most [`GRAIN`] apart, each moved by up to `by` in each direction.
fn roughened(mesh: &Mesh, by: f64, seed: u64) -> Mesh {
    let mut out = refine(mesh, GRAIN).unwrap();
    let mut state = seed;
    // SplitMix64 of Steele, Lea and Flood.
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    out.points.iter_mut().for_each(|p| *p += Vec3::new(next(), next(), next()) * by);
    out
}

/// A fit by parameter about z, of which nothing more is known yet.
pub fn source(held: Mesh, fixed: Mesh, press: Vec3, pull: Pull) -> FitSource {
    FitSource {
        name: String::new(),
        meshes: [held, fixed],
        seated: Pose::identity(),
        blocked: Vec::new(),
        axis: Vec3::z(),
        removal: None,
        turns: [None; 3],
        press,
        pull,
        lever: None,
        rough: 0.0,
        radius: Some(f64::INFINITY),
        polygon: false,
        levers: false,
        interference: None,
        screw: None,
    }
}

/// A pin of 8 mm in a bore that is 0.1 mm wider, 20 mm deep.
pub fn pin(segments: u32) -> FitSource {
    let pin = Solid::Cylinder { radius: 4e-3, height: 0.04, segments };
    let plate = Solid::PlateRoundHole { size: [0.03, 0.03], thickness: 0.02, radius: 4.05e-3, segments };
    let ways = [("+x", Vec3::x()), ("-x", -Vec3::x())].map(|(name, direction)| BlockedWay {
        name: name.into(),
        direction,
        play: 5e-5,
        facing: 1.0,
    });
    FitSource {
        blocked: ways.to_vec(),
        removal: Some((Vec3::z(), 0.03)),
        polygon: segments < 100,
        radius: Some(4e-3),
        levers: true,
        ..source(pin.mesh().unwrap(), plate.mesh().unwrap(), Vec3::x(), Pull::Force(Vec3::z()))
    }
}

/// A cone of 31 degrees to its axis, which does not lock below µ = 0.6, pressed into its seat and turned.
fn cone(segments: u32) -> FitSource {
    let r = |z: f64| 4e-3 + 0.6 * z;
    let held = revolve(&[[0.0, 0.0], [r(0.0), 0.0], [r(0.01), 0.01], [0.0, 0.01]], false, segments).unwrap();
    let seat = [[0.016, 0.002], [0.016, 0.008], [r(0.008), 0.008], [r(0.002), 0.002]];
    let fixed = revolve(&seat, true, segments).unwrap();
    let way = BlockedWay { name: "-z".into(), direction: -Vec3::z(), play: 0.0, facing: 0.6 / 1.36f64.sqrt() };
    FitSource { blocked: vec![way], radius: Some(r(0.002)), ..source(held, fixed, -Vec3::z(), Pull::Torque(Vec3::z())) }
}

/// A ball of 16 mm in a socket that holds it between 20 and 70 degrees from below, pressed in and turned about a horizontal axis.
fn ball(segments: u32) -> FitSource {
    let rings = segments.min(72) as i32 / 2 * 2;
    let on = |degrees: f64| {
        let angle = degrees.to_radians();
        [8e-3 * angle.sin(), -8e-3 * angle.cos()]
    };
    let step = 180.0 / f64::from(rings);
    let mut profile: Vec<[f64; 2]> = (0..=rings).map(|i| on(step * f64::from(i))).collect();
    let last = profile.len() - 1;
    (profile[0], profile[last]) = ([0.0, -8e-3], [0.0, 8e-3]);
    let held = revolve(&profile, false, segments).unwrap();
    let held_by = |p: &[f64; 2]| p[0] >= on(20.0)[0] && p[1] <= on(70.0)[1];
    let inner: Vec<[f64; 2]> = profile.iter().copied().filter(held_by).collect();
    let (bottom, top) = (inner[0][1], inner[inner.len() - 1][1]);
    let socket: Vec<[f64; 2]> = [[0.012, bottom], [0.012, top]].into_iter().chain(inner.into_iter().rev()).collect();
    let fixed = revolve(&socket, true, segments).unwrap();
    let way = BlockedWay { name: "-z".into(), direction: -Vec3::z(), play: 0.0, facing: 20f64.to_radians().cos() };
    FitSource { blocked: vec![way], radius: Some(8e-3), ..source(held, fixed, -Vec3::z(), Pull::Torque(Vec3::y())) }
}

/// A box of 40 × 40 × 20 mm on a plate: its core reaches 6.7 mm from the middle, so that a pressure centre at 7 mm lifts an edge.
pub fn flat_box() -> FitSource {
    let held = Solid::Box { size: [0.04, 0.04, 0.02] };
    let plate = Solid::Plate { size: [0.16, 0.08], thickness: 0.02 };
    let way = BlockedWay { name: "-z".into(), direction: -Vec3::z(), play: 0.0, facing: 1.0 };
    FitSource {
        name: "box".into(),
        seated: Pose::translation(0.0, 0.0, 0.02),
        blocked: vec![way],
        axis: Vec3::x(),
        removal: Some((Vec3::x(), 0.05)),
        ..source(held.mesh().unwrap(), plate.mesh().unwrap(), -Vec3::z(), Pull::Force(Vec3::x()))
    }
}
