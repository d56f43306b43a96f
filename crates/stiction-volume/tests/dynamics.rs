//! Motion against closed forms: free fall, free rotation, rest, sliding, tipping, momentum and energy.

mod support;

use stiction::spatial::{Pose, Vec3, Vec6, join};
use stiction_volume::{Body, ContactCoefficients, VolumeSettings};
use support::{cuboid, cuboid_at, engine, floor, run, settings};

#[test]
fn a_falling_body_falls_as_semi_implicit_euler_does() {
    let body = Body::new(vec![cuboid([0.1; 3])], 2.0, Pose::translation(0.0, 0.0, 5.0));
    let mut engine = engine(settings(1e-3), vec![body]);
    run(&mut engine, 0.5);
    let (n, h) = (500.0, 1e-3);
    // x = g h² n (n + 1) / 2
    let expected = 5.0 - 9.8 * h * h * n * (n + 1.0) / 2.0;
    assert!((engine.bodies()[0].centre.z - expected).abs() < 1e-12);
}

/// Without torque angular momentum is kept, and energy to second order in the period, also about the middle axis, where rotation is unstable and turns over.
#[test]
fn a_body_that_tumbles_keeps_its_angular_momentum_and_its_energy() {
    let mut drift = Vec::new();
    for h in [1e-3, 5e-4] {
        let twist = join(Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.01, 20.0, 0.02));
        let body = Body { twist, ..Body::new(vec![cuboid([0.1, 0.2, 0.3])], 1.0, Pose::identity()) };
        let mut engine = engine(VolumeSettings { gravity: Vec3::zeros(), ..settings(h) }, vec![body]);
        let inertia = engine.mass_of(0).1;
        let momentum = |e: &stiction_volume::VolumeEngine| {
            let s = &e.bodies()[0];
            s.pose.rotation * (inertia * (s.pose.rotation.inverse() * s.spin))
        };
        let (before, energy) = (momentum(&engine), engine.energy()[0]);
        run(&mut engine, 10.0);
        assert!((momentum(&engine) - before).norm() < 1e-11 * before.norm());
        drift.push((engine.energy()[0] / energy - 1.0).abs());
        // It turned over: the spin about y is reversed in the body's axes at some time.
        assert!(engine.bodies()[0].spin.norm() > 1.0);
    }
    assert!(drift[0] < 2e-3, "{drift:?}");
    assert!(drift[1] < 0.5 * drift[0] || drift[1] < 1e-6, "{drift:?}");
}

#[test]
fn a_block_at_rest_carries_its_weight_and_sinks_by_mg_over_k() {
    let k = 4000.0;
    let contact = ContactCoefficients { normal_stiffness: Some(k), ..ContactCoefficients::default() };
    let block = Body::new(vec![cuboid([0.1; 3])], 0.5, Pose::translation(0.0, 0.0, 0.05));
    let mut engine = engine(VolumeSettings { contact, ..settings(1e-3) }, vec![floor(2.0), block]);
    run(&mut engine, 3.0);
    let state = &engine.bodies()[1];
    assert!((state.centre.z - (0.05 - 0.5 * 9.8 / k)).abs() < 1e-9, "{}", state.centre.z);
    assert!((state.force.z - 4.9).abs() < 1e-9, "{}", state.force.z);
    assert!(state.velocity.norm() < 1e-12 && state.spin.norm() < 1e-12);
}

