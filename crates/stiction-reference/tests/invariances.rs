//! What must not change an answer: rigid motion, the order of contacts, the tangent basis, the unit of length. And
//! what follows from the physics alone: more friction holds no less, none at all is frictionless.

mod plain;
mod sweep;

use plain::Plain;
use stiction::contact::ContactProblem;
use stiction::friction::{Cone, FrictionSettings, FrictionSolver, Solution, Verdict};
use stiction::spatial::{Mat6, Vec6};
use stiction_reference::families::{Family, Loading, Random, SampleProblem};
use sweep::{CONES, Case, Sweep, Way};

/// Memory is keyed to a motion in world axes, so it is left to the test of `hold` itself.
const WAYS: [Way; 4] = [Way::Lp, Way::QpMass, Way::QpStiffness, Way::Hold];

fn solve(sample: &SampleProblem, settings: FrictionSettings) -> Result<(ContactProblem, Solution), String> {
    let problem = sample.problem().map_err(|e| e.to_string())?;
    let mut solver = FrictionSolver::new(settings, problem.len()).map_err(|e| e.to_string())?;
    let solution = solver.solve(&problem).map_err(|e| e.to_string())?.clone();
    Ok((problem, solution))
}

/// The answer to `changed`, whose steps are `back`⁻¹ of ours, is the answer to the case.
fn same(
    what: &str,
    case: &Case,
    changed: &SampleProblem,
    settings: FrictionSettings,
    back: &Mat6,
) -> Result<(), String> {
    if case.is_rank_doubtful() || (case.way == Way::Lp && case.sample.loading == Loading::EdgeClose) {
        return Ok(());
    }
    let (problem, ours) = solve(&case.sample, case.settings())?;
    let (other_problem, other) = solve(changed, settings)?;
    let (plain, other_plain) = (Plain::of(&problem, &ours), Plain::of(&other_problem, &other));
    let scale = plain.scale();
    let step = back * other.step;
    let friction = |s: &Solution| s.contacts().map(|c| c.friction).collect::<Vec<_>>();
    let allowed = if case.way == Way::Lp {
        0.0
    } else {
        (2.0 * plain.gap(&friction(&ours)).max(0.0)).sqrt() + (2.0 * other_plain.gap(&friction(&other)).max(0.0)).sqrt()
    };
    let apart = plain.distance(&ours.step, &step);
    // 1e-7: rounding of the input, seen through a stiffness of any condition.
    if apart.is_nan() || apart > allowed + 1e-7 * (2.0 * scale).sqrt() {
        let relative = apart / (2.0 * scale).sqrt();
        return Err(format!("{what} changes the step: by {relative:e}, {:?} and {:?}", ours.verdict, other.verdict));
    }
    if ours.verdict != other.verdict && !near_threshold(&ours) {
        return Err(format!("{what} changes the verdict: {:?} and {:?}", ours.verdict, other.verdict));
    }
    Ok(())
}

/// Some contact is within 0.1 % of the micro-slip tolerance: rounding may decide whether it slides.
fn near_threshold(solution: &Solution) -> bool {
    solution.contacts().any(|c| {
        let moved = (c.anchor[0] + c.slip[0]).hypot(c.anchor[1] + c.slip[1]);
        (moved / solution.micro_slip - 1.0).abs() < 1e-3
    })
}

#[test]
fn rigid_motion() {
    Sweep { ways: &WAYS, each: 2, first_seed: 10_000, ..Sweep::ALL }.run(|case| {
        let rotation = Random::new(case.seed).rotation();
        let mut back = Mat6::zeros();
        back.fixed_view_mut::<3, 3>(0, 0).copy_from(&rotation.transpose());
        back.fixed_view_mut::<3, 3>(3, 3).copy_from(&rotation.transpose());
        same("a rotation", case, &case.sample.moved(&rotation), case.settings(), &back)
    });
}

#[test]
fn order_of_contacts() {
    Sweep { ways: &WAYS, each: 2, first_seed: 11_000, ..Sweep::ALL }
        .run(|case| same("another order", case, &case.sample.permuted(case.seed), case.settings(), &Mat6::identity()));
}

