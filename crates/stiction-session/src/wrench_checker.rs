//! Whether commanded wrenches keep the envelope's promises, by arithmetic of its own: the envelope is not asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use stiction::spatial::{Vec3, Vec6};
use stiction_device::{CycleSink, Limits, Snapshot};

/// Rounding that is forgiven, as a share.
const ROUNDING: f64 = 1e-9;

/// Checks that wrenches are finite, within peak limits, and each within the slew distance of what shrinking the last one can give.
pub struct WrenchChecker {
    /// Peak force and torque, and how far each may go in a cycle.
    peaks: [f64; 2],
    slews: [f64; 2],
    last: [Vec3; 2],
    tally: Arc<Tally>,
}

/// Written by one thread, read by any.
#[derive(Debug, Default)]
struct Tally {
    looked: AtomicU64,
    broken: AtomicU64,
    /// Number of the first wrench that broke a rule, from 1.
    first: AtomicU64,
    /// Bits of the largest shares of the limits.
    force: AtomicU64,
    slew: AtomicU64,
}

impl WrenchChecker {
    /// A judge of wrenches sent once a period (s).
    pub fn new(limits: &Limits, period: f64) -> Self {
        WrenchChecker {
            peaks: [limits.force[1], limits.torque[1]],
            slews: [limits.slew[0] * period, limits.slew[1] * period],
            last: [Vec3::zeros(); 2],
            tally: Arc::new(Tally::default()),
        }
    }

    /// A run begins: nothing was sent before.
    pub fn begin(&mut self) {
        self.last = [Vec3::zeros(); 2];
    }

    /// The same judge for another thread's run, counting with this one.
    pub fn shared(&self) -> WrenchChecker {
        WrenchChecker { last: [Vec3::zeros(); 2], tally: Arc::clone(&self.tally), ..*self }
    }

    /// Looks at the next wrench.
    pub fn look(&mut self, wrench: &Vec6) {
        let t = &self.tally;
        let number = t.looked.load(Relaxed) + 1;
        t.looked.store(number, Relaxed);
        let mut broken = !wrench.iter().all(|x| x.is_finite());
        let parts = [Vec3::new(wrench[0], wrench[1], wrench[2]), Vec3::new(wrench[3], wrench[4], wrench[5])];
        for (i, now) in parts.into_iter().enumerate() {
            let length = now.norm();
            let gone = beyond_shrinking(&self.last[i], &now);
            let over = |x: f64, limit: f64| if limit > 0.0 { x / limit } else { f64::from(u8::from(x > 0.0)) * 2.0 };
            let shares = [over(length, self.peaks[i]), over(gone, self.slews[i])];
            for (cell, share) in [&t.force, &t.slew].into_iter().zip(shares) {
                cell.store(f64::from_bits(cell.load(Relaxed)).max(share).to_bits(), Relaxed);
                broken |= !(share <= 1.0 + ROUNDING);
            }
            self.last[i] = now;
        }
        if broken {
            t.broken.store(t.broken.load(Relaxed) + 1, Relaxed);
            if t.first.load(Relaxed) == 0 {
                t.first.store(number, Relaxed);
            }
        }
    }

    /// How many wrenches broke a rule.
    pub fn broken(&self) -> u64 {
        self.tally.broken.load(Relaxed)
    }

    /// The number of the first that did, from 1.
    pub fn first(&self) -> Option<u64> {
        Some(self.tally.first.load(Relaxed)).filter(|n| *n > 0)
    }

    /// The largest wrench over its peak, and the largest change over what slew allows.
    pub fn worst(&self) -> [f64; 2] {
        [&self.tally.force, &self.tally.slew].map(|cell| f64::from_bits(cell.load(Relaxed)))
    }
}

impl CycleSink for WrenchChecker {
    fn put(&mut self, snapshot: &Snapshot) {
        self.look(snapshot.output.sent.wrench());
    }
}

/// How far a vector is from every c·last, 0 ≤ c ≤ 1.
fn beyond_shrinking(last: &Vec3, now: &Vec3) -> f64 {
    let long = last.norm();
    if long == 0.0 {
        return now.norm();
    }
    let along = now.dot(last) / long;
    let aside = (now.norm_squared() - along * along).max(0.0).sqrt();
    let over = if along < 0.0 { -along } else { (along - long).max(0.0) };
    aside.hypot(over)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimWord;

    fn limits() -> Limits {
        Limits::of(&SimWord::Sim.params().caps())
    }

    fn broken(wrenches: &[[f64; 6]]) -> u64 {
        let mut judge = WrenchChecker::new(&limits(), 1e-3);
        wrenches.iter().for_each(|w| judge.look(&Vec6::from(*w)));
        judge.broken()
    }

    #[test]
    fn a_judge_lets_shrinking_pass_and_nothing_else() {
        let step = limits().slew[0] * 1e-3;
        let up = [step, 0.0, 0.0, 0.0, 0.0, 0.0];
        let at_once = [1.1 * step, 0.0, 0.0, 0.0, 0.0, 0.0];
        let aside = [step, 1.1 * step, 0.0, 0.0, 0.0, 0.0];
        let twist = [0.0, 0.0, 0.0, 0.0, 0.0, 1.1 * limits().slew[1] * 1e-3];
        assert_eq!(broken(&[up, [0.0; 6], up]), 0);
        assert_eq!((broken(&[at_once]), broken(&[up, aside]), broken(&[twist])), (1, 1, 1));
        assert_eq!(broken(&[[f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]]), 1);
        let ramp: Vec<_> = (1..=30).map(|i| [f64::from(i) * step, 0.0, 0.0, 0.0, 0.0, 0.0]).collect();
        assert!(broken(&ramp) > 0, "beyond the peak");
    }
}
