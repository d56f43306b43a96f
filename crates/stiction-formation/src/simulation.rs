//! The engine behind the seam: one hand, a held and a fixed part.

use crate::contact::ContactKind;
use crate::engine::FormationEngine;
use crate::friction::FrictionRule;
use crate::tick::FormationTick;
use stiction::columns::{Column, Row};
use stiction::contact::ContactId;
use stiction::friction::SlipState;
use stiction::simulation::{HandInput, HandTick, Simulation};
use stiction::spatial::Pose;
use stiction::trace::ContactTrace;

impl Simulation for FormationEngine {
    fn hand_count(&self) -> usize {
        1
    }

    fn tick(&mut self, hands: &[HandInput], period: f64) {
        let hand = hands.first().copied().unwrap_or(HandInput::unknown());
        FormationEngine::tick(self, &hand.pose, &hand.load, period);
    }

    fn hand(&self, _hand: usize) -> HandTick {
        self.last().hand_tick()
    }

    fn columns(&self) -> &[Column] {
        FormationTick::columns()
    }

    fn record(&self, _hand: usize, row: &mut Row) {
        row.clear();
        self.last().put(row);
    }

    /// The held part, then the fixed one.
    fn body_count(&self) -> usize {
        2
    }

    fn body(&self, body: usize) -> Pose {
        if body == 0 { self.last().body } else { *self.world_from_fixed() }
    }

    fn place(&mut self, _hand: usize, pose: &Pose) -> bool {
        FormationEngine::place(self, pose)
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }

    fn contacts(&self, _hand: usize, each: &mut dyn FnMut(&ContactTrace)) {
        let frame = self.world_from_fixed();
        let turned = |v| frame.rotation * v;
        for (touch, force) in self.last().contacts() {
            let contact = touch.contact;
            let mu = if force.rule == FrictionRule::Dynamic {
                self.settings().mu_kinetic
            } else {
                self.settings().mu_static
            };
            let state = match force.rule {
                _ if force.normal_force <= 0.0 => SlipState::Separated,
                FrictionRule::Dynamic => SlipState::Sliding,
                _ => SlipState::Stuck,
            };
            each(&ContactTrace {
                id: ContactId((contact.kind as u64) << 48 | u64::from(contact.a) << 24 | u64::from(contact.b)),
                position: (frame * nalgebra::Point3::from(force.point)).coords,
                normal: turned(touch.normal),
                depth: -touch.gap,
                normal_force: force.normal_force,
                friction: turned(force.friction),
                limit: mu * force.normal_force,
                slip: turned(force.displacement),
                remembered: turned(force.displacement),
                work: force.work,
                state,
            });
        }
    }

    fn go_on_from(&mut self, other: &dyn Simulation) {
        match other.as_any().downcast_ref::<FormationEngine>() {
            Some(engine) => FormationEngine::go_on_from(self, engine),
            None => {
                self.place(&other.hand(0).body);
            }
        }
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Every kind of contact has its number, which identities of contacts carry.
const _: () = assert!(ContactKind::ALL.len() == ContactKind::NAMES.len());
