//! What the engines take of bodies, hands and loads.

use super::bodies::Layout;
use super::table::Reader;
use crate::{EngineKind, TimedLoad};
use crate::document::SceneFault;
use stiction_volume::engine::MOST_HANDS;

/// The numbers of the held body and of the other one, which is fixed or in a second hand.
pub fn roles(engine: EngineKind, layout: &Layout, top: &Reader) -> Result<[usize; 2], SceneFault> {
    let Layout { bodies, hands, loads, .. } = layout;
    let refused = |key: &str, why: String| {
        let reason = format!("the {} engine {why}", engine.word());
        Err(top.given(key).map_or_else(|| top.fault(reason.clone()), |node| super::contradiction(node, reason.clone())))
    };
    if engine == EngineKind::Volume {
        return many(layout, top);
    }
    if bodies.len() != 2 {
        let count = bodies.len();
        return refused("body", format!("takes two bodies, one held and one fixed or both held; there are {count}"));
    }
    if engine == EngineKind::Formation && hands.len() > 1 {
        let why =
            "takes one hand, which holds one part against a fixed one; for two hands set engine = \"quasi-static\"";
        return refused("hand", why.into());
    }
    let Some(first) = hands.first() else {
        let why = "needs a hand: a part without velocity, under loads only, is nowhere in equilibrium until something holds it";
        return refused("body", why.into());
    };
    let held = first.holds.unwrap_or(0);
    let other = 1 - held;
    if hands.len() == 1 && !bodies[other].fixed {
        let name = &bodies[other].name;
        return refused("body", format!("takes bodies that are held or fixed; `{name}` is neither"));
    }
    match loads.iter().find(|load| load.on != held) {
        Some(load) => {
            let [on, held] = [load.on, held].map(|body| &bodies[body].name);
            refused("load", format!("takes loads on the body of the first hand, `{held}`; there is one on `{on}`"))
        }
        None => Ok([held, other]),
    }
}

/// The same for an engine of any number of bodies: the body of the first hand or the first free one, and the first fixed one, or any other.
fn many(Layout { bodies, hands, loads, .. }: &Layout, top: &Reader) -> Result<[usize; 2], SceneFault> {
    let refused = |key: &str, why: String| {
        Err(top.given(key).map_or_else(|| top.fault(why.clone()), |node| super::contradiction(node, why.clone())))
    };
    if bodies.is_empty() {
        return refused("body", "the scene has no bodies: give at least one [[body]]".into());
    }
    if hands.len() > MOST_HANDS {
        let why = format!("the engine of contact volumes takes {MOST_HANDS} hands; there are {}", hands.len());
        return refused("hand", why);
    }
    let in_a_hand = |body: usize| hands.iter().any(|hand| hand.holds == Some(body));
    if let Some(load) = loads.iter().find(|load| load.load != TimedLoad::default() && !in_a_hand(load.on)) {
        let name = &bodies[load.on].name;
        let why = format!(
            "the engine of contact volumes takes forces on bodies in hands, and gravity for all; `{name}` is in no hand: let a hand hold it, or leave its load out"
        );
        return refused("load", why);
    }
    let held = hands.first().and_then(|hand| hand.holds).or_else(|| bodies.iter().position(|b| !b.fixed)).unwrap_or(0);
    let fixed = bodies.iter().position(|b| b.fixed).filter(|body| *body != held);
    let other = fixed.or_else(|| (0..bodies.len()).find(|body| *body != held)).unwrap_or(held);
    Ok([held, other])
}
