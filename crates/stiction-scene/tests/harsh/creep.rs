//! (b) A part that rigid statics says is held, under a load that comes and goes.

use crate::fit::{Fit, Pull};
use crate::limit::{RigidContact, largest_pull};
use crate::report::Outcome;
use crate::{Effort, coefficients};
use std::f64::consts::TAU;
use stiction::spatial::{Pose, Vec3, Vec6, join};
use stiction::tick::Engine;

const CHECK: &str = "creep";
/// Press (N).
pub const PRESS: f64 = 10.0;
/// How much of it comes and goes.
const SWING: f64 = 0.2;
/// Pull as a share of what friction holds at the worst instant of a cycle.
pub const SHARE: f64 = 0.9;
/// Largest creep (m/s) after [`BEDDING`] cycles.
const CREEP: f64 = 1e-12;
const BEDDING: usize = 3;
/// A part that was held is not further than this from where it was before the pull (m).
const HELD: f64 = 1e-4;
/// Instants of a cycle at which the rigid limit is computed.
const INSTANTS: usize = 8;
/// Rounds of ticks in which the hand comes to rest at the part.
const ROUNDS: [usize; 2] = [30, 20];

/// What of the load comes and goes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Variation {
    Force,
    Torque,
    Both,
}

/// Every variation and period.
pub fn check(fit: &Fit, effort: &Effort, mus: &[[f64; 2]], out: &mut Vec<Outcome>) {
    for &mu in mus {
        let settled = settle(fit, mu);
        for variation in [Variation::Force, Variation::Torque, Variation::Both] {
            for &period in effort.periods {
                let case = format!("{variation:?} every {period} s, µ {}", coefficients(mu));
                out.push(run(fit, &settled, variation, fit.ticks(period), effort.creep, mu[0], case));
            }
        }
    }
}

/// A part pressed into its seat, and the hand at rest where the part is.
#[derive(Clone)]
pub struct Settled {
    /// The engine after the press.
    pub engine: Engine,
    /// The hand's pose.
    pub hand: Pose,
}

/// Presses the part and lets the hand go with it, until the coupling pulls no more.
pub fn settle(fit: &Fit, mu: [f64; 2]) -> Settled {
    let mut engine = fit.engine(mu);
    let press = fit.through_middle(fit.source.press * PRESS);
    let mut hand = fit.source.seated;
    for round in 0..ROUNDS[0] {
        for i in 0..ROUNDS[1] {
            let share = ((round * ROUNDS[1] + i) as f64 / 200.0).min(1.0);
            engine.tick(&hand, &(press * share));
        }
        hand = if round >= 10 { engine.trace().part } else { hand };
    }
    Settled { engine, hand }
}

/// The pull for one unit of it, and how long the lever of its kind is (m; 1 for forces).
pub fn pull(fit: &Fit) -> (Vec6, f64) {
    match fit.source.pull {
        Pull::Force(direction) => (fit.through_middle(direction), 1.0),
        Pull::Torque(axis) => (join(Vec3::zeros(), axis), fit.radius),
    }
}

/// The load at a phase from 0 to 1, without the pull.
fn load(fit: &Fit, variation: Variation, phase: f64) -> Vec6 {
    let press = fit.source.press;
    let (along, about) = match fit.source.pull {
        Pull::Force(direction) => (direction, press.cross(&direction)),
        Pull::Torque(axis) => (axis, press.cross(&axis)),
    };
    let axis = if about.norm() > 0.1 { about.normalize() } else { along.cross(&Vec3::x()).normalize() };
    let lever = fit.source.lever.unwrap_or(0.5 * fit.engaged);
    let (force, torque) = match variation {
        Variation::Force => ((TAU * phase).sin(), 0.0),
        Variation::Torque => (0.0, (TAU * phase).sin()),
        // A quarter of a cycle apart, so that the pressure goes around.
        Variation::Both => ((TAU * phase).sin(), (TAU * phase).cos()),
    };
    let pressed = fit.through_middle(press * (PRESS * (1.0 + SWING * force)));
    pressed + join(Vec3::zeros(), axis * (SWING * PRESS * lever * torque))
}

