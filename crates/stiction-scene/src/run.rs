//! A scene in motion.

use crate::driven::{DrivenEngine, FormationDriver};
use crate::motion::MotionTally;
use crate::summary::{Summary, Tally};
use crate::{EngineKind, Hand, LoadSum, SceneError, World};
use stiction::columns::Row;
use stiction::simulation::HandInput;
use stiction::spatial::Vec6;
use stiction::tick::{ContactModel, Engine};
use stiction::trace::Trace;

/// Drives an engine along a scene's hands and loads, one tick of 1/rate s a step. Steps allocate nothing.
pub struct Run<E = Engine> {
    engine: E,
    hands: Vec<(Hand, LoadSum)>,
    inputs: Vec<HandInput>,
    rate: f64,
    seconds: f64,
    ticks: u64,
    tally: Tally,
}

impl World {
    /// A run of the quasi-static engine from the scene's start.
    ///
    /// # Errors
    /// [`SceneError::Engine`] where the engine refuses the settings, [`SceneError::TwoHands`] for a scene with two hands, [`SceneError::OtherEngine`] for one with another engine.
    pub fn run(&self) -> Result<Run, SceneError> {
        let scene = &self.scene;
        if scene.hands().len() > 1 {
            return Err(SceneError::TwoHands);
        }
        if scene.engine != EngineKind::QuasiStatic {
            let asked = EngineKind::QuasiStatic.word();
            return Err(SceneError::OtherEngine { scene: scene.engine.word(), asked });
        }
        let engine = self.engine()?;
        Ok(Run::new(self, engine, self.tally(scene.rate)))
    }

    /// A run of the engine of contact formations from the scene's start.
    ///
    /// # Errors
    /// As [`formation_engine`](Self::formation_engine).
    pub fn formation_run(&self) -> Result<Run<FormationDriver>, SceneError> {
        let driver = FormationDriver::new(self.formation_engine()?);
        // A part that sticks is shown where it sticks: it has nothing to spring back by.
        let motion = MotionTally::new(self.scene.rate, FormationDriver::MOST_CONTACTS, false);
        Ok(Run::new(self, driver, Tally::new(self.scene.rate, motion)))
    }

    /// Sums up the ticks of a quasi-static engine of this scene, at a rate (Hz).
    pub fn tally(&self, rate: f64) -> Tally {
        let points = self.held.shell.points().len() + self.fixed.shell.points().len();
        let model = self.scene.settings.contact_model();
        let hard = matches!(model, ContactModel::Hard | ContactModel::Unilateral);
        Tally::new(rate, MotionTally::new(rate, points, hard))
    }
}

impl<E: DrivenEngine> Run<E> {
    pub(crate) fn new(world: &World, engine: E, tally: Tally) -> Run<E> {
        let scene = &world.scene;
        let hands: Vec<_> = (0..).zip(scene.hands()).map(|(i, hand)| (hand.motion.clone(), scene.load_of(i))).collect();
        Run {
            engine,
            inputs: vec![HandInput::unknown(); hands.len()],
            hands,
            rate: scene.rate,
            seconds: scene.seconds,
            ticks: 0,
            tally,
        }
    }

    /// Computes one tick and takes it into the sums. Goes on after the scene's end, with the hand at rest there.
    pub fn step(&mut self) -> &Trace {
        self.tick();
        self.sum_motion();
        self.engine.last_trace()
    }

    /// The same in two halves, for those who time ticks: this computes one, with the hash of its row.
    pub fn tick(&mut self) -> &Trace {
        let t = self.time();
        for (input, (hand, load)) in self.inputs.iter_mut().zip(&self.hands) {
            let twist = if E::USES_VELOCITY { hand.twist(t) } else { Vec6::zeros() };
            *input = HandInput { twist, load: load.at(t), ..HandInput::at(hand.pose(t)) };
        }
        self.engine.drive(&self.inputs, 1.0 / self.rate);
        self.tally.add_row(self.engine.last_trace(), &self.engine.last_row());
        self.ticks += 1;
        self.engine.last_trace()
    }

    /// Takes the part's motion in the last tick into the sums: once after each [`tick`](Self::tick).
    pub fn sum_motion(&mut self) {
        let engine = &self.engine;
        self.tally.add_motion(engine.last_trace(), || engine.last_contacts());
    }

    /// The trace of the last tick.
    pub fn trace(&self) -> &Trace {
        self.engine.last_trace()
    }

    /// The last tick as a row of the engine's columns.
    pub fn row(&self) -> Row {
        self.engine.last_row()
    }

    /// The engine that is driven.
    pub fn engine(&self) -> &E {
        &self.engine
    }

    /// The engine, to be told something between ticks.
    pub fn engine_mut(&mut self) -> &mut E {
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