/// On a slope of 20 degrees: tan 20° = 0.364.
#[test]
fn a_block_on_a_slope_holds_or_slides_as_coulomb_says() {
    let slope = 20f64.to_radians();
    let tilted = |mu_static: f64, mu_kinetic: f64| {
        let contact = ContactCoefficients { mu_static, mu_kinetic, ..ContactCoefficients::default() };
        let gravity = Vec3::new(9.8 * slope.sin(), 0.0, -9.8 * slope.cos());
        let block = Body::new(vec![cuboid([0.1, 0.1, 0.04])], 0.5, Pose::translation(0.0, 0.0, 0.02));
        engine(VolumeSettings { contact, gravity, ..settings(1e-3) }, vec![floor(4.0), block])
    };
    let mut holds = tilted(0.38, 0.37);
    run(&mut holds, 2.0);
    let before = holds.bodies()[1].centre;
    run(&mut holds, 10.0);
    let crept = (holds.bodies()[1].centre - before).norm();
    assert!(crept < 1e-12, "creeps by {crept:e} m in 10 s");

    let mut slides = tilted(0.35, 0.3);
    run(&mut slides, 0.5);
    let from = slides.bodies()[1].velocity.x;
    run(&mut slides, 0.2);
    let acceleration = (slides.bodies()[1].velocity.x - from) / 0.2;
    let expected = 9.8 * (slope.sin() - 0.3 * slope.cos());
    assert!((acceleration / expected - 1.0).abs() < 1e-3, "{acceleration} {expected}");
}

/// A disk-like square plate that turns on a floor: friction's torque is µ N times the mean distance from the centre.
#[test]
fn a_spinning_plate_is_stopped_by_the_torque_of_friction_over_its_area() {
    let (edge, mass, mu) = (0.1, 0.4, 0.3);
    let contact = ContactCoefficients { mu_static: mu, mu_kinetic: mu, ..ContactCoefficients::default() };
    let plate = Body::new(vec![cuboid([edge, edge, 0.01])], mass, Pose::translation(0.0, 0.0, 0.005));
    let mut engine = engine(VolumeSettings { contact, ..settings(1e-3) }, vec![floor(2.0), plate]);
    run(&mut engine, 1.0);
    let spin = 10.0;
    let twist = Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 2.0 * spin);
    let at = engine.bodies()[1].pose;
    let plate = Body { twist, ..Body::new(vec![cuboid([edge, edge, 0.01])], mass, at) };
    let mut spun = support::engine(*engine.settings(), vec![floor(2.0), plate]);
    run(&mut spun, 0.15);
    let from = spun.bodies()[1].spin.z;
    run(&mut spun, 0.1);
    let measured = (from - spun.bodies()[1].spin.z) / 0.1;
    // ∫|p| over a square of edge a, by a²: a (√2 + asinh 1)/6.
    let mean = edge * (2f64.sqrt() + 1f64.asinh()) / 6.0;
    let expected = mu * mass * 9.8 * mean / (mass * edge * edge / 6.0);
    assert!((measured / expected - 1.0).abs() < 1e-3, "{measured} {expected}");
    run(&mut spun, 1.0);
    assert!(spun.bodies()[1].spin.norm() < 1e-9);
}

/// Internal forces: momentum of two bodies that collide off their centres.
#[test]
fn a_collision_keeps_momentum_and_makes_no_energy() {
    let mut seed = 3;
    for _ in 0..20 {
        let mut v = || support::random_vector(&mut seed);
        let turned = |v: Vec3| Pose::from_parts(nalgebra::Translation3::identity(), stiction::spatial::exp(&v));
        let a =
            Body { twist: join(Vec3::new(0.5, 0.0, 0.0), v()), ..Body::new(vec![cuboid([0.1; 3])], 0.3, turned(v())) };
        let b = Body {
            twist: join(Vec3::new(-0.5, 0.0, 0.0), v()),
            ..Body::new(vec![cuboid([0.1, 0.05, 0.2])], 0.5, Pose::translation(0.25, 0.02, 0.03) * turned(v()))
        };
        let mut engine = engine(VolumeSettings { gravity: Vec3::zeros(), ..settings(1e-4) }, vec![a, b]);
        let momentum = |e: &stiction_volume::VolumeEngine| {
            (0..2).fold(Vec6::zeros(), |sum, i| {
                let (s, (mass, inertia)) = (&e.bodies()[i], e.mass_of(i));
                let r = s.pose.rotation;
                sum + join(
                    s.velocity * mass,
                    s.centre.cross(&s.velocity) * mass + r * (inertia * (r.inverse() * s.spin)),
                )
            })
        };
        let (before, energy) = (momentum(&engine), engine.energy()[0]);
        let mut touched = 0;
        for _ in 0..5000 {
            engine.tick(&[]);
            touched += engine.contacts().len();
            assert!(engine.energy()[0] < energy * 1.001, "{} of {energy}", engine.energy()[0]);
        }
        assert!(touched > 0);
        let error = (momentum(&engine) - before).norm();
        // r' × m v' = r × m v' in a step of semi-implicit Euler: angular momentum about the origin is kept exactly, too.
        assert!(error < 1e-12, "{error:e}");
        assert!(engine.energy()[0] < energy * (1.0 + 1e-6));
    }
}

