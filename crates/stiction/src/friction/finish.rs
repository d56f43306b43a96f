//! The end of every solve: the step, what it does to each contact, and the verdict.

use super::Method;
use super::common::Common;
use super::memory::{self, SlipState};
use super::passes::{Wide6, WrenchSum, transposed};
use super::solution::{Certificate, Verdict};
use crate::contact::{ContactProblem, LANES, Lane};
use crate::spatial::Vec6;

/// The states of a block, from one bit per contact that touches and one per contact that slides.
#[inline(always)]
fn states(touching: u8, slides: u8) -> [SlipState; LANES] {
    const STATES: [SlipState; 3] = [SlipState::Separated, SlipState::Stuck, SlipState::Sliding];
    std::array::from_fn(|lane| STATES[(touching >> lane & 1) as usize + (slides >> lane & 1) as usize])
}

impl Common {
    /// G β of the answer's friction.
    pub(super) fn total_friction(&self, problem: &ContactProblem) -> Vec6 {
        let mut sum = WrenchSum::default();
        for (block, b) in problem.blocks().iter().zip(&self.solution.per_contact.friction) {
            sum.add(block, b);
        }
        sum.total()
    }

    /// States of a part that does not move and remembers no slip.
    fn finish_still(&mut self, problem: &ContactProblem) -> bool {
        let n = problem.blocks().len();
        let out = &mut self.solution.per_contact;
        out.slip[..n].fill([Lane::ZERO; 2]);
        out.power[..n].fill(Lane::ZERO);
        for (touching, state) in problem.lanes().touching.iter().zip(&mut out.state) {
            *state = states(*touching, 0);
        }
        false
    }

    /// Slip, power and state of every contact for the answer's step; true if any slides.
    fn finish_moving(&mut self, problem: &ContactProblem) -> bool {
        let q = Wide6::splat(&self.solution.step);
        let micro_slip = self.settings.micro_slip * memory::ROUNDING;
        let tolerance = Lane::splat(micro_slip * micro_slip);
        let mut anyone_slides = false;
        let out = &mut self.solution.per_contact;
        let given = problem.blocks().iter().zip(&problem.lanes().touching).zip(&out.friction).zip(&out.anchor);
        let found = out.slip.iter_mut().zip(&mut out.power).zip(&mut out.state);
        for ((((block, touching), b), s), ((slip, power), state)) in given.zip(found) {
            *slip = transposed(block, &q);
            *power = b[0] * slip[0] + b[1] * slip[1];
            let moved = [s[0] + slip[0], s[1] + slip[1]];
            let slides = (moved[0] * moved[0] + moved[1] * moved[1]).simd_gt(tolerance).to_bitmask() as u8 & touching;
            anyone_slides |= slides != 0;
            *state = states(*touching, slides);
        }
        anyone_slides
    }

    /// The step and what it does to every contact; the verdict.
    pub(super) fn finish(&mut self, problem: &ContactProblem, step: Vec6, friction: Vec6, certificate: Certificate) {
        let answer = &mut self.solution;
        (answer.step, answer.friction, answer.certificate) = (step, friction, certificate);
        let still = step == Vec6::zeros() && !self.remembers;
        let anyone_slides = if still { self.finish_still(problem) } else { self.finish_moving(problem) };
        let answer = &mut self.solution;
        answer.verdict = match (certificate, answer.method) {
            (Certificate::None, _) => Verdict::Undecided,
            (Certificate::Unstoppable { .. }, _) => Verdict::Slips,
            // By the paper's definition: q* itself may slip, for the mass metric stops the part's centre.
            (Certificate::Balanced { .. }, Method::Lp) => Verdict::Holds,
            _ if anyone_slides => Verdict::Slips,
            _ => Verdict::Holds,
        };
    }
}
