//! `stiction-lab bench tick`: the CPU time of a whole tick, on the scenes and as the number of contacts grows.

use super::before::EarlierTicks;
use super::check::{BenchFigure, CheckArgs};
use super::{RowPrinter, run_to_end, spin};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use stiction::friction::{Cone, FrictionSettings, Method, Metric};
use stiction::tick::Stage;
use stiction_bake::cache::Cache;
use stiction_cli::Failure;
use stiction_cli::bars::Bars;
use stiction_cli::clock::{Times, thread_time};
use stiction_cli::words::parse_positive;
use stiction_results::Measurement;
use stiction_scene::{EngineKind, Scene, World};

const ABOUT: &str = "\
Every tick is a fresh one along the scene's own motion, from its start to its end; those in which nothing touches are
left out of the times. A tick is everything from the hand's pose to the wrench: coupling, collision, contact, friction, step;
the sums of a run (hash, roughness) are in it, but for those of the part's motion. Times are CPU time of the thread.

Besides the scenes there is nut-on-bolt: an M12 nut on its bolt by parameter, baked as `stiction new` would have it, turned by a full
turn, pushed with nearly 40 N both ways and tilted; with hold only. The row \"shells\" is a cube of 30,000 points that is dragged on its
edge over a plate of 30,000, and \"corner-cube 10 kHz\" the scene at that rate.

The last table has the time of a tick by stage: the walk of the shells through the fields, building contacts, solving, the look at where
the step ends (whose walk the next solve needs no more), and the rest. It is measured apart, with a clock in the tick.

With --check: corner-cube with hold has a median of 25 µs at most, and at 10 kHz 99.9 % of its ticks take 100 µs at most; every scene with
hold has a p99 of 250 µs at most, gear-on-shaft of 150 µs, the shells of 250 µs, the nut of 500 µs; and a contact costs at 10,000
contacts at most 1.3 times what it costs at 1,000.";

/// Time whole ticks: every scene with every friction solver, and 10 to 10,000 contacts
#[derive(Args)]
#[command(after_help = ABOUT)]
pub struct TickTime {
    /// Scenes, nut-on-bolt among them [default: all]
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    scenes: Option<Vec<String>>,
    /// Leave the growth with contacts out
    #[arg(long)]
    no_growth: bool,
    /// Ticks of a row at most, in seconds of the scene's time [default: the whole scene]
    #[arg(long, value_name = "S", value_parser = parse_positive)]
    seconds: Option<f64>,
    /// A source tree of before, built with `cargo build --release`: its ticks are timed beside ours, scene by scene;
    /// may be given several times
    #[arg(long, value_name = "FOLDER")]
    before: Vec<PathBuf>,
    #[command(flatten)]
    judged: CheckArgs,
}

/// A line of the table.
#[derive(Clone, Debug, Serialize)]
struct Row {
    scene: String,
    friction: &'static str,
    contacts_mean: f64,
    contacts_max: u32,
    tick_us_p50: f64,
    tick_us_p99: f64,
    tick_us_p999: f64,
    tick_us_p9999: f64,
    tick_us_max: f64,
    us_per_contact: f64,
    /// Mean time of a tick in each stage (µs); nothing for penalty contacts.
    stages_us: BTreeMap<&'static str, f64>,
    ticks: u64,
}

/// Numbers of contacts asked for in the scene that grows.
const GROWTH: [usize; 4] = [10, 100, 1000, 10_000];
const PLATE: &str = "plate";
const NUT: &str = "nut-on-bolt";
const SHELLS: &str = "shells";
const FAST: &str = "corner-cube 10 kHz";

