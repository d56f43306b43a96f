//! The live viewer's server.
#![forbid(unsafe_code)]
