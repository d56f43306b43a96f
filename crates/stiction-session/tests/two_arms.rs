//! Two hands, each with a part: what friction holds goes along when the other hand moves.

mod support;

use stiction::spatial::{Pose, Vec3, halves};
use stiction_device::servo_loop::run_virtual;
use stiction_device::sim::SimParams;
use stiction_device::{Device, Mapping};
use stiction_scene::{Hand, Move};
use stiction_session::{HandWord, Pace, Plan, SceneDevice};
use support::{plan, session};

/// The relative pose of the parts, and the forces that the engines ask for, cycle by cycle; the second hand moves by `shift` from 0.7 s to 1.1 s.
fn carried(word: HandWord, shift: [f64; 3]) -> (Vec<Pose>, Vec<[Vec3; 2]>, f64) {
    let set = ["hand.script=[{move=[0,0,-0.008],seconds=0.4},{wait=1.0}]"];
    let session = session(Plan { arms: 2, hand: word, ..plan("small", &set) });
    let pace = Pace::Virtual(session.period());
    let devices = |arm| -> Result<Box<dyn Device>, _> {
        if arm == 0 {
            return Ok(Box::new(session.device(0, pace)?));
        }
        let mut params = session.plan.device.params();
        params.hand = word.hand();
        let way = [Move::Wait(0.7), Move::Shift(shift.into(), 0.4), Move::Wait(1.0)];
        let hand = Hand::script(session.world.scene.world_from_fixed(), &way);
        Ok(Box::new(SceneDevice::new(params, hand, Mapping::new(session.caps(0).actuated), pace)?))
    };
    let (mut arms, _reins) = session.arms_with(|_| None, devices).unwrap();
    let (mut apart, mut felt) = (Vec::new(), Vec::new());
    run_virtual(&mut arms, |arms, _| {
        let [first, second] = [0, 1].map(|i| arms.iter().nth(i).unwrap().snapshot());
        let pair = arms.servo().simulation();
        apart.push(pair.body(1).inv_mul(&pair.body(0)));
        felt.push([first, second].map(|s| halves(&s.output.asked).0));
        felt.len() < 1400
    });
    (apart, felt, session.world.scene.settings.friction.micro_slip)
}

/// How far the middle of the box's lower face has gone along the plate: the box may tilt, as contacts are elastic.
fn gone(from: &Pose, to: &Pose) -> f64 {
    let [from, to] = [from, to].map(|pose| pose * nalgebra::Point3::new(0.0, 0.0, -0.01));
    (to - from).xy().norm()
}

#[test]
fn the_other_hand_carries_a_part_along_that_friction_holds() {
    let (apart, felt, micro_slip) = carried(HandWord::Free, [0.0015, 0.0, 0.0]);
    let slipped = (690..1400).map(|i| gone(&apart[690], &apart[i])).fold(0.0, f64::max);
    println!("slipped by {slipped} m, felt {:?} N and {:?} N", felt[690], felt[1390]);
    assert!(slipped <= micro_slip, "{slipped} m");
    // Its own hand stayed: it is pulled after the part by the spring between them, and no less pressed.
    let ([before, _], [after, other]) = (felt[690], felt[1390]);
    assert!(before.z > 2.0 && before.x.abs() < 0.05, "{before:?}");
    assert!(after.x > 0.4 && (after.z - before.z).abs() < 0.05, "{after:?}");
    // Two equal springs in series: each has half of the way at most, the tilt takes the rest.
    assert!(after.x < 800.0 * 0.5 * 0.0015, "{after:?}");
    // Action is reaction, but for the weight of the box.
    let left = after + other + Vec3::new(0.0, 0.0, 0.1 * 9.81);
    assert!(left.norm() < 0.02, "{left:?}");
}

#[test]
fn beyond_the_limit_it_slides() {
    let (apart, felt, micro_slip) = carried(HandWord::Free, [0.02, 0.0, 0.0]);
    let slipped = gone(&apart[690], &apart[1390]);
    println!("slipped by {slipped} m, felt {:?} N", felt[1390]);
    assert!(slipped > 100.0 * micro_slip, "{slipped} m");
}

/// Hands that yield, on devices with encoder steps and delay: at rest there is no buzz.
#[test]
fn two_hands_at_rest_on_each_other_stay_at_rest() {
    for word in [HandWord::Light, HandWord::Firm] {
        let (_, felt, _) = carried(word, [0.001, 0.0, 0.0]);
        let rest = &felt[1350..];
        for hand in 0..2 {
            let mean = rest.iter().map(|f| f[hand]).sum::<Vec3>() / rest.len() as f64;
            let buzz = rest.iter().map(|f| (f[hand] - mean).norm()).fold(0.0, f64::max);
            println!("{} {hand}: {mean:?} N, {buzz} N", word.name());
            assert!(buzz < 0.1, "{} {hand}: {mean:?} N, {buzz} N", word.name());
            // The second hand bears the box's weight at least.
            assert!(hand == 0 || mean.norm() > 0.5, "{} {hand}: {mean:?} N", word.name());
        }
    }
}

/// Hands that press on each other, then the second one lifts both parts: the one that bears the weight feels no swings, and neither is held to owe the other's work.
#[test]
fn the_work_of_the_other_hand_is_known() {
    for hand in [HandWord::Light, HandWord::Firm] {
        let set = ["hand.script=[{move=[0,0,-0.008],seconds=0.4},{wait=0.4},{move=[0,0,0.04],seconds=1},{wait=1}]"];
        let session = session(Plan { arms: 2, hand, ..plan("small", &set) });
        let pace = Pace::Virtual(session.period());
        let devices = |arm| -> Result<Box<dyn Device>, _> {
            if arm == 0 {
                return Ok(Box::new(session.device(0, pace)?));
            }
            let params = SimParams { hand: hand.hand(), ..session.plan.device.params() };
            let way = [Move::Wait(0.8), Move::Shift([0.0, 0.0, 0.04].into(), 1.0), Move::Wait(1.0)];
            let resting = Hand::script(session.world.scene.world_from_fixed(), &way);
            Ok(Box::new(SceneDevice::new(params, resting, Mapping::new(session.caps(arm).actuated), pace)?))
        };
        let (mut arms, _reins) = session.arms_with(|_| None, devices).unwrap();
        let (mut largest, mut before, mut tick) = ([0.0_f64; 2], [Vec3::zeros(); 2], 0);
        run_virtual(&mut arms, |arms, _| {
            for (i, arm) in arms.iter().enumerate() {
                let (force, _) = halves(arm.sent().wrench());
                if tick > 700 {
                    largest[i] = largest[i].max((force - before[i]).norm());
                }
                before[i] = force;
            }
            tick += 1;
            tick < 2800
        });
        let debts: Vec<f64> = arms.iter().map(|arm| arm.snapshot().output.report.energy.debt).collect();
        println!("{}: changes of {largest:.3?} N a cycle, debts {debts:.5?} J, {before:.3?} N at the end", hand.name());
        assert!(largest[1] < 0.1, "{}: {largest:?} N", hand.name());
        assert!(debts.iter().all(|debt| *debt < 1e-4), "{}: {debts:?} J", hand.name());
    }
}
