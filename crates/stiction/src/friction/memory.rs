//! Slip memory.

/// Whether a contact moves, judged by slip accumulated from its anchor, not by one tick's slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SlipState {
    /// No normal force: carries no friction, forgets its slip.
    #[default]
    Separated,
    /// Accumulated slip is within the micro-slip tolerance.
    Stuck,
    /// Accumulated slip goes beyond the tolerance in this step: the anchor is dragged along.
    Sliding,
}
