//! (c) The limit of friction where the normal force is known: a box on a plate and a pin against the side of its bore.

use crate::coefficients;
use crate::creep::{PRESS, Settled, pull, settle};
use crate::fit::Fit;
use crate::report::Outcome;
use stiction::spatial::{Pose, Vec3, Vec6, halves};

const CHECK: &str = "friction limit";
/// Largest error, relative to µ F.
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
        let breakaway = breakaway(fit, &settled, mu[0], &wrench, &direction);
        let sliding = slides(fit, settled, &direction);
        for (word, found, mu_now) in [("breaks away", breakaway, mu[0]), ("slides", sliding, mu[1])] {
            let expected = mu_now * PRESS;
            let words =
                format!("{found:.4} N, µF {expected:.4} N, off by {:.2} % (bound 2)", 100.0 * (found / expected - 1.0));
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
        most = most.max(force - halves(&t.device).0.dot(direction));
    }
    most
}

fn slides(fit: &Fit, settled: Settled, direction: &Vec3) -> f64 {
    let Settled { mut engine, hand } = settled;
    let ticks = fit.ticks(DRAWN / SPEED);
    let mut forces = Vec::new();
    for i in 0..ticks {
        let by = direction * (DRAWN * (i + 1) as f64 / ticks as f64);
        let moved = Pose::from_parts((hand.translation.vector + by).into(), hand.rotation);
        let t = engine.tick(&moved, &pressed(fit));
        if i as f64 > STEADY * ticks as f64 {
            forces.push(-halves(&t.device).0.dot(direction));
        }
    }
    forces.iter().sum::<f64>() / forces.len() as f64
}
