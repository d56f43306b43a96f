//! How a part moved in a run, told as what it is: displaced in all, slipped, rolled, elastic, crept. `docs/guide/report.md` has the same definitions for users.
//!
//! Contacts i push with F_i along n_i; Σ is over all of them, and w_i = L_i/ΣL with the friction limits L_i = µF_i (without friction, w_i = F_i/ΣF). In a tick the
//! part makes the step (Δx, Δω), and the material at a contact goes along the surface by
//!
//! ```text
//! t_i = (I - n_i n_iᵀ)(Δx + Δω × r_i)
//! ```
//!
//! - **Slipped**, in ticks whose verdict is "slips": the sum over these ticks of Σ w_i |t_i|. It is a path, not a distance. Where all contacts slide it is the work of friction
//!   by what friction can bear, and for a box that slides straight on a plane it is the way of the box. Contacts that stick meanwhile move by next to nothing. A
//!   tick whose way is below a picometre is still.
//! - **Rolled**, in ticks whose verdict is "rolls": the path of the part's centre.
//! - **Elastic**, at the end: |Σ w_i s_i| along the surface, with s_i the slip that a contact remembers and gives back, and Σ w_i d_i into it, with d_i the elastic
//!   depth F_i/k_i. This is what returns when the loads are taken away.
//! - **Crept**, in ticks whose verdict is "holds": what material at the contacts moved along the surface from the first tick of a hold to its last, less the change of
//!   what they remember, |Σ w_i (I - n_i n_iᵀ)(P_b p_i - P_a p_i - (s_b,i - s_a,i))|; summed over holds. Poses P are compared, not added up, so that a part that rocks and
//!   comes back has not crept; what the material moved while its contact was open is left out. Sinking is along n_i and is none of it. Penalty contacts tell no slip that they remember (s = 0): there all that a held part moves along the
//!   surface counts.
//!
//! For a hold, up to [`ANCHORS`] contacts of its first tick stand for all.

use serde::Serialize;
use stiction::friction::{SlipState, Verdict};
use stiction::spatial::{Pose, Vec3, halves};
use stiction::trace::{ContactTrace, Flags, Trace};

/// Most contacts of a hold that are followed.
const ANCHORS: usize = 64;
/// Most slides that are listed one by one.
const LISTED: usize = 32;
/// Way of a tick that is rounding, not motion (m).
const ROUNDING: f64 = 1e-12;
/// A point without an anchor.
const NONE: u16 = u16::MAX;

/// How a part moved in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MotionSummary {
    /// Distance of the part's centre from where it was before the first tick (m).
    pub displaced_m: f64,
    /// Angle between the part's first and last orientation (rad).
    pub turned_rad: f64,
    /// Way that the contacts slid, in ticks in which the part slid (m).
    pub slipped_m: f64,
    /// Way of the part's centre in ticks in which it rolled (m).
    pub rolled_m: f64,
    /// What the part springs back along the surface when it is let go (m).
    pub elastic_m: f64,
    /// What the part springs back out of the surface when it is let go (m).
    pub sunk_m: f64,
    /// What the part moved along the surface while it was held and does not spring back (m).
    pub crept_m: f64,
    /// Number of times that the part began to slide.
    pub slide_count: u64,
    /// The first 32 slides.
    pub slides: Vec<Slide>,
    /// When the last slide ended because the part was caught (s); `None` if there was no slide, it goes on in the end, or it ended otherwise.
    pub last_caught_s: Option<f64>,
    /// When the last slide ended because the part lost its contacts (s); `None` if there was no slide, it goes on in the end, or it ended otherwise.
    pub last_lifted_s: Option<f64>,
}

/// A time in which a part slid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Slide {
    /// Time of its first tick (s).
    pub from_s: f64,
    /// Time of the first tick after it (s), in which the part was held, rolled or stood still; `None` if it slides in the end or lost its contacts.
    pub caught_s: Option<f64>,
    /// Time of the first tick after it (s), in which the part had no contact with friction any more; `None` if it slides in the end or was caught.
    pub lifted_s: Option<f64>,
    /// Way that the contacts slid (m).
    pub slipped_m: f64,
}

/// A contact at the first tick of a hold.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    /// Its point in the part's axes, and where that was then (m).
    in_part: Vec3,
    in_world: Vec3,
    normal: Vec3,
    /// s then (m).
    remembered: Vec3,
    /// The number of the last tick in which it touched, from 1, and what it had crept by then (m).
    seen: (u64, Vec3),
}

/// Adds up the motion of a part tick by tick. Allocates only when it is made.
#[derive(Debug)]
pub struct MotionTally {
    rate: f64,
    /// Whether contacts tell the slip that they remember: hard ones do.
    remembers: bool,
    ticks: u64,
    start: Option<(Vec3, Pose)>,
    last: (Vec3, Pose),
    verdict: Verdict,
    told: MotionSummary,
    /// The hold that goes on: its contacts, their places by their numbers, and what it has crept.
    anchors: Vec<Anchor>,
    places: Vec<u16>,
    numbers: Vec<usize>,
    creeping: f64,
}

