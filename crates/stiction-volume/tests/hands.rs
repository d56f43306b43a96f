//! Hands: a device as a body, grips by a spring, taking and letting go, and input that is not fit for any of it.

mod support;

use stiction::simulation::HandInput;
use stiction::spatial::{Pose, Vec3, Vec6, exp, halves};
use stiction::trace::Flags;
use stiction_volume::{Body, Grip, VolumeEngine, VolumeHand};
use support::{at, cuboid, floor, held, random, random_vector, settings};

const DEVICE: VolumeHand = VolumeHand { holds: Some(1), grip: Grip::Device };
const SPRING: VolumeHand = VolumeHand { holds: Some(1), grip: Grip::Spring };

fn block(z: f64) -> Body {
    Body::new(vec![cuboid([0.04; 3])], 0.1, Pose::translation(0.0, 0.0, z))
}

/// A device against what never moves feels k times the mean depth, along the normal, at the stiffness that it renders.
#[test]
fn a_device_on_a_floor_feels_stiffness_times_depth() {
    let mut engine = held(settings(1e-3), vec![floor(1.0), block(0.03)], DEVICE);
    for tick in 0..=2000 {
        engine.tick(&[at(0.0, 0.0, 0.03 - 0.012 * f64::from(tick) / 2000.0)]);
    }
    let (force, torque) = halves(&engine.last(0).hand.wrench);
    assert!((force - Vec3::new(0.0, 0.0, 2.0)).norm() < 1e-9, "{force}");
    assert!(torque.norm() < 1e-9);
    // Away from the floor there is nothing at all: no weight, no spring.
    engine.tick(&[at(0.0, 0.0, 0.028)]);
    engine.tick(&[at(0.0, 0.0, 0.05)]);
    for _ in 0..20 {
        engine.tick(&[at(0.0, 0.0, 0.05)]);
    }
    assert_eq!(engine.last(0).hand.wrench, Vec6::zeros());
}

/// A device pushes a block over a floor: it feels the block's friction, and nothing is made of nothing.
#[test]
fn a_device_that_pushes_a_block_feels_its_friction() {
    let pushed = Body::new(vec![cuboid([0.04; 3])], 0.5, Pose::translation(0.05, 0.0, 0.02));
    let pusher = Body::new(vec![cuboid([0.04; 3])], 0.1, Pose::translation(0.0, 0.0, 0.025));
    let mut engine = held(settings(1e-3), vec![floor(1.0), pusher, pushed], DEVICE);
    let mut forces = Vec::new();
    for tick in 0..3000 {
        let x = 0.05 * f64::from(tick) * 1e-3;
        engine.tick(&[HandInput { twist: Vec6::new(0.05, 0.0, 0.0, 0.0, 0.0, 0.0), ..at(x, 0.0, 0.025) }]);
        if tick > 2500 {
            forces.push(engine.last(0).hand.wrench[0]);
        }
    }
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    // µ (m g ± f), where friction f at the pusher's own face presses the block down or carries it: at most µ0 of the push.
    let (mu, mu0, weight) = (0.4, 0.5, 0.5 * 9.8);
    assert!(-mean > mu * weight / (1.0 + mu * mu0) && -mean < mu * weight / (1.0 - mu * mu0), "{mean}");
    assert!(engine.bodies()[2].velocity.x > 0.04);
}

#[test]
fn a_spring_lifts_a_body_and_tells_its_weight() {
    let mut engine = held(settings(1e-3), vec![floor(1.0), block(0.02)], SPRING);
    for tick in 0..4000 {
        let z = 0.02 + 0.1 * (f64::from(tick) / 2000.0).min(1.0);
        engine.tick(&[at(0.0, 0.0, z)]);
    }
    let (force, _) = halves(&engine.last(0).hand.wrench);
    assert!((force - Vec3::new(0.0, 0.0, -0.98)).norm() < 1e-6, "{force}");
    assert!((engine.bodies()[1].centre.z - (0.12 - 0.98e-3)).abs() < 1e-8);
}

