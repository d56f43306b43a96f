//! The engine against the literal programs in general solvers.
//!
//! Where the two differ, plain arithmetic decides: the engine's verdict must be proved by its certificate, and its
//! objective must not be above what the general solver's own friction, pulled back into the limits, achieves. How
//! often that was necessary is printed. A difference that is not explained so is a failure.

mod plain;
mod sweep;

use plain::{Plain, columns};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use stiction::contact::ContactProblem;
use stiction::friction::verify::verify;
use stiction::friction::{Certificate, Method, Solution, Verdict};
use stiction::spatial::Vec6;
use stiction_reference::families::{Family, Loading};
use stiction_reference::{
    Answer, Question, ReferenceError, Status, clarabel_hold, clarabel_lp, clarabel_qp, microlp_lp, static_limits,
};
use sweep::{Case, Sweep, Way};

/// Steps that differ by less, relative to the frictionless one, are the same.
const SAME_STEP: f64 = 1e-6;
/// The gap to which the general solver and our certificates are asked for, relative to the frictionless objective.
const TOLERANCE: f64 = 1e-9;
/// Rounding of an objective evaluated in plain arithmetic, relative likewise.
const ROUNDING: f64 = 1e-12;

/// How often the general solver had to be excused.
struct Tally {
    what: &'static str,
    problems: AtomicU64,
    unanswered: AtomicU64,
    other_verdict: AtomicU64,
    other_step: AtomicU64,
    /// The engine's proof holds to ε, but the family's truth is the general solver's: the rank is a matter of tolerance.
    ill_posed: AtomicU64,
    /// Steps differ and objectives do not, to rounding: nobody is the better one.
    alike: AtomicU64,
    not_convex: AtomicU64,
}

impl Tally {
    fn of(what: &'static str) -> Self {
        let [problems, unanswered, other_verdict, other_step, ill_posed, alike, not_convex] =
            [const { AtomicU64::new(0) }; 7];
        Self { what, problems, unanswered, other_verdict, other_step, ill_posed, alike, not_convex }
    }
}

/// Printed also when the test fails.
impl Drop for Tally {
    fn drop(&mut self) {
        let count = |n: &AtomicU64| n.load(Relaxed);
        println!(
            "{}: {} problems; general solver: no answer {}, verdict proved wrong {}, verdict differs where only ε is \
             demanded {}, step differs and objective worse {}, step differs and objective alike {}; not convex {}",
            self.what,
            count(&self.problems),
            count(&self.unanswered),
            count(&self.other_verdict),
            count(&self.ill_posed),
            count(&self.other_step),
            count(&self.alike),
            count(&self.not_convex)
        );
    }
}

fn lp(case: &Case, tally: &Tally, general: fn(&Question) -> Result<Answer, ReferenceError>) -> Result<(), String> {
    tally.problems.fetch_add(1, Relaxed);
    let problem = case.sample.problem().map_err(|e| e.to_string())?;
    let limits = static_limits(&problem);
    let question = Question { problem: &problem, limits: &limits, cone: case.sample.cone };
    let theirs = general(&question).map_err(|e| e.to_string())?;
    let mut solver = case.solver(&problem, case.settings())?;
    let ours = solver.solve(&problem).map_err(|e| e.to_string())?;
    let Some(feasible) = theirs.feasible() else {
        tally.unanswered.fetch_add(1, Relaxed);
        return Ok(());
    };
    let proof = verify(&problem, ours);
    // Whatever is proved to 1e-9 is proved better than rows that hold to 1e-9 of the largest number among them.
    let proved = proof.complete && proof.holds_to(case.epsilon());
    if feasible != (ours.verdict == Verdict::Holds) {
        if !proved {
            return Err(format!("verdict: {:?}, general solver {:?}, and no proof", ours.verdict, theirs.status));
        }
        let true_to_family = ours.verdict == case.sample.truth.verdict;
        if !true_to_family && !case.is_rank_doubtful() && case.sample.loading != Loading::EdgeClose {
            return Err(format!("verdict: {:?}, and the family says otherwise", ours.verdict));
        }
        let tally = if true_to_family { &tally.other_verdict } else { &tally.ill_posed };
        tally.fetch_add(1, Relaxed);
    } else if feasible {
        let apart = relative(&problem, &(ours.step - theirs.step));
        if apart > SAME_STEP {
            let residual = held_step_error(&problem, &theirs);
            if !proved || held_step_error(&problem, &as_answer(ours, lambda(ours))) > residual {
                return Err(format!("step: {apart:e} apart, residual of the general solver {residual:e}"));
            }
            tally.other_step.fetch_add(1, Relaxed);
        }
    }
    Ok(())
}

fn lambda(solution: &Solution) -> Vec6 {
    match solution.certificate {
        Certificate::Balanced { lambda } => lambda,
        _ => Vec6::zeros(),
    }
}

fn as_answer(solution: &Solution, lambda: Vec6) -> Answer {
    let friction = solution.contacts().map(|c| c.friction).collect();
    Answer { status: Status::Solved, step: solution.step, friction, lambda, objective: 0.0, iterations: 0 }
}

/// Size of a step relative to the frictionless one, rotations times 5 cm.
fn relative(problem: &ContactProblem, step: &Vec6) -> f64 {
    let load = problem.load();
    let free = load.stiffness.lu().solve(&load.wrench).unwrap_or_default();
    let size = |q: &Vec6| q.fixed_rows::<3>(0).norm() + 0.05 * q.fixed_rows::<3>(3).norm();
    size(step) / size(&free)
}

