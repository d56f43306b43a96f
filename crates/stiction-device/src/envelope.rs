//! The safety envelope: the last thing before any device.

use crate::device::{Caps, State};
use stiction::spatial::Vec6;

/// A wrench that has been through the envelope. Only [`Envelope`] makes one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SafeWrench(Vec6);

impl SafeWrench {
    /// Nothing: safe at any time.
    pub const ZERO: SafeWrench = SafeWrench(Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0));

    /// Force (N) and torque (N m) on the hand.
    pub fn wrench(&self) -> &Vec6 {
        &self.0
    }

    #[cfg(test)]
    pub(crate) fn for_test(wrench: Vec6) -> Self {
        SafeWrench(wrench)
    }
}

/// What may be sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {}

impl Limits {
    /// Limits that suit a device.
    pub fn of(_caps: &Caps) -> Self {
        Limits {}
    }
}

/// What the loop knows in a cycle, besides what it asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The host's or the virtual clock at the start of this cycle (ns).
    pub now: u64,
    /// The device's measurement; none where reading failed.
    pub state: Option<State>,
    /// How far behind its deadline this cycle is (s).
    pub late: f64,
}

/// The safety envelope.
#[derive(Clone, Debug)]
pub struct Envelope {}

impl Envelope {
    /// An envelope for cycles of `period` s.
    pub fn new(_limits: Limits, _period: f64) -> Self {
        Envelope {}
    }

    /// What may be sent of what is asked for (none where the engine had no answer).
    pub fn pass(&mut self, _asked: Option<&Vec6>, _seen: &Seen) -> SafeWrench {
        SafeWrench::ZERO
    }
}
