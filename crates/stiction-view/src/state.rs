//! What the threads share.

use crate::live::{Source, Wish};
use crate::margins::Known;
use crate::playback::Player;
use crate::roles::Roles;
use crate::sentence::LaneInfo;
use crate::wire::Say;
use axum::body::Bytes;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use stiction::shape::Shape;
use stiction::spatial::Pose;
use stiction_device::Stats;
use stiction_device::handover::Publisher;
use tokio::sync::{broadcast, watch};

/// Something for the director to do: it may take a while.
#[derive(Clone, Debug)]
pub enum Request {
    /// Another scene, or other settings.
    Configure {
        /// Its name.
        scene: String,
        /// Keys and values.
        set: BTreeMap<String, String>,
        /// Of the second lane.
        compare: Option<BTreeMap<String, String>>,
    },
    /// As the scene starts.
    Reset,
    /// Record, or stop recording.
    Record(bool),
    /// Show a recording.
    Play(String),
    /// Back to the loop.
    Live,
    /// Shuts the director down.
    Stop,
}

/// What pages are told when they come, as JSON.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The world in force.
    pub world: Option<Arc<str>>,
    /// Recordings.
    pub recordings: Option<Arc<str>>,
    /// Progress under way.
    pub progress: Option<Arc<str>>,
    /// What keeps any world from being shown.
    pub fatal: Option<Arc<str>>,
}

/// Shapes of a generation, for display.
pub struct Shapes {
    /// Which.
    pub generation: u32,
    /// Triangles of the held part, as they are sent.
    pub held: Bytes,
    /// Triangles of the fixed part, as they are sent.
    pub fixed: Bytes,
    /// Points of the shell, as they are sent.
    pub shell: Bytes,
    /// The parts, for slices.
    pub parts: [Arc<Shape>; 2],
}

/// Control of the loop, and of a recording that may be shown instead.
#[derive(Default)]
pub struct Control {
    /// What the loop shall do.
    pub wish: Wish,
    /// Its way there, once there is a loop.
    pub publisher: Option<Publisher<Wish>>,
    /// The recording that is shown.
    pub player: Option<Player>,
}

impl Control {
    /// Changes what the loop shall do.
    pub fn wish(&mut self, change: impl FnOnce(&mut Wish)) {
        change(&mut self.wish);
        if let Some(publisher) = &mut self.publisher {
            publisher.publish(&self.wish);
        }
    }

    /// Pause and speed, of the recording where one is shown.
    pub fn time(&mut self, paused: bool, speed: f64) {
        match &mut self.player {
            Some(player) => player.time(paused, speed),
            None => self.wish(|w| (w.tempo.paused, w.tempo.speed) = (paused, speed)),
        }
    }

    /// The page's hand.
    pub fn hand(&mut self, seq: f64, pose: Pose) {
        self.wish(|w| (w.source, w.seq, w.hand) = (Source::Page, seq, pose));
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
pub struct Shared {
    /// What pages are told when they come.
    pub facts: Mutex<Facts>,
    /// What they are told from then on.
    pub news: broadcast::Sender<Arc<str>>,
    /// The newest frame.
    pub frames: watch::Sender<Bytes>,
    /// To the director.
    pub requests: mpsc::SyncSender<Request>,
    /// What the loop, or a recording that is shown instead, shall do.
    pub control: Mutex<Control>,
    /// Shapes of the last few generations.
    pub shapes: Mutex<VecDeque<Arc<Shapes>>>,
    /// What lanes of the last few stands are.
    pub lanes: Mutex<VecDeque<(u64, Vec<LaneInfo>)>>,
    /// Who holds the part.
    pub roles: Mutex<Roles>,
    /// Margins.
    pub margins: Known,
    /// A recording is being written.
    pub recording: AtomicBool,
    /// The stand that the loop showed last, and the pose and hand there.
    pub seen: Mutex<Seen>,
    /// Statistics of the loop, once it runs.
    pub stats: Mutex<Option<Arc<Stats>>>,
    /// Numbers.
    pub counters: Counters,
    /// Work under way shall end.
    pub cancel: AtomicBool,
    /// Every thread shall end.
    pub stop: AtomicBool,
    /// Where recordings go.
    pub folder: PathBuf,
}

/// Where the loop was when it was last looked at.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Its stand.
    pub stand: u64,
    /// Time since the last reset (s).
    pub time: f64,
    /// Where the part of the first lane is (world from part).
    pub part: Pose,
    /// Where the hand is (world from part).
    pub hand: Pose,
}

impl Default for Seen {
    fn default() -> Self {
        Seen { stand: 0, time: 0.0, part: Pose::identity(), hand: Pose::identity() }
    }
}

impl Shared {
    /// Nothing yet.
    pub fn new(requests: mpsc::SyncSender<Request>, folder: PathBuf) -> Self {
        Shared {
            facts: Mutex::default(),
            news: broadcast::channel(64).0,
            frames: watch::channel(Bytes::new()).0,
            requests,
            control: Mutex::default(),
            shapes: Mutex::default(),
            lanes: Mutex::default(),
            roles: Mutex::default(),
            margins: Known::default(),
            recording: AtomicBool::new(false),
            seen: Mutex::default(),
            stats: Mutex::default(),
            counters: Counters::default(),
            cancel: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            folder,
        }
    }

    /// Tells all pages; those to come too, where `keep` has a place for it.
    pub fn tell(&self, say: &Say, keep: impl FnOnce(&mut Facts, Arc<str>)) {
        let text: Arc<str> = say.json().into();
        keep(&mut locked(&self.facts), Arc::clone(&text));
        // Nobody may be there.
        let _ = self.news.send(text);
    }

    /// Tells all pages who holds the part.
    pub fn tell_roles(&self) {
        let say = locked(&self.roles).say();
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
