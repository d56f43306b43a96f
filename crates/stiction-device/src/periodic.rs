//! Work once a period, at absolute deadlines, on a thread of its own. All loops of the workspace use it: servo loops and the viewer's loop are [`Periodic`].

use crate::histogram::Histogram;
use crate::realtime::{self, RealtimeGrant};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

/// Work that is done once a period.
pub trait Periodic: Send + 'static {
    /// The period from here on (ns).
    fn period(&self) -> u64;

    /// One period, which begins at `now` (ns), `late` ns behind its deadline. Returns whether a tick was made. Must not allocate, wait, print or panic.
    fn cycle(&mut self, now: u64, late: u64) -> bool;

    /// So many deadlines were skipped, because a cycle was still at work or the thread was not woken.
    fn skipped(&mut self, _deadlines: u64) {}
}

/// Timing statistics of a loop. They are always on: the loop's thread counts, and any other thread may read.
#[derive(Debug, Default)]
pub struct Stats {
    /// From the start of one cycle to that of the next (ns).
    pub period: Histogram,
    /// CPU time of a cycle with a tick, all arms (ns).
    pub compute: Histogram,
    /// How late cycles begin (ns): the machine's doing.
    pub late: Histogram,
    /// Deadlines that were skipped because a cycle was still at work or the thread was not woken.
    pub skipped: AtomicU64,
}

impl Stats {
    /// Counts skipped deadlines. By the loop's thread only.
    pub(crate) fn skip(&self, deadlines: u64) {
        self.skipped.store(self.skipped.load(Relaxed) + deadlines, Relaxed);
    }
}

/// A thread of the loop. Dropping it stops it.
pub struct PeriodicThread<P> {
    thread: Option<JoinHandle<P>>,
    stop: Arc<AtomicBool>,
    stats: Arc<Stats>,
    granted: RealtimeGrant,
}

impl<P: Send + 'static> PeriodicThread<P> {
    /// Starts a thread with real-time priority, if it is asked for and granted, and runs `body` in it until that ends; `body` looks at the flag that says so.
    ///
    /// # Errors
    /// If the system makes no thread.
    pub fn start(
        name: &str,
        priority: Option<i32>,
        stats: Arc<Stats>,
        body: impl FnOnce(&AtomicBool, &Arc<Stats>) -> P + Send + 'static,
    ) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (told, heard) = mpsc::channel();
        let (stopping, counting) = (Arc::clone(&stop), Arc::clone(&stats));
        let thread = std::thread::Builder::new().name(name.into()).spawn(move || {
            let refused =
                || RealtimeGrant { priority: Err("not asked for".into()), locked: Err("not asked for".into()) };
            // Whoever started this may be gone already.
            let _ = told.send(priority.map_or_else(refused, realtime::acquire));
            body(&stopping, &counting)
        })?;
        let granted = heard.recv().map_err(|_| io::Error::other("the loop's thread ended at once"))?;
        Ok(PeriodicThread { thread: Some(thread), stop, stats, granted })
    }

    /// How the loop does.
    pub fn stats(&self) -> &Arc<Stats> {
        &self.stats
    }

    /// What the system granted.
    pub fn granted(&self) -> &RealtimeGrant {
        &self.granted
    }

    /// Whether the thread has ended.
    pub fn ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Stops after the cycle at work and gives back what ran; `None` if the thread panicked.
    pub fn stop(mut self) -> Option<P> {
        self.stop.store(true, Relaxed);
        self.thread.take().and_then(|thread| thread.join().ok())
    }
}

impl<P> Drop for PeriodicThread<P> {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Cycles at absolute deadlines until `stop`.
pub fn run(periodic: &mut impl Periodic, stop: &AtomicBool, stats: &Stats) {
    let mut deadline = realtime::now() + periodic.period();
    let mut last = None;
    while !stop.load(Relaxed) {
        realtime::sleep_until(deadline);
        let now = realtime::now();
        let late = now.saturating_sub(deadline);
        let begun = realtime::thread_time();
        if periodic.cycle(now, late) {
            stats.compute.add(realtime::thread_time().saturating_sub(begun));
        }
        stats.late.add(late);
        if let Some(last) = last {
            stats.period.add(now.saturating_sub(last));
        }
        last = Some(now);
        let period = periodic.period();
        deadline += period;
        let behind = realtime::now().saturating_sub(deadline) / period;
        if behind > 0 {
            stats.skip(behind);
            periodic.skipped(behind);
            deadline += behind * period;
        }
    }
}