impl Clone for MotionTally {
    /// A copy with all the memory that it will need, which `Vec`'s own would not have.
    fn clone(&self) -> Self {
        fn whole<T: Clone>(list: &[T], most: usize) -> Vec<T> {
            let mut out = Vec::with_capacity(most);
            out.extend_from_slice(list);
            out
        }
        MotionTally {
            told: MotionSummary { slides: whole(&self.told.slides, LISTED), ..self.told.clone() },
            anchors: whole(&self.anchors, ANCHORS),
            places: self.places.clone(),
            numbers: whole(&self.numbers, ANCHORS),
            ..*self
        }
    }
}

impl MotionTally {
    /// For runs at a rate (Hz) with contacts whose numbers are below `points`, and which tell the slip that they remember or not.
    pub fn new(rate: f64, points: usize, remembers: bool) -> MotionTally {
        MotionTally {
            rate,
            remembers,
            ticks: 0,
            start: None,
            last: (Vec3::zeros(), Pose::identity()),
            verdict: Verdict::Free,
            told: MotionSummary { slides: Vec::with_capacity(LISTED), ..MotionSummary::default() },
            anchors: Vec::with_capacity(ANCHORS),
            places: vec![NONE; points],
            numbers: Vec::with_capacity(ANCHORS),
            creeping: 0.0,
        }
    }

    /// Takes a tick in, with its contacts: one pass over them, a second one where a hold begins.
    pub fn add<I: Iterator<Item = ContactTrace>>(&mut self, t: &Trace, contacts: impl Fn() -> I) {
        let time = self.ticks as f64 / self.rate;
        self.ticks += 1;
        let (moved, turned) = halves(&t.step);
        self.start.get_or_insert_with(|| (t.centre - moved, before(t)));
        self.last = (t.centre, t.part);
        // The part did not move in these.
        if t.flags.has(Flags::UNSOLVABLE) || t.flags.has(Flags::BAD_HAND) {
            return;
        }
        let was = self.verdict;
        // A tick without an answer says nothing about the kind of motion: a slide goes on, a hold is followed up to here.
        if t.verdict == Verdict::Undecided {
            if was == Verdict::Holds {
                self.let_go();
                self.verdict = Verdict::Undecided;
            }
            return;
        }
        let goes_on = was == Verdict::Holds && t.verdict == Verdict::Holds;
        let from = t.centre - moved;
        let (mut by_limit, mut by_force) = (Sums::default(), Sums::default());
        for c in contacts() {
            let way = match t.verdict {
                Verdict::Slips => tangential(&(moved + turned.cross(&(c.position - from))), &c.normal).norm(),
                _ => 0.0,
            };
            let remembered = self.remembered(&c);
            let crept = if goes_on { self.crept(t, &c, &remembered) } else { None };
            by_limit.add(c.limit, way, &remembered, c.depth, crept);
            by_force.add(c.normal_force, way, &remembered, c.depth, crept);
        }
        let sums = if by_limit.weight > 0.0 { by_limit } else { by_force };
        (self.told.elastic_m, self.told.sunk_m) = (sums.mean(sums.remembered.norm()), sums.mean(sums.depth));
        let way = sums.mean(sums.way);
        // A contact whose memory shrinks with its load reads as sliding, though the part stands still.
        let still = t.verdict == Verdict::Slips && way < ROUNDING;
        let now = if still { Verdict::Free } else { t.verdict };
        self.verdict = now;
        if was == Verdict::Holds && now != Verdict::Holds {
            self.let_go();
        }
        if was == Verdict::Slips && now != Verdict::Slips {
            self.slide_ends(time, t.verdict == Verdict::Free);
        }
        match now {
            Verdict::Slips => self.slide(time, way, was != Verdict::Slips),
            Verdict::Rolls => self.told.rolled_m += moved.norm(),
            Verdict::Holds if !goes_on => self.hold(t, contacts()),
            Verdict::Holds if sums.followed > 0.0 => self.creeping = sums.crept.norm() / sums.followed,
            Verdict::Holds | Verdict::Free | Verdict::Undecided => {}
        }
    }

    /// s of a contact after the tick: a contact that slides keeps what it had.
    fn remembered(&self, c: &ContactTrace) -> Vec3 {
        match (self.remembers, c.state) {
            (true, SlipState::Stuck) => c.remembered + c.slip,
            (true, _) => c.remembered,
            (false, _) => Vec3::zeros(),
        }
    }

