//! What the engines take of bodies, hands and loads.

use super::bodies::Layout;
use super::table::Reader;
use crate::EngineKind;
use crate::document::SceneFault;

/// The numbers of the held body and of the other one, which is fixed or in a second hand.
pub fn roles(engine: EngineKind, layout: &Layout, top: &Reader) -> Result<[usize; 2], SceneFault> {
    let Layout { bodies, hands, loads, .. } = layout;
    let refused = |key: &str, why: String| {
        let reason = format!("the {} engine {why}", engine.word());
        Err(top.given(key).map_or_else(|| top.fault(reason.clone()), |node| super::contradiction(node, reason.clone())))
    };
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
    let (held, other) = (first.holds, 1 - first.holds);
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
