//! Scenes with a device: `stiction run --device`, `stiction record`, and what is done with recordings.
//!
//! [`args`] are the flags, [`drive`] runs the loop, [`told`] says what happened, [`replay`], [`export`] and [`info`] read recordings.

pub mod args;
mod drive;
pub mod export;
pub mod info;
pub mod record;
pub mod replay;
pub mod told;

pub use args::LiveArgs;
pub use drive::drive;
