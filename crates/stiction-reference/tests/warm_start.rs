//! Starting from the last tick changes the work, not the answer; and a contact set that has nothing to do with the
//! last tick's is just another problem.

mod plain;
mod sweep;

use plain::Plain;
use stiction::contact::ContactProblem;
use stiction::friction::verify::verify;
use stiction::friction::{FrictionSettings, FrictionSolver, Solution, Verdict};
use stiction_reference::families::{Family, Loading, MovingScene, Random, generate};
use sweep::{CONES, Way, study};

const WAYS: [Way; 4] = [Way::Lp, Way::QpMass, Way::QpStiffness, Way::Hold];
const CONTACTS: usize = 130;

fn settings() -> impl Iterator<Item = FrictionSettings> {
    WAYS.iter().flat_map(|way| {
        CONES.map(|cone| FrictionSettings { method: way.method(), cone, ..FrictionSettings::default() })
    })
}

fn proved(problem: &ContactProblem, answer: &Solution) -> Result<(), String> {
    if answer.verdict == Verdict::Undecided {
        return Err(format!("undecided after {} passes, stalled {}", answer.passes, answer.stalled));
    }
    verify(problem, answer).check(1e-9).map_err(|e| e.to_string())
}

/// Steps within what the two gaps allow, and the same verdict unless a contact sits on the threshold.
fn agree(problem: &ContactProblem, a: &Solution, b: &Solution, close_to_edge: bool) -> Result<(), String> {
    let plain = Plain::of(problem, a);
    let friction = |s: &Solution| s.contacts().map(|c| c.friction).collect::<Vec<_>>();
    let gap = |s: &Solution| (2.0 * plain.gap(&friction(s)).max(0.0)).sqrt();
    let allowed = if a.method == stiction::friction::Method::Lp { 0.0 } else { gap(a) + gap(b) };
    let scale = (2.0 * plain.scale()).sqrt();
    let apart = plain.distance(&a.step, &b.step);
    let on_threshold = a.contacts().any(|c| {
        let moved = (c.anchor[0] + c.slip[0]).hypot(c.anchor[1] + c.slip[1]);
        (moved / a.micro_slip - 1.0).abs() < 1e-3
    });
    if a.verdict != b.verdict && !on_threshold && !close_to_edge {
        return Err(format!("warm {:?}, cold {:?}", a.verdict, b.verdict));
    }
    if a.verdict == b.verdict && apart.is_nan() | (apart > allowed + 1e-9 * scale) {
        return Err(format!("steps {:e} apart, gaps allow {:e}", apart / scale, allowed / scale));
    }
    Ok(())
}

#[test]
fn warm_and_cold_agree_in_moving_scenes() {
    let mut failures = Vec::new();
    let mut ticks = 0;
    for settings in settings() {
        let Ok(mut warm) = FrictionSolver::new(settings, CONTACTS) else { continue };
        let mut cold = FrictionSolver::new(FrictionSettings { warm_start: false, ..settings }, CONTACTS).unwrap();
        let mut problem = ContactProblem::with_capacity(CONTACTS);
        for scene in 0..8 * study() {
            let loading = Loading::ALL[(scene / 4 + scene) as usize % 4];
            let contacts = [3, 12, 30, 98][scene as usize % 4];
            warm.reset();
            cold.reset();
            for (tick, sample) in MovingScene::new(contacts, settings.cone, loading, scene).take(40).enumerate() {
                ticks += 1;
                problem.rebuild(&sample.load, sample.contacts.iter().copied()).unwrap();
                let a = warm.solve(&problem).unwrap();
                let b = cold.solve(&problem).unwrap();
                let result = proved(&problem, a)
                    .map_err(|e| format!("warm: {e}"))
                    .and_then(|()| proved(&problem, b).map_err(|e| format!("cold: {e}")))
                    .and_then(|()| agree(&problem, a, b, loading == Loading::EdgeClose));
                if let Err(e) = result {
                    let (method, cone) = (settings.method, settings.cone);
                    failures
                        .push(format!("{method:?} {cone:?} scene({contacts}, {loading:?}, {scene}) tick {tick}: {e}"));
                }
                // Both make the same step, so that both have the same memory.
                let step = a.step;
                warm.commit(&problem, &step).unwrap();
                cold.commit(&problem, &step).unwrap();
            }
        }
    }
    report(ticks, &failures);
}

#[test]
fn a_warm_solver_takes_any_problem() {
    let mut failures = Vec::new();
    let mut ticks = 0;
    for (n, settings) in settings().enumerate() {
        let Ok(mut solver) = FrictionSolver::new(settings, CONTACTS) else { continue };
        let mut problem = ContactProblem::with_capacity(CONTACTS);
        let mut random = Random::new(n as u64);
        for tick in 0..300 * study() {
            ticks += 1;
            let (family, loading) = (Family::ALL[random.below(10)], Loading::ALL[random.below(3)]);
            let (contacts, seed) = (random.below(CONTACTS) + 1, random.bits());
            let mut sample = generate(family, contacts, seed, loading, settings.cone);
            // Identities that overlap with those of the last tick, in another order.
            sample = sample.permuted(seed);
            problem.rebuild(&sample.load, sample.contacts.iter().copied()).unwrap();
            let answer = solver.solve(&problem).unwrap();
            if let Err(e) = proved(&problem, answer) {
                let (method, cone) = (settings.method, settings.cone);
                failures.push(format!("{method:?} {cone:?} stream {n} tick {tick} ({family:?} {loading:?}): {e}"));
            }
            let step = answer.step;
            solver.commit(&problem, &step).unwrap();
        }
    }
    report(ticks, &failures);
}

fn report(ticks: u64, failures: &[String]) {
    let first: Vec<_> = failures.iter().step_by((failures.len() / 40).max(1)).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} of {ticks} ticks failed\n{}", failures.len(), first.join("\n"));
}
