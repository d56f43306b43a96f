//! (a) 40 N and the coupling's largest torque where there is no way.

use crate::exact::ExactDepth;
use crate::fit::Fit;
use crate::report::{Outcome, um};
use crate::rigid::{self, Admitted, ELASTIC, Turned};
use crate::{Effort, coefficients};
use stiction::spatial::{Pose, Vec3, Vec6, halves, join, log};

const CHECK: &str = "blocked";
/// How far the hand goes (m), so that the coupling gives 39.8 of its 40 N, and how far it turns (rad).
const REACH: f64 = 0.2;
const TURN: f64 = 1.5;
/// Time in which it gets there (s).
const RAMP: f64 = 0.1;
/// Exact depths are taken every tenth tick in which the part has moved by this share of the bound since the last time.
const LOOK: f64 = 0.02;

/// What rigid statics may leave of the hand's wrench where a part is to be at rest: points that touch are known to 25 µm, some thousandths of their levers.
const UNBALANCED: f64 = 0.01;

/// Every blocked direction, and both senses about every axis.
pub fn check(fit: &Fit, effort: &Effort, mus: &[[f64; 2]], out: &mut Vec<Outcome>) {
    for &mu in mus {
        for way in &fit.source.blocked {
            let through = way.play + fit.allowance() + 0.1 * fit.wall + tilt_bound(fit) * fit.radius;
            let found = push(fit, effort, mu, way.direction * REACH, Vec3::zeros());
            let along = found.moved.dot(&way.direction);
            let more = format!("moved {} of {}, ", um(along), um(through));
            out.push(found.judged(fit, format!("{}, µ {}", way.name, coefficients(mu)), more, along / through));
        }
        let axes = if fit.source.levers { &["x", "y", "z"][..] } else { &[] };
        for (i, name) in axes.iter().enumerate() {
            for sign in [1.0, -1.0] {
                let found = push(fit, effort, mu, Vec3::zeros(), Vec3::ith(i, sign * TURN));
                let word = if sign > 0.0 { "+" } else { "-" };
                let case = format!("about {word}{name}, µ {}", coefficients(mu));
                out.push(found.judged(fit, case, format!("moved {}, ", um(found.moved.norm())), 0.0));
            }
        }
    }
}

/// Twice what a rigid part with its play, and 25 µm more, can tilt.
fn tilt_bound(fit: &Fit) -> f64 {
    2.0 * (fit.lateral_play() + fit.allowance() + ELASTIC) / fit.engaged
}

/// A tenth of the thinnest wall, the allowance, and the roughness of both parts.
pub fn face_bound(fit: &Fit) -> f64 {
    0.1 * fit.wall + fit.allowance() + fit.roughness()
}

/// A quarter of a voxel more, where the field rounds edges.
pub fn edge_bound(fit: &Fit) -> f64 {
    face_bound(fit) + 0.25 * fit.voxel()
}

struct Pushed {
    end: ExactDepth,
    most: ExactDepth,
    /// Displacement of the centre at the end (m).
    moved: Vec3,
    /// The rotation with the largest tilt, and the one with the largest turn about the fit's axis.
    tilt: Turned,
    about: Turned,
    /// The pose with the largest tilt, and the wrench on the part there without contacts, about its centre.
    tilted: (Pose, Vec6),
    /// Contacts have no friction.
    frictionless: bool,
}

