//! Progress of long work, as pages see it.

use crate::state::{SharedState, locked};
use crate::wire::ServerMessage;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use stiction_bake::Progress;

/// Sends progress to all pages, ten times a second at most.
pub struct PageProgress {
    shared: Arc<SharedState>,
    stage: Mutex<(&'static str, u64)>,
    at: AtomicU64,
    last: Mutex<Option<Instant>>,
}

impl PageProgress {
    /// No progress yet.
    pub fn new(shared: Arc<SharedState>) -> Self {
        PageProgress { shared, stage: Mutex::new(("", 0)), at: AtomicU64::new(0), last: Mutex::new(None) }
    }

    fn say(&self) {
        let (text, of) = *locked(&self.stage);
        let say = ServerMessage::Progress { text: text.into(), done: self.at.load(Relaxed).min(of), of };
        self.shared.tell(&say, |facts, text| facts.progress = Some(text));
    }

    /// Tells pages that nothing is under way.
    pub fn done(&self) {
        *locked(&self.stage) = ("", 0);
        let say = ServerMessage::Progress { text: String::new(), done: 0, of: 0 };
        self.shared.tell(&say, |facts, _| facts.progress = None);
    }
}

impl Progress for PageProgress {
    fn stage(&self, name: &'static str, steps: u64) {
        *locked(&self.stage) = (name, steps);
        self.at.store(0, Relaxed);
        *locked(&self.last) = Some(Instant::now());
        self.say();
    }

    fn advance(&self, steps: u64) {
        self.at.fetch_add(steps, Relaxed);
        let mut last = locked(&self.last);
        if last.is_none_or(|last| last.elapsed() > Duration::from_millis(100)) {
            *last = Some(Instant::now());
            drop(last);
            self.say();
        }
    }

    fn cancelled(&self) -> bool {
        self.shared.cancel.load(Relaxed)
    }
}
