//! (h) A nut on its bolt. A rigid nut has one degree of freedom on a thread under load, z = p φ with p = P/2π, so that everything here is known in closed form.
//!
//! ```text
//! one turn of the hand                       Δz = P
//! an axial force F alone, no friction        the helix back-drives the nut: its torque is F p
//! with friction                              it locks where tan λ(r) = P/(2πr) < µ/cos 30°, r from the nut's inner radius to the bolt's outer one
//! ```
//!
//! When locking is tried, the hand goes with the nut: it is put where the nut is after every tick, so that nothing but friction holds. Without friction a
//! tick then turns the nut by φ = F p/(κ + k p²): k and κ are the coupling's stiffnesses, and each tick ends in equilibrium with the hand of the last.

use crate::blocked::{edge_bound, face_bound};
use crate::exact::ExactDepth;
use crate::fit::{BlockedWay, Fit, FitSource, Pull};
use crate::report::{Outcome, um};
use std::f64::consts::TAU;
use stiction::spatial::{Pose, Vec3, Vec6, join, log};
use stiction_bake::solids::{Bolt, BoltHead, Nut, ScrewThread, Solid};
use stiction_scene::minimum_jerk;

const CHECK: &str = "screw";
/// Largest error of the advance, at the end of a turn and at every tick of it, as a share of the pitch.
const ADVANCE: f64 = 0.01;
/// How far the hand is off along the axis (m), so that the nut stays on one flank: 5 N, which a turn changes by k P, 3.5 N for M12.
const OFF: f64 = 2.5e-3;
/// Time of the preload, of a turn in the short and in the full form, and of the rest after it (s).
const PRELOAD: f64 = 0.1;
const TURN: [f64; 2] = [0.4, 1.5];
const REST: f64 = 0.1;
/// Axial force that a thread must hold (N).
const PUSH: f64 = 40.0;
/// Time in which it is applied and in which the nut may bed in (s).
const RAMP: f64 = 0.05;
const BEDDING: f64 = 0.1;
/// Largest speed of any point of a nut that is locked (m/s).
const CREEP: f64 = 1e-12;
/// Speed of a nut without friction, as a share of the closed form: it goes over facets, which slow it down more than they speed it up.
const RUNS: [f64; 2] = [0.5, 1.2];
/// A nut runs down with this share of the least friction that locks anywhere on its flanks, and is locked with this multiple of the most.
const RELEASED: f64 = 0.8;
const LOCKED: f64 = 1.2;

/// An M12 nut, in the middle of its bolt.
pub fn m12() -> FitSource {
    let diameter = 0.012;
    let pitch = ScrewThread::coarse_pitch(diameter).unwrap();
    let thread = ScrewThread::metric(diameter, pitch);
    let nut = Solid::Nut(Nut { thread: thread.clone(), width: 1.5 * diameter, height: 0.9 * diameter });
    let head = BoltHead::Hexagon { width: 1.5 * diameter, height: 0.65 * diameter };
    let bolt = Solid::Bolt(Bolt { thread: thread.clone(), length: 0.03, head });
    // Across, flanks and crests touch at once, when the radial clearance of both is used up; along the axis, by flanks of 60 degrees.
    let across = 2.0 * thread.clearance;
    let way = |name: &str, direction: Vec3, play: f64| BlockedWay { name: name.into(), direction, play, facing: 1.0 };
    let along = across / 3f64.sqrt();
    FitSource {
        name: "thread_m12".into(),
        seated: Pose::translation(0.0, 0.0, 5.0 * pitch),
        blocked: vec![way("+z", Vec3::z(), along), way("-z", -Vec3::z(), along), way("+x", Vec3::x(), across)],
        screw: Some(thread),
        radius: None,
        levers: true,
        ..crate::analytic::source(nut.mesh().unwrap(), bolt.mesh().unwrap(), -Vec3::z(), Pull::Torque(Vec3::z()))
    }
}

