//! The engine behind the seam.

use crate::engine::VolumeEngine;
use crate::tick::VolumeTick;
use stiction::columns::{Column, Row};
use stiction::simulation::{HandInput, HandTick, Simulation};
use stiction::spatial::Pose;

impl Simulation for VolumeEngine {
    fn hand_count(&self) -> usize {
        self.hands.len()
    }

    fn tick(&mut self, hands: &[HandInput], _period: f64) {
        VolumeEngine::tick(self, hands);
    }

    fn hand(&self, hand: usize) -> HandTick {
        self.last(hand).hand
    }

    fn columns(&self) -> &[Column] {
        VolumeTick::columns()
    }

    fn record(&self, hand: usize, row: &mut Row) {
        row.clear();
        self.last(hand).put(row);
    }

    fn body_count(&self) -> usize {
        self.bodies().len()
    }

    fn body(&self, body: usize) -> Pose {
        self.bodies().get(body).map_or_else(Pose::identity, |b| b.pose)
    }

    fn place(&mut self, _hand: usize, _pose: &Pose) -> bool {
        false
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
