//! No friction at all: the frictionless step of static virtual coupling.

use super::common::Common;
use super::nearest::Nearest;
use super::solution::{Certificate, Verdict};
use crate::contact::ContactProblem;

/// The memory for the margins of what friction could do.
#[derive(Clone, Debug)]
pub(super) struct Frictionless {
    pub nearest: Nearest,
}

impl Frictionless {
    /// Answers a problem.
    pub fn solve(&self, common: &mut Common, problem: &ContactProblem) {
        common.let_go(problem, Certificate::None);
        common.solution.verdict = Verdict::Free;
    }
}
