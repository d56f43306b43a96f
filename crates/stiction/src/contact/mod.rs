//! Contacts between the held part and its environment: penalty forces, their stiffness budget, which of them separate, and
//! the problem that they pose to a friction solver.

mod axes;
pub mod budget;
pub mod penalty;
mod problem;
pub mod separating;
mod touches;

pub(crate) use axes::Axes;
pub(crate) use problem::{Block, LANES, Lane};
pub use problem::{Contact, ContactId, ContactProblem, Load, ProblemError};
pub(crate) use touches::{Placed, Touches};