/// The largest violation of (32)-(36), each relative to the terms it is made of, for a step with its multiplier.
fn held_step_error(problem: &ContactProblem, answer: &Answer) -> f64 {
    let load = problem.load();
    let torque = |w: Vec6| Vec6::from_fn(|i, _| if i < 3 { w[i] } else { w[i] / 0.05 }).norm();
    let transposed = load.stiffness.transpose();
    let slope = load.mass * answer.step + transposed * answer.lambda;
    let mut worst =
        torque(slope) / torque(load.mass.abs() * answer.step.abs() + transposed.abs() * answer.lambda.abs());
    let (mut rest, mut terms) = (load.wrench + load.stiffness * answer.step, load.wrench.abs());
    for (c, b) in problem.contacts().iter().zip(&answer.friction) {
        let g = columns(c);
        rest += g[0] * b[0] + g[1] * b[1];
        terms += (g[0] * b[0]).abs() + (g[1] * b[1]).abs();
        let size = answer.lambda.fixed_rows::<3>(0).norm() + c.point.norm() * answer.lambda.fixed_rows::<3>(3).norm();
        let slip = g[0].dot(&answer.lambda).hypot(g[1].dot(&answer.lambda));
        worst = worst.max(if size > 0.0 { slip / size } else { 0.0 });
    }
    worst.max(torque(rest) / torque(terms))
}

fn qp(case: &Case, tally: &Tally) -> Result<(), String> {
    tally.problems.fetch_add(1, Relaxed);
    let problem = case.sample.problem().map_err(|e| e.to_string())?;
    let mut solver = case.solver(&problem, case.settings())?;
    let ours = solver.solve(&problem).map_err(|e| e.to_string())?;
    let plain = Plain::of(&problem, ours);
    let question = Question { problem: &problem, limits: plain.limits(), cone: case.sample.cone };
    let theirs = match case.way.method() {
        Method::Qp(metric) => clarabel_qp(&question, metric),
        _ => clarabel_hold(&question, plain.anchors()),
    };
    let theirs = match theirs {
        Err(ReferenceError::NotConvex) => {
            tally.not_convex.fetch_add(1, Relaxed);
            return Ok(());
        }
        other => other.map_err(|e| e.to_string())?,
    };
    if theirs.status != Status::Solved {
        tally.unanswered.fetch_add(1, Relaxed);
    }
    if matches!(theirs.status, Status::Infeasible | Status::Failed) {
        return Ok(());
    }
    let friction: Vec<_> = ours.contacts().map(|c| c.friction).collect();
    let repaired = plain.repaired(&theirs.friction);
    let scale = plain.scale();
    let (mine, other) = (plain.objective(&friction), plain.objective(&repaired));
    let excess = (mine - other) / scale;
    let differs = plain.distance(&ours.step, &theirs.step) > SAME_STEP * (2.0 * scale).sqrt();
    if excess.is_nan() || excess > if differs { ROUNDING } else { TOLERANCE } {
        return Err(format!("objective: above the general solver's by {excess:e}, {:?}", ours.verdict));
    }
    // Both within their own gaps of the optimum, in the metric: so near must they be.
    let (gap, other_gap) = (plain.gap(&friction).max(0.0), plain.gap(&repaired).max(0.0));
    let allowed = (2.0 * gap).sqrt() + (2.0 * other_gap).sqrt() + 1e-7 * scale.sqrt();
    let apart = plain.distance(&ours.step, &plain.step(&repaired));
    if apart > allowed {
        return Err(format!("step: {apart:e} apart, gaps allow {allowed:e}"));
    }
    if differs {
        let tally = if excess < 0.0 { &tally.other_step } else { &tally.alike };
        tally.fetch_add(1, Relaxed);
    }
    Ok(())
}

#[test]
fn linear_program_in_clarabel() {
    let tally = Tally::of("lp, Clarabel");
    Sweep { ways: &[Way::Lp], each: 8, first_seed: 3000, contacts: 40, ..Sweep::ALL }
        .run(|case| lp(case, &tally, clarabel_lp));
}

#[test]
fn linear_program_in_a_simplex() {
    let tally = Tally::of("lp, microlp");
    let sweep = Sweep { ways: &[Way::Lp], each: 4, first_seed: 4000, contacts: 24, ..Sweep::ALL };
    sweep.run(|case| if case.contacts > 98 { Ok(()) } else { lp(case, &tally, microlp_lp) });
}

#[test]
fn quadratic_and_cone_programs_in_clarabel() {
    let tally = Tally::of("qp, Clarabel");
    Sweep { ways: &[Way::QpMass, Way::QpStiffness], each: 6, first_seed: 5000, contacts: 40, ..Sweep::ALL }
        .run(|case| qp(case, &tally));
}

#[test]
fn holding_in_clarabel() {
    let tally = Tally::of("hold, Clarabel");
    Sweep { ways: &[Way::Hold, Way::HoldWithMemory], each: 6, first_seed: 6000, contacts: 40, ..Sweep::ALL }
        .run(|case| qp(case, &tally));
}

#[test]
fn ordinary_problems_need_no_excuse() {
    // Away from the edge and from extreme numbers the general solvers are good: differences would be ours.
    let families = [Family::Planar, Family::Corner, Family::ThreeWalls, Family::Peg, Family::RandomNormals];
    let loadings = [Loading::Holds, Loading::Slips];
    let tally = Tally::of("ordinary problems");
    Sweep { families: &families, loadings: &loadings, each: 4, first_seed: 7000, contacts: 40, ..Sweep::ALL }
        .run(|case| if case.way == Way::Lp { lp(case, &tally, clarabel_lp) } else { qp(case, &tally) });
    assert_eq!(tally.other_verdict.load(Relaxed), 0);
}
