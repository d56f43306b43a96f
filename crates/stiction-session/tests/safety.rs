//! What must hold once a real arm is attached: a weight is felt without swings.

mod support;

use stiction_device::{Intervention, Phase};
use stiction_session::{HandWord, Plan};
use support::{Rig, plan, session};

/// What a weight did to a light hand.
#[derive(Debug)]
struct Swings {
    /// The largest change of the sent force from cycle to cycle (N).
    change: f64,
    /// The least and the largest force sent along the weight, as shares of it.
    share: [f64; 2],
    /// Cycles in which the passivity controller acted.
    acted: u64,
}

/// A light hand that carries a part through the air by a script, after the soft start.
fn swings(mass: f64, script: &str, passivity: bool) -> Swings {
    let (weight, mass) = (9.81 * mass, format!("held.mass={mass}"));
    let set = [&*mass, "hand.from={position=[0,0,0.06]}", "run.seconds=3", script];
    let mut rig = Rig::new(&session(Plan { hand: HandWord::Light, passivity, ..plan("small", &set) }));
    let mut last = *rig.run(600).sent.wrench();
    let acted = |rig: &Rig| {
        let report = rig.servo.envelope().report();
        report.interventions_of(Intervention::PassivityScaled) + report.interventions_of(Intervention::PassivityDamped)
    };
    let before = acted(&rig);
    let mut out = Swings { change: 0.0, share: [f64::INFINITY, 0.0], acted: 0 };
    for _ in 0..2400 {
        let output = rig.run(1);
        assert_eq!((output.report.phase, output.trace.contacts), (Phase::Running, 0));
        let now = *output.sent.wrench();
        out.change = out.change.max((now - last).fixed_rows::<3>(0).norm());
        let share = -now[2] / weight;
        out.share = [out.share[0].min(share), out.share[1].max(share)];
        last = now;
    }
    out.acted = acted(&rig) - before;
    out
}

#[test]
fn a_weight_in_a_light_hand_does_not_swing() {
    let ways = [
        ("held", "hand.script=[{wait=3}]"),
        ("lowered", "hand.script=[{wait=0.5},{move=[0,0,-0.02],seconds=1},{wait=2}]"),
        (
            "shaken",
            "hand.script=[{move=[0,0,-0.02],seconds=0.7},{move=[0,0,0.01],seconds=0.3},{move=[0,0,-0.01],seconds=0.3},{move=[0,0,0.01],seconds=0.3},{wait=2}]",
        ),
    ];
    for mass in [0.05, 0.1, 0.3] {
        for (way, script) in ways {
            let (on, off) = (swings(mass, script, true), swings(mass, script, false));
            println!("{way}, {mass} kg: {on:?}; without the controller {off:?}");
            assert!(on.change < 1e-6, "{way}, {mass} kg: a change of {} N in a cycle", on.change);
        }
    }
}
