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
//! paper's way is [`Damping::Colliding`]. Loads, saturation and the step bound are ours.

use crate::collide::{Query, Traversal, Walk};
use crate::contact::budget::{Budget, Shared};
use crate::contact::penalty::{self, ShellOn, Touch};
use crate::contact::{Contact, ContactId, ContactProblem, Load, separating};
use crate::coupling::{Coupling, Pull};
use crate::friction::{self, Cone, FrictionSolver, Method, SlipState, SolverError, Verdict};
use crate::hard::verify::Certificate;
use crate::probe::Probe;
use crate::shape::{Edges, Sample, Shape};
use crate::small;
use crate::spatial::{self, Frame, Mat3, Mat6, Pose, Vec3, Vec6, halves, join};
use crate::trace::{ContactTrace, Flags, Trace};
use std::sync::Arc;

mod ahead;
mod defaults;
mod hard;
mod rolling;
mod simulation;
mod work;
pub use defaults::{ContactDefaults, PartMeasures};
use hard::HardCycle;
pub use work::Work;

/// Which ticks static damping slows down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damping {
    /// Those in which a contact slides.
    Sliding,
    /// Every colliding one, as in the paper: a held part creeps.
    Colliding,
}

/// How contacts push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactModel {
    /// Hard, unilateral contacts, solved together with friction: see [`hard`](crate::hard). For the disk with [`Method::Hold`] or without friction.
    Hard,
    /// Soft penalty forces, computed before the step: see [`contact`](crate::contact). For every method; what the friction paper uses.
    Penalty,
}

/// How an [`Engine`] works. All lengths in m, forces in N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The spring between hand and part.
    pub coupling: Coupling,
    /// The contact model; by default hard contacts where the friction method allows them, else penalty forces.
    pub model: Option<ContactModel>,
    /// Stiffness of a hard contact (N/m); by default from the parts and the coupling.
    pub stiffness: Option<f64>,
    /// Instead of that, stiffness by area (N/m³): a hard contact is as stiff as the area that its shell point stands for. Then forces of parts that are
    /// deep in each other are those of an elastic foundation, on however many points, but single points are soft.
    pub modulus: Option<f64>,
    /// Depth that hard contacts ignore everywhere (m); by default the faceting error of the part that carries the field, at each place.
    pub allowance: Option<f64>,
    /// The longest slip that a hard contact remembers (m); by default from the elastic depth of the contacts.
    pub micro_slip: Option<f64>,
    /// Stiffness of penalty contacts and how they share it.
    pub budget: Budget,
    /// Friction coefficients of the pair of materials.
    pub mu_static: f64,
    /// At most `mu_static`.
    pub mu_kinetic: f64,
    /// The friction solver. Its `points_move` follows from `shell_on`.
    pub friction: friction::Settings,
    /// Which part carries the point shell.
    pub shell_on: ShellOn,
    /// T_u of every contact is this direction of the shell's part, projected: matters for polygons only.
    pub tangent_axis: Vec3,
    /// Whether contacts that are about to come apart lose their friction.
    pub release: bool,
    /// α: the share of a step that damping takes away, 0 to below 1.
    pub damping: f64,
    /// When it does.
    pub damped: Damping,
    /// Mass of the held part (kg): its weight, and the mass metric.
    pub mass: f64,
    /// Gravity (m/s²).
    pub gravity: Vec3,
    /// Most field samples of a collision walk.
    pub max_samples: usize,
    /// Most work of a tick with hard contacts, in units of one field sample of a collision walk: see [`Work`]. Points that are left out
    /// for it are represented by coarser ones, and the tick has the flag [`COARSE`](Flags::COARSE).
    pub work: u64,
    /// Most solves in a tick.
    pub substeps: u32,
    /// The furthest that a point may go beyond the proven clearance in a solve (m); by default, a quarter of the thinnest wall or, if
    /// that is less, the depth at which the contact bears the coupling's largest force.
    pub step_bound: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            coupling: Coupling { stiffness: 2000.0, torsion: 20.0, max_force: 40.0, max_torque: 4.0 },
            model: None,
            stiffness: None,
            modulus: None,
            allowance: None,
            micro_slip: None,
            budget: Budget { stiffness: 50_000.0, blend: 0.25 },
            mu_static: 0.5,
            mu_kinetic: 0.5,
            friction: friction::Settings::default(),
            shell_on: ShellOn::Both,
            tangent_axis: Vec3::x(),
            release: true,
            damping: 0.6,
            damped: Damping::Sliding,
            mass: 1.0,
            gravity: Vec3::zeros(),
            max_samples: usize::MAX,
            work: Settings::WORK,
            substeps: 4,
            step_bound: None,
        }
    }
}

