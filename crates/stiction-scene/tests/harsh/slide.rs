//! (g) A part slides along a face after a fast hand, without sinking more than after a slow one.

use crate::coefficients;
use crate::creep::{PRESS, Settled, limit, settle};
use crate::fit::Fit;
use crate::report::{Outcome, um};
use stiction::spatial::Pose;

const CHECK: &str = "slides fast";
/// Speed of the hand (m/s) and its way (m) where there is so much.
const SPEED: f64 = 0.5;
const WAY: f64 = 0.05;
/// Ticks of way that the part may be behind, besides what friction keeps it back.
const BEHIND: f64 = 2.0;
/// What statics holds counts up to this many times µ_s F.
const MOST_HELD: f64 = 4.0;
/// How much deeper it may be than at rest, or than where a hand of a tenth of that speed takes it along the same way: this (m), or a tenth of the thinnest wall where
/// that is less. A part that tilts on its way comes to rest on edges, which the field rounds, at any speed. Depth is beyond what is allowed for facets and hollow edges
/// at that very place: within that, nothing presses, and a part is free to be anywhere.
const DEEPER: f64 = 5e-6;
const SLOW: usize = 10;

/// Along the way out, pressed to a side as when friction is tried. Fits without a straight way have nothing to slide along.
pub fn check(fit: &Fit, mus: &[[f64; 2]], out: &mut Vec<Outcome>) {
    let Some((direction, length)) = fit.source.removal else { return };
    // So that half of the faces that bear the press stay engaged, with the press not beyond their end.
    let engaged = fit.engaged.min(fit.borne_length);
    let way = WAY.min(length).min(if length > engaged { 0.5 * engaged } else { 0.5 * length });
    for &mu in mus {
        let Settled { engine: at_rest, hand } = settle(fit, mu);
        let press = fit.through_middle(fit.source.press * PRESS);
        // What friction keeps back is at most what statics holds: more than µF where contacts lie at angles to the press, or the part is levered.
        let least = mu[0] * PRESS;
        let held = limit(fit, &at_rest, mu[0], &press).unwrap_or(least).clamp(least, MOST_HELD * least);
        let start = at_rest.trace().centre;
        let before = fit.gauge.sunk(&at_rest.trace().part);
        let ticks = fit.ticks(way / SPEED).max(1);
        let step = way / ticks as f64;
        // How far it falls behind at most, and how deep it gets, looked at once for every tick of the fast hand.
        let slide = |slower: usize| {
            let (mut engine, mut behind, mut most) = (at_rest.clone(), 0.0_f64, before);
            for i in 1..=ticks * slower {
                let gone = step * i as f64 / slower as f64;
                let by = direction * gone;
                let t = *engine.tick(&Pose::from_parts((hand.translation.vector + by).into(), hand.rotation), &press);
                behind = behind.max(gone - (t.centre - start).dot(&direction));
                if i % slower == 0 {
                    most = most.max(fit.gauge.sunk(&t.part));
                }
            }
            (behind, most)
        };
        let (behind, most) = slide(1);
        // Only where it matters.
        let deeper_bound = DEEPER.min(0.1 * fit.wall);
        let slow = if most - before > deeper_bound { slide(SLOW).1 } else { before };
        let kept = held / fit.coupling().stiffness;
        let bound = kept + BEHIND * step;
        let deeper = most - slow;
        let words = format!(
            "{} behind (bound {}, of which friction {}), {} deeper than {} at rest or slowly (bound {}) on {:.1} mm",
            um(behind),
            um(bound),
            um(kept),
            um(deeper),
            um(slow),
            um(deeper_bound),
            1e3 * way
        );
        let case = format!("µ {}", coefficients(mu));
        out.push(Outcome { check: CHECK, case, share: (behind / bound).max(deeper / deeper_bound), words });
    }
}
