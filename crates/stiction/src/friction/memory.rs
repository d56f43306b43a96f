//! Slip memory: what a contact remembers from tick to tick, keyed by its identity.
//!
//! "Holding with memory": per contact the slip s_i accumulated since the contact formed, cut back to a length of
//! at most ε by dragging its anchor along. What is kept is the offset o of the touching material from where it was when the contact
//! formed, and the normal N₀ of that moment; with a step (Δx, Δω) and R = exp([Δω]×),
//!
//! ```text
//! o ← o + Δx + (R - I) r          the contact's point is of the held part
//! o ← o + Δx + (R - I)(r + o)     it is of the environment: o is how far the part's material went that was there first
//! s = (I - N₀N₀ᵀ) o
//! ```
//!
//! Both sums telescope: a part that comes back has slipped nowhere, whatever way it went. (Adding up G_iᵀq instead ratchets by the area of
//! each load cycle in tilt and depth, some picometres.) s is carried over to the tick's tangent basis with its length preserved, so that a
//! change of basis or a slowly turning normal neither creates nor loses slip. A contact that is separated or absent for one tick forgets
//! everything; one that slides takes the present normal for N₀ and leaves the normal part of o behind.
//!
//! A contact slides when, in a step, accumulated slip goes beyond ε; it uses µ_k if and only if it slid in the
//! last committed step, and µ_s otherwise.

use super::motion::Motion;
use super::passes::Pair;
use crate::contact::{Block, Contact, ContactId, ContactProblem, LANES, Lane};
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

impl SlipState {
    /// A word for each state, in the order of their numbers.
    pub const WORDS: &'static [&'static str] = &["separated", "stuck", "sliding"];
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    id: ContactId,
    /// o and N₀.
    offset: Vec3,
    normal: Vec3,
    sliding: bool,
}

impl Entry {
    fn new(contact: &Contact) -> Self {
        Entry { id: contact.id, offset: Vec3::zeros(), normal: contact.normal, sliding: false }
    }

    /// s.
    fn slip(&self) -> Vec3 {
        self.offset - self.normal * self.normal.dot(&self.offset)
    }
}

/// The memory of all contacts of the last committed tick. Allocates only when made.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    entries: Vec<Entry>,
    next: Vec<Entry>,
    /// Where each contact of the problem last recalled is in `entries`.
    found: Vec<u32>,
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
            found: vec![EMPTY; capacity.next_multiple_of(LANES)],
            table: vec![EMPTY; (2 * capacity).next_power_of_two().max(2)],
            table_is_filled: false,
            cursor: 0,
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.table_is_filled = false;
    }

    /// What another remembers. Does not allocate where both were made for as many contacts.
    pub fn copy_from(&mut self, other: &Memory) {
        self.entries.clone_from(&other.entries);
        self.table_is_filled = false;
    }

    /// Limits L_i in force and remembered slips s_i of a problem's contacts; true if any slip is not zero.
    pub fn recall(&mut self, problem: &ContactProblem, limits: &mut [Lane], anchors: &mut [Pair]) -> bool {
        let lanes = problem.lanes();
        limits.copy_from_slice(&lanes.static_limit);
        anchors.fill([Lane::ZERO; 2]);
        self.found[..limits.len() * LANES].fill(EMPTY);
        if self.entries.is_empty() {
            return false;
        }
        self.cursor = 0;
        let mut any = false;
        let given = lanes.touching.iter().zip(&lanes.ids).zip(&lanes.kinetic_limit).zip(problem.blocks());
        for (i, ((((touching, ids), kinetic), block), (limit, anchor))) in
            given.zip(limits.iter_mut().zip(anchors)).enumerate()
        {
            for lane in 0..LANES {
                if touching >> lane & 1 == 0 {
                    continue;
                }
                let Some(place) = self.find(ids[lane]) else { continue };
                self.found[LANES * i + lane] = place as u32;
                let entry = &self.entries[place];
                if entry.sliding {
                    limit.as_mut_array()[lane] = kinetic.as_array()[lane];
                }
                let slip = entry.slip();
                if slip != Vec3::zeros() {
                    any = true;
                    let [u, v] = carried_over(&slip, block, lane);
                    (anchor[0].as_mut_array()[lane], anchor[1].as_mut_array()[lane]) = (u, v);
                }
            }
        }
        any
    }

    /// Takes a step of the problem last recalled into account: accumulates slip, drags anchors, notes who slides. `longest` is the slip
    /// that a contact, by its number, can remember; `points_move` where contact points are of the held part.
    pub fn commit(&mut self, problem: &ContactProblem, step: &Vec6, points_move: bool, longest: impl Fn(usize) -> f64) {
        self.next.clear();
        let motion = Motion::new(step);
        for (index, contact) in problem.contacts().iter().enumerate() {
            if contact.is_separated() {
                continue;
            }
            let place = self.found[index];
            let mut entry = if place == EMPTY { Entry::new(contact) } else { self.entries[place as usize] };
            let arm = if points_move { contact.point } else { contact.point + entry.offset };
            entry.offset += motion.of(&arm);
            let slip = entry.slip();
            let (length, longest) = (slip.norm(), longest(index));
            entry.sliding = length > longest * ROUNDING;
            if entry.sliding {
                let along = slip - contact.normal * contact.normal.dot(&slip);
                let length = along.norm();
                entry.offset = if length > 0.0 { along * (longest / length) } else { Vec3::zeros() };
                entry.normal = contact.normal;
            }
            self.next.push(entry);
        }
        std::mem::swap(&mut self.entries, &mut self.next);
        self.table_is_filled = false;
    }

    fn find(&mut self, id: ContactId) -> Option<usize> {
        // Contacts mostly keep their order: look at the next few of last tick first.
        for offset in 0..3 {
            match self.entries.get(self.cursor + offset) {
                Some(entry) if entry.id == id => {
                    self.cursor += offset + 1;
                    return Some(self.cursor - 1);
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
                return Some(at);
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
