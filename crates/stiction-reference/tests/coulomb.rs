//! The stiffness metric with a symmetric K is Coulomb's law: friction does no positive work anywhere, and where a
//! contact slides its friction is at the limit and against the slip. With memory, against the accumulated slip.
//!
//! For one contact, Coulomb's law says that σ_i(-m_i) + β_iᵀm_i = 0 with m_i the (accumulated) slip and σ_i the support
//! function of P_i. All terms are at least zero and their sum is the duality gap.

mod plain;
mod sweep;

use plain::{Plain, support};
use stiction::friction::{Cone, SlipState, Verdict};
use sweep::{Case, Sweep, Way};

/// Relative to the energy of the frictionless step, which bounds all of friction's work.
const EPSILON: f64 = 1e-9;

fn check(case: &Case) -> Result<(), String> {
    let mut sample = case.sample.clone();
    let k = sample.load.stiffness;
    sample.load.stiffness = (k + k.transpose()) * 0.5;
    let problem = sample.problem().map_err(|e| e.to_string())?;
    let mut solver = case.solver(&problem, case.settings())?;
    let answer = solver.solve(&problem).map_err(|e| e.to_string())?;
    if answer.verdict == Verdict::Undecided {
        return Err(format!("undecided: stalled {}", answer.stalled));
    }
    if answer.metric_shifted {
        return Ok(());
    }
    let scale = Plain::of(&problem, answer).scale();
    for (i, c) in answer.contacts().enumerate() {
        let remembered = if case.way == Way::HoldWithMemory { c.anchor } else { [0.0; 2] };
        let moved = [c.slip[0] + remembered[0], c.slip[1] + remembered[1]];
        let work = c.friction[0] * moved[0] + c.friction[1] * moved[1];
        if remembered == [0.0; 2] && c.power > EPSILON * scale {
            return Err(format!("positive power: {:e} at contact {i}", c.power / scale));
        }
        let missing = support(sample.cone, [-moved[0], -moved[1]], c.limit) + work;
        if missing.is_nan() || missing > EPSILON * scale {
            return Err(format!("not Coulomb's: {:e} at contact {i}, {:?}", missing / scale, c.state));
        }
        // Said again in words a mechanic uses, where the contact's share of the work is not negligible.
        let length = moved[0].hypot(moved[1]);
        if c.state == SlipState::Sliding && sample.cone == Cone::Disk && c.limit * length > 1e-2 * scale {
            let strength = c.friction[0].hypot(c.friction[1]);
            if strength < c.limit * (1.0 - 1e-6) || work > -strength * length * (1.0 - 1e-6) {
                return Err(format!("not against the slip: contact {i}, {strength} of {}", c.limit));
            }
        }
    }
    Ok(())
}

#[test]
fn friction_opposes_slip() {
    Sweep { ways: &[Way::QpStiffness, Way::Hold], each: 6, first_seed: 30_000, ..Sweep::ALL }.run(check);
}

#[test]
fn friction_opposes_accumulated_slip() {
    Sweep { ways: &[Way::HoldWithMemory], each: 6, first_seed: 31_000, ..Sweep::ALL }.run(check);
}
