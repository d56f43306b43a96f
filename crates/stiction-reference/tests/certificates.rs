//! Every answer of every solver carries a proof that an independent check accepts, and the verdict of the linear
//! program is the one the family was built for.

mod sweep;

use std::sync::atomic::{AtomicUsize, Ordering};
use stiction::friction::verify::verify;
use stiction::friction::{Cone, Verdict};
use stiction_reference::families::{Family, Loading};
use sweep::{Case, Sweep, Way};

static UNDECIDED: AtomicUsize = AtomicUsize::new(0);

fn check(case: &Case) -> Result<(), String> {
    let problem = case.sample.problem().map_err(|e| e.to_string())?;
    let mut solver = case.solver(&problem, case.settings())?;
    let answer = solver.solve(&problem).map_err(|e| e.to_string())?;
    let numbers = || {
        let (v, i, p, s, r) = (answer.verdict, answer.iterations, answer.passes, answer.stalled, answer.rank);
        format!("{v:?} after {i} iterations, {p} passes, stalled {s}, rank {r}, t = {}", case.sample.truth.fraction)
    };
    if answer.verdict == Verdict::Undecided {
        // Polygons with slip memory: the interior-point method stalls on a few in a hundred thousand, says so, and its friction is
        // admissible. Known, and told in the README; more than that is a failure.
        let known = case.way == Way::HoldWithMemory && case.sample.cone != Cone::Disk && answer.stalled;
        if known && UNDECIDED.fetch_add(1, Ordering::Relaxed) < 5 {
            println!("known limit: {}", numbers());
            return verify(&problem, answer).check(case.epsilon()).map_err(|e| e.to_string());
        }
        return Err(format!("undecided: {}", numbers()));
    }
    let verification = verify(&problem, answer);
    verification.check(case.epsilon()).map_err(|e| format!("{:?}: {e}; {}", e.claim, numbers()))?;
    if !verification.complete && !answer.metric_shifted {
        return Err(format!("incomplete: {}", numbers()));
    }
    let judged = case.way == Way::Lp && case.sample.loading != Loading::EdgeClose && !case.is_rank_doubtful();
    if judged && answer.verdict != case.sample.truth.verdict {
        return Err(format!("verdict: {}", numbers()));
    }
    Ok(())
}

#[test]
fn every_answer_is_proved() {
    Sweep { each: 40, ..Sweep::ALL }.run(check);
}

#[test]
fn normals_parallel_to_any_degree() {
    let families: Vec<Family> = (3..=12).map(|exponent| Family::NearlyParallel { exponent }).collect();
    Sweep { families: &families, each: 10, first_seed: 1000, ..Sweep::ALL }.run(check);
}

#[test]
fn a_handful_of_contacts() {
    Sweep { each: 20, first_seed: 2000, contacts: 5, ..Sweep::ALL }.run(check);
}