impl Settings {
    /// The work that a tick is limited to by default (units): that of some tenths of a second, so that it ends no tick of a reasonable scene early, but every tick ends.
    pub const WORK: u64 = 10_000_000;

    /// The contact model in force.
    pub fn contact_model(&self) -> ContactModel {
        let fits =
            matches!(self.friction.method, Method::Hold | Method::Frictionless) && self.friction.cone == Cone::Disk;
        self.model.unwrap_or(if fits { ContactModel::Hard } else { ContactModel::Penalty })
    }
}

/// Why there is no engine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A setting is out of its range.
    #[error("{setting} is {value}, but must be {range}")]
    BadSetting {
        /// Its name.
        setting: &'static str,
        /// What was given.
        value: f64,
        /// What is possible.
        range: &'static str,
    },
    /// The friction solver cannot work so.
    #[error(transparent)]
    Friction(#[from] SolverError),
    /// The part that should carry the shell has no points.
    #[error("the shell of the {part} part has no points")]
    EmptyShell {
        /// "held" or "fixed".
        part: &'static str,
    },
    /// Contacts on a sparse field could not bear what the coupling can push with: parts would pass through each other.
    #[error(
        "the sparse field tells depths apart down to {known} m only, where contacts bear {bears} N, but the coupling pushes with up to {force} N: bake it with a wider band or dense, or raise the contact stiffness, or lower the coupling's maximum force"
    )]
    ShallowField {
        /// Half the width of its band (m).
        known: f64,
        /// The coupling's maximum force (N).
        force: f64,
        /// What contacts can bear (N).
        bears: f64,
    },
    /// A pose is not finite.
    #[error("the {what} pose is not finite")]
    BadPose {
        /// Which one.
        what: &'static str,
    },
}

/// Share of a sparse field's band that the largest force may press a contact into.
const BEARABLE: f64 = 0.8;

/// Furthest that a hand moves in one tick (m), and how far it turns (rad), before that is flagged.
const TELEPORT: [f64; 2] = [0.05, 0.5];

