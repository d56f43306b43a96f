//! `stiction-lab bench budget`: ticks whose work is limited to what the machine does in half a period.

use super::check::{BenchFigure, CheckArgs};
use super::{RowPrinter, run_to_end, spin, tick};
use clap::Args;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;
use stiction::tick::Work;
use stiction::trace::Flags;
use stiction_bake::cache::Cache;
use stiction_cli::Failure;
use stiction_cli::bars::Bars;
use stiction_cli::clock::{Times, thread_time};
use stiction_cli::output::line;
use stiction_results::Measurement;
use stiction_scene::{Scene, Setting, World};
use stiction_session::{Plan, Session};

const ABOUT: &str = "\
A live session measures once what a unit of work takes, and limits its ticks to what fits into half a period. Here the same is
done, and ticks of a nut that is screwed on a bolt and of a slab that touches a plate with 10,000 points are timed. A unit is one
sample of a distance field. \"coarse\" is the share of ticks in which the limit left points out. Times are CPU time of the thread.

With --costs: what each kind of work takes, by least squares over ticks with and without limits; where the constants of
crates/stiction/src/tick/work.rs come from.

With --check: 999 of 1000 ticks take half a period at most.";

/// Time ticks whose work is limited to half a period: a thread, 10,000 contacts, and scenes
#[derive(Args)]
#[command(after_help = ABOUT)]
pub struct BudgetTime {
    /// Scenes besides the thread and the slab [default: none]
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    scenes: Vec<String>,
    /// Rates (Hz)
    #[arg(long, value_delimiter = ',', value_name = "LIST", default_value = "1000,4000")]
    rates: Vec<f64>,
    /// What each kind of work takes, instead
    #[arg(long)]
    costs: bool,
    #[command(flatten)]
    judged: CheckArgs,
}

/// A line of the table.
#[derive(Clone, Debug, Serialize)]
struct Row {
    scene: String,
    rate: f64,
    work: u64,
    ns_per_unit: f64,
    work_max: u64,
    contacts_max: u32,
    coarse_share: f64,
    half_period_us: f64,
    tick_us_p50: f64,
    tick_us_p99: f64,
    tick_us_p999: f64,
    tick_us_max: f64,
    ticks: u64,
}

impl BudgetTime {
    /// Measures, prints and checks.
    pub fn run(&self) -> Result<(), Failure> {
        let bars = Bars::new(false);
        let cache = Cache::default_folder().map(Cache::new);
        spin(Duration::from_millis(300));
        if self.costs {
            return self.costs(cache.as_ref(), &bars);
        }
        let columns = "scene rate work ns_per_unit work_max contacts_max coarse_share half_period_us tick_us_p50 tick_us_p99 tick_us_p999 tick_us_max ticks";
        let mut printer = RowPrinter::new(self.judged.json, columns);
        let mut rows = Vec::new();
        for plan in self.plans()? {
            let whole = Session::new(plan.clone(), cache.as_ref(), &bars)?;
            for rate in &self.rates {
                let mut plan = plan.clone();
                plan.set.push(Setting { key: "run.rate".into(), value: rate.to_string() });
                let session = whole.changed(plan, cache.as_ref(), &bars)?;
                let row = self.measure(session, &bars)?;
                printer.put(&row)?;
                rows.push(row);
            }
        }
        drop(bars);
        let figures: Vec<BenchFigure> = rows
            .iter()
            .map(|r| {
                let name = format!("{} at {} Hz: p99.9 of a tick over half a period", r.scene, r.rate);
                BenchFigure::at_most(name, 1.0, r.tick_us_p999 / r.half_period_us, "")
            })
            .collect();
        let times = rows.iter().flat_map(|r| {
            let of = |what: &str, value: f64| {
                Measurement::new(format!("{} at {} Hz: {what} of a tick", r.scene, r.rate), value, "µs")
            };
            [of("median", r.tick_us_p50), of("p99", r.tick_us_p99), of("longest", r.tick_us_max)]
        });
        self.judged.finish("bench-budget", &figures, times, "a scene")
    }

    fn plans(&self) -> Result<Vec<Plan>, Failure> {
        let mut out = vec![
            Plan::of_text(Path::new("nut.toml"), THREAD.into(), Vec::new()),
            Plan::of_text(Path::new("plate.toml"), tick::plate_text(10_000), Vec::new()),
        ];
        for name in &self.scenes {
            out.push(Plan::of(&Scene::find(name)?, Vec::new())?);
        }
        Ok(out)
    }

