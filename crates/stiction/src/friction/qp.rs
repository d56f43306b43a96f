//! `qp`: the paper's quadratic program, equations (28)-(31). Each contact sticks or slides by itself.

use super::common::{Case, Common};
use super::cone::Shape;
use super::nearest::Nearest;
use crate::spatial::Vec6;

/// The memory of the quadratic program.
#[derive(Clone, Debug)]
pub(super) struct Qp {
    pub nearest: Nearest,
}

impl Qp {
    /// Answers a problem.
    pub fn solve<S: Shape>(&mut self, common: &mut Common, case: &Case<S>) {
        let ranked = common.rank(case.problem);
        let Some(open) = common.closed_form(case, &ranked, &Vec6::zeros()) else { return };
        let form = common.form(open.form, case.problem);
        self.nearest.solve(common, case, &form, None);
    }
}
