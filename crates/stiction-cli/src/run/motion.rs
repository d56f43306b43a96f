//! How a part moved, in words. `docs/guide/report.md` says what each word means.

use crate::facts::{Facts, grouped, number};
use stiction::friction::{Method, Verdict};
use stiction::trace::Trace;
use stiction_bake::diagnose::length;
use stiction_scene::{MotionSummary, Slide, Summary};

/// Slides that are told one by one.
const TOLD: usize = 3;
/// Below this a length is the rounding of sums (m).
const ROUNDING: f64 = 1e-12;

fn way(metres: f64) -> String {
    if metres < ROUNDING { "0 mm".into() } else { length(metres) }
}

/// How the part moved, in three lines, with a friction method of the quasi-static engine; without one, engines tell no elasticity or creep.
pub fn say(facts: &mut Facts, m: &MotionSummary, method: Option<Method>) {
    facts.say("Moved", moved(m));
    let free = "not counted: without friction every contact is free to slide".to_owned();
    facts.say("Slid", if method == Some(Method::Frictionless) { free } else { slid(m) });
    if method.is_some() {
        facts.say("Held", held(m));
    }
}

/// What the part did, in shares of the ticks.
pub fn shares(summary: &Summary) -> String {
    let part = |ticks: u64| number(100.0 * ticks as f64 / summary.ticks.max(1) as f64);
    format!(
        "held by friction in {} % of the ticks, sliding in {} %, rolling in {} %, free in {} %; {} % of the touching points were stuck",
        part(summary.ticks_holding),
        part(summary.ticks_sliding),
        part(summary.ticks_rolling),
        part(summary.ticks_free),
        number(100.0 * summary.stuck_share)
    )
}

/// How far the part is from where it began.
fn moved(m: &MotionSummary) -> String {
    let turned = m.turned_rad.to_degrees();
    let turned = if turned < 1e-6 { String::new() } else { format!(", turned by {}°", number(turned)) };
    format!("the part's centre is {} from where it began{turned}", way(m.displaced_m))
}

/// How far it slid, and when.
fn slid(m: &MotionSummary) -> String {
    let rolled = if m.rolled_m > ROUNDING { format!("; rolled {}", way(m.rolled_m)) } else { String::new() };
    if m.slide_count == 0 {
        return format!("never{rolled}");
    }
    let one = |s: &Slide| {
        let end = ended(s.caught_s, s.lifted_s).unwrap_or("and slides in the end".into());
        format!("{} from {} s, {end}", way(s.slipped_m), number(s.from_s))
    };
    let some: Vec<String> = m.slides.iter().take(TOLD).map(one).collect();
    let times = match m.slide_count {
        1 => some.join(""),
        n if n as usize <= TOLD => format!("{} in all: {}", way(m.slipped_m), some.join("; ")),
        n => {
            let last = ended(m.last_caught_s, m.last_lifted_s);
            let last = last.map_or("slides in the end".into(), |end| format!("last {end}"));
            format!("{} in all, {} times: {}; …; {last}", way(m.slipped_m), grouped(n as usize), some.join("; "))
        }
    };
    format!("{times}{rolled}")
}

/// How a slide ended, if it did.
fn ended(caught: Option<f64>, lifted: Option<f64>) -> Option<String> {
    let at = |word: &str, t: f64| format!("{word} at {} s", number(t));
    caught.map(|t| at("caught", t)).or(lifted.map(|t| at("lifted off", t)))
}

/// What it does while it is held.
fn held(m: &MotionSummary) -> String {
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
    match ended(m.last_caught_s, m.last_lifted_s) {
        Some(end) => format!(", after it slid {} ({end})", way(m.slipped_m)),
        None => String::new(),
    }
}
