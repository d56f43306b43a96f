//! Energy at the handle, reckoned here from what was sent and what was measured: with the passivity controller it never exceeds what went in by
//! more than F_max·v_max·T, and what does is paid back within 50 ms of motion. Without the controller it is told, not judged.
//!
//! "What went in" is the work of the hand and that of known loads on the part, its weight above all. It counts up to the store (`Limits::store`), so the debt here is at
//! least the net energy that ever came out. "Motion" is a
//! speed of the handle at which damping b can pay the debt D of the moment in 50 ms: b v² · 50 ms ≥ 2 D, and at least 5 mm/s.

mod support;

use nalgebra::Quaternion;
use stiction::simulation::HandTick;
use stiction::spatial::{Pose, Vec6};
use stiction_device::sim::SimHand;
use stiction_device::{Device, DeviceState, Limits, Mapping, Phase};
use stiction_results::{Measurement, ResultLog, Target};
use stiction_scene::{EngineKind, Scene};
use stiction_session::{HandWord, Pace, SceneDevice, Session};
use support::{Rig, plan, session, study};

/// What a run showed.
#[derive(Clone, Copy, Debug, Default)]
struct Energies {
    /// Most that came out beyond the store, and beyond all that ever went in (J).
    debt: f64,
    net: f64,
    /// Most work that loads have done (J).
    loads: f64,
    /// Longest time in motion until a debt was paid (s), and how deep the debt was that was never paid (J).
    recovery: f64,
    unpaid: f64,
    /// By the envelope's own report (J).
    reported: f64,
    /// Largest force (N).
    force: f64,
    faults: u64,
}

/// The step between two measurements: shift, and rotation vector by the angle of the quaternion between them.
fn step(from: &DeviceState, to: &DeviceState) -> Vec6 {
    let shift = to.pose.translation.vector - from.pose.translation.vector;
    let [a, b] = [from, to].map(|s| *s.pose.rotation.quaternion());
    let turn: Quaternion<f64> = b * a.conjugate();
    let v = turn.imag() * turn.w.signum();
    let sine = v.norm();
    let scale = if sine > 1e-12 { 2.0 * sine.atan2(turn.w.abs()) / sine } else { 2.0 };
    Vec6::new(shift.x, shift.y, shift.z, v.x * scale, v.y * scale, v.z * scale)
}

/// Work of the loads on a part that went from one cycle to the next.
fn load_work(from: &HandTick, to: &HandTick) -> f64 {
    let state =
        |t: &HandTick| DeviceState { pose: Pose::from_parts(t.centre.into(), t.body.rotation), ..DeviceState::still() };
    to.load.dot(&step(&state(from), &state(to)))
}

/// Drives a scene; a hand that lets go does so at half of it, on a device without a dead-man switch.
fn energies(session: &Session, let_go: bool, seconds: f64) -> Energies {
    let (period, limits) = (session.period(), session.limits(0));
    let mut params = session.plan.device.params();
    params.hand = if let_go { SimHand::Firm } else { session.plan.hand.hand() };
    params.dead_man = false;
    let mapping = Mapping::new(session.caps(0).actuated);
    let scene = &session.world.scene;
    let mut device = SceneDevice::new(params, scene.hand().clone(), mapping, Pace::Virtual(period)).unwrap();
    device.arm().unwrap();
    let mut rig = Rig::of(session.servo().unwrap(), device, period);
    let ticks = (seconds.min(scene.seconds) / period) as u64;
    let mut out = Energies::default();
    let (mut credit, mut net, mut moving): (f64, f64, f64) = (0.0, 0.0, 0.0);
    let (mut last, mut held): (Option<DeviceState>, Vec6) = (None, Vec6::zeros());
    let (mut traced, mut gain, mut loads): (Option<HandTick>, f64, f64) = (None, 0.0, 0.0);
    let mut idle = true;
    for tick in 0..ticks {
        if let_go && tick == ticks / 2 {
            rig.device.sim.hold(SimHand::Released).unwrap();
        }
        let load = scene.load().at(tick as f64 * period);
        let output = rig.step(|input| input.commands.load = load);
        let state = rig.input.read.unwrap();
        let work = last.map_or(0.0, |last| held.dot(&step(&last, &state)));
        let fell = traced.map_or(0.0, |traced| gain * load_work(&traced, &output.hand));
        loads += fell;
        net += work;
        out.net = out.net.max(net - out.loads);
        out.loads = out.loads.max(loads);
        if work > 0.0 {
            out.debt = out.debt.max(work - credit - fell.max(0.0));
        }
        credit = (credit - work + fell).min(limits.store);
        (traced, gain) = (Some(output.hand), output.report.gain);
        moving = if credit < 0.0 { moving + time_in_motion(&rig, &limits, -credit, period) } else { 0.0 };
        out.recovery = out.recovery.max(moving);
        (last, held) = (Some(state), *output.sent.wrench());
        // What was stored is dropped when force engages anew.
        let now_idle = matches!(output.report.phase, Phase::Off | Phase::Waiting);
        credit = if idle && !now_idle { credit.min(0.0) } else { credit };
        idle = now_idle;
        out.force = out.force.max(held.fixed_rows::<3>(0).norm());
    }
    let report = rig.servo.ports()[0].envelope().report();
    out.unpaid = (-credit).max(0.0);
    (out.reported, out.faults) = (report.energy.most_debt, report.faults.iter().sum());
    out
}

