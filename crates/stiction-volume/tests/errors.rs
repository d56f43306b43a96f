//! What an engine refuses, and that the message says what would do.

mod support;

use stiction::spatial::{Pose, Vec3};
use stiction_volume::{
    Body, BodyMotion, ContactCoefficients, Drive, Grip, Joint, JointKind, VolumeEngine, VolumeError, VolumeHand,
    VolumeSettings,
};
use support::{cuboid, floor, run, settings};

fn cube(z: f64) -> Body {
    Body::new(vec![cuboid([0.1; 3])], 0.5, Pose::translation(0.0, 0.0, z))
}

fn refused(settings: VolumeSettings, bodies: Vec<Body>) -> VolumeError {
    VolumeEngine::new(settings, bodies, vec![], vec![]).unwrap_err()
}

#[test]
fn worlds_that_cannot_be_are_refused() {
    assert_eq!(refused(settings(1e-3), vec![]), VolumeError::NoBodies);
    assert_eq!(refused(settings(1e-3), vec![Body::new(vec![], 1.0, Pose::identity())]), VolumeError::NoPieces(0));
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refused(settings(1e-3), vec![Body { mass, ..cube(0.0) }]).to_string();
        assert!(error.contains("mass of body 0"), "{error}");
    }
    let nowhere = Body { world_from_body: Pose::translation(f64::NAN, 0.0, 0.0), ..cube(0.0) };
    assert!(refused(settings(1e-3), vec![nowhere]).to_string().contains("not finite"));
    let flat = Body { inertia: Some(stiction::spatial::Mat3::zeros()), ..cube(0.0) };
    assert!(refused(settings(1e-3), vec![flat]).to_string().contains("inertia"));
    for period in [0.0, -1e-3, f64::NAN] {
        assert!(refused(settings(period), vec![cube(0.0)]).to_string().contains("period"));
    }
}

#[test]
fn bodies_that_begin_deep_in_each_other_are_refused_with_their_depth() {
    match refused(settings(1e-3), vec![floor(1.0), cube(0.03)]) {
        VolumeError::BeginTogether(0, 1, depth) => assert!((depth - 0.02).abs() < 1e-9, "{depth}"),
        other => panic!("{other}"),
    }
    // A little is what rest looks like.
    assert!(VolumeEngine::new(settings(1e-3), vec![floor(1.0), cube(0.0499)], vec![], vec![]).is_ok());
}

/// The value that the message names works, and is the largest that does: with it a cube comes to rest, and the world refuses a little more.
#[test]
fn a_stiffness_beyond_the_bound_is_refused_with_the_value_that_works() {
    let with = |stiffness: f64, damping: f64, period: f64| {
        let contact = ContactCoefficients {
            normal_stiffness: Some(stiffness),
            normal_damping: Some(damping),
            ..ContactCoefficients::default()
        };
        VolumeEngine::new(
            VolumeSettings { contact, ..settings(period) },
            vec![floor(1.0), cube(0.06), cube(0.17)],
            vec![],
            vec![],
        )
    };
    let Err(VolumeError::Unstable { most, shorter, bodies, unit, .. }) = with(1e9, 5.0, 1e-3) else { panic!() };
    assert_eq!((bodies, unit), ([1, 2], "N/m"));
    let mut engine = with(most * 0.999, 5.0, 1e-3).unwrap();
    run(&mut engine, 2.0);
    let top = engine.bodies()[2].centre - Vec3::new(0.0, 0.0, 0.15);
    assert!(top.norm() < 5e-3, "{top}");
    assert!(with(most * 1.001, 5.0, 1e-3).is_err());
    assert!(with(1e9, 5.0, shorter * 0.999).is_ok() && with(1e9, 5.0, shorter * 1.001).is_err());
    let Err(VolumeError::Unstable { most, unit, .. }) = with(100.0, 1e6, 1e-3) else { panic!() };
    assert_eq!(unit, "N s/m");
    assert!(with(100.0, most * 0.5, 1e-3).is_ok());
}

#[test]
fn friction_that_is_none_is_refused() {
    for (mu_static, mu_kinetic) in [(-0.1, 0.0), (0.3, 0.4), (f64::NAN, 0.1), (0.3, -0.1), (f64::INFINITY, 0.1)] {
        let contact = ContactCoefficients { mu_static, mu_kinetic, ..ContactCoefficients::default() };
        assert!(matches!(
            refused(VolumeSettings { contact, ..settings(1e-3) }, vec![cube(0.0)]),
            VolumeError::Friction { .. }
        ));
    }
    let mut engine = VolumeEngine::new(settings(1e-3), vec![floor(1.0), cube(0.05)], vec![], vec![]).unwrap();
    assert!(engine.set_friction([0, 5], 0.1, 0.1).is_err());
    assert!(engine.set_friction([0, 1], 0.1, 0.2).is_err());
    assert!(engine.set_friction([1, 0], 0.1, 0.1).is_ok());
}

#[test]
fn hands_and_joints_that_make_no_sense_are_refused() {
    let bodies = || vec![floor(1.0), cube(0.05), cube(0.2)];
    let hands = |holds: &[usize]| {
        let hands = holds.iter().map(|b| VolumeHand { holds: Some(*b), grip: Grip::Device }).collect();
        VolumeEngine::new(settings(1e-3), bodies(), vec![], hands).map(|_| ())
    };
    for (holds, word) in [(&[0][..], "never moves"), (&[7], "no such body"), (&[1, 1], "another hand")] {
        let error = hands(holds).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    assert!(hands(&[1, 2]).is_ok());
    let good = Joint {
        bodies: [1, 2],
        at: Vec3::new(0.0, 0.0, 0.1),
        kind: JointKind::Hinge(Vec3::y()),
        stiffness: None,
        limits: Some([-1.0, 1.0]),
        drive: Some(Drive { stiffness: 1.0, ..Drive::default() }),
        collide: true,
    };
    let joint = |joint: Joint| VolumeEngine::new(settings(1e-3), bodies(), vec![joint], vec![]).map(|_| ());
    assert!(joint(good).is_ok());
    for bad in [
        Joint { bodies: [1, 9], ..good },
        Joint { bodies: [1, 1], ..good },
        Joint { kind: JointKind::Hinge(Vec3::zeros()), ..good },
        Joint { at: Vec3::repeat(f64::NAN), ..good },
        Joint { limits: Some([1.0, -1.0]), ..good },
        Joint { stiffness: Some(-1.0), ..good },
        Joint { drive: Some(Drive { stiffness: -1.0, ..Drive::default() }), ..good },
        Joint { drive: Some(Drive { frequency: f64::INFINITY, ..Drive::default() }), ..good },
    ] {
        assert!(joint(bad).is_err(), "{bad:?}");
    }
    let fixed = vec![floor(1.0), Body { motion: BodyMotion::Fixed, ..cube(0.05) }];
    let both = Joint { bodies: [0, 1], ..good };
    assert!(VolumeEngine::new(settings(1e-3), fixed, vec![both], vec![]).is_err());
}
