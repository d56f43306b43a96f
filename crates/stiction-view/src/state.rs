//! State that the viewer's threads share.

use crate::live::{GrabCommand, LoopCommands, Source};
use crate::margins::KnownMargins;
use crate::playback::Player;
use crate::roles::Roles;
use crate::sentence::LaneInfo;
use crate::survey::Survey;
use crate::wire::{PageMessage, ServerMessage};
use axum::body::Bytes;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};
use stiction::shape::Shape;
use stiction::spatial::Pose;
use stiction_device::Stats;
use stiction_device::handover::Publisher;
use tokio::sync::{broadcast, watch};

/// Messages that a new page receives first, as JSON text.
#[derive(Clone, Debug, Default)]
pub struct PageFacts {
    /// The world in force.
    pub world: Option<Arc<str>>,
    /// The list of recordings.
    pub recordings: Option<Arc<str>>,
    /// Progress under way.
    pub progress: Option<Arc<str>>,
    /// What keeps any world from being shown.
    pub fatal: Option<Arc<str>>,
}

/// Shapes of a generation, for display.
pub struct Shapes {
    /// Number of the generation.
    pub generation: u32,
    /// Triangles of the held part, as they are sent.
    pub held: Bytes,
    /// Triangles of the fixed part, as they are sent.
    pub fixed: Bytes,
    /// Triangles of the shapes of many bodies, by number, as they are sent.
    pub bodies: Vec<Bytes>,
    /// Points of the shell, as they are sent.
    pub shell: Bytes,
    /// The parts, for slices.
    pub parts: [Arc<Shape>; 2],
}

/// Control of the loop, and of a recording that may be shown instead.
#[derive(Default)]
pub struct LoopControl {
    /// Commands to the loop, as they were last published.
    pub command: LoopCommands,
    /// Channel to the loop; `None` before the loop has started.
    pub publisher: Option<Publisher<LoopCommands>>,
    /// The recording that is shown.
    pub player: Option<Player>,
    /// Whether a hand can take each body of the world; empty where hands cannot let go of their body.
    pub can_grab: Vec<bool>,
}

impl LoopControl {
    /// Changes the commands to the loop and publishes them.
    pub fn command(&mut self, change: impl FnOnce(&mut LoopCommands)) {
        change(&mut self.command);
        if let Some(publisher) = &mut self.publisher {
            publisher.publish(&self.command);
        }
    }

    /// Pause and speed, of the recording where one is shown.
    pub fn time(&mut self, paused: bool, speed: f64) {
        match &mut self.player {
            Some(player) => player.time(paused, speed),
            None => self.command(|w| (w.tempo.paused, w.tempo.speed) = (paused, speed)),
        }
    }

    /// Makes the hand take a body, or let go of what it holds.
    ///
    /// # Errors
    /// A sentence for the page if there is no such body, or no hand can take it.
    pub fn grab(&mut self, body: Option<u32>) -> Result<(), String> {
        if self.can_grab.is_empty() {
            return Err("the hand cannot take another body here: it holds the scene's part".into());
        }
        let number = body.map(|body| body as usize);
        match number.map(|number| self.can_grab.get(number)) {
            Some(None) => {
                return Err(format!(
                    "there is no body {}: there are {}",
                    body.unwrap_or_default(),
                    self.can_grab.len()
                ));
            }
            Some(Some(false)) => return Err("that body never moves: no hand can take it".into()),
            _ => {}
        }
        self.command(|w| {
            w.grab = GrabCommand { count: w.grab.count.wrapping_add(1), body: number };
            // A script or demonstration ends where somebody takes a body: the hand stays until it is moved.
            if number.is_some() {
                w.source = Source::Page;
            }
        });
        Ok(())
    }

    /// Moves the hand to a pose that a page asks for (world from part); `seq` is the number of its message.
    pub fn hand(&mut self, seq: f64, pose: Pose) {
        self.command(|w| (w.source, w.seq, w.hand) = (Source::Page, seq, pose));
    }
}

