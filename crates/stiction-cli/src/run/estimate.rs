//! How long a run may be, how long it will take and how much it will write: told before it starts.

use super::sink::{self, TableFormat};
use super::{TIME, tick_row};
use crate::Failure;
use crate::facts::{grouped, number};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stiction::columns::Column;
use stiction_bake::bytes;
use stiction_device::realtime::thread_time;
use stiction_scene::{DrivenEngine, EngineKind, Run, Scene, SceneError, World};

/// The longest run, in the scene's time (s): a day.
const DAY: f64 = 86_400.0;
/// The longest run that the user may ask for (s): a year.
const YEAR: f64 = 365.0 * DAY;
/// Runs that take less are not told of (s).
const SHORT: f64 = 5.0;
/// Runs of fewer ticks are not worth an estimate.
const FEW: f64 = 2000.0;
/// Ticks that are tried, spread over the hand's motion, and the time that they may take.
const TRIED: u32 = 256;
const PATIENCE: Duration = Duration::from_millis(200);
/// Ticks at the end of these that stand for those in which the hand rests.
const LAST: usize = 9;
/// Bytes of a tick of a hand in a recording, which is compressed: 180 to 290 in the scenes that come with the program.
const RECORDED: f64 = 300.0;

/// Refuses runs that nobody waits for, by their length in the scene's time (s): a day at most, a year if `long`.
pub fn check_length(seconds: f64, long: bool) -> Result<(), Failure> {
    let (most, advice) = if long { (YEAR, "") } else { (DAY, "; --long allows up to a year") };
    if seconds <= most {
        return Ok(());
    }
    Err(Failure::Other(format!(
        "the run would have {} s of the scene's time, and a run has at most {} s{advice} (run.seconds, --seconds)",
        number(seconds),
        grouped(most)
    )))
}

/// How long a run will take, and how much it will write.
pub struct RunEstimate {
    /// Number of ticks.
    ticks: f64,
    /// Time on the wall (s).
    seconds: f64,
    /// The file that is written, and its size (bytes).
    file: Option<(PathBuf, f64)>,
}

impl RunEstimate {
    /// Of a run as fast as it goes, by ticks that are tried all along the hand's motion.
    pub fn of_run(world: &World, trace: Option<(&Path, TableFormat)>) -> Result<RunEstimate, SceneError> {
        let scene = &world.scene;
        let ticks = (scene.seconds * scene.rate).ceil();
        if ticks < FEW {
            return Ok(RunEstimate { ticks, seconds: 0.0, file: None });
        }
        let moving = scene.hand().seconds().clamp(1.0 / scene.rate, scene.seconds);
        let mut tried = world.clone();
        tried.scene.rate = scene.rate.min(f64::from(TRIED) / moving);
        match scene.engine {
            EngineKind::QuasiStatic => Ok(RunEstimate::of_tried(scene, tried.run()?, moving, trace)),
            EngineKind::Formation => Ok(RunEstimate::of_tried(scene, tried.formation_run()?, moving, trace)),
            EngineKind::Volume => Ok(RunEstimate::of_tried(scene, world.volume_run()?, moving, trace)),
        }
    }

    /// By a run with fewer ticks along the hand's motion, which lasts so long (s).
    fn of_tried<E: DrivenEngine>(
        scene: &Scene,
        mut run: Run<E>,
        moving: f64,
        trace: Option<(&Path, TableFormat)>,
    ) -> RunEstimate {
        let ticks = (scene.seconds * scene.rate).ceil();
        let columns = [&TIME[..], run.engine().row_columns()].concat();
        let mut rows = RowBytes::new(&columns, trace.map(|t| t.1));
        let begun = Instant::now();
        let mut times = TickTimes::default();
        while run.time() < moving && begun.elapsed() < PATIENCE {
            let tick = thread_time();
            run.step();
            rows.add(&run);
            times.add(thread_time().saturating_sub(tick));
        }
        let of_motion = ticks.min(moving * scene.rate);
        let seconds = times.mean() * of_motion + times.rest() * (ticks - of_motion);
        let file = trace.map(|(path, _)| (path.to_path_buf(), rows.mean() * ticks));
        RunEstimate { ticks, seconds, file }
    }

    /// The same for a run with devices: by the clock on the wall it takes as long as the scene.
    pub fn of_session(world: &World, real: bool, hands: u8, record: Option<&Path>) -> Result<RunEstimate, SceneError> {
        let scene = &world.scene;
        let ticks = (scene.seconds * scene.rate).ceil();
        // The engines of two hands are two, but for contact volumes; nobody tries those of a scene that has two by itself.
        let seconds = match (real, scene.engine) {
            (true, _) => scene.seconds,
            (_, EngineKind::Volume) => RunEstimate::of_run(world, None)?.seconds,
            _ if scene.hands().len() > 1 => scene.seconds,
            _ => f64::from(hands) * RunEstimate::of_run(world, None)?.seconds,
        };
        let file = record.map(|path| (path.to_path_buf(), RECORDED * ticks * f64::from(hands)));
        Ok(RunEstimate { ticks, seconds, file })
    }

