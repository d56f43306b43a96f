//! (d) The hand goes around a closed path and gets back no more than it gave.

use crate::coefficients;
use crate::fit::{Fit, Pull};
use crate::report::Outcome;
use stiction::spatial::{Frame, Vec3, Vec6, log};
use stiction_scene::minimum_jerk;

const CHECK: &str = "energy";
/// Most energy that a loop may give to the hand beyond what it took (J).
const CREATED: f64 = 1e-6;
/// How far the hand presses and slides (m), and turns where sliding is turning (rad).
const PRESS: f64 = 5e-3;
const SLIDE: f64 = 3e-3;
const TURN: f64 = 0.2;
/// Ticks of a leg of the path, and of the rest after it.
const LEG: usize = 300;
const REST: usize = 100;

/// Presses, slides, lifts off and slides back; then tilts while pressed. The second time around counts: in the first, what was stored in the
/// seat comes out.
pub fn check(fit: &Fit, mus: &[[f64; 2]], out: &mut Vec<Outcome>) {
    let (press, still) = (fit.source.press * PRESS, Vec3::zeros());
    let (slide, turn) = match fit.source.pull {
        Pull::Force(direction) => (direction * SLIDE, still),
        Pull::Torque(axis) => (still, axis * TURN),
    };
    let tilt = fit.source.axis.cross(&Vec3::new(0.3, 0.5, 0.7)).normalize() * 0.02;
    let around = [(press, still), (press + slide, turn), (slide, turn), (still, still)];
    let tilted = [(press, still), (press, tilt), (still, tilt), (still, still)];
    for &mu in mus {
        for (name, path) in [("press and slide", around), ("press and tilt", tilted)] {
            let [given, taken] = go(fit, mu, &path);
            let created = taken - given;
            let words = format!(
                "{:.2} µJ beyond what went in (bound {:.0}): {:.4} mJ went in, {:.4} mJ came out",
                1e6 * created,
                1e6 * CREATED,
                1e3 * given,
                1e3 * taken
            );
            let case = format!("{name}, µ {}", coefficients(mu));
            out.push(Outcome { check: CHECK, case, share: created.max(0.0) / CREATED, words });
        }
    }
}

/// Energy that the hand gave and took in its second loop (J), by the trapezoidal rule.
fn go(fit: &Fit, mu: [f64; 2], path: &[(Vec3, Vec3)]) -> [f64; 2] {
    let mut engine = fit.engine(mu);
    let mut sums = [0.0; 2];
    let hand_frame = |hand| Frame::of(&hand, &part_centre(fit));
    for lap in 0..2 {
        let mut from = (Vec3::zeros(), Vec3::zeros());
        for &to in path {
            for i in 0..LEG + REST {
                let before = (engine.trace().hand, engine.trace().device);
                let s = minimum_jerk(((i + 1) as f64 / LEG as f64).min(1.0));
                let hand = fit.hand(from.0 + (to.0 - from.0) * s, from.1 + (to.1 - from.1) * s);
                let t = engine.tick(&hand, &Vec6::zeros());
                let (a, b) = (hand_frame(before.0), hand_frame(hand));
                let turned = log(&(b.rotation * a.rotation.inverse()));
                let way = stiction::spatial::join(b.centre - a.centre, turned);
                let work = 0.5 * (before.1 + t.device).dot(&way);
                if lap == 1 {
                    sums = [sums[0] - work.min(0.0), sums[1] + work.max(0.0)];
                }
            }
            from = to;
        }
    }
    sums
}

/// The centre of mass in the part's axes.
fn part_centre(fit: &Fit) -> Vec3 {
    let seated = fit.source.seated;
    seated.rotation.inverse() * (fit.centre - seated.translation.vector)
}
