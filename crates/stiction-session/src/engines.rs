//! The engine of a session: the one place that knows all engines.

use crate::error::SessionError;
use crate::session::Session;
use crate::slow_engine::SlowEngine;
use crate::summed_engine::SummedEngine;
use stiction::columns::Column;
use stiction::contact::penalty::ShellOn;
use stiction::pair::Pair;
use stiction::simulation::Simulation;
use stiction::spatial::{Pose, Vec3};
use stiction::tick::Engine;
use stiction::trace::Trace;
use stiction_formation::FormationTick;
use stiction_scene::EngineKind;
use stiction_volume::VolumeTick;

impl Session {
    /// The engine that the scene asks for, at the scene's start. `real_time` puts one that is slower than the loop on a thread of its own; on a virtual clock and in replays it is
    /// called here, in the ticks in which its results are due.
    ///
    /// # Errors
    /// [`SessionError`] if the engine refuses its settings, or the system makes no thread.
    pub fn simulation(&self, real_time: bool) -> Result<Box<dyn Simulation>, SessionError> {
        self.at_its_rate(self.engine()?, real_time)
    }

    /// The same, with its ticks summed up: [`SummedEngine::summaries`] tells.
    ///
    /// # Errors
    /// As [`simulation`](Self::simulation).
    pub fn summed_simulation(&self, real_time: bool) -> Result<Box<dyn Simulation>, SessionError> {
        let rate = self.world.scene.rate / self.ticks_of_loop() as f64;
        let summed = SummedEngine::new(self.engine()?, &self.world.tally(rate));
        self.at_its_rate(Box::new(summed), real_time)
    }

    fn engine(&self) -> Result<Box<dyn Simulation>, SessionError> {
        Ok(match (self.world.scene.engine, self.plan.arms) {
            (EngineKind::QuasiStatic, 2) => Box::new(self.pair()?),
            (EngineKind::QuasiStatic, _) => Box::new(self.world.engine()?),
            (EngineKind::Formation, _) => Box::new(self.world.formation_engine()?),
            (EngineKind::Volume, _) => Box::new(self.world.volume_engine()?),
        })
    }

    /// Ticks of the loop in one of the engine, at least.
    fn ticks_of_loop(&self) -> u64 {
        let scene = &self.world.scene;
        scene.engine_rate.map_or(1, |rate| (scene.rate / rate).ceil() as u64)
    }

    /// The engine, or one that runs it beside the loop where the scene has it slower than the loop.
    fn at_its_rate(&self, engine: Box<dyn Simulation>, real_time: bool) -> Result<Box<dyn Simulation>, SessionError> {
        if self.world.scene.engine_rate.is_none() {
            return Ok(engine);
        }
        let every = self.ticks_of_loop();
        let thread = |e: std::io::Error| SessionError::Plan { name: "run.engine_rate".into(), why: e.to_string() };
        let beside =
            if real_time { SlowEngine::start(engine, every).map_err(thread)? } else { SlowEngine::here(engine, every) };
        Ok(Box::new(beside))
    }

    /// The columns of a tick's row of that engine.
    pub fn columns(&self) -> Vec<Column> {
        let mut columns = match self.world.scene.engine {
            EngineKind::QuasiStatic => Trace::columns().to_vec(),
            EngineKind::Formation => FormationTick::columns().to_vec(),
            EngineKind::Volume => VolumeTick::columns().to_vec(),
        };
        columns.extend(self.world.scene.engine_rate.map(|_| SlowEngine::COLUMN));
        columns
    }

    /// Whether that engine can tell how far a part is from slipping: those of contact formations and contact volumes cannot, and one that runs beside the loop is not asked.
    pub fn has_margins(&self) -> bool {
        self.world.scene.engine == EngineKind::QuasiStatic && self.world.scene.engine_rate.is_none()
    }

    /// Two quasi-static engines on each other: each part lives in the axes of the other, which is the fixed one there. Weight comes as a load: see [`loads`](Self::loads).
    fn pair(&self) -> Result<Pair, SessionError> {
        let scene = &self.world.scene;
        let mut settings = scene.settings;
        settings.gravity = Vec3::zeros();
        let (held, fixed) = (&self.world.held, &self.world.fixed);
        let apart = scene.world_from_fixed().inv_mul(&scene.start());
        let one = Engine::new(settings, held.clone(), fixed.clone(), Pose::identity(), apart)?;
        settings.shell_on = match settings.shell_on {
            ShellOn::Held => ShellOn::Fixed,
            ShellOn::Fixed => ShellOn::Held,
            ShellOn::Both => ShellOn::Both,
        };
        settings.coupling = self.coupling(1)?;
        let two = Engine::new(settings, fixed.clone(), held.clone(), Pose::identity(), apart.inverse())?;
        Ok(Pair::new([one, two], [scene.start(), scene.world_from_fixed()]))
    }
}
