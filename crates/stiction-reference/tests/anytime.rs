//! Stopped by any budget the answer is legal: admissible friction, the step that follows from it, an objective that
//! does not rise with the budget and is never above the frictionless one.

mod plain;
mod sweep;

use plain::Plain;
use stiction::friction::verify::verify;
use stiction::friction::{FrictionSettings, Verdict};
use sweep::{Case, Sweep, Way};

/// Rounding of an objective, relative to the frictionless one.
const ROUNDING: f64 = 1e-12;

fn check(case: &Case) -> Result<(), String> {
    let problem = case.sample.problem().map_err(|e| e.to_string())?;
    let budgets = (1..=16).chain([20, 25, 32, 40, 50, 64, 80, 100, 150, 400, u32::MAX]);
    let mut before = f64::INFINITY;
    let mut decided = None;
    for budget in budgets {
        let mut solver = case.solver(&problem, FrictionSettings { budget, ..case.settings() })?;
        let answer = solver.solve(&problem).map_err(|e| e.to_string())?;
        if !answer.step.iter().chain(answer.friction.iter()).all(|x| x.is_finite()) {
            return Err(format!("not finite: budget {budget}"));
        }
        // Without a certificate these are the claims about friction, slip, states and balance.
        let epsilon = case.epsilon();
        let verification = verify(&problem, answer);
        verification
            .check(epsilon)
            .map_err(|e| format!("{:?}: {e}, budget {budget}, {:?}", e.claim, answer.verdict))?;
        if answer.verdict == Verdict::Undecided && decided.is_some() {
            return Err(format!("undecided: with budget {budget}, {decided:?} with less"));
        }
        if answer.verdict != Verdict::Undecided {
            let first = *decided.get_or_insert(answer.verdict);
            if first != answer.verdict {
                return Err(format!("other verdict: {first:?}, then {:?} with budget {budget}", answer.verdict));
            }
        }
        // The linear program minimises nothing, and a shifted metric is not published.
        if case.way == Way::Lp || answer.metric_shifted {
            continue;
        }
        let plain = Plain::of(&problem, answer);
        let friction: Vec<_> = answer.contacts().map(|c| c.friction).collect();
        let (now, scale) = (plain.objective(&friction), plain.scale());
        let none = plain.objective(&vec![[0.0; 2]; friction.len()]);
        if now.is_nan() || now > none + ROUNDING * scale {
            return Err(format!("worse than no friction: by {:e}, budget {budget}", (now - none) / scale));
        }
        if now > before + ROUNDING * scale {
            return Err(format!("rises with the budget: by {:e} at {budget}", (now - before) / scale));
        }
        before = now;
    }
    Ok(())
}

#[test]
fn any_budget_is_enough_for_a_legal_answer() {
    Sweep { each: 2, first_seed: 20_000, ..Sweep::ALL }.run(check);
}
