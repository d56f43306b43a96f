//! (c) The limit of friction where the normal force is known: a box on a plate and a pin against the side of its bore.
//!
//! A pin of few facets touches its bore at both creases of a facet, at an angle φ to either side of the press, φ half of what a facet covers or all of it. Then the normal forces
//! add up to F/cos φ: 2 % more than F with 32 facets and φ = 11.25°. There the limit is that of rigid statics with the contacts that there are ([`limit`]), and µF otherwise.

use crate::coefficients;
use crate::creep::{PRESS, Settled, limit, pull, settle};
use crate::fit::Fit;
use crate::report::Outcome;
use stiction::spatial::{Pose, Vec3, Vec6, halves, join};
use stiction::tick::Engine;

const CHECK: &str = "friction limit";
/// Largest error, relative to µ F or to what statics holds.
const ERROR: f64 = 0.02;
/// Ticks in which the pull grows to 1.2 µ F.
const GROWS: usize = 2000;
/// How far the part is then drawn by the hand (m), how fast (m/s), and after which share of the way friction is measured.
const DRAWN: f64 = 5e-3;
const SPEED: f64 = 0.01;
const STEADY: f64 = 0.7;

/// Breakaway at µ_s F, and sliding at µ_k F. Friction is what balances the pull and the coupling along the pull.
pub fn check(fit: &Fit, mus: &[[f64; 2]], out: &mut Vec<Outcome>) {
    for &mu in mus.iter().filter(|mu| mu[0] > 0.0) {
        let settled = settle(fit, mu);
        let (wrench, _) = pull(fit);
        let (direction, _) = halves(&wrench);
        let held = |engine: &Engine, mu: f64| {
            // Of what the hand does, all but the force along the pull.
            let (force, _) = halves(&engine.trace().wrench);
            let along = join(direction * force.dot(&direction), Vec3::zeros());
            limit(fit, engine, mu, &(pressed(fit) + along))
        };
        let statics = fit.source.polygon;
        let at_rest = held(&settled.engine, mu[0]);
        let breakaway = breakaway(fit, &settled, mu[0], &wrench, &direction);
        let (sliding, engine) = slides(fit, settled, &direction);
        let while_sliding = held(&engine, mu[1]);
        let cases = [("breaks away", breakaway, mu[0], at_rest), ("slides", sliding, mu[1], while_sliding)];
        for (word, found, mu_now, held) in cases {
            let plain = mu_now * PRESS;
            // Where statics finds no balance, nothing is known and the check fails.
            let expected = if statics { held.unwrap_or(f64::NAN) } else { plain };
            let held = held.map_or("no balance".into(), |held| format!("{held:.4} N"));
            let words = format!(
                "{found:.4} N, {} {expected:.4} N, off by {:.2} % (bound 2); µF {plain:.4} N, statics {held}",
                if statics { "statics" } else { "µF" },
                100.0 * (found / expected - 1.0)
            );
            let case = format!("{word}, µ {}", coefficients(mu));
            out.push(Outcome { check: CHECK, case, share: (found / expected - 1.0).abs() / ERROR, words });
        }
    }
}

fn pressed(fit: &Fit) -> Vec6 {
    fit.through_middle(fit.source.press * PRESS)
}

fn breakaway(fit: &Fit, settled: &Settled, mu: f64, wrench: &Vec6, direction: &Vec3) -> f64 {
    let Settled { mut engine, hand } = settled.clone();
    let mut most: f64 = 0.0;
    for i in 0..GROWS {
        let force = 1.2 * mu * PRESS * (i + 1) as f64 / GROWS as f64;
        let t = engine.tick(&hand, &(pressed(fit) + wrench * force));
        most = most.max(force - halves(&t.wrench).0.dot(direction));
    }
    most
}

/// The mean friction on the last part of the way, and the engine there.
fn slides(fit: &Fit, settled: Settled, direction: &Vec3) -> (f64, Engine) {
    let Settled { mut engine, hand } = settled;
    let ticks = fit.ticks(DRAWN / SPEED);
    let mut forces = Vec::new();
    for i in 0..ticks {
        let by = direction * (DRAWN * (i + 1) as f64 / ticks as f64);
        let moved = Pose::from_parts((hand.translation.vector + by).into(), hand.rotation);
        let t = engine.tick(&moved, &pressed(fit));
        if i as f64 > STEADY * ticks as f64 {
            forces.push(-halves(&t.wrench).0.dot(direction));
        }
    }
    (forces.iter().sum::<f64>() / forces.len() as f64, engine)
}
