//! A session at work: the loop on its thread, the recorder on another, statistics on one updating line.

use super::args::LiveArgs;
use super::outcome::{LiveOutcome, line};
use crate::bars::Bars;
use crate::{Failure, stop};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use stiction_bake::Progress;
use stiction_device::servo_loop::{self, run_virtual};
use stiction_device::{ArmHandle, Arms, CycleSink, Stats, realtime};
use stiction_record::{Feed, Recorder, WriteOptions};
use stiction_session::{Pace, RecordSink, Session};

/// The priority that is asked for: above everything ordinary, below the kernel's own threads.
const PRIORITY: i32 = 80;
/// Time between two looks at the loop.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a session for its scene's length, or until the user stops it.
pub fn drive(session: &Session, args: &LiveArgs, bars: Bars, as_json: bool) -> Result<(), Failure> {
    session.notices.iter().chain(&session.world.warnings).for_each(|n| bars.say(&format!("note: {n}")));
    let (recorder, feeds) = record(session, args)?;
    let mut feeds: Vec<Option<Feed>> = feeds.into_iter().map(Some).collect();
    let real = args.is_real();
    let pace = if real { Pace::Real } else { Pace::Virtual(session.period()) };
    let (arms, reins) = session.arms(pace, |number| {
        let feed = feeds.get_mut(usize::from(number))?.take()?;
        Some(Box::new(RecordSink::new(feed, !real)) as Box<dyn CycleSink>)
    })?;
    let begun = Instant::now();
    let mut lived = if real { real_time(session, args, arms, reins, bars)? } else { fast(session, arms, bars) };
    lived.wall_seconds = begun.elapsed().as_secs_f64();
    lived.stopped = stop::asked();
    if let (Some(recorder), Some(path)) = (recorder, &args.record) {
        lived.recorded = Some((path.clone(), recorder.finish()?));
    }
    lived.tell(session, as_json)?;
    if lived.stopped { Err(Failure::Stopped("stopped")) } else { Ok(()) }
}

fn record(session: &Session, args: &LiveArgs) -> Result<(Option<Recorder>, Vec<Feed>), Failure> {
    let Some(path) = &args.record else { return Ok((None, Vec::new())) };
    let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
    let build = format!(
        "{} {}{}",
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(debug_assertions) { ", debug" } else { "" }
    );
    let header = session.header(&build, started);
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
        if shown {
            let snapshots: Vec<_> = handles.iter_mut().map(|h| h.snapshots.take().0).collect();
            eprint!("\r\x1b[K{}", line(begun.elapsed().as_secs_f64(), &columns, &snapshots, running.stats()));
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

fn fast(session: &Session, mut arms: Arms, bars: Bars) -> LiveOutcome {
    let scene = &session.world.scene;
    let ticks = (scene.seconds * scene.rate).ceil() as u64;
    let stats = Arc::new(Stats::default());
    bars.stage("running", ticks);
    let mut done = 0;
    let mut begun = realtime::thread_time();
    run_virtual(&mut arms, |_, _| {
        let now = realtime::thread_time();
        stats.compute.add(now.saturating_sub(begun));
        done += 1;
        if done % 128 == 0 {
            bars.advance(128);
        }
        begun = realtime::thread_time();
        done < ticks && !stop::asked()
    });
    arms.iter_mut().for_each(stiction_device::Arm::disarm);
    LiveOutcome::new(arms, stats, None)
}
