//! Contacts between the held part and its environment, and the problem they pose to a friction solver.

mod problem;

pub(crate) use problem::{Block, LANES};
pub use problem::{Contact, ContactId, ContactProblem, Load, ProblemError};
