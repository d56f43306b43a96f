//! `stiction run`: a scene from its start to its end, without a window and without a device.
//!
//! [`sink`] records ticks, [`clock`](crate::clock) times them, [`told`] says in the end what happened.

mod contacts;
mod estimate;
pub mod flags;
pub mod motion;
mod reported;
pub mod sink;
mod told;
mod volume;

pub use estimate::{RunEstimate, check_length};
pub use reported::{timeline_lines, timeline_object};
pub use told::friction_words;

use crate::bars::Bars;
use crate::clock::Times;
use crate::facts::grouped;
use crate::live::{self, LiveArgs};
use crate::places::{self, Replace};
use crate::scene_path;
use crate::words::{choice, parse_positive};
use crate::{Failure, stop};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use reported::{Formations, ReportedEngine};
use sink::{RowSink, TableFormat};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;
use stiction::columns::{Column, ColumnKind, MOST_COLUMNS, Row};
use stiction::friction::{Cone, Method, Metric};
use stiction_bake::cache::Cache;
use stiction_bake::{Progress, Silent, file};
use stiction_scene::{
    EngineKind, METRICS, Problem, Run, Scene, SceneError, SceneSource, Setting, Summary, World, word_of,
};
use stiction_session::{Plan, Session};

const EXAMPLES: &str = "\
Examples:
  stiction run corner-cube                               what happens, in a page
  stiction run corner-cube --friction none               the same without friction
  stiction run corner-cube --mu 0.2 --seconds 10 --json
  stiction run my/scene.toml --set held.points=4000 --trace run.parquet
  stiction run corner-cube --trace run.csv --contacts last.csv
  stiction run corner-cube --device sim                  live at 1 kHz, with a simulated hand on a simulated device
  stiction run corner-cube --device sim --hand light --record run.mcap
  stiction run corner-cube --device sim --rate 10000 --clock virtual

Exit code 1: the run failed, or more than half of its ticks could not be solved.
Equal runs have equal hashes: same scene, same settings, same program.
Times are CPU time of the thread: other programs do not count, only make them a little longer.
With a device, wake-ups depend on the machine: real-time priority and an idle core help, virtual machines do not.";

/// Run a scene without a window, and say what happened
///
/// SCENE is a name from the folder `scenes`, a folder with a scene.toml, or a .toml file. The shapes of its parts are baked
/// first, or taken from the cache. Every key of the scene can be set on the command line.
#[derive(Args, Default)]
#[command(after_help = EXAMPLES)]
pub struct RunScene {
    /// The scene: a name, a folder or a .toml file
    scene: String,
    /// How friction is decided
    #[arg(long, value_parser = friction_methods())]
    friction: Option<String>,
    /// What the quadratic program minimises; for qp only
    #[arg(long, value_parser = choice(&METRICS))]
    metric: Option<Metric>,
    /// Friction coefficient, static and kinetic, whatever the materials
    #[arg(long, value_name = "X", value_parser = parse_mu, allow_negative_numbers = true)]
    mu: Option<f64>,
    /// How long to run (s of the scene's time)
    #[arg(long, value_name = "S", value_parser = parse_positive, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Let it run for more than a day of the scene's time, a year at most
    #[arg(long)]
    long: bool,
    /// Ticks a second (Hz)
    #[arg(long, value_name = "HZ", value_parser = parse_positive, allow_negative_numbers = true)]
    rate: Option<f64>,
    /// Any key of the scene, as in held.points=4000; may be given many times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Setting>,
    /// Neither look for baked shapes in the cache nor keep them there
    #[arg(long)]
    no_cache: bool,
    /// Record every tick into a .csv or .parquet file
    #[arg(long, value_name = "FILE", conflicts_with = "device")]
    trace: Option<PathBuf>,
    /// Write the contacts of the last tick into a .csv file
    #[arg(long, value_name = "FILE.csv", conflicts_with = "device")]
    contacts: Option<PathBuf>,
    /// One JSON object instead of the summary
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    live: LiveArgs,
}