/// The rigid limit with the contacts of the last tick: the load and what the coupling adds are held, and this factor of the pull.
pub fn limit(fit: &Fit, engine: &Engine, mu: f64, load: &Vec6) -> Option<f64> {
    let t = engine.trace();
    let touching = engine.contacts().filter(|c| c.normal_force > 0.0);
    let contacts: Vec<RigidContact> =
        touching.map(|c| RigidContact { arm: c.position - t.centre, normal: c.normal }).collect();
    let (pull, lever) = pull(fit);
    largest_pull(&contacts, mu, &(load - t.wrench), &pull, 4.0 * PRESS * lever, fit.radius)
}

fn run(
    fit: &Fit,
    settled: &Settled,
    variation: Variation,
    period: usize,
    seconds: f64,
    mu: f64,
    case: String,
) -> Outcome {
    let Settled { mut engine, hand } = settled.clone();
    let at = |i: usize| load(fit, variation, (i % period) as f64 / period as f64);
    let probed = |i: usize| i.is_multiple_of((period / INSTANTS).max(1));
    // A cycle to find the limits in, after one in which the load begins to vary.
    let mut least = f64::INFINITY;
    for i in 0..2 * period {
        let ramp = (i as f64 / period as f64).min(1.0);
        let now = fit.through_middle(fit.source.press * PRESS) * (1.0 - ramp) + at(i) * ramp;
        engine.tick(&hand, &now);
        if i >= period && probed(i) {
            let Some(limit) = limit(fit, &engine, mu, &now) else {
                let words = "not tried: rigid statics cannot hold the load even without a pull".into();
                return Outcome { check: CHECK, case, share: f64::NAN, words };
            };
            least = least.min(limit);
        }
    }
    let (direction, _) = pull(fit);
    let wanted = direction * (SHARE * least);
    let before = engine.trace().part;
    for i in 0..period {
        engine.tick(&hand, &(at(i) + wanted * (i as f64 / period as f64)));
    }
    let rate = fit.ticks(1.0) as f64;
    let cycles = ((seconds * rate / period as f64).round() as usize).max(BEDDING + 2);
    let mut last_least = f64::INFINITY;
    let mut begun = None;
    for cycle in 0..cycles {
        for i in 0..period {
            let now = at(i);
            engine.tick(&hand, &(now + wanted));
            if cycle + 1 == cycles && probed(i) {
                last_least = last_least.min(limit(fit, &engine, mu, &now).unwrap_or(0.0));
            }
        }
        if cycle + 1 == BEDDING {
            begun = Some(engine.trace().part);
        }
    }
    let begun = begun.unwrap();
    let end = engine.trace().part;
    // How far the point of the part that is now at p has moved since it was at a pose.
    let way = |since: &Pose, p: Vec3| {
        (since * (end.inverse() * nalgebra::Point3::from(p)) - nalgebra::Point3::from(p)).norm()
    };
    let centre = engine.trace().centre;
    let moved = engine.contacts().map(|c| way(&begun, c.position)).fold(way(&begun, centre), f64::max);
    let gone = engine.contacts().map(|c| way(&before, c.position)).fold(way(&before, centre), f64::max);
    let speed = moved / ((cycles - BEDDING) as f64 * period as f64 / rate);
    let words = format!(
        "{speed:.1e} m/s (bound {CREEP:.0e}), {moved:.1e} m in {} cycles, {gone:.1e} m since before the pull (bound {HELD:.0e}); pull {:.4} of a limit of {least:.4}, at the end {last_least:.4} N or N m; {} contacts",
        cycles - BEDDING,
        SHARE * least,
        engine.trace().contacts
    );
    Outcome { check: CHECK, case, share: (speed / CREEP).max(gone / HELD), words }
}
