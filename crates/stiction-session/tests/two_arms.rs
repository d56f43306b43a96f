//! Two hands, each with a part: what friction holds goes along when the other hand moves.

mod support;

use stiction::spatial::Pose;
use stiction_device::servo_loop::run_virtual;
use stiction_device::sim::Hand as SimHand;
use stiction_device::{Device, Mapping};
use stiction_scene::{Hand, Move};
use stiction_session::{HandWord, Pace, Plan, SceneDevice};
use support::{plan, session};

/// The relative pose of the parts, and what the first hand feels, cycle by cycle; the second hand moves by `shift` from 0.7 s to 1.1 s.
fn carried(shift: [f64; 3]) -> (Vec<Pose>, Vec<[f64; 3]>, f64) {
    let set = ["hand.script=[{move=[0,0,-0.008],seconds=0.4},{wait=1.0}]"];
    let session = session(Plan { arms: 2, hand: HandWord::Free, ..plan("small", &set) });
    let pace = Pace::Virtual(session.period());
    let devices = |arm| -> Result<Box<dyn Device>, _> {
        if arm == 0 {
            return Ok(Box::new(session.device(0, pace)?));
        }
        let mut params = session.plan.device.params();
        params.hand = SimHand::Free;
        let way = [Move::Wait(0.7), Move::Shift(shift.into(), 0.4), Move::Wait(1.0)];
        let hand = Hand::script(session.world.scene.world_from_fixed, &way);
        Ok(Box::new(SceneDevice::new(params, hand, Mapping::new(session.caps().actuated), pace)?))
    };
    let (mut arms, _reins) = session.arms_with(|_| None, devices).unwrap();
    let (mut apart, mut felt) = (Vec::new(), Vec::new());
    let mut last = session.world.scene.world_from_fixed;
    run_virtual(&mut arms, 1_000_000, |arms, _| {
        let [first, second] = [0, 1].map(|i| *arms.iter().nth(i).unwrap().snapshot());
        assert_eq!(first.input.other, Some(last), "it sees the other part at its last pose");
        apart.push(last.inv_mul(&first.output.part));
        last = second.output.part;
        let w = first.output.sent.wrench();
        felt.push([w[0], w[1], w[2]]);
        felt.len() < 1400
    });
    (apart, felt, session.world.scene.settings.friction.micro_slip)
}

fn gone(from: &Pose, to: &Pose) -> f64 {
    (to.translation.vector - from.translation.vector).norm()
}

#[test]
fn the_other_hand_carries_a_part_along_that_friction_holds() {
    let (apart, felt, micro_slip) = carried([0.0015, 0.0, 0.0]);
    let slipped = (690..1400).map(|i| gone(&apart[690], &apart[i])).fold(0.0, f64::max);
    println!("slipped by {slipped} m, felt {:?} N and {:?} N", felt[690], felt[1390]);
    assert!(slipped <= micro_slip, "{slipped} m");
    // Its own hand stayed: it is pulled after the part by the spring between them, and no less pressed.
    assert!(felt[690][2] > 2.0 && felt[690][0].abs() < 0.05, "{:?}", felt[690]);
    assert!(felt[1390][0] > 0.5, "{:?}", felt[1390]);
}

#[test]
fn beyond_the_limit_it_slides() {
    let (apart, felt, micro_slip) = carried([0.02, 0.0, 0.0]);
    let slipped = gone(&apart[690], &apart[1390]);
    println!("slipped by {slipped} m, felt {:?} N", felt[1390]);
    assert!(slipped > 100.0 * micro_slip, "{slipped} m");
}
