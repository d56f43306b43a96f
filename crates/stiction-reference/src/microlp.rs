//! The literal linear program in microlp, a simplex in pure Rust: another kind of solver than Clarabel, with
//! vertex solutions.
//!
//! [`Microlp::new`] adds the rows; [`Microlp::solve`] is microlp's own work from there and what a benchmark times.
//! Settings: feasibility tolerance 1e-9 instead of 1e-7 (the units make all quantities near 1). No multipliers.

use crate::answer::{Answer, Status};
use crate::literal::{Program, Rows};
use crate::question::{Question, ReferenceError};
use ::microlp::{ComparisonOp, Error, OptimizationDirection, Problem, SolveOptions, Variable};

/// How far a row may be off, in the program's units.
const TOLERANCE: f64 = 1e-9;

/// A literal linear program in microlp's form.
#[derive(Clone, Debug)]
pub struct Microlp {
    program: Program,
    problem: Problem,
    variables: Vec<Variable>,
}

impl Microlp {
    /// The linear program (32)-(37) with free unknowns.
    pub fn lp(question: &Question) -> Result<Self, ReferenceError> {
        let program = Program::lp(question)?;
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let free = (f64::NEG_INFINITY, f64::INFINITY);
        let variables: Vec<_> = program.linear.iter().map(|&cost| problem.add_var(cost, free)).collect();
        let operators = program.cones.iter().flat_map(|rows| match *rows {
            Rows::Zero(n) => std::iter::repeat_n(ComparisonOp::Eq, n),
            Rows::NonNegative(n) | Rows::SecondOrder(n) => std::iter::repeat_n(ComparisonOp::Le, n),
        });
        let mut entries = program.entries.iter().peekable();
        let mut terms = Vec::new();
        for (row, (operator, &rhs)) in operators.zip(&program.rhs).enumerate() {
            terms.clear();
            while let Some(&&(_, column, value)) = entries.peek().filter(|e| e.0 == row) {
                terms.push((variables[column], value));
                entries.next();
            }
            problem.add_constraint(terms.as_slice(), operator, rhs);
        }
        Ok(Self { program, problem, variables })
    }

    /// Solves from nothing.
    pub fn solve(&self) -> Answer {
        let mut options = SolveOptions::default();
        options.tolerances.feasibility = TOLERANCE;
        match self.problem.solve_with(options).map(|outcome| outcome.into_solution()) {
            Ok(Ok(solution)) => {
                let x: Vec<f64> = self.variables.iter().map(|&v| solution.var_value(v)).collect();
                self.program.answer(Status::Solved, &x, 0.0, 0)
            }
            Err(Error::Infeasible) => self.program.unanswered(Status::Infeasible, 0),
            Ok(Err(_)) | Err(_) => self.program.unanswered(Status::Failed, 0),
        }
    }
}

/// The feasibility problem (32)-(37). Polygons only.
pub fn microlp_lp(question: &Question) -> Result<Answer, ReferenceError> {
    Ok(Microlp::lp(question)?.solve())
}
