//! Why a command did not end well.

use crate::stop;
use std::borrow::Cow;

/// Errors from running a command, with their exit codes.
#[derive(Debug)]
pub enum Failure {
    /// The flags contradict each other: shown as the parser shows its own errors.
    Usage(String),
    /// A figure was missed; already reported.
    Missed,
    /// The user stopped it; the words say what became of the files.
    Stopped(Cow<'static, str>),
    /// Anything else.
    Other(String),
}

impl Failure {
    /// The user stopped it; the words say what became of the files.
    pub const fn stopped(words: &'static str) -> Self {
        Failure::Stopped(Cow::Borrowed(words))
    }

    /// Whatever failed after the user asked to stop failed because of that.
    pub fn or_stopped(self, words: &'static str) -> Self {
        if stop::asked() { Failure::stopped(words) } else { self }
    }
}

/// Any other error is told by its own message.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Other(error.to_string())
    }
}