fn methods() -> [(&'static str, Method); 6] {
    [
        ("none", Method::Frictionless),
        ("lp", Method::Lp),
        ("qp stiffness", Method::Qp(Metric::Stiffness)),
        ("qp mass", Method::Qp(Metric::Mass)),
        ("hold", Method::Hold),
        ("yamane", Method::Yamane),
    ]
}

/// The settings with another method: the linear program on the paper's octagon, the others on the scene's cone.
fn with(method: Method, settings: FrictionSettings) -> FrictionSettings {
    let cone = match (method, settings.cone) {
        (Method::Lp, Cone::Disk) => Cone::paper(8),
        (_, cone) => cone,
    };
    FrictionSettings { method, cone, ..settings }
}

impl TickTime {
    /// Measures, prints and checks.
    pub fn run(&self) -> Result<(), Failure> {
        let bars = Bars::new(false);
        let columns = "scene friction contacts_mean contacts_max tick_us_p50 tick_us_p99 tick_us_p999 tick_us_max us_per_contact ticks";
        let mut printer = RowPrinter::new(self.judged.json, columns);
        spin(Duration::from_millis(300));
        let mut rows = Vec::new();
        let mut measure = |world: &World, friction: &'static str, method: Method| -> Result<(), Failure> {
            let row = self.measure(world, friction, method, &bars)?;
            printer.put(&row)?;
            rows.push(row);
            Ok(())
        };
        let all = || {
            Scene::names_of(EngineKind::QuasiStatic).into_iter().chain([NUT, SHELLS, FAST].map(String::from)).collect()
        };
        let names: Vec<String> = self.scenes.clone().unwrap_or_else(all);
        if names.is_empty() && self.no_growth {
            return Err(Failure::Other(
                "there is no scene to measure: run this in the source tree, or name one".into(),
            ));
        }
        let cache = Cache::default_folder().map(Cache::new);
        let mut earlier = self.before.iter().map(|tree| EarlierTicks::of(tree)).collect::<Result<Vec<_>, _>>()?;
        for name in &names {
            for earlier in &mut earlier {
                earlier.measure(name)?;
            }
            let alone = match name.as_str() {
                NUT => Some(nut_on_bolt()?),
                SHELLS => Some(large_shells()?),
                FAST => Some(corner_cube_at_10_khz()?),
                _ => None,
            };
            if let Some(scene) = alone {
                measure(&scene.build(cache.as_ref(), &bars)?, "hold", Method::Hold)?;
                continue;
            }
            let world = Scene::read(&Scene::find(name)?, &[])?.build(cache.as_ref(), &bars)?;
            for (word, method) in methods() {
                measure(&world, word, method)?;
            }
        }
        for wanted in GROWTH.into_iter().filter(|_| !self.no_growth) {
            let world = plate(wanted)?.build(cache.as_ref(), &bars)?;
            for (word, method) in [("qp stiffness", Method::Qp(Metric::Stiffness)), ("hold", Method::Hold)] {
                measure(&world, word, method)?;
            }
        }
        drop(bars);
        self.print_stages(&rows)?;
        let figures = figures(&rows);
        let medians = rows.iter().map(|r| {
            let what = format!("{}, {:.0} contacts, {}: median", r.scene, r.contacts_mean, r.friction);
            Measurement::new(what, r.tick_us_p50, "µs")
        });
        let rarest = rows.iter().filter(|r| r.scene == FAST);
        let rarest = rarest.map(|r| Measurement::new(format!("{FAST}, hold: p99.99"), r.tick_us_p9999, "µs"));
        let stages = rows.iter().filter(|r| r.friction == "hold").flat_map(|r| {
            let stage = |(name, us): (&&str, &f64)| {
                Measurement::new(format!("{}, hold: mean time of {name}", r.scene), *us, "µs")
            };
            r.stages_us.iter().filter(|(_, us)| **us > 0.0).map(stage).collect::<Vec<_>>()
        });
        let before = rows
            .iter()
            .flat_map(|r| earlier.iter().flat_map(move |earlier| earlier.rows(&r.scene, r.friction, r.tick_us_p50)));
        let more = medians.chain(rarest).chain(stages).chain(before);
        self.judged.finish("bench-tick", &figures, more, "corner-cube or the growth with contacts")
    }

    fn measure(&self, world: &World, friction: &'static str, method: Method, bars: &Bars) -> Result<Row, Failure> {
        let mut world = world.clone();
        let settings = &mut world.scene.settings;
        settings.friction = with(method, settings.friction);
        world.scene.seconds = world.scene.seconds.min(self.seconds.unwrap_or(f64::INFINITY));
        let (mut touching, mut contacts) = (Times::new(), 0_u64);
        let run = run_to_end(&world, "timing ticks", bars, |run| {
            let begun = thread_time();
            run.tick();
            let time = thread_time().saturating_sub(begun);
            run.sum_motion();
            let now = run.trace().contacts;
            if now > 0 {
                touching.add(time);
                contacts += u64::from(now);
            }
        })?;
        let contacts_mean = contacts as f64 / touching.count().max(1) as f64;
        Ok(Row {
            scene: world.scene.name.clone(),
            friction,
            contacts_mean,
            contacts_max: run.summary().contacts_max,
            tick_us_p50: touching.percentile(0.5),
            tick_us_p99: touching.percentile(0.99),
            tick_us_p999: touching.percentile(0.999),
            tick_us_p9999: touching.percentile(0.9999),
            tick_us_max: touching.longest(),
            us_per_contact: touching.percentile(0.5) / contacts_mean.max(1.0),
            stages_us: stages(&world)?,
            ticks: touching.count(),
        })
    }

    /// The table of stages.
    fn print_stages(&self, rows: &[Row]) -> Result<(), Failure> {
        let columns = "scene stages_us.walk stages_us.contacts stages_us.solve stages_us.ahead stages_us.rest";
        let mut printer = RowPrinter::new(false, columns);
        let timed = |r: &&Row| r.friction == "hold" && r.stages_us.values().sum::<f64>() > 0.0;
        for row in rows.iter().filter(|_| !self.judged.json).filter(timed) {
            printer.put(row)?;
        }
        Ok(())
    }
}