fn push(fit: &Fit, effort: &Effort, mu: [f64; 2], by: Vec3, turn: Vec3) -> Pushed {
    let mut engine = fit.engine(mu);
    let seat = Turned { about: 0.0, tilt: Vec3::zeros() };
    let none = ExactDepth::default();
    let mut found = Pushed {
        end: none,
        most: none,
        moved: Vec3::zeros(),
        tilt: seat,
        about: seat,
        tilted: (fit.source.seated, Vec6::zeros()),
        frictionless: mu[0] == 0.0,
    };
    let (ramp, ticks) = (fit.ticks(RAMP), fit.ticks(effort.blocked));
    let mut looked = fit.source.seated;
    let lever = fit.middle - fit.centre;
    for i in 0..ticks {
        let share = ((i + 1) as f64 / ramp as f64).min(1.0);
        // Without friction a push levers a peg out: the rim pushes along its own normal, so a tilted peg is driven out, and the
        // further out, the harder. There the push goes through the middle of what is engaged. A torque has no lever, and what the hand's spring does against it is not taken away.
        let level = if mu[0] == 0.0 && by != Vec3::zeros() {
            join(Vec3::zeros(), lever.cross(&-halves(&engine.trace().wrench).0))
        } else {
            Vec6::zeros()
        };
        let t = *engine.tick(&fit.hand(by * share, turn * share), &level);
        let turned = Turned::of(fit, &t.part);
        found.about = if turned.about.abs() > found.about.about.abs() { turned } else { found.about };
        if turned.tilt.norm() > found.tilt.tilt.norm() {
            (found.tilt, found.tilted) = (turned, (t.part, level - t.wrench));
        }
        found.moved = t.centre - fit.centre;
        // Once it is too deep, only the end matters.
        let bound = edge_bound(fit);
        let open = found.most.most() <= bound;
        if i + 1 == ticks || (open && i % 10 == 9 && distance(fit, &looked, &t.part) > LOOK * bound) {
            looked = t.part;
            found.end = fit.gauge.depth(&t.part);
            found.most = found.most.max(&found.end);
        }
    }
    found
}

fn distance(fit: &Fit, a: &Pose, b: &Pose) -> f64 {
    (a.translation.vector - b.translation.vector).norm() + fit.radius * log(&(a.rotation * b.rotation.inverse())).norm()
}

/// A rotation, its bound, and what the meshes admit where that was asked for.
fn rotation_words(name: &str, angle: f64, bound: f64, admitted: Option<Admitted>) -> String {
    let mesh = admitted.map_or(String::new(), |Admitted { angle: most, depth, deepest }| {
        format!(
            "; rigid meshes admit {:.2}, {} in each other beyond the allowance there and at most {} before",
            1e3 * most,
            um(depth),
            um(deepest)
        )
    });
    format!("{name} {:.2} mrad (bound {:.2}{mesh})", 1e3 * angle, 1e3 * bound)
}

/// What rigid statics says of the pose with the largest tilt.
fn rest_words(rest: Option<(f64, f64)>) -> String {
    rest.map_or(String::new(), |(left, deep)| {
        format!(
            "; there, contacts of the rigid meshes balance the hand to {:.2} % without friction, {} in each other beyond the allowance",
            100.0 * left,
            um(deep)
        )
    })
}

impl Pushed {
    fn judged(&self, fit: &Fit, case: String, more: String, through: f64) -> Outcome {
        let (face, edge) = (face_bound(fit), edge_bound(fit));
        let tilt = tilt_bound(fit);
        // About the axis only where the list has a play of rotation.
        let listed: Option<f64> = (0..3).find(|i| fit.source.axis[*i].abs() > 0.5).and_then(|i| fit.source.turns[i]);
        let about = listed.map_or(f64::INFINITY, |play| 2.0 * (play + (fit.allowance() + ELASTIC) / fit.engaged));
        let depth = (self.most.face / face).max(self.most.edge / edge);
        let (tilted, turned) = (self.tilt.tilt.norm(), self.about.about.abs());
        // Nothing is searched for where bounds are kept.
        let more_tilt = (tilted > tilt).then(|| rigid::admits_tilt(fit, &self.tilt));
        let more_about = (turned > about).then(|| rigid::admits_turn(fit, &self.about));
        let rigid = |bound: f64, more: Option<Admitted>| more.map_or(bound, |found| bound.max(found.angle));
        let (pose, wrench) = &self.tilted;
        let beyond = tilted > rigid(tilt, more_tilt);
        let rest = (beyond && self.frictionless).then(|| rigid::unbalanced(fit, pose, wrench)).flatten();
        // Where rigid meshes rest at that very pose, the tilt is theirs.
        let tilts = match rest {
            Some((left, deep)) => (left / UNBALANCED).max(deep / ELASTIC),
            None => tilted / rigid(tilt, more_tilt),
        };
        let turns = turned / rigid(about, more_about);
        let words = format!(
            "{more}depth {} at the end, at most {} on faces (bound {}) and {} at edges (bound {}), {}, {}",
            um(self.end.most()),
            um(self.most.face),
            um(face),
            um(self.most.edge),
            um(edge),
            rotation_words("tilt", tilted, tilt, more_tilt) + &rest_words(rest),
            rotation_words("about the axis", turned, about, more_about),
        );
        Outcome { check: CHECK, case, share: depth.max(through).max(tilts).max(turns), words }
    }
}
