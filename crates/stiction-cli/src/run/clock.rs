//! How long ticks take: CPU time of this thread, so that other programs do not count, gathered without allocating.
//!
//! A log-linear histogram after the way of *HdrHistogram* (G. Tene): values below 128 ns have a bucket each, every octave above has 128, so
//! that a percentile is at most 0.8 % too large, whether a second was measured or a day.

use std::time::Duration;

/// CPU time that this thread has used.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Time that has passed, where the system has no clock of a thread.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Buckets of an octave, as a power of two.
const BITS: u32 = 7;
const PER_OCTAVE: usize = 1 << BITS;
const BUCKETS: usize = (64 - BITS as usize + 1) * PER_OCTAVE;

/// Times of many ticks.
#[derive(Clone, Debug)]
pub struct Times {
    buckets: Vec<u64>,
    count: u64,
    total: u128,
    longest: u64,
}

impl Times {
    /// None yet. All memory is made here.
    pub fn new() -> Self {
        Times { buckets: vec![0; BUCKETS], count: 0, total: 0, longest: 0 }
    }

    /// Counts one.
    pub fn add(&mut self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.buckets[bucket(nanoseconds)] += 1;
        self.count += 1;
        self.total += u128::from(nanoseconds);
        self.longest = self.longest.max(nanoseconds);
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
        self.count
    }

    /// The time that at least `share` of the ticks did not exceed (µs); 0 if there are none.
    pub fn percentile(&self, share: f64) -> f64 {
        let rank = ((share * self.count as f64).ceil() as u64).clamp(1, self.count.max(1));
        let mut below = 0;
        for (i, n) in self.buckets.iter().enumerate() {
            below += n;
            if below >= rank {
                return last_of(i).min(self.longest) as f64 / 1e3;
            }
        }
        0.0
    }

    /// The longest (µs), exactly.
    pub fn longest(&self) -> f64 {
        self.longest as f64 / 1e3
    }

    /// The mean (µs); 0 if there are none.
    pub fn mean(&self) -> f64 {
        self.total as f64 / 1e3 / self.count.max(1) as f64
    }
}

/// How many times a value is halved until it has one bit more than a bucket's number in its octave.
fn halvings(value: u64) -> u32 {
    (64 - value.leading_zeros()).saturating_sub(BITS + 1)
}

fn bucket(value: u64) -> usize {
    let halvings = halvings(value);
    halvings as usize * PER_OCTAVE + (value >> halvings) as usize
}

/// The largest value of a bucket.
fn last_of(bucket: usize) -> u64 {
    let halvings = (bucket / PER_OCTAVE).saturating_sub(1);
    let leading = (bucket - halvings * PER_OCTAVE) as u64;
    (leading << halvings) | ((1 << halvings) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_in_order_and_narrow() {
        let mut last = 0;
        for exponent in 0..63 {
            for value in [1_u64 << exponent, (1 << exponent) + (1 << exponent) / 3, (2 << exponent) - 1] {
                let i = bucket(value);
                assert!(i >= last && i < BUCKETS, "{value}");
                assert!(last_of(i) >= value && last_of(i) - value <= value / 128, "{value}: {}", last_of(i));
                assert_eq!(bucket(last_of(i)), i, "{value}");
                last = i;
            }
        }
        assert!(bucket(u64::MAX) < BUCKETS);
        assert_eq!(last_of(bucket(u64::MAX)), u64::MAX);
    }

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
