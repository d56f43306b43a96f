//! One cycle of the servo: what the fault campaign found, and what it must do with odd measurements.

mod support;

use nalgebra::{Quaternion, UnitQuaternion};
use stiction::spatial::{Vec6, halves, join};
use stiction_device::{
    Device, DeviceError, Envelope, FailingSimulation, Fault, Mapping, Phase, Port, Servo, ServoInput,
};
use stiction_session::{Pace, SceneDevice, Session};
use support::{Rig, plan, session};

/// In firm contact, with all force.
fn pressing() -> Rig {
    let mut rig = Rig::new(&session(plan("small", &[])));
    let output = rig.run(650);
    assert!(output.report.phase == Phase::Running && output.sent.wrench()[2] > 1.0, "{output:?}");
    rig
}

fn pose(input: &mut ServoInput) -> &mut stiction::spatial::Pose {
    &mut input.read.as_mut().unwrap().pose
}

#[test]
fn a_stop_wins_over_a_rearm_in_the_same_cycle() {
    let mut rig = pressing();
    rig.input.commands.stop = true;
    assert_eq!(*rig.run(2).sent.wrench(), Vec6::zeros());
    // Armed again in the last cycle of the stop: it stays stopped.
    rig.step(|input| input.commands.rearm += 1);
    rig.input.commands.stop = false;
    let output = rig.run(200);
    assert_eq!((output.report.phase, output.report.fault), (Phase::Latched, Some(Fault::Stopped)));
    rig.input.commands.rearm += 1;
    assert_eq!(rig.run(700).report.phase, Phase::Running);
}

#[test]
fn an_emergency_stop_cuts_also_after_a_refused_write() {
    let mut rig = pressing();
    let output = rig.step(|input| {
        input.wrote = Err(DeviceError::Timeout);
        input.read.as_mut().unwrap().enable.estop_ok = false;
    });
    assert_eq!((*output.sent.wrench(), output.report.phase), (Vec6::zeros(), Phase::Latched));
}

#[test]
fn a_bad_pose_for_long_is_no_broken_engine() {
    let mut rig = pressing();
    for _ in 0..100 {
        rig.step(|input| pose(input).translation.vector.x = f64::NAN);
    }
    let report = rig.run(1).report;
    assert_eq!((report.faults_of(Fault::BadPose), report.faults_of(Fault::BrokenEngine)), (1, 0));
    assert_eq!(report.phase, Phase::Waiting, "it comes back by itself");
    assert_eq!(rig.run(700).report.phase, Phase::Running);
}

#[test]
fn a_missed_read_does_not_drop_the_force() {
    let mut rig = pressing();
    let before = rig.run(1).sent.wrench()[2];
    for cycle in 1..=4 {
        let output = rig.step(|input| input.read = Err(DeviceError::Timeout));
        let now = output.sent.wrench()[2];
        assert!((now - before).abs() < 0.01 * before, "{cycle}: {now} N after {before} N");
    }
    for _ in 0..30 {
        rig.step(|input| input.read = Err(DeviceError::Timeout));
    }
    assert_eq!(*rig.servo.outputs()[0].sent.wrench(), Vec6::zeros());
    assert_eq!(rig.servo.outputs()[0].report.fault, Some(Fault::Stale));
}

#[test]
fn a_quaternion_of_slightly_wrong_length_is_followed_all_the_same() {
    let (mut exact, mut off) = (pressing(), pressing());
    let mut largest: f64 = 0.0;
    for _ in 0..300 {
        let a = exact.step(|_| ());
        let b = off.step(|input| {
            let q = *pose(input).rotation.quaternion();
            pose(input).rotation = UnitQuaternion::new_unchecked(Quaternion::from(q.coords * (1.0 + 3e-4)));
        });
        assert_eq!(b.report.faults, [0; Fault::ALL.len()]);
        largest = largest.max((a.sent.wrench() - b.sent.wrench()).norm());
    }
    assert!(largest < 1e-6, "{largest}");
}

#[test]
fn an_engine_that_panics_fades_and_stays_away() {
    let mut rig = pressing();
    rig.servo.wrap(|inner| Box::new(FailingSimulation::new(inner, 10)));
    assert_eq!(rig.run(10).report.phase, Phase::Running);
    let output = rig.run(1);
    assert_eq!((output.report.phase, output.report.fault), (Phase::Fading, Some(Fault::NoAnswer)));
    assert_eq!(rig.run(20).report.phase, Phase::Latched);
    rig.input.commands.rearm += 1;
    let output = rig.run(700);
    assert_eq!((output.report.phase, *output.sent.wrench()), (Phase::Latched, Vec6::zeros()));
}

