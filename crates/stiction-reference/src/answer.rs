//! What a general solver answers, back in SI units.

use stiction::spatial::Vec6;

/// How a general solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Solved to the tolerances asked for.
    Solved,
    /// Solved to the solver's own reduced accuracy only (Clarabel: about 1e-4).
    AlmostSolved,
    /// Proved to have no solution.
    Infeasible,
    /// No answer: numerical trouble, or a limit on iterations.
    Failed,
}

/// The answer of a general solver. Numbers are meaningful for `Solved` and `AlmostSolved`; zero otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// How the solver ended.
    pub status: Status,
    /// q = (Δx, Δω) (m, rad).
    pub step: Vec6,
    /// β per contact, in the order of the problem (N); zero for separated ones.
    pub friction: Vec<[f64; 2]>,
    /// λ of equations (32)-(34); zero for other programs.
    pub lambda: Vec6,
    /// Objective in SI units: ½ qᵀM̃q, and for `hold` ½ qᵀAq + Σ s_iᵀβ_i (J); zero for the LP.
    pub objective: f64,
    /// Iterations, where the solver tells them.
    pub iterations: u32,
}

impl Answer {
    /// The verdict of a feasibility problem: `None` where the solver failed or did not reach its tolerances.
    pub fn feasible(&self) -> Option<bool> {
        match self.status {
            Status::Solved => Some(true),
            Status::Infeasible => Some(false),
            Status::AlmostSolved | Status::Failed => None,
        }
    }
}
