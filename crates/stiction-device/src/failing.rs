//! An engine that fails on purpose: for tests of what a loop does then.

use stiction::columns::{Column, Row};
use stiction::simulation::{HandInput, HandTick, Simulation};
use stiction::spatial::Pose;

/// Another engine that panics after so many more ticks, without telling anybody.
#[derive(Debug)]
pub struct FailingSimulation {
    inner: Box<dyn Simulation>,
    ticks_left: u32,
}

impl FailingSimulation {
    /// `inner`, until it has made `ticks` more ticks.
    pub fn new(inner: Box<dyn Simulation>, ticks: u32) -> Self {
        FailingSimulation { inner, ticks_left: ticks }
    }
}

impl Simulation for FailingSimulation {
    fn hand_count(&self) -> usize {
        self.inner.hand_count()
    }

    fn tick(&mut self, hands: &[HandInput], period: f64) {
        match self.ticks_left.checked_sub(1) {
            Some(left) => self.ticks_left = left,
            // Unlike `panic!`, it prints nothing.
            None => std::panic::resume_unwind(Box::new(())),
        }
        self.inner.tick(hands, period);
    }

    fn hand(&self, hand: usize) -> HandTick {
        self.inner.hand(hand)
    }

    fn columns(&self) -> &[Column] {
        self.inner.columns()
    }

    fn record(&self, hand: usize, row: &mut Row) {
        self.inner.record(hand, row);
    }

    fn body_count(&self) -> usize {
        self.inner.body_count()
    }

    fn body(&self, body: usize) -> Pose {
        self.inner.body(body)
    }

    fn place(&mut self, hand: usize, pose: &Pose) -> bool {
        self.inner.place(hand, pose)
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(FailingSimulation::new(self.inner.fork(), self.ticks_left))
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
