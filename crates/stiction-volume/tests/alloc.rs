//! A tick allocates nothing: not while contacts come and go, hands take and let go, or joints are solved.

mod support;

use stiction::simulation::{HandInput, Simulation};
use stiction::spatial::{Pose, Vec3, exp};
use stiction_testing::alloc::{Counting, allocations_of};
use stiction_volume::{Body, Grip, Joint, JointKind, VolumeEngine, VolumeHand};
use support::{cuboid, floor, random_vector, settings};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn ticks_allocate_nothing() {
    let mut bodies = vec![floor(1.0)];
    for i in 0..12 {
        let place = Pose::translation(0.045 * f64::from(i % 4), 0.0, 0.021 + 0.042 * f64::from(i / 4));
        bodies.push(Body::new(vec![cuboid([0.04; 3])], 0.05, place));
    }
    let joint = Joint {
        bodies: [11, 12],
        at: Vec3::new(0.12, 0.0, 0.1),
        kind: JointKind::Ball,
        stiffness: None,
        limits: None,
        drive: None,
        collide: false,
    };
    let hands =
        vec![VolumeHand { holds: Some(1), grip: Grip::Device }, VolumeHand { holds: Some(5), grip: Grip::Spring }];
    let engine = VolumeEngine::new(settings(1e-3), bodies, vec![joint], hands).unwrap();
    // A copy has as much room.
    let mut engine = engine.fork();
    let engine = &mut *engine;
    let mut seed = 5;
    let mut poses = [1, 5].map(|b| engine.body(b));
    let mut row = stiction::columns::Row::default();
    let mut areas = 0;
    let counted = allocations_of(|| {
        for tick in 0..3000 {
            for pose in &mut poses {
                let turn = exp(&(random_vector(&mut seed) * 0.01));
                let shift = pose.translation.vector + random_vector(&mut seed) * 5e-4;
                *pose = Pose::from_parts(shift.into(), turn * pose.rotation);
            }
            if tick % 500 == 499 {
                engine.grab(1, (tick % 1000 == 999).then_some(7));
            }
            engine.tick(&poses.map(HandInput::at), 1e-3);
            engine.record(0, &mut row);
            engine.areas(&mut |area| areas += area.outline.len());
        }
    });
    assert_eq!(counted, 0);
    assert!(areas > 1000);
}
