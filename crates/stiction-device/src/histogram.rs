//! Durations of a loop that never ends, counted without waiting: one thread adds, any thread reads.
//!
//! Log-linear buckets after the way of *HdrHistogram* (G. Tene): values below 128 ns have a bucket each, every octave above has 128, so that a
//! percentile is at most 0.8 % too large, whether a second was measured or a day.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Buckets of an octave, as a power of two.
const BITS: u32 = 7;
const PER_OCTAVE: usize = 1 << BITS;
/// Up to 2^37 ns, 137 s; what is longer counts there.
const BUCKETS: usize = (37 - BITS as usize + 1) * PER_OCTAVE;

/// Counts durations.
#[derive(Debug)]
pub struct Histogram {
    buckets: Box<[AtomicU64]>,
    count: AtomicU64,
    total: AtomicU64,
    longest: AtomicU64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl Histogram {
    /// An empty histogram. All of its memory is allocated here.
    pub fn new() -> Self {
        let buckets = (0..BUCKETS).map(|_| AtomicU64::new(0)).collect();
        Histogram { buckets, count: AtomicU64::new(0), total: AtomicU64::new(0), longest: AtomicU64::new(0) }
    }

    /// Counts one. For one thread only: it reads, adds and writes, which is cheaper than a locked addition and never waits.
    pub fn add(&self, nanoseconds: u64) {
        let bump = |cell: &AtomicU64, by: u64| cell.store(cell.load(Relaxed).wrapping_add(by), Relaxed);
        bump(&self.buckets[bucket(nanoseconds)], 1);
        bump(&self.count, 1);
        bump(&self.total, nanoseconds);
        self.longest.store(self.longest.load(Relaxed).max(nanoseconds), Relaxed);
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.count.load(Relaxed)
    }

    /// The mean (ns).
    pub fn mean(&self) -> f64 {
        self.total.load(Relaxed) as f64 / self.count().max(1) as f64
    }

    /// The longest (ns), exactly.
    pub fn longest(&self) -> u64 {
        self.longest.load(Relaxed)
    }

    /// What at least `share` of all do not exceed (ns); 0 if there are none.
    pub fn percentile(&self, share: f64) -> u64 {
        let count = self.count();
        let rank = ((share * count as f64).ceil() as u64).clamp(1, count.max(1));
        let mut below = 0;
        for (i, n) in self.buckets.iter().enumerate() {
            below += n.load(Relaxed);
            if below >= rank {
                return last_of(i).min(self.longest());
            }
        }
        self.longest()
    }

    /// How many are longer than a limit (ns), to the width of a bucket: never fewer than there are.
    pub fn above(&self, limit: u64) -> u64 {
        self.buckets.iter().enumerate().filter(|(i, _)| last_of(*i) > limit).map(|(_, n)| n.load(Relaxed)).sum()
    }
}

fn bucket(value: u64) -> usize {
    if value < PER_OCTAVE as u64 {
        return value as usize;
    }
    let octave = value.ilog2() - BITS;
    let at = (value >> octave) as usize - PER_OCTAVE;
    ((octave as usize + 1) * PER_OCTAVE + at).min(BUCKETS - 1)
}

/// The largest value of a bucket.
fn last_of(bucket: usize) -> u64 {
    if bucket < PER_OCTAVE {
        return bucket as u64;
    }
    if bucket == BUCKETS - 1 {
        return u64::MAX;
    }
    let (octave, at) = ((bucket / PER_OCTAVE - 1) as u32, (bucket % PER_OCTAVE) as u64);
    ((PER_OCTAVE as u64 + at + 1) << octave) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_agree_with_sorting() {
        let histogram = Histogram::new();
        let mut all: Vec<u64> = (0..5000_u64).map(|i| (i * 7919 % 5000).pow(2)).collect();
        all.iter().for_each(|&x| histogram.add(x));
        all.sort_unstable();
        for share in [0.01, 0.5, 0.9, 0.99, 0.999, 1.0] {
            let exact = all[(share * 5000.0_f64).ceil() as usize - 1];
            let told = histogram.percentile(share);
            assert!(told >= exact && told as f64 <= exact as f64 * 1.008 + 1.0, "{share}: {told} for {exact}");
        }
        assert_eq!((histogram.longest(), histogram.count()), (*all.last().unwrap(), 5000));
        for limit in [0, 127, 1000, 4_000_000] {
            let exact = all.iter().filter(|x| **x > limit).count() as u64;
            let told = histogram.above(limit);
            assert!(told >= exact && told - exact <= 60, "{limit}: {told} for {exact}");
        }
    }

    #[test]
    fn any_value_has_a_bucket() {
        for value in [0, 127, 128, 129, 1 << 20, 1 << 40, u64::MAX] {
            assert!(last_of(bucket(value)) >= value);
        }
        for i in 0..BUCKETS - 1 {
            assert_eq!(bucket(last_of(i)), i);
        }
    }
}