#[test]
fn millimetres() {
    Sweep { ways: &WAYS, each: 2, first_seed: 12_000, ..Sweep::ALL }.run(|case| {
        let settings = FrictionSettings { micro_slip: 1e3 * case.settings().micro_slip, ..case.settings() };
        let back = Mat6::from_diagonal(&Vec6::new(1e-3, 1e-3, 1e-3, 1.0, 1.0, 1.0));
        same("millimetres", case, &case.sample.rescaled(1e3), settings, &back)
    });
}

/// By any angle for disks; by a multiple of the polygon's own angle otherwise.
#[test]
fn tangent_basis() {
    Sweep { ways: &WAYS, each: 2, first_seed: 13_000, ..Sweep::ALL }.run(|case| {
        let mut random = Random::new(case.seed);
        let mut turned = case.sample.clone();
        for c in &mut turned.contacts {
            let angle = match case.sample.cone {
                Cone::Disk => random.uniform(0.0, 7.0),
                Cone::Polygon { sides, .. } => std::f64::consts::TAU * random.below(sides) as f64 / sides as f64,
            };
            c.tangent = c.tangent * angle.cos() + c.tangent_v() * angle.sin();
        }
        same("another tangent basis", case, &turned, case.settings(), &Mat6::identity())
    });
}

fn with_friction(sample: &SampleProblem, factor: f64) -> SampleProblem {
    let mut out = sample.clone();
    for c in &mut out.contacts {
        (c.mu_static, c.mu_kinetic) = (c.mu_static * factor, c.mu_kinetic * factor);
    }
    out
}

#[test]
fn more_friction_holds_no_less() {
    Sweep { ways: &[Way::Lp], cones: &CONES[..5], each: 2, first_seed: 14_000, ..Sweep::ALL }.run(|case| {
        if case.is_rank_doubtful() {
            return Ok(());
        }
        let mut held = false;
        for factor in [0.5, 0.9, 0.99, 1.0, 1.01, 1.1, 2.0, 100.0] {
            // Where t times the limit is what is needed, factors within rounding of t are left out.
            if (factor / case.sample.truth.fraction - 1.0).abs() < 1e-8 {
                continue;
            }
            let (_, solution) = solve(&with_friction(&case.sample, factor), case.settings())?;
            let holds = solution.verdict == Verdict::Holds;
            if held && !holds {
                return Err(format!("lets go with more friction: {:?} at {factor}", solution.verdict));
            }
            held |= holds;
        }
        if held { Ok(()) } else { Err("never holds: not even with 100 times the friction".into()) }
    });
}

fn is_frictionless(sample: &SampleProblem, settings: FrictionSettings) -> Result<Solution, String> {
    let (problem, solution) = solve(sample, settings)?;
    let plain = Plain::of(&problem, &solution);
    let apart = plain.distance(&solution.step, &plain.free_step()) / (2.0 * plain.scale()).sqrt();
    // Two ways to solve with K agree to its condition times rounding: 1e8 times 2e-16, and some, at the widest.
    let allowed = if sample.family == Family::WideStiffness { 1e-7 } else { 1e-9 };
    if apart.is_nan() || apart > allowed {
        return Err(format!("step: {apart:e} from the frictionless one, {:?}", solution.verdict));
    }
    if solution.friction != Vec6::zeros() || solution.contacts().any(|c| c.friction != [0.0; 2]) {
        return Err("friction: not zero".into());
    }
    if solution.verdict == Verdict::Undecided {
        return Err("undecided: without friction".into());
    }
    Ok(solution)
}

#[test]
fn no_friction_is_frictionless() {
    Sweep { each: 2, first_seed: 15_000, ..Sweep::ALL }
        .run(|case| is_frictionless(&with_friction(&case.sample, 0.0), case.settings()).map(|_| ()));
}

#[test]
fn contacts_that_do_not_touch_are_not_there() {
    Sweep { each: 1, first_seed: 16_000, ..Sweep::ALL }.run(|case| {
        let mut lifted = case.sample.clone();
        let mut random = Random::new(case.seed);
        for c in &mut lifted.contacts {
            if random.below(2) == 0 {
                c.gap = c.gap.abs() + 1e-6;
            } else {
                c.normal_force = 0.0;
            }
        }
        let mut empty = case.sample.clone();
        empty.contacts.clear();
        for sample in [lifted, empty] {
            let solution = is_frictionless(&sample, case.settings())?;
            if solution.verdict != Verdict::Free || solution.rank != 0 {
                return Err(format!("not free: {:?}, rank {}", solution.verdict, solution.rank));
            }
        }
        Ok(())
    });
}
