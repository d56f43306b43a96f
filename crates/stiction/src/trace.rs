//! What a tick did, as plain data: all that a plot, a viewer, a recording or a test needs. Nothing flows back from here.

use crate::contact::ContactId;
use crate::friction::{SlipState, Verdict};
use crate::spatial::{Pose, Vec3, Vec6, halves};

/// What was noticed in a tick, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u32);

impl Flags {
    /// The hand's pose was not finite or not a rotation: nothing moved, the last wrench stands.
    pub const BAD_HAND: Flags = Flags(1);
    /// The hand moved further in one tick than a hand can.
    pub const TELEPORT: Flags = Flags(1 << 1);
    /// The coupling is beyond its linear range.
    pub const SATURATED: Flags = Flags(1 << 2);
    /// The step was cut, so that no point can come through the thinnest wall; the rest follows in later ticks.
    pub const STEP_BOUNDED: Flags = Flags(1 << 3);
    /// A point is deeper than a quarter of the thinnest wall: the parts started in each other, or are pressed too hard.
    pub const DEEP: Flags = Flags(1 << 4);
    /// Shell normals and field disagree at some points, which carry no force: the far side of something thin.
    pub const OPPOSED: Flags = Flags(1 << 5);
    /// The limit of work ended the collision walk at a coarser level, the solve before its answer was exact, or the tick before its last solve.
    pub const COARSE: Flags = Flags(1 << 6);
    /// The stiffness without geometric terms was used, the exact one not being positive definite.
    pub const PLAIN_STIFFNESS: Flags = Flags(1 << 7);
    /// The friction solver ran out of budget or precision; its answer is admissible all the same.
    pub const UNDECIDED: Flags = Flags(1 << 8);
    /// The contact problem could not be posed or solved (numbers out of range): nothing moved.
    pub const UNSOLVABLE: Flags = Flags(1 << 9);
    /// The load was not finite and was left out.
    pub const BAD_LOAD: Flags = Flags(1 << 10);

    const NAMES: [&'static str; 11] = [
        "bad-hand",
        "teleport",
        "saturated",
        "step-bounded",
        "deep",
        "opposed",
        "coarse",
        "plain-stiffness",
        "undecided",
        "unsolvable",
        "bad-load",
    ];

    /// Whether all bits of `other` are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sets or clears the bits of `other`.
    pub fn set(&mut self, other: Flags, on: bool) {
        self.0 = if on { self.0 | other.0 } else { self.0 & !other.0 };
    }

    /// A word for each bit that is set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().enumerate().filter(move |(i, _)| self.0 >> i & 1 == 1).map(|(_, name)| *name)
    }

    /// Every flag with its word.
    pub fn all() -> impl Iterator<Item = (Flags, &'static str)> {
        Self::NAMES.iter().enumerate().map(|(i, name)| (Flags(1 << i), *name))
    }
}

/// One tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// Its number, from 0.
    pub tick: u64,
    /// The hand's pose that went in (world from part).
    pub hand: Pose,
    /// Where the part is after the tick (world from part).
    pub part: Pose,
    /// The part's centre of mass after the tick (m).
    pub centre: Vec3,
    /// What the device should render (N, N m about the part's centre): the negative of the coupling, after the step.
    pub device: Vec6,
    /// Loads that acted on the part: weight and what was given to the tick.
    pub load: Vec6,
    /// Penalty forces on the part, before the step.
    pub normal: Vec6,
    /// Friction on the part.
    pub friction: Vec6,
    /// (Δx, Δω) from the part's pose before the tick to that after it.
    pub step: Vec6,
    /// ‖f + K q + G β‖ before damping, relative to the largest term; torques count by the part's radius.
    pub residual: f64,
    /// What the part does: held, sliding or rolling; of several solves, whether one slipped.
    pub verdict: Verdict,
    /// Touching points.
    pub contacts: u32,
    /// Of these: stuck.
    pub stuck: u32,
    /// Sliding.
    pub sliding: u32,
    /// Separating: they carry no friction.
    pub separating: u32,
    /// Contacts whose friction is at its limit, whether they slide or not.
    pub limited: u32,
    /// The farthest that a contact slipped in this tick's last solve (m).
    pub slip: f64,
    /// Sum of the magnitudes of the normal forces (N).
    pub pressure: f64,
    /// Σ µ_i F_n,i in force (N).
    pub limit: f64,
    /// Σ β_iᵀ slip_i: work of friction in the step before damping (J); and the largest single one, which Coulomb's law keeps ≤ 0.
    pub work: [f64; 2],
    /// The largest depth (m).
    pub depth: f64,
    /// No point is nearer than this to the surface (m).
    pub clearance: f64,
    /// Solves in this tick: 1, or more where the step was bounded.
    pub substeps: u32,
    /// Samples of the distance field.
    pub samples: u32,
    /// Levels of the shell that were walked.
    pub levels: u32,
    /// Iterations and passes of the friction solver.
    pub iterations: u32,
    /// See `iterations`.
    pub passes: u32,
    /// Rank of G.
    pub rank: u8,
    /// What was noticed.
    pub flags: Flags,
}