/// A tick that took so much longer than its thread ran was held up by another program.
const HELD_UP: Duration = Duration::from_micros(10);

/// The mean time of a tick in each stage (µs), over a run of its own. Stages are told apart by a clock that goes on while another program has
/// the processor, so ticks in which one had it are left out.
fn stages(world: &World) -> Result<BTreeMap<&'static str, f64>, Failure> {
    fn clock() -> u64 {
        static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
        BEGUN.elapsed().as_nanos() as u64
    }
    let mut run = world.run()?;
    run.engine_mut().time_stages(Some(clock));
    let mut before = run.engine().stage_times().nanoseconds;
    let (mut sums, mut ticks) = (before.map(|_| 0), 0_u64);
    while !run.finished() {
        let (begun, ran) = (Instant::now(), thread_time());
        let touching = run.step().contacts > 0;
        let (took, ran) = (begun.elapsed(), thread_time().saturating_sub(ran));
        let after = run.engine().stage_times().nanoseconds;
        if touching && took < ran + HELD_UP {
            sums.iter_mut().zip(after.iter().zip(before)).for_each(|(sum, (after, before))| *sum += after - before);
            ticks += 1;
        }
        before = after;
    }
    let ticks = ticks.max(1) as f64;
    Ok(Stage::ALL.iter().zip(sums).map(|((_, name), ns)| (*name, ns as f64 * 1e-3 / ticks)).collect())
}

/// A slab on a plate that touches with about so many points: pressed, pulled below the limit, then beyond it.
fn plate(contacts: usize) -> Result<Scene, Failure> {
    Ok(Scene::parse(&plate_text(contacts), Path::new("plate.toml"), &[])?)
}

