//! What happens in a world of many bodies, in a word and a sentence: what the hand holds, what that touches, and over how large an area it sticks or slides.

use crate::live::{AreaView, LaneView};
use crate::sentence::LaneInfo;
use crate::verdict::PartMotion;
use stiction::friction::SlipState;
use stiction::spatial::halves;
use stiction::trace::Flags;
use stiction_volume::VolumeTick;

/// Bodies that a sentence names; of more, their number is told.
const NAMED: usize = 3;

/// What the held body does in a tick; `None` while the hand holds none.
pub fn motion(tick: &VolumeTick) -> Option<PartMotion> {
    let [stuck, sliding] = tick.held_states;
    match (tick.holds, stuck, sliding) {
        (0, ..) => None,
        (_, 0, 0) => Some(PartMotion::Free),
        (.., 0) => Some(PartMotion::Holds),
        _ => Some(PartMotion::Slides),
    }
}

/// The sentence of a lane whose held body does this; it begins with the word.
pub fn sentence(info: &LaneInfo, word: Option<PartMotion>, tick: &VolumeTick, lane: &LaneView) -> String {
    let mut out = match (held(tick), word) {
        (Some(held), Some(word)) => of_held(info, held, word, tick, lane),
        _ => format!("The hand holds nothing: press on a body to take it. {}", of_world(lane)),
    };
    if tick.hand.flags.has(Flags::BAD_HAND) {
        out.push_str("; the hand's pose is no pose");
    }
    if tick.hand.flags.has(Flags::SATURATED) {
        out.push_str(&format!("; the hand is at its most, {:.0} N", halves(&tick.hand.wrench).0.norm()));
    }
    out
}

/// The number of the body that the hand holds.
fn held(tick: &VolumeTick) -> Option<usize> {
    usize::try_from(tick.holds).ok()?.checked_sub(1)
}

fn of_held(info: &LaneInfo, held: usize, word: PartMotion, tick: &VolumeTick, lane: &LaneView) -> String {
    let name = info.body_name(held);
    if word == PartMotion::Free || tick.held_states == [0; 2] {
        return format!("{}: {name} touches nothing", word.name());
    }
    let touched = touched(held, lane.areas.areas());
    let which = |wanted: Option<SlipState>| {
        let some = touched.iter().filter(|(_, state)| wanted.is_none_or(|wanted| *state == wanted));
        listed(info, &some.map(|(body, _)| *body).collect::<Vec<_>>())
    };
    let over = area(tick.area);
    match word {
        PartMotion::Slides if tick.held_states[0] > 0 => format!(
            "slides: {name} slides on {} and sticks to others, over {over} in all, friction {}",
            which(Some(SlipState::Sliding)),
            newtons(tick.friction)
        ),
        PartMotion::Slides => {
            format!("slides: {name} on {}, over {over}, friction {}", which(None), newtons(tick.friction))
        }
        _ => format!("{}: {name} sticks to {}, over {over}", word.name(), which(None)),
    }
}

/// What all areas of a world do.
fn of_world(lane: &LaneView) -> String {
    let (total, sliding) = (lane.areas.total, lane.areas.sliding);
    let areas = |n: u32| format!("{n} contact area{}", if n == 1 { "" } else { "s" });
    match (total, sliding) {
        (0, _) => "Nothing touches.".into(),
        (_, 0) => format!("{}, and none slides.", areas(total)),
        _ if sliding == total => format!("{}, and all slide.", areas(total)),
        _ => format!("{}, of which {sliding} slide{}.", areas(total), if sliding == 1 { "s" } else { "" }),
    }
}

/// The bodies that the held one touches, each once, those that it slides on first.
fn touched(held: usize, areas: &[AreaView]) -> Vec<(usize, SlipState)> {
    let mut out: Vec<(usize, SlipState)> = Vec::new();
    for area in areas {
        let [a, b] = area.bodies.map(usize::from);
        let other = if a == held { b } else { a };
        let state = if area.state == SlipState::Sliding as u32 { SlipState::Sliding } else { SlipState::Stuck };
        if a != held && b != held {
            continue;
        }
        match out.iter_mut().find(|(body, _)| *body == other) {
            Some((_, known)) if state == SlipState::Sliding => *known = state,
            Some(_) => {}
            None => out.push((other, state)),
        }
    }
    out.sort_by_key(|(_, state)| *state != SlipState::Sliding);
    out
}

