//! What the engine notices in a tick, in plain words.

use crate::facts::{Facts, grouped};
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
        "opposed" => {
            "points were on the far side of something thin, deeper than any force presses them; they carried no force"
        }
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

/// What was noticed in the ticks of a run: a line for each flag.
pub fn say_noticed(facts: &mut Facts, summary: &Summary) {
    for (name, ticks) in &summary.flags {
        let share = if *ticks == summary.ticks { "all".into() } else { grouped(*ticks as usize) };
        facts.say("Noticed", format!("{name} in {share} ticks: {}", meaning(name)));
    }
}

/// What was wrong in a run whose last tick had the flags `last`, and what to do about it; one text for each reason. It looks at every tick, not at the last.
pub fn advice(engine: &Engine, last: Flags, summary: &Summary) -> Vec<String> {
    let (settings, safe) = (engine.settings(), engine.safe_depth());
    let seen = |flag: Flags| {
        let ticks = flag.names().filter_map(|name| summary.flags.get(name)).sum::<u64>();
        let ended = if last.has(flag) { ", also in the last," } else { "" };
        let counted = if ticks == 1 { "1 tick".into() } else { format!("{} ticks", grouped(ticks as usize)) };
        (ticks > 0).then(|| format!("in {counted}{ended}"))
    };
    let mut out = Vec::new();
    if let Some(when) = seen(Flags::DEEP) {
        let hard = (settings.coupling.max_force + 9.81 * settings.mass) / settings.budget.stiffness;
        let soft = settings.contact_model().is_penalty();
        let why = if soft
            && summary.pressure_max_n.max(hard * settings.budget.stiffness) / settings.budget.stiffness > safe
        {
            "the parts are pressed together harder than the contacts are stiff: raise contact.stiffness, or lower \
             coupling.max_force"
        } else {
            "a push alone does not explain this, so the parts started in each other or the hand jumped: move [start] or the \
             first pose of [hand] clear of the fixed part"
        };
        out.push(format!("{when} the parts were deeper in each other than is safe ({}); {why}", length(safe)));
    }
    if let Some(when) = seen(Flags::OPPOSED) {
        out.push(format!(
            "{when} points of one part were on the far side of something of the other, so that they carry no force: \
             a wall is thinner than the parts sink in, or the grid is too coarse for it. Raise contact.stiffness or the \
             resolution of the part that has the field, or start further out"
        ));
    }
    if summary.ticks_unsolved > 0 {
        let (ticks, all) = (grouped(summary.ticks_unsolved as usize), grouped(summary.ticks as usize));
        out.push(format!(
            "{ticks} of {all} ticks could not be solved exactly: where these are many, look for masses, sizes or stiffnesses that are far off"
        ));
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
