//! Building an engine: checks the settings, measures the parts and makes all memory.

use super::hard::HardCycle;
use super::penalty::PenaltyCycle;
use super::settings::{ContactModel, EngineError, Settings, check};
use super::unilateral::Unilateral;
use super::{Cycle, Engine, State, is_pose};
use crate::contact::ContactProblem;
use crate::contact::penalty::ShellOn;
use crate::friction::{self, FrictionSolver, Method};
use crate::shape::Shape;
use crate::spatial::{Frame, Mat3, Pose, Vec3};
use crate::trace::Trace;
use std::sync::Arc;

impl Engine {
    /// An engine with the held part at `start` (world from part).
    ///
    /// # Errors
    /// [`EngineError`] where settings or poses are out of range, or there is no shell.
    pub fn new(
        settings: Settings,
        held: Arc<Shape>,
        fixed: Arc<Shape>,
        world_from_fixed: Pose,
        start: Pose,
    ) -> Result<Self, EngineError> {
        check(&settings)?;
        let model = settings.contact_model();
        let mut settings = settings;
        if model.is_penalty() && settings.shell_on == ShellOn::Both {
            // Penalty contacts have one shell: the one with more points.
            let more = fixed.shell.points().len() > held.shell.points().len();
            settings.shell_on = if more { ShellOn::Fixed } else { ShellOn::Held };
        }
        for (what, pose) in [("fixed part's", &world_from_fixed), ("start", &start)] {
            if !is_pose(pose) {
                return Err(EngineError::BadPose { what });
            }
        }
        let (carrier, part) = match settings.shell_on {
            ShellOn::Held | ShellOn::Both => (&held, "held"),
            ShellOn::Fixed => (&fixed, "fixed"),
        };
        if carrier.shell.points().is_empty() {
            return Err(EngineError::EmptyShell { part });
        }
        let centre = held.mass.centre;
        let radius = held.shell.points().iter().map(|p| (p.position - centre).norm()).fold(corner(&held), f64::max);
        let wall = held.thinnest_wall().min(fixed.thinnest_wall());
        let frame = Frame::of(&start, &centre);
        let points_move = settings.shell_on == ShellOn::Held;
        let friction = friction::FrictionSettings { points_move, ..settings.friction };
        // Unilateral contacts have solvers of their own; margins are asked for with this one.
        let friction = match friction.method.is_unilateral() {
            true => friction::FrictionSettings { method: Method::Hold, ..friction },
            false => friction,
        };
        let points = held.shell.points().len() + fixed.shell.points().len();
        let state = State {
            inertia: inertia(&held, settings.mass, radius),
            part: frame,
            posed_at: frame.centre,
            radius,
            wall,
            problem: ContactProblem::with_capacity(points),
            solver: FrictionSolver::new(friction, points)?,
            trace: Trace::blank(&start, &frame.centre),
            settings,
            held,
            fixed,
            world_from_fixed,
        };
        let cycle = match model {
            ContactModel::Hard => Cycle::Hard(Box::new(HardCycle::new(&state, None))),
            ContactModel::Unilateral => {
                let unilateral = Unilateral::new(&state.settings, points)?;
                Cycle::Hard(Box::new(HardCycle::new(&state, Some(unilateral))))
            }
            ContactModel::Penalty | ContactModel::Paper => Cycle::Penalty(Box::new(PenaltyCycle::new(&state)?)),
        };
        Ok(Engine { state, cycle })
    }
}

/// Distance of the farthest corner of the part's box from its centre, for parts without a shell.
fn corner(shape: &Shape) -> f64 {
    if !shape.shell.points().is_empty() {
        return 0.0;
    }
    let part = shape.field.part();
    let far = |i: usize| (part.max[i] - shape.mass.centre[i]).abs().max((part.min[i] - shape.mass.centre[i]).abs());
    Vec3::new(far(0), far(1), far(2)).norm()
}

/// I₀ about the centre for a mass, or that of a ball where the shape has no proper one.
fn inertia(shape: &Shape, mass: f64, radius: f64) -> Mat3 {
    let scaled = shape.mass.inertia * (mass / shape.mass.volume);
    let proper = scaled.iter().all(|x| x.is_finite()) && shape.mass.volume > 0.0 && scaled.cholesky().is_some();
    if proper { scaled } else { Mat3::identity() * (0.4 * mass * radius * radius) }
}
