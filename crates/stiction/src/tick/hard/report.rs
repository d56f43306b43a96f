//! What is told of a solve of hard contacts: its contacts, its certificate, and the trace.

use super::HardCycle;
use super::candidates::Candidate;
use crate::collide::Walk;
use crate::contact::{Contact, ContactId, ContactProblem, Load};
use crate::coupling::Pull;
use crate::friction::{SlipState, Verdict};
use crate::hard::verify::{AnsweredContact, HardResiduals, certify};
use crate::hard::{Ending, HardContact, HardLimit};
use crate::spatial::{Mat6, Vec3, join};
use crate::tick::State;
use crate::trace::{ContactTrace, Flags};

/// A share of their limit beyond which contacts count as being at it.
const AT_LIMIT: f64 = 0.999;

impl HardCycle {
    fn id(&self, c: &Candidate) -> ContactId {
        ContactId(u64::from(self.numbers[c.point as usize]))
    }

    /// The contacts that push, for a part whose centre was there.
    pub fn contacts(&self, centre: Vec3) -> impl Iterator<Item = ContactTrace> + '_ {
        self.candidates.iter().filter(|c| c.force > 0.0).map(move |c| ContactTrace {
            id: self.id(c),
            position: centre + c.arm,
            normal: c.normal,
            // Without stiffness, what the linear model left.
            depth: if self.is_unilateral() { c.after.max(0.0) } else { c.force / c.stiffness },
            normal_force: c.force,
            friction: c.friction,
            limit: c.mu * c.force,
            slip: c.slip,
            remembered: c.remembered,
            work: c.friction.dot(&c.slip),
            state: c.state,
        })
    }

    /// The last solve as a contact problem with given normal forces and one coefficient µ, for margins: as it was before the step, so that friction is asked to hold what has slid
    /// meanwhile. With A and Σ n_i k_i n_iᵀ of the contacts that push, the wrench at the step q is f - A q + Σ n_i F_i, and falls by K q from where the step began.
    pub fn pose(&self, mass: Mat6, mu: f64, into: &mut ContactProblem) {
        let (f, step) = (&self.problem.wrench, &self.answer.step);
        let mut stiffness = -self.problem.stiffness;
        for c in self.candidates.iter().filter(|c| c.force > 0.0) {
            let n = join(c.normal, c.arm.cross(&c.normal));
            stiffness -= n * (n * c.stiffness).transpose();
        }
        let after = f - self.problem.stiffness * step + self.answer.normal;
        let load = Load { wrench: after - stiffness * step, stiffness, mass };
        let contacts = self.candidates.iter().filter(|c| c.force > 0.0).map(|c| Contact {
            id: self.id(c),
            point: c.arm,
            normal: c.normal,
            tangent: c.tangents[0],
            gap: -c.force / c.stiffness,
            normal_force: c.force,
            mu_static: mu,
            mu_kinetic: mu,
        });
        // A problem that cannot be posed is left empty, and has no margins.
        let _ = into.rebuild(&load, contacts);
    }

    /// The same with the normal forces as unknowns; empty where nothing pushes.
    pub fn pose_limit(&self, mu: f64, into: &mut HardLimit) {
        match self.answer.pressure > 0.0 {
            true => into.pose(&self.problem, mu, self.reach(self.problem.micro_slip)),
            false => into.clear(),
        }
    }

    /// The certificate of the last solve, checked by [`verify`](crate::hard::verify).
    pub fn certificate(&self) -> HardResiduals {
        let answered = self.candidates.iter().map(|c| AnsweredContact {
            contact: HardContact {
                point: self.numbers[c.point as usize],
                arm: c.arm,
                normal: c.normal,
                depth: c.depth,
                stiffness: c.stiffness,
                mu: c.mu,
                slip: c.remembered,
            },
            force: c.force,
            friction: c.friction,
        });
        certify(&self.problem.wrench, &self.problem.stiffness, &self.answer.step, answered)
    }

    /// Tells of a solve in the trace.
    pub(super) fn note(&self, state: &mut State, walk: &Walk, pull: &Pull, bounded: bool) {
        state.note_solve(walk, pull, bounded);
        let (t, answer) = (&mut state.trace, &self.answer);
        (t.normal, t.friction) = (answer.normal, answer.friction);
        (t.iterations, t.passes) = (answer.iterations, answer.passes);
        (t.pressure, t.limit) = (answer.pressure, answer.limit);
        t.residual = answer.balance;
        let slid = t.substeps > 1 && t.verdict == Verdict::Slips;
        (t.contacts, t.stuck, t.sliding, t.separating, t.limited) = (0, 0, 0, 0, 0);
        (t.work, t.depth, t.slip) = ([0.0, f64::NEG_INFINITY], 0.0, 0.0);
        for c in &self.candidates {
            if !(c.force > 0.0) {
                continue;
            }
            t.contacts += 1;
            t.stuck += u32::from(c.state == SlipState::Stuck);
            t.sliding += u32::from(c.state == SlipState::Sliding);
            t.limited += u32::from(c.friction.norm() >= AT_LIMIT * c.mu * c.force);
            t.depth = t.depth.max(c.after);
            let work = c.friction.dot(&c.slip);
            t.work = [t.work[0] + work, t.work[1].max(work)];
            t.slip = t.slip.max(c.slip.norm());
        }
        t.verdict = match answer.ending {
            _ if t.sliding > 0 || slid => Verdict::Slips,
            Ending::Solved if !(answer.limit > 0.0) => Verdict::Free,
            Ending::Solved => Verdict::Holds,
            _ => Verdict::Undecided,
        };
        t.flags.set(Flags::OPPOSED, t.flags.has(Flags::OPPOSED) || self.opposed > self.told_opposed);
        t.flags.set(Flags::UNDECIDED, answer.ending != Ending::Solved);
    }
}
