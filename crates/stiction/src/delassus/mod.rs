//! Unilateral contacts with Coulomb friction on a Delassus operator: Signorini's condition and Coulomb's law together, without approximation.
//!
//! | symbol | meaning |
//! |---|---|
//! | r_i = (n, t, t) | the force of contact i in its own frame: along the normal, then along two tangents |
//! | u_i = (n, t, t) | its velocity, or the change of its gap and its slip in a step; u_n > 0 comes apart |
//! | W | the Delassus operator: what forces at contacts do to velocities at contacts; symmetric and positive semidefinite |
//! | q | the velocities without contact forces |
//! | µ_i | the friction coefficient |
//!
//! ```text
//! u = W r + q                                                                    (1)
//! 0 ≤ u_n ⟂ r_n ≥ 0                                                              (2) Signorini's condition
//! ‖r_t‖ ≤ µ r_n,   and where u_t is not zero  r_t = -µ r_n u_t/‖u_t‖             (3) Coulomb's law
//! ```
//!
//! (2) and (3) together say K* ∋ ũ ⟂ r ∈ K with the cone K = {‖r_t‖ ≤ µ r_n} and ũ = u + µ‖u_t‖ (1, 0, 0): G. de Saxcé and Z.-Q. Feng, *The bipotential
//! method* (1998). This is not a cone program, since ũ depends on u: friction is not associated. There may be several solutions and, for large µ, none; no solver here has a
//! theorem that it converges. So each answer carries the residual of the natural map, found by [`verify`] from (1)-(3) alone, and a [`ConeVerdict`] that says whether it is small enough.
//!
//! | where | what |
//! |---|---|
//! | [`Delassus`] | what solvers need of W: its 3 × 3 diagonal blocks, and what a change of one force does to all velocities |
//! | [`DenseOperator`], [`RigidOperator`] | W as a matrix; W as the product J C Jᵀ of rank 6 that a rigid part allows, with O(m) numbers |
//! | [`ConeProblem`] | µ, q, W, and the names of the contacts, checked |
//! | [`GaussSeidel`] | contact after contact: `gauss_seidel.rs`, with the rules for one contact in `local.rs` |
//! | [`Staggered`] | normal forces and friction in turn, each a convex program: `staggered.rs`, solved by `projection.rs` |
//! | [`ConeNewton`] | Newton's method on the natural map, between sweeps of Gauss-Seidel that make it safe: `newton.rs` |
//! | [`PyramidLemke`] | without friction, or with the cone cut to a pyramid: a linear complementarity problem by Lemke's method, `lemke.rs` |
//! | [`verify`] | the residual; shares no code with the solvers |
//!
//! A further solver (Lemke's for pyramids, an interior-point or Newton method on the cones) is a file here with its own memory and settings, and a `solve` that takes a [`ConeProblem`] and
//! leaves a [`ConeAnswer`]. [`Delassus::solve_shifted`] is what such methods need of W besides what Gauss-Seidel does.
//!
//! All memory is made when a solver and a problem are; a solve allocates nothing, and ends when its budget is spent.

mod answer;
mod dense;
mod gauss_seidel;
mod lemke;
mod local;
mod memory;
mod newton;
mod operator;
mod problem;
mod projection;
mod rigid;
mod staggered;
pub mod verify;

pub use answer::{ConeAnswer, ConeVerdict, SolveLimits};
pub use dense::{DenseFactor, DenseOperator};
pub use gauss_seidel::{GaussSeidel, GaussSeidelSettings};
pub use lemke::{LemkeEnd, LexicographicLemke, PyramidLemke, PyramidSettings};
pub use local::LocalRule;
pub use newton::{ConeNewton, ConeNewtonSettings};
pub use operator::Delassus;
pub use problem::{ConeError, ConeProblem, UnilateralContact};
pub use projection::{ProjectionEnd, ProjectionPart, ProjectionProgram, QuadraticProjection};
pub use rigid::{ContactRows, RigidOperator};
pub use staggered::{Staggered, StaggeredSettings};
