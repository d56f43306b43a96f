//! Times the general solvers on fresh problems: p50, p99 and how they ended.
//!
//! `cargo run --release -p stiction-reference --example time-solvers -- [contacts] [problems]`
//!
//! Building a solver's input arrays is not timed; everything the solver does with them is.

use std::time::Instant;
use stiction::friction::{Cone, Metric};
use stiction_reference::families::{Family, Layout, static_limits};
use stiction_reference::{Answer, Clarabel, Microlp, Program, Question, Status};

const SIDES: usize = 8;

type Prepared = Box<dyn Fn() -> Answer>;

/// One solver's arrays for one question.
fn prepare(name: &str, question: &Question) -> Prepared {
    let slips = vec![[3e-7, -2e-7]; question.limits.len()];
    let disk = Question { cone: Cone::Disk, ..*question };
    let program = match name {
        "microlp LP" => {
            let lp = Microlp::lp(question).expect("a valid question");
            return Box::new(move || lp.solve());
        }
        "clarabel LP" => Program::lp(question),
        "clarabel QP mass" => Program::qp(question, Metric::Mass),
        "clarabel QP stiffness" => Program::qp(question, Metric::Stiffness),
        "clarabel SOCP mass" => Program::qp(&disk, Metric::Mass),
        "clarabel SOCP stiffness" => Program::qp(&disk, Metric::Stiffness),
        "clarabel hold disk" => Program::hold(&disk, &slips),
        _ => Program::hold(question, &slips),
    };
    let clarabel = Clarabel::new(program.expect("a valid question"));
    Box::new(move || clarabel.solve())
}

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let contacts = numbers.first().copied().unwrap_or(98);
    let problems = numbers.get(1).copied().unwrap_or(60);
    let names = [
        "clarabel LP",
        "microlp LP",
        "clarabel QP mass",
        "clarabel QP stiffness",
        "clarabel SOCP mass",
        "clarabel SOCP stiffness",
        "clarabel hold disk",
        "clarabel hold polygon",
    ];
    println!("{contacts} contacts, {SIDES} sides, {problems} fresh problems each; microseconds");
    println!("layout    load  solver                        p50      p99  iterations  solved/almost/infeasible/failed");
    for (layout, load) in
        [(Layout::Plane, 0.6), (Layout::Plane, 1.5), (Layout::Scattered, 0.6), (Layout::Scattered, 1.5)]
    {
        for name in names {
            let (mut times, mut iterations, mut ends) = (Vec::new(), 0, [0; 4]);
            for seed in 0..problems as u64 {
                let problem = Family { contacts, layout, load }.problem(1000 + seed).expect("a valid family");
                let limits = static_limits(&problem);
                let question = Question { problem: &problem, limits: &limits, cone: Cone::paper(SIDES) };
                let solve = prepare(name, &question);
                let start = Instant::now();
                let answer = solve();
                times.push(start.elapsed().as_secs_f64() * 1e6);
                iterations += answer.iterations;
                ends[match answer.status {
                    Status::Solved => 0,
                    Status::AlmostSolved => 1,
                    Status::Infeasible => 2,
                    Status::Failed => 3,
                }] += 1;
            }
            times.sort_by(f64::total_cmp);
            let at = |fraction: f64| times[((times.len() - 1) as f64 * fraction).round() as usize];
            let mean = f64::from(iterations) / problems.max(1) as f64;
            let layout = format!("{layout:?}");
            let (p50, p99) = (at(0.5), at(0.99));
            println!("{layout:<9} {load:<4}  {name:<24} {p50:>8.0} {p99:>8.0}  {mean:>10.1}  {ends:?}");
        }
    }
}
