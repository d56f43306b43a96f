//! `stiction-lab soak`: every scene in the servo loop with a simulated hand, for a long time.

use crate::bench::RowPrinter;
use clap::Args;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use stiction_bake::Progress;
use stiction_bake::cache::Cache;
use stiction_cli::bars::Bars;
use stiction_cli::live::{ClockWord, report, spread};
use stiction_cli::words::{self, parse_positive};
use stiction_cli::{Failure, stop};
use stiction_device::servo_loop::{self, run_virtual};
use stiction_device::{Arm, Fault, Snapshot, Stats, realtime};
use stiction_results::{Measurement, ResultLog, Target};
use stiction_scene::Scene;
use stiction_session::{HandWord, Pace, Plan, Session, SimWord, WrenchChecker};

/// Run scenes in the servo loop for a long time and hold them to their budget
///
/// Each scene's hand goes its way again and again, held firmly, lightly, by nobody and not yielding in turn. Every wrench is
/// checked against the limits and the slew rule by code that knows nothing of the envelope. Compute is CPU time of the
/// thread; wake-ups, on the real clock, are reported and are the machine's.
#[derive(Args)]
pub struct Soak {
    /// Scenes, or all
    #[arg(long, value_delimiter = ',', default_value = "all", value_name = "LIST")]
    scene: Vec<String>,
    /// Minutes of each scene's time
    #[arg(long, value_parser = parse_positive, default_value = "10", value_name = "N", allow_negative_numbers = true)]
    minutes: f64,
    /// The device
    #[arg(long, value_parser = words::device(), default_value = "sim")]
    device: SimWord,
    /// By the clock on the wall, or as fast as it goes
    #[arg(long, value_enum, default_value = "virtual")]
    clock: ClockWord,
    /// Cycles a second (Hz) [default: the scene's]
    #[arg(long, value_name = "HZ", value_parser = parse_positive, allow_negative_numbers = true)]
    rate: Option<f64>,
    /// One JSON object per scene instead of the table
    #[arg(long)]
    json: bool,
}

/// Share of cycles whose compute must be within the period.
const WITHIN: f64 = 0.9999;
/// The hands, in turn.
const HANDS: [HandWord; 4] = [HandWord::Firm, HandWord::Light, HandWord::Released, HandWord::Free];

/// What happened in a scene.
struct Row {
    scene: String,
    period: u64,
    stats: Arc<Stats>,
    judge: WrenchChecker,
    debt: f64,
    bound: f64,
    faults: [u64; Fault::ALL.len()],
    last: Option<Snapshot>,
}

impl Row {
    fn within(&self) -> f64 {
        let all = self.stats.compute.count().max(1);
        1.0 - self.stats.compute.above(self.period) as f64 / all as f64
    }

    fn good(&self) -> bool {
        self.within() >= WITHIN && self.judge.broken() == 0 && self.debt <= self.bound
    }

    fn json(&self) -> Value {
        let faults = Fault::ALL.iter().zip(self.faults).filter(|f| f.1 > 0);
        let faults: serde_json::Map<String, Value> = faults.map(|(f, n)| (f.name().into(), json!(n))).collect();
        json!({
            "scene": self.scene,
            "ticks": self.stats.compute.count(),
            "period_us": self.period as f64 / 1e3,
            "compute_us": spread(&self.stats.compute),
            "within_budget_share": self.within(),
            "late_us": spread(&self.stats.late),
            "skipped_deadlines": self.stats.skipped.load(Relaxed),
            "broken_rules": self.judge.broken(),
            "first_broken": self.judge.first(),
            "force_max_of_limit": self.judge.worst()[0],
            "slew_max_of_limit": self.judge.worst()[1],
            "energy_debt_max_j": self.debt,
            "energy_bound_j": self.bound,
            "faults": faults,
            "last": self.last.map(|s| report(&s.output.report)),
            "good": self.good(),
        })
    }
}

impl Soak {
    /// Soaks.
    pub fn run(&self) -> Result<(), Failure> {
        let all = self.scene.iter().any(|s| s == "all");
        // It soaks one hand; a scene that needs two is soaked by the tests of the session.
        let one_hand = |name: &String| {
            Scene::find(name).and_then(|s| Scene::read(&s, &[])).is_ok_and(|scene| scene.hands().len() == 1)
        };
        let scenes = if all { Scene::names().into_iter().filter(one_hand).collect() } else { self.scene.clone() };
        let bars = Bars::new(self.json);
        let cache = Cache::default_folder().map(Cache::new);
        let mut rows = Vec::new();
        for scene in &scenes {
            rows.push(self.scene(scene, cache.as_ref(), &bars)?);
            if stop::asked() {
                break;
            }
        }
        drop(bars);
        let columns = "scene ticks compute_us.p50 compute_us.p99 compute_us.p9999 compute_us.max within_budget_share broken_rules energy_debt_max_j energy_bound_j late_us.p99 good";
        let mut printer = RowPrinter::new(self.json, columns);
        rows.iter().try_for_each(|row| printer.put(&row.json()))?;
        if stop::asked() {
            return Err(Failure::stopped("stopped"));
        }
        self.keep(&rows)?;
        if rows.iter().all(Row::good) { Ok(()) } else { Err(Failure::Missed) }
    }

