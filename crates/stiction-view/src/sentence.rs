//! What is happening, in a sentence.

use stiction::friction::{Method, Verdict};
use stiction::probe::Margins;
use stiction::spatial::{Vec3, Vec6, halves};
use stiction::trace::{Flags, Trace};

/// Settings of a lane that sentences need.
#[derive(Clone, Copy, Debug)]
pub struct LaneInfo {
    /// The friction method.
    pub method: Method,
    /// Static friction coefficient.
    pub mu: f64,
    /// Farthest point of the held part from its centre (m): makes rotations and shifts comparable.
    pub radius: f64,
    /// Ticks a second (Hz).
    pub rate: f64,
}

/// A direction within this cosine of an axis is called by its name.
const NAMED: f64 = 0.966;
/// Margins below this are nothing (no friction is needed), above its inverse no friction is enough.
const NOTHING: f64 = 1e-3;

/// Which of the margins speaks for a method: the linear program's own, or that of Coulomb's law with every contact within micro-slip.
pub fn margin(info: &LaneInfo, margins: Option<&Margins>) -> f64 {
    match (margins, info.method) {
        (None, _) | (_, Method::Frictionless | Method::Yamane) => f64::NAN,
        (Some(m), Method::Lp) => m.ray,
        (Some(m), _) => m.robust,
    }
}

/// The sentence of a tick whose contact crept so far while the hand rested (m).
pub fn sentence(info: &LaneInfo, trace: &Trace, creep: f64, margins: Option<&Margins>) -> String {
    let mut out = if trace.flags.has(Flags::BAD_HAND) {
        "the hand's pose is no pose: nothing moves".into()
    } else if trace.contacts == 0 {
        "free: nothing touches".into()
    } else if info.method == Method::Frictionless {
        "no friction: only the walls push back".into()
    } else {
        match trace.verdict {
            Verdict::Slips => slides(info, trace, margins),
            Verdict::Holds => holds(info, trace, creep, margins),
            Verdict::Rolls => rolls(info, trace),
            Verdict::Free => "free: no contact can carry friction".into(),
            Verdict::Undecided => {
                "undecided: the solver ran out of work in this tick; its friction is admissible all the same".into()
            }
        }
    };
    if trace.flags.has(Flags::DEEP) {
        out.push_str("; pressed deeper than a quarter of the thinnest wall");
    }
    out
}

fn holds(info: &LaneInfo, trace: &Trace, creep: f64, margins: Option<&Margins>) -> String {
    if info.method == Method::Yamane {
        return format!("springs hold it: they give way with the load, and crept {}", length(creep));
    }
    let share = margin(info, margins);
    match margins {
        Some(m) if share.is_finite() && share < 1.0 => {
            if share < NOTHING {
                return "holds: it would stay without friction".into();
            }
            let limited = match trace.limited {
                0 => String::new(),
                n => format!("; {n} of {} contacts at their limit", trace.contacts),
            };
            let then = motion(&m.weakest, info.radius)
                .map_or(String::new(), |way| format!(", then {} gives way", way.resisted()));
            format!("holds: µ could fall to {:.2}{then}{limited}", share * info.mu)
        }
        _ => trace.verdict_words(info.rate),
    }
}

fn rolls(info: &LaneInfo, trace: &Trace) -> String {
    let words = trace.verdict_words(info.rate);
    match motion(&trace.step, info.radius) {
        Some(way) => format!("{words}: {}, and no contact slides", way.going()),
        None => words,
    }
}

fn slides(info: &LaneInfo, trace: &Trace, margins: Option<&Margins>) -> String {
    let words = trace.verdict_words(info.rate);
    let moved = motion(&trace.step, info.radius);
    if trace.stuck > 0 && trace.sliding > 0 {
        let part = format!("{} of {} contacts slide", trace.sliding, trace.contacts);
        return match moved {
            Some(way) => format!("{words}: {part}, {}", way.going()),
            None => format!("gives way: {part}, the others hold it"),
        };
    }
    // What friction cannot stop, proved by the ray margin; else what is seen.
    let unstoppable = margins.filter(|m| m.ray > 1.0).and_then(|m| motion(&m.weakest, info.radius));
    match moved.or(unstoppable) {
        Some(way) => format!("{words}: cannot stop {}", way.resisted()),
        None => words,
    }
}

/// A motion in words.
enum Way {
    Shift(Vec3),
    Turn(Vec3),
}

impl Way {
    fn resisted(&self) -> String {
        match self {
            Way::Shift(v) => format!("motion along {}", named(v)),
            Way::Turn(w) => format!("rotation about {}", named(w)),
        }
    }

    fn going(&self) -> String {
        match self {
            Way::Shift(v) => format!("it moves along {}", named(v)),
            Way::Turn(w) => format!("it turns about {}", named(w)),
        }
    }
}

/// The larger of shift and rotation at the part's rim; `None` if nothing moves.
fn motion(twist: &Vec6, radius: f64) -> Option<Way> {
    let (shift, turn) = halves(twist);
    let (moved, turned) = (shift.norm(), turn.norm() * radius);
    if !(moved.max(turned) > 1e-10 * radius) {
        return None;
    }
    Some(if turned > moved { Way::Turn(turn / turn.norm()) } else { Way::Shift(shift / shift.norm()) })
}

