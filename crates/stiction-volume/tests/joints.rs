//! Joints and drives against closed forms.

mod support;

use std::f64::consts::TAU;
use stiction::spatial::{Pose, Rotation, Vec3, exp};
use stiction_volume::{Body, Drive, Joint, JointKind, VolumeEngine};
use support::{cuboid, run, settings};

fn joint(bodies: [usize; 2], at: Vec3, kind: JointKind) -> Joint {
    Joint { bodies, at, kind, stiffness: None, limits: None, drive: None, collide: false }
}

fn hinge(bodies: [usize; 2], at: Vec3) -> Joint {
    joint(bodies, at, JointKind::Hinge(Vec3::y()))
}

fn post() -> Body {
    Body::fixed(vec![cuboid([0.05; 3])], Pose::identity())
}

/// A bar that hangs from a hinge, let go from an angle.
fn pendulum(angle: f64, joint: Joint, period: f64) -> VolumeEngine {
    let turn = exp(&Vec3::new(0.0, angle, 0.0));
    let bar = Body::new(
        vec![cuboid([0.02, 0.02, 0.4])],
        0.5,
        Pose::from_parts((turn * Vec3::new(0.0, 0.0, -0.2)).into(), turn),
    );
    VolumeEngine::new(settings(period), vec![post(), bar], vec![joint], vec![]).unwrap()
}

/// Angle of a body about y.
fn angle(engine: &VolumeEngine, body: usize) -> f64 {
    let x = engine.bodies()[body].pose.rotation * Vec3::x();
    (-x.z).atan2(x.x)
}

#[test]
fn a_pendulum_swings_with_the_period_of_a_physical_pendulum() {
    for kind in [JointKind::Hinge(Vec3::y()), JointKind::Ball] {
        let mut engine = pendulum(0.05, joint([0, 1], Vec3::zeros(), kind), 1e-3);
        let (mut before, mut crossings) = (angle(&engine, 1), Vec::new());
        for tick in 0..10_000 {
            engine.tick(&[]);
            let now = angle(&engine, 1);
            if before < 0.0 && now >= 0.0 {
                crossings.push(1e-3 * (f64::from(tick) - now / (now - before)));
            }
            before = now;
        }
        let period = (crossings.last().unwrap() - crossings[0]) / (crossings.len() - 1) as f64;
        let inertia = (0.4f64.powi(2) + 0.02f64.powi(2)) / 12.0 + 0.2f64.powi(2);
        // The amplitude lengthens the period by α²/16.
        let expected = TAU * (inertia / (9.8 * 0.2)).sqrt() * (1.0 + 0.05f64.powi(2) / 16.0);
        assert!((period / expected - 1.0).abs() < 2e-3, "{kind:?}: {period} {expected}");
    }
}

#[test]
fn a_hinge_holds_its_axis_and_its_place_under_load() {
    let mut engine = pendulum(1.0, hinge([0, 1], Vec3::zeros()), 1e-3);
    let mut worst = (0.0_f64, 0.0_f64);
    for _ in 0..5000 {
        engine.tick(&[]);
        let pose = engine.bodies()[1].pose;
        worst.0 = worst.0.max((pose * nalgebra::Point3::new(0.0, 0.0, 0.2)).coords.norm());
        worst.1 = worst.1.max((pose.rotation * Vec3::y()).cross(&Vec3::y()).norm());
    }
    assert!(worst.0 < 1e-4 && worst.1 < 1e-6, "{worst:?}");
}

#[test]
fn a_limit_stops_a_hinge() {
    let limited = Joint { limits: Some([-0.3, 0.5]), ..hinge([0, 1], Vec3::zeros()) };
    // The joint's angle is zero at the start, where the bar is at 1 rad: it falls by -0.3 rad, no further.
    let mut engine = pendulum(1.0, limited, 1e-3);
    run(&mut engine, 5.0);
    assert!((angle(&engine, 1) - 0.7).abs() < 1e-2, "{}", angle(&engine, 1));
    assert!(engine.bodies()[1].spin.norm() < 1e-6);
}

#[test]
fn a_drive_goes_where_it_wants_and_no_harder_than_it_may() {
    let drive = Drive { stiffness: 500.0, damping: 5.0, offset: 0.4, ..Drive::default() };
    let mut engine = pendulum(0.0, Joint { drive: Some(drive), ..hinge([0, 1], Vec3::zeros()) }, 1e-3);
    run(&mut engine, 3.0);
    // Its spring is bent by the weight: m g l sin θ / k.
    let expected = 0.4 - 0.5 * 9.8 * 0.2 * 0.4f64.sin() / 500.0;
    assert!((angle(&engine, 1) - expected).abs() < 1e-5, "{} {expected}", angle(&engine, 1));

    // 0.5 N m hold the bar at asin(0.5 / 0.98).
    let weak = Drive { max_torque: 0.5, damping: 0.2, offset: 2.0, ..drive };
    let mut engine = pendulum(0.0, Joint { drive: Some(weak), ..hinge([0, 1], Vec3::zeros()) }, 1e-3);
    run(&mut engine, 0.3);
    let highest = (0..20_000).map(|_| {
        engine.tick(&[]);
        angle(&engine, 1)
    });
    let highest = highest.fold(0.0, f64::max);
    // A constant torque from rest swings it to at most twice that angle, and never to the target.
    assert!(highest > 0.5 && highest < 1.3, "{highest}");
}

