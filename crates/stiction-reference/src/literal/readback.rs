//! From a solver's numbers back to SI units: the inverse of `scaled.rs`.

use super::{Kind, Program};
use crate::answer::{Answer, Status};
use crate::polygon::Directions;
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

    /// Back to SI units. `x` are the unknowns, `z` the multipliers of the rows (needed by `hold` only: β).
    pub fn answer(&self, status: Status, x: &[f64], z: &[f64], objective: f64, iterations: u32) -> Answer {
        let mut answer = self.unanswered(status, iterations);
        let (d, force) = (&self.scaled.d, self.scaled.force);
        answer.objective = objective * self.objective_unit;
        answer.step = (Vec6::from_column_slice(&x[..6]) * self.scaled.step()).component_div(d);
        if self.kind == Kind::Lp {
            answer.lambda = (Vec6::from_column_slice(&x[6..12]) * self.lambda_unit).component_div(d);
        }
        let vertices = Directions::vertices(self.cone);
        for (c, t) in self.unknown().into_iter().enumerate() {
            answer.friction[t.index] = match (self.kind, &vertices) {
                (Kind::Hold, None) => [z[3 * c + 1] * force, z[3 * c + 2] * force],
                (Kind::Hold, Some(Directions(v, _))) => {
                    let weights = &z[v.len() * c..v.len() * (c + 1)];
                    [0, 1].map(|axis| weights.iter().zip(v).map(|(w, v)| w * v[axis]).sum::<f64>() * force)
                }
                (kind, _) => {
                    let u = if kind == Kind::Lp { 12 } else { 6 } + 2 * c;
                    [x[u] * t.unit * force, x[u + 1] * t.unit * force]
                }
            };
        }
        answer
    }
}
