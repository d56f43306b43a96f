//! The engine behind the seam: one hand, a held and a fixed part.

use crate::contact::{ContactKind, PrincipalContact};
use crate::engine::FormationEngine;
use crate::friction::FrictionRule;
use crate::tick::FormationTick;
use stiction::columns::{Column, Row};
use stiction::contact::ContactId;
use stiction::friction::SlipState;
use stiction::simulation::{HandInput, HandTick, Simulation};
use stiction::spatial::{Pose, Vec3};
use stiction::trace::ContactTrace;

impl FormationEngine {
    /// The contacts of the last tick, each at the point where its force acts, in the world. Allocates nothing.
    pub fn contact_traces(&self) -> impl Iterator<Item = ContactTrace> {
        let (frame, settings) = (self.world_from_fixed(), self.settings());
        self.last().contacts().map(move |(touch, force)| {
            let sliding = force.rule == FrictionRule::Dynamic;
            let mu = if sliding { settings.mu_kinetic } else { settings.mu_static };
            let state = match sliding {
                _ if force.normal_force <= 0.0 => SlipState::Separated,
                true => SlipState::Sliding,
                false => SlipState::Stuck,
            };
            // Friction of a contact that slides is along its motion: what it went by is its work by its force.
            let went = force.friction * (force.work / force.friction.norm_squared().max(f64::MIN_POSITIVE));
            let slip = if sliding { went } else { Vec3::zeros() };
            ContactTrace {
                id: touch.contact.id(),
                position: (frame * nalgebra::Point3::from(force.point)).coords,
                normal: frame.rotation * touch.normal,
                depth: -touch.gap,
                normal_force: force.normal_force,
                friction: frame.rotation * force.friction,
                limit: mu * force.normal_force,
                slip: frame.rotation * slip,
                remembered: frame.rotation * force.displacement,
                work: force.work,
                state,
            }
        })
    }
}

impl PrincipalContact {
    /// The number by which contacts of all engines are known: which kind, which element of the held and which of the fixed part.
    pub fn id(&self) -> ContactId {
        ContactId((self.kind as u64) << 48 | u64::from(self.a) << 24 | u64::from(self.b))
    }
}

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
        self.contact_traces().for_each(|contact| each(&contact));
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
