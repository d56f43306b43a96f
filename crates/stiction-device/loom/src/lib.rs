//! The hand-over of the servo loop, for loom.

#[path = "../../src/handover.rs"]
pub mod handover;