/// Its text.
pub(super) fn plate_text(contacts: usize) -> String {
    // A slab of 10 × 10 × 1 cm has 5/12 of its surface below.
    let points = (contacts as f64 * 12.0 / 5.0).round();
    format!(
        "name = \"{PLATE} {contacts}\"
         run = {{ rate = 1000, seconds = 0.6 }}
         held = {{ solid = \"box\", size = [0.1, 0.1, 0.01], mass = 0.5, resolution = 32, points = {points} }}
         fixed = {{ solid = \"plate\", size = [0.2, 0.2], thickness = 0.02, resolution = 64, points = 100, position = [0.0, 0.0, -0.01] }}
         friction = {{ method = \"hold\", static = 0.5, kinetic = 0.5 }}
         hand = {{ keyframes = [
            {{ t = 0.0, position = [0.0, 0.0, 0.005] }}, {{ t = 0.1, position = [0.0, 0.0, 0.0] }},
            {{ t = 0.4, position = [0.002, 0.0, 0.0] }}, {{ t = 0.6, position = [0.004, 0.0, 0.0] }}] }}"
    )
}

/// An M12 nut on its bolt with the numbers that `stiction new` writes for their meshes, but for friction, with which it can be turned: 5 N down the
/// axis and a full turn; nearly 40 N up, and turned on; as much down, and tilted.
fn nut_on_bolt() -> Result<Scene, Failure> {
    let text = format!(
        "name = \"{NUT}\"
         run = {{ rate = 1000, seconds = 3.7 }}
         held = {{ solid = \"nut\", diameter = 0.012, mass = 0.0024, resolution = 256, points = 10000 }}
         fixed = {{ solid = \"bolt\", diameter = 0.012, length = 0.03, resolution = 256, points = 32000 }}
         coupling = {{ stiffness = 2000.0, torsion = 20.0, max_force = 40.0, max_torque = 0.13 }}
         friction = {{ method = \"hold\", static = 0.2, kinetic = 0.2 }}
         hand = {{ from = {{ position = [0.0, 0.0, 0.00875] }}, script = [
            {{ move = [0.0, 0.0, -0.0025], seconds = 0.2 }}, {{ turn = {{ axis = [0, 0, 1], angle_deg = 360.0 }}, seconds = 1.5 }},
            {{ move = [0.0, 0.0, 0.04], seconds = 0.4 }}, {{ wait = 0.3 }}, {{ turn = {{ axis = [0, 0, 1], angle_deg = 20.0 }}, seconds = 0.2 }},
            {{ move = [0.0, 0.0, -0.08], seconds = 0.6 }}, {{ wait = 0.3 }}, {{ turn = {{ axis = [1, 0, 0], angle_deg = 5.0 }}, seconds = 0.2 }}] }}"
    );
    Ok(Scene::parse(&text, Path::new("nut-on-bolt.toml"), &[])?)
}

/// A cube of 30,000 points that is dragged on its edge over a plate of 30,000.
fn large_shells() -> Result<Scene, Failure> {
    let text = format!(
        "name = \"{SHELLS}\"
         run = {{ rate = 1000, seconds = 2.0 }}
         held = {{ solid = \"box\", size = [0.1, 0.1, 0.1], mass = 0.5, resolution = 256, points = 30000 }}
         fixed = {{ solid = \"plate\", size = [0.3, 0.3], thickness = 0.02, resolution = 256, points = 30000, position = [0.0, 0.0, -0.01] }}
         friction = {{ method = \"hold\", static = 0.5, kinetic = 0.4 }}
         hand = {{ from = {{ position = [0.0, 0.0, 0.072], rotation = {{ axis = [1, 0, 0], angle_deg = 40.0 }} }}, script = [
            {{ move = [0.0, 0.0, -0.008], seconds = 0.3 }}, {{ move = [0.05, 0.02, 0.0], seconds = 0.7 }},
            {{ move = [-0.05, 0.0, 0.0], turn = {{ axis = [0, 0, 1], angle_deg = 30.0 }}, seconds = 0.7 }}, {{ wait = 0.3 }}] }}"
    );
    Ok(Scene::parse(&text, Path::new("shells.toml"), &[])?)
}

/// The scene of the corner at ten times its rate.
fn corner_cube_at_10_khz() -> Result<Scene, Failure> {
    let mut scene = Scene::read(&Scene::find("corner-cube")?, &["run.rate=10000".parse()?])?;
    scene.name = FAST.into();
    Ok(scene)
}

/// Every figure for which there are rows.
fn figures(rows: &[Row]) -> Vec<BenchFigure> {
    let hold = || rows.iter().filter(|r| r.friction == "hold");
    let mut out = Vec::new();
    for row in hold().filter(|r| r.scene == "corner-cube") {
        let name = format!("corner-cube, {:.0} contacts, hold: median", row.contacts_mean);
        out.push(BenchFigure::at_most(name, 25.0, row.tick_us_p50, " µs"));
    }
    for row in hold().filter(|r| r.scene == FAST) {
        out.push(BenchFigure::at_most(format!("{FAST}, hold: p99.9"), 100.0, row.tick_us_p999, " µs"));
    }
    for row in hold().filter(|r| !r.scene.starts_with("plate ") && r.scene != FAST) {
        let most = match row.scene.as_str() {
            NUT => 500.0,
            "gear-on-shaft" => 150.0,
            _ => 250.0,
        };
        out.push(BenchFigure::at_most(format!("{}, hold: p99", row.scene), most, row.tick_us_p99, " µs"));
    }
    let grown = |n: usize| hold().find(|r| r.scene == format!("{PLATE} {n}"));
    if let (Some(small), Some(large)) = (grown(1000), grown(10_000)) {
        let name = "10,000 contacts, hold: time of a contact over that at 1,000".into();
        out.push(BenchFigure::at_most(name, 1.3, large.us_per_contact / small.us_per_contact, " x"));
    }
    out
}
