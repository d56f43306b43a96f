//! Slip memory: what a contact remembers from tick to tick, keyed by its identity.
//!
//! "Holding with memory": per contact the slip s_i accumulated since the contact formed, cut back to a length of
//! at most ε by dragging its anchor along. The slip is kept as a vector in world axes and carried over to the
//! next tick's tangent basis with its length preserved, so that a change of basis or a slowly turning normal
//! neither creates nor loses slip. A contact that is separated or absent for one tick forgets everything.
//!
//! A contact slides when, in a step, accumulated slip goes beyond ε; it uses µ_k if and only if it slid in the
//! last committed step, and µ_s otherwise.

use super::passes::Pair;
use crate::contact::{Block, ContactId, ContactProblem, LANES, Lane};
use crate::spatial::{Vec3, Vec6};

/// Whether a contact moves, judged by slip accumulated from its anchor, not by one tick's slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SlipState {
    /// No normal force: carries no friction, forgets its slip.
    #[default]
    Separated,
    /// Accumulated slip is within the micro-slip tolerance.
    Stuck,
    /// Accumulated slip goes beyond the tolerance in this step: the anchor is dragged along.
    Sliding,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    id: ContactId,
    slip: Vec3,
    sliding: bool,
}

/// The memory of all contacts of the last committed tick. Allocates only when made.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    entries: Vec<Entry>,
    next: Vec<Entry>,
    /// Open-addressed table of positions in `entries`, filled when a look-up by order fails.
    table: Vec<u32>,
    table_is_filled: bool,
    cursor: usize,
}

const EMPTY: u32 = u32::MAX;
/// An anchor cut back to exactly ε must not read as sliding while nothing moves.
pub(super) const ROUNDING: f64 = 1.0 + 1e-12;

impl Memory {
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            entries: Vec::with_capacity(capacity),
            next: Vec::with_capacity(capacity),
            table: vec![EMPTY; (2 * capacity).next_power_of_two().max(2)],
            table_is_filled: false,
            cursor: 0,
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.table_is_filled = false;
    }

    /// Limits L_i in force and remembered slips s_i of a problem's contacts; true if any slip is not zero.
    pub fn recall(&mut self, problem: &ContactProblem, limits: &mut [Lane], anchors: &mut [Pair]) -> bool {
        let lanes = problem.lanes();
        limits.copy_from_slice(&lanes.static_limit);
        anchors.fill([Lane::ZERO; 2]);
        if self.entries.is_empty() {
            return false;
        }
        self.cursor = 0;
        let mut any = false;
        let given = lanes.touching.iter().zip(&lanes.ids).zip(&lanes.kinetic_limit).zip(problem.blocks());
        for ((((touching, ids), kinetic), block), (limit, anchor)) in given.zip(limits.iter_mut().zip(anchors)) {
            for lane in 0..LANES {
                if touching >> lane & 1 == 0 {
                    continue;
                }
                let Some(entry) = self.find(ids[lane]) else { continue };
                if entry.sliding {
                    limit.as_mut_array()[lane] = kinetic.as_array()[lane];
                }
                if entry.slip != Vec3::zeros() {
                    any = true;
                    let [u, v] = carried_over(&entry.slip, block, lane);
                    (anchor[0].as_mut_array()[lane], anchor[1].as_mut_array()[lane]) = (u, v);
                }
            }
        }
        any
    }

    /// Takes a step into account: accumulates slip, drags anchors, notes who slides. `longest` is the slip that a contact,
    /// by its number, can remember.
    pub fn commit(&mut self, problem: &ContactProblem, anchors: &[Pair], step: &Vec6, longest: impl Fn(usize) -> f64) {
        self.next.clear();
        let (translation, rotation) = (step.fixed_rows::<3>(0), step.fixed_rows::<3>(3));
        for (index, contact) in problem.contacts().iter().enumerate() {
            if contact.is_separated() {
                continue;
            }
            let motion = translation + rotation.cross(&contact.point);
            let (u, v) = (contact.tangent, contact.tangent_v());
            let [before_u, before_v] = anchors[index / LANES].map(|x| x.as_array()[index % LANES]);
            let slip = [before_u + u.dot(&motion), before_v + v.dot(&motion)];
            let length = (slip[0] * slip[0] + slip[1] * slip[1]).sqrt();
            let longest = longest(index);
            let sliding = length > longest * ROUNDING;
            let cut = if sliding { longest / length } else { 1.0 };
            let slip = (u * slip[0] + v * slip[1]) * cut;
            self.next.push(Entry { id: contact.id, slip, sliding });
        }
        std::mem::swap(&mut self.entries, &mut self.next);
        self.table_is_filled = false;
    }

    fn find(&mut self, id: ContactId) -> Option<Entry> {
        // Contacts mostly keep their order: look at the next few of last tick first.
        for offset in 0..3 {
            match self.entries.get(self.cursor + offset) {
                Some(entry) if entry.id == id => {
                    self.cursor += offset + 1;
                    return Some(*entry);
                }
                Some(_) => {}
                None => break,
            }
        }
        if !self.table_is_filled {
            self.fill_table();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(id) & mask;
        while self.table[slot] != EMPTY {
            let at = self.table[slot] as usize;
            if self.entries[at].id == id {
                self.cursor = at + 1;
                return Some(self.entries[at]);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    fn fill_table(&mut self) {
        self.table.fill(EMPTY);
        let mask = self.table.len() - 1;
        for (at, entry) in self.entries.iter().enumerate() {
            let mut slot = hash(entry.id) & mask;
            while self.table[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = at as u32;
        }
        self.table_is_filled = true;
    }
}

/// A slip vector of an earlier tick in this tick's tangent basis, its length kept.
fn carried_over(slip: &Vec3, block: &Block, lane: usize) -> [f64; 2] {
    // The force rows of a block's columns are the tangents.
    let along = |c: &[Lane; 6]| (0..3).map(|row| c[row].as_array()[lane] * slip[row]).sum::<f64>();
    let (u, v) = (along(&block.u), along(&block.v));
    let length = (u * u + v * v).sqrt();
    if length > 0.0 {
        let scale = slip.norm() / length;
        [u * scale, v * scale]
    } else {
        // The normal turned by a right angle within one tick: there is no slip direction to keep.
        [0.0, 0.0]
    }
}

/// Fibonacci hashing.
fn hash(id: ContactId) -> usize {
    (id.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}
