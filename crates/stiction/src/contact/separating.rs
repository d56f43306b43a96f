//! Contacts that are about to come apart carry no friction.
//!
//! Section 4.1 of *6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming*, and the third condition that its section 5.6 adds. With f_vc the
//! coupling's force, f_a all that is applied to the part (coupling, gravity, loads), and the displacement of the contact in the frictionless step,
//! u = Δx + Δω × r, (Δx, Δω) = -K⁻¹f:
//!
//! ```text
//! paper:     u·N > 0  and  u·f_vc > 0                        section 4.1 as printed
//! three:     u·N > 0  and  u·f_vc > 0  and  f_vc·N > 0       with the condition of section 5.6
//! applied:   u·N > 1 nm  and  u·f_a > 0  and  f_a·N > 0      ours
//! ```
//!
//! The first two conditions alone halve friction on a plane: without friction a pulled part rights itself, half of its points rise a little and lose their grip.
//! Ours counts all applied forces, not the coupling's alone: a part lying under its weight is pressed on, however the hand pulls. u·N must be above [`LEAST`], not above
//! rounding.

use super::penalty::Touch;
use crate::spatial::{Vec3, Vec6, halves};

/// Least predicted rise that counts in our rule (m).
pub const LEAST: f64 = 1e-9;

/// Which contacts lose their friction because they are about to come apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseRule {
    /// None does.
    None,
    /// The two conditions of the friction paper's section 4.1, as printed.
    Paper,
    /// These with the third condition of its section 5.6: the coupling pulls along the normal.
    Three,
    /// All three, with everything that is applied to the part in place of the coupling's force.
    Applied,
}

/// A rule with the forces that it looks at.
pub(crate) struct Separation {
    pub rule: ReleaseRule,
    /// f_vc (N).
    pub coupling: Vec3,
    /// f_a (N).
    pub applied: Vec3,
}

impl Separation {
    /// Whether any contact could separate: if not, the frictionless step need not be known.
    pub fn possible(&self, touches: &[Touch]) -> bool {
        match self.rule {
            ReleaseRule::None => false,
            ReleaseRule::Paper => true,
            ReleaseRule::Three => touches.iter().any(|touch| touch.normal.dot(&self.coupling) > 0.0),
            ReleaseRule::Applied => touches.iter().any(|touch| touch.normal.dot(&self.applied) > 0.0),
        }
    }

    /// Whether a contact separates in the frictionless step.
    pub fn separates(&self, touch: &Touch, frictionless: &Vec6) -> bool {
        let (translation, rotation) = halves(frictionless);
        let u = translation + rotation.cross(&touch.arm);
        let (pull, least) = match self.rule {
            ReleaseRule::None => return false,
            ReleaseRule::Paper | ReleaseRule::Three => (&self.coupling, 0.0),
            ReleaseRule::Applied => (&self.applied, LEAST),
        };
        let third = self.rule == ReleaseRule::Paper || touch.normal.dot(pull) > 0.0;
        third && u.dot(&touch.normal) > least && u.dot(pull) > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point whose force is up.
    fn touch() -> Touch {
        Touch {
            point: 0,
            arm: Vec3::new(0.1, 0.0, 0.0),
            normal: Vec3::z(),
            easing: Vec3::z(),
            by_field: false,
            agreement: 1.0,
            depth: 1e-4,
            stiffness: 1e3,
            slope: 1e3,
        }
    }

    #[test]
    fn each_rule_releases_what_its_conditions_say() {
        use ReleaseRule::{Applied, None, Paper, Three};
        /// The coupling's force, the load besides it, the point's displacement (m): and the rules that let go.
        type Case = ([f64; 3], [f64; 3], [f64; 3], &'static [ReleaseRule]);
        let cases: [Case; 9] = [
            ([0.0, 0.0, 5.0], [0.0; 3], [0.0, 0.0, 1e-4], &[Paper, Three, Applied]),
            // Pulled along, pressed on, and risen a little by righting itself: the printed rule alone lets go.
            ([3.0, 0.0, -5.0], [0.0; 3], [1e-3, 0.0, 1e-4], &[Paper]),
            ([3.0, 0.0, -5.0], [0.0; 3], [1e-3, 0.0, -1e-4], &[]),
            // Risen against the pull.
            ([-3.0, 0.0, 5.0], [0.0; 3], [1e-2, 0.0, 1e-4], &[]),
            // Lifted with less than its weight.
            ([0.0, 0.0, 5.0], [0.0, 0.0, -9.0], [0.0, 0.0, 1e-4], &[Paper, Three]),
            // Thrown up by a load that the hand holds against.
            ([0.0, 0.0, -5.0], [0.0, 0.0, 9.0], [0.0, 0.0, 1e-4], &[Applied]),
            // Less than what counts in our rule.
            ([0.0, 0.0, 5.0], [0.0; 3], [0.0, 0.0, 1e-10], &[Paper, Three]),
            ([0.0, 0.0, 5.0], [0.0; 3], [0.0; 3], &[]),
            ([0.0; 3], [0.0; 3], [0.0, 0.0, 1e-4], &[]),
        ];
        for (coupling, load, u, lets_go) in cases {
            let coupling = Vec3::from(coupling);
            let applied = coupling + Vec3::from(load);
            for rule in [None, Paper, Three, Applied] {
                let separation = Separation { rule, coupling, applied };
                // The point goes by u whether the part moves or turns.
                let turn = Vec3::new(0.0, -u[2] / 0.1, 0.0);
                for step in [[u[0], u[1], u[2], 0.0, 0.0, 0.0], [u[0], u[1], 0.0, turn.x, turn.y, turn.z]] {
                    let found = separation.possible(&[touch()]) && separation.separates(&touch(), &Vec6::from(step));
                    assert_eq!(found, lets_go.contains(&rule), "{rule:?} of {coupling:?}, {load:?}, {u:?}");
                }
            }
        }
    }
}
