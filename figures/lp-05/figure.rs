//! Figure 5: see this folder's `README.md`.

use crate::check::{Check, number};
use crate::clock::timed;
use crate::figure::{Context, FigureError, FigureOutcome, Picture};
use crate::lab::{self, FigureScene};
use crate::plot::{Axis, Panel, Style, svg};
use crate::stats::median;
use crate::table::FigureTable;
use serde_json::Value;
use std::f64::consts::TAU;
use std::fmt::Display;
use stiction::contact::ContactProblem;
use stiction::friction::{Cone, FrictionSettings, FrictionSolver, Method, Metric, Verdict};
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction_reference::{Clarabel, Microlp, Program, Question, static_limits};

const EDGE: f64 = 0.042;
const SIDES: usize = 4;
const NAMES: [&str; 5] = ["general LP", "general QP", "simplex LP", "our LP", "our QP"];

pub fn run(ctx: &Context) -> Result<FigureOutcome, FigureError> {
    let problems = problems(ctx)?;
    let cone = Cone::paper(SIDES);
    let solver = |method| {
        FrictionSolver::new(FrictionSettings { method, cone, warm_start: false, ..FrictionSettings::default() }, 2000)
    };
    let (mut lp, mut qp) = (solver(Method::Lp)?, solver(Method::Qp(Metric::Mass))?);
    let mut times: [Vec<[f64; 2]>; 5] = Default::default();
    let mut table = FigureTable::new(
        "",
        &["problem", "contacts", "verdict", "general_lp_s", "general_qp_s", "simplex_lp_s", "our_lp_s", "our_qp_s"],
    );
    let (mut loads, mut touching) = (loads_table(), FigureTable::new("contacts", &CONTACT_COLUMNS));
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
        export(i, problem, verdict, &ours.1, [&mut loads, &mut touching]);
        let row = [t0, t1, t2, t3, t4];
        table.row(&[&i, &problem.len(), &format!("{verdict:?}"), &t0, &t1, &t2, &t3, &t4]);
        for (all, t) in times.iter_mut().zip(row) {
            all.push([i as f64, t * 1e3]);
        }
    }
    let medians = times.each_ref().map(|t| median(&t.iter().map(|p| p[1]).collect::<Vec<_>>()));
    let count = Panel::new("contacts", Axis::linear("problem"), Axis::linear("contacts").range(0.0, 130.0))
        .with("", Style::Step, 0, problems.iter().enumerate().map(|(i, p)| [i as f64, p.len() as f64]).collect())
        .high(90.0);
    let mut panel = Panel::new("time of a solve", Axis::linear("problem"), Axis::log("time (ms)"));
    for (i, points) in times.into_iter().enumerate() {
        panel = panel.with(format!("{}, {:.3} ms", NAMES[i], medians[i]), Style::Line, i, points);
    }
    let peers = ActiveSets::of(&touching);
    let mut others = Panel::new("simplex and active sets", Axis::linear("problem"), Axis::log("time (ms)"));
    for (i, (name, median, points)) in peers.series.iter().enumerate() {
        others = others.with(format!("{}, {median:.1} ms", short(name)), Style::Line, i, points.clone());
    }
    let ratio = |a: &str, b: &str| peers.median(a) / peers.median(b);
    let of = |program: &str, form: &str| format!("{program}, {form}");
    let (lp, qp, daqp) = ("LP, HiGHS dual simplex", "QP, HiGHS active set", "QP, DAQP");
    let pairs: Vec<(&str, f64)> = FORMS.iter().map(|form| (*form, ratio(&of(qp, form), &of(lp, form)))).collect();
    let forms: Vec<(&str, f64)> =
        [lp, qp, daqp].iter().map(|p| (*p, ratio(&of(p, FORMS[1]), &of(p, FORMS[0])))).collect();
    let mut checks =
        vec![Check::at_least("quadratic over linear program, interior point (Clarabel)", medians[1] / medians[0], 3.0)];
    let what = |form: &str| format!("quadratic over linear program, active set and simplex (HiGHS), {form}");
    checks.extend(pairs.iter().map(|(form, ratio)| Check::at_least(what(form), *ratio, 3.0)));
    checks.extend(
        forms.iter().map(|(p, ratio)| Check::at_least(format!("impulses over two unknowns, {p}"), *ratio, 1.0)),
    );
    checks.push(Check::at_most("difference of the steps where static, relative", apart, 1e-8));
    checks.push(Check::at_least("problems that hold", f64::from(holds), 1.0));
    let n = |x: &f64| number(*x);
    Ok(FigureOutcome {
        measured: format!(
            "interior point (Clarabel): linear program {:.2} ms, quadratic program {:.2} ms, ratio {:.2} (paper 6.1); HiGHS, active set over simplex: {}; impulses over two unknowns: {}; \
             ours {:.4} and {:.4} ms, ratio {:.2}; another simplex (microlp) on the linear program {:.2} ms; {agree} of {} verdicts of Clarabel agree with ours, {holds} hold. {}",
            medians[0],
            medians[1],
            medians[1] / medians[0],
            pairs.iter().map(|(form, x)| format!("{form} {}", n(x))).collect::<Vec<_>>().join(", "),
            forms.iter().map(|(p, x)| format!("{p} {}", n(x))).collect::<Vec<_>>().join(", "),
            medians[3],
            medians[4],
            medians[4] / medians[3],
            medians[2],
            problems.len(),
            peers.origin
        ),
        why: "The paper solves its linear programs with SNOPT; which solver took 5.15 ms for the quadratic ones it does not say. In methods that move from vertex to vertex the linear program is the cheaper one: a feasible point is found sooner than an optimum. The paper's factor is not there in any of these solvers. An interior-point method needs about as many iterations for either program, and the literal linear program has more rows (the stationarity conditions). Whether two unknowns or \
              impulses are faster depends on the solver. In the six-dimensional form both programs cost microseconds and the choice between them is one of physics."
            .into(),
        checks,
        tables: vec![table, loads, touching],
        pictures: vec![Picture {
            name: "",
            svg: svg("Linear and quadratic program on the same contact problems", &[count, panel.high(260.0), others.high(260.0)]),
        }],
    })
}