/// Numbers for `/api/stats`.
#[derive(Debug, Default)]
pub struct Counters {
    /// Number of frames that the hub made.
    pub frames: AtomicU64,
    /// Number of frames that were sent to pages.
    pub sent: AtomicU64,
    /// Messages that made no sense.
    pub malformed: AtomicU64,
}

/// State shared by the viewer's threads.
pub struct SharedState {
    /// Messages that a new page receives first.
    pub facts: Mutex<PageFacts>,
    /// Messages to all pages.
    pub news: broadcast::Sender<Arc<str>>,
    /// The newest frame.
    pub frames: watch::Sender<Bytes>,
    /// Messages of pages for the director; `None` shuts it down.
    pub requests: mpsc::SyncSender<Option<PageMessage>>,
    /// Control of the loop, or of a recording that is shown instead.
    pub control: Mutex<LoopControl>,
    /// Shapes of the last few generations.
    pub shapes: Mutex<VecDeque<Arc<Shapes>>>,
    /// Generation and survey of the recording that is shown.
    pub survey: Mutex<Option<(u32, Arc<Survey>)>>,
    /// Labels and engines of the lanes of the last few worlds.
    pub lanes: Mutex<VecDeque<(u64, Vec<LaneInfo>)>>,
    /// Which page holds the part.
    pub roles: Mutex<Roles>,
    /// The newest margins of each lane.
    pub margins: KnownMargins,
    /// Whether a recording is being written.
    pub recording: AtomicBool,
    /// The world that the loop showed last, and the pose and hand there.
    pub seen: Mutex<LoopState>,
    /// Statistics of the loop, once it runs.
    pub stats: Mutex<Option<Arc<Stats>>>,
    /// Counters for `/api/stats`.
    pub counters: Counters,
    /// Asks the work under way to end.
    pub cancel: AtomicBool,
    /// Asks every thread to end.
    pub stop: AtomicBool,
    /// Folder of the recordings.
    pub folder: PathBuf,
}

/// World, time and poses of the loop in its newest view.
#[derive(Clone, Copy, Debug)]
pub struct LoopState {
    /// Number of the world.
    pub world: u64,
    /// Time since the last reset (s).
    pub time: f64,
    /// Pose of the first lane's part (world from part).
    pub part: Pose,
    /// Pose of the hand (world from part).
    pub hand: Pose,
}

impl Default for LoopState {
    fn default() -> Self {
        LoopState { world: 0, time: 0.0, part: Pose::identity(), hand: Pose::identity() }
    }
}

impl SharedState {
    /// The state before anything has been built. A page that holds the part and has done nothing for `patience` loses it to one that asks.
    pub fn new(requests: mpsc::SyncSender<Option<PageMessage>>, folder: PathBuf, patience: Duration) -> Self {
        SharedState {
            facts: Mutex::default(),
            news: broadcast::channel(64).0,
            frames: watch::channel(Bytes::new()).0,
            requests,
            control: Mutex::default(),
            shapes: Mutex::default(),
            survey: Mutex::default(),
            lanes: Mutex::default(),
            roles: Mutex::new(Roles::new(patience)),
            margins: KnownMargins::default(),
            recording: AtomicBool::new(false),
            seen: Mutex::default(),
            stats: Mutex::default(),
            counters: Counters::default(),
            cancel: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            folder,
        }
    }

    /// Sends a message to all pages. `keep` may store its text for pages that connect later.
    pub fn tell(&self, say: &ServerMessage, keep: impl FnOnce(&mut PageFacts, Arc<str>)) {
        let text: Arc<str> = say.json().into();
        keep(&mut locked(&self.facts), Arc::clone(&text));
        // Nobody may be there.
        let _ = self.news.send(text);
    }

    /// Sends all pages a message that says which page holds the part.
    pub fn tell_roles(&self) {
        let say = locked(&self.roles).say(Instant::now());
        self.tell(&say, |_, _| {});
    }

    /// Shapes of a generation.
    pub fn shapes(&self, generation: u32) -> Option<Arc<Shapes>> {
        locked(&self.shapes).iter().find(|s| s.generation == generation).cloned()
    }
}

/// Locks a mutex, ignoring poisoning.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