fn named(v: &Vec3) -> String {
    for (i, name) in ["x", "y", "z"].into_iter().enumerate() {
        if v[i].abs() > NAMED {
            return name.into();
        }
    }
    // A plane's name where one component is next to nothing.
    format!("({:.1}, {:.1}, {:.1})", v.x + 0.0, v.y + 0.0, v.z + 0.0).replace("-0.0", "0.0")
}

fn length(metres: f64) -> String {
    match metres {
        m if m < 1e-6 => format!("{:.0} nm", m * 1e9),
        m if m < 1e-3 => format!("{:.1} µm", m * 1e6),
        m => format!("{:.2} mm", m * 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::trace::Trace;

    const INFO: LaneInfo = LaneInfo { method: Method::Hold, mu: 0.8, radius: 0.05, rate: 1000.0 };

    fn lane(verdict: Verdict, stuck: u32, sliding: u32, step: Vec6) -> Trace {
        let blank = Trace::blank(&stiction::spatial::Pose::identity(), &Vec3::zeros());
        Trace { verdict, stuck, sliding, contacts: stuck + sliding, step, ..blank }
    }

    fn margins(ray: f64, robust: f64, weakest: Vec6) -> Option<Margins> {
        Some(Margins { ray, robust, weakest })
    }

    #[test]
    fn a_held_part_says_how_far_friction_could_fall_and_what_would_give_way() {
        let turn = Vec6::new(0.0, 0.0, 0.0, 0.01, 0.0, 1.0);
        let told =
            sentence(&INFO, &lane(Verdict::Holds, 9, 0, Vec6::zeros()), 0.0, margins(0.3, 0.3875, turn).as_ref());
        assert_eq!(told, "holds: µ could fall to 0.31, then rotation about z gives way");
        let told = sentence(&INFO, &lane(Verdict::Holds, 9, 0, Vec6::zeros()), 0.0, None);
        assert_eq!(told, "holds");
        let told =
            sentence(&INFO, &lane(Verdict::Holds, 9, 0, Vec6::zeros()), 0.0, margins(0.0, 0.0, Vec6::zeros()).as_ref());
        assert_eq!(told, "holds: it would stay without friction");
    }

    #[test]
    fn contacts_at_their_limit_are_told_beside_a_part_that_holds() {
        let mut view = lane(Verdict::Holds, 101, 0, Vec6::zeros());
        view.limited = 5;
        assert_eq!(sentence(&INFO, &view, 0.0, None), "holds, 5 of 101 contacts at their limit");
        let turn = Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
        assert_eq!(
            sentence(&INFO, &view, 0.0, margins(0.3, 0.3875, turn).as_ref()),
            "holds: µ could fall to 0.31, then rotation about z gives way; 5 of 101 contacts at their limit"
        );
    }

    #[test]
    fn a_rolling_part_says_how_fast_and_about_what_it_turns() {
        let step = Vec6::new(2e-5, 0.0, 0.0, 0.0, 2e-3, 0.0);
        assert_eq!(
            sentence(&INFO, &lane(Verdict::Rolls, 9, 0, step), 0.0, None),
            "rolls at 20 mm/s: it turns about y, and no contact slides"
        );
    }

    #[test]
    fn a_sliding_part_says_what_cannot_be_stopped() {
        let turn = Vec6::new(1e-5, 0.0, 0.0, 0.0, 0.0, -1e-2);
        assert_eq!(
            sentence(&INFO, &lane(Verdict::Slips, 0, 9, turn), 0.0, None),
            "slides: cannot stop rotation about z"
        );
        let shift = Vec6::new(6e-4, 8e-4, 0.0, 0.0, 0.0, 0.0);
        assert_eq!(
            sentence(&INFO, &lane(Verdict::Slips, 0, 9, shift), 0.0, None),
            "slides: cannot stop motion along (0.6, 0.8, 0.0)"
        );
        let mut view = lane(Verdict::Slips, 0, 9, Vec6::new(1.2e-5, 0.0, 0.0, 0.0, 0.0, 0.0));
        view.slip = 1.2e-5;
        assert_eq!(sentence(&INFO, &view, 0.0, None), "slides at 12 mm/s: cannot stop motion along x");
        // It has not moved yet: the certificate says where it would.
        let about_x = Vec6::new(0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
        let told =
            sentence(&INFO, &lane(Verdict::Slips, 0, 9, Vec6::zeros()), 0.0, margins(1.2, 1.2, about_x).as_ref());
        assert_eq!(told, "slides: cannot stop rotation about x");
    }

    #[test]
    fn a_part_that_gives_way_says_how_many_contacts_do() {
        let told = sentence(&INFO, &lane(Verdict::Slips, 6, 3, Vec6::zeros()), 0.0, None);
        assert_eq!(told, "gives way: 3 of 9 contacts slide, the others hold it");
    }

    #[test]
    fn springs_say_how_far_they_crept() {
        let view = lane(Verdict::Holds, 9, 0, Vec6::zeros());
        let info = LaneInfo { method: Method::Yamane, ..INFO };
        assert_eq!(
            sentence(&info, &view, 3.25e-6, None),
            "springs hold it: they give way with the load, and crept 3.2 µm"
        );
    }

    #[test]
    fn a_part_in_the_air_is_free() {
        assert_eq!(sentence(&INFO, &lane(Verdict::Free, 0, 0, Vec6::zeros()), 0.0, None), "free: nothing touches");
    }
}