/// A name that fits beside a plot: equations instead of forms.
fn short(name: &str) -> String {
    let words =
        [(" dual simplex", ""), (" active set", ""), ("two unknowns", "(12)"), ("impulses", "(14)"), (", ", " ")];
    words.iter().fold(name.to_owned(), |name, (long, short)| name.replace(long, short))
}

/// The two forms of a friction pyramid.
const FORMS: [&str; 2] = ["two unknowns", "impulses"];

/// What `bench/peers/run-programs` measured on these very problems; nothing where it was not run on them.
struct ActiveSets {
    /// Name, median (ms), and the time of each problem.
    series: Vec<(String, f64, Vec<[f64; 2]>)>,
    origin: String,
}

impl ActiveSets {
    fn of(contacts: &FigureTable) -> ActiveSets {
        let path = stiction_results::folder().and_then(|folder| Some(folder.parent()?.join("peers/programs.json")));
        let text = path.and_then(|path| std::fs::read_to_string(path).ok());
        let value: Value = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null);
        let same = value["problems"].as_str() == Some(&fingerprint(contacts.csv()));
        let Some(all) = value["series"].as_object().filter(|_| same) else {
            let origin = "Simplex and active sets were not measured on these problems: bench/peers/run-programs does that, then run this figure again.";
            return ActiveSets { series: Vec::new(), origin: origin.into() };
        };
        let times = |row: &Value| {
            row["times_ms"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_f64)
                .enumerate()
                .map(|(i, t)| [i as f64, t])
                .collect()
        };
        let series =
            all.iter().map(|(name, row)| (name.clone(), row["median_ms"].as_f64().unwrap_or(f64::NAN), times(row)));
        let word = |key: &str| value[key].as_str().unwrap_or("unknown").to_owned();
        let origin =
            format!("HiGHS and DAQP: `{}` at commit {} on {}.", word("command"), word("commit"), word("machine"));
        ActiveSets { series: series.collect(), origin }
    }

    /// The median of a series (ms); none where there is none.
    fn median(&self, name: &str) -> f64 {
        self.series.iter().find(|(n, _, _)| n == name).map_or(f64::NAN, |(_, median, _)| *median)
    }
}

/// FNV-1a, 64 bits, in hexadecimal digits.
fn fingerprint(text: &str) -> String {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
}

/// Columns of the contacts' table.
const CONTACT_COLUMNS: [&str; 11] = ["problem", "px", "py", "pz", "ux", "uy", "uz", "vx", "vy", "vz", "limit_n"];

/// The table of all that a problem has besides its contacts: f, K, M̃ by rows, sides, our verdict and step.
fn loads_table() -> FigureTable {
    let six = |name: &'static str| (0..6).map(move |i| format!("{name}{i}"));
    let matrix = |name: &'static str| (0..36).map(move |i| format!("{name}{}{}", i / 6, i % 6));
    let columns = ["problem".to_owned()].into_iter().chain(six("f")).chain(matrix("k")).chain(matrix("m"));
    let columns: Vec<String> = columns.chain(["sides", "verdict"].map(String::from)).chain(six("q")).collect();
    FigureTable::new("loads", &columns.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Adds a problem to the tables that `bench/peers/run-programs` reads.
fn export(
    number: usize,
    problem: &ContactProblem,
    verdict: Verdict,
    step: &Vec6,
    [loads, touching]: [&mut FigureTable; 2],
) {
    let load = problem.load();
    let (k, m) = (load.stiffness.transpose(), load.mass.transpose());
    let numbers = load.wrench.iter().chain(k.iter()).chain(m.iter());
    let verdict = format!("{verdict:?}");
    let cells = std::iter::once(&number as &dyn Display).chain(numbers.map(|x| x as &dyn Display));
    let cells = cells.chain([&SIDES as &dyn Display, &verdict]).chain(step.iter().map(|x| x as &dyn Display));
    loads.row(&cells.collect::<Vec<_>>());
    for c in problem.contacts().iter().filter(|c| !c.is_separated()) {
        let (v, limit) = (c.tangent_v(), c.mu_static * c.normal_force);
        let numbers = c.point.iter().chain(c.tangent.iter()).chain(v.iter()).chain([&limit]);
        let cells = std::iter::once(&number as &dyn Display).chain(numbers.map(|x| x as &dyn Display));
        touching.row(&cells.collect::<Vec<_>>());
    }
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
