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
//!   what they remember, |Σ w_i ((I - n_i n_iᵀ)(P_b p_i - P_a p_i) - (s_b,i - s_a,i))|; summed over holds. Poses P are compared, not added up, so that a part that rocks and
//!   comes back has not crept. Sinking is along n_i and is none of it. Penalty contacts tell no slip that they remember (s = 0): there all that a held part moves along the
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
    /// When the part was last caught after a slide (s); `None` if it never was, or slides in the end.
    pub last_caught_s: Option<f64>,
}

/// A time in which a part slid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Slide {
    /// Time of its first tick (s).
    pub from_s: f64,
    /// Time of the first tick after it (s); `None` if the part slides in the end.
    pub caught_s: Option<f64>,
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
}

/// Adds up the motion of a part tick by tick. Allocates only when it is made.
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

    /// Takes a tick in, with its contacts.
    pub fn add<I: Iterator<Item = ContactTrace>>(&mut self, t: &Trace, contacts: impl Fn() -> I) {
        let time = self.ticks as f64 / self.rate;
        self.ticks += 1;
        let (moved, turned) = halves(&t.step);
        self.start.get_or_insert_with(|| (t.centre - moved, before(t)));
        self.last = (t.centre, t.part);
        // A tick without an answer says nothing about the kind of motion.
        if t.verdict == Verdict::Undecided || t.flags.has(Flags::UNSOLVABLE) || t.flags.has(Flags::BAD_HAND) {
            return;
        }
        let sums = self.sums(&contacts);
        let mean = |sum: f64| if sums.weight > 0.0 { sum / sums.weight } else { 0.0 };
        (self.told.elastic_m, self.told.sunk_m) = (mean(sums.remembered.norm()), mean(sums.depth));
        let from = t.centre - moved;
        let along = |c: &ContactTrace| tangential(&(moved + turned.cross(&(c.position - from))), &c.normal);
        let way = match t.verdict {
            Verdict::Slips => contacts().map(|c| sums.share(&c) * along(&c).norm()).sum::<f64>(),
            _ => 0.0,
        };
        // A contact whose memory shrinks with its load reads as sliding, though the part stands still.
        let still = t.verdict == Verdict::Slips && way < ROUNDING;
        let now = if still { Verdict::Free } else { t.verdict };
        let was = std::mem::replace(&mut self.verdict, now);
        if was == Verdict::Holds && now != Verdict::Holds {
            self.let_go();
        }
        if was == Verdict::Slips && now != Verdict::Slips {
            self.caught(time);
        }
        match now {
            Verdict::Slips => {
                if was != Verdict::Slips {
                    self.told.slide_count += 1;
                    if self.told.slides.len() < LISTED {
                        self.told.slides.push(Slide { from_s: time, caught_s: None, slipped_m: 0.0 });
                    }
                    self.told.last_caught_s = None;
                }
                self.told.slipped_m += way;
                if self.told.slide_count as usize <= LISTED
                    && let Some(slide) = self.told.slides.last_mut()
                {
                    slide.slipped_m += way;
                }
            }
            Verdict::Rolls => self.told.rolled_m += moved.norm(),
            Verdict::Holds if was != Verdict::Holds => self.hold(t, contacts()),
            Verdict::Holds => self.creep(t, contacts(), &sums),
            Verdict::Free | Verdict::Undecided => {}
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

    fn sums<I: Iterator<Item = ContactTrace>>(&self, contacts: &impl Fn() -> I) -> Sums {
        let by_limit = contacts().any(|c| c.limit > 0.0);
        let mut sums = Sums { weight: 0.0, by_limit, remembered: Vec3::zeros(), depth: 0.0 };
        for c in contacts() {
            let weight = sums.weigh(&c);
            sums.weight += weight;
            sums.remembered += self.remembered(&c) * weight;
            sums.depth += c.depth * weight;
        }
        sums
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
            self.anchors.push(Anchor { in_part, in_world: c.position, normal: c.normal, remembered });
        }
        self.creeping = 0.0;
    }

    /// A hold goes on.
    fn creep(&mut self, t: &Trace, contacts: impl Iterator<Item = ContactTrace>, sums: &Sums) {
        let (mut weight, mut crept) = (0.0, Vec3::zeros());
        for c in contacts {
            let place = usize::try_from(c.id.0).ok().and_then(|i| self.places.get(i)).copied().unwrap_or(NONE);
            let Some(anchor) = self.anchors.get(usize::from(place)) else { continue };
            let now = (t.part * nalgebra::Point3::from(anchor.in_part)).coords;
            let stays = now - anchor.in_world - (self.remembered(&c) - anchor.remembered);
            let share = sums.share(&c);
            crept += tangential(&stays, &anchor.normal) * share;
            weight += share;
        }
        if weight > 0.0 {
            self.creeping = crept.norm() / weight;
        }
    }

    /// A hold ends.
    fn let_go(&mut self) {
        self.told.crept_m += self.creeping;
        self.creeping = 0.0;
        self.anchors.clear();
        self.numbers.drain(..).for_each(|number| self.places[number] = NONE);
    }

    /// A slide ends.
    fn caught(&mut self, time: f64) {
        self.told.last_caught_s = Some(time);
        if self.told.slide_count as usize <= LISTED
            && let Some(slide) = self.told.slides.last_mut()
        {
            slide.caught_s = Some(time);
        }
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

/// Sums over the contacts of a tick.
struct Sums {
    /// ΣL, or ΣF without friction.
    weight: f64,
    by_limit: bool,
    remembered: Vec3,
    depth: f64,
}

impl Sums {
    fn weigh(&self, c: &ContactTrace) -> f64 {
        if self.by_limit { c.limit } else { c.normal_force }
    }

    /// w of a contact.
    fn share(&self, c: &ContactTrace) -> f64 {
        if self.weight > 0.0 { self.weigh(c) / self.weight } else { 0.0 }
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
