//! An engine whose ticks are summed up, as those of a run without a device are: with the same [`Tally`].

use crate::slow_engine::SlowEngine;
use stiction::columns::{Column, Row};
use stiction::pair::Pair;
use stiction::probe::Probe;
use stiction::simulation::{HandInput, HandTick, Simulation};
use stiction::spatial::{Mat6, Pose, Vec3};
use stiction::tick::Engine;
use stiction::trace::ContactTrace;
use stiction_scene::{Summary, Tally};

/// An engine with a [`Tally`] of the ticks of each hand. Engines other than the quasi-static ones have none: they are only passed on.
#[derive(Clone)]
pub struct SummedEngine {
    engine: Box<dyn Simulation>,
    tallies: Vec<Tally>,
}

impl SummedEngine {
    /// Sums up the ticks of an engine, with a tally like this for each hand.
    pub(crate) fn new(engine: Box<dyn Simulation>, tally: &Tally) -> SummedEngine {
        let known = (0..engine.hand_count()).filter(|hand| quasi_static(&*engine, *hand).is_some());
        let tallies = known.map(|_| tally.clone()).collect();
        SummedEngine { engine, tallies }
    }

    /// What happened at each hand so far, by an engine that may be a [`SummedEngine`] or run one beside the loop: empty if it is neither, or an engine that is not summed up. To be asked outside of
    /// the loop. With two hands, a part's motion is told as the other part sees it.
    pub fn summaries(engine: &dyn Simulation) -> Vec<Summary> {
        let any = engine.as_any();
        match (any.downcast_ref::<SummedEngine>(), any.downcast_ref::<SlowEngine>()) {
            (Some(summed), _) => summed.tallies.iter().map(Tally::summary).collect(),
            (_, Some(slow)) => SummedEngine::summaries(&*slow.engine()),
            _ => Vec::new(),
        }
    }
}

/// The quasi-static engine of a hand. One of a pair tells its tick in the axes of the other part.
fn quasi_static(engine: &dyn Simulation, hand: usize) -> Option<&Engine> {
    let any = engine.as_any();
    match any.downcast_ref::<Pair>() {
        Some(pair) => pair.engines().get(hand),
        None => any.downcast_ref::<Engine>(),
    }
}

impl std::fmt::Debug for SummedEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SummedEngine").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl Simulation for SummedEngine {
    fn hand_count(&self) -> usize {
        self.engine.hand_count()
    }

    fn tick(&mut self, hands: &[HandInput], period: f64) {
        self.engine.tick(hands, period);
        for (hand, tally) in self.tallies.iter_mut().enumerate() {
            if let Some(engine) = quasi_static(&*self.engine, hand) {
                tally.add(engine.trace(), &engine.trace().row(), || engine.contacts());
            }
        }
    }

    fn hand(&self, hand: usize) -> HandTick {
        self.engine.hand(hand)
    }

    fn columns(&self) -> &[Column] {
        self.engine.columns()
    }

    fn record(&self, hand: usize, row: &mut Row) {
        self.engine.record(hand, row);
    }

    fn body_count(&self) -> usize {
        self.engine.body_count()
    }

    fn body(&self, body: usize) -> Pose {
        self.engine.body(body)
    }

    fn place(&mut self, hand: usize, pose: &Pose) -> bool {
        self.engine.place(hand, pose)
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }

    fn contacts(&self, hand: usize, each: &mut dyn FnMut(&ContactTrace)) {
        self.engine.contacts(hand, each);
    }

    fn probe(&self, hand: usize) -> Option<Probe> {
        self.engine.probe(hand)
    }

    fn copy_to(&self, hand: usize, probe: &mut Probe) {
        self.engine.copy_to(hand, probe);
    }

    fn surface(&self, body: usize) -> Option<&[Vec3]> {
        self.engine.surface(body)
    }

    fn felt_stiffness(&self, hand: usize) -> Option<Mat6> {
        self.engine.felt_stiffness(hand)
    }

    fn expect(&mut self, hand: usize, recorded: &Row) {
        self.engine.expect(hand, recorded);
    }

    fn coarse_ticks(&self) -> u64 {
        self.engine.coarse_ticks()
    }

    fn go_on_from(&mut self, other: &dyn Simulation) {
        let other = other.as_any().downcast_ref::<SummedEngine>().map_or(other, |summed| &*summed.engine);
        self.engine.go_on_from(other);
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
