//! From a solver's numbers back to SI units: the inverse of `scaled.rs`.

use super::{Kind, Program};
use crate::answer::{Answer, Status};
use stiction::spatial::Vec6;

impl Program {
    /// True for the LP, which minimises nothing.
    pub fn is_feasibility(&self) -> bool {
        self.kind == Kind::Lp
    }

    /// An answer without numbers.
    pub fn unanswered(&self, status: Status, iterations: u32) -> Answer {
        let friction = vec![[0.0; 2]; self.scaled.contacts];
        Answer { status, step: Vec6::zeros(), friction, lambda: Vec6::zeros(), objective: 0.0, iterations }
    }

    /// Back to SI units. `x` are the unknowns.
    pub fn answer(&self, status: Status, x: &[f64], objective: f64, iterations: u32) -> Answer {
        let mut answer = self.unanswered(status, iterations);
        let (d, force) = (&self.scaled.d, self.scaled.force);
        answer.objective = objective * self.objective_unit;
        answer.step = (Vec6::from_column_slice(&x[..6]) * self.scaled.step()).component_div(d);
        if self.kind == Kind::Lp {
            answer.lambda = (Vec6::from_column_slice(&x[6..12]) * self.lambda_unit).component_div(d);
        }
        let first = if self.kind == Kind::Lp { 12 } else { 6 };
        for (u, t) in (first..).step_by(2).zip(self.unknown()) {
            answer.friction[t.index] = [x[u] * t.unit * force, x[u + 1] * t.unit * force];
        }
        answer
    }
}
