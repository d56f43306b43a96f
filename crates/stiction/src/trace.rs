//! What a tick did, as plain data: all that a plot, a viewer, a recording or a test needs. Nothing flows back from here.

use crate::columns::{Column, ColumnKind, Row, Words, columns};
use crate::contact::ContactId;
use crate::friction::{SlipState, Verdict};
use crate::simulation::{HAND_COLUMNS, HandTick, KnownLoad, take_reals};
use crate::spatial::{Pose, Vec3, Vec6, halves};
use std::sync::LazyLock;

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
    /// Points are on the far side of something thin: the way out of the other part is along their own normal, so that they carry no force, and they are deeper than
    /// the largest force presses a contact.
    pub const OPPOSED: Flags = Flags(1 << 5);
    /// The limit of work ended the collision walk at a coarser level, the solve before its answer was exact, or the tick before its last solve.
    pub const COARSE: Flags = Flags(1 << 6);
    /// The stiffness without geometric terms was used, the exact one not being positive definite, or the paper's being singular.
    pub const PLAIN_STIFFNESS: Flags = Flags(1 << 7);
    /// The friction solver ran out of budget or precision; its answer is admissible all the same.
    pub const UNDECIDED: Flags = Flags(1 << 8);
    /// The contact problem could not be posed or solved (numbers out of range): nothing moved.
    pub const UNSOLVABLE: Flags = Flags(1 << 9);
    /// The load was not finite and was left out.
    pub const BAD_LOAD: Flags = Flags(1 << 10);

    /// A word for each bit, from the lowest on.
    pub const NAMES: &'static [&'static str] = &[
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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    pub wrench: Vec6,
    /// Loads that acted on the part: weight and what was given to the tick.
    pub load: Vec6,
    /// Penalty forces on the part, before the step.
    pub normal: Vec6,
    /// Friction on the part.
    pub friction: Vec6,
    /// (Δx, Δω) from the part's pose before the tick to that after it.
    pub step: Vec6,
    /// ‖f + K q + G β‖ before damping, relative to the largest term; torques count by the part's radius. Of unilateral contacts, the residual of their natural map.
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
    /// Iterations of the friction solver.
    pub iterations: u32,
    /// Passes of the friction solver over the contacts.
    pub passes: u32,
    /// Rank of G.
    pub rank: u8,
    /// What was noticed.
    pub flags: Flags,
}

impl Trace {
    /// Before the first tick: hand and part at `pose`, the part's centre of mass at `centre`, nothing touches.
    pub fn blank(pose: &Pose, centre: &Vec3) -> Trace {
        Trace { tick: u64::MAX, hand: *pose, part: *pose, centre: *centre, ..Trace::default() }
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
            verdict => verdict.name().to_owned(),
        }
    }

    /// The columns of a tick's row: [`HAND_COLUMNS`], then [`OWN_COLUMNS`].
    pub fn columns() -> &'static [Column] {
        &COLUMNS
    }

    /// The tick as every engine tells it.
    pub fn hand_tick(&self) -> HandTick {
        HandTick {
            tick: self.tick,
            hand: self.hand,
            body: self.part,
            centre: self.centre,
            wrench: self.wrench,
            load: self.load,
            contacts: self.contacts,
            flags: self.flags,
            known_loads: [
                KnownLoad { wrench: self.load, mover: self.part, held_in_mover: Pose::identity() },
                KnownLoad::default(),
            ],
        }
    }

    /// The tick as a row of its [`columns`](Self::columns): equal ticks give equal bits.
    pub fn row(&self) -> Row {
        let mut row = Row::default();
        self.put(&mut row);
        row
    }

    /// Adds the words of the tick to an empty row.
    pub fn put(&self, row: &mut Row) {
        self.hand_tick().put(row);
        self.put_own(row);
    }

    /// Adds the words of [`OWN_COLUMNS`] to a row.
    pub fn put_own(&self, row: &mut Row) {
        for v in [&self.normal, &self.friction, &self.step] {
            v.iter().for_each(|x| row.put_real(*x));
        }
        row.put(self.verdict as u64);
        for n in [self.stuck, self.sliding, self.separating, self.limited] {
            row.put(u64::from(n));
        }
        let [work, largest] = self.work;
        for x in [self.slip, self.pressure, self.limit, work, largest, self.depth, self.clearance, self.residual] {
            row.put_real(x);
        }
        let counts = [self.substeps, self.samples, self.levels, self.iterations, self.passes, u32::from(self.rank)];
        counts.into_iter().for_each(|n| row.put(u64::from(n)));
    }

    /// The tick of a row; `None` if its columns are not those of a `Trace`, or a value is out of its range.
    pub fn from_row(columns: &[Column], row: &Row) -> Option<Trace> {
        if columns != Self::columns() {
            return None;
        }
        let words = &mut row.words().iter().copied();
        let hand = HandTick::take(words)?;
        let wrenches: [Vec6; 3] = [take_reals(words)?.into(), take_reals(words)?.into(), take_reals(words)?.into()];
        let verdict = *Verdict::ALL.get(usize::try_from(words.next()?).ok()?)?;
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = words.next()? as u32;
        }
        let [slip, pressure, limit, work, largest, depth, clearance, residual] = take_reals(words)?;
        let mut efforts = [0; 6];
        for effort in &mut efforts {
            *effort = words.next()? as u32;
        }
        Some(Trace {
            tick: hand.tick,
            hand: hand.hand,
            part: hand.body,
            centre: hand.centre,
            wrench: hand.wrench,
            load: hand.load,
            normal: wrenches[0],
            friction: wrenches[1],
            step: wrenches[2],
            residual,
            verdict,
            contacts: hand.contacts,
            stuck: counts[0],
            sliding: counts[1],
            separating: counts[2],
            limited: counts[3],
            slip,
            pressure,
            limit,
            work: [work, largest],
            depth,
            clearance,
            substeps: efforts[0],
            samples: efforts[1],
            levels: efforts[2],
            iterations: efforts[3],
            passes: efforts[4],
            rank: u8::try_from(efforts[5]).ok()?,
            flags: hand.flags,
        })
    }
}