#[test]
fn a_motor_turns_at_its_speed() {
    let drive = Drive { stiffness: 0.0, damping: 10.0, speed: 3.0, ..Drive::default() };
    let wheel = Body::new(vec![cuboid([0.1, 0.02, 0.1])], 0.3, Pose::identity());
    let mut joint = hinge([0, 1], Vec3::zeros());
    joint.drive = Some(drive);
    let mut engine = VolumeEngine::new(settings(1e-3), vec![post(), wheel], vec![joint], vec![]).unwrap();
    run(&mut engine, 5.0);
    let spin = engine.bodies()[1].spin;
    assert!((spin.y - 3.0).abs() < 1e-6, "{spin}");
}

#[test]
fn a_swinging_drive_follows_its_sine() {
    let drive =
        Drive { stiffness: 2000.0, damping: 60.0, amplitude: 0.3, frequency: 0.5, phase: 0.25, ..Drive::default() };
    let mut engine = pendulum(0.0, Joint { drive: Some(drive), ..hinge([0, 1], Vec3::zeros()) }, 1e-3);
    run(&mut engine, 2.0);
    for tick in 2000..6000 {
        engine.tick(&[]);
        let target = 0.3 * (TAU * (0.5 * f64::from(tick) * 1e-3 + 0.25)).sin();
        assert!((angle(&engine, 1) - target).abs() < 5e-3, "{} {target}", angle(&engine, 1));
    }
}

#[test]
fn a_ball_with_a_drive_keeps_its_orientation() {
    let drive = Drive { stiffness: 200.0, damping: 2.0, ..Drive::default() };
    let mut engine = pendulum(0.6, Joint { drive: Some(drive), ..joint([0, 1], Vec3::zeros(), JointKind::Ball) }, 1e-3);
    let begun = engine.bodies()[1].pose.rotation;
    run(&mut engine, 3.0);
    let turned = begun.angle_to(&engine.bodies()[1].pose.rotation);
    let expected = 0.5 * 9.8 * 0.2 * 0.6f64.sin() / 200.0;
    assert!((turned - expected).abs() < 0.05 * expected, "{turned} {expected}");
}

/// Links of 1 g under a body of 1 kg: joints that are as stiff as their masses allow explicitly would stretch by centimetres.
#[test]
fn a_chain_of_light_links_carries_a_heavy_body() {
    let mut bodies = vec![Body::fixed(vec![cuboid([0.05; 3])], Pose::translation(0.0, 0.0, 0.03))];
    let mut joints = Vec::new();
    for i in 0..10 {
        let z = -0.02 * f64::from(i) - 0.01;
        bodies.push(Body::new(vec![cuboid([0.005, 0.005, 0.02])], 1e-3, Pose::translation(0.0, 0.0, z)));
        joints.push(joint([i as usize, i as usize + 1], Vec3::new(0.0, 0.0, -0.02 * f64::from(i)), JointKind::Ball));
    }
    bodies.push(Body::new(vec![cuboid([0.1; 3])], 1.0, Pose::translation(0.0, 0.0, -0.25)));
    joints.push(joint([10, 11], Vec3::new(0.0, 0.0, -0.2), JointKind::Ball));
    let mut engine = VolumeEngine::new(settings(1e-3), bodies, joints, vec![]).unwrap();
    run(&mut engine, 5.0);
    let sunk = -0.25 - engine.bodies()[11].centre.z;
    assert!(sunk > 0.0 && sunk < 5e-3, "{sunk}");
    assert!(engine.bodies()[11].velocity.norm() < 1e-3);
}

/// The same joint in a world that is turned.
#[test]
fn joints_do_not_depend_on_the_orientation_of_the_world() {
    let go = |turn: Rotation| {
        let settings = stiction_volume::VolumeSettings { gravity: turn * Vec3::new(0.0, 0.0, -9.8), ..settings(1e-3) };
        let own = exp(&Vec3::new(0.0, 0.7, 0.0));
        let pose = Pose::from_parts((turn * own * Vec3::new(0.0, 0.0, -0.2)).into(), turn * own);
        let bar = Body::new(vec![cuboid([0.02, 0.05, 0.4])], 0.5, pose);
        let base = Body::fixed(vec![cuboid([0.05; 3])], Pose::from_parts(Vec3::zeros().into(), turn));
        let hinge = joint([0, 1], Vec3::zeros(), JointKind::Hinge(turn * Vec3::new(0.0, 1.0, 0.2)));
        let mut engine = VolumeEngine::new(settings, vec![base, bar], vec![hinge], vec![]).unwrap();
        run(&mut engine, 2.0);
        turn.inverse() * engine.bodies()[1].pose.rotation
    };
    let apart = go(Rotation::identity()).angle_to(&go(exp(&Vec3::new(0.3, -1.0, 0.5))));
    assert!(apart < 1e-9, "{apart:e}");
}