#[test]
fn the_clutch_leaves_hand_and_part_where_they_are() {
    let mut rig = pressing();
    let before = rig.run(1);
    rig.input.commands.clutch = true;
    // It was sliding after the hand, and does so until it has caught up.
    let settled = rig.run(50).hand.body;
    for i in 0..200 {
        let output = rig.step(|input| pose(input).translation.vector.x += 1e-4 * f64::from(i));
        assert_eq!((output.hand.hand, *output.sent.wrench()), (before.hand.hand, Vec6::zeros()));
    }
    // A contact that slid counts as stuck after less than a micro-slip.
    let micro_slip = session(plan("small", &[])).world.scene.settings.friction.micro_slip;
    let shift = (rig.servo.outputs()[0].hand.body.translation.vector - settled.translation.vector).norm();
    assert!(shift < micro_slip, "{shift} m");
    rig.input.commands.clutch = false;
    // Tied again where the handle is now: the hand goes on from where it was.
    let offset = |input: &mut ServoInput| pose(input).translation.vector.x += 0.02;
    assert_eq!(rig.step(offset).hand.hand, before.hand.hand);
    let next = rig.step(offset);
    let gone = (next.hand.hand.translation.vector - before.hand.hand.translation.vector).norm();
    assert!(gone < 2e-4, "{gone} m in a cycle");
}

/// The small scene, turned about the vertical with its hand's way, plate and all.
fn turned_scene(angle: f64) -> Session {
    let (c, s, degrees) = (angle.cos(), angle.sin(), angle.to_degrees());
    let rotation = format!("fixed.rotation={{axis=[0,0,1],angle_deg={degrees}}}");
    let from = format!("hand.from={{position=[0,0,0.0102],rotation={{axis=[0,0,1],angle_deg={degrees}}}}}");
    let way = format!("hand.script.1.move=[{},{},0]", 0.006 * c - 0.002 * s, 0.006 * s + 0.002 * c);
    session(plan("small", &[&rotation, &from, &way]))
}

#[test]
fn a_turned_scene_is_felt_turned() {
    let angle = 0.7;
    let turn = UnitQuaternion::from_axis_angle(&nalgebra::Vector3::z_axis(), angle);
    let (mut a, mut b) = (Rig::new(&session(plan("small", &[]))), Rig::new(&turned_scene(angle)));
    let (mut largest, mut force): (f64, f64) = (0.0, 0.0);
    for _ in 0..1100 {
        let (one, two) = (a.run(1), b.run(1));
        let (f, t) = halves(one.sent.wrench());
        largest = largest.max((join(turn * f, turn * t) - two.sent.wrench()).norm());
        force = force.max(f.norm());
    }
    // Encoders and the handle's friction are along axes that are not turned.
    println!("{largest} N of {force} N");
    assert!(force > 2.0 && largest < 0.1 * force, "{largest} N of {force} N");
}

#[test]
fn a_scene_turned_together_with_the_device_is_felt_the_same() {
    let angle = 0.7;
    let turned = turned_scene(angle);
    let (caps, period) = (turned.caps(0), turned.period());
    let mut mapping = Mapping::new(caps.actuated);
    mapping.turn = UnitQuaternion::from_axis_angle(&nalgebra::Vector3::z_axis(), angle);
    let mut params = turned.plan.device.params();
    params.hand = turned.plan.hand.hand();
    let hand = turned.world.scene.hand().clone();
    let envelope = Envelope::new(turned.limits(0), period).unwrap();
    let servo = Servo::new(
        Box::new(turned.world.engine().unwrap()),
        vec![Port::new(mapping, envelope, hand.pose(0.0))],
        period,
    );
    let mut device = SceneDevice::new(params, hand, mapping, Pace::Virtual(period)).unwrap();
    device.arm().unwrap();
    let (mut a, mut b) = (Rig::new(&session(plan("small", &[]))), Rig::of(servo, device, period));
    let (mut largest, mut force): (f64, f64) = (0.0, 0.0);
    // Until it slides: then rounding may decide in which cycle it does.
    for _ in 0..600 {
        let (one, two) = (a.run(1), b.run(1));
        largest = largest.max((one.sent.wrench() - two.sent.wrench()).norm());
        force = force.max(one.sent.wrench().norm());
    }
    println!("{largest} N of {force} N");
    assert!(force > 2.0 && largest < 1e-6, "{largest} N of {force} N");
}
