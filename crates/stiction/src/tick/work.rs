//! The work of a tick with hard contacts, counted and limited: no tick takes long, whatever touches.
//!
//! A tick has no clock. It counts what it does ([`Work`]), in units of one sample of a distance field in a collision walk, and keeps within
//! [`Settings::work`](super::Settings::work): the same limit gives the same bits on every machine. What a unit takes in time is measured by
//! whoever needs to know (`stiction-session` does, once, when a live session starts).
//!
//! ```text
//! w = samples + remembered / REMEMBERED + BUILD · contacts built + SWEEP · blocks that push + blocks that do not / IDLE + PASS · passes + SOLVE · solves            (1)
//! ```
//!
//! A block is four contacts, as they lie in memory; every pass over the contacts counts all of them, as those in which one pushes and those in which none does. What is left is shared out before it is spent:
//!
//! - a solve keeps passes over every contact that it builds, so a walk pays for these passes as it reports a point: a few for points that are outside, and for those that are inside or
//!   pushed in the last solve as many as the solves of the last ticks needed. That number doubles when a solve was short of passes and shrinks slowly: where a solve
//!   is hard, it has fewer contacts instead of an answer that is not one;
//! - both shells have a share by their number of points, and a least one;
//! - up to half of a shell's share is kept for the contacts that pushed in the last solve. Where that is not enough for all of them, those on the coarsest
//!   levels of the shell stay, and one in every region that has any: a region is the subtree of a node on the finest level of at most [`REGIONS`] nodes;
//! - the walk has the rest. It goes from coarse to fine, so a part of the shell whose fine points are not reached is represented by the coarser ones;
//! - the solve has what is left then, but for a quarter of the limit: Newton's method looks at its budget before every step;
//! - that quarter, and what else is left, is for the look at where the step ends;
//! - another solve in the same tick begins only where it can be paid for with all contacts that push.
//!
//! A limit below the least work of a tick ([`Ration::least`]) counts as that.

use crate::collide::{REMEMBERED, Walk};
use crate::contact::LANES;
use crate::hard::{Effort, Ending, HardAnswer};
use crate::shape::PointShell;

/// What a tick did, in the operations that take its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Points of shells that were looked at in the other part's field.
    pub samples: u64,
    /// Points that were known well enough from earlier ticks.
    pub remembered: u64,
    /// Contacts built: points within reach.
    pub built: u64,
    /// Blocks of four contacts that passes went over, and in which one pushed.
    pub pushing: u64,
    /// Those in which none did.
    pub idle: u64,
    /// Passes over all contacts.
    pub passes: u64,
    /// Solves.
    pub solves: u64,
}

impl Work {
    /// In units of one sample: five remembered points count 1, a contact 2, a block that pushes 2, four that do not 1, a pass 4, and a solve 100.
    pub fn units(&self) -> u64 {
        self.samples
            + self.remembered.div_ceil(REMEMBERED)
            + BUILD * self.built
            + SWEEP * self.pushing
            + self.idle.div_ceil(IDLE)
            + PASS * self.passes
            + SOLVE * self.solves
    }
}

impl Effort {
    /// In units of work.
    pub(crate) fn cost(&self) -> u64 {
        PASS * u64::from(self.passes) + SWEEP * self.pushing + self.idle.div_ceil(IDLE)
    }
}

// Costs as multiples of a sample, by least squares over ticks of a nut on a bolt with and without limits, on the machine that the project is developed on (2 virtual cores,
// AVX2, busy with other work): a sample takes 80-100 ns, nearly all of it for memory; a remembered point 5-20, most where a limited walk comes to few at a time (`REMEMBERED` in `collide.rs`), a contact 70-120, a block that
// pushes 100-160, one that does not up to 60, a solve without contacts 8000-9000. `stiction-lab bench budget --costs` measures them again.

/// Units of building a contact and taking its step into account.
pub(super) const BUILD: u64 = 2;
/// Units of a pass over a block in which a contact pushes.
const SWEEP: u64 = 2;
/// Blocks in which none does, for a unit.
const IDLE: u64 = 4;
/// Units of a pass without contacts.
const PASS: u64 = 4;
/// Units of a solve without passes and contacts.
const SOLVE: u64 = 100;
/// Least and most passes that are kept for a solve.
const RESERVE: [u64; 2] = [10, 100];
/// The share of the reserve by which it shrinks in a tick, as a divisor.
const FORGET: u64 = 64;
/// Most regions of a shell.
const REGIONS: usize = 24;
/// The part of the limit that is kept for a look at where the step ends, as a divisor.
const AHEAD: u64 = 4;
/// Units of a point that a walk reports: its contact, and so many passes over it.
const fn hit(passes: u64) -> u64 {
    BUILD + (passes * SWEEP).div_ceil(LANES as u64)
}