/// The engine: two parts, one held by a hand. All memory is made by [`new`](Self::new).
#[derive(Clone, Debug)]
pub struct Engine {
    settings: Settings,
    held: Arc<Shape>,
    fixed: Arc<Shape>,
    world_from_fixed: Pose,
    part: Frame,
    /// Farthest point of the held part from its centre.
    radius: f64,
    /// The thinnest wall of both parts (m).
    wall: f64,
    step_bound: f64,
    inertia: Mat3,
    /// T_u of each shell point, in the shell's axes.
    tangents: Vec<Vec3>,
    /// Shell points without a normal of their own.
    edges: Edges,
    traversal: Traversal,
    /// Touching points about the part's centre as it was then.
    touches: Vec<Touch>,
    posed_at: Vec3,
    separates: Vec<bool>,
    /// Shell points that touched in the last tick, and the mark that a point has been reported in this one.
    last: Vec<u32>,
    seen: Vec<u64>,
    stamp: u64,
    problem: ContactProblem,
    solver: FrictionSolver,
    /// Hard contacts, where they are the model.
    hard: Option<Box<HardCycle>>,
    trace: Trace,
}

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
        if model == ContactModel::Penalty && settings.shell_on == ShellOn::Both {
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
        let shell = &carrier.shell;
        let points = shell.points().len();
        if points == 0 {
            return Err(EngineError::EmptyShell { part });
        }
        let tangents = shell.points().iter().map(|p| projected(&settings.tangent_axis, &p.normal)).collect();
        let edges = carrier.edges();
        let centre = held.mass.centre;
        let radius = held.shell.points().iter().map(|p| (p.position - centre).norm()).fold(corner(&held), f64::max);
        let wall = held.thinnest_wall().min(fixed.thinnest_wall());
        let bearing = settings.coupling.max_force / settings.budget.stiffness;
        let known = match settings.shell_on {
            ShellOn::Held | ShellOn::Both => fixed.field.known_depth(),
            ShellOn::Fixed => held.field.known_depth(),
        };
        if model == ContactModel::Penalty && bearing > BEARABLE * known {
            let (force, bears) = (settings.coupling.max_force, BEARABLE * known * settings.budget.stiffness);
            return Err(EngineError::ShallowField { known, force, bears });
        }
        let step_bound = settings.step_bound.unwrap_or_else(|| bearing.min(0.25 * wall).min(0.5 * known));
        let frame = Frame::of(&start, &centre);
        let points_move = settings.shell_on == ShellOn::Held;
        let friction = friction::Settings { points_move, ..settings.friction };
        let points = held.shell.points().len() + fixed.shell.points().len();
        let mut engine = Engine {
            inertia: inertia(&held, settings.mass, radius),
            part: frame,
            radius,
            wall,
            step_bound,
            tangents,
            edges,
            traversal: Traversal::with_capacity(points),
            touches: Vec::with_capacity(points),
            posed_at: frame.centre,
            separates: Vec::with_capacity(points),
            last: Vec::with_capacity(points),
            seen: vec![0; points],
            stamp: 0,
            problem: ContactProblem::with_capacity(points),
            solver: FrictionSolver::new(friction, points)?,
            hard: None,
            trace: Trace::blank(&start, &frame.centre),
            settings,
            held,
            fixed,
            world_from_fixed,
        };
        if model == ContactModel::Hard {
            engine.hard = Some(Box::new(HardCycle::new(&engine)));
        }
        Ok(engine)
    }

    /// One haptic cycle: the hand's pose (world from part) goes in, everything about the tick comes out; `device` is what
    /// the hand should feel. `load` is a wrench on the part about its centre besides its weight.
    ///
    /// Allocates nothing, never panics, and answers a bad pose with the last wrench and a flag.
    pub fn tick(&mut self, hand: &Pose, load: &Vec6) -> &Trace {
        let before = self.part;
        let last_hand = self.trace.hand;
        let Some(hand) = self.begin(hand) else { return &self.trace };
        let load = self.loads(load);
        match self.hard {
            Some(_) => {
                let last = Frame::of(&last_hand, &self.held.mass.centre);
                let turned = spatial::log(&(hand.rotation * last.rotation.inverse())).norm();
                self.hard_cycle(&hand, &load, (hand.centre - last.centre).norm() + turned * self.radius);
            }
            None => self.penalty_cycle(&hand, &load),
        }
        self.finish(&hand, &load, &before);
        &self.trace
    }

    /// The cycle between the hand's pose and the wrench, with penalty contacts.
    fn penalty_cycle(&mut self, hand: &Frame, load: &Vec6) {
        for _ in 0..self.settings.substeps {
            let pull = self.settings.coupling.pull(hand, &self.part);
            let walk = self.collide();
            let shared = self.settings.budget.share(&mut self.touches);
            let applied = pull.wrench + load;
            let (f, k) = self.linearised(&applied, &pull);
            self.find_separating(&applied, &f, &k);
            let Some(answer) = self.solve_friction(&f, &k) else { break };
            let damping = self.damping();
            let (step, bounded) = self.bounded(answer * (1.0 - damping), walk.clearance);
            if self.solver.commit(&self.problem, &step).is_ok() {
                self.part = self.part.moved(&step);
            }
            self.note(&walk, &shared, &pull, bounded);
            if !bounded || damping > 0.0 {
                break;
            }
        }
    }

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

    fn loads(&mut self, load: &Vec6) -> Vec6 {
        let weight = join(self.settings.gravity * self.settings.mass, Vec3::zeros());
        let good = load.iter().all(|x| x.is_finite() && x.abs() < 1e12);
        self.trace.flags.set(Flags::BAD_LOAD, !good);
        if good { weight + load } else { weight }
    }

    /// The shell points inside the field, in world axes about the part's centre.
    fn collide(&mut self) -> Walk {
        let part = self.part.pose(&self.held.mass.centre);
        let (shell, field, world_from_shell, world_from_field) = match self.settings.shell_on {
            ShellOn::Held | ShellOn::Both => (&self.held.shell, &self.fixed.field, part, self.world_from_fixed),
            ShellOn::Fixed => (&self.fixed.shell, &self.held.field, self.world_from_fixed, part),
        };
        // +1 where the field's gradient, -1 where its negative is the way out for the held part; the shell's normal the other way.
        let sign = if self.settings.shell_on == ShellOn::Held { 1.0 } else { -1.0 };
        let (field_rotation, shell_rotation) = (matrix(&world_from_field), matrix(&world_from_shell) * -sign);
        let shift = world_from_field.translation.vector - self.part.centre;
        let points = shell.points();
        let edges = &self.edges;
        let touch = |point: u32, position: &Vec3, sample: &Sample| {
            let edge = edges.at(point);
            let by_field = edge.is_some();
            let gradient = if by_field { field.sample_smooth(*position).gradient } else { sample.gradient };
            let easing = field_rotation * gradient * sign;
            let length = easing.norm();
            let normal = shell_rotation * points[point as usize].normal;
            // In the shell's axes: one turn instead of nine.
            let cosine = normal.dot(&easing).max(edge.map_or(f64::NEG_INFINITY, |normals| {
                let out = shell_rotation.tr_mul(&easing);
                normals.iter().map(|n| n.dot(&out)).fold(f64::NEG_INFINITY, f64::max)
            }));
            let agreement = penalty::agreement(cosine / length.max(f64::MIN_POSITIVE), by_field);
            let by_field = by_field && agreement > 0.0;
            Touch {
                point,
                arm: field_rotation * position + shift,
                normal: if by_field { easing / length } else { normal },
                easing,
                by_field,
                agreement,
                depth: -sample.distance,
                stiffness: 0.0,
                slope: 0.0,
            }
        };
        let field_from_shell = world_from_field.inv_mul(&world_from_shell);
        let max_samples = self.settings.max_samples.saturating_sub(self.last.len());
        let query = Query { margin: 0.0, max_samples };
        self.touches.clear();
        self.posed_at = self.part.centre;
        self.stamp += 1;
        let (touches, seen, stamp) = (&mut self.touches, &mut self.seen, self.stamp);
        let walk = self.traversal.touching(shell, field, &field_from_shell, query, |hit| {
            seen[hit.point as usize] = stamp;
            touches.push(touch(hit.point, &hit.position, &hit.sample));
        });
        let walk = walk.unwrap_or(Walk { stopped: true, ..Walk::default() });
        if walk.stopped {
            // Whatever the budget, last tick's contacts are looked at: no contact is lost to it.
            for &point in &self.last {
                if seen[point as usize] != stamp {
                    let position = field_from_shell * nalgebra::Point3::from(points[point as usize].position);
                    let sample = field.sample(position.coords);
                    if sample.distance < 0.0 {
                        touches.push(touch(point, &position.coords, &sample));
                    }
                }
            }
        }
        self.last.clear();
        self.last.extend(touches.iter().map(|t| t.point));
        walk
    }

    /// f and K, equations (7)-(9), without friction.
    fn linearised(&mut self, applied: &Vec6, pull: &Pull) -> (Vec6, Mat6) {
        let normal = penalty::wrench(&self.touches);
        self.trace.normal = normal;
        let k = pull.stiffness + penalty::stiffness(&self.touches, self.settings.shell_on);
        let definite = small::cholesky(&(-(k + k.transpose()) * 0.5)).is_some();
        self.trace.flags.set(Flags::PLAIN_STIFFNESS, !definite);
        let k = if definite { k } else { pull.stiffness + penalty::plain_stiffness(&self.touches) };
        (applied + normal, k)
    }

    fn find_separating(&mut self, applied: &Vec6, f: &Vec6, k: &Mat6) {
        let (force, _) = halves(applied);
        self.separates.clear();
        if !self.settings.release || !separating::possible(&self.touches, &force) {
            self.separates.resize(self.touches.len(), false);
            return;
        }
        let frictionless = small::invert(k).0 * -f;
        self.separates.extend(self.touches.iter().map(|t| separating::separates(t, &force, &frictionless)));
    }

    /// The step of the part, before damping.
    fn solve_friction(&mut self, f: &Vec6, k: &Mat6) -> Option<Vec6> {
        let shell_rotation = match self.settings.shell_on {
            ShellOn::Held | ShellOn::Both => self.part.rotation,
            ShellOn::Fixed => self.world_from_fixed.rotation,
        };
        let turn = shell_rotation.to_rotation_matrix();
        let (mu_static, mu_kinetic) = (self.settings.mu_static, self.settings.mu_kinetic);
        let tangents = &self.tangents;
        let contacts = self.touches.iter().zip(&self.separates).map(|(touch, separates)| Contact {
            id: ContactId(u64::from(touch.point)),
            point: touch.arm,
            normal: touch.normal,
            tangent: match touch.by_field {
                true => projected(&(turn * tangents[touch.point as usize]), &touch.normal),
                false => turn * tangents[touch.point as usize],
            },
            gap: -touch.depth,
            normal_force: if *separates { 0.0 } else { touch.force() },
            mu_static,
            mu_kinetic,
        });
        let mass = self.mass_matrix();
        let posed = self.problem.rebuild(&Load { wrench: *f, stiffness: *k, mass }, contacts);
        let answer = posed.ok().and_then(|()| self.solver.solve(&self.problem).ok());
        let step = answer.map(|a| a.step).filter(|q| q.iter().all(|x| x.is_finite()));
        self.trace.flags.set(Flags::UNSOLVABLE, step.is_none());
        step
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

    fn damping(&self) -> f64 {
        let damped = match self.settings.damped {
            Damping::Colliding => !self.touches.is_empty(),
            Damping::Sliding => match self.solver.solution().verdict {
                Verdict::Free => !self.touches.is_empty(),
                Verdict::Holds => false,
                Verdict::Slips | Verdict::Undecided | Verdict::Rolls => true,
            },
        };
        if damped { self.settings.damping } else { 0.0 }
    }

    /// The step cut so that no point goes further than the clearance and the step bound allow.
    fn bounded(&self, step: Vec6, clearance: f64) -> (Vec6, bool) {
        let (translation, rotation) = halves(&step);
        let reach = translation.norm() + rotation.norm() * self.radius;
        let allowed = clearance.max(0.0) + self.step_bound;
        if reach > allowed { (step * (allowed / reach), true) } else { (step, false) }
    }

    fn note(&mut self, walk: &Walk, shared: &Shared, pull: &Pull, bounded: bool) {
        let answer = self.solver.solution();
        let t = &mut self.trace;
        t.substeps += 1;
        t.friction = answer.friction;
        let slipped = t.substeps > 1 && t.verdict == Verdict::Slips;
        t.verdict = if slipped { Verdict::Slips } else { answer.verdict };
        (t.iterations, t.passes, t.rank) = (answer.iterations, answer.passes, answer.rank);
        t.contacts = self.touches.len() as u32;
        t.separating = self.separates.iter().filter(|s| **s).count() as u32;
        (t.stuck, t.sliding, t.limit, t.work) = (0, 0, 0.0, [0.0, f64::NEG_INFINITY]);
        for c in answer.contacts() {
            t.stuck += u32::from(c.state == SlipState::Stuck);
            t.sliding += u32::from(c.state == SlipState::Sliding);
            t.limit += c.limit;
            t.work = [t.work[0] + c.power, t.work[1].max(c.power)];
        }
        t.pressure = self.touches.iter().map(Touch::force).sum();
        t.residual = residual(&self.problem, answer, self.radius);
        t.depth = shared.depth;
        t.clearance = walk.clearance;
        t.samples = walk.samples as u32;
        t.levels = walk.levels as u32;
        t.flags.set(Flags::SATURATED, pull.saturated);
        t.flags.set(Flags::STEP_BOUNDED, bounded);
        t.flags.set(Flags::DEEP, shared.depth > self.step_bound);
        t.flags.set(Flags::OPPOSED, shared.opposed > 0);
        t.flags.set(Flags::COARSE, walk.stopped);
        t.flags.set(Flags::UNDECIDED, answer.stalled || answer.verdict == Verdict::Undecided);
    }

    /// The wrench after the step.
    fn finish(&mut self, hand: &Frame, load: &Vec6, before: &Frame) {
        let t = &mut self.trace;
        t.device = -self.settings.coupling.pull(hand, &self.part).wrench;
        t.load = *load;
        t.centre = self.part.centre;
        t.part = self.part.pose(&self.held.mass.centre);
        let turned = spatial::log(&(self.part.rotation * before.rotation.inverse()));
        t.step = join(self.part.centre - before.centre, turned);
    }

    /// What the last tick did.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The contacts of the last tick.
    pub fn contacts(&self) -> impl Iterator<Item = ContactTrace> + '_ {
        let hard = self.hard.iter().flat_map(move |hard| hard.contacts(self.posed_at));
        hard.chain(self.penalty_contacts())
    }

    fn penalty_contacts(&self) -> impl Iterator<Item = ContactTrace> + '_ {
        let solution = self.solver.solution();
        self.touches.iter().zip(self.problem.contacts()).enumerate().map(move |(i, (touch, contact))| {
            let answer = solution.contact(i);
            let along = |[u, v]: [f64; 2]| contact.tangent * u + contact.tangent_v() * v;
            ContactTrace {
                id: contact.id,
                position: self.posed_at + touch.arm,
                normal: touch.normal,
                depth: touch.depth,
                normal_force: touch.force(),
                friction: along(answer.friction),
                limit: answer.limit,
                slip: along(answer.slip),
                work: answer.power,
                state: answer.state,
            }
        })
    }

    /// The contact problem of the last solve.
    pub fn problem(&self) -> &ContactProblem {
        &self.problem
    }

    /// The friction solver's last answer.
    pub fn answer(&self) -> &friction::Solution {
        self.solver.solution()
    }

    /// How far µ could fall before the part of the last tick slips, by the ray and robustly: see [`Margins`](crate::probe::Margins). For displays, not for
    /// ticks: it works on a copy, so that asking changes no later tick.
    pub fn margins(&self) -> [f64; 2] {
        let margins = self.probe().margins();
        [margins.ray, margins.robust]
    }

    /// A probe of the last tick; makes the memory for later ones.
    pub fn probe(&self) -> Probe {
        let mut probe = Probe::new(self.solver.forgetful(), self.problem.capacity());
        self.copy_to(&mut probe);
        probe
    }

    /// Copies the last tick, with what its contacts remember, into a probe that this engine, or one with as many shell points and the same friction settings, has made. Does
    /// not allocate.
    pub fn copy_to(&self, probe: &mut Probe) {
        let Probe { problem, solver } = probe;
        match &self.hard {
            Some(hard) => {
                hard.pose(self.mass_matrix(), problem);
                solver.reset();
            }
            None => {
                problem.copy_from(&self.problem);
                solver.copy_memory_from(&self.solver);
            }
        }
    }

    /// Checks the last solve of hard contacts from its contacts alone; none for penalty contacts, whose answers have certificates of their own.
    pub fn certificate(&self) -> Option<Certificate> {
        self.hard.as_ref().map(|hard| hard.certificate())
    }

    /// The work of the last tick, counted: nothing for penalty contacts.
    pub fn work(&self) -> Work {
        self.hard.as_ref().map_or(Work::default(), |hard| hard.ration.done)
    }

    /// How many ticks had the flag [`COARSE`](Flags::COARSE) so far; 0 for penalty contacts.
    pub fn coarse_ticks(&self) -> u64 {
        self.hard.as_ref().map_or(0, |hard| hard.ration.bound)
    }

    /// The least work that a tick can be limited to (units); a smaller limit counts as this. 0 for penalty contacts.
    pub fn least_work(&self) -> u64 {
        self.hard.as_ref().map_or(0, |hard| hard.ration.least())
    }

    /// Limits the work of the ticks to come (units), as [`Settings::work`] does.
    pub fn limit_work(&mut self, work: u64) {
        self.settings.work = work;
    }

    /// How it works.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How far a point may go beyond the proven clearance in one solve (m).
    pub fn step_bound(&self) -> f64 {
        self.hard.as_ref().map_or(self.step_bound, |hard| hard.step_bound())
    }

    /// What hard contacts of these parts get under this coupling where nothing is set. For set-up, not for a tick.
    pub fn contact_defaults(&self) -> ContactDefaults {
        let [held, fixed] = [&self.held, &self.fixed].map(|shape| PartMeasures::of(shape));
        ContactDefaults::new(&self.settings.coupling, &held, &fixed)
    }

    /// The farthest point of the held part from its centre (m).
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The held and the fixed part.
    pub fn parts(&self) -> [&Arc<Shape>; 2] {
        [&self.held, &self.fixed]
    }

    /// Where the fixed part is (world from part).
    pub fn world_from_fixed(&self) -> &Pose {
        &self.world_from_fixed
    }

    /// Puts the part somewhere else and forgets everything. False, and no change, where the pose is not finite.
    pub fn place(&mut self, pose: &Pose) -> bool {
        if !is_pose(pose) {
            return false;
        }
        self.part = Frame::of(pose, &self.held.mass.centre);
        self.solver.reset();
        if let Some(hard) = &mut self.hard {
            hard.reset();
        }
        self.touches.clear();
        self.separates.clear();
        self.last.clear();
        self.problem.clear();
        self.trace = Trace::blank(pose, &self.part.centre);
        true
    }
}

