//! The haptic cycle with penalty contacts: forces of the touching points, computed before the step, and friction for them.
//!
//! With [`ContactModel::Paper`] normals and stiffness are those that the friction paper prints: (2)-(3) are exact for a fixed shell whose normals are along the
//! field's gradient, and miss terms else, which is left as it is. Where they make K singular, the stiffness without geometric terms takes their place, as where ours is
//! not definite, and the tick has the flag [`PLAIN_STIFFNESS`](Flags::PLAIN_STIFFNESS).

use super::settings::{ContactModel, Damping, EngineError};
use super::{DEEP, State, cut};
use crate::collide::Walk;
use crate::contact::budget::Shared;
use crate::contact::penalty::{self, ShellOn, Touch};
use crate::contact::separating::Separation;
use crate::contact::{ContactProblem, Load, Placed, Touches};
use crate::coupling::Pull;
use crate::friction::{self, Method, SlipState, Verdict};
use crate::small;
use crate::spatial::{Frame, Mat6, Rotation, Vec3, Vec6, halves};
use crate::trace::{ContactTrace, Flags};

/// Share of a sparse field's band that the largest force may press a contact into.
const BEARABLE: f64 = 0.8;

/// What penalty contacts need from tick to tick. All memory is made at the beginning.
#[derive(Clone, Debug)]
pub(super) struct PenaltyCycle {
    /// The held part carries the shell.
    of_held: bool,
    /// Normals and stiffness are those that the friction paper prints.
    as_printed: bool,
    touches: Touches,
    /// Furthest that a solve takes a point beyond the proven clearance (m).
    pub step_bound: f64,
    /// Depth beyond which a point on the far side is told (m): what the largest force explains.
    told_opposed: f64,
}

impl PenaltyCycle {
    /// # Errors
    /// A sparse field on which contacts could not bear the coupling's largest force.
    pub fn new(state: &State) -> Result<Self, EngineError> {
        let settings = &state.settings;
        let of_held = settings.shell_on != ShellOn::Fixed;
        let (carrier, other) = if of_held { (&state.held, &state.fixed) } else { (&state.fixed, &state.held) };
        let bearing = settings.coupling.max_force / settings.budget.stiffness;
        let known = other.field.known_depth();
        if bearing > BEARABLE * known {
            let (force, bears) = (settings.coupling.max_force, BEARABLE * known * settings.budget.stiffness);
            return Err(EngineError::ShallowField { known, force, bears });
        }
        let step_bound = settings.step_bound.unwrap_or_else(|| bearing.min(DEEP * state.wall).min(0.5 * known));
        let as_printed = settings.contact_model() == ContactModel::Paper;
        let touches = Touches::new(carrier, &settings.tangent_axis, as_printed);
        Ok(PenaltyCycle { of_held, as_printed, touches, step_bound, told_opposed: bearing.min(DEEP * state.wall) })
    }

    /// Forgets all contacts.
    pub fn reset(&mut self) {
        self.touches.clear();
    }

    /// The cycle between the hand's pose and the wrench.
    pub fn run(&mut self, state: &mut State, hand: &Frame, load: &Vec6) {
        for _ in 0..state.settings.substeps {
            let pull = state.settings.coupling.pull(hand, &state.part);
            let (walk, world_from_shell) = self.collide(state);
            let shared = state.settings.budget.share(&mut self.touches.list);
            let applied = pull.wrench + load;
            let (f, k) = self.linearised(state, &applied, &pull);
            let separation = Separation {
                rule: state.settings.release,
                coupling: halves(&pull.wrench).0,
                applied: halves(&applied).0,
            };
            self.touches.find_separating(&separation, &f, &k);
            let Some(answer) = self.solve_friction(state, &world_from_shell, &f, &k) else { break };
            let damping = self.damping(state);
            let allowed = walk.clearance.max(0.0) + self.step_bound;
            let (step, bounded) = cut(answer * (1.0 - damping), allowed, state.radius);
            if state.solver.commit(&state.problem, &step).is_ok() {
                state.part = state.part.moved(&step);
            }
            self.note(state, &walk, &shared, &pull, bounded);
            if !bounded || damping > 0.0 {
                break;
            }
        }
    }

    /// The walk that finds the touching points, and how the shell is turned.
    fn collide(&mut self, state: &mut State) -> (Walk, Rotation) {
        state.posed_at = state.part.centre;
        let part = state.part.pose(&state.held.mass.centre);
        let [(carrier, world_from_shell), (other, world_from_field)] = state.placed(self.of_held, &part);
        let placed = Placed {
            of_held: self.of_held,
            shell: &carrier.shell,
            field: &other.field,
            world_from_shell,
            world_from_field,
            centre: state.part.centre,
        };
        (self.touches.find(&placed, state.settings.max_samples), world_from_shell.rotation)
    }

