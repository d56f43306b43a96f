//! Cycles that a vendor's thread makes by its calls, with the loop's own thread standing by.

use crate::device::Drive;
use crate::periodic::{Periodic, Stats};
use crate::realtime;
use crate::servo_loop::Arms;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// So many periods without a call, and the loop's own thread makes the cycles.
const STANDBY: u64 = 2;

/// Cycles that two threads may make: the vendor's, and the loop's own where the vendor's does not call.
struct Calls {
    /// `None` before the beginning and after the end. Nobody waits for it in a cycle: who finds it taken leaves, since the other is at work.
    arms: Mutex<Option<Arms>>,
    period: u64,
    /// Start of the last cycle (ns).
    last: AtomicU64,
    stats: Arc<Stats>,
}

impl Calls {
    fn cycle(&self) {
        let Ok(mut arms) = self.arms.try_lock() else { return };
        let Some(arms) = arms.as_mut() else { return };
        let (now, last) = (realtime::now(), self.last.load(Relaxed));
        // Limits are by the cycle: a vendor's thread that is too fast must not make them looser.
        if now < last + self.period / 2 {
            return;
        }
        let late = now.saturating_sub(last + self.period);
        let begun = realtime::thread_time();
        arms.once(now, late);
        self.stats.compute.add(realtime::thread_time().saturating_sub(begun));
        self.stats.late.add(late);
        self.stats.period.add(now.saturating_sub(last));
        self.stats.skip(late / self.period);
        self.last.store(now, Relaxed);
    }
}

/// Has a vendor's thread make the cycles, and stands by until the end.
pub(crate) fn run(mut arms: Arms, stop: &AtomicBool, stats: Arc<Stats>) -> Arms {
    let (now, period) = (realtime::now(), arms.period());
    let calls = Arc::new(Calls { arms: Mutex::new(None), period, last: AtomicU64::new(now), stats });
    for device in arms.iter_mut().filter_map(|arm| arm.device_mut()) {
        if device.caps().drive == Drive::VendorCallback {
            let calls = Arc::clone(&calls);
            device.on_call(Arc::new(move || calls.cycle()));
        }
    }
    let taken = || calls.arms.lock().unwrap_or_else(PoisonError::into_inner);
    *taken() = Some(arms);
    let mut deadline = now + period;
    while !stop.load(Relaxed) {
        realtime::sleep_until(deadline);
        let now = realtime::now();
        if now.saturating_sub(calls.last.load(Relaxed)) > STANDBY * period {
            calls.cycle();
        }
        deadline = (deadline + period).max(now);
    }
    // Waits for the cycle at work; they are there, since nobody else takes them out. From here on calls find nothing to do.
    loop {
        if let Some(arms) = taken().take() {
            return arms;
        }
    }
}