    /// Leaves the numbers as a file of results.
    fn keep(&self, rows: &[Row]) -> Result<(), Failure> {
        let log = ResultLog::of_this_program("soak-loop");
        for row in rows {
            let compute = &row.stats.compute;
            let what = |what: &str| format!("{}, {} cycles: {what}", row.scene, compute.count());
            let share = Measurement::new(what("cycles whose compute is within the period"), 100.0 * row.within(), "%");
            log.add(&share.held_to(Target::AtLeast(100.0 * WITHIN)))?;
            let broken = Measurement::new(what("rules of the envelope broken"), row.judge.broken() as f64, "");
            log.add(&broken.held_to(Target::AtMost(0.0)))?;
            let energy = Measurement::new(what("energy that came out beyond what went in"), 1e3 * row.debt, "mJ");
            log.add(&energy.held_to(Target::AtMost(1e3 * row.bound)))?;
            log.add(&Measurement::new(what("median of compute"), compute.percentile(0.5) as f64 / 1e3, "µs"))?;
        }
        Ok(())
    }

    fn scene(&self, name: &str, cache: Option<&Cache>, bars: &Bars) -> Result<Row, Failure> {
        let source = Scene::find(name)?;
        let set = self.rate.map(|rate| format!("run.rate={rate}").parse()).transpose()?;
        let mut plan = Plan::of(&source, set.into_iter().collect())?;
        plan.device = self.device;
        let mut session = Session::new(plan, cache, bars)?;
        if self.clock == ClockWord::Real {
            session = session.calibrated(1)?;
        }
        let scene = &session.world.scene;
        let (rate, name) = (scene.rate, scene.name.clone());
        let period = (1e9 / rate) as u64;
        let per_round = (scene.seconds * rate).ceil() as u64;
        let cycles = (self.minutes * 60.0 * rate).ceil() as u64;
        let mut row = Row {
            scene: name,
            period,
            stats: Arc::new(Stats::default()),
            judge: WrenchChecker::new(&session.limits(0), session.period()),
            debt: 0.0,
            bound: session.limits(0).energy_bound(session.period()),
            faults: [0; Fault::ALL.len()],
            last: None,
        };
        bars.stage("soaking", cycles);
        let mut done = 0;
        for hand in HANDS.iter().cycle() {
            if done >= cycles || stop::asked() {
                break;
            }
            session.plan.hand = *hand;
            let ticks = per_round.min(cycles - done);
            match self.clock {
                ClockWord::Virtual => fast(&session, &mut row, ticks, bars)?,
                ClockWord::Real => real(&session, &mut row, ticks, bars)?,
            }
            done += ticks;
        }
        Ok(row)
    }
}

fn finish(row: &mut Row, snapshot: &Snapshot) {
    let report = &snapshot.output.report;
    row.debt = row.debt.max(report.energy.most_debt);
    row.faults.iter_mut().zip(report.faults).for_each(|(sum, n)| *sum += n);
    row.last = Some(*snapshot);
}

fn fast(session: &Session, row: &mut Row, ticks: u64, bars: &Bars) -> Result<(), Failure> {
    let (mut arms, _handles) = session.arms(Pace::Virtual(session.period()), |_| None)?;
    let mut done = 0;
    let mut begun = realtime::thread_time();
    let Row { judge, stats, .. } = row;
    judge.begin();
    run_virtual(&mut arms, |arms, _| {
        stats.compute.add(realtime::thread_time().saturating_sub(begun));
        arms.iter().for_each(|arm| judge.look(arm.sent().wrench()));
        done += 1;
        if done % 256 == 0 {
            bars.advance(256);
        }
        begun = realtime::thread_time();
        done < ticks && !stop::asked()
    });
    if let Some(arm) = arms.iter().next() {
        finish(row, &arm.snapshot().clone());
    }
    arms.iter_mut().for_each(Arm::disarm);
    Ok(())
}

fn real(session: &Session, row: &mut Row, ticks: u64, bars: &Bars) -> Result<(), Failure> {
    let (arms, _handles) = session.arms(Pace::Real, |_| Some(Box::new(row.judge.shared())))?;
    let running = servo_loop::start_counting(arms, Some(80), Arc::clone(&row.stats))?;
    let end = Instant::now() + Duration::from_nanos(ticks * row.period);
    while Instant::now() < end && !stop::asked() {
        std::thread::sleep(Duration::from_millis(100));
        bars.advance(100_000_000 / row.period);
    }
    let arms = running.stop().ok_or_else(|| Failure::Other("the servo thread panicked: this is a bug".into()))?;
    if let Some(arm) = arms.iter().next() {
        finish(row, &arm.snapshot().clone());
    }
    Ok(())
}
