//! The bits of a world after two seconds, pinned: the same in every profile and with any vector instructions. A change that is meant to alter them renews the constant and says why.

mod support;

use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Vec3, exp};
use stiction_volume::{Body, Drive, Grip, Joint, JointKind, VolumeEngine, VolumeHand};
use support::{cuboid, cuboid_at, floor, settings};

const WORLD: u64 = 0xbb66_f394_0ea9_afa7;

#[test]
fn a_world_has_the_same_bits_in_every_build() {
    let mut bodies = vec![floor(1.0)];
    let shovel =
        vec![cuboid_at([0.08, 0.06, 0.005], [0.04, 0.0, 0.0]), cuboid_at([0.1, 0.01, 0.01], [-0.05, 0.0, 0.0])];
    bodies.push(Body::new(shovel, 0.1, Pose::translation(-0.16, 0.0, 0.03)));
    for i in 0..6 {
        let turn = exp(&Vec3::new(0.1 * f64::from(i), 0.05, 0.2));
        let place = Vec3::new(0.05 * f64::from(i % 3) - 0.02, 0.0, 0.04 + 0.06 * f64::from(i / 3));
        bodies.push(Body::new(vec![cuboid([0.04; 3])], 0.05, Pose::from_parts(place.into(), turn)));
    }
    let joint = Joint {
        bodies: [2, 5],
        at: Vec3::new(-0.02, 0.0, 0.07),
        kind: JointKind::Hinge(Vec3::y()),
        stiffness: None,
        limits: Some([-0.5, 0.5]),
        drive: Some(Drive { stiffness: 0.05, damping: 1e-3, amplitude: 0.3, frequency: 2.0, ..Drive::default() }),
        collide: false,
    };
    let hands = vec![VolumeHand { holds: Some(1), grip: Grip::Device }, VolumeHand { holds: None, grip: Grip::Spring }];
    let mut engine = VolumeEngine::new(settings(1e-3), bodies, vec![joint], hands).unwrap();
    for tick in 0..2000 {
        let t = 1e-3 * f64::from(tick);
        let device = Pose::from_parts(
            Vec3::new(-0.16 + 0.08 * t, 0.0, 0.03 - 0.01 * t).into(),
            exp(&Vec3::new(0.0, 0.1 * t, 0.0)),
        );
        let other = Pose::translation(0.05, 0.05 * libm::sin(3.0 * t), 0.12);
        if tick == 700 {
            engine.grab(1, Some(4));
        }
        if tick == 1500 {
            engine.grab(1, None);
        }
        engine.tick(&[HandInput::at(device), HandInput::at(other)]);
    }
    assert_eq!(engine.last(0).world, WORLD, "{:#018x}", engine.last(0).world);
}
