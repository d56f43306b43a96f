//! How a long computation tells how far it is, and is told to stop.

/// Told by a computation what it does; asked by it whether to go on. Called from many threads.
pub trait Progress: Sync {
    /// A stage begins, with so many steps of work in it.
    fn stage(&self, name: &'static str, steps: u64);
    /// So many steps of the current stage are done.
    fn advance(&self, steps: u64);
    /// Whether the user wants to stop.
    fn cancelled(&self) -> bool;
}

/// Progress that is shown nowhere and never cancels the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// The user stopped a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Cancelled;