impl Trace {
    /// Before the first tick: hand and part at `pose`, the part's centre of mass at `centre`, nothing touches.
    pub fn blank(pose: &Pose, centre: &Vec3) -> Trace {
        let nothing = Vec6::zeros();
        Trace {
            tick: u64::MAX,
            hand: *pose,
            part: *pose,
            centre: *centre,
            device: nothing,
            load: nothing,
            normal: nothing,
            friction: nothing,
            step: nothing,
            residual: 0.0,
            verdict: Verdict::Free,
            contacts: 0,
            stuck: 0,
            sliding: 0,
            separating: 0,
            limited: 0,
            slip: 0.0,
            pressure: 0.0,
            limit: 0.0,
            work: [0.0; 2],
            depth: 0.0,
            clearance: 0.0,
            substeps: 0,
            samples: 0,
            levels: 0,
            iterations: 0,
            passes: 0,
            rank: 0,
            flags: Flags::default(),
        }
    }

    /// What the part does, in words, at this rate of ticks (Hz): "holds, 5 of 101 contacts at their limit", "slides at 12 mm/s", "rolls at 20 mm/s". The
    /// speed of sliding is that of the fastest contact, that of rolling the part's. For reports and displays: it allocates.
    pub fn verdict_words(&self, rate: f64) -> String {
        let at_speed = |word: &str, step: f64| match step > 0.0 {
            true => format!("{word} at {}", speed_words(step * rate)),
            false => word.to_owned(),
        };
        match self.verdict {
            Verdict::Holds if self.limited > 0 => {
                format!("holds, {} of {} contacts at their limit", self.limited, self.contacts)
            }
            Verdict::Slips => at_speed("slides", self.slip),
            Verdict::Rolls => at_speed("rolls", halves(&self.step).0.norm()),
            verdict => verdict.word().to_owned(),
        }
    }

    /// The number of 64-bit words of [`words`](Self::words).
    pub const WORDS: usize = 55;

    /// All of it in a fixed order, for hashing and recording: equal ticks give equal bits.
    pub fn words(&self) -> [u64; Self::WORDS] {
        let mut out = [0; Self::WORDS];
        let mut at = 0;
        let mut put = |word: u64| {
            out[at] = word;
            at += 1;
        };
        put(self.tick);
        for pose in [&self.hand, &self.part] {
            let q = pose.rotation.quaternion();
            pose.translation.vector.iter().chain([&q.w, &q.i, &q.j, &q.k]).for_each(|x| put(x.to_bits()));
        }
        self.centre.iter().for_each(|x| put(x.to_bits()));
        for v in [&self.device, &self.load, &self.normal, &self.friction] {
            v.iter().for_each(|x| put(x.to_bits()));
        }
        [self.residual, self.pressure, self.limit, self.work[0], self.work[1], self.depth, self.clearance]
            .iter()
            .for_each(|x| put(x.to_bits()));
        put(self.verdict as u64 | u64::from(self.rank) << 8 | u64::from(self.flags.0) << 32);
        put(u64::from(self.contacts) | u64::from(self.stuck) << 32);
        put(u64::from(self.sliding) | u64::from(self.separating) << 32);
        put(u64::from(self.substeps) | u64::from(self.samples) << 32);
        put(u64::from(self.levels) | u64::from(self.iterations) << 32);
        put(u64::from(self.limited) | u64::from(self.passes) << 32);
        out
    }
}

/// A speed (m/s) in words, with two digits or more.
fn speed_words(speed: f64) -> String {
    let (scale, unit) = match speed {
        v if v >= 1.0 => (1.0, "m/s"),
        v if v >= 1e-3 => (1e3, "mm/s"),
        v if v >= 1e-6 => (1e6, "µm/s"),
        _ => (1e9, "nm/s"),
    };
    let value = speed * scale;
    if value < 10.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// One contact of the last tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTrace {
    /// Its identity: the number of the shell point.
    pub id: ContactId,
    /// Where it is in the world (m).
    pub position: Vec3,
    /// Unit direction of the normal force on the held part.
    pub normal: Vec3,
    /// Depth (m).
    pub depth: f64,
    /// Normal force (N).
    pub normal_force: f64,
    /// Friction force on the held part, in the world (N).
    pub friction: Vec3,
    /// µ F_n in force (N).
    pub limit: f64,
    /// Slip of the step before damping, in the world (m).
    pub slip: Vec3,
    /// Work of friction in that step (J).
    pub work: f64,
    /// Stuck, sliding, or separated (which separating contacts are).
    pub state: SlipState,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_and_its_contacts_are_told_apart() {
        let blank = Trace::blank(&Pose::identity(), &Vec3::zeros());
        let holds = Trace { verdict: Verdict::Holds, contacts: 101, ..blank };
        assert_eq!(holds.verdict_words(1000.0), "holds");
        assert_eq!(Trace { limited: 5, ..holds }.verdict_words(1000.0), "holds, 5 of 101 contacts at their limit");
        let slides = Trace { verdict: Verdict::Slips, slip: 12e-6, ..holds };
        assert_eq!(slides.verdict_words(1000.0), "slides at 12 mm/s");
        assert_eq!(Trace { slip: 1.25e-3, ..slides }.verdict_words(4000.0), "slides at 5.0 m/s");
        assert_eq!(Trace { slip: 0.0, ..slides }.verdict_words(1000.0), "slides");
        let rolls = Trace { verdict: Verdict::Rolls, step: Vec6::new(0.0, 3e-8, 4e-8, 0.1, 0.0, 0.0), ..holds };
        assert_eq!(rolls.verdict_words(1000.0), "rolls at 50 µm/s");
        assert_eq!(blank.verdict_words(1000.0), "free");
    }
}
