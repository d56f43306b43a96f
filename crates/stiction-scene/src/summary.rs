//! What happened in a run, summed up tick by tick in constant memory.

use crate::band::Band;
use crate::motion::{MotionSummary, MotionTally};
use serde::Serialize;
use std::collections::BTreeMap;
use stiction::columns::{MOST_COLUMNS, Row};
use stiction::friction::Verdict;
use stiction::spatial::{Vec3, halves};
use stiction::trace::{ContactTrace, Flags, Trace};
use xxhash_rust::xxh3::Xxh3;

/// Sums and extremes over the ticks of a run so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Number of ticks.
    pub ticks: u64,
    /// Mean number of touching points in a tick.
    pub contacts_mean: f64,
    /// Largest number of touching points in a tick.
    pub contacts_max: u32,
    /// Stuck contacts by stuck and sliding ones, over all ticks.
    pub stuck_share: f64,
    /// How the part moved: displaced, slipped, rolled, elastic, crept, and the times of slides.
    #[serde(flatten)]
    pub motion: MotionSummary,
    /// Deprecated, use `crept_m`: how far the part's centre is from where it was 0.1 s after it began to hold (m), sinking and leaning included; 0 while it does not hold.
    pub drift_m: f64,
    /// 64-bit XXH3 of all columns of all ticks, as 16 hex digits: equal runs have equal ones.
    pub trace_hash: String,
    /// The largest depth (m).
    pub depth_max_m: f64,
    /// The largest sum of normal forces in a tick (N).
    pub pressure_max_n: f64,
    /// The largest relative residual of the balance.
    pub residual_max: f64,
    /// The largest force on the hand (N).
    pub device_force_max_n: f64,
    /// The largest torque on the hand (N m).
    pub device_torque_max_nm: f64,
    /// Root mean square of the force on the hand between 20 and 500 Hz, all three components together (N).
    pub force_rms_20_500_n: f64,
    /// The largest change of the force on the hand from one tick to the next, after the first ten (N).
    pub force_step_max_n: f64,
    /// Ticks in which friction held the part.
    pub ticks_holding: u64,
    /// Ticks in which the part slid.
    pub ticks_sliding: u64,
    /// Ticks in which the part rolled: it moved though no contact slid.
    pub ticks_rolling: u64,
    /// Ticks without contacts that carry friction.
    pub ticks_free: u64,
    /// Ticks that could not be solved exactly: those with the flag `undecided` or `unsolvable`.
    pub ticks_unsolved: u64,
    /// Ticks in which the step of the part was shortened to its bound.
    pub bounded_ticks: u64,
    /// Ticks with each flag that was seen.
    pub flags: BTreeMap<&'static str, u64>,
    /// Whether every pose and every force was finite.
    pub finite: bool,
}

/// Time after which a part that holds is taken to be at rest (s).
pub const SETTLING: f64 = 0.1;
/// First ticks whose change of force does not count.
const UNSETTLED: u64 = 10;

/// Sums up the ticks of a run in constant memory: of one that a scene's hand makes, and of one with a device.
#[derive(Clone)]
pub struct Tally {
    motion: MotionTally,
    settling: u64,
    ticks: u64,
    contacts: u64,
    contacts_max: u32,
    stuck: u64,
    sliding: u64,
    /// Ticks that the part has held without a break, and where it was once that had settled.
    held: u64,
    rested: Vec3,
    drift: f64,
    hash: Xxh3,
    depth: f64,
    pressure: f64,
    residual: f64,
    force: f64,
    torque: f64,
    band: Band,
    last_force: Vec3,
    force_step: f64,
    /// Ticks with each verdict, by its number.
    verdicts: [u64; Verdict::ALL.len()],
    flags: [u64; 32],
    unsolved: u64,
    finite: bool,
}

impl Tally {
    /// For runs at a rate (Hz), with what adds up the part's motion.
    pub(crate) fn new(rate: f64, motion: MotionTally) -> Tally {
        Tally {
            motion,
            settling: (SETTLING * rate).ceil() as u64,
            ticks: 0,
            contacts: 0,
            contacts_max: 0,
            stuck: 0,
            sliding: 0,
            held: 0,
            rested: Vec3::zeros(),
            drift: 0.0,
            hash: Xxh3::default(),
            depth: 0.0,
            pressure: 0.0,
            residual: 0.0,
            force: 0.0,
            torque: 0.0,
            band: Band::new(rate),
            last_force: Vec3::zeros(),
            force_step: 0.0,
            verdicts: [0; Verdict::ALL.len()],
            flags: [0; 32],
            unsolved: 0,
            finite: true,
        }
    }

