//! Figure 5: see this folder's `README.md`.

use crate::check::Check;
use crate::clock::timed;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::median;
use crate::table::FigureTable;
use std::f64::consts::TAU;
use stiction::contact::ContactProblem;
use stiction::friction::{Cone, FrictionSettings, FrictionSolver, Method, Metric, Verdict};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction_reference::{Clarabel, Microlp, Program, Question, static_limits};

const EDGE: f64 = 0.042;
const NAMES: [&str; 5] = ["general LP", "general QP", "simplex LP", "our LP", "our QP"];

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let problems = problems(ctx)?;
    let cone = Cone::paper(4);
    let solver = |method| {
        FrictionSolver::new(FrictionSettings { method, cone, warm_start: false, ..FrictionSettings::default() }, 2000)
    };
    let (mut lp, mut qp) = (solver(Method::Lp)?, solver(Method::Qp(Metric::Mass))?);
    let mut times: [Vec<[f64; 2]>; 5] = Default::default();
    let mut table = FigureTable::new(
        "",
        &["problem", "contacts", "verdict", "general_lp_s", "general_qp_s", "simplex_lp_s", "our_lp_s", "our_qp_s"],
    );
    let mut apart: f64 = 0.0;
    let (mut holds, mut agree) = (0, 0);
    for (i, problem) in problems.iter().enumerate() {
        ctx.go_on()?;
        let limits = static_limits(problem);
        let question = Question { problem, limits: &limits, cone };
        let general = [Clarabel::new(Program::lp(&question)?), Clarabel::new(Program::qp(&question, Metric::Mass)?)];
        let simplex = Microlp::lp(&question)?;
        let (answer, t0) = timed(|| general[0].solve());
        let (_, t1) = timed(|| general[1].solve());
        let (_, t2) = timed(|| simplex.solve());
        let (ours, t3) = best_of(&mut lp, problem)?;
        let (ours_qp, t4) = best_of(&mut qp, problem)?;
        let verdict = ours.0;
        agree += usize::from(answer.feasible() == Some(verdict == Verdict::Holds));
        if verdict == Verdict::Holds {
            holds += 1;
            let free = problem.load().stiffness.lu().solve(&problem.load().wrench).unwrap_or_default();
            apart = apart.max((ours.1 - ours_qp.1).norm() / free.norm());
        }
        let row = [t0, t1, t2, t3, t4];
        table.row(&[&i, &problem.len(), &format!("{verdict:?}"), &t0, &t1, &t2, &t3, &t4]);
        for (all, t) in times.iter_mut().zip(row) {
            all.push([i as f64, t * 1e3]);
        }
    }
    let medians = times.each_ref().map(|t| median(&t.iter().map(|p| p[1]).collect::<Vec<_>>()));
    let ratio = medians[1] / medians[0];
    let count = Panel::new("contacts", Axis::linear("problem"), Axis::linear("contacts").range(0.0, 130.0))
        .with("", Style::Step, 0, problems.iter().enumerate().map(|(i, p)| [i as f64, p.len() as f64]).collect())
        .high(90.0);
    let mut panel = Panel::new("time of a solve", Axis::linear("problem"), Axis::log("time (ms)"));
    for (i, points) in times.into_iter().enumerate() {
        panel = panel.with(format!("{}, {:.3} ms", NAMES[i], medians[i]), Style::Line, i, points);
    }
    Ok(FigureOutcome {
        measured: format!(
            "general solver: linear program {:.2} ms, quadratic program {:.2} ms, ratio {ratio:.2} (paper 6.1); ours {:.4} and {:.4} ms, \
             ratio {:.2}; simplex on the linear program {:.2} ms; {agree} of {} verdicts of the general solver agree with ours, {holds} hold",
            medians[0], medians[1], medians[3], medians[4], medians[4] / medians[3], medians[2], problems.len()
        ),
        why: "The paper's factor is SNOPT's: an active-set method that finds a feasible point sooner than an optimum. An interior-point \
              method needs about as many iterations for either program, and the literal linear program has more rows (the stationarity \
              conditions), so that it is not the cheaper one there. In the six-dimensional form both cost microseconds and \
              the choice between them is one of physics."
            .into(),
        checks: vec![
            Check::at_least("quadratic over linear program, general solver", ratio, 3.0),
            Check::at_most("difference of the steps where static, relative", apart, 1e-8),
            Check::at_least("problems that hold", f64::from(holds), 1.0),
        ],
        tables: vec![table],
        pictures: vec![Picture { name: "", svg: svg("Linear and quadratic program on the same contact problems", &[count, panel.high(300.0)]) }],
    })
}

type Answer = (Verdict, Vec6);

/// The answer, and the median of a few cold solves (s).
fn best_of(solver: &mut FrictionSolver, problem: &ContactProblem) -> Result<(Answer, f64), FigureError> {
    let mut times = Vec::new();
    for _ in 0..5 {
        solver.reset();
        let (done, seconds) = timed(|| solver.solve(problem).map(|_| ()));
        done?;
        times.push(seconds);
    }
    let answer = solver.solution();
    Ok(((answer.verdict, answer.step), median(&times)))
}

/// Contact problems of a shaken cube.
fn problems(ctx: &Context) -> Result<Vec<ContactProblem>, FigureError> {
    let scene = FigureScene {
        settings: lab::paper(0.2, 0.6),
        parts: lab::corner(ctx, EDGE)?,
        world_from_fixed: Pose::identity(),
    };
    let mut out = Vec::new();
    let wanted = ctx.pick(120, 6);
    for place in 0..60 {
        let (mut engine, hand) = lab::pressed(&scene, EDGE, -0.09 + 0.003 * f64::from(place), 0.005)?;
        for tick in 0..80 {
            let shake = 0.004 * (TAU * f64::from(tick) / 40.0).sin();
            engine.tick(&lab::moved(&hand, Vec3::z() * shake), &Vec6::zeros());
            let fits = (93..=103).contains(&engine.problem().len()) || ctx.quick;
            if fits && tick % 7 == 3 && out.len() < wanted {
                out.push(engine.problem().clone());
            }
        }
    }
    if out.is_empty() {
        return Err(FigureError::Setup("no problem with about 98 contacts came up".into()));
    }
    Ok(out)
}