fn check(s: &Settings) -> Result<(), EngineError> {
    let positive = "above zero and finite";
    let rows = [
        ("coupling stiffness", s.coupling.stiffness, s.coupling.stiffness > 0.0, positive),
        ("coupling torsion", s.coupling.torsion, s.coupling.torsion > 0.0, positive),
        ("coupling maximum force", s.coupling.max_force, s.coupling.max_force > 0.0, positive),
        ("coupling maximum torque", s.coupling.max_torque, s.coupling.max_torque > 0.0, positive),
        ("contact stiffness", s.budget.stiffness, s.budget.stiffness > 0.0, positive),
        ("contact blend", s.budget.blend, s.budget.blend > 0.0 && s.budget.blend <= 1.0, "above 0 and at most 1"),
        ("static friction coefficient", s.mu_static, s.mu_static >= 0.0, "at least zero and finite"),
        (
            "kinetic friction coefficient",
            s.mu_kinetic,
            s.mu_kinetic >= 0.0 && s.mu_kinetic <= s.mu_static,
            "between zero and the static one",
        ),
        ("damping", s.damping, (0.0..1.0).contains(&s.damping), "at least 0 and below 1"),
        ("mass", s.mass, s.mass > 0.0, positive),
        ("gravity", s.gravity.norm(), true, "finite"),
        ("tangent axis", s.tangent_axis.norm(), s.tangent_axis.norm() > 0.0, "a direction"),
        ("substeps", f64::from(s.substeps), s.substeps > 0, "at least 1"),
        ("contact modulus", s.modulus.unwrap_or(1.0), s.modulus.is_none_or(|m| m > 0.0), positive),
        (
            "contact modulus",
            s.modulus.unwrap_or(0.0),
            s.modulus.is_none() || s.stiffness.is_none() && s.contact_model() == ContactModel::Hard,
            "given for hard contacts and without a contact stiffness",
        ),
        ("step bound", s.step_bound.unwrap_or(1.0), s.step_bound.is_none_or(|b| b > 0.0), positive),
    ];
    for (setting, value, good, range) in rows {
        if !good || !value.is_finite() {
            return Err(EngineError::BadSetting { setting, value, range });
        }
    }
    Ok(())
}

/// Finite, near, and a rotation.
fn is_pose(pose: &Pose) -> bool {
    let near = pose.translation.vector.iter().all(|x| x.abs() < 1e6);
    near && (pose.rotation.quaternion().norm() - 1.0).abs() < 1e-6
}

fn matrix(pose: &Pose) -> Mat3 {
    *pose.rotation.to_rotation_matrix().matrix()
}

/// A unit tangent: the axis without its part along the normal, or another axis where that is too short.
fn projected(axis: &Vec3, normal: &Vec3) -> Vec3 {
    let axis = axis / axis.norm();
    for candidate in [axis, Vec3::new(axis.y, axis.z, axis.x), Vec3::new(axis.z, axis.x, axis.y)] {
        let tangent = candidate - normal * normal.dot(&candidate);
        if tangent.norm() > 0.1 {
            return tangent / tangent.norm();
        }
    }
    let tangent = normal.cross(&if normal.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() });
    tangent / tangent.norm()
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
