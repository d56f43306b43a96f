//! Scenes with a device: `stiction run --device`, `stiction record`, and what is done with recordings.
//!
//! `args` are the flags, `drive` runs the loop, `outcome` says what happened, `replay`, `export` and `info` read recordings.

pub(crate) mod args;
mod drive;
pub(crate) mod export;
pub(crate) mod info;
mod outcome;
pub(crate) mod record;
pub(crate) mod replay;

pub use args::ClockWord;
pub(crate) use args::LiveArgs;
pub(crate) use drive::drive;
pub use outcome::{report, spread};
