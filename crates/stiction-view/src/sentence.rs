//! What is happening, in a sentence.

use crate::verdict::{PartMotion, SteadyMotion};
use std::sync::Arc;
use stiction::columns::Row;
use stiction::friction::{Method, Verdict};
use stiction::probe::Margins;
use stiction::spatial::{Vec3, Vec6, halves};
use stiction::trace::{Flags, Trace};
use stiction_formation::naming::ContactNamer;
use stiction_formation::tick::trace_of_row;
use stiction_scene::{EngineKind, trace_of_volume_row};
use stiction_volume::VolumeTick;

/// Settings of a lane that sentences need.
#[derive(Clone, Debug)]
pub struct LaneInfo {
    /// The engine, which rows are read by.
    pub engine: EngineKind,
    /// Names for contacts at points, where there are some.
    pub namer: Option<Arc<ContactNamer>>,
    /// Names of the bodies by number, for engines of many.
    pub bodies: Arc<[String]>,
    /// The friction method.
    pub method: Method,
    /// Static and kinetic friction coefficients.
    pub mu: [f64; 2],
    /// Farthest point of the held part from its centre (m): makes rotations and shifts comparable.
    pub radius: f64,
    /// Ticks a second (Hz).
    pub rate: f64,
}

impl LaneInfo {
    /// The name of a body.
    pub fn body_name(&self, body: usize) -> &str {
        self.bodies.get(body).map_or("a body", String::as_str)
    }

    /// The tick of a row of the engine of contact volumes; `None` for other engines. Allocates nothing.
    pub fn volume(&self, row: &Row) -> Option<VolumeTick> {
        (self.engine == EngineKind::Volume).then(|| VolumeTick::take(row)).flatten()
    }

    /// How far the fastest contact slipped in a tick (m); where the engine does not tell, as with penalty contacts, how far the part's rim went.
    pub fn way(&self, trace: &Trace) -> f64 {
        let (shift, turn) = halves(&trace.step);
        if trace.slip > 0.0 { trace.slip } else { shift.norm().max(turn.norm() * self.radius) }
    }

    /// The tick of a row; `None` if it is not one of the engine's. Allocates nothing.
    pub fn trace(&self, row: &Row) -> Option<Trace> {
        match self.engine {
            EngineKind::QuasiStatic => Trace::from_row(Trace::columns(), row),
            EngineKind::Formation => trace_of_row(row),
            EngineKind::Volume => trace_of_volume_row(row),
        }
    }

    /// How far the fastest contact slid in a tick (m); `None` unless the part slid in it.
    pub fn slid(&self, row: &Row) -> Option<f64> {
        let trace = self.trace(row)?;
        (PartMotion::of(self, &trace) == PartMotion::Slides).then(|| self.way(&trace))
    }
}

/// A direction within this cosine of an axis is called by its name.
const NAMED: f64 = 0.966;
/// Margins below this are nothing: no friction is needed.
const NOTHING: f64 = 1e-3;
/// Margins from here on leave nothing to fall to; those of a part that has just been caught may still be above 1.
const FULL: f64 = 0.995;

/// A µ beyond this is not told in digits: single ticks, in which a part meets an edge, ask for thousands.
const MOST: f64 = 100.0;

/// Which of the margins speaks for a method: the linear program's own, or that of Coulomb's law with every contact within micro-slip.
pub fn margin(info: &LaneInfo, margins: Option<&Margins>) -> f64 {
    match (margins, info.method) {
        (None, _) | (_, Method::Frictionless | Method::Yamane) => f64::NAN,
        (Some(m), Method::Lp) => m.ray,
        (Some(m), _) => m.robust,
    }
}

/// The sentence of a lane that does this, whose contact crept so far while the hand rested (m).
pub fn sentence(
    info: &LaneInfo,
    motion: &SteadyMotion,
    trace: &Trace,
    creep: f64,
    margins: Option<&Margins>,
) -> String {
    let mut out = if trace.flags.has(Flags::BAD_HAND) {
        "the hand's pose is no pose: nothing moves".into()
    } else {
        match motion.word {
            PartMotion::Free if trace.contacts > 0 => "free: no contact can carry friction".into(),
            PartMotion::Free => "free: nothing touches".into(),
            PartMotion::Frictionless => "no friction: only the walls push back".into(),
            PartMotion::Slides => slides(info, motion.speed, trace, margins),
            PartMotion::Holds => holds(info, trace, creep, margins),
            PartMotion::Rolls => rolls(info, trace),
            PartMotion::Undecided => {
                "undecided: the solver ran out of work in this tick; its friction is admissible all the same".into()
            }
        }
    };
    if trace.flags.has(Flags::DEEP) {
        out.push_str("; pressed deeper than a quarter of the thinnest wall");
    }
    if trace.flags.has(Flags::SATURATED) {
        let force = halves(&trace.wrench).0.norm();
        out.push_str(&format!("; the hand is at its most, {force:.0} N"));
    }
    out
}