/// Columns of the quasi-static engine beyond those that every engine has.
pub const OWN_COLUMNS: [Column; 37] = {
    use ColumnKind::{Choice, Count, Real};
    columns! {
        Real => "normal_fx_n", "normal_fy_n", "normal_fz_n", "normal_tx_nm", "normal_ty_nm", "normal_tz_nm",
            "friction_fx_n", "friction_fy_n", "friction_fz_n", "friction_tx_nm", "friction_ty_nm", "friction_tz_nm",
            "step_x_m", "step_y_m", "step_z_m", "step_rx_rad", "step_ry_rad", "step_rz_rad";
        Choice(Words::Known(Verdict::NAMES)) => "verdict";
        Count => "stuck", "sliding", "separating", "at_limit";
        Real => "slip_m", "pressure_n", "limit_n", "work_j", "work_largest_j", "depth_m", "clearance_m", "residual";
        Count => "substeps", "samples", "levels", "iterations", "passes", "rank"
    }
};

static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| HAND_COLUMNS.into_iter().chain(OWN_COLUMNS).collect());

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
    /// Slip that a hard contact remembered before the step, in the world (m): it stores `limit` times the length of that, and gives it back when the part springs back. Zero for penalty contacts.
    pub remembered: Vec3,
    /// Work of friction in that step (J).
    pub work: f64,
    /// Stuck, sliding, or separated (which separating contacts are).
    pub state: SlipState,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_every_field_of_a_tick_and_gives_it_back() {
        // Every word is another number, so that two that changed places would be found.
        let words: Vec<u64> = (1..=Trace::columns().len() as u64).collect();
        let kinds = Trace::columns().iter().map(|c| &c.kind);
        let words: Vec<u64> = words.into_iter().zip(kinds).map(|(n, kind)| word(n, kind)).collect();
        let row = Row::of(&words).unwrap();
        let trace = Trace::from_row(Trace::columns(), &row).unwrap();
        assert_eq!(trace.row().words(), words);
        let mut names: Vec<&str> = Trace::columns().iter().map(|c| &*c.name).collect();
        assert_eq!(words[names.iter().position(|n| *n == "depth_m").unwrap()], trace.depth.to_bits());
        assert_eq!(words[names.iter().position(|n| *n == "at_limit").unwrap()], u64::from(trace.limited));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), words.len(), "names are unique");
        assert!(Trace::from_row(&Trace::columns()[1..], &row).is_none(), "another engine's columns");
    }

    fn word(n: u64, kind: &ColumnKind) -> u64 {
        match kind {
            ColumnKind::Real => (n as f64 * 0.1).to_bits(),
            ColumnKind::Count | ColumnKind::Flags(_) => n,
            ColumnKind::Choice(words) => n % words.iter().count() as u64,
        }
    }

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
