//! Contacts between the held part and its environment, and the problem they pose to a friction solver.

mod problem;

pub(crate) use problem::{Block, LANES, Lane};
pub use problem::{Contact, ContactId, ContactProblem, Load, ProblemError};
