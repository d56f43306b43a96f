//! The haptic cycle: a hand's pose goes in, the wrench that the hand feels comes out.
//!
//! The cycle of *6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming*, section 4: static virtual coupling (the part has
//! no velocity; every tick puts it into equilibrium under coupling, loads, penalty contact and friction), one linearised solve
//! a tick. [`Engine::tick`] is the algorithm; each stage is told in its own module.
//!
//! ```text
//! f = f_vc + f_load + Σ (F_n, r × F_n),   K = ∂f/∂(x, ω)          (5)-(9)
//! q, β  from  f + K q + G β = 0,  β_i ∈ P_i                        the friction solver
//! x ← x + s q_x,  R ← exp([s q_ω]×) R,   s = (1 - α) b             (section 4.2), b ≤ 1 from the step bound
//! ```
//!
//! **No tunnelling.** A step moves no point of the part further than the clearance that the collision walk proved plus a quarter
//! of the thinnest wall, or less: the depth that the largest coupling force could press a contact to. So a point that was
//! outside is at most that deep in any wall after it, where shell and field agree about the way out and the linear model of the
//! contact is good, and the next solve pushes it back there. Where the bound binds, the tick collides and solves again, up to
//! `substeps` times, and leaves the rest to later ticks; damped steps are taken once, being slowed on purpose.
//!
//! Deviations from the paper: α damps ticks in which a contact slides, not every colliding one (a damped part that holds would creep); the
//! paper's way is [`Damping::Colliding`]. Loads, saturation and the step bound are ours. [`ContactModel::Paper`] leaves out the
//! deviations of contacts: see [`Settings::paper`].

use crate::collide::Walk;
use crate::contact::ContactProblem;
use crate::coupling::Pull;
use crate::friction::FrictionSolver;
use crate::shape::Shape;
use crate::spatial::{self, Frame, Mat3, Mat6, Pose, Vec3, Vec6, halves, join};
use crate::trace::{Flags, Trace};
use std::sync::Arc;

mod ahead;
mod build;
mod defaults;
mod hard;
mod penalty;
mod queries;
mod rolling;
mod settings;
mod simulation;
mod stages;
mod unilateral;
mod work;
pub use defaults::{ContactDefaults, PartMeasures};
use hard::HardCycle;
use penalty::PenaltyCycle;
pub use settings::{ContactModel, Damping, EngineError, Settings};
pub use stages::{Stage, StageTimes};
pub use work::Work;

/// Furthest that a hand moves in one tick (m), and how far it turns (rad), before that is flagged.
const TELEPORT: [f64; 2] = [0.05, 0.5];

/// Share of the thinnest wall beyond which a point is deep.
const DEEP: f64 = 0.25;

/// The engine: two parts, one held by a hand. All memory is made by [`new`](Self::new).
#[derive(Clone, Debug)]
pub struct Engine {
    state: State,
    cycle: Cycle,
}

/// The contact model's way from the hand's pose to the step of the part, with the memory that it needs. Unilateral contacts go the way of hard ones, with solvers of their own.
#[derive(Clone, Debug)]
enum Cycle {
    Hard(Box<HardCycle>),
    Penalty(Box<PenaltyCycle>),
}

/// The two parts, where they are, and what is told of a tick: what both cycles work on.
#[derive(Clone, Debug)]
struct State {
    settings: Settings,
    held: Arc<Shape>,
    fixed: Arc<Shape>,
    world_from_fixed: Pose,
    part: Frame,
    /// The part's centre when contacts were last looked for.
    posed_at: Vec3,
    /// Farthest point of the held part from its centre (m).
    radius: f64,
    /// The thinnest wall of both parts (m).
    wall: f64,
    inertia: Mat3,
    /// The friction problem of the last solve with penalty contacts and its solver. With hard contacts, empty: probes are made like them.
    problem: ContactProblem,
    solver: FrictionSolver,
    trace: Trace,
}