    /// Takes a tick in, with its row of the engine's columns and its contacts. Allocates nothing.
    pub fn add<I: Iterator<Item = ContactTrace>>(&mut self, t: &Trace, row: &Row, contacts: impl Fn() -> I) {
        self.add_row(t, row);
        self.add_motion(t, contacts);
    }

    /// The part's motion in a tick, for which its contacts are gone through several times.
    pub(crate) fn add_motion<I: Iterator<Item = ContactTrace>>(&mut self, t: &Trace, contacts: impl Fn() -> I) {
        self.motion.add(t, contacts);
    }

    /// All of a tick but the part's motion.
    pub(crate) fn add_row(&mut self, t: &Trace, row: &Row) {
        self.unsolved += u64::from(t.flags.has(Flags::UNDECIDED) || t.flags.has(Flags::UNSOLVABLE));
        self.hash(row);
        self.contacts += u64::from(t.contacts);
        self.contacts_max = self.contacts_max.max(t.contacts);
        self.stuck += u64::from(t.stuck);
        self.sliding += u64::from(t.sliding);
        self.depth = self.depth.max(t.depth);
        self.pressure = self.pressure.max(t.pressure);
        self.residual = self.residual.max(t.residual);
        let (force, torque) = halves(&t.wrench);
        self.force = self.force.max(force.norm());
        self.torque = self.torque.max(torque.norm());
        self.band.add(force);
        if self.ticks >= UNSETTLED {
            self.force_step = self.force_step.max((force - self.last_force).norm());
        }
        self.last_force = force;
        self.verdicts[t.verdict as usize] += 1;
        self.drifted(t);
        for bit in 0..32 {
            self.flags[bit] += u64::from(t.flags.0 >> bit & 1);
        }
        let pose = t.part.translation.vector.iter().chain(t.part.rotation.coords.iter());
        self.finite &= pose.chain(t.wrench.iter()).all(|x| x.is_finite());
        self.ticks += 1;
    }

    fn drifted(&mut self, t: &Trace) {
        self.drift = 0.0;
        if t.verdict != Verdict::Holds {
            self.held = 0;
            return;
        }
        if self.held == self.settling {
            self.rested = t.centre;
        }
        if self.held >= self.settling {
            self.drift = (t.centre - self.rested).norm();
        }
        self.held += 1;
    }

    fn hash(&mut self, row: &Row) {
        let mut bytes = [0; 8 * MOST_COLUMNS];
        for (to, word) in bytes.chunks_exact_mut(8).zip(row.words()) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        self.hash.update(&bytes[..8 * row.words().len()]);
    }

    /// What happened so far.
    pub fn summary(&self) -> Summary {
        let by = |a: u64, b: u64| if b == 0 { 0.0 } else { a as f64 / b as f64 };
        let count = |flag: Flags| self.flags[flag.0.trailing_zeros() as usize & 31];
        let flags = Flags::all().map(|(flag, name)| (name, count(flag))).filter(|(_, n)| *n > 0).collect();
        let ticks = |verdict: Verdict| self.verdicts[verdict as usize];
        Summary {
            ticks: self.ticks,
            contacts_mean: by(self.contacts, self.ticks),
            contacts_max: self.contacts_max,
            stuck_share: by(self.stuck, self.stuck + self.sliding),
            motion: self.motion.summary(),
            drift_m: self.drift,
            trace_hash: format!("{:016x}", self.hash.digest()),
            depth_max_m: self.depth,
            pressure_max_n: self.pressure,
            residual_max: self.residual,
            device_force_max_n: self.force,
            device_torque_max_nm: self.torque,
            force_rms_20_500_n: self.band.rms(),
            force_step_max_n: self.force_step,
            ticks_holding: ticks(Verdict::Holds),
            ticks_sliding: ticks(Verdict::Slips),
            ticks_rolling: ticks(Verdict::Rolls),
            ticks_free: ticks(Verdict::Free),
            ticks_unsolved: self.unsolved,
            bounded_ticks: count(Flags::STEP_BOUNDED),
            flags,
            finite: self.finite,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::spatial::Pose;

    /// Steps and slips were once left out.
    #[test]
    fn the_hash_covers_every_column() {
        let blank = Trace { tick: 0, ..Trace::blank(&Pose::identity(), &Vec3::zeros()) };
        let hash = |trace: &Trace| {
            let mut tally = Tally::new(1000.0, MotionTally::new(1000.0, 0, true));
            tally.add(trace, &trace.row(), std::iter::empty);
            tally.summary().trace_hash
        };
        for (at, column) in Trace::columns().iter().enumerate() {
            let mut words = blank.row().words().to_vec();
            words[at] ^= 1;
            let changed = Row::of(&words).and_then(|row| Trace::from_row(Trace::columns(), &row)).unwrap();
            assert_ne!(hash(&changed), hash(&blank), "{}", column.name);
        }
    }
}