fn listed(info: &LaneInfo, bodies: &[usize]) -> String {
    let names: Vec<&str> = bodies.iter().take(NAMED).map(|body| info.body_name(*body)).collect();
    match (names.as_slice(), bodies.len()) {
        ([], _) => "what is near".into(),
        ([one], 1) => (*one).into(),
        ([rest @ .., last], n) if n <= NAMED => format!("{} and {last}", rest.join(", ")),
        (some, n) => format!("{} and {} more", some.join(", "), n - some.len()),
    }
}

/// An area in a unit that fits.
fn area(square_metres: f64) -> String {
    match square_metres {
        a if a >= 0.1 => format!("{a:.2} m²"),
        a if a >= 1e-4 => format!("{:.1} cm²", a * 1e4),
        a => format!("{:.1} mm²", a * 1e6),
    }
}

fn newtons(force: f64) -> String {
    if force < 9.95 { format!("{force:.2} N") } else { format!("{force:.0} N") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentence::tests::INFO;
    use stiction::simulation::ContactArea;
    use stiction::spatial::{Pose, Vec3};

    /// The sentence of body 1, "cup", that touches these others, each sticking or sliding.
    fn said(holds: u64, touching: &[(usize, SlipState)]) -> (Option<PartMotion>, String) {
        let mut lane = LaneView::new(Pose::identity());
        lane.areas.take(|each: &mut dyn FnMut(&ContactArea)| {
            for (number, (body, state)) in touching.iter().enumerate() {
                each(&ContactArea {
                    bodies: if number % 2 == 0 { [1, *body] } else { [*body, 1] },
                    id: number as u64,
                    outline: &[],
                    normal: Vec3::z(),
                    centre: Vec3::zeros(),
                    normal_force: 1.0,
                    friction: Vec3::zeros(),
                    torsion: 0.0,
                    depth: 0.0,
                    state: *state,
                });
            }
        });
        let sliding = touching.iter().filter(|(_, state)| *state == SlipState::Sliding).count() as u32;
        let tick = VolumeTick {
            holds,
            held_states: if holds > 0 { [touching.len() as u32 - sliding, sliding] } else { [0; 2] },
            area: 1.25e-4,
            friction: 0.5,
            ..VolumeTick::blank(&Pose::identity())
        };
        let names = ["floor", "cup", "block 1", "block 2", "block 3"];
        let info = LaneInfo { bodies: names.iter().map(|n| (*n).into()).collect(), ..INFO.clone() };
        (motion(&tick), sentence(&info, motion(&tick), &tick, &lane))
    }

    #[test]
    fn the_sentence_says_what_the_hand_holds_and_what_that_touches() {
        use SlipState::{Sliding, Stuck};
        let words = |touching: &[_]| said(2, touching).1;
        assert_eq!(words(&[]), "free: cup touches nothing");
        assert_eq!(words(&[(0, Stuck)]), "holds: cup sticks to floor, over 1.2 cm²");
        assert_eq!(
            words(&[(0, Stuck), (2, Stuck), (0, Stuck)]),
            "holds: cup sticks to floor and block 1, over 1.2 cm²"
        );
        let many = [(0, Stuck), (2, Stuck), (3, Stuck), (4, Stuck)];
        assert_eq!(words(&many), "holds: cup sticks to floor, block 1, block 2 and 1 more, over 1.2 cm²");
        assert_eq!(words(&[(0, Sliding)]), "slides: cup on floor, over 1.2 cm², friction 0.50 N");
        let both = words(&[(0, Stuck), (2, Sliding)]);
        assert_eq!(both, "slides: cup slides on block 1 and sticks to others, over 1.2 cm² in all, friction 0.50 N");
    }

    #[test]
    fn an_empty_hand_says_how_to_take_something_and_what_the_world_does() {
        use SlipState::{Sliding, Stuck};
        let (word, told) = said(0, &[(0, Stuck), (2, Sliding), (3, Stuck)]);
        assert_eq!(word, None);
        assert_eq!(told, "The hand holds nothing: press on a body to take it. 3 contact areas, of which 1 slides.");
        assert!(said(0, &[]).1.ends_with("Nothing touches."));
    }

    #[test]
    fn areas_have_units_that_fit() {
        assert_eq!([2.0, 0.02, 3.3e-6].map(area), ["2.00 m²", "200.0 cm²", "3.3 mm²"]);
    }
}
