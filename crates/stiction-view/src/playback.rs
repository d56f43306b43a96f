//! A recording instead of the loop: replayed once, kept as frames, shown at any moment of it.

use crate::lane_report::LaneReport;
use crate::live::{CreepMeter, LoopView, Source};
use crate::sentence::{LaneInfo, margin};
use crate::setup::named_lane_info;
use crate::survey::{self, Survey, SurveyedTick};
use crate::wire::{FrameFacts, LaneExtra, encode, patch};
use axum::body::Bytes;
use std::path::{Path, PathBuf};
use stiction::simulation::HandTick;
use stiction::trace::ContactTrace;
use stiction_bake::Progress;
use stiction_bake::cache::Cache;
use stiction_device::Servo;
use stiction_record::Recording;
use stiction_scene::EngineKind;
use stiction_session::{Replayed, Session, SessionError};

/// Frames a second of recorded time.
const RATE: f64 = 50.0;
/// Frames from one answer for margins to the next: they take many solves.
const MARGIN_EVERY: usize = 5;
/// Most memory for frames; of longer recordings every second frame is dropped, and again.
const MEMORY: usize = 256 << 20;

/// A recording as frames.
pub struct LoadedRecording {
    /// The session it was made of.
    pub session: Session,
    /// Whether it replayed to the same bits, in words.
    pub verdict: String,
    /// Its length (s).
    pub seconds: f64,
    /// Least and largest values of all that is plotted, over its whole length.
    pub survey: Survey,
    frames: Vec<(f64, Bytes)>,
}

/// Replays a recording. Files that it does not carry are looked for in the folders `meshes`, beside it and where they were.
///
/// # Errors
/// [`SessionError`] where it cannot be read or replayed.
pub fn load(
    path: &Path,
    meshes: &[PathBuf],
    generation: u32,
    cache: Option<&Cache>,
    progress: &dyn Progress,
) -> Result<LoadedRecording, SessionError> {
    let mut recording = Recording::open(path)?;
    let header = recording.header().clone();
    let folders: Vec<PathBuf> = meshes.iter().cloned().chain(path.parent().map(PathBuf::from)).collect();
    let session = Session::recorded(&header, &folders, cache, progress)?;
    let rate = session.world.scene.rate;
    let mut film = Film::new(named_lane_info(&session), rate, generation);
    let ticks = recording.survey()?.entries;
    progress.stage("replaying", ticks);
    let replayed = session.replay(&mut recording, |ticks, servo| {
        film.see(ticks, servo);
        if ticks % 1000 == 0 {
            progress.advance(1000);
        }
        !progress.cancelled()
    })?;
    let (seconds, Film { frames, survey, .. }) = (film.ticks as f64 / rate, film);
    Ok(LoadedRecording { verdict: told(&replayed), seconds, survey, frames, session })
}

fn told(replayed: &Replayed) -> String {
    let ticks = replayed.ticks;
    let end = match (replayed.gap, replayed.cut_off) {
        (Some(gap), _) => format!("; ticks before {gap} are missing, so it ends there"),
        (None, Some(cut)) => format!("; {cut}"),
        (None, None) => String::new(),
    };
    match replayed.difference {
        None => format!("replayed to the same bits: {ticks} ticks{end}"),
        Some(d) => format!("replays differently from tick {} on: shown is what this version does", d.tick),
    }
}

/// Frames in the making.
struct Film {
    view: Box<LoopView>,
    info: LaneInfo,
    rate: f64,
    /// Ticks from one frame to the next, and those so far.
    stride: u64,
    ticks: u64,
    creep: CreepMeter,
    report: LaneReport,
    margins: Option<stiction::probe::Margins>,
    bytes: usize,
    frames: Vec<(f64, Bytes)>,
    survey: Survey,
}

impl Film {
    fn new(info: LaneInfo, rate: f64, generation: u32) -> Self {
        let mut view = Box::new(LoopView::new(stiction::spatial::Pose::identity()));
        (view.lanes, view.source, view.generation) = (1, Source::Page, generation);
        let stride = ((rate / RATE) as u64).max(1);
        Film {
            view,
            info,
            rate,
            stride,
            ticks: 0,
            creep: CreepMeter::default(),
            report: LaneReport::default(),
            margins: None,
            bytes: 0,
            frames: Vec::new(),
            survey: Survey::new(rate),
        }
    }