    fn measure(&self, session: Session, bars: &Bars) -> Result<Row, Failure> {
        let found = session.calibrate()?;
        let Some(found) = found else {
            return Err(Failure::Usage(format!(
                "{} has penalty contacts, which count no work",
                session.world.scene.name
            )));
        };
        let mut session = session;
        session.limit_work(Some(found.work));
        let world = &session.world;
        let (mut times, mut coarse, mut work_max) = (Times::new(), 0_u64, 0);
        let run = run_to_end(world, "timing ticks", bars, |run| {
            times.time(|| {
                run.tick();
            });
            run.sum_motion();
            coarse += u64::from(run.trace().flags.has(Flags::COARSE));
            work_max = work_max.max(run.engine().work().units());
        })?;
        Ok(Row {
            scene: world.scene.name.clone(),
            rate: world.scene.rate,
            work: found.work,
            ns_per_unit: found.ns_per_unit,
            work_max,
            contacts_max: run.summary().contacts_max,
            coarse_share: coarse as f64 / run.ticks().max(1) as f64,
            half_period_us: 0.5e6 / world.scene.rate,
            tick_us_p50: times.percentile(0.5),
            tick_us_p99: times.percentile(0.99),
            tick_us_p999: times.percentile(0.999),
            tick_us_max: times.longest(),
            ticks: run.ticks(),
        })
    }

    /// Time of each kind of work.
    fn costs(&self, cache: Option<&Cache>, bars: &Bars) -> Result<(), Failure> {
        let mut fit = Fit::default();
        for plan in self.plans()? {
            let world = plan.scene()?.build(cache, bars)?;
            for work in [1000, 3000, 10_000, 30_000, 100_000, 1_000_000] {
                let mut own = Fit::default();
                own.add(&world, work)?;
                line(&format!("{:<20} {:>8} {}", world.scene.name, work, own.told()))?;
                fit.add(&world, work)?;
            }
        }
        Ok(line(&format!("{:<29} {}", "all", fit.told()))?)
    }
}

/// Kinds of work.
const KINDS: [&str; 7] = ["sample", "remembered point", "contact", "pushing block", "idle block", "pass", "solve"];

/// Least squares of relative errors: time = Σ cost · count.
#[derive(Default)]
struct Fit {
    matrix: [[f64; 7]; 7],
    right: [f64; 7],
    time: f64,
    units: f64,
}

impl Fit {
    fn add(&mut self, world: &World, work: u64) -> Result<(), Failure> {
        let mut world = world.clone();
        world.scene.settings.work = work;
        let mut run = world.run()?;
        while !run.finished() {
            let begun = thread_time();
            run.tick();
            let ns = thread_time().saturating_sub(begun).as_nanos() as f64;
            run.sum_motion();
            let done: Work = run.engine().work();
            let counts = [done.samples, done.remembered, done.built, done.pushing, done.idle, done.passes, done.solves];
            let counts = counts.map(|n| n as f64);
            // Ticks in the air are all alike; interrupted ones tell nothing.
            if done.built == 0 || ns > 200.0 * done.units() as f64 {
                continue;
            }
            (self.time, self.units) = (self.time + ns, self.units + done.units() as f64);
            let weight = 1.0 / (ns * ns);
            for i in 0..7 {
                for j in 0..7 {
                    self.matrix[i][j] += weight * counts[i] * counts[j];
                }
                self.right[i] += weight * counts[i] * ns;
            }
        }
        Ok(())
    }

    fn told(&self) -> String {
        let mut out = format!("{:.1} ns/unit |", self.time / self.units.max(1.0));
        // Costs are not negative: by projected coordinate descent.
        let mut cost = [0.0_f64; 7];
        for _ in 0..100_000 {
            for i in 0..7 {
                let others: f64 = (0..7).filter(|j| *j != i).map(|j| self.matrix[i][j] * cost[j]).sum();
                cost[i] = ((self.right[i] - others) / self.matrix[i][i].max(f64::MIN_POSITIVE)).max(0.0);
            }
        }
        for (kind, ns) in KINDS.iter().zip(cost) {
            out += &format!(" {kind} {ns:.1}");
        }
        out + " ns"
    }
}

/// A nut that is screwed on a bolt, pressed to one side, pulled and shaken.
pub const THREAD: &str = r#"
name = "nut on a bolt"
run = { rate = 1000, seconds = 6.0 }
held = { solid = "nut", diameter = 0.012, mass = 0.05, resolution = 128, points = 10000 }
fixed = { solid = "bolt", diameter = 0.012, length = 0.03, resolution = 192, points = 10000 }
friction = { method = "hold", static = 0.2, kinetic = 0.15 }

[hand]
from = { position = [0.0, 0.0, -0.014] }
script = [
    { move = [0.0, 0.0, 0.004], seconds = 0.5 },
    { move = [0.0, 0.0, 0.00875], turn = { axis = [0, 0, 1], angle_deg = 1800 }, seconds = 3.0 },
    { move = [0.004, 0.0, 0.0], seconds = 0.5 },
    { shake = [0.002, 0.0, 0.002], period = 0.1, seconds = 0.5 },
    { move = [-0.004, 0.003, -0.006], seconds = 0.5 },
    { turn = { axis = [1, 0, 0], angle_deg = 10 }, seconds = 0.5 },
    { move = [0.0, -0.003, 0.012], seconds = 0.5 },
]
"#;