/// A turn in both senses on both flanks, and whether the thread locks.
pub fn check(fit: &Fit, full: bool, seconds: f64, out: &mut Vec<Outcome>) {
    let Some(thread) = &fit.source.screw else { return };
    let cases: &[(f64, f64, f64)] = if full {
        &[
            (0.0, 1.0, -1.0),
            (0.05, 1.0, -1.0),
            (0.05, -1.0, -1.0),
            (0.1, 1.0, -1.0),
            (0.1, 1.0, 1.0),
            (0.1, -1.0, -1.0),
            (0.1, -1.0, 1.0),
            (0.2, 1.0, -1.0),
            (0.2, -1.0, -1.0),
        ]
    } else {
        &[(0.1, 1.0, -1.0)]
    };
    for &(mu, sense, side) in cases {
        out.push(turn(fit, thread.pitch, mu, sense, side, full));
    }
    let inner = 0.5 * thread.diameter - thread.depth() + thread.clearance;
    let outer = 0.5 * thread.diameter - thread.clearance;
    let locks_from = |r: f64| 30f64.to_radians().cos() * thread.pitch / (TAU * r);
    let (released, locked) = (RELEASED * locks_from(outer), LOCKED * locks_from(inner));
    let sides: &[f64] = if full { &[-1.0, 1.0] } else { &[-1.0] };
    for &side in sides {
        out.push(push(fit, thread.pitch, 0.2, side, seconds, Expected::Locked));
        out.push(push(fit, thread.pitch, 0.0, side, 0.3, Expected::RunsDown));
        if full {
            out.push(push(fit, thread.pitch, locked, side, seconds, Expected::Locked));
            out.push(push(fit, thread.pitch, released, side, seconds, Expected::Moves));
        }
    }
}

/// Rotation about z and place along it since the beginning.
struct Helix {
    last: Pose,
    turned: f64,
    start: f64,
    along: f64,
}

impl Helix {
    fn new(part: Pose) -> Helix {
        Helix { last: part, turned: 0.0, start: part.translation.z, along: 0.0 }
    }

    fn add(&mut self, part: &Pose) {
        self.turned += log(&(part.rotation * self.last.rotation.inverse())).z;
        // The origin of a nut is on its axis, and it tilts by little.
        self.along = part.translation.z - self.start;
        self.last = *part;
    }

    /// How far from z = p φ (m).
    fn off(&self, pitch: f64) -> f64 {
        self.along - pitch * self.turned / TAU
    }
}

fn turn(fit: &Fit, pitch: f64, mu: f64, sense: f64, side: f64, full: bool) -> Outcome {
    let mut engine = fit.engine([mu; 2]);
    let seconds = TURN[usize::from(full)];
    let (preload, ticks, rest) = (fit.ticks(PRELOAD), fit.ticks(seconds), fit.ticks(REST));
    for i in 0..2 * preload {
        let share = minimum_jerk(((i + 1) as f64 / preload as f64).min(1.0));
        engine.tick(&fit.hand(Vec3::z() * (side * OFF * share), Vec3::zeros()), &Vec6::zeros());
    }
    let mut helix = Helix::new(engine.trace().part);
    let (mut off, mut depth): (f64, ExactDepth) = (0.0, ExactDepth::default());
    for i in 0..ticks + rest {
        let share = minimum_jerk(((i + 1) as f64 / ticks as f64).min(1.0));
        let hand = fit.hand(Vec3::z() * (side * OFF), Vec3::z() * (sense * TAU * share));
        let part = engine.tick(&hand, &Vec6::zeros()).part;
        helix.add(&part);
        off = off.max(helix.off(pitch).abs());
        if i + 1 == ticks || full && i % 100 == 99 {
            depth = depth.max(&fit.gauge.depth(&part));
        }
    }
    let error = helix.along - sense * pitch;
    let (face, edge) = (face_bound(fit), edge_bound(fit));
    let words = format!(
        "advances by {:.4} mm in a turn, pitch {:.4} mm, off by {:.2} % (bound {}), off the helix by at most {} on the way (bound {}), turned by {:.5} of a turn; depth {} on faces (bound {}), {} at edges (bound {})",
        1e3 * helix.along,
        1e3 * sense * pitch,
        100.0 * error.abs() / pitch,
        100.0 * ADVANCE,
        um(off),
        um(ADVANCE * pitch),
        helix.turned / TAU,
        um(depth.face),
        um(face),
        um(depth.edge),
        um(edge)
    );
    let case = format!(
        "one turn {} in {seconds} s, pressed to {}z, µ {mu}",
        if sense > 0.0 { "up" } else { "down" },
        if side > 0.0 { "+" } else { "-" }
    );
    let share = (error.abs().max(off) / (ADVANCE * pitch)).max(depth.face / face).max(depth.edge / edge);
    Outcome { check: CHECK, case, share, words }
}

