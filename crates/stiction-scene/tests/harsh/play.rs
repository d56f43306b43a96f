//! (f) The part can go as far as the list says.

use crate::fit::Fit;
use crate::report::{Outcome, um};
use stiction::spatial::{Vec3, Vec6, halves};

const CHECK: &str = "play";
/// A push that turns a part by little: play in the list is of pure translation (N).
const PUSH: f64 = 0.05;
const TICKS: usize = 1500;
/// The hand goes no further beyond the listed play (m).
const BEYOND: f64 = 2e-3;

/// What a small push may press into a contact (m): a twentieth of a newton on the softest of single contacts, some MN/m, and as much again.
const ELASTIC: f64 = 1e-7;

/// Without friction, until contact carries a small push.
pub fn check(fit: &Fit, out: &mut Vec<Outcome>) {
    for way in &fit.source.blocked {
        let bound = match fit.source.radius {
            None => 0.375 * fit.voxel() + fit.allowance(),
            // Faces that touch flat, without edges: the field is off by what a chord is.
            Some(r) => {
                let chord = fit.voxel() * fit.voxel() / (8.0 * r);
                (fit.allowance() + chord + fit.roughness() + ELASTIC) / way.facing
            }
        };
        let mut engine = fit.engine([0.0; 2]);
        let mut reach = 0.0;
        for _ in 0..TICKS {
            let t = engine.tick(&fit.hand(way.direction * reach, Vec3::zeros()), &Vec6::zeros());
            let pushed = -halves(&t.wrench).0.dot(&way.direction);
            reach = (reach + 0.2 * (PUSH - pushed) / fit.coupling().stiffness).min(way.play + BEYOND);
        }
        let found = (engine.trace().centre - fit.centre).dot(&way.direction);
        let error = found - way.play;
        let words = format!("{}, listed {}, off by {} (bound {})", um(found), um(way.play), um(error), um(bound));
        out.push(Outcome { check: CHECK, case: way.name.clone(), share: error.abs() / bound, words });
    }
}
