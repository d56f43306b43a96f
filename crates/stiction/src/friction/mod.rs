//! Friction: a [`ContactProblem`](crate::contact::ContactProblem) goes in, friction forces, the step of the
//! part and a proof come out. The equations are in this folder's `README.md`.

mod balance;
mod common;
mod cone;
mod corral;
mod finish;
mod form;
mod frictionless;
mod hold;
mod interior;
mod lp;
pub(crate) mod margin;
mod memory;
pub(crate) mod motion;
mod nearest;
mod newton;
pub(crate) mod passes;
mod qp;
mod rank;
mod solution;
mod solver;
pub mod verify;
mod yamane;

use crate::delassus::LocalRule;
pub use cone::{Cone, Fit};
pub use memory::SlipState;
pub use solution::{Certificate, ContactAnswer, Solution, Verdict};
pub use solver::{FrictionSolver, SolverError};

/// What a step is measured by: the metric M̃ of the quadratic program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// diag(M, I), as in the paper: stops the part's centre.
    Mass,
    /// -sym(K): stops the contacts. For symmetric K the optimum is Coulomb's law.
    Stiffness,
}

/// The friction solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The paper's verdict, equations (32)-(37): all contacts hold, or friction is dropped. Polygons only.
    Lp,
    /// The paper's quadratic program, equations (28)-(31): each contact sticks or slides by itself.
    Qp(Metric),
    /// The stiffness metric with slip memory: Coulomb's law without springs and without creep.
    Hold,
    /// Frictional springs with anchors, after Yamane and Nakamura: creeps; for comparison.
    Yamane,
    /// No friction at all: frictionless static coupling.
    Frictionless,
    /// Signorini's condition and Coulomb's law by staggered projections, with unilateral normal forces of its own: see [`Staggered`](crate::delassus::Staggered).
    Staggered,
    /// The same by Gauss-Seidel: see [`GaussSeidel`](crate::delassus::GaussSeidel).
    GaussSeidel(LocalRule),
}

/// When the forces of frictional springs are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpringForm {
    /// At the end of the step, solved for together with it.
    Implicit,
    /// Before the step, as known forces: unstable where springs are stiff beside everything else, see `yamane.rs`.
    Explicit,
}

/// How a [`FrictionSolver`] works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionSettings {
    /// Which question is asked.
    pub method: Method,
    /// Which friction forces are admissible.
    pub cone: Cone,
    /// ε: accumulated slip below which a contact counts as stuck, and the length of the slip memory (m).
    pub micro_slip: f64,
    /// Most passes over the contacts in the iterative stage of a solve (set-up and closed form, at most some forty passes,
    /// come on top). A solve that runs out returns the best admissible answer so far.
    pub budget: u32,
    /// Σ k_f (N/m): stiffness of all frictional springs together. Of use to [`Method::Yamane`] only.
    pub spring_stiffness: f64,
    /// When the forces of these springs are taken.
    pub spring_form: SpringForm,
    /// Contact points are of the held part, not of the environment: which material it is whose slip a contact remembers.
    pub points_move: bool,
    /// Start from what the last solve found.
    pub warm_start: bool,
}

impl Method {
    /// Whether the method finds normal forces together with friction, for unilateral contacts without stiffness: not one of a [`FrictionSolver`].
    pub fn is_unilateral(self) -> bool {
        matches!(self, Method::Staggered | Method::GaussSeidel(_))
    }
}

impl Default for FrictionSettings {
    fn default() -> Self {
        Self {
            method: Method::Hold,
            cone: Cone::Disk,
            micro_slip: 1e-6,
            budget: 400,
            spring_stiffness: 1e4,
            spring_form: SpringForm::Implicit,
            points_move: true,
            warm_start: true,
        }
    }
}