fn holds(info: &LaneInfo, trace: &Trace, creep: f64, margins: Option<&Margins>) -> String {
    if info.method == Method::Yamane {
        return format!("springs hold it: they give way with the load, and crept {}", length(creep));
    }
    let share = margin(info, margins);
    match (margins, trace.limited.max(trace.sliding)) {
        (Some(_), _) if share < NOTHING => "holds: it would stay without friction".into(),
        // How many contacts are at their limit is not told beside the share: others would take over from them, so that all may be at theirs while the part has much to spare.
        (Some(m), _) if share < FULL => {
            let then = Way::of(&m.weakest, info.radius).map_or(String::new(), |way| format!(", then it {way}"));
            let [least, has] = [share * info.mu[0], info.mu[0]].map(coefficient);
            format!("holds: µ {has} could fall to {least}{then}")
        }
        (_, 0) => "holds".into(),
        (_, n) => format!("holds, {n} of {} contacts at their limit", trace.contacts),
    }
}

/// A friction coefficient: two decimals, three where it is small.
fn coefficient(mu: f64) -> String {
    if mu < 0.0995 { format!("{mu:.3}") } else { format!("{mu:.2}") }
}

fn rolls(info: &LaneInfo, trace: &Trace) -> String {
    let words = Trace { verdict: Verdict::Rolls, ..*trace }.verdict_words(info.rate);
    match Way::of(&trace.step, info.radius) {
        Some(way) => format!("{words}: it {way}, and no contact slides"),
        None => words,
    }
}

fn slides(info: &LaneInfo, speed: f64, trace: &Trace, margins: Option<&Margins>) -> String {
    // The tick's own words, with the speed of the last moments.
    let words = Trace { verdict: Verdict::Slips, slip: speed / info.rate, ..*trace }.verdict_words(info.rate);
    let share = margin(info, margins);
    if share.is_nan() || share * info.mu[0] <= info.mu[1] {
        // Nothing is known, or it is about to be caught.
        words
    } else if share == f64::INFINITY {
        format!("{words}: no friction would hold it")
    } else {
        // Rounded up, and with more decimals where it is next to what there is, so that it is never as much as that.
        let (needed, has) = (share * info.mu[0], info.mu[1]);
        let needed = if needed > MOST {
            format!("above {MOST:.0}")
        } else if coefficient(needed) == coefficient(has) {
            format!("{:.3}", libm::ceil(needed * 1e3 - 1e-9) / 1e3)
        } else {
            coefficient(needed)
        };
        format!("{words}: it would take µ {needed} to hold it")
    }
}

/// A motion in words that follow "it"; what has no axis of its own is drawn on the part.
enum Way {
    Shift(Vec3),
    Turn(Vec3),
}

impl Way {
    /// The larger of shift and rotation at the part's rim; `None` if nothing moves.
    fn of(twist: &Vec6, radius: f64) -> Option<Way> {
        let (shift, turn) = halves(twist);
        let (moved, turned) = (shift.norm(), turn.norm() * radius);
        if !(moved.max(turned) > 1e-10 * radius) {
            return None;
        }
        Some(if turned > moved { Way::Turn(turn / turn.norm()) } else { Way::Shift(shift / shift.norm()) })
    }
}

impl std::fmt::Display for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (verb, axis, mark) = match self {
            Way::Shift(v) => ("slides along", named(v), "slides as the arrow shows"),
            Way::Turn(w) => ("turns about", named(w), "turns as the arc shows"),
        };
        match axis {
            Some(axis) => write!(f, "{verb} {axis}"),
            None => f.write_str(mark),
        }
    }
}

/// The axis that a direction is along.
fn named(v: &Vec3) -> Option<char> {
    (0..3).find(|i| v[*i].abs() > NAMED).map(|i| ['x', 'y', 'z'][i])
}

