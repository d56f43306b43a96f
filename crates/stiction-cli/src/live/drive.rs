//! A session at work: the loop on its thread, the recorder on another, statistics on one updating line.

use super::args::LiveArgs;
use super::outcome::{LiveOutcome, RecordedFile, line};
use crate::bars::Bars;
use crate::run::{RunEstimate, check_answer};
use crate::{Failure, output, stop, terminal};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use stiction_bake::Progress;
use stiction_device::servo_loop::{self, run_virtual};
use stiction_device::{ArmHandle, Arms, CycleSink, Stats, realtime};
use stiction_formation::tick::formation_of;
use stiction_formation::timeline::FormationTimeline;
use stiction_record::{Feed, Recorder, RecorderState, RecorderWatch, WriteOptions};
use stiction_session::{Carry, Pace, RecordSink, Session};

/// The priority that is asked for: above everything ordinary, below the kernel's own threads.
const PRIORITY: i32 = 80;
/// Time between two looks at the loop.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a session for its scene's length, or until the user stops it.
pub fn drive(session: &Session, args: &LiveArgs, bars: Bars, as_json: bool) -> Result<(), Failure> {
    session.notices.iter().chain(&session.world.warnings).for_each(|n| bars.say(&format!("note: {n}")));
    let estimate = RunEstimate::of_session(&session.world, args.is_real(), session.plan.arms, args.record.as_deref());
    if let Some(words) = estimate?.words() {
        bars.say(&format!("note: {words}"));
    }
    let (recorder, feeds) = record(session, args, &bars)?;
    let mut alarm = RecordingAlarm::new(recorder.as_ref(), args);
    let mut feeds: Vec<Option<Feed>> = feeds.into_iter().map(Some).collect();
    let real = args.is_real();
    let pace = if real { Pace::Real } else { Pace::Virtual(session.period()) };
    let (arms, reins) = session.summed_arms(pace, |number| {
        let feed = feeds.get_mut(usize::from(number))?.take()?;
        Some(Box::new(RecordSink::new(feed, !real)) as Box<dyn CycleSink>)
    })?;
    let begun = Instant::now();
    let mut lived = if real {
        real_time(session, args, arms, reins, bars, &mut alarm)?
    } else {
        fast(session, arms, bars, &mut alarm)
    };
    lived.wall_seconds = begun.elapsed().as_secs_f64();
    lived.stopped = stop::asked();
    if let (Some(recorder), Some(path)) = (recorder, &args.record) {
        let watch = recorder.watch();
        let failure = recorder.finish().err().map(|e| e.to_string());
        alarm.look(false);
        lived.recorded = Some(RecordedFile { path: path.clone(), counts: watch.status().counts, failure });
    }
    lived.tell(session, as_json)?;
    if lived.recorded.as_ref().is_some_and(|r| r.failure.is_some()) {
        return Err(Failure::Missed);
    }
    if lived.stopped { Err(Failure::stopped("stopped")) } else { lived.summaries.iter().try_for_each(check_answer) }
}

/// Tells at once that a recording has ended early: of a full disk, not when the run is over.
struct RecordingAlarm {
    recording: Option<(RecorderWatch, PathBuf)>,
}

impl RecordingAlarm {
    fn new(recorder: Option<&Recorder>, args: &LiveArgs) -> Self {
        RecordingAlarm { recording: recorder.map(Recorder::watch).zip(args.record.clone()) }
    }

    /// Looks at the recording and tells once if it has failed, after clearing a line that is shown. Says whether it has just been told.
    fn look(&mut self, shown: bool) -> bool {
        let told = self.recording.as_ref().and_then(|(watch, path)| match watch.status().state {
            RecorderState::Failed(why) => Some(format!("error: {}: {why}", path.display())),
            _ => None,
        });
        if let Some(told) = &told {
            if shown {
                eprint!("\r\x1b[K");
            }
            output::complain(told);
            self.recording = None;
        }
        told.is_some()
    }
}

fn record(session: &Session, args: &LiveArgs, bars: &Bars) -> Result<(Option<Recorder>, Vec<Feed>), Failure> {
    let Some(path) = &args.record else { return Ok((None, Vec::new())) };
    let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
    let build = format!(
        "{} {}{}",
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(debug_assertions) { ", debug" } else { "" }
    );
    let (header, notes) = session.carrying_header(&build, started, args.carry.unwrap_or(Carry::Auto))?;
    notes.iter().for_each(|note| bars.say(&format!("note: {note}")));
    Ok(match session.plan.arms {
        1 => {
            let (recorder, feeds) = Recorder::create::<1>(path, &header, WriteOptions::default())?;
            (Some(recorder), feeds.into())
        }
        _ => {
            let (recorder, feeds) = Recorder::create::<2>(path, &header, WriteOptions::default())?;
            (Some(recorder), feeds.into())
        }
    })
}

fn real_time(
    session: &Session,
    args: &LiveArgs,
    arms: Arms,
    mut handles: Vec<ArmHandle>,
    bars: Bars,
    alarm: &mut RecordingAlarm,
) -> Result<LiveOutcome, Failure> {
    let scene = &session.world.scene;
    let columns = arms.servo().simulation().columns().to_vec();
    let running = servo_loop::start(arms, (!args.no_priority).then_some(PRIORITY))?;
    let granted = running.granted().clone();
    if !args.no_priority {
        granted.advice().iter().for_each(|advice| bars.say(&format!("note: {advice}")));
    }
    drop(bars);
    let shown = io::stderr().is_terminal();
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < scene.seconds && !stop::asked() && !running.ended() {
        std::thread::sleep(LOOK);
        alarm.look(shown);
        if shown {
            let snapshots: Vec<_> = handles.iter_mut().map(|h| h.snapshots.take().0).collect();
            let width = terminal::error_width();
            eprint!("\r\x1b[K{}", line(begun.elapsed().as_secs_f64(), &columns, &snapshots, running.stats(), width));
            let _ = io::stderr().flush();
        }
    }
    if shown {
        eprint!("\r\x1b[K");
    }
    let stats = Arc::clone(running.stats());
    let arms = running.stop().ok_or_else(|| Failure::Other("the servo thread panicked: this is a bug".into()))?;
    Ok(LiveOutcome::new(arms, stats, Some(granted)))
}

/// As fast as it goes. Nobody holds the handle: it ends where the recording does.
fn fast(session: &Session, mut arms: Arms, bars: Bars, alarm: &mut RecordingAlarm) -> LiveOutcome {
    let scene = &session.world.scene;
    let ticks = (scene.seconds * scene.rate).ceil() as u64;
    let stats = Arc::new(Stats::default());
    bars.stage("running", ticks);
    let columns = session.columns();
    let mut formations = FormationTimeline::default();
    let mut done = 0;
    let mut begun = realtime::thread_time();
    run_virtual(&mut arms, |arms, _| {
        let now = realtime::thread_time();
        stats.compute.add(now.saturating_sub(begun));
        if let Some(contacts) = arms.iter().next().and_then(|arm| formation_of(&columns, &arm.snapshot().output.row)) {
            formations.add(done as f64 / scene.rate, 1.0 / scene.rate, &contacts);
        }
        done += 1;
        let mut failed = false;
        if done % 128 == 0 {
            bars.advance(128);
            failed = bars.hidden(|| alarm.look(false));
        }
        begun = realtime::thread_time();
        done < ticks && !failed && !stop::asked()
    });
    arms.iter_mut().for_each(stiction_device::Arm::disarm);
    let mut lived = LiveOutcome::new(arms, stats, None);
    lived.formations = formations;
    lived
}
