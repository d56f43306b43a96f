//! The engine behind the seam.

use crate::contact::FrictionState;
use crate::engine::VolumeEngine;
use crate::patch::MOST_OUTLINE;
use crate::tick::VolumeTick;
use stiction::columns::{Column, Row};
use stiction::friction::SlipState;
use stiction::simulation::{ContactArea, HandInput, HandTick, Simulation};
use stiction::spatial::{Pose, Vec3};

impl Simulation for VolumeEngine {
    fn hand_count(&self) -> usize {
        VolumeEngine::hand_count(self)
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

    fn place(&mut self, hand: usize, pose: &Pose) -> bool {
        VolumeEngine::place(self, hand, pose)
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }

    fn areas(&self, each: &mut dyn FnMut(&ContactArea)) {
        for contact in self.contacts() {
            let axes = &contact.axes;
            let mut outline = [Vec3::zeros(); MOST_OUTLINE];
            for (to, from) in outline.iter_mut().zip(&contact.outline[..contact.corners]) {
                *to = axes.origin + axes.lift(from);
            }
            each(&ContactArea {
                bodies: contact.bodies,
                id: u64::from(contact.pieces[0]) << 32 | u64::from(contact.pieces[1]),
                outline: &outline[..contact.corners],
                normal: axes.n,
                centre: axes.origin + axes.lift(&contact.centre_of_pressure()),
                normal_force: contact.normal_force,
                friction: contact.friction,
                torsion: contact.torsion,
                depth: contact.depth,
                state: match contact.state {
                    _ if contact.normal_force <= 0.0 => SlipState::Separated,
                    FrictionState::Static => SlipState::Stuck,
                    FrictionState::Dynamic => SlipState::Sliding,
                },
            });
        }
    }

    fn held_body(&self, hand: usize) -> Option<usize> {
        self.held(hand)
    }

    fn grab(&mut self, hand: usize, body: Option<usize>) -> bool {
        VolumeEngine::grab(self, hand, body)
    }

    fn go_on_from(&mut self, other: &dyn Simulation) {
        if let Some(other) = other.as_any().downcast_ref::<VolumeEngine>() {
            VolumeEngine::go_on_from(self, other);
        }
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
