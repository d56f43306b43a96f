//! What tests of several crates share. Only ever a dev-dependency.
//!
//! [`alloc`] counts allocations: a test installs [`alloc::Counting`] as its global allocator and compares counts.

pub mod alloc;
