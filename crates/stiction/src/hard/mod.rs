//! Hard contacts: normal forces and friction of a tick as the unknowns of one problem in six dimensions.
//!
//! Penalty contacts compute normal forces before the step and must be soft for that. Here they follow from the step itself, so that a contact
//! may be as stiff as its part is. Derived by us; the idea of a compliant, unilateral contact inside the time step is that of Drake's
//! contact solvers (A. Castro et al., *An Unconstrained Convex Formulation of Compliant Contact*, 2022), that of slip memory our own.
//!
//! | symbol | meaning |
//! |---|---|
//! | q = (Δx, Δω) | the step of the held part (m, rad) |
//! | f, A | the wrench without contacts, and how it falls with the step: A is symmetric and positive definite (N/m, N m/rad) |
//! | δ_i | depth of contact i before the step (m); negative for a point that is still outside but within reach |
//! | J_i = (n_i, r_i × n_i) | n_i the unit direction in which the depth falls, by the distance field's own gradient |
//! | k_i | stiffness of the contact (N/m) |
//! | G_i | the columns (t, r_i × t) of two unit tangents |
//! | s_i | slip that the contact remembers (m): see `memory.rs` |
//! | F_i, β_i | normal force and friction (N) |
//!
//! ```text
//! f - A q + Σ J_i F_i + Σ G_i β_i = 0                                               (1) balance
//! F_i = k_i max(0, δ_i - J_iᵀq)                                                     (2) a contact pushes and never pulls
//! β_i = -µ_i F_i u_i/√(‖u_i‖² + η²),   u_i = G_iᵀq + s_i                            (3) Coulomb's law, the limit with this step's own force
//! ```
//!
//! (3) is Coulomb's law but for η, a millionth of the slip memory's length ε: some picometres. For fixed limits µ_iF_i, (1)-(3) say that q minimises
//!
//! ```text
//! ½ qᵀA q - fᵀq + Σ ½ k_i max(0, δ_i - J_iᵀq)² + Σ L_i √(‖u_i‖² + η²)               (4) convex
//! ```
//!
//! With the limits of the step's own normal forces there is no such function (friction is not associated), but self-locking wedges hold and
//! release where they should, which they do not when limits lag behind. `newton.rs` solves (1)-(3) within a budget of passes over the
//! contacts; `verify.rs` checks its answers and shares no code with it. `margin.rs` tells how far µ could fall.

mod margin;
mod memory;
mod newton;
mod problem;
pub mod verify;

pub(crate) use margin::HardLimit;
pub(crate) use memory::{Memory, Recalled};
pub(crate) use newton::{Budget, Effort, Newton};
pub use newton::{Ending, HardAnswer};
pub use problem::{HardContact, HardProblem};