#[test]
fn a_body_that_is_let_go_flies_on_and_can_be_taken_again() {
    let bodies =
        vec![floor(1.0), block(0.3), Body::new(vec![cuboid([0.04; 3])], 0.1, Pose::translation(0.3, 0.0, 0.02))];
    let mut engine = held(settings(1e-3), bodies, DEVICE);
    for tick in 0..100 {
        let x = f64::from(tick) * 1e-3;
        engine.tick(&[HandInput { twist: Vec6::new(1.0, 0.0, 0.0, 0.0, 0.0, 0.0), ..at(x, 0.0, 0.3) }]);
    }
    assert_eq!(engine.held(0), Some(1));
    assert!(engine.grab(0, None));
    engine.tick(&[at(0.1, 0.0, 0.3)]);
    assert_eq!(engine.last(0).holds, 0);
    assert!((engine.bodies()[1].velocity.x - 1.0).abs() < 1e-9);
    // Taken where the hand is: the body does not jump to the hand.
    let before = engine.bodies()[2].pose;
    assert!(engine.grab(0, Some(2)));
    engine.tick(&[at(0.1, 0.0, 0.3)]);
    assert!((engine.bodies()[2].pose.translation.vector - before.translation.vector).norm() < 1e-12);
    engine.tick(&[at(0.101, 0.0, 0.3)]);
    let moved = engine.bodies()[2].pose.translation.vector - before.translation.vector;
    assert!((moved - Vec3::new(1e-3, 0.0, 0.0)).norm() < 1e-12);
    // What cannot be held.
    assert!(!engine.grab(0, Some(0)) && !engine.grab(0, Some(9)) && !engine.grab(1, Some(1)));
    assert_eq!(engine.held(0), Some(2));
}

#[test]
fn a_hand_that_is_not_known_leaves_its_wrench_and_its_body() {
    let mut engine = held(settings(1e-3), vec![floor(1.0), block(0.019)], DEVICE);
    for _ in 0..10 {
        engine.tick(&[at(0.0, 0.0, 0.019)]);
    }
    let (wrench, pose) = (engine.last(0).hand.wrench, engine.bodies()[1].pose);
    assert!(wrench[2] > 0.9);
    let nan = Pose::translation(f64::NAN, 0.0, 0.0);
    for input in [HandInput::unknown(), HandInput::at(nan), at(f64::INFINITY, 0.0, 0.0)] {
        engine.tick(&[input]);
        assert_eq!((engine.last(0).hand.wrench, engine.bodies()[1].pose), (wrench, pose));
        assert!(engine.last(0).hand.flags.has(Flags::BAD_HAND));
    }
    engine.tick(&[]);
    assert!(engine.last(0).hand.flags.has(Flags::BAD_HAND));
    let bad = HandInput { load: Vec6::repeat(f64::NAN), twist: Vec6::repeat(f64::INFINITY), ..at(0.0, 0.0, 0.019) };
    engine.tick(&[bad]);
    assert!(engine.last(0).hand.flags.has(Flags::BAD_LOAD));
    assert!(engine.last(0).hand.wrench.iter().all(|x| x.is_finite()));
}

/// A jump of the hand to the other side of a thin wall does not take the body through it, and its wrench stays within the largest.
#[test]
fn a_jump_does_not_carry_a_body_through_a_wall() {
    let wall = Body::fixed(vec![cuboid([0.005, 0.3, 0.3])], Pose::translation(0.1, 0.0, 0.0));
    let free = Body::new(vec![cuboid([0.02; 3])], 0.02, Pose::translation(0.06, 0.0, 0.0));
    let mut engine = held(settings(1e-3), vec![wall, block(0.0), free], DEVICE);
    engine.tick(&[at(0.0, 0.0, 0.0)]);
    for tick in 0..2000 {
        engine.tick(&[at(0.0, 0.0, 0.0)]);
        let _ = tick;
    }
    engine.tick(&[at(0.3, 0.0, 0.0)]);
    let flags = engine.last(0).hand.flags;
    assert!(flags.has(Flags::TELEPORT) && flags.has(Flags::STEP_BOUNDED));
    for _ in 0..5000 {
        engine.tick(&[at(0.3, 0.0, 0.0)]);
        let (force, torque) = halves(&engine.last(0).hand.wrench);
        assert!(force.norm() <= 40.0 + 1e-9 && torque.norm() <= 2.0 + 1e-9);
        assert!(engine.bodies().iter().all(|b| b.centre.iter().chain(b.velocity.iter()).all(|x| x.is_finite())));
    }
}

