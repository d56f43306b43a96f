//! How long ticks take: CPU time of this thread, so that other programs do not count, gathered without allocating.

use std::time::Duration;
use stiction_device::histogram::Histogram;
use stiction_device::realtime;

/// CPU time that this thread has used.
pub fn thread_time() -> Duration {
    Duration::from_nanos(realtime::thread_time())
}

/// Times of many ticks.
#[derive(Debug, Default)]
pub struct Times(Histogram);

impl Times {
    /// None yet. All memory is made here.
    pub fn new() -> Self {
        Times::default()
    }

    /// Counts one.
    pub fn add(&mut self, time: Duration) {
        self.0.add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Calls something, counts how long it took, and gives its answer.
    pub fn time<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let begun = thread_time();
        let answer = call();
        self.add(thread_time().saturating_sub(begun));
        answer
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.0.count()
    }

    /// The time that at least `share` of the ticks did not exceed (µs); 0 if there are none.
    pub fn percentile(&self, share: f64) -> f64 {
        self.0.percentile(share) as f64 / 1e3
    }

    /// The longest (µs), exactly.
    pub fn longest(&self) -> f64 {
        self.0.longest() as f64 / 1e3
    }

    /// The mean (µs); 0 if there are none.
    pub fn mean(&self) -> f64 {
        self.0.mean() / 1e3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_sorted_times() {
        let mut times = Times::new();
        assert_eq!((times.percentile(0.5), times.longest(), times.mean()), (0.0, 0.0, 0.0));
        (1..=1000).rev().for_each(|us| times.add(Duration::from_micros(us)));
        for (share, us) in [(0.5, 500.0), (0.9, 900.0), (0.99, 990.0), (1.0, 1000.0)] {
            let found = times.percentile(share);
            assert!(found >= us && found <= us * 1.008, "{share}: {found}");
        }
        assert_eq!((times.longest(), times.mean(), times.count()), (1000.0, 500.5, 1000));
    }

    #[test]
    fn the_clock_goes_while_the_thread_works_and_not_while_it_sleeps() {
        let begun = thread_time();
        std::thread::sleep(Duration::from_millis(30));
        let slept = thread_time() - begun;
        let mut times = Times::new();
        let sum = times.time(|| (0..3_000_000_u64).fold(1_u64, |a, b| std::hint::black_box(a ^ b)));
        assert!(sum > 0 && times.longest() > 100.0);
        assert!(!cfg!(unix) || slept < Duration::from_millis(15), "{slept:?}");
    }
}
