//! The quasi-static engine behind the seam: one hand, a held and a fixed part.

use super::{Cycle, Engine};
use crate::columns::{Column, Row};
use crate::probe::Probe;
use crate::simulation::{HandInput, HandTick, Simulation};
use crate::spatial::{Frame, Mat6, Pose};
use crate::trace::{ContactTrace, Trace};
use std::sync::Arc;

impl Simulation for Engine {
    fn hand_count(&self) -> usize {
        1
    }

    /// The part has no velocity: neither the hand's twist nor the period changes anything.
    fn tick(&mut self, hands: &[HandInput], _period: f64) {
        let hand = hands.first().copied().unwrap_or(HandInput::unknown());
        Engine::tick(self, &hand.pose, &hand.load);
    }

    fn hand(&self, _hand: usize) -> HandTick {
        self.trace().hand_tick()
    }

    fn columns(&self) -> &[Column] {
        Trace::columns()
    }

    fn record(&self, _hand: usize, row: &mut Row) {
        row.clear();
        self.trace().put(row);
    }

    /// The held part, then the fixed one.
    fn body_count(&self) -> usize {
        2
    }

    fn body(&self, body: usize) -> Pose {
        if body == 0 { self.trace().part } else { *self.world_from_fixed() }
    }

    fn place(&mut self, _hand: usize, pose: &Pose) -> bool {
        Engine::place(self, pose)
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }

    fn contacts(&self, _hand: usize, each: &mut dyn FnMut(&ContactTrace)) {
        Engine::contacts(self).for_each(|contact| each(&contact));
    }

    fn probe(&self, _hand: usize) -> Option<Probe> {
        Some(Engine::probe(self))
    }

    fn copy_to(&self, _hand: usize, probe: &mut Probe) {
        Engine::copy_to(self, probe);
    }

    /// That of the coupling, with the part where it is: the derivative of its torque by a rotation of the hand is the transpose of that by a rotation of the part, with the sign turned,
    /// as θ = log(R_m R_sᵀ) has the left Jacobian on one side and the right one on the other; and the hand feels the negative of it.
    fn felt_stiffness(&self, _hand: usize) -> Option<Mat6> {
        let hand = Frame::of(&self.trace().hand, &self.state.held.mass.centre);
        Some(self.state.settings.coupling.pull(&hand, &self.state.part).stiffness.transpose())
    }

    fn coarse_ticks(&self) -> u64 {
        Engine::coarse_ticks(self)
    }

    fn go_on_from(&mut self, other: &dyn Simulation) {
        match other.as_any().downcast_ref::<Engine>() {
            Some(engine) => Engine::go_on_from(self, engine),
            None => {
                self.place(&other.hand(0).body);
            }
        }
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl Engine {
    /// Goes on from where another engine is. With the same shapes and the same kind of contacts, contacts keep the slip that they remember, so that a part
    /// that is held stays held through a change of settings.
    pub fn go_on_from(&mut self, other: &Engine) {
        self.place(&other.trace().part);
        let same = |a: &Arc<_>, b: &Arc<_>| Arc::ptr_eq(a, b);
        if !(same(&self.state.held, &other.state.held) && same(&self.state.fixed, &other.state.fixed)) {
            return;
        }
        match (&mut self.cycle, &other.cycle) {
            (Cycle::Hard(hard), Cycle::Hard(from)) => hard.remember_as(from),
            (Cycle::Penalty(_), Cycle::Penalty(_)) if self.state.settings.shell_on == other.state.settings.shell_on => {
                self.state.solver.copy_memory_from(&other.state.solver);
            }
            _ => {}
        }
    }
}
