//! Literal friction programs in general solvers.
