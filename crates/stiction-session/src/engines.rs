//! The engine of a session: the one place that knows all engines.

use crate::session::{Session, SessionError};
use stiction::columns::Column;
use stiction::contact::penalty::ShellOn;
use stiction::pair::Pair;
use stiction::simulation::Simulation;
use stiction::spatial::{Pose, Vec3};
use stiction::tick::Engine;
use stiction::trace::Trace;

impl Session {
    /// The engine that the scene asks for, at the scene's start.
    ///
    /// # Errors
    /// [`SessionError`] if the engine refuses its settings.
    pub fn simulation(&self) -> Result<Box<dyn Simulation>, SessionError> {
        match self.plan.arms {
            2 => Ok(Box::new(self.pair()?)),
            _ => Ok(Box::new(self.world.engine()?)),
        }
    }

    /// The columns of a tick's row of that engine.
    pub fn columns(&self) -> Vec<Column> {
        Trace::columns().to_vec()
    }

    /// Whether that engine can tell how far a part is from slipping.
    pub fn has_margins(&self) -> bool {
        true
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