    /// The estimate in a sentence; `None` for runs of a few seconds.
    pub fn words(&self) -> Option<String> {
        let free = self.file.as_ref().and_then(|(path, _)| free_bytes(path));
        (self.seconds > SHORT).then(|| self.told(free))
    }

    fn told(&self, free: Option<u64>) -> String {
        let mut out = format!("{} ticks will take about {}", grouped(self.ticks), time(self.seconds));
        if let Some((path, size)) = &self.file {
            let size = *size as u64;
            out += &format!(", and {} about {}", path.display(), bytes(size));
            match free {
                Some(free) if free < size => out += &format!(": only {} are free there", bytes(free)),
                Some(free) => out += &format!(" ({} are free)", bytes(free)),
                None => {}
            }
        }
        out + "; Ctrl-C ends it earlier and keeps what it has"
    }
}

/// Processor times of ticks: other programs must not count. One tick that was interrupted for 50 ms once stood for all those in which the hand rests: 17 minutes were told of a run of a second.
#[derive(Default)]
struct TickTimes {
    all: u64,
    count: u64,
    /// The last ones (ns), in any order.
    last: [u64; LAST],
}

impl TickTimes {
    fn add(&mut self, nanoseconds: u64) {
        self.last[self.count as usize % LAST] = nanoseconds;
        self.all += nanoseconds;
        self.count += 1;
    }

    /// The mean of all (s).
    fn mean(&self) -> f64 {
        1e-9 * self.all as f64 / self.count.max(1) as f64
    }

    /// What a tick takes when the hand rests (s): the median of the last ones.
    fn rest(&self) -> f64 {
        let mut last = self.last;
        let known = &mut last[..(self.count as usize).min(LAST)];
        known.sort_unstable();
        known.get(known.len() / 2).map_or(0.0, |ns| 1e-9 * *ns as f64)
    }
}

/// A time in the unit that suits it.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{} s", number(s.ceil())),
        s if s < 6000.0 => format!("{} min", number((s / 60.0).ceil())),
        s if s < 48.0 * 3600.0 => format!("{} h", number(s / 3600.0)),
        s => format!("{} days", number(s / DAY)),
    }
}

/// Bytes that are free on the disk of a file that may not be there yet.
fn free_bytes(path: &Path) -> Option<u64> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    #[cfg(unix)]
    return rustix::fs::statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    #[cfg(not(unix))]
    return Some(folder).and(None);
}

/// Bytes of rows in a table.
struct RowBytes<'a> {
    columns: &'a [Column],
    format: Option<TableFormat>,
    row: Vec<u64>,
    line: Vec<u8>,
    bytes: f64,
    rows: f64,
}

impl<'a> RowBytes<'a> {
    fn new(columns: &'a [Column], format: Option<TableFormat>) -> Self {
        RowBytes { columns, format, row: Vec::new(), line: Vec::new(), bytes: 0.0, rows: 0.0 }
    }

    fn add<E: DrivenEngine>(&mut self, run: &Run<E>) {
        let Some(format) = self.format else { return };
        self.rows += 1.0;
        self.bytes += match format {
            // Eight bytes a value, uncompressed; what is beside them is little.
            TableFormat::Parquet => 8.0 * self.columns.len() as f64,
            TableFormat::Csv => {
                tick_row(&mut self.row, run.time(), &run.row());
                self.line.clear();
                // Writing into memory cannot fail.
                let _ = sink::csv_row(&mut self.line, self.columns, &self.row);
                self.line.len() as f64
            }
        };
    }

    fn mean(&self) -> f64 {
        self.bytes / self.rows.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_that_is_interrupted_does_not_stand_for_those_that_follow() {
        let mut times = TickTimes::default();
        assert_eq!((times.mean(), times.rest()), (0.0, 0.0));
        (0..40).for_each(|_| times.add(20_000));
        times.add(50_000_000);
        assert!((times.rest() - 20e-6).abs() < 1e-12 && times.mean() < 1.3e-3, "{} {}", times.rest(), times.mean());
        let mut one = TickTimes::default();
        one.add(30_000);
        assert!((one.rest() - 30e-6).abs() < 1e-12);
    }

    #[test]
    fn an_estimate_tells_time_and_disk_and_whether_it_fits() {
        let file = Some(("run.csv".into(), 2.5e9));
        let long = RunEstimate { ticks: 3_600_000.0, seconds: 90.0, file };
        let told = long.told(Some(50 << 30));
        assert!(
            told.starts_with("3,600,000 ticks will take about 90 s, and run.csv about 2.33 GiB (50.0 GiB are free)"),
            "{told}"
        );
        assert!(long.told(Some(1 << 30)).contains(": only 1.00 GiB are free there"));
        assert!(long.words().is_some());
        assert!(RunEstimate { seconds: 3.0, ..long }.words().is_none());
        for (seconds, words) in [(9.2, "10 s"), (400.0, "7 min"), (20_000.0, "5.56 h"), (1e6, "11.6 days")] {
            assert_eq!(time(seconds), words);
        }
    }
}