#[derive(Clone, Copy, PartialEq)]
enum Expected {
    Locked,
    RunsDown,
    Moves,
}

fn push(fit: &Fit, pitch: f64, mu: f64, side: f64, seconds: f64, expected: Expected) -> Outcome {
    let mut engine = fit.engine([mu; 2]);
    let (ramp, bedding, ticks) = (fit.ticks(RAMP), fit.ticks(BEDDING), fit.ticks(seconds));
    let load = join(Vec3::z() * (side * PUSH), Vec3::zeros());
    let mut hand = fit.source.seated;
    // The hand keeps the nut from turning until it is on its flank.
    for i in 0..2 * ramp {
        let share = ((i + 1) as f64 / ramp as f64).min(1.0);
        engine.tick(&hand, &(load * share));
    }
    for _ in 0..bedding {
        hand = engine.tick(&hand, &load).part;
    }
    let begun = engine.trace().part;
    let mut helix = Helix::new(begun);
    let (mut off, mut depth): (f64, ExactDepth) = (0.0, ExactDepth::default());
    for i in 0..ticks {
        hand = engine.tick(&hand, &load).part;
        helix.add(&hand);
        off = off.max(helix.off(pitch).abs());
        if i + 1 == ticks || i % 500 == 499 {
            depth = depth.max(&fit.gauge.depth(&hand));
        }
    }
    let moved = (hand.translation.vector - begun.translation.vector).norm()
        + fit.radius * log(&(hand.rotation * begun.rotation.inverse())).norm();
    let speed = moved / seconds;
    let (p, coupling) = (pitch / TAU, fit.coupling());
    let each = PUSH * p / (coupling.torsion + coupling.stiffness * p * p);
    let runs = side * helix.turned / (each * ticks as f64);
    let (face, edge) = (face_bound(fit), edge_bound(fit));
    let (words, share) = match expected {
        Expected::Locked => (format!("{speed:.1e} m/s (bound {CREEP:.0e})"), speed / CREEP),
        Expected::RunsDown => (
            format!(
                "turns with {runs:.3} of the closed form's {:.3} rad/s (between {} and {}), off the helix by at most {} (bound {})",
                each * fit.ticks(1.0) as f64,
                RUNS[0],
                RUNS[1],
                um(off),
                um(ADVANCE * pitch)
            ),
            if (RUNS[0]..=RUNS[1]).contains(&runs) { off / (ADVANCE * pitch) } else { f64::INFINITY },
        ),
        // Anything that is not rest: a thousand times what is called locked.
        Expected::Moves => (
            format!("{speed:.1e} m/s (at least {:.0e}), {runs:.3} of the speed without friction", 1e3 * CREEP),
            if speed > 1e3 * CREEP { 0.0 } else { f64::INFINITY },
        ),
    };
    let words = format!(
        "{words}, turned by {:.1e} rad; depth {} on faces (bound {}), {} at edges (bound {})",
        helix.turned,
        um(depth.face),
        um(face),
        um(depth.edge),
        um(edge)
    );
    let case = format!("40 N to {}z, hand goes with it, µ {mu:.4}", if side > 0.0 { "+" } else { "-" });
    Outcome { check: CHECK, case, share: share.max(depth.face / face).max(depth.edge / edge), words }
}
