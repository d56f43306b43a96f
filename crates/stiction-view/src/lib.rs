//! The live viewer's server.
#![forbid(unsafe_code)]

pub mod browser;
pub mod display;
pub mod port;