    /// f and K, equations (7)-(9), without friction.
    fn linearised(&self, state: &mut State, applied: &Vec6, pull: &Pull) -> (Vec6, Mat6) {
        let normal = penalty::wrench(&self.touches.list);
        state.trace.normal = normal;
        let (k, good) = if self.as_printed {
            let k = pull.stiffness + penalty::printed_stiffness(&self.touches.list);
            (k, ContactProblem::is_invertible(&k))
        } else {
            let k = pull.stiffness + penalty::stiffness(&self.touches.list, state.settings.shell_on);
            (k, small::cholesky(&(-(k + k.transpose()) * 0.5)).is_some())
        };
        state.trace.flags.set(Flags::PLAIN_STIFFNESS, !good);
        let k = if good { k } else { pull.stiffness + penalty::plain_stiffness(&self.touches.list) };
        (applied + normal, k)
    }

    /// The step of the part, before damping.
    fn solve_friction(&self, state: &mut State, world_from_shell: &Rotation, f: &Vec6, k: &Mat6) -> Option<Vec6> {
        let (mu_static, mu_kinetic) = (state.settings.mu_static, state.settings.mu_kinetic);
        let contacts = self.touches.contacts(world_from_shell, mu_static, mu_kinetic);
        let mass = state.mass_matrix();
        let posed = state.problem.rebuild(&Load { wrench: *f, stiffness: *k, mass }, contacts);
        let answer = posed.ok().and_then(|()| state.solver.solve(&state.problem).ok());
        let step = answer.map(|a| a.step).filter(|q| q.iter().all(|x| x.is_finite()));
        state.trace.flags.set(Flags::UNSOLVABLE, step.is_none());
        step
    }

    /// The share of the step that damping takes away.
    fn damping(&self, state: &State) -> f64 {
        let damped = match state.settings.damped {
            Damping::Colliding => !self.touches.list.is_empty(),
            Damping::Sliding => match state.solver.solution().verdict {
                Verdict::Free => !self.touches.list.is_empty(),
                Verdict::Holds => false,
                Verdict::Slips | Verdict::Undecided | Verdict::Rolls => true,
            },
        };
        if damped { state.settings.damping } else { 0.0 }
    }

    /// Tells of a solve in the trace.
    fn note(&self, state: &mut State, walk: &Walk, shared: &Shared, pull: &Pull, bounded: bool) {
        state.note_solve(walk, pull, bounded);
        let answer = state.solver.solution();
        let t = &mut state.trace;
        t.friction = answer.friction;
        let slipped = t.substeps > 1 && t.verdict == Verdict::Slips;
        t.verdict = if slipped { Verdict::Slips } else { answer.verdict };
        (t.iterations, t.passes, t.rank) = (answer.iterations, answer.passes, answer.rank);
        t.contacts = self.touches.list.len() as u32;
        t.separating = self.touches.separating();
        (t.stuck, t.sliding, t.limit, t.work) = (0, 0, 0.0, [0.0, f64::NEG_INFINITY]);
        for c in answer.contacts() {
            t.stuck += u32::from(c.state == SlipState::Stuck);
            t.sliding += u32::from(c.state == SlipState::Sliding);
            t.limit += c.limit;
            t.work = [t.work[0] + c.power, t.work[1].max(c.power)];
        }
        t.pressure = self.touches.list.iter().map(Touch::force).sum();
        t.residual = residual(&state.problem, answer, state.radius);
        t.depth = shared.depth;
        // In any solve of the tick.
        t.flags.set(Flags::DEEP, t.flags.has(Flags::DEEP) || shared.depth > DEEP * state.wall);
        t.flags.set(Flags::OPPOSED, t.flags.has(Flags::OPPOSED) || shared.opposed > self.told_opposed);
        t.flags.set(Flags::COARSE, walk.stopped);
        t.flags.set(Flags::UNDECIDED, answer.stalled || answer.verdict == Verdict::Undecided);
    }

    /// The contacts of the last tick.
    pub fn contacts<'a>(&'a self, state: &'a State) -> impl Iterator<Item = ContactTrace> + 'a {
        let solution = state.solver.solution();
        self.touches.list.iter().zip(state.problem.contacts()).enumerate().map(move |(i, (touch, contact))| {
            let answer = solution.contact(i);
            let along = |[u, v]: [f64; 2]| contact.tangent * u + contact.tangent_v() * v;
            ContactTrace {
                id: contact.id,
                position: state.posed_at + touch.arm,
                normal: touch.normal,
                depth: touch.depth,
                normal_force: touch.force(),
                friction: along(answer.friction),
                limit: answer.limit,
                slip: along(answer.slip),
                remembered: Vec3::zeros(),
                work: answer.power,
                state: answer.state,
            }
        })
    }
}

/// ‖f + K q + G β‖ against the largest of the three, torques divided by the part's radius; `hold` balances sym(K).
fn residual(problem: &ContactProblem, answer: &friction::Solution, radius: f64) -> f64 {
    let load = problem.load();
    let k = match answer.method {
        Method::Hold => (load.stiffness + load.stiffness.transpose()) * 0.5,
        _ => load.stiffness,
    };
    let size = |w: &Vec6| {
        let (force, torque) = halves(w);
        force.norm().max(torque.norm() / radius)
    };
    let elastic = k * answer.step;
    let scale = size(&load.wrench).max(size(&elastic)).max(size(&answer.friction));
    if scale > 0.0 { size(&(load.wrench + elastic + answer.friction)) / scale } else { 0.0 }
}