/// The friction methods, as scenes name them.
pub fn friction_methods() -> PossibleValuesParser {
    let words = stiction_scene::words_of("friction.method");
    PossibleValuesParser::new(words.into_iter().map(|(word, doc)| PossibleValue::new(word).help(doc)))
}

/// A friction method as a setting of a scene.
pub fn friction_setting(word: &str) -> Setting {
    Setting { key: "friction.method".into(), value: word.into() }
}

/// Reads a number of at least zero.
pub fn parse_mu(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number of at least zero".into()),
    }
}

/// Another friction coefficient, if one is given, whatever the pair of materials.
pub fn set_mu(scene: &mut Scene, mu: Option<f64>) -> Result<(), Failure> {
    let Some(mu) = mu else { return Ok(()) };
    if scene.settings.friction.method == Method::Frictionless {
        let why = "--mu has no effect: the friction method is none. Leave it out, or choose another method";
        return Err(Failure::Usage(why.into()));
    }
    scene.set_mu(mu);
    Ok(())
}

/// How long a run is.
pub struct RunLength {
    /// Length in the scene's time (s), if it is not the scene's own.
    pub seconds: Option<f64>,
    /// Whether it may be more than a day.
    pub long: bool,
}

/// What a run left behind.
struct Done<E> {
    world: World,
    run: Run<E>,
    formations: Formations,
    times: Times,
    stopped: bool,
    build_seconds: f64,
    run_seconds: f64,
    written: Vec<PathBuf>,
}

/// When a tick began, in the scene's time: the column before those of the tick.
static TIME: [Column; 1] = [Column::new("time_s", ColumnKind::Real)];
/// Ticks between two looks at the progress bar.
const SHOWN: u64 = 128;

impl RunScene {
    /// A run with a device, as `stiction record` makes it.
    pub fn live(scene: String, length: RunLength, set: Vec<Setting>, live: LiveArgs, json: bool) -> RunScene {
        RunScene { scene, seconds: length.seconds, long: length.long, set, json, live, ..RunScene::default() }
    }

    /// Runs the scene.
    pub fn run(&self) -> Result<(), Failure> {
        let source = scene_path::find(&self.scene)?;
        if self.live.device.is_some() {
            return self.with_device(&source);
        }
        let format = self.check(source.origin())?;
        let scene = self.scene(&source)?;
        let bars = Bars::new(false);
        if scene.engine_rate.is_some() {
            let why = "run.engine_rate has no effect without a device: every tick of the run is one of the engine";
            if self.set.iter().any(|setting| setting.key == "run.engine_rate") {
                return Err(Failure::Usage(format!("{why}. Leave it out, or add --device sim")));
            }
            bars.say(&format!("note: {why}"));
        }
        match scene.engine {
            EngineKind::QuasiStatic => self.run_with(self.build(scene, World::run, &bars)?, format, bars),
            EngineKind::Formation => self.run_with(self.build(scene, World::formation_run, &bars)?, format, bars),
            EngineKind::Volume => self.run_with(self.build(scene, World::volume_run, &bars)?, format, bars),
        }
    }

