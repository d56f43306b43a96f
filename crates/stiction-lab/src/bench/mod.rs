//! `stiction-lab bench friction`: the engine's friction solvers beside general ones, on the same fresh problems.
//!
//! [`plan`] says what is measured and for how long, [`pose`] makes problems, [`ours`] and [`general`] solve and time
//! them, [`group`] interleaves the two, [`tally`] sums up, [`RowPrinter`] prints, [`check`] compares with the targets.

mod bake;
mod before;
mod budget;
mod check;
mod curved;
mod general;
mod group;
mod holding;
mod ours;
mod plan;
mod pose;
mod rivals;
mod roughness;
mod sample;
mod table;
mod tally;
mod tick;
mod wall;

pub use bake::BakeTime;
pub use budget::BudgetTime;
use check::CheckArgs;
use clap::Args;
use group::{Group, GroupOptions};
pub use holding::Holding;
use plan::BenchPlan;
pub use rivals::Rivals;
pub use roughness::Roughness;
pub use sample::SampleRate;
use std::time::{Duration, Instant};
use stiction::friction::Metric;
use stiction_bake::Progress;
use stiction_cli::Failure;
use stiction_cli::bars::Bars;
use stiction_cli::words::{choice, parse_positive};
use stiction_cli::{output, stop};
use stiction_results::Measurement;
use stiction_scene::{METRICS, Run, World};
pub use table::RowPrinter;
use tally::SolverRow;
pub use tick::TickTime;
pub use wall::Wall;

/// Time the friction solvers beside general ones
///
/// Every sample is a fresh problem: a cube on a floor, in a corner, against three walls, between two walls, and points
/// with random normals, in turn. Loads: "holds" 5-95 % of what friction can hold, "slips" 105-300 %, "edge" within 1 %.
/// Time runs from a validated problem to the certified answer with states; for general solvers it is their own work
/// on ready-made sparse arrays.
///
/// stiction-lp, -qp, -hold start cold. With -warm they follow a moving scene, contacts entering and leaving, from tick
/// to tick. stiction-hold has slip memory of earlier ticks on surfaces whose normals are noisy by 1e-3 rad;
/// stiction-hold-fresh has none.
#[derive(Args)]
#[command(after_long_help = COLUMNS)]
pub struct Friction {
    /// A coarse run within 60 s
    #[arg(long, conflicts_with = "seconds")]
    quick: bool,
    #[command(flatten)]
    judged: CheckArgs,
    /// Numbers of contacts [default: 1,4,16,98,300,1000,3000,10000]
    #[arg(long, value_delimiter = ',', value_parser = parse_contacts, value_name = "LIST")]
    contacts: Vec<usize>,
    /// About how long to measure (s) [default: 300]
    #[arg(long, value_parser = parse_positive, value_name = "N", allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// The metric of the quadratic program
    #[arg(long, value_parser = choice(&METRICS), default_value = "stiffness")]
    metric: Metric,
    /// Name the problem of every stalled, unproved or wrong answer of the engine, on standard error
    #[arg(long)]
    failures: bool,
}

const COLUMNS: &str = "\
Columns:
  p50, p99    median and 99th percentile of the time of one solve
  iterations  mean and 99th percentile; 0 where the closed form answered
  stalls      answers without a proof; of a general solver: failed or inaccurate
  agree       share of problems where it agrees with the certified answer. The engine:
              an independent check accepts its certificate and, for lp, the verdict is
              the one the problem was built for. A general solver: same verdict, or a
              step within 1e-4 of the frictionless step
  times_faster  the fastest general solver's p50 on the same problems, over this p50

Machines are noisy: times differ from run to run. The engine and the general solvers
are timed in turn in one run, and --check looks at ratios and counts only. General
solvers take part up to 1,000 contacts, and where one solve does not take much longer
than their share of the time.";

/// About how long `--quick` takes (s): well within 60 even when the machine is busy.
const QUICK: f64 = 38.0;
const DEFAULT_CONTACTS: [usize; 8] = [1, 4, 16, 98, 300, 1000, 3000, 10_000];

impl Friction {
    /// Measures, prints and checks.
    pub fn run(&self) -> Result<(), Failure> {
        let seconds = self.seconds.unwrap_or(if self.quick { QUICK } else { 300.0 });
        let mut contacts = if self.contacts.is_empty() { DEFAULT_CONTACTS.to_vec() } else { self.contacts.clone() };
        contacts.sort_unstable();
        contacts.dedup();
        if self.judged.check && !contacts.iter().any(|k| [98, 1000].contains(k)) {
            return Err(Failure::Usage("--check needs --contacts to include 98 or 1000".into()));
        }
        let mut plan = BenchPlan::new(&contacts, seconds);
        let options = GroupOptions { metric: self.metric, failures: self.failures };
        let columns =
            "contacts cone load solver p50_us p99_us iterations_mean iterations_p99 stalls agree times_faster samples";
        let mut printer = RowPrinter::new(self.judged.json, columns);
        let bars = Bars::new(false);
        bars.stage("measuring groups of problems", plan.len() as u64);
        if !self.judged.json {
            let machine = stiction_results::machine();
            output::line(&format!(
                "The engine beside general solvers, one thread, about {seconds:.0} s, on {machine}.\n"
            ))?;
        }
        spin(Duration::from_millis(300));
        let (mut rows, mut left_out) = (Vec::new(), Vec::new());
        while let Some((what, budget)) = plan.next() {
            if stop::asked() {
                return Err(Failure::stopped("stopped"));
            }
            let mut group = Group::new(what, options, plan.excluded(&rows, &what, budget))?;
            group.run(budget)?;
            left_out.extend(group.left_out());
            let found = group.rows();
            bars.hidden(|| found.iter().try_for_each(|row| printer.put(row)))?;
            bars.advance(1);
            rows.extend(found);
        }
        drop(bars);
        left_out.dedup();
        if !self.judged.json && !left_out.is_empty() {
            output::line(&format!("\nLeft out, too slow for the time given: {}.", left_out.join(", ")))?;
        }
        let figures = check::figures(&rows);
        self.judged.finish("bench-friction", &figures, rows.iter().map(median), "98 or 1000 contacts")
    }
}

/// The median of a row.
fn median(row: &SolverRow) -> Measurement {
    let SolverRow { contacts, cone, load, solver, p50_us, .. } = row;
    Measurement::new(format!("{contacts} contacts, cone {cone}, {load}: {solver}, median"), *p50_us, "µs")
}

/// Reads a number of contacts.
fn parse_contacts(word: &str) -> Result<usize, String> {
    match word.trim().parse() {
        Ok(n) if (1..=100_000).contains(&n) => Ok(n),
        _ => Err("expected a number of contacts from 1 to 100000".into()),
    }
}

/// Runs a world to its end with a bar; `tick` makes each tick.
fn run_to_end(world: &World, stage: &'static str, bars: &Bars, mut tick: impl FnMut(&mut Run)) -> Result<Run, Failure> {
    let mut run = world.run()?;
    bars.stage(stage, (world.scene.seconds * world.scene.rate).ceil() as u64);
    while !run.finished() {
        tick(&mut run);
        if run.ticks().is_multiple_of(128) {
            bars.advance(128);
            if stop::asked() {
                return Err(Failure::stopped("stopped"));
            }
        }
    }
    bars.stage("", 0);
    Ok(run)
}

/// Keeps the processor busy, so that its clock is up when the first sample is timed.
fn spin(time: Duration) {
    let start = Instant::now();
    let mut x = 1.0_f64;
    while start.elapsed() < time {
        x = std::hint::black_box(x * 1.000_000_1 + 1e-9);
    }
}
