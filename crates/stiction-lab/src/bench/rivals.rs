//! `stiction-lab bench rivals`: the paper's friction methods beside constraint-based ones, on the 72 contacts of figure 15.

use super::{RowPrinter, check, spin};
use clap::Args;
use serde_json::json;
use std::time::Duration;
use stiction_bake::Progress;
use stiction_cli::bars::Bars;
use stiction_cli::{Failure, output};
use stiction_figures::Context;
use stiction_figures::rivals::{Competitor, RivalTimes, measure, stream};
use stiction_results::Measurement;

/// Time the paper's methods beside constraint-based ones, on the 72 contacts of figure 15
///
/// A cube in a corner, first at rest under a hand that moves below the limit, then sliding along the edge. Each tick of the paper's engine gives one problem: lp, qp and hold solve for friction under its penalty forces; staggered
/// projections and Gauss-Seidel for normal forces and friction on the same points, with W as a dense matrix and as the product of rank 6, to a residual of 1e-4 and of 1e-8. Every problem is a new one; warm solvers follow the ticks.
#[derive(Args)]
#[command(after_long_help = COLUMNS)]
pub struct Rivals {
    /// A coarse run within a minute
    #[arg(long)]
    quick: bool,
    /// One JSON object per line instead of the table
    #[arg(long)]
    json: bool,
}

const COLUMNS: &str = "\
Columns:
  w         what W is: a dense matrix, or the product J C Jᵀ of rank 6
  residual  of the natural map, that a rival is asked for; lp, qp and hold end at
            their own certificate, which is below both
  start     warm: from the answer to the tick before; cold: from nothing
  p50, p99  time of a solve alone, of this thread
  passes    over the contacts, in the median
  solved    share of the problems solved to that residual within 20,000 passes; the
            others count with their time
  over_lp, over_qp, over_hold
            p50 over that of lp, qp and hold, in the same phase and with the same start";

impl Rivals {
    /// Measures and prints.
    pub fn run(&self) -> Result<(), Failure> {
        let bars = Bars::new(false);
        bars.stage("running the corner", 0);
        let context = Context::new(self.quick, &bars);
        let ticks = stream(&context, if self.quick { 50 } else { 500 })?;
        spin(Duration::from_millis(300));
        bars.stage("timing methods", 0);
        let times = measure(&context, &ticks)?;
        drop(bars);
        let (rest, slide): (Vec<_>, Vec<_>) = ticks.iter().partition(|t| !t.slides);
        if !self.json {
            let machine = stiction_results::machine();
            output::line(&format!("{} ticks at rest and {} that slide, on {machine}.\n", rest.len(), slide.len()))?;
        }
        let columns = "phase start method w residual p50_us p99_us passes solved over_lp over_qp over_hold";
        let mut printer = RowPrinter::new(self.json, columns);
        let mut kept = Vec::new();
        for t in &times {
            let over = ["lp", "qp", "hold"].map(|name| ratio(&times, t, name));
            let (phase, start) = (phase(t), start(t));
            printer.put(&json!({
                "phase": phase, "start": start, "method": t.competitor.name(), "w": t.competitor.operator(), "residual": t.competitor.tolerance(),
                "p50_us": 1e6 * t.p50, "p99_us": 1e6 * t.p99, "passes": t.passes, "problems": t.problems, "solved": t.solved as f64 / t.problems.max(1) as f64,
                "over_lp": over[0], "over_qp": over[1], "over_hold": over[2],
            }))?;
            kept.extend(measurements(t, over));
        }
        if !self.json {
            output::line(&format!("\n{}", verdict(&times)))?;
        }
        Ok(check::keep("bench-rivals", &[], kept)?)
    }
}

fn phase(t: &RivalTimes) -> &'static str {
    if t.slides { "sliding" } else { "rest" }
}

fn start(t: &RivalTimes) -> &'static str {
    if t.warm { "warm" } else { "cold" }
}

/// The median of a row over that of a method of the paper's kind in the same phase and with the same start.
fn ratio(times: &[RivalTimes], t: &RivalTimes, name: &str) -> f64 {
    let same = |o: &&RivalTimes| o.competitor.name() == name && o.slides == t.slides && o.warm == t.warm;
    times.iter().find(same).map_or(f64::NAN, |o| t.p50 / o.p50)
}

/// What is kept of a row: its median, and for a rival its ratios and how many problems it solved.
fn measurements(t: &RivalTimes, over: [f64; 3]) -> Vec<Measurement> {
    let c = &t.competitor;
    let what = match c {
        Competitor::Given(_) => format!("{}, {}, {}", c.name(), phase(t), start(t)),
        Competitor::Unilateral { .. } => {
            format!("{}, W {}, {:.0e}, {}, {}", c.name(), c.operator(), c.tolerance(), phase(t), start(t))
        }
    };
    let mut out = vec![Measurement::new(format!("{what}: median"), 1e6 * t.p50, "µs")];
    if matches!(c, Competitor::Unilateral { .. }) {
        for (name, over) in ["lp", "qp", "hold"].into_iter().zip(over) {
            out.push(Measurement::new(format!("{what}: times the time of {name}"), over, "x"));
        }
        out.push(Measurement::new(format!("{what}: solved"), 100.0 * t.solved as f64 / t.problems.max(1) as f64, "%"));
    }
    out
}

/// What the run says of the paper's "about 50 times".
fn verdict(times: &[RivalTimes]) -> String {
    let told = |name: &'static str| {
        let some = times.iter().filter(|t| t.competitor.name() == name && t.slides);
        let ratios: Vec<f64> = some.map(|t| ratio(times, t, "lp")).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        (name, least, most)
    };
    let words = ["staggered", "gauss-seidel"].map(told).map(|(name, least, most)| {
        let holds = if (25.0..=100.0).contains(&least) && (25.0..=100.0).contains(&most) {
            "as in the paper"
        } else if most < 25.0 {
            "less than in the paper"
        } else if least > 100.0 {
            "more than in the paper"
        } else {
            "depends on residual, start and form of W"
        };
        format!(
            "{name} takes {} to {} times the time of lp while the cube slides ({holds})",
            output::short(least),
            output::short(most)
        )
    });
    format!("The paper says about 50 times: {}.", words.join("; "))
}
