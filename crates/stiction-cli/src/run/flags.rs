//! What the engine notices in a tick, in plain words.

use crate::facts::{grouped, number};
use stiction::tick::Engine;
use stiction::trace::Flags;
use stiction_bake::diagnose::length;
use stiction_scene::Summary;

/// What a flag means.
pub fn meaning(name: &str) -> &'static str {
    match name {
        "bad-hand" => "the hand's pose was no pose; the part stayed, the last force stood",
        "teleport" => "the hand moved further in one tick than a hand can: 5 cm or 0.5 rad",
        "saturated" => "the hand pulled harder than the coupling gives; the force stayed at its maximum",
        "step-bounded" => "the part wanted to go further than is safe from tunnelling; it went the rest in later ticks",
        "deep" => "a point was deeper than a quarter of the thinnest wall",
        "opposed" => "points on the far side of something thin touched; they carried no force",
        "coarse" => "the limit of work left points out, or ended a solve early; coarser points stood for them",
        "plain-stiffness" => {
            "the exact stiffness was not usable and the plain one was; forces are right, steps may be slower"
        }
        "undecided" => "the friction solver ran out of budget; its forces are admissible all the same",
        "unsolvable" => "numbers were out of range; the part did not move",
        "bad-load" => "the load was not finite and was left out",
        _ => "",
    }
}

/// Share of the ticks up to which deep or opposed points are no reason for advice, unless the run ends with them.
const SELDOM: f64 = 0.01;

/// What was wrong over the whole of a run, and what to do about it; one text for each reason.
pub fn advice(engine: &Engine, summary: &Summary) -> Vec<String> {
    let (trace, settings, bound) = (engine.trace(), engine.settings(), engine.step_bound());
    let seen = |flag: Flags| {
        let ticks = flag.names().filter_map(|name| summary.flags.get(name)).sum::<u64>();
        let share = ticks as f64 / summary.ticks.max(1) as f64;
        let last = trace.flags.has(flag);
        let ended = if last { ", also in the last" } else { "" };
        let words = format!("in {} % of the ticks{ended}", number(100.0 * share));
        (ticks > 0 && (share > SELDOM || last)).then_some(words)
    };
    let mut out = Vec::new();
    if let Some(when) = seen(Flags::DEEP) {
        let hard = (settings.coupling.max_force + 9.81 * settings.mass) / settings.budget.stiffness;
        let why = if summary.pressure_max_n / settings.budget.stiffness > bound || hard > bound {
            "the parts are pressed together harder than the contacts are stiff: raise contact.stiffness, or lower \
             coupling.max_force"
        } else {
            "a push alone does not explain this, so the parts started in each other or the hand jumped: move [start] or the \
             first pose of [hand] clear of the fixed part"
        };
        let (most, safe) = (length(summary.depth_max_m), length(bound));
        out.push(format!("the parts were in deep contact {when}, up to {most} where {safe} is safe; {why}"));
    }
    if let Some(when) = seen(Flags::OPPOSED) {
        out.push(format!(
            "{when} points were inside that the shell and the field push different ways, so that they carry no force: \
             a wall is thinner than the parts sink in, or the grid is too coarse for it. Raise contact.stiffness or the \
             resolution of the part that has the field, or start further out"
        ));
    }
    if let Some(ticks) = summary.flags.get("unsolvable") {
        let ticks = if *ticks == 1 { "1 tick".into() } else { format!("{} ticks", grouped(*ticks as usize)) };
        out.push(format!("{ticks} could not be solved: look for masses, sizes or stiffnesses that are far off"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_has_a_meaning() {
        for (_, name) in Flags::all() {
            assert!(!meaning(name).is_empty(), "{name}");
        }
    }
}
