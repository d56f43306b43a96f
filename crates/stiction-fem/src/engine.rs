//! The engine behind the seam: a world of deformable and rigid bodies, and its hands.

use crate::tick::DeformableTick;
use crate::world::{DeformableWorld, HandMotion};
use stiction::columns::{Column, Row};
use stiction::friction::SlipState;
use stiction::simulation::{HandInput, HandTick, Simulation};
use stiction::spatial::{Pose, Vec3, Vec6, halves, join};
use stiction::trace::{ContactTrace, Flags};

/// The most hands of a world.
pub const MOST_HANDS: usize = 2;

/// A [`DeformableWorld`] as the rest of the house sees it.
#[derive(Clone, Debug)]
pub struct DeformableEngine {
    world: DeformableWorld,
    hands: [HandMotion; MOST_HANDS],
    last: [DeformableTick; MOST_HANDS],
    ticks: u64,
}

impl DeformableEngine {
    /// The engine of a world; hands beyond [`MOST_HANDS`] hold nothing.
    pub fn new(world: DeformableWorld) -> Self {
        let mut engine = DeformableEngine {
            hands: [HandMotion::at(Pose::identity()); MOST_HANDS],
            last: [DeformableTick::blank(&Pose::identity()); MOST_HANDS],
            ticks: 0,
            world,
        };
        for hand in 0..engine.hand_count() {
            engine.begin(hand);
        }
        engine
    }

    /// The world.
    pub fn world(&self) -> &DeformableWorld {
        &self.world
    }

    /// What the last tick did at a hand.
    pub fn last(&self, hand: usize) -> &DeformableTick {
        &self.last[hand.min(MOST_HANDS - 1)]
    }

    fn body_of(&self, hand: usize) -> usize {
        self.world.grips().nth(hand).map_or(0, |grip| grip.body)
    }

    fn begin(&mut self, hand: usize) {
        let state = self.world.state(self.body_of(hand));
        self.hands[hand] = HandMotion::at(state.pose());
        self.last[hand] = DeformableTick::blank(&state.pose());
        self.last[hand].hand.centre = state.frame.centre;
    }

    /// What a hand does, its velocity told at the body's centre of mass; the last one where it is not finite.
    fn take(&mut self, hand: usize, input: &HandInput) -> Flags {
        let numbers = input.pose.translation.vector.iter().chain(input.pose.rotation.coords.iter());
        let mut flags = Flags::default();
        if numbers.chain(input.twist.iter()).all(|x| x.is_finite()) {
            let centre = self.world.state(self.body_of(hand)).mass.centre;
            let (velocity, spin) = halves(&input.twist);
            let arm = input.pose.rotation * centre;
            self.hands[hand].pose = input.pose;
            self.hands[hand].twist = join(velocity + spin.cross(&arm), spin);
        } else {
            self.hands[hand].twist = Vec6::zeros();
            flags = Flags(flags.0 | Flags::BAD_HAND.0);
        }
        let sound = input.load.iter().all(|x| x.is_finite());
        self.hands[hand].load = if sound { input.load } else { Vec6::zeros() };
        if !sound {
            flags = Flags(flags.0 | Flags::BAD_LOAD.0);
        }
        flags
    }
}

impl Simulation for DeformableEngine {
    fn hand_count(&self) -> usize {
        self.world.grips().len().min(MOST_HANDS)
    }

    fn tick(&mut self, hands: &[HandInput], period: f64) {
        self.world.set_period(period);
        let count = self.hand_count();
        let mut flags = [Flags::default(); MOST_HANDS];
        for hand in 0..count {
            flags[hand] = self.take(hand, hands.get(hand).unwrap_or(&HandInput::unknown()));
        }
        self.world.step(&self.hands[..count]);
        let report = *self.world.report();
        let kinetic = self.world.kinetic_energy();
        for hand in 0..count {
            let body = self.body_of(hand);
            let state = self.world.state(body);
            let own =
                self.world.contacts().filter(|(c, f)| f.x > 0.0 && c.contact.sides.iter().any(|s| s.body == body));
            let mut all = flags[hand].0;
            if !report.solved {
                all |= Flags::UNDECIDED.0;
            }
            let weight = join(state.mass.mass * self.world.settings().gravity, Vec3::zeros());
            self.last[hand] = DeformableTick {
                hand: HandTick {
                    tick: self.ticks,
                    hand: self.hands[hand].pose,
                    body: state.pose(),
                    centre: state.frame.centre,
                    wrench: -self.world.grip_wrench(hand),
                    load: weight + self.hands[hand].load,
                    contacts: own.count() as u32,
                    flags: Flags(all),
                    known_loads: Default::default(),
                },
                step: report,
                deformation: self.world.deformation(body).iter().map(Vec3::norm).fold(0.0, f64::max),
                kinetic,
            };
        }
        self.ticks += 1;
    }

    fn hand(&self, hand: usize) -> HandTick {
        self.last(hand).hand
    }

    fn columns(&self) -> &[Column] {
        DeformableTick::columns()
    }

    fn record(&self, hand: usize, row: &mut Row) {
        row.clear();
        self.last(hand).put(row);
    }

    fn body_count(&self) -> usize {
        self.world.body_count()
    }

    fn body(&self, body: usize) -> Pose {
        if body < self.world.body_count() { self.world.state(body).pose() } else { Pose::identity() }
    }

    fn place(&mut self, hand: usize, pose: &Pose) -> bool {
        let placed = hand < self.hand_count() && self.world.place(self.body_of(hand), pose);
        if placed {
            self.begin(hand);
        }
        placed
    }

    fn fork(&self) -> Box<dyn Simulation> {
        let mut copy = self.clone();
        copy.world.reserve();
        Box::new(copy)
    }

    fn contacts(&self, hand: usize, each: &mut dyn FnMut(&ContactTrace)) {
        let body = self.body_of(hand);
        for (near, force) in self.world.contacts() {
            let Some(side) = near.contact.sides.iter().position(|s| s.body == body) else { continue };
            let sign = if side == 0 { 1.0 } else { -1.0 };
            let axes = near.contact.frame.transpose();
            let friction = sign * (axes * Vec3::new(0.0, force.y, force.z));
            let limit = self.world.settings().friction * force.x;
            each(&ContactTrace {
                id: near.id,
                position: near.contact.sides[side].point,
                normal: sign * axes.column(0),
                depth: -near.gap,
                normal_force: force.x,
                friction,
                limit,
                slip: Vec3::zeros(),
                remembered: Vec3::zeros(),
                work: 0.0,
                state: match force.x {
                    n if !(n > 0.0) => SlipState::Separated,
                    _ if friction.norm() < limit * (1.0 - 1e-6) => SlipState::Stuck,
                    _ => SlipState::Sliding,
                },
            });
        }
    }

    fn held_body(&self, hand: usize) -> Option<usize> {
        Some(self.body_of(hand))
    }

    fn surface(&self, body: usize) -> Option<&[Vec3]> {
        let deforms = body < self.world.body_count() && self.world.deforms(body);
        deforms.then(|| self.world.vertices(body))
    }

    fn go_on_from(&mut self, other: &dyn Simulation) {
        for hand in 0..self.hand_count().min(other.hand_count()) {
            self.place(hand, &other.hand(hand).body);
        }
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