/// The subtrees that a shell is divided into.
#[derive(Clone, Debug)]
struct Regions {
    /// Of every point.
    of: Vec<u8>,
    count: usize,
    /// The solve in which a region last had a contact that was kept.
    marks: [u64; REGIONS],
}

impl Regions {
    fn new(shell: &PointShell) -> Self {
        let (levels, nodes) = (shell.levels(), shell.nodes());
        let coarse = levels.iter().rposition(|&n| n as usize <= REGIONS);
        let mut of = vec![0; shell.points().len()];
        let Some(coarse) = coarse else { return Regions { of, count: 1, marks: [0; REGIONS] } };
        let start: u32 = levels[..coarse].iter().sum();
        for node in start..start + levels[coarse] {
            // Descendants are contiguous on every level.
            let (mut first, mut end) = (node, node + 1);
            while first < end {
                for below in &nodes[first as usize..end as usize] {
                    of[below.point as usize] = (node - start) as u8;
                }
                let last = &nodes[end as usize - 1];
                (first, end) = (nodes[first as usize].first_child, last.first_child + last.children);
            }
        }
        Regions { of, count: levels[coarse] as usize, marks: [0; REGIONS] }
    }

    /// The least share of a walk over this shell and of the contacts that are kept.
    fn least(&self, reserve: u64) -> u64 {
        2 * (self.count as u64 + 1) * (1 + hit(reserve))
    }
}

/// The work of a tick, as it is shared out.
#[derive(Clone, Debug)]
pub(super) struct Ration {
    limit: u64,
    /// What was done in this tick.
    pub done: Work,
    /// The limit made a difference in this tick, and in how many it did.
    pub binds: bool,
    pub bound: u64,
    /// Of every shell that is walked.
    regions: Vec<Regions>,
    /// Passes that are kept for contacts that push.
    reserve: u64,
    /// Units promised to passes over contacts of this solve.
    promised: u64,
    /// Contacts of the last solve that are looked at again, and the solve in which a point was last one of them.
    kept: Vec<u32>,
    marks: Vec<u64>,
    stamp: u64,
}