    /// The rest, with whatever engine the scene has.
    fn run_with<E: ReportedEngine>(
        &self,
        mut done: Done<E>,
        format: Option<TableFormat>,
        bars: Bars,
    ) -> Result<(), Failure> {
        let trace = self.trace.as_deref().zip(format);
        if let Some(words) = RunEstimate::of_run(&done.world, trace)?.words() {
            bars.say(&format!("note: {words}"));
        }
        let begun = Instant::now();
        bars.stage("running", (done.world.scene.seconds * done.world.scene.rate).ceil() as u64);
        self.drive(&mut done, format, &bars)?;
        done.run_seconds = begun.elapsed().as_secs_f64();
        drop(bars);
        if let Some(path) = self.contacts.as_deref().filter(|_| done.run.ticks() > 0) {
            file::write_whole(path, &Silent, |out| contacts::write(out, done.run.engine().last_contacts()))?;
            done.written.push(path.into());
        }
        done.tell(self.json)?;
        if !done.stopped {
            return check_answer(&done.run.summary());
        }
        let names: Vec<String> = done.written.iter().map(|path| path.display().to_string()).collect();
        Err(match names.join(", ") {
            names if names.is_empty() => Failure::stopped("stopped"),
            names => {
                Failure::Stopped(format!("stopped after {} ticks; kept up to then: {names}", done.run.ticks()).into())
            }
        })
    }

    /// Whether all files can be written.
    fn check(&self, scene: &Path) -> Result<Option<TableFormat>, Failure> {
        let format = match &self.trace {
            Some(path) => Some(TableFormat::of(path).ok_or_else(|| {
                Failure::Usage(format!("--trace {}: the name must end in .csv or .parquet", path.display()))
            })?),
            None => None,
        };
        if let Some(path) = self.contacts.as_deref().filter(|p| TableFormat::of(p) != Some(TableFormat::Csv)) {
            return Err(Failure::Usage(format!("--contacts {}: the name must end in .csv", path.display())));
        }
        if self.trace.is_some() && self.trace == self.contacts {
            return Err(Failure::Usage("--trace and --contacts cannot be the same file".into()));
        }
        for path in self.trace.iter().chain(&self.contacts) {
            places::check(path, Replace::Other, &[scene])?;
        }
        Ok(format)
    }

    /// With a device, in the servo loop.
    fn with_device(&self, source: &SceneSource) -> Result<(), Failure> {
        self.live.check()?;
        self.scene(source)?;
        let mut plan = Plan::of(source, self.settings())?;
        plan.mu = self.mu;
        self.live.apply(&mut plan);
        let arms = plan.arms;
        let bars = Bars::new(false);
        let folder = if self.no_cache { None } else { Cache::default_folder() };
        let cache = folder.map(Cache::new);
        let session = Session::new(plan, cache.as_ref(), &bars).map_err(|e| Failure::from(e).or_stopped("stopped"))?;
        // On the virtual clock nobody waits for a tick: the scene's own limit of work stands, and every machine computes the same.
        let session = if self.live.is_real() { session.calibrated(usize::from(arms))? } else { session };
        live::drive(&session, &self.live, bars, self.json)
    }

    /// All that was set.
    fn settings(&self) -> Vec<Setting> {
        let mut set = self.set.clone();
        set.extend(self.friction.as_deref().map(friction_setting));
        let mut put = |key: &str, value: Option<String>| {
            set.extend(value.map(|value| Setting { key: key.into(), value }));
        };
        put("friction.metric", self.metric.and_then(|metric| word_of(&METRICS, &metric)).map(str::to_owned));
        put("run.seconds", self.seconds.map(|s| s.to_string()));
        put("run.rate", self.rate.map(|r| r.to_string()));
        set
    }

    /// The scene with everything that was set.
    fn scene(&self, source: &SceneSource) -> Result<Scene, Failure> {
        check_length(self.seconds.unwrap_or_default(), self.long)?;
        let mut scene = Scene::read(source, &self.settings()).map_err(|error| match &error {
            SceneError::Wrong { problem, .. } if self.metric.is_some() => match &**problem {
                Problem::NoEffect { key, why } if key == "friction.metric" => {
                    Failure::Usage(format!("--metric has no effect: {why}"))
                }
                _ => error.into(),
            },
            _ => error.into(),
        })?;
        set_mu(&mut scene, self.mu)?;
        check_length(scene.seconds, self.long)?;
        Ok(scene)
    }

