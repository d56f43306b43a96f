//! Bolts and nuts: the profile is ISO's, and a nut runs along a bolt without touching it.

mod solids_support;

use solids_support::brute_force;
use std::f64::consts::{PI, TAU};
use stiction::spatial::{Pose, Vec3, exp};
use stiction_bake::Mesh;
use stiction_bake::mass::of_mesh;
use stiction_bake::solids::{Bolt, BoltHead, Nut, ScrewThread, Solid};

const PITCH: f64 = 0.00175;

fn thread(segments: u32) -> ScrewThread {
    ScrewThread { segments, ..ScrewThread::metric(0.012, PITCH) }
}

fn bolt(segments: u32, length: f64, head: BoltHead) -> Mesh {
    Solid::Bolt(Bolt { thread: thread(segments), length, head }).mesh().unwrap()
}

fn nut(segments: u32) -> Mesh {
    Solid::Nut(Nut { thread: thread(segments), width: 0.018, height: 0.0108 }).mesh().unwrap()
}

/// Corners, middles of edges and centres of faces that lie within a distance of the z axis.
fn samples(mesh: &Mesh, within: f64) -> Vec<Vec3> {
    let near = |p: &Vec3| p.x.hypot(p.y) < within;
    let faces = mesh.triangles().flat_map(|[a, b, c]| [(a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0, (a + b + c) / 3.0]);
    mesh.points.iter().copied().chain(faces).filter(near).collect()
}

#[test]
fn the_profile_is_that_of_iso_68() {
    let t = thread(16);
    assert!((t.depth() - 0.541_265_877 * PITCH).abs() < 1e-12);
    let mesh = bolt(16, 0.02, BoltHead::None);
    // In the half plane y = 0, x > 0, whole threads only.
    let mut chain: Vec<[f64; 2]> = mesh.points.iter().filter(|p| p.y == 0.0 && p.x > 0.0).map(|p| [p.z, p.x]).collect();
    chain.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let chain: Vec<[f64; 2]> = chain.into_iter().filter(|p| p[0] > PITCH && p[0] < 0.02 - PITCH).collect();
    let (crest, root) = (0.006 - PITCH / 20.0, 0.006 - PITCH / 20.0 - t.depth());
    let mut seen = [0; 3];
    for pair in chain.windows(2) {
        let ([z0, r0], [z1, r1]) = (pair[0], pair[1]);
        let (dz, dr) = (z1 - z0, r1 - r0);
        if dr.abs() > 1e-9 {
            // 30 degrees to the plane across the axis.
            assert!((dz / dr.abs() - (PI / 6.0).tan()).abs() < 1e-9, "{dz} {dr}");
            seen[0] += 1;
        } else if (r0 - crest).abs() < 1e-9 {
            assert!((dz - PITCH / 8.0).abs() < 1e-12);
            // Crests at multiples of the pitch on the x axis.
            let turns = (z0 + z1) / 2.0 / PITCH;
            assert!((turns - turns.round()).abs() < 1e-9);
            seen[1] += 1;
        } else {
            assert!((r0 - root).abs() < 1e-9 && (dz - PITCH / 4.0).abs() < 1e-12);
            seen[2] += 1;
        }
    }
    assert!(seen[0] > 15 && seen[1] > 7 && seen[2] > 7, "{seen:?}");
}

#[test]
fn the_thread_is_right_handed() {
    // A quarter of a turn counter-clockwise, seen from above, the crest is a quarter of the pitch higher.
    let mesh = bolt(16, 0.02, BoltHead::None);
    let crest = 0.006 - PITCH / 20.0;
    let on_y = mesh.points.iter().filter(|p| p.x.abs() < 1e-12 && (p.y - crest).abs() < 1e-9);
    let heights: Vec<f64> = on_y.map(|p| (p.z / PITCH).rem_euclid(1.0)).collect();
    assert!(heights.len() > 10 && heights.iter().all(|h| (h - 0.25).abs() < 0.07), "{heights:?}");
}

#[test]
fn volumes_are_those_of_the_profile() {
    let (n, length) = (192, 0.05);
    let facets = f64::from(n) / TAU * (TAU / f64::from(n)).sin();
    let t = thread(n);
    let (crest, root) = (0.006 - t.clearance, 0.006 - t.clearance - t.depth());
    // Mean of r² over a pitch: flats of 1/8 and 1/4, two flanks of 5/16 each, linear in z.
    let flank = |a: f64, b: f64| (a * a + a * b + b * b) / 3.0;
    let square = crest * crest / 8.0 + root * root / 4.0 + 0.625 * flank(crest, root);
    let rod = of_mesh(&bolt(n, length, BoltHead::None)).volume;
    let (most, core) = (PI * facets * square * length, PI * facets * root * root * length);
    assert!(rod < most && rod > most - 2.0 * PITCH * (most - core) / length, "{core} {rod} {most}");
    let head = of_mesh(&bolt(n, length, BoltHead::Hexagon { width: 0.018, height: 0.0075 })).volume - rod;
    assert!((head / (0.018 * 0.018 * 0.5 * 3f64.sqrt() * 0.0075) - 1.0).abs() < 1e-9, "{head}");
    let head = of_mesh(&bolt(n, length, BoltHead::Cylinder { width: 0.018, height: 0.012 })).volume - rod;
    assert!((head / (PI * facets * 0.009 * 0.009 * 0.012) - 1.0).abs() < 1e-9, "{head}");
    let prism = 0.018 * 0.018 * 0.5 * 3f64.sqrt() * 0.0108;
    let hole = prism - of_mesh(&nut(n)).volume;
    let (wide, narrow) = (0.006 + t.clearance, 0.006 + t.clearance - t.depth());
    assert!(hole < PI * wide * wide * 0.0108 && hole > PI * narrow * narrow * 0.0108, "{hole}");
}

#[test]
fn a_nut_runs_along_a_bolt_without_touching_it() {
    let (bolt, nut) = (bolt(36, 0.02, BoltHead::Hexagon { width: 0.018, height: 0.0075 }), nut(48));
    let both = 2.0 * PITCH / 20.0;
    let (of_nut, of_bolt) = (samples(&nut, 0.0062), samples(&bolt, 0.0062));
    // Half of the clearance is left between flanks, less what the nut's chords take of the radius.
    let least = 0.5 * (both - 0.006 * (1.0 - (PI / 48.0).cos())) - 2e-6;
    // Angles that line no facets up, whole turns, backwards.
    for (i, angle) in [0.0, 0.37, 1.0, 2.5, TAU, 4.0 * TAU + 2.0].into_iter().enumerate() {
        let turned = exp(&Vec3::new(0.0, 0.0, angle));
        let seated = Pose::from_parts(Vec3::new(0.0, 0.0, PITCH * angle / TAU).into(), turned);
        let gap = |p: Vec3, mesh: &Mesh| brute_force(mesh, &p);
        let nearest =
            of_nut.iter().skip(i % 3).step_by(3).map(|p| gap(seated.transform_point(&(*p).into()).coords, &bolt));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        assert!(nearest > least && nearest < 0.5 * both + 1e-6, "nut turned by {angle}: {nearest}, wanted {least}");
        let nearest = of_bolt
            .iter()
            .skip(i % 7)
            .step_by(7)
            .map(|p| gap(seated.inverse_transform_point(&(*p).into()).coords, &nut))
            .fold(f64::INFINITY, f64::min);
        assert!(nearest > least, "bolt in a nut turned by {angle}: {nearest}, wanted {least}");
    }
    // Half a turn without its half pitch, or a left turn, does not fit.
    for (angle, rise) in [(PI, 0.0), (-PI / 2.0, PITCH / 4.0)] {
        let pose = Pose::from_parts(Vec3::new(0.0, 0.0, rise).into(), exp(&Vec3::new(0.0, 0.0, angle)));
        let inside =
            of_nut.iter().step_by(5).any(|p| brute_force(&bolt, &pose.transform_point(&(*p).into()).coords) < -1e-4);
        assert!(inside, "{angle} {rise}");
    }
}

#[test]
fn coarse_pitches_are_known_by_their_diameter() {
    for (diameter, pitch) in [(0.003, 0.0005), (0.006, 0.001), (0.012, PITCH), (0.024, 0.003)] {
        assert!(ScrewThread::coarse_pitch(diameter).is_some_and(|p| (p - pitch).abs() < 1e-12), "{diameter}");
    }
    assert_eq!(ScrewThread::coarse_pitch(0.0123), None);
}

#[test]
fn impossible_threads_are_refused_with_the_reason() {
    let with = |change: fn(&mut Bolt)| {
        let head = BoltHead::Hexagon { width: 0.018, height: 0.0075 };
        let mut bolt = Bolt { thread: thread(24), length: 0.02, head };
        change(&mut bolt);
        Solid::Bolt(bolt)
    };
    let nut = |width: f64, height: f64| Solid::Nut(Nut { thread: thread(24), width, height });
    for (solid, words) in [
        (with(|b| b.thread.pitch = 0.0), "pitch is 0"),
        (with(|b| b.thread.diameter = f64::NAN), "diameter is NaN"),
        (with(|b| b.thread.pitch = 0.012), "leaves no core"),
        (with(|b| b.thread.clearance = -1e-5), "clearance is -0.00001"),
        (with(|b| b.thread.clearance = 0.001), "clearance is 0.001"),
        (with(|b| b.thread.segments = 2), "segments is 2"),
        (with(|b| b.length = 0.003), "shorter than two lead-ins"),
        (with(|b| b.length = 1e8), "too many"),
        (with(|b| b.head = BoltHead::Cylinder { width: 0.011, height: 0.01 }), "not wider than the thread"),
        (with(|b| b.head = BoltHead::Hexagon { width: 0.018, height: 0.0 }), "head height is 0"),
        (nut(0.0121, 0.0108), "does not fit"),
        (nut(0.018, 0.002), "shorter than two lead-ins"),
    ] {
        let message = solid.mesh().unwrap_err().to_string();
        assert!(message.contains(words) && message.starts_with("impossible"), "{message} lacks {words}");
    }
}
