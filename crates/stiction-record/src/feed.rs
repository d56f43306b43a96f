//! State that the recorder's thread shares with loops and with threads that ask for its status.

use crate::Entry;
use rtrb::Producer;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Whether a recording is being written, is complete or has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecorderState {
    /// It is being written.
    Running,
    /// It is complete.
    Finished,
    /// It ended early, for this reason.
    Failed(String),
}

/// Numbers of entries that a recorder has taken, refused and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecorderCounts {
    /// Entries taken from the loops.
    pub accepted: u64,
    /// Entries refused, because the writer could not keep up or had ended. They are gaps in the recording.
    pub dropped: u64,
    /// Entries in finished chunks of the file.
    pub written: u64,
    /// Size of the file (bytes).
    pub bytes: u64,
}

/// Status of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecorderStatus {
    /// Whether it is being written, is complete or has failed.
    pub state: RecorderState,
    /// Numbers of entries and bytes.
    pub counts: RecorderCounts,
}

/// The loop's channel to a recorder: wait-free, allocates nothing, calls nothing of the system.
pub struct Feed {
    pub(crate) ring: Producer<Entry>,
    pub(crate) hands: u8,
    pub(crate) columns: usize,
    pub(crate) shared: Arc<Shared>,
}

impl Feed {
    /// Hands an entry over; false where it had to be dropped, since the ring is full, the recording has ended, or it has no such hand or another number of
    /// columns.
    pub fn push(&mut self, entry: &Entry) -> bool {
        let fits = entry.hand < self.hands && entry.row.words().len() == self.columns;
        let taken = fits && !self.shared.closed.load(Relaxed) && self.ring.push(*entry).is_ok();
        let count = if taken { &self.shared.accepted } else { &self.shared.dropped };
        count.fetch_add(1, Relaxed);
        taken
    }

    /// Whether a push would be taken now. Who need not keep time may wait for this instead of losing entries.
    pub fn has_room(&self) -> bool {
        !self.ring.is_full()
    }

    /// Whether the recording has ended, well or not: nothing more is taken.
    pub fn closed(&self) -> bool {
        self.shared.closed.load(Relaxed)
    }
}

/// Status of a recording, readable from any thread.
#[derive(Clone)]
pub struct RecorderWatch(pub(crate) Arc<Shared>);

impl RecorderWatch {
    /// The status now.
    pub fn status(&self) -> RecorderStatus {
        let state = match &*self.0.end.lock().unwrap_or_else(PoisonError::into_inner) {
            None => RecorderState::Running,
            Some(Ok(())) => RecorderState::Finished,
            Some(Err(cause)) => RecorderState::Failed(cause.clone()),
        };
        RecorderStatus { state, counts: self.0.counts() }
    }
}

#[derive(Default)]
pub(crate) struct Shared {
    pub accepted: AtomicU64,
    pub dropped: AtomicU64,
    pub written: AtomicU64,
    pub bytes: AtomicU64,
    /// The recorder wants an end.
    pub stop: AtomicBool,
    /// The thread takes nothing more.
    pub closed: AtomicBool,
    /// Only the thread and those who ask for the status touch this; the loop never does.
    pub end: Mutex<Option<Result<(), String>>>,
}

impl Shared {
    pub fn counts(&self) -> RecorderCounts {
        RecorderCounts {
            accepted: self.accepted.load(Relaxed),
            dropped: self.dropped.load(Relaxed),
            written: self.written.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
        }
    }
}
