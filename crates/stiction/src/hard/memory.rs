//! What contacts remember from tick to tick: slip, whether they slide, and the last answer as a start for the next.
//!
//! A contact keeps the offset o of the touching material from where it was when the contact formed, and the normal N₀ of that moment. With a
//! step (Δx, Δω) and R = exp([Δω]×),
//!
//! ```text
//! o ← o + Δx + (R - I) r          the contact's point is of the held part
//! o ← o + Δx + (R - I)(r + o)     it is of the fixed part: o is how far the held material went that was there first
//! s = (I - N₀N₀ᵀ) o
//! ```
//!
//! Both sums telescope: a part that comes back has slipped nowhere, whatever way it went. s longer than ε drags its anchor along: that contact
//! slides, and has µ_k in the next tick. A contact that lifts off keeps its memory while its gap is below ε, so that a part that rocks under a
//! varying load finds its anchors again.

use crate::friction::motion::Motion;
use crate::spatial::{Vec3, Vec6};

/// What a contact remembers.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The tick that last saw it; 0 for never.
    stamp: u64,
    offset: Vec3,
    normal: Vec3,
    /// F and β of the last answer (N).
    force: f64,
    friction: Vec3,
    sliding: bool,
}

const NOTHING: Entry = Entry {
    stamp: 0,
    offset: Vec3::new(0.0, 0.0, 0.0),
    normal: Vec3::new(0.0, 0.0, 0.0),
    force: 0.0,
    friction: Vec3::new(0.0, 0.0, 0.0),
    sliding: false,
};

/// A contact's memory as a tick needs it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recalled {
    /// s (m).
    pub slip: Vec3,
    /// β of the last tick (N).
    pub friction: Vec3,
    /// F of the last tick (N).
    pub force: f64,
    /// It slid in the last tick.
    pub sliding: bool,
}

/// The memory of all shell points, by their number.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    entries: Vec<Entry>,
    stamp: u64,
}

/// An anchor cut back to exactly ε must not read as sliding while nothing moves.
const ROUNDING: f64 = 1.0 + 1e-9;

impl Memory {
    pub fn with_capacity(points: usize) -> Self {
        Memory { entries: vec![NOTHING; points], stamp: 1 }
    }

    /// Takes over what another memory of as many points has. Does not allocate.
    pub fn copy_from(&mut self, other: &Memory) {
        self.entries.clone_from(&other.entries);
        self.stamp = other.stamp;
    }

    pub fn clear(&mut self) {
        // Entries that are older than a tick count for nothing.
        self.stamp += 2;
    }

    /// What a shell point remembers of the last tick.
    #[inline]
    pub fn recall(&self, point: u32) -> Option<Recalled> {
        let e = &self.entries[point as usize];
        (e.stamp == self.stamp).then(|| Recalled {
            slip: e.offset - e.normal * e.normal.dot(&e.offset),
            friction: e.friction,
            force: e.force,
            sliding: e.sliding,
        })
    }

    /// Begins the update for a step; [`Commit::contact`] must be called for every contact of the tick, in any order.
    /// `again` where the tick has solved before: a contact that slid in a tick has slid, also if a later solve takes it back a little.
    pub fn commit(&mut self, step: &Vec6, micro_slip: f64, again: bool) -> Commit<'_> {
        let last = self.stamp;
        self.stamp += 1;
        Commit { memory: self, last, motion: Motion::new(step), micro_slip, again }
    }
}

/// An update under way.
pub(crate) struct Commit<'a> {
    memory: &'a mut Memory,
    last: u64,
    motion: Motion,
    micro_slip: f64,
    again: bool,
}

/// What an update tells of a contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slipped {
    /// Slip of this step along the surface (m).
    pub slip: Vec3,
    /// The slip went beyond ε in this step.
    pub sliding: bool,
}

impl Commit<'_> {
    /// Takes the step into account for a contact at `arm` with this normal, normal force and friction; `moves` where its point is of the held part, `gap`
    /// its distance from the surface after the step.
    #[inline]
    pub fn contact(
        &mut self,
        point: u32,
        [arm, normal]: [&Vec3; 2],
        moves: bool,
        gap: f64,
        force: f64,
        friction: Vec3,
    ) -> Slipped {
        let old = &self.memory.entries[point as usize];
        let known = old.stamp == self.last;
        if !(force > 0.0 || known && gap < self.micro_slip) {
            return Slipped::default();
        }
        let mut e = if known { *old } else { Entry { normal: *normal, ..NOTHING } };
        let of = if moves { *arm } else { arm + e.offset };
        let moved = self.motion.of(&of);
        e.offset += moved;
        let slip = e.offset - e.normal * e.normal.dot(&e.offset);
        let length = slip.norm();
        let slides = length > self.micro_slip * ROUNDING;
        e.sliding = slides || self.again && e.sliding;
        if slides {
            let along = slip - normal * normal.dot(&slip);
            let length = along.norm();
            e.offset = if length > 0.0 { along * (self.micro_slip / length) } else { Vec3::zeros() };
            e.normal = *normal;
        }
        (e.stamp, e.force, e.friction) = (self.memory.stamp, force, friction);
        self.memory.entries[point as usize] = e;
        Slipped { slip: moved - normal * normal.dot(&moved), sliding: slides && force > 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Solves that follow in a tick may take a sliding part back by a little; it had static friction for that in the next tick, 5 % too much on a pin of 128 facets.
    #[test]
    fn a_contact_that_slid_in_a_tick_is_not_said_to_stick_after_another_solve() {
        for (again, slides) in [(true, true), (false, false)] {
            let mut memory = Memory::with_capacity(1);
            let mut step = |x: f64, again: bool| {
                let step = Vec6::new(x, 0.0, 0.0, 0.0, 0.0, 0.0);
                let mut commit = memory.commit(&step, 1e-6, again);
                commit.contact(0, [&Vec3::x(), &Vec3::z()], true, 0.0, 1.0, Vec3::zeros());
                memory.recall(0).unwrap().sliding
            };
            assert!(step(5e-6, false));
            assert_eq!(step(-1e-8, again), slides);
        }
    }
}
