//! Time that this thread had the processor: what a measurement on a shared machine should count.

use stiction_device::realtime::thread_time;

/// A point in time (s).
pub fn now() -> f64 {
    thread_time() as f64 * 1e-9
}

/// What the work returns, and its seconds.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = now();
    let result = std::hint::black_box(work());
    (result, now() - start)
}