/// The period where the handle truly moves, else nothing.
fn time_in_motion(rig: &Rig, limits: &Limits, debt: f64, period: f64) -> f64 {
    let speed = rig.device.sim.twist().fixed_rows::<3>(0).norm();
    let able = (2.0 * debt / (limits.damping[0] * 0.05)).sqrt();
    if speed >= able.max(5e-3) { period } else { 0.0 }
}

const SOLVERS: [(&str, &[&str]); 5] = [
    ("none", &["friction.method=none"]),
    ("lp", &["friction.method=lp", "friction.cone.sides=8"]),
    ("qp", &["friction.method=qp"]),
    ("hold", &["friction.method=hold"]),
    ("yamane", &["friction.method=yamane"]),
];

/// Each scene with each solver and hand, with and without the controller.
fn survey(scenes: &[String], solvers: &[(&str, &[&str])], seconds: f64) {
    let mut force = 0.0_f64;
    for name in scenes {
        for (solver, set) in solvers {
            // Shapes are the same for all hands: built once.
            let built = session(plan(name, set));
            for hand in HandWord::ALL {
                let run = |passivity| {
                    let mut session = built.clone();
                    (session.plan.hand, session.plan.passivity) = (hand, passivity);
                    let bound = session.limits(0).energy_bound(session.period());
                    (energies(&session, hand == HandWord::Released, seconds), bound)
                };
                let ((on, bound), (off, _)) = (run(true), run(false));
                let what = format!("{name} {solver} {}", hand.name());
                println!(
                    "{what}: on {:.4} mJ of {:.4} mJ (net {:.4}, loads {:.4}), recovered in {:.0} ms, unpaid {:.4}; off {:.4} mJ, {:.0} ms, unpaid {:.4}; \
                     {:.1} N, {} faults",
                    1e3 * on.debt,
                    1e3 * bound,
                    1e3 * on.net,
                    1e3 * on.loads,
                    1e3 * on.recovery,
                    1e3 * on.unpaid,
                    1e3 * off.debt,
                    1e3 * off.recovery,
                    1e3 * off.unpaid,
                    on.force,
                    on.faults
                );
                if study().is_some() {
                    let log = ResultLog::of_study("study-energy");
                    let row = Measurement::new(
                        format!("{what}: energy that came out beyond what went in"),
                        1e3 * on.debt,
                        "mJ",
                    );
                    log.add(&row.held_to(Target::AtMost(1e3 * bound))).unwrap();
                    let row =
                        Measurement::new(format!("{what}: the same without the controller"), 1e3 * off.debt, "mJ");
                    log.add(&row).unwrap();
                }
                assert!(on.debt <= bound && on.net <= bound, "{what}: {on:?}, bound {bound}");
                assert!(on.recovery <= 0.05 + 1e-9, "{what}: {on:?}");
                // The envelope measures the same.
                assert!((on.debt - on.reported).abs() <= 1e-9 + 1e-6 * on.debt, "{what}: {on:?}");
                assert!((off.debt - off.reported).abs() <= 1e-9 + 1e-6 * off.debt, "{what}: {off:?}");
                force = force.max(on.force);
            }
        }
    }
    assert!(force > 1.0, "no force was ever sent: {force} N");
}

#[test]
fn energy_stays_under_its_bound_and_comes_back() {
    if study().is_some() {
        survey(&Scene::names_of(EngineKind::QuasiStatic), &SOLVERS, 10.0);
    } else {
        survey(&["small".into()], &SOLVERS, 1.4);
        survey(&["plate-cube".into()], &SOLVERS[3..4], 1.2);
    }
}