    /// A tick of a slide.
    fn slide(&mut self, time: f64, way: f64, begins: bool) {
        let told = &mut self.told;
        if begins {
            told.slide_count += 1;
            if told.slides.len() < LISTED {
                told.slides.push(Slide { from_s: time, caught_s: None, lifted_s: None, slipped_m: 0.0 });
            }
            (told.last_caught_s, told.last_lifted_s) = (None, None);
        }
        told.slipped_m += way;
        if let Some(slide) = told.listed() {
            slide.slipped_m += way;
        }
    }

    /// A slide ends: the part is caught, or has lost its contacts.
    fn slide_ends(&mut self, time: f64, lifted: bool) {
        let (caught, lifted) = if lifted { (None, Some(time)) } else { (Some(time), None) };
        (self.told.last_caught_s, self.told.last_lifted_s) = (caught, lifted);
        if let Some(slide) = self.told.listed() {
            (slide.caught_s, slide.lifted_s) = (caught, lifted);
        }
    }

    /// A hold begins.
    fn hold(&mut self, t: &Trace, contacts: impl Iterator<Item = ContactTrace>) {
        let stride = (t.contacts as usize).div_ceil(ANCHORS).max(1);
        for c in contacts.step_by(stride).take(ANCHORS) {
            let Some(place) = usize::try_from(c.id.0).ok().and_then(|i| self.places.get_mut(i)) else { continue };
            *place = self.anchors.len() as u16;
            self.numbers.push(c.id.0 as usize);
            let in_part = t.part.inverse_transform_point(&c.position.into()).coords;
            let remembered = self.remembered(&c);
            let seen = (self.ticks, Vec3::zeros());
            self.anchors.push(Anchor { in_part, in_world: c.position, normal: c.normal, remembered, seen });
        }
        self.creeping = 0.0;
    }

    /// What the material at a contact crept since the hold began, if the contact is followed. One that came off and touches again does so at a place of its own choice: what it moved meanwhile is
    /// none of it.
    fn crept(&mut self, t: &Trace, c: &ContactTrace, remembered: &Vec3) -> Option<Vec3> {
        let place = usize::try_from(c.id.0).ok().and_then(|i| self.places.get(i)).copied().unwrap_or(NONE);
        let anchor = self.anchors.get_mut(usize::from(place))?;
        let now = (t.part * nalgebra::Point3::from(anchor.in_part)).coords;
        let mut crept = now - anchor.in_world - (remembered - anchor.remembered);
        let (tick, before) = anchor.seen;
        if tick + 1 < self.ticks {
            anchor.in_world += crept - before;
            crept = before;
        }
        anchor.seen = (self.ticks, crept);
        Some(tangential(&crept, &anchor.normal))
    }

    /// A hold ends.
    fn let_go(&mut self) {
        self.told.crept_m += self.creeping;
        self.creeping = 0.0;
        self.anchors.clear();
        self.numbers.drain(..).for_each(|number| self.places[number] = NONE);
    }

    /// How the part moved so far.
    pub fn summary(&self) -> MotionSummary {
        let Some((centre, pose)) = self.start else { return self.told.clone() };
        let (last, last_pose) = self.last;
        MotionSummary {
            displaced_m: (last - centre).norm(),
            turned_rad: (last_pose.rotation * pose.rotation.inverse()).angle(),
            crept_m: self.told.crept_m + self.creeping,
            ..self.told.clone()
        }
    }
}

impl MotionSummary {
    /// The slide that goes on or has just ended, if it is one of those that are listed.
    fn listed(&mut self) -> Option<&mut Slide> {
        if self.slide_count as usize <= LISTED { self.slides.last_mut() } else { None }
    }
}

/// Weighted sums over the contacts of a tick.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// ΣL, or ΣF without friction.
    weight: f64,
    way: f64,
    remembered: Vec3,
    depth: f64,
    crept: Vec3,
    /// Weight of the contacts that are followed.
    followed: f64,
}

impl Sums {
    fn add(&mut self, weight: f64, way: f64, remembered: &Vec3, depth: f64, crept: Option<Vec3>) {
        self.weight += weight;
        self.way += way * weight;
        self.remembered += remembered * weight;
        self.depth += depth * weight;
        if let Some(crept) = crept {
            self.crept += crept * weight;
            self.followed += weight;
        }
    }

    fn mean(&self, sum: f64) -> f64 {
        if self.weight > 0.0 { sum / self.weight } else { 0.0 }
    }
}

/// What of a motion is along a surface.
fn tangential(motion: &Vec3, normal: &Vec3) -> Vec3 {
    motion - normal * normal.dot(motion)
}

/// The part's orientation before a tick; positions do not count.
fn before(t: &Trace) -> Pose {
    let (_, turned) = halves(&t.step);
    Pose::from_parts(t.part.translation, stiction::spatial::exp(&-turned) * t.part.rotation)
}

#[cfg(test)]
mod tests;