impl Ration {
    /// For the shells that are walked, in this order, of `points` points altogether.
    pub fn new<'a>(shells: impl Iterator<Item = &'a PointShell>, points: usize) -> Self {
        Ration {
            limit: u64::MAX,
            done: Work::default(),
            binds: false,
            bound: 0,
            regions: shells.map(Regions::new).collect(),
            reserve: RESERVE[0],
            promised: 0,
            kept: Vec::with_capacity(points),
            marks: vec![0; points],
            stamp: 0,
        }
    }

    /// The least work that a tick can be limited to (units).
    pub fn least(&self) -> u64 {
        self.least_with(RESERVE[0])
    }

    /// The last block may not be full.
    fn least_with(&self, reserve: u64) -> u64 {
        let solve = SOLVE + reserve * (PASS + SWEEP) + self.regions.iter().map(|r| r.least(reserve)).sum::<u64>();
        (solve * AHEAD).div_ceil(AHEAD - 1)
    }

    /// Begins a tick.
    pub fn begin(&mut self, limit: u64) {
        self.limit = limit.max(self.least());
        (self.done, self.binds) = (Work::default(), false);
        while self.reserve > RESERVE[0] && self.least_with(self.reserve) > self.limit / 2 {
            self.reserve -= 1;
        }
    }

    /// Forgets what earlier ticks needed.
    pub fn reset(&mut self) {
        self.reserve = RESERVE[0];
    }

    /// Begins a solve.
    pub fn begin_solve(&mut self) {
        self.done.solves += 1;
        self.promised = self.reserve * (PASS + SWEEP) + self.limit / AHEAD;
        self.stamp += 1;
    }

    fn left(&self) -> u64 {
        self.limit.saturating_sub(self.done.units()).saturating_sub(self.promised)
    }

    /// Shares out what is left to the walk of a shell, the one with this number among those that are walked: which of the contacts that pushed, whose numbers
    /// are `loaded` from `first` on, are looked at again, and the units of the walk.
    pub fn share(&mut self, number: usize, shell: &PointShell, first: u32, loaded: &[u32]) -> u64 {
        let later: u64 = self.regions[number + 1..].iter().map(|r| r.least(self.reserve)).sum();
        let points = |of: &[Regions]| of.iter().map(|r| r.of.len() as u128).sum::<u128>();
        let least = self.regions[number].least(self.reserve);
        let spare = u128::from(self.left().saturating_sub(least + later));
        let ours = spare * points(&self.regions[number..=number]) / points(&self.regions[number..]).max(1);
        let share = least + ours as u64;
        let each = 1 + self.dearest();
        self.keep(number, shell, first, loaded, (share / 2 / each) as usize);
        share - self.kept.len() as u64 * each
    }

    /// Chooses which contacts are looked at again, at most `most`.
    fn keep(&mut self, number: usize, shell: &PointShell, first: u32, loaded: &[u32], most: usize) {
        let (levels, count) = (shell.levels(), shell.points().len() as u32);
        let Ration { kept, marks, stamp, regions, .. } = self;
        let regions = &mut regions[number];
        kept.clear();
        let ours = || loaded.iter().filter(|n| (first..first + count).contains(n));
        if ours().count() <= most {
            kept.extend(ours());
            kept.iter().for_each(|&n| marks[n as usize] = *stamp);
            return;
        }
        // The finest level on which they are few enough.
        let room = most - regions.count;
        let few = |level: &&u32| ours().filter(|&&n| n - first < **level).count() <= room;
        let level = levels.iter().take_while(few).last().map_or(0, |&n| n);
        let mut put = |n: u32, kept: &mut Vec<u32>, regions: &mut Regions| {
            marks[n as usize] = *stamp;
            regions.marks[usize::from(regions.of[(n - first) as usize])] = *stamp;
            kept.push(n);
        };
        ours().filter(|&&n| n - first < level).for_each(|&n| put(n, kept, regions));
        for &n in ours().filter(|&&n| n - first >= level) {
            let alone = regions.marks[usize::from(regions.of[(n - first) as usize])] != *stamp;
            if alone && kept.len() < most {
                put(n, kept, regions);
            }
        }
    }

    /// The contacts of the last share that are looked at again.
    pub fn kept(&self) -> &[u32] {
        &self.kept
    }

    /// The most that a walk pays for a point that it reports.
    pub fn dearest(&self) -> u64 {
        hit(self.reserve)
    }

    /// Counts a contact, and says what a walk pays for it: those that are kept have been paid for.
    #[inline]
    pub fn build(&mut self, number: u32, inside: bool) -> u64 {
        let kept = self.marks[number as usize] == self.stamp;
        let price = hit(if kept || inside { self.reserve } else { RESERVE[0] });
        self.done.built += 1;
        self.promised += price - BUILD;
        if kept { 0 } else { price }
    }

    /// Takes a walk, and the look at contacts that were kept, into account.
    pub fn walked(&mut self, walk: &Walk) {
        self.done.samples += walk.samples as u64;
        self.done.remembered += walk.remembered as u64;
        self.binds |= walk.stopped;
    }

    /// What is left for the passes of a solve (units).
    pub fn for_passes(&self) -> u64 {
        self.limit.saturating_sub(self.done.units()).saturating_sub(self.limit / AHEAD)
    }

    /// What is left for looks at where a step ends (units).
    pub fn for_looks(&self) -> u64 {
        self.limit.saturating_sub(self.done.units())
    }

    /// Takes a solve into account that might have made `most` passes.
    pub fn solved(&mut self, answer: &HardAnswer, effort: &Effort, most: u32) {
        self.done.passes += u64::from(effort.passes);
        self.done.pushing += effort.pushing;
        self.done.idle += effort.idle;
        self.promised = 0;
        let short = answer.ending == Ending::Budget && effort.passes + 2 <= most;
        self.binds |= short;
        let passes = u64::from(effort.passes);
        let needed = if short { 2 * passes.max(self.reserve) } else { passes + passes / 4 };
        self.reserve = needed.max(self.reserve - self.reserve / FORGET).clamp(RESERVE[0], RESERVE[1]);
    }

    /// Whether another solve can be paid for with so many contacts that push.
    pub fn another(&mut self, pushing: usize) -> bool {
        let needed = self.least_with(self.reserve) + self.limit / AHEAD + 2 * pushing as u64 * (1 + self.dearest());
        let enough = self.left() >= needed;
        self.binds |= !enough;
        enough
    }
}
