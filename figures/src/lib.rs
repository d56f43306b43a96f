//! Figures, run again: each of the friction paper's experiments that we repeat, and our own, in a folder of its own
//! (`figures/<name>/figure.rs` with its `README.md`), and the harness that runs them.
//!
//! A figure's README has its claim, experiment and tolerance, written before the first run; [`Figure::claim`] and its like read them
//! from there, so that there is one text. Its `run` measures and returns an [`FigureOutcome`]: tables, plots, and [`Check`]s, each a measured
//! number beside its bound. The verdict follows from the checks alone. [`write()`](write::write) makes one page of it all.

mod check;
mod clock;
mod figure;
mod industry;
mod lab;
mod machine;
mod page;
mod peers;
pub mod plot;
mod registry;
pub mod render;
pub mod rivals;
mod stats;
mod table;
pub mod volume_worlds;
pub mod write;

pub use check::{Check, FigureVerdict};
pub use figure::{Context, Figure, FigureError, FigureOutcome, FigureReport, Picture};
pub use machine::machine;
pub use registry::{ALL, find};
pub use table::FigureTable;