/// A block of two halves slides as one of one piece does, also over the seam of a floor of two plates.
#[test]
fn a_block_of_two_pieces_slides_over_a_seam_like_one() {
    let whole = || vec![cuboid([0.1, 0.1, 0.04])];
    let halves =
        || vec![cuboid_at([0.05, 0.1, 0.04], [-0.025, 0.0, 0.0]), cuboid_at([0.05, 0.1, 0.04], [0.025, 0.0, 0.0])];
    let one = || Body::fixed(vec![cuboid([2.0, 1.0, 0.2])], Pose::translation(0.0, 0.0, -0.1));
    let two = || {
        let plates = vec![cuboid_at([1.0, 1.0, 0.2], [-0.5, 0.0, 0.0]), cuboid_at([1.0, 1.0, 0.2], [0.5, 0.0, 0.0])];
        Body::fixed(plates, Pose::translation(0.0, 0.0, -0.1))
    };
    let slide = |block: Vec<stiction_volume::Convex>, floor: Body| {
        let start = Pose::translation(-0.2, 0.01, 0.02);
        let block = Body { twist: Vec6::new(1.5, 0.0, 0.0, 0.0, 0.0, 0.5), ..Body::new(block, 0.5, start) };
        let mut engine = engine(settings(1e-3), vec![floor, block]);
        let mut highest = 0.0_f64;
        for _ in 0..1500 {
            engine.tick(&[]);
            highest = highest.max(engine.bodies()[1].centre.z);
        }
        assert!(highest < 0.0201, "it was thrown up to {highest}");
        engine.bodies()[1].pose
    };
    let alone = slide(whole(), one());
    for (block, floor) in [(halves(), one()), (whole(), two()), (halves(), two())] {
        let found = slide(block, floor);
        let apart = (found.translation.vector - alone.translation.vector).norm();
        let turned = found.rotation.angle_to(&alone.rotation);
        assert!(apart < 5e-4 && turned < 1e-2, "{apart:e} m, {turned:e} rad apart");
    }
}

/// A prism along y whose outline is in the plane of x and z.
fn prism(outline: &[[f64; 2]]) -> stiction_volume::Convex {
    let points: Vec<Vec3> = outline.iter().flat_map(|[x, z]| [-0.5, 0.5].map(|y| Vec3::new(*x, y, *z))).collect();
    stiction_volume::Convex::of_points(&points).unwrap()
}

