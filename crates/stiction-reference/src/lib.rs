//! Literal friction programs in general solvers.

pub mod families;
