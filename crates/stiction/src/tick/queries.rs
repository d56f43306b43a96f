//! Everything that can be asked of an engine between ticks.

use super::hard::HardCycle;
use super::stages::{StageTimes, Stopwatch};
use super::{ContactDefaults, Cycle, Engine, PartMeasures, Settings, Work, is_pose};
use crate::contact::ContactProblem;
use crate::delassus::{ConeProblem, RigidOperator};
use crate::friction;
use crate::hard::verify::HardResiduals;
use crate::probe::Probe;
use crate::shape::Shape;
use crate::spatial::{Frame, Pose};
use crate::trace::{ContactTrace, Trace};
use std::sync::Arc;

impl Engine {
    /// What the last tick did.
    pub fn trace(&self) -> &Trace {
        &self.state.trace
    }

    /// The contacts of the last tick.
    pub fn contacts(&self) -> impl Iterator<Item = ContactTrace> + '_ {
        let (hard, penalty) = match &self.cycle {
            Cycle::Hard(hard) => (Some(hard), None),
            Cycle::Penalty(penalty) => (None, Some(penalty)),
        };
        let hard = hard.into_iter().flat_map(|hard| hard.contacts(self.state.posed_at));
        hard.chain(penalty.into_iter().flat_map(|penalty| penalty.contacts(&self.state)))
    }

    /// Hard contacts, if they are the model.
    fn hard(&self) -> Option<&HardCycle> {
        match &self.cycle {
            Cycle::Hard(hard) => Some(hard),
            Cycle::Penalty(_) => None,
        }
    }

    /// The contact problem of the last solve.
    pub fn problem(&self) -> &ContactProblem {
        &self.state.problem
    }

    /// The problem of the last solve of unilateral contacts; none for other contact models.
    pub fn cone_problem(&self) -> Option<&ConeProblem<RigidOperator>> {
        self.hard().and_then(|hard| hard.cone_problem())
    }

    /// The friction solver's last answer.
    pub fn answer(&self) -> &friction::Solution {
        self.state.solver.solution()
    }

    /// How far µ could fall before the part of the last tick slips, by the ray and robustly: see [`Margins`](crate::probe::Margins). For displays, not for
    /// ticks: it works on a copy, so that asking changes no later tick.
    pub fn margins(&self) -> [f64; 2] {
        let margins = self.probe().margins();
        [margins.ray, margins.robust]
    }

    /// A probe of the last tick; makes the memory for later ones.
    pub fn probe(&self) -> Probe {
        let mut probe = Probe::new(self.state.solver.forgetful(), self.state.problem.capacity(), self.hard().is_some());
        self.copy_to(&mut probe);
        probe
    }

    /// Copies the last tick, with the static coefficient at every contact and what contacts remember, into a probe that this engine, or one with as many shell points, the same contact model and the same friction settings, has made. Does
    /// not allocate.
    pub fn copy_to(&self, probe: &mut Probe) {
        let Probe { problem, solver, hard: limit } = probe;
        match &self.cycle {
            Cycle::Hard(hard) => {
                let mu = self.state.settings.mu_static;
                hard.pose(self.state.mass_matrix(), mu, problem);
                if let Some(limit) = limit {
                    hard.pose_limit(mu, limit);
                }
                solver.reset();
            }
            Cycle::Penalty(_) => {
                problem.copy_from(&self.state.problem);
                problem.limit_by_static();
                solver.copy_memory_from(&self.state.solver);
            }
        }
    }

    /// Checks the last solve of hard contacts from its contacts alone; none for penalty contacts, whose answers have certificates of their own, and for unilateral ones, whose residual is in the trace.
    pub fn certificate(&self) -> Option<HardResiduals> {
        self.hard().filter(|hard| !hard.is_unilateral()).map(|hard| hard.certificate())
    }

    /// The work of the last tick, counted: nothing for penalty contacts.
    pub fn work(&self) -> Work {
        self.hard().map_or(Work::default(), |hard| hard.ration.done)
    }

    /// Times the stages of the ticks to come with a clock that counts nanoseconds, from zero on; without a clock, no more. Penalty contacts are not timed.
    pub fn time_stages(&mut self, clock: Option<fn() -> u64>) {
        if let Cycle::Hard(hard) = &mut self.cycle {
            hard.stopwatch = Stopwatch::new(clock);
        }
    }

    /// What was timed since [`Engine::time_stages`].
    pub fn stage_times(&self) -> StageTimes {
        self.hard().map_or(StageTimes::default(), |hard| hard.stopwatch.times)
    }

    /// How many ticks had the flag [`COARSE`](crate::trace::Flags::COARSE) so far; 0 for penalty contacts.
    pub fn coarse_ticks(&self) -> u64 {
        self.hard().map_or(0, |hard| hard.ration.bound)
    }

    /// The least work that a tick can be limited to (units); a smaller limit counts as this. 0 for penalty contacts.
    pub fn least_work(&self) -> u64 {
        self.hard().map_or(0, |hard| hard.ration.least())
    }

    /// Limits the work of the ticks to come (units), as [`Settings::work`] does.
    pub fn limit_work(&mut self, work: u64) {
        self.state.settings.work = work;
    }

    /// How it works.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// Depth that is safe (m): a quarter of the thinnest wall, beyond which a tick has the flag [`DEEP`](crate::trace::Flags::DEEP).
    pub fn safe_depth(&self) -> f64 {
        super::DEEP * self.state.wall
    }

    /// How far a point may go beyond the proven clearance in one solve (m).
    pub fn step_bound(&self) -> f64 {
        match &self.cycle {
            Cycle::Hard(hard) => hard.step_bound(),
            Cycle::Penalty(penalty) => penalty.step_bound,
        }
    }

    /// What hard contacts of these parts get under this coupling where nothing is set. For set-up, not for a tick.
    pub fn contact_defaults(&self) -> ContactDefaults {
        let [held, fixed] = [&self.state.held, &self.state.fixed].map(|shape| PartMeasures::of(shape));
        ContactDefaults::new(&self.state.settings.coupling, &held, &fixed)
    }

    /// The farthest point of the held part from its centre (m).
    pub fn radius(&self) -> f64 {
        self.state.radius
    }

    /// The held and the fixed part.
    pub fn parts(&self) -> [&Arc<Shape>; 2] {
        [&self.state.held, &self.state.fixed]
    }

    /// Where the fixed part is (world from part).
    pub fn world_from_fixed(&self) -> &Pose {
        &self.state.world_from_fixed
    }

    /// Puts the part somewhere else and forgets everything. False, and no change, where the pose is not finite.
    pub fn place(&mut self, pose: &Pose) -> bool {
        if !is_pose(pose) {
            return false;
        }
        self.state.part = Frame::of(pose, &self.state.held.mass.centre);
        self.state.solver.reset();
        match &mut self.cycle {
            Cycle::Hard(hard) => hard.reset(),
            Cycle::Penalty(penalty) => penalty.reset(),
        }
        self.state.problem.clear();
        self.state.trace = Trace::blank(pose, &self.state.part.centre);
        true
    }
}
