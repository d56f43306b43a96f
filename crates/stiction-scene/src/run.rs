//! A scene in motion.

use crate::motion::MotionTally;
use crate::summary::{Summary, Tally};
use crate::{Hand, LoadSum, SceneError, World};
use stiction::tick::{ContactModel, Engine};
use stiction::trace::Trace;

/// Drives an engine along a scene's hand and load, one tick of 1/rate s a step. Steps allocate nothing.
pub struct Run {
    engine: Engine,
    hand: Hand,
    load: LoadSum,
    rate: f64,
    seconds: f64,
    ticks: u64,
    tally: Tally,
}

impl World {
    /// A run from the scene's start.
    ///
    /// # Errors
    /// [`SceneError::Engine`] where the engine refuses the settings, [`SceneError::TwoHands`] for a scene with two hands.
    pub fn run(&self) -> Result<Run, SceneError> {
        let scene = &self.scene;
        if scene.hands().len() > 1 {
            return Err(SceneError::TwoHands);
        }
        let engine = self.engine()?;
        Ok(Run {
            engine,
            hand: scene.hand().clone(),
            load: scene.load(),
            rate: scene.rate,
            seconds: scene.seconds,
            ticks: 0,
            tally: self.tally(scene.rate),
        })
    }

    /// Sums up the ticks of an engine of this scene, at a rate (Hz).
    pub fn tally(&self, rate: f64) -> Tally {
        let points = self.held.shell.points().len() + self.fixed.shell.points().len();
        let hard = self.scene.settings.contact_model() == ContactModel::Hard;
        Tally::new(rate, MotionTally::new(rate, points, hard))
    }
}

impl Run {
    /// Computes one tick. Goes on after the scene's end, with the hand at rest there.
    pub fn step(&mut self) -> &Trace {
        let t = self.time();
        self.engine.tick(&self.hand.pose(t), &self.load.at(t));
        self.tally.add(self.engine.trace(), || self.engine.contacts());
        self.ticks += 1;
        self.engine.trace()
    }

    /// The trace of the last tick.
    pub fn trace(&self) -> &Trace {
        self.engine.trace()
    }

    /// The engine that is driven.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, to be told something between ticks.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Time of the next tick (s).
    pub fn time(&self) -> f64 {
        self.ticks as f64 / self.rate
    }

    /// Number of ticks so far.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Whether the scene's time is over.
    pub fn finished(&self) -> bool {
        self.time() >= self.seconds
    }

    /// Sums and extremes over the ticks so far.
    pub fn summary(&self) -> Summary {
        self.tally.summary()
    }
}