impl Engine {
    /// One haptic cycle: the hand's pose (world from part) goes in, everything about the tick comes out; `device` is what
    /// the hand should feel. `load` is a wrench on the part about its centre besides its weight.
    ///
    /// Allocates nothing, never panics, and answers a bad pose with the last wrench and a flag.
    pub fn tick(&mut self, hand: &Pose, load: &Vec6) -> &Trace {
        let Engine { state, cycle } = self;
        let (before, last_hand) = (state.part, state.trace.hand);
        let Some(hand) = state.begin(hand) else { return &state.trace };
        let load = state.loads(load);
        match cycle {
            Cycle::Hard(hard) => hard.run(state, &hand, &last_hand, &load),
            Cycle::Penalty(penalty) => penalty.run(state, &hand, &load),
        }
        state.finish(&hand, &load, &before);
        &state.trace
    }
}

impl State {
    /// Checks the hand and starts the trace.
    fn begin(&mut self, hand: &Pose) -> Option<Frame> {
        let t = &mut self.trace;
        t.tick = t.tick.wrapping_add(1);
        t.substeps = 0;
        t.flags = Flags::default();
        if !is_pose(hand) {
            t.flags.set(Flags::BAD_HAND, true);
            t.step = Vec6::zeros();
            return None;
        }
        let moved = (hand.translation.vector - t.hand.translation.vector).norm();
        let turned = spatial::log(&(hand.rotation * t.hand.rotation.inverse())).norm();
        t.flags.set(Flags::TELEPORT, moved > TELEPORT[0] || turned > TELEPORT[1]);
        t.hand = *hand;
        Some(Frame::of(hand, &self.held.mass.centre))
    }

    /// The load with the part's weight; a load that is not finite is left out and flagged.
    fn loads(&mut self, load: &Vec6) -> Vec6 {
        let weight = join(self.settings.gravity * self.settings.mass, Vec3::zeros());
        let good = load.iter().all(|x| x.is_finite() && x.abs() < 1e12);
        self.trace.flags.set(Flags::BAD_LOAD, !good);
        if good { weight + load } else { weight }
    }

    /// diag(M, I) in world axes.
    fn mass_matrix(&self) -> Mat6 {
        let part = self.part.rotation.to_rotation_matrix();
        let inertia = part.matrix() * self.inertia * part.matrix().transpose();
        let mut mass = Mat6::zeros();
        mass.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * self.settings.mass));
        mass.fixed_view_mut::<3, 3>(3, 3).copy_from(&((inertia + inertia.transpose()) * 0.5));
        mass
    }

    /// The shell's part and the field's part, with their poses in the world, for the shell of the held part or of the fixed one and the held part at `part`.
    fn placed(&self, of_held: bool, part: &Pose) -> [(&Shape, Pose); 2] {
        let (held, fixed) = ((&*self.held, *part), (&*self.fixed, self.world_from_fixed));
        if of_held { [held, fixed] } else { [fixed, held] }
    }

    /// Counts a solve in the trace, with the walk before it.
    fn note_solve(&mut self, walk: &Walk, pull: &Pull, bounded: bool) {
        let t = &mut self.trace;
        t.substeps += 1;
        t.clearance = walk.clearance;
        t.samples = walk.samples as u32;
        t.levels = walk.levels as u32;
        t.flags.set(Flags::SATURATED, pull.saturated);
        t.flags.set(Flags::STEP_BOUNDED, bounded);
    }

    /// The wrench after the step.
    fn finish(&mut self, hand: &Frame, load: &Vec6, before: &Frame) {
        let t = &mut self.trace;
        t.wrench = -self.settings.coupling.pull(hand, &self.part).wrench;
        t.load = *load;
        t.centre = self.part.centre;
        t.part = self.part.pose(&self.held.mass.centre);
        let turned = spatial::log(&(self.part.rotation * before.rotation.inverse()));
        t.step = join(self.part.centre - before.centre, turned);
    }
}

/// Finite, near, and a rotation.
fn is_pose(pose: &Pose) -> bool {
    let near = pose.translation.vector.iter().all(|x| x.abs() < 1e6);
    near && (pose.rotation.quaternion().norm() - 1.0).abs() < 1e-6
}

/// How far a step takes a point at most (m).
fn far(step: &Vec6, radius: f64) -> f64 {
    let (translation, rotation) = halves(step);
    translation.norm() + rotation.norm() * radius
}

/// The step cut so that no point goes further than allowed (m), and whether it was.
fn cut(step: Vec6, allowed: f64, radius: f64) -> (Vec6, bool) {
    let reach = far(&step, radius);
    if reach > allowed { (step * (allowed / reach), true) } else { (step, false) }
}