    /// Shapes and engine.
    fn build<E>(
        &self,
        scene: Scene,
        run: impl Fn(&World) -> Result<Run<E>, SceneError>,
        bars: &Bars,
    ) -> Result<Done<E>, Failure> {
        let begun = Instant::now();
        let folder = if self.no_cache { None } else { Cache::default_folder() };
        let cache = folder.map(Cache::new);
        let stopped = |e| Failure::from(e).or_stopped("stopped; no file was written");
        let world = scene.build(cache.as_ref(), bars).map_err(stopped)?;
        let run = run(&world)?;
        let formations = Formations::new(&world);
        let build_seconds = begun.elapsed().as_secs_f64();
        Ok(Done {
            world,
            run,
            formations,
            times: Times::new(),
            stopped: false,
            build_seconds,
            run_seconds: 0.0,
            written: Vec::new(),
        })
    }

    /// All ticks, into the trace's file if there is one.
    fn drive<E: ReportedEngine>(
        &self,
        done: &mut Done<E>,
        format: Option<TableFormat>,
        bars: &Bars,
    ) -> Result<(), Failure> {
        let Some((path, format)) = self.trace.as_ref().zip(format) else { return Ok(done.drive(bars, None)?) };
        let facts = told::facts(&done.world.scene);
        let columns = [&TIME[..], done.run.engine().row_columns()].concat();
        // A run that is stopped keeps what it has: the table is finished as it is.
        file::write_whole(path, &Silent, |out| {
            let mut sink = sink::open(format, out, &columns, &facts)?;
            done.drive(bars, Some(&mut *sink))?;
            sink.finish()
        })?;
        done.written.push(path.clone());
        Ok(())
    }
}

/// An error where a run has no answer: most of its ticks could not be solved exactly, or a number was not finite.
pub fn check_answer(summary: &Summary) -> Result<(), Failure> {
    if !summary.finite {
        return Err(Failure::Other(
            "a pose or a force was not finite: this is a bug of the engine, please report it".into(),
        ));
    }
    if 2 * summary.ticks_unsolved > summary.ticks {
        let (bad, all) = (grouped(summary.ticks_unsolved as usize), grouped(summary.ticks as usize));
        return Err(Failure::Other(format!(
            "{bad} of {all} ticks could not be solved, so the run has no answer: look for masses, sizes or stiffnesses that are far off"
        )));
    }
    Ok(())
}

impl<E: ReportedEngine> Done<E> {
    /// Ticks until the scene ends or the user stops it.
    fn drive(&mut self, bars: &Bars, mut sink: Option<&mut (dyn RowSink + '_)>) -> io::Result<()> {
        let mut row = Vec::with_capacity(MOST_COLUMNS + 1);
        while !self.run.finished() {
            if stop::asked() {
                self.stopped = true;
                return Ok(());
            }
            let t = self.run.time();
            let run = &mut self.run;
            self.times.time(|| {
                run.tick();
            });
            self.run.sum_motion();
            self.run.engine().look(&mut self.formations, t);
            if let Some(sink) = &mut sink {
                tick_row(&mut row, t, &self.run.row());
                sink.put(&row)?;
            }
            if self.run.ticks().is_multiple_of(SHOWN) {
                bars.advance(SHOWN);
            }
        }
        Ok(())
    }
}

/// The row of a tick that began at `t` (s of the scene's time).
fn tick_row(row: &mut Vec<u64>, t: f64, tick: &Row) {
    row.clear();
    row.push(t.to_bits());
    row.extend_from_slice(tick.words());
}

/// The word for a cone, with its fit.
fn cone_words(cone: Cone) -> String {
    use stiction::friction::Fit;
    match cone {
        Cone::Disk => "disk".into(),
        Cone::Polygon { sides, fit: Fit::Circumscribed } => format!("{sides}-gon, circumscribed"),
        Cone::Polygon { sides, fit: Fit::Inscribed } => format!("{sides}-gon, inscribed"),
    }
}
