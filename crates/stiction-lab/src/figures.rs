//! `stiction-lab figures`: runs the figures again and writes one page of them.

use clap::Args;
use std::path::PathBuf;
use stiction_bake::Progress;
use stiction_cli::bars::Bars;
use stiction_cli::{Failure, output, stop};
use stiction_figures::{ALL, Check, Context, Figure, FigureVerdict, find, machine, write};
use stiction_results::{Measurement, ResultLog};

/// Run the paper's experiments and ours again, and judge them
///
/// The page has every figure that was ever run into its folder; those that are run again replace their own part.
#[derive(Args)]
pub struct Figures {
    /// Which ones; all without a name
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Folder for the page, the pictures and the data
    #[arg(short, long, value_name = "DIR", default_value = "figures-out")]
    out: PathBuf,
    /// One JSON object per figure instead of a table
    #[arg(long)]
    json: bool,
    /// Coarse shapes and few ticks: to see that it works, not to judge
    #[arg(long)]
    quick: bool,
    /// Name every figure and stop
    #[arg(long)]
    list: bool,
}

const STOPPED: &str = "stopped; figures that were done are written";

impl Figures {
    pub fn run(self) -> Result<(), Failure> {
        if self.list {
            return Ok(ALL.iter().try_for_each(|f| output::line(&format!("{:16} {}", f.name, f.title)))?);
        }
        let chosen = self.chosen()?;
        let bars = Bars::new(false);
        let context = Context::new(self.quick, &bars);
        let mut reports = Vec::new();
        for figure in &chosen {
            bars.stage(figure.title, 0);
            let Ok(report) = write::run(figure, &context) else { break };
            write::write(&self.out, &report)?;
            // One file for each family, so that running one leaves the results of the others.
            let family = figure.name.split('-').next().unwrap_or_default();
            let log = ResultLog::of_this_program(&format!("figures-{family}"));
            log.add_figure(figure.name, report.verdict().name())?;
            // What the verdict rests on; not of a quick run, which is not to judge.
            let checks = report.outcome.iter().filter(|_| !self.quick).flat_map(|outcome| &outcome.checks);
            checks.map(|check| measurement(figure.name, check)).try_for_each(|row| log.add(&row))?;
            if self.json {
                output::json(&report.row())?;
            } else {
                output::line(&format!("{:16} {:15} {}", figure.name, report.verdict().name(), report.measured()))?;
            }
            reports.push(report);
        }
        write::write_page(&self.out)?;
        if stop::asked() {
            return Err(Failure::stopped(STOPPED));
        }
        if !self.json {
            let met = reports.iter().filter(|r| r.verdict() == FigureVerdict::Reproduced).count();
            output::line(&format!("{met} of {} reproduced; {}", reports.len(), self.out.join("index.html").display()))?;
            output::line(&machine())?;
        }
        Ok(())
    }

    fn chosen(&self) -> Result<Vec<Figure>, Failure> {
        if self.names.is_empty() {
            return Ok(ALL.to_vec());
        }
        let known = |name: &String| {
            let all = || ALL.iter().map(|f| f.name).collect::<Vec<_>>().join(", ");
            find(name).copied().ok_or_else(|| Failure::Usage(format!("there is no figure {name}; there are {}", all())))
        };
        self.names.iter().map(known).collect()
    }
}

/// A check of a figure as a row of its file of results.
fn measurement(figure: &str, check: &Check) -> Measurement {
    let row = Measurement::new(format!("{figure}: {}", check.what), check.measured, "");
    Measurement { target: Some(check.bound()), met: Some(check.passes()), ..row }
}