    /// A tick of the replay.
    fn see(&mut self, ticks: u64, servo: &Servo) {
        let (output, simulation) = (&servo.outputs()[0], servo.simulation());
        let contacts = |each: &mut dyn FnMut(&_)| simulation.contacts(0, each);
        let trace = self.info.trace(&output.row);
        let slid = self.info.slid(&output.row);
        let slips = slid.is_some();
        self.ticks = ticks;
        let lane = &mut self.view.lane[0];
        lane.creep = match simulation.hand_count() {
            1 => self.creep.of(&output.hand, slips, contacts),
            // Among many bodies nothing is said to creep.
            _ if self.info.engine == EngineKind::Volume => 0.0,
            // Both parts move: what counts is how far the one has crept along the other.
            _ => {
                let axes = simulation.body(1).inverse();
                let tick = HandTick { hand: axes * output.hand.hand, body: axes * output.hand.body, ..output.hand };
                self.creep.of(&tick, slips, |each: &mut dyn FnMut(&ContactTrace)| {
                    simulation.contacts(0, &mut |c| {
                        let position = (axes * nalgebra::Point3::from(c.position)).coords;
                        each(&ContactTrace { position, normal: axes.rotation * c.normal, ..*c });
                    });
                })
            }
        };
        lane.ticks += 1;
        lane.slipped += u64::from(slips);
        lane.slid += slid.unwrap_or(0.0);
        let shown = ticks.is_multiple_of(self.stride);
        if shown && self.frames.len().is_multiple_of(MARGIN_EVERY) {
            let probe = if output.hand.contacts > 0 { simulation.probe(0) } else { None };
            self.margins = probe.map(|mut probe| probe.margins());
        }
        let known = if output.hand.contacts > 0 { margin(&self.info, self.margins.as_ref()) } else { f64::NAN };
        let surveyed = match self.info.volume(&output.row) {
            Some(tick) => SurveyedTick::of_volume(&tick),
            None => SurveyedTick::of_trace(trace.as_ref(), known, lane.creep),
        };
        self.survey.add(survey::values(&output.hand, &surveyed));
        if !shown {
            return;
        }
        (lane.hand, lane.row, lane.phase) = (output.hand, output.row, output.report.phase);
        lane.take(contacts);
        lane.place_bodies(simulation);
        let extra = self.extra();
        (self.view.time, self.view.tick, self.view.hand) = (ticks as f64 / self.rate, ticks, output.hand.hand);
        let facts = FrameFacts { rate: self.rate, playback: true, lanes: vec![extra], ..FrameFacts::default() };
        let frame: Bytes = encode(&self.view, &facts).into();
        self.bytes += frame.len();
        self.frames.push((self.view.time, frame));
        if self.bytes > MEMORY {
            self.thin();
        }
    }

    fn extra(&mut self) -> LaneExtra {
        let told = self.report.next(Some(&self.info), &self.view.lane[0], self.margins.as_ref(), 0.0);
        LaneExtra { cpu_mean: f64::NAN, ..told }
    }

    fn thin(&mut self) {
        let mut keep = false;
        self.frames.retain(|_| {
            keep = !keep;
            keep
        });
        self.bytes = self.frames.iter().map(|f| f.1.len()).sum();
        self.stride *= 2;
    }
}

/// A recording that is shown, and where.
pub struct Player {
    frames: Vec<(f64, Bytes)>,
    seconds: f64,
    position: f64,
    paused: bool,
    speed: f64,
    shown: Option<(usize, bool, u64)>,
}

/// A frame of a recording.
pub struct PlaybackFrame {
    /// Bytes of the frame.
    pub bytes: Bytes,
    /// Whether it differs from the frame before it.
    pub fresh: bool,
}

impl Player {
    /// At the start of it, playing.
    pub fn new(loaded: &mut LoadedRecording) -> Self {
        let frames = std::mem::take(&mut loaded.frames);
        Player { frames, seconds: loaded.seconds, position: 0.0, paused: false, speed: 1.0, shown: None }
    }

    /// Pause and speed. Played on from its end it begins anew.
    pub fn time(&mut self, paused: bool, speed: f64) {
        if self.paused && !paused && self.position >= self.seconds {
            self.position = 0.0;
        }
        (self.paused, self.speed) = (paused, speed);
    }

    /// To a moment (s).
    pub fn seek(&mut self, time: f64) {
        self.position = time.clamp(0.0, self.seconds);
    }

    /// So many frames on.
    pub fn step(&mut self, ticks: u64) {
        let now = self.index();
        let next = (now + (ticks as usize).min(self.frames.len())).min(self.frames.len().saturating_sub(1));
        self.position = self.frames.get(next).map_or(0.0, |f| f.0);
    }

    fn index(&self) -> usize {
        self.frames.partition_point(|f| f.0 <= self.position + 1e-9).saturating_sub(1)
    }

    /// What to show `passed` seconds later; `None` if the recording is empty.
    pub fn frame(&mut self, passed: f64) -> Option<PlaybackFrame> {
        if !self.paused {
            self.position += passed * self.speed;
            if self.position >= self.seconds {
                (self.position, self.paused) = (self.seconds, true);
            }
        }
        let index = self.index();
        let now = (index, self.paused, self.speed.to_bits());
        let fresh = self.shown.replace(now) != Some(now);
        let mut bytes = self.frames.get(index)?.1.to_vec();
        patch(&mut bytes, self.paused, self.speed);
        Some(PlaybackFrame { bytes: bytes.into(), fresh })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(count: usize) -> Player {
        let frames = (0..count).map(|i| (i as f64 * 0.02, Bytes::from(vec![i as u8; 64]))).collect();
        Player { frames, seconds: count as f64 * 0.02, position: 0.0, paused: false, speed: 1.0, shown: None }
    }

    #[test]
    fn it_plays_seeks_and_stops_at_its_end() {
        let mut player = player(50);
        assert_eq!(player.frame(0.0).unwrap().bytes[50], 0);
        assert_eq!(player.frame(0.11).unwrap().bytes[50], 5);
        player.seek(0.5);
        assert_eq!(player.frame(0.0).unwrap().bytes[50], 25);
        player.time(true, 1.0);
        assert_eq!(player.frame(1.0).unwrap().bytes[50], 25, "paused");
        assert!(!player.frame(1.0).unwrap().fresh);
        player.step(3);
        assert_eq!(player.frame(0.0).unwrap().bytes[50], 28);
        player.time(false, 1.0);
        let last = player.frame(100.0).unwrap();
        assert_eq!((last.bytes[50], last.bytes[3] & 1), (49, 1), "its end, paused");
        player.time(false, 1.0);
        assert_eq!(player.frame(0.0).unwrap().bytes[50], 0, "again from its start");
    }

    #[test]
    fn an_empty_recording_shows_nothing() {
        assert!(player(0).frame(1.0).is_none());
    }
}
