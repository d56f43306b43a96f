//! How a part moved, in words. `docs/guide/report.md` says what each word means.

use crate::facts::{grouped, number};
use stiction::friction::Verdict;
use stiction::trace::Trace;
use stiction_bake::diagnose::length;
use stiction_scene::MotionSummary;

/// Slides that are told one by one.
const TOLD: usize = 3;
/// Below this a length is the rounding of sums (m).
const ROUNDING: f64 = 1e-12;

fn way(metres: f64) -> String {
    if metres < ROUNDING { "0 mm".into() } else { length(metres) }
}

/// How far the part is from where it began.
pub fn moved(m: &MotionSummary) -> String {
    let turned = m.turned_rad.to_degrees();
    let turned = if turned < 1e-6 { String::new() } else { format!(", turned by {}°", number(turned)) };
    format!("the part's centre is {} from where it began{turned}", way(m.displaced_m))
}

/// How far it slid, and when.
pub fn slid(m: &MotionSummary) -> String {
    let rolled = if m.rolled_m > 0.0 { format!("; rolled {}", way(m.rolled_m)) } else { String::new() };
    if m.slide_count == 0 {
        return format!("never{rolled}");
    }
    let caught =
        |at: Option<f64>| at.map_or("and slides in the end".to_owned(), |t| format!("caught at {} s", number(t)));
    let one =
        |s: &stiction_scene::Slide| format!("{} from {} s, {}", way(s.slipped_m), number(s.from_s), caught(s.caught_s));
    let some: Vec<String> = m.slides.iter().take(TOLD).map(one).collect();
    let times = match m.slide_count {
        1 => some.join(""),
        n if n as usize <= TOLD => format!("{} in all: {}", way(m.slipped_m), some.join("; ")),
        n => {
            let last =
                m.last_caught_s.map_or("slides in the end".to_owned(), |t| format!("last caught at {} s", number(t)));
            format!("{} in all, {} times: {}; …; {last}", way(m.slipped_m), grouped(n as usize), some.join("; "))
        }
    };
    format!("{times}{rolled}")
}

/// What it does while it is held.
pub fn held(m: &MotionSummary) -> String {
    format!(
        "elastic: springs back by {} along the surface and {} out of it when let go; crept {}",
        way(m.elastic_m),
        way(m.sunk_m),
        way(m.crept_m)
    )
}

/// What the part does in the end. Contacts whose memory shrinks with their load read as sliding for a while, though the part stands still.
pub fn end(trace: &Trace, rate: f64, m: &MotionSummary) -> String {
    match (trace.verdict, m.last_caught_s) {
        (Verdict::Slips, Some(_)) => "stands still".into(),
        _ => trace.verdict_words(rate),
    }
}

/// What came before the end, as the rest of a sentence.
pub fn before(m: &MotionSummary) -> String {
    match m.last_caught_s {
        Some(t) => format!(", after it slid {} (caught at {} s)", way(m.slipped_m), number(t)),
        None => String::new(),
    }
}