/// Two shovels and six blocks with hands that do anything at all, for a minute of simulated time: nothing that is not finite, no wrench beyond the largest, no energy out of nowhere.
#[test]
fn random_hands_do_not_break_the_world() {
    let mut seed = 17;
    for grip in [Grip::Device, Grip::Spring] {
        let mut bodies = vec![floor(20.0)];
        for x in [-0.15, 0.15] {
            let plate = support::cuboid_at([0.08, 0.06, 0.005], [0.04, 0.0, 0.0]);
            let handle = support::cuboid_at([0.1, 0.01, 0.01], [-0.05, 0.0, 0.0]);
            bodies.push(Body::new(vec![plate, handle], 0.1, Pose::translation(x, 0.0, 0.1)));
        }
        for i in 0..6 {
            let place = Pose::translation(0.05 * f64::from(i % 3) - 0.05, 0.06 * f64::from(i / 3), 0.021);
            bodies.push(Body::new(vec![cuboid([0.04; 3])], 0.05, place));
        }
        let hands = [1, 2].map(|holds| VolumeHand { holds: Some(holds), grip });
        let mut engine = VolumeEngine::new(settings(1e-3), bodies, vec![], hands.to_vec()).unwrap();
        let mut poses = [1, 2].map(|b| engine.bodies()[b].pose);
        let mut goals = poses;
        for tick in 0..30_000 {
            for i in 0..2 {
                if tick % 400 == 0 {
                    let to =
                        random_vector(&mut seed).component_mul(&Vec3::new(0.2, 0.1, 0.06)) + Vec3::new(0.0, 0.0, 0.05);
                    goals[i] = Pose::from_parts(to.into(), exp(&(random_vector(&mut seed) * 0.7)));
                    if random(&mut seed) > 0.6 {
                        let body = (random(&mut seed) * 4.0 + 5.0) as usize;
                        let near = |b: &usize| engine.bodies()[*b].centre.norm() < 0.5;
                        let body = Some(body).filter(|b| *b < 9 && near(b));
                        engine.grab(i, body);
                    }
                }
                poses[i] = poses[i].lerp_slerp(&goals[i], 0.01);
            }
            engine.tick(&poses.map(HandInput::at));
            for i in 0..2 {
                let (force, torque) = halves(&engine.last(i).hand.wrench);
                assert!(force.norm() <= 40.0 + 1e-9 && torque.norm() <= 2.0 + 1e-9, "tick {tick}");
            }
            for b in engine.bodies() {
                assert!(b.centre.iter().chain(b.velocity.iter()).all(|x| x.is_finite()), "tick {tick}");
                assert!(b.velocity.norm() < 30.0, "tick {tick}: {} m/s", b.velocity.norm());
            }
            assert!(!engine.flags().has(Flags::UNSOLVABLE), "tick {tick}");
        }
    }
}

/// Guards against warnings where nothing can come out on the other side: how deep a contact may be is measured along its normal. A foot of 3 × 3 × 30 cm is not deep in the floor on its sole where it
/// would be on its side.
#[test]
fn a_contact_is_deep_by_the_width_along_its_normal() {
    let long = |size: [f64; 3], z: f64| Body::new(vec![cuboid(size)], 0.1, Pose::translation(0.0, 0.0, z));
    for (size, deep) in [([0.03, 0.03, 0.3], false), ([0.3, 0.03, 0.03], true)] {
        let top = 0.5 * size[2];
        let mut engine = held(settings(1e-3), vec![floor(1.0), long(size, top)], DEVICE);
        (0..=1000).for_each(|tick| engine.tick(&[at(0.0, 0.0, top - 0.01 * f64::from(tick) / 1000.0)]));
        assert_eq!(engine.flags().has(Flags::DEEP), deep, "10 mm of {size:?}");
    }
}