fn length(metres: f64) -> String {
    match metres {
        m if m < 1e-6 => format!("{:.0} nm", m * 1e9),
        m if m < 1e-3 => format!("{:.1} µm", m * 1e6),
        m => format!("{:.2} mm", m * 1e3),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::LazyLock;
    use stiction::trace::Trace;

    pub static INFO: LazyLock<LaneInfo> = LazyLock::new(|| LaneInfo {
        engine: EngineKind::QuasiStatic,
        namer: None,
        bodies: Arc::default(),
        method: Method::Hold,
        mu: [0.8, 0.7],
        radius: 0.05,
        rate: 1000.0,
    });

    fn lane(stuck: u32, sliding: u32) -> Trace {
        let blank = Trace::blank(&stiction::spatial::Pose::identity(), &Vec3::zeros());
        Trace { stuck, sliding, contacts: stuck + sliding, ..blank }
    }

    fn say(word: PartMotion, trace: &Trace, margins: Option<&Margins>) -> String {
        sentence(&INFO, &SteadyMotion::new(word), trace, 0.0, margins)
    }

    fn margins(share: f64, weakest: Vec6) -> Margins {
        Margins { ray: share, robust: share, weakest }
    }

    const ABOUT_Z: Vec6 = Vec6::new(0.0, 0.0, 0.0, 0.01, 0.0, 1.0);

    #[test]
    fn a_held_part_says_how_far_friction_could_fall_and_what_would_give_way() {
        let told = |m: &Margins| say(PartMotion::Holds, &lane(9, 0), Some(m));
        assert_eq!(told(&margins(0.3875, ABOUT_Z)), "holds: µ 0.80 could fall to 0.31, then it turns about z");
        let askew = Vec6::new(0.0, 0.7, -0.7, 0.0, 0.0, 0.0);
        assert_eq!(
            told(&margins(0.3875, askew)),
            "holds: µ 0.80 could fall to 0.31, then it slides as the arrow shows"
        );
        assert_eq!(told(&margins(0.0, Vec6::zeros())), "holds: it would stay without friction");
        assert_eq!(told(&margins(1.0, Vec6::zeros())), "holds", "nothing to fall to");
        assert_eq!(say(PartMotion::Holds, &lane(9, 0), None), "holds");
    }

    #[test]
    fn contacts_at_their_limit_are_told_where_nothing_else_says_how_near_a_part_is_to_sliding() {
        let limited = Trace { limited: 5, ..lane(101, 0) };
        assert_eq!(say(PartMotion::Holds, &limited, None), "holds, 5 of 101 contacts at their limit");
        assert_eq!(
            say(PartMotion::Holds, &limited, Some(&margins(0.3875, ABOUT_Z))),
            "holds: µ 0.80 could fall to 0.31, then it turns about z"
        );
        assert_eq!(
            say(PartMotion::Holds, &limited, Some(&margins(1.0, ABOUT_Z))),
            "holds, 5 of 101 contacts at their limit"
        );
        assert_eq!(say(PartMotion::Holds, &lane(6, 3), None), "holds, 3 of 9 contacts at their limit");
    }

    #[test]
    fn a_rolling_part_says_how_fast_and_about_what_it_turns() {
        let rolling = Trace { step: Vec6::new(2e-5, 0.0, 0.0, 0.0, 2e-3, 0.0), ..lane(9, 0) };
        let told = "rolls at 20 mm/s: it turns about y, and no contact slides";
        assert_eq!(say(PartMotion::Rolls, &rolling, None), told);
    }

    #[test]
    fn a_sliding_part_says_what_would_hold_it() {
        let mut slow = SteadyMotion::new(PartMotion::Slides);
        slow.speed = 0.012;
        let told = |m: Option<&Margins>| sentence(&INFO, &slow, &lane(0, 9), 0.0, m);
        assert_eq!(told(None), "slides at 12 mm/s");
        assert_eq!(told(Some(&margins(0.8, ABOUT_Z))), "slides at 12 mm/s", "less than it has: about to be caught");
        assert_eq!(told(Some(&margins(1.25, ABOUT_Z))), "slides at 12 mm/s: it would take µ 1.00 to hold it");
        assert_eq!(told(Some(&margins(f64::INFINITY, Vec6::zeros()))), "slides at 12 mm/s: no friction would hold it");
    }

    /// "It would take µ 0.70" beside a µ of 0.70 says nothing.
    #[test]
    fn what_would_hold_a_part_is_more_than_it_has() {
        let told = |share: f64| {
            sentence(&INFO, &SteadyMotion::new(PartMotion::Slides), &lane(0, 9), 0.0, Some(&margins(share, ABOUT_Z)))
        };
        assert_eq!(told(0.8751), "slides: it would take µ 0.701 to hold it");
        assert_eq!(told(0.89), "slides: it would take µ 0.71 to hold it");
        assert_eq!(told(6e4), "slides: it would take µ above 100 to hold it");
    }

    #[test]
    fn a_hand_that_can_pull_no_harder_says_so() {
        let wrench = Vec6::new(0.0, 24.0, 32.0, 0.1, 0.0, 0.0);
        let trace = Trace { flags: Flags::SATURATED, wrench, ..lane(9, 0) };
        assert_eq!(say(PartMotion::Holds, &trace, None), "holds; the hand is at its most, 40 N");
    }

    #[test]
    fn the_sentence_begins_with_the_word_whatever_the_last_tick_says() {
        for verdict in [Verdict::Holds, Verdict::Slips, Verdict::Free, Verdict::Rolls, Verdict::Undecided] {
            for word in PartMotion::ALL {
                let told = say(word, &Trace { verdict, ..lane(4, 5) }, Some(&margins(0.5, ABOUT_Z)));
                assert!(told.starts_with(word.name()), "{word:?} and {verdict:?}: {told}");
            }
        }
    }

    #[test]
    fn springs_say_how_far_they_crept() {
        let info = LaneInfo { method: Method::Yamane, ..INFO.clone() };
        assert_eq!(
            sentence(&info, &SteadyMotion::new(PartMotion::Holds), &lane(9, 0), 3.25e-6, None),
            "springs hold it: they give way with the load, and crept 3.2 µm"
        );
    }

    #[test]
    fn a_part_in_the_air_is_free() {
        assert_eq!(say(PartMotion::Free, &lane(0, 0), None), "free: nothing touches");
    }
}
