//! How far a part on hard contacts is from slipping: the least µ with which the contacts of a tick carry the load on the part.
//!
//! Asked is Coulomb's law, (1)-(3) of the module, with three changes:
//!
//! - µ is the same at every contact: a share of the static coefficient;
//! - the load is dead: f stays as it is while the part moves, so that a part that friction does not hold goes on and on. For that, A is only a [`SOFTNESS`] of itself;
//! - slips are forgotten, s = 0: anchors that drag against each other neither help nor hinder.
//!
//! Normal forces follow from the step by (2), so that contacts let go and take over as µ falls. This matters where contacts squeeze a part between them: a cube that has slid along a
//! corner keeps some newtons between floor and wall, which the wall's friction holds down. When it is then pulled up, it hangs on the wall alone; floor contacts with the forces of the moment,
//! and with a stiffness in both directions, would hold it down as if they were glued.
//!
//! A part holds if it finds its balance before a contact has slipped further than the tick reached for points: contacts are known to there. So the margin is on the safe side for a part that
//! would settle further than that, and be caught.

use super::newton::{Budget, Ending, Newton};
use super::problem::HardProblem;
use crate::contact::{LANES, Lane};
use crate::friction::margin;
use crate::spatial::Vec6;
use std::convert::Infallible;

/// The share of A that is left.
const SOFTNESS: f64 = 1e-2;
/// Most passes of a solve: one that needs more has lost its way, and does not count as holding.
const PASSES: u32 = 1000;
/// Shares of µ beyond these count as zero and infinity.
const RANGE: (f64, f64) = (1e-6, 1e3);
/// Shares of the margin at which the motion is looked at that begins below it.
const BELOW: f64 = 0.9;
const ABOVE: f64 = 1.1;

/// The contacts of a tick and the load on them, with memory for the solves of a margin.
#[derive(Clone, Debug)]
pub(crate) struct HardLimit {
    problem: HardProblem,
    newton: Newton,
    capacity: usize,
    /// The static coefficient.
    mu: f64,
    /// The furthest that a contact of a held part slips (m).
    reach: f64,
}

impl HardLimit {
    /// A problem without contacts, with memory for so many.
    pub fn with_capacity(capacity: usize) -> Self {
        let (problem, newton) = (HardProblem::with_capacity(capacity), Newton::with_capacity(capacity));
        HardLimit { problem, newton, capacity, mu: 0.0, reach: 0.0 }
    }

    /// Forgets the contacts.
    pub fn clear(&mut self) {
        self.problem.clear();
    }

    /// Takes over the problem of a tick, as it was before the step, with the static coefficient and the tick's reach (m). Contacts for which there is no memory leave it empty. Does not allocate.
    pub fn pose(&mut self, problem: &HardProblem, mu: f64, reach: f64) {
        self.clear();
        if problem.len() > self.capacity {
            return;
        }
        self.problem.copy_from(problem);
        self.problem.stiffness *= SOFTNESS;
        for block in &mut self.problem.blocks {
            block.slip = [Lane::ZERO; 2];
        }
        (self.mu, self.reach) = (mu, reach);
    }

    /// The least share of µ that holds the part: 0 where it stays without friction, infinite where no friction holds it. With it the motion that begins where friction does not suffice (m, rad;
    /// of no particular length).
    pub fn margin(&mut self) -> (f64, Vec6) {
        if self.problem.is_empty() {
            return (0.0, Vec6::zeros());
        }
        let Ok(share) = margin::least_scale(RANGE, |share| Ok::<_, Infallible>(self.solve(share).1));
        let motion = match share > 0.0 && share < f64::INFINITY {
            true => self.solve(BELOW * share).0 - self.solve(ABOVE * share).0,
            false => Vec6::zeros(),
        };
        (share, motion * SOFTNESS)
    }

    /// The step with a share of µ, and whether the part holds.
    fn solve(&mut self, share: f64) -> (Vec6, bool) {
        for block in &mut self.problem.blocks {
            block.mu = Lane::splat(share * self.mu);
        }
        // A cold start: the answer does not depend on what was asked before.
        for contact in 0..self.problem.len() {
            self.newton.begin_with(contact, [0.0; 2]);
        }
        let answer = self.newton.solve(&self.problem, Budget { passes: PASSES, cost: u64::MAX });
        (answer.step, answer.ending == Ending::Solved && self.slip(&answer.step) <= self.reach)
    }

    /// The furthest slip, in a step, of the contacts that touch before it or push after it (m). A part that lifts off entirely is not held: infinite.
    fn slip(&self, step: &Vec6) -> f64 {
        let along = |column: &[Lane; 6], lane: usize| (0..6).map(|i| column[i].as_array()[lane] * step[i]).sum::<f64>();
        let (mut furthest, mut pushed) = (0.0f64, false);
        for contact in 0..self.problem.len() {
            let (block, lane) = (&self.problem.blocks[contact / LANES], contact % LANES);
            let pushes = self.newton.contact(contact).0 > 0.0;
            pushed |= pushes;
            if pushes || block.depth.as_array()[lane] > 0.0 {
                furthest = furthest.max(along(&block.u, lane).hypot(along(&block.v, lane)));
            }
        }
        if pushed { furthest } else { f64::INFINITY }
    }
}
