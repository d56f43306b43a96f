//! The figures the engine is held to (issue "Foundation and the friction core", section "How good").

use super::tally::SolverRow;
use clap::Args;
use std::io;
use stiction_cli::Failure;
use stiction_cli::output::{line, short};
use stiction_results::{Measurement, ResultLog, Target};

/// One figure with its target.
#[derive(Clone, Debug)]
pub struct BenchFigure {
    name: String,
    target: Target,
    measured: f64,
    unit: &'static str,
}

impl BenchFigure {
    /// A figure that may not be above its target; the unit follows the number.
    pub fn at_most(name: String, target: f64, measured: f64, unit: &'static str) -> Self {
        BenchFigure { name, target: Target::AtMost(target), measured, unit }
    }

    /// The same as a row of a file of results.
    fn measurement(&self) -> Measurement {
        Measurement::new(self.name.clone(), self.measured, self.unit).held_to(self.target)
    }

    /// True when the target is reached.
    pub fn is_met(&self) -> bool {
        self.target.is_met(self.measured)
    }
}

/// (contacts, cone, solver), load that holds: times faster than the fastest general solver, at least.
const FASTER: [(usize, &str, &str, f64); 12] = [
    (98, "8", "stiction-lp", 400.0),
    (98, "8", "stiction-lp-warm", 800.0),
    (98, "8", "stiction-qp", 250.0),
    (98, "8", "stiction-qp-warm", 500.0),
    (98, "disk", "stiction-qp", 250.0),
    (98, "disk", "stiction-qp-warm", 500.0),
    (98, "disk", "stiction-hold", 50.0),
    (98, "disk", "stiction-hold-warm", 100.0),
    (1000, "8", "stiction-lp", 800.0),
    (1000, "8", "stiction-lp-warm", 2000.0),
    (1000, "8", "stiction-qp", 500.0),
    (1000, "8", "stiction-qp-warm", 1000.0),
];

/// Time at 10,000 contacts over that at 98, cold, load that holds.
const GROWTH: [(&str, &str); 4] =
    [("8", "stiction-lp"), ("8", "stiction-qp"), ("disk", "stiction-qp"), ("disk", "stiction-hold")];

/// Every figure for which there are measurements.
pub fn figures(rows: &[SolverRow]) -> Vec<BenchFigure> {
    let find = |contacts: usize, cone: &str, load: &str, solver: &str| {
        rows.iter().find(|r| r.contacts == contacts && r.cone == cone && r.load == load && r.solver == solver)
    };
    let mut out = Vec::new();
    for (contacts, cone, solver, target) in FASTER {
        let faster = find(contacts, cone, "holds", solver).and_then(|r| r.times_faster);
        out.extend(faster.map(|measured| BenchFigure {
            name: format!("{contacts} contacts, cone {cone}, holds: {solver}, times faster"),
            target: Target::AtLeast(target),
            measured,
            unit: " x",
        }));
    }
    for cone in ["8", "disk"] {
        let pair = find(98, cone, "holds", "stiction-hold-fresh").zip(find(98, cone, "holds", "stiction-qp"));
        out.extend(pair.map(|(hold, qp)| {
            let name = format!("98 contacts, cone {cone}, holds: stiction-hold-fresh over stiction-qp");
            BenchFigure::at_most(name, 1.3, hold.p50_us / qp.p50_us, " x")
        }));
    }
    for (cone, solver) in GROWTH {
        let pair = find(10_000, cone, "holds", solver).zip(find(98, cone, "holds", solver));
        out.extend(pair.map(|(large, small)| {
            let name = format!("10,000 contacts over 98, cone {cone}, holds: {solver}");
            BenchFigure::at_most(name, 120.0, large.p50_us / small.p50_us, " x")
        }));
    }
    out.extend(rows.iter().filter(|r| r.contacts == 98 && r.load != "holds").filter_map(iterations));
    let ours = || rows.iter().filter(|r| r.solver.starts_with("stiction"));
    if !out.is_empty() {
        let stalls = ours().map(|r| r.stalls).sum::<usize>() as f64;
        let all: usize = ours().map(|r| r.samples).sum();
        let name = format!("stalls in {all} solves");
        out.push(BenchFigure::at_most(name, 0.0, stalls, ""));
    }
    out
}

/// The corral's iterations for polygons, and those of `hold`.
fn iterations(row: &SolverRow) -> Option<BenchFigure> {
    let target = match row.solver {
        "stiction-lp" | "stiction-lp-warm" => 60.0,
        "stiction-qp" | "stiction-qp-warm" if row.cone != "disk" => 60.0,
        "stiction-hold" | "stiction-hold-warm" => 25.0,
        _ => return None,
    };
    let SolverRow { contacts, cone, load, solver, .. } = row;
    let name = format!("{contacts} contacts, cone {cone}, {load}: {solver}, iterations p99");
    Some(BenchFigure::at_most(name, target, row.iterations_p99, ""))
}

/// Leaves figures, and measurements without targets, as a file of results.
pub fn keep(name: &str, figures: &[BenchFigure], others: impl IntoIterator<Item = Measurement>) -> io::Result<()> {
    let log = ResultLog::of_this_program(name);
    figures.iter().try_for_each(|figure| log.add(&figure.measurement()))?;
    others.into_iter().try_for_each(|measurement| log.add(&measurement))
}

/// Flags of the benches that are held to figures.
#[derive(Args)]
pub struct CheckArgs {
    /// One JSON object per line instead of the table
    #[arg(long)]
    pub json: bool,
    /// Compare with the figures the engine is held to; exit with 1 where one is missed
    #[arg(long)]
    pub check: bool,
}

impl CheckArgs {
    /// Ends a bench: leaves figures, and measurements without targets, as a file of results; with `--check`, prints the figures and fails where one is
    /// missed or where there is none because the run had not what they need.
    pub fn finish(
        &self,
        name: &str,
        figures: &[BenchFigure],
        others: impl IntoIterator<Item = Measurement>,
        needs: &str,
    ) -> Result<(), Failure> {
        keep(name, figures, others)?;
        if !self.check {
            return Ok(());
        }
        if figures.is_empty() {
            return Err(Failure::Usage(format!("--check needs {needs}")));
        }
        self.print(figures)?;
        if figures.iter().all(BenchFigure::is_met) { Ok(()) } else { Err(Failure::Missed) }
    }

    /// Prints every figure: to standard error when standard output is for JSON.
    fn print(&self, figures: &[BenchFigure]) -> io::Result<()> {
        let mut lines =
            vec![String::new(), format!("{:<74}{:>10}{:>11}", "figure", "target", "measured"), "─".repeat(103)];
        for f in figures {
            let target = format!("{}{}", f.target, f.unit);
            let measured =
                format!("{}{}", if f.unit.is_empty() { f.measured.to_string() } else { short(f.measured) }, f.unit);
            let verdict = if f.is_met() { "pass" } else { "MISS" };
            lines.push(format!("{:<74}{target:>10}{measured:>11}  {verdict}", f.name));
        }
        let missed = figures.iter().filter(|f| !f.is_met()).count();
        lines.push(format!("{} of {} figures met, {missed} missed", figures.len() - missed, figures.len()));
        for text in &lines {
            if self.json { eprintln!("{text}") } else { line(text)? }
        }
        Ok(())
    }
}
