//! (e) After a push the hand is still: so are the part and the wrench, and nothing is said to slip.

use crate::coefficients;
use crate::creep::{self, Settled};
use crate::fit::Fit;
use crate::report::Outcome;
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, Vec6, halves, log};
use stiction::tick::Engine;
use stiction::trace::Trace;

const CHECK: &str = "rest";
/// How far the hand pushes (m): about 10 N; and aside.
const PUSH: f64 = 5e-3;
const ASIDE: f64 = 1e-3;
/// Time of the push, of rest, and of the last part of it that counts (s).
const RAMP: f64 = 0.3;
const STILL: f64 = 2.0;
const COUNTED: f64 = 1.0;
/// Largest change of the wrench (N, N m) and of the place of any point (m).
const WRENCH: f64 = 1e-9;
const PLACE: f64 = 1e-12;

/// Pushed by the hand in every blocked way; and, with the hand at rest, pressed and pulled by a load that rigid statics says is held.
pub fn check(fit: &Fit, mus: &[[f64; 2]], out: &mut Vec<Outcome>) {
    for &mu in mus {
        for way in &fit.source.blocked {
            let by = way.direction * (PUSH + way.play) + aside(&way.direction) * ASIDE;
            let input = |share: f64| (fit.hand(by * share, Vec3::zeros()), Vec6::zeros());
            out.push(watch(fit, fit.engine(mu), input, format!("{}, µ {}", way.name, coefficients(mu))));
        }
        let Settled { engine, hand } = creep::settle(fit, mu);
        let case = format!("pressed and pulled, µ {}", coefficients(mu));
        let press = fit.through_middle(fit.source.press * creep::PRESS);
        out.push(match creep::limit(fit, &engine, mu[0], &press) {
            Some(limit) => {
                let pull = creep::pull(fit).0 * (creep::SHARE * limit);
                watch(fit, engine, |share| (hand, press + pull * share), case)
            }
            None => {
                let words = "not tried: rigid statics cannot hold the press".into();
                Outcome { check: CHECK, case, share: f64::NAN, words }
            }
        });
    }
}

/// Hand and load grow with a share from 0 to 1, and are then still.
fn watch(fit: &Fit, mut engine: Engine, input: impl Fn(f64) -> (Pose, Vec6), case: String) -> Outcome {
    let (ramp, still, counted) = (fit.ticks(RAMP), fit.ticks(STILL), fit.ticks(COUNTED));
    let mut first: Option<Trace> = None;
    let (mut wrench, mut place, mut slips): (f64, f64, usize) = (0.0, 0.0, 0);
    for i in 0..ramp + still {
        let (hand, load) = input(stiction_scene::minimum_jerk(((i + 1) as f64 / ramp as f64).min(1.0)));
        let t = *engine.tick(&hand, &load);
        if i + counted < ramp + still {
            continue;
        }
        let first = first.get_or_insert(t);
        let (force, torque) = halves(&(t.wrench - first.wrench));
        wrench = wrench.max(force.norm()).max(torque.norm());
        place = place.max(moved(fit, &first.part, &t.part));
        slips += usize::from(says_slipping(&t));
    }
    let words = format!(
        "wrench changes by {wrench:.1e} N (bound {WRENCH:.0e}), place by {place:.1e} m (bound {PLACE:.0e}), {slips} of {counted} ticks said to slip"
    );
    let said = if slips > 0 { f64::INFINITY } else { 0.0 };
    Outcome { check: CHECK, case, share: (wrench / WRENCH).max(place / PLACE).max(said), words }
}

/// Whether the engine says that the part moves.
fn says_slipping(t: &Trace) -> bool {
    t.verdict == Verdict::Slips
}

fn aside(direction: &Vec3) -> Vec3 {
    direction.cross(&Vec3::new(0.36, 0.48, 0.8)).normalize()
}

fn moved(fit: &Fit, a: &Pose, b: &Pose) -> f64 {
    (a.translation.vector - b.translation.vector).norm() + fit.radius * log(&(a.rotation * b.rotation.inverse())).norm()
}