/// Floors whose parts meet aslant, in wedges, and where one part ends at the middle of another: a block slides over all of them as over one piece, and does not feel them when it is pressed.
#[test]
fn a_block_does_not_feel_the_parts_of_a_floor_however_they_meet() {
    let whole = vec![prism(&[[-1.0, 0.0], [1.0, 0.0], [1.0, -0.2], [-1.0, -0.2]])];
    let aslant = vec![
        prism(&[[-1.0, 0.0], [-0.1, 0.0], [0.05, -0.2], [-1.0, -0.2]]),
        prism(&[[-0.1, 0.0], [0.1, 0.0], [0.05, -0.2]]),
        prism(&[[0.1, 0.0], [1.0, 0.0], [1.0, -0.2], [0.05, -0.2]]),
    ];
    let layers = vec![
        prism(&[[-1.0, 0.0], [-0.05, 0.0], [-0.05, -0.05], [-1.0, -0.05]]),
        prism(&[[-1.0, -0.05], [-0.05, -0.05], [-0.05, -0.2], [-1.0, -0.2]]),
        prism(&[[-0.05, 0.0], [0.02, 0.0], [0.02, -0.2], [-0.05, -0.2]]),
        prism(&[[0.02, 0.0], [1.0, 0.0], [1.0, -0.01], [0.02, -0.01]]),
        prism(&[[0.02, -0.01], [1.0, -0.01], [1.0, -0.2], [0.02, -0.2]]),
    ];
    let slide = |pieces: Vec<stiction_volume::Convex>, heavy: f64| {
        let start = Pose::translation(-0.3, 0.01, 0.02);
        let twist = Vec6::new(1.5, 0.0, 0.0, 0.0, 0.0, 0.5);
        let block = Body { twist, ..Body::new(vec![cuboid([0.1, 0.1, 0.04])], 0.5, start) };
        let gravity = Vec3::new(0.0, 0.0, -9.8 * heavy);
        let mut engine =
            engine(VolumeSettings { gravity, ..settings(1e-3) }, vec![Body::fixed(pieces, Pose::identity()), block]);
        let mut path = Vec::new();
        for tick in 0..1000 {
            engine.tick(&[]);
            if tick % 50 == 0 {
                path.push(engine.bodies()[1].pose);
            }
        }
        path
    };
    for heavy in [1.0, 5.0] {
        let alone = slide(whole.clone(), heavy);
        for (name, pieces) in [("aslant", aslant.clone()), ("layers", layers.clone())] {
            for (a, b) in alone.iter().zip(slide(pieces, heavy)) {
                let apart = (a.translation.vector - b.translation.vector).norm();
                let turned = a.rotation.angle_to(&b.rotation);
                assert!(apart < 5e-4 && turned < 1e-2, "{name}, {heavy} g: {apart:e} m, {turned:e} rad apart");
            }
        }
    }
}

/// The same world elsewhere and turned gives the same motion there.
#[test]
fn motion_does_not_depend_on_the_place_and_orientation_of_the_world() {
    let go = |moved: Pose| {
        let gravity = moved.rotation * Vec3::new(0.0, 0.0, -9.8);
        let mut bodies = vec![floor(2.0)];
        for i in 0..3 {
            let start = Pose::translation(0.02 * f64::from(i), 0.01, 0.06 + 0.12 * f64::from(i));
            bodies.push(Body {
                twist: Vec6::new(0.3, 0.1, 0.0, 0.0, 0.5, 1.0),
                ..Body::new(vec![cuboid([0.1; 3])], 0.5, start)
            });
        }
        for body in &mut bodies {
            let (v, w) = stiction::spatial::halves(&body.twist);
            body.twist = join(moved.rotation * v, moved.rotation * w);
            body.world_from_body = moved * body.world_from_body;
        }
        let mut engine = engine(VolumeSettings { gravity, ..settings(1e-3) }, bodies);
        run(&mut engine, 0.4);
        (1..4).map(|i| moved.inverse() * engine.bodies()[i].pose).collect::<Vec<_>>()
    };
    let here = go(Pose::identity());
    let rotation = stiction::spatial::exp(&Vec3::new(0.4, -0.7, 1.1));
    let there = go(Pose::from_parts(Vec3::new(0.7, -0.4, 0.3).into(), rotation));
    for (a, b) in here.iter().zip(&there) {
        let (apart, turned) = ((a.translation.vector - b.translation.vector).norm(), a.rotation.angle_to(&b.rotation));
        assert!(apart < 1e-6 && turned < 1e-5, "{apart:e} {turned:e}");
    }
}
