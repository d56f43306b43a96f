//! The friction solver: memory, workspace and the way through the methods.
//!
//! Every method asks the same things in the same order:
//!
//! 1. what each contact may carry and remembers (`memory.rs`);
//! 2. the rank of G and the step q* that friction does not have to move (`rank.rs`, `form.rs`);
//! 3. can friction balance what is left, -(f + K q*)? First in closed form (`balance.rs`): a yes answers every
//!    method, a no answers `lp`;
//! 4. if not: which friction is best? By the corral (`corral.rs`) for polygons, by Newton's method (`newton.rs`)
//!    for disks, by the interior-point method (`interior.rs`) for polygons with slip memory.
//!
//! *Common slip.* When all remembered slips are one rigid motion, s_i = G_iᵀq̄ (surfaces without noise), the
//! program of `hold` with memory is the one without, for the load f + A q̄, with the step q + q̄ in place of q.

use super::balance::{self, Outcome};
use super::cone::{Cone, Disk, PolygonTable, Shape};
use super::corral::{Corral, Ending, POINTS, Question, Set};
use super::form::{Form, Held};
use super::interior::{self, Facets, Interior};
use super::memory::{Memory, SlipState};
use super::newton::{self, Newton};
use super::passes::{self, Pair, Wide6, WrenchSum, transposed};
use super::rank::{self, NullSpace};
use super::solution::{Certificate, PerContact, Solution, Verdict};
use super::{Method, Settings};
use crate::contact::{ContactId, ContactProblem, LANES, Lane};
use crate::small::{self, ScaledCholesky};
use crate::spatial::{Mat6, Vec6};

/// Why a solver cannot be made with the given settings, or cannot take a problem.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// A polygon must have at least three sides.
    #[error("a friction polygon has 3 to {max} sides, not {sides}", max = Cone::MAX_SIDES)]
    BadPolygon {
        /// The number given.
        sides: usize,
    },
    /// The linear program is defined for polygons only.
    #[error("the linear program needs a polygon, not a disk: choose Cone::Polygon, or the methods qp or hold")]
    LpNeedsPolygon,
    /// The micro-slip tolerance must be a positive length.
    #[error("the micro-slip tolerance must be positive and finite, not {micro_slip} m")]
    BadMicroSlip {
        /// The value given.
        micro_slip: f64,
    },
    /// The frictional springs must have a stiffness.
    #[error("the stiffness of the frictional springs must be positive and finite, not {spring_stiffness} N/m")]
    BadSpring {
        /// The value given.
        spring_stiffness: f64,
    },
    /// The work budget must allow at least one pass.
    #[error("the work budget must be at least 1 pass")]
    NoBudget,
    /// The problem has more contacts than the solver was made for.
    #[error("the problem has {contacts} contacts, the solver was made for {capacity}")]
    Capacity {
        /// Contacts in the problem.
        contacts: usize,
        /// The solver's capacity.
        capacity: usize,
    },
    /// A step was committed for another problem than the last one solved.
    #[error("the step does not belong to the last problem solved ({contacts} contacts against {solved})")]
    NotSolved {
        /// Contacts in the problem given.
        contacts: usize,
        /// Contacts in the last problem solved.
        solved: usize,
    },
    /// A committed step has an entry that is NaN or infinite.
    #[error("the committed step is not finite; the contacts' memory is unchanged")]
    NonFiniteStep,
}

/// Solves one contact problem per tick; remembers slip between ticks. All memory is made by [`new`](Self::new).
#[derive(Clone, Debug)]
pub struct FrictionSolver {
    pub(super) settings: Settings,
    capacity: usize,
    pub(super) table: Option<Box<PolygonTable>>,
    memory: Memory,
    /// Some contact of the problem being solved remembers slip.
    pub(super) remembers: bool,
    pub(super) corral: Corral,
    pub(super) slots: [Vec<Pair>; POINTS],
    interior: Interior,
    pub(super) newton: Newton,
    /// Zeros, for programs without slip memory.
    pub(super) no_slip: Vec<Pair>,
    /// Remembered slips without what they have in common.
    apart: Vec<Pair>,
    warm: Warm,
    /// Factor on all limits, other than 1 while a margin is looked for.
    pub(super) limit_scale: f64,
    /// The motion that the last ray margin found friction to resist least.
    pub(super) weakest: Vec6,
    pub(super) solution: Solution,
}

/// Slip of this part of the micro-slip tolerance is rounding: a held part whose remembered slips are 1e-17 m apart is held as if they
/// were one motion.
pub(super) const NOTHING: f64 = 1e-11;

/// What remembered slips have in common.
struct CommonSlip {
    /// q̄.
    motion: Vec6,
    /// It is all there is to them.
    is_all: bool,
    /// Work of friction over what is left, and over all of them (J).
    rest: f64,
    all: f64,
}

impl Default for CommonSlip {
    /// No slip at all.
    fn default() -> Self {
        CommonSlip { motion: Vec6::zeros(), is_all: true, rest: 0.0, all: 0.0 }
    }
}

/// What a solve leaves for the next one to start from.
#[derive(Clone, Debug)]
struct Warm {
    directions: [Vec6; POINTS],
    count: usize,
    y: Option<Vec6>,
    /// The load and the contacts that Newton's method answered last.
    wrench: Option<Vec6>,
    ids: Vec<[ContactId; LANES]>,
}

impl Warm {
    fn with_capacity(blocks: usize) -> Self {
        let directions = [Vec6::zeros(); POINTS];
        Self { directions, count: 0, y: None, wrench: None, ids: Vec::with_capacity(blocks) }
    }

    fn clear(&mut self) {
        (self.count, self.y, self.wrench) = (0, None, None);
    }

    /// The same contacts under the same load as in the last tick, to 1e-6: its friction may well answer this one too.
    fn rests(&self, problem: &ContactProblem) -> bool {
        let wrench = &problem.load().wrench;
        let near = self.wrench.is_some_and(|last| (wrench - last).norm() <= 1e-6 * last.norm().max(1e-9));
        near && self.ids == problem.lanes().ids
    }

    fn remember(&mut self, problem: &ContactProblem) {
        self.wrench = Some(problem.load().wrench);
        self.ids.clear();
        self.ids.extend_from_slice(&problem.lanes().ids);
    }
}

/// Runs an expression with `shape` bound to the cone's shape, compiled for each.
macro_rules! with_shape {
    ($table:expr, $shape:ident => $body:expr) => {
        match $table {
            None => {
                let $shape = $crate::friction::cone::Disk;
                $body
            }
            Some(table) if table.sides == 4 => {
                let $shape = table.square();
                $body
            }
            Some(table) if table.sides == 8 => {
                let $shape = table.octagon();
                $body
            }
            Some(table) => {
                let $shape = table.regular();
                $body
            }
        }
    };
}
pub(super) use with_shape;

impl FrictionSolver {
    /// A solver for up to `capacity` contacts.
    pub fn new(settings: Settings, capacity: usize) -> Result<Self, SolverError> {
        let table = match settings.cone {
            Cone::Disk if settings.method == Method::Lp => return Err(SolverError::LpNeedsPolygon),
            Cone::Disk => None,
            Cone::Polygon { sides, .. } if !(3..=Cone::MAX_SIDES).contains(&sides) => {
                return Err(SolverError::BadPolygon { sides });
            }
            Cone::Polygon { sides, fit } => Some(Box::new(PolygonTable::new(sides, fit))),
        };
        let micro_slip = settings.micro_slip;
        if !(micro_slip > 0.0 && micro_slip.is_finite()) {
            return Err(SolverError::BadMicroSlip { micro_slip });
        }
        let spring_stiffness = settings.spring_stiffness;
        if settings.method == Method::Yamane && !(spring_stiffness > 0.0 && spring_stiffness.is_finite()) {
            return Err(SolverError::BadSpring { spring_stiffness });
        }
        if settings.budget == 0 {
            return Err(SolverError::NoBudget);
        }
        let blocks = capacity.div_ceil(LANES);
        let pairs = || vec![[Lane::ZERO; 2]; blocks];
        let multipliers = table.as_ref().map_or(1, |t| t.sides);
        let uses_corral = table.is_some();
        let uses_interior = settings.method == Method::Hold && table.is_some();
        let uses_newton = table.is_none();
        Ok(Self {
            settings,
            capacity,
            memory: Memory::with_capacity(capacity),
            remembers: false,
            corral: Corral::new(),
            slots: std::array::from_fn(|_| if uses_corral { pairs() } else { Vec::new() }),
            interior: Interior::with_capacity(if uses_interior { blocks } else { 0 }, multipliers),
            newton: Newton::with_capacity(if uses_newton { blocks } else { 0 }),
            no_slip: if uses_newton { pairs() } else { Vec::new() },
            apart: pairs(),
            warm: Warm::with_capacity(blocks),
            limit_scale: 1.0,
            weakest: Vec6::zeros(),
            table,
            solution: Solution {
                verdict: Verdict::Free,
                step: Vec6::zeros(),
                friction: Vec6::zeros(),
                certificate: Certificate::None,
                method: settings.method,
                cone: settings.cone,
                micro_slip,
                iterations: 0,
                passes: 0,
                stalled: false,
                metric_shifted: false,
                rank: 0,
                per_contact: PerContact {
                    len: 0,
                    friction: pairs(),
                    slip: pairs(),
                    anchor: pairs(),
                    limit: vec![Lane::ZERO; blocks],
                    power: vec![Lane::ZERO; blocks],
                    state: vec![[SlipState::Separated; LANES]; blocks],
                },
            },
        })
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The last answer.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Forgets slip, sliding and warm start: the next tick is the first.
    pub fn reset(&mut self) {
        self.memory.clear();
        self.warm.clear();
    }

    /// The same with nothing remembered, and room to remember as much: a plain clone has only the room that it needs.
    pub(crate) fn forgetful(&self) -> Self {
        let memory = Memory::with_capacity(self.capacity);
        Self { memory, warm: Warm::with_capacity(self.capacity.div_ceil(LANES)), ..self.clone() }
    }

    /// Remembers what another solver does, and starts cold. Does not allocate where both were made for as many contacts.
    pub fn copy_memory_from(&mut self, other: &FrictionSolver) {
        self.memory.copy_from(&other.memory);
        self.warm.clear();
    }

    /// The motion that the last [`ray_margin`](Self::ray_margin) found friction to resist least, for its load (m, rad; of no particular length).
    pub fn weakest(&self) -> &Vec6 {
        &self.weakest
    }

    /// Answers a problem. Does not allocate and does not change what contacts remember: see [`commit`](Self::commit).
    pub fn solve(&mut self, problem: &ContactProblem) -> Result<&Solution, SolverError> {
        let contacts = problem.len();
        if contacts > self.capacity {
            return Err(SolverError::Capacity { contacts, capacity: self.capacity });
        }
        let n = problem.blocks().len();
        let answer = &mut self.solution;
        answer.per_contact.len = contacts;
        let (limits, anchors) = (&mut answer.per_contact.limit[..n], &mut answer.per_contact.anchor[..n]);
        let remembers = self.memory.recall(problem, limits, anchors);
        self.remembers = remembers;
        if self.limit_scale != 1.0 {
            limits.iter_mut().for_each(|limit| *limit *= Lane::splat(self.limit_scale));
        }
        (answer.iterations, answer.passes, answer.stalled, answer.metric_shifted) = (0, 0, false, false);
        if !self.settings.warm_start {
            self.warm.clear();
        }
        match self.settings.method {
            Method::Frictionless => {
                self.let_go(problem, Certificate::None);
                self.solution.verdict = Verdict::Free;
                return Ok(&self.solution);
            }
            Method::Yamane => {
                self.solve_springs(problem);
                return Ok(&self.solution);
            }
            _ => {}
        }
        let table = self.table.take();
        with_shape!(table.as_deref(), shape => self.solve_with(problem, shape, table.as_deref(), remembers));
        self.table = table;
        Ok(&self.solution)
    }

    /// Takes the step that the part really made: slip accumulates, anchors are dragged, sliders are noted.
    ///
    /// `step` is the answer's own step, or less where the caller damps it. Call it once after each
    /// [`solve`](Self::solve) whose motion took place, with the same problem. On an error nothing changes.
    pub fn commit(&mut self, problem: &ContactProblem, step: &Vec6) -> Result<(), SolverError> {
        let (contacts, solved) = (problem.len(), self.solution.len());
        if contacts != solved {
            return Err(SolverError::NotSolved { contacts, solved });
        }
        if !step.iter().all(|x| x.is_finite()) {
            return Err(SolverError::NonFiniteStep);
        }
        let out = &self.solution.per_contact;
        let (points_move, micro_slip) = (self.settings.points_move, self.settings.micro_slip);
        if self.settings.method == Method::Yamane {
            let spring = self.spring(problem);
            let longest = |i: usize| out.limit[i / LANES].as_array()[i % LANES] / spring;
            self.memory.commit(problem, step, points_move, longest);
        } else {
            self.memory.commit(problem, step, points_move, |_| micro_slip);
        }
        Ok(())
    }

    fn solve_with<S: Shape>(
        &mut self,
        problem: &ContactProblem,
        shape: S,
        table: Option<&PolygonTable>,
        remembers: bool,
    ) {
        let n = problem.blocks().len();
        let method = self.settings.method;
        let gram = passes::gram_by_limit(problem.blocks(), &self.solution.per_contact.limit[..n]);
        self.solution.passes += 1;
        let (null, factor) = self.rank(problem, &gram);
        // Slip matters to `hold` only. Without a common slip it must be solved for.
        let remembers = remembers && method == Method::Hold;
        let common = if remembers { self.common_slip(problem, factor.as_ref()) } else { CommonSlip::default() };
        let (slip, is_common) = (common.motion, common.is_all);
        let mut form = None;
        if is_common {
            // At full rank nothing moves while friction holds, and the stiffness does not matter.
            let held = if null.dimension() == 0 && slip == Vec6::zeros() {
                Held::still(&problem.load().wrench)
            } else {
                let form = form.get_or_insert_with(|| Form::new(problem, method));
                form.held(&null, &(form.wrench - form.stiffness * slip))
            };
            if null.dimension() == 6 {
                return self.nothing_to_hold(problem, &held);
            }
            if self.decide_by_balance(problem, shape, table, &held, &slip, factor.as_ref(), &null) {
                self.solution.metric_shifted = form.is_some_and(|form| form.shifted);
                return;
            }
        }
        let form = form.unwrap_or_else(|| Form::new(problem, method));
        self.solution.metric_shifted = form.shifted;
        let slip = if remembers { self.worth_it(&form, &common, n) } else { slip };
        match (method, table) {
            (Method::Lp, _) => {
                let held = form.held(&null, &form.wrench);
                let length = problem.length();
                let plain = Mat6::from_diagonal(&rank::row_scale(1.0 / length));
                self.solve_lp(problem, shape, &form, &held, [plain, whitening(&gram, &null, length)]);
            }
            (_, None) => self.solve_newton(problem, &form, remembers.then_some(slip)),
            (Method::Hold, Some(table)) if remembers => {
                self.solve_interior(problem, Facets { table, shape }, &form, &slip);
            }
            (_, Some(_)) => self.solve_corral(problem, shape, &form),
        }
    }

    /// The null space of Gᵀ, and the factor of the Gram matrix with that space filled in.
    fn rank(&mut self, problem: &ContactProblem, gram: &Mat6) -> (NullSpace, Option<ScaledCholesky>) {
        if let Some(factor) = problem.full_rank(gram) {
            self.solution.rank = 6;
            return (NullSpace::EMPTY, Some(factor));
        }
        let length = problem.length();
        let (null, passes) = rank::null_space(problem.blocks(), length, gram);
        self.solution.passes += passes;
        self.solution.rank = 6 - null.dimension() as u8;
        let factor = small::cholesky_scaled(&null.fill(gram, length));
        (null, factor)
    }

    /// The rigid motion q̄ nearest to the remembered slips, and whether every one of them is G_iᵀq̄ to rounding, or to a [`NOTHING`] of the
    /// micro-slip tolerance. `apart` gets what is left of them.
    fn common_slip(&mut self, problem: &ContactProblem, factor: Option<&ScaledCholesky>) -> CommonSlip {
        let out = &self.solution.per_contact;
        let data = || problem.blocks().iter().zip(&out.limit).zip(&out.anchor);
        let slip = factor.map_or_else(Vec6::zeros, |factor| {
            let mut sum = WrenchSum::default();
            for ((block, &limit), s) in data() {
                let weight = limit * limit;
                sum.add(block, &[s[0] * weight, s[1] * weight]);
            }
            factor.solve(&sum.total())
        });
        let q = Wide6::splat(&slip);
        let (mut rest, mut all, mut limits) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
        for (((block, &limit), s), apart) in data().zip(&mut self.apart) {
            let d = transposed(block, &q);
            *apart = [s[0] - d[0], s[1] - d[1]];
            limits += limit;
            rest += limit * Disk.gauge(*apart);
            all += limit * Disk.gauge(*s);
        }
        self.solution.passes += 2;
        let nothing = NOTHING * self.settings.micro_slip * passes::total(limits);
        let (rest, all) = (passes::total(rest), passes::total(all));
        CommonSlip { motion: slip, is_all: rest <= (1e-13 * all).max(nothing), rest, all }
    }

    /// The common slip, if setting it apart makes the program smaller. It does not where it was hard to tell: normals nearly parallel. And
    /// where it is all there is, the part slides (or the closed form had answered), and slips at a kink of the program are no start.
    fn worth_it(&mut self, form: &Form, common: &CommonSlip, blocks: usize) -> Vec6 {
        let energy = |f: &Vec6| 0.5 * (form.b * f).norm_squared();
        let shifted = form.wrench - form.stiffness * common.motion;
        if !common.is_all && energy(&shifted) + common.rest < energy(&form.wrench) + common.all {
            return common.motion;
        }
        self.apart[..blocks].copy_from_slice(&self.solution.per_contact.anchor[..blocks]);
        Vec6::zeros()
    }

    /// Tries the closed form; true if it answered.
    #[allow(clippy::too_many_arguments)]
    fn decide_by_balance<S: Shape>(
        &mut self,
        problem: &ContactProblem,
        shape: S,
        table: Option<&PolygonTable>,
        held: &Held,
        slip: &Vec6,
        factor: Option<&ScaledCholesky>,
        null: &NullSpace,
    ) -> bool {
        let n = problem.blocks().len();
        let Some(factor) = factor else { return false };
        let out = &mut self.solution.per_contact;
        let task = balance::Task {
            blocks: problem.blocks(),
            limits: &out.limit[..n],
            shape,
            inner: table.map_or(1.0, |t| t.inradius),
            outer: table.map_or(1.0, |t| t.radius),
            length: problem.length(),
            w: &held.w,
            null,
        };
        let (outcome, wrench, passes) = balance::balance(&task, factor, &mut out.friction[..n]);
        self.solution.passes += passes;
        let &Held { step: held_step, lambda, .. } = held;
        match outcome {
            Outcome::Balanced if *slip == Vec6::zeros() => {
                self.finish(problem, held_step, wrench, Certificate::Balanced { lambda });
                true
            }
            Outcome::Balanced => {
                let step = held_step - slip;
                let gap = self.gap(problem, shape, &step, true);
                self.finish(problem, step, wrench, Certificate::Optimal { gap });
                true
            }
            Outcome::Impossible(nu) if self.settings.method == Method::Lp => {
                let direction = nu / nu.norm();
                let proved = self.proves_slipping(problem, shape, &direction, held);
                if proved {
                    self.let_go(problem, Certificate::Unstoppable { direction, held_step, lambda });
                }
                proved
            }
            _ => false,
        }
    }

    /// Σ (σ_i(-u_i) + β_iᵀu_i) with u_i = G_iᵀp, plus s_i if slip is remembered, for the friction of the answer.
    fn gap<S: Shape>(&mut self, problem: &ContactProblem, shape: S, p: &Vec6, remembers: bool) -> f64 {
        let p = Wide6::splat(p);
        let keep = if remembers { Lane::ONE } else { Lane::ZERO };
        let out = &self.solution.per_contact;
        let mut gap = Lane::ZERO;
        let data = problem.blocks().iter().zip(&out.limit).zip(&out.anchor).zip(&out.friction);
        for (((block, &limit), s), b) in data {
            let d = transposed(block, &p);
            let u = [d[0] + s[0] * keep, d[1] + s[1] * keep];
            let most = shape.extreme([-u[0], -u[1]], limit);
            gap += u[0] * (b[0] - most[0]) + u[1] * (b[1] - most[1]);
        }
        self.solution.passes += 1;
        passes::total(gap).max(0.0)
    }

    /// True when yᵀ(f + K q*) + Σ max yᵀG_iβ_i < 0 beyond rounding.
    fn proves_slipping<S: Shape>(&mut self, problem: &ContactProblem, shape: S, y: &Vec6, held: &Held) -> bool {
        let n = problem.blocks().len();
        let out = &mut self.solution.per_contact;
        let most = passes::support(problem.blocks(), &out.limit[..n], shape, y, &mut out.friction[..n]);
        self.solution.passes += 1;
        // Beyond what rounding may do to the sums.
        let doubt = 3e-14 * (y.abs().dot(&most.abs()) + y.abs().dot(&held.w.abs()));
        y.dot(&held.w) - y.dot(&most) > doubt
    }

    fn solve_lp<S: Shape>(&mut self, problem: &ContactProblem, shape: S, form: &Form, held: &Held, bs: [Mat6; 2]) {
        let n = problem.blocks().len();
        let &Held { step: held_step, lambda, .. } = held;
        let mut iterations = 0;
        for b in &bs {
            let limits = &self.solution.per_contact.limit[..n];
            let set = Set { blocks: problem.blocks(), limits, shape, b, f: &-held.w };
            let warm = &self.warm.directions[..self.warm.count];
            let ending = self.corral.search(&set, Question::Contains, warm, self.settings.budget, &mut self.slots);
            self.note_search();
            iterations += self.corral.iterations;
            self.solution.iterations = iterations;
            let y = -(b.transpose() * self.corral.x);
            let direction = y / y.norm();
            let negligible = self.corral.x.norm() <= 1e-10 * (b * held.w).norm();
            if ending == Ending::Contained || (ending != Ending::Budget && negligible) {
                let friction = self.corral_friction(problem);
                self.solution.stalled = false;
                return self.finish(problem, held_step, friction, Certificate::Balanced { lambda });
            }
            if ending == Ending::Separated && self.proves_slipping(problem, shape, &direction, held) {
                self.solution.stalled = false;
                return self.let_go(problem, Certificate::Unstoppable { direction, held_step, lambda });
            }
            // Rounding stands in the way: try again in other coordinates.
            self.solution.stalled = ending != Ending::Budget;
            if ending == Ending::Budget {
                break;
            }
        }
        let friction = self.corral_friction(problem);
        self.finish(problem, form.step(&friction), friction, Certificate::None);
    }

    fn solve_corral<S: Shape>(&mut self, problem: &ContactProblem, shape: S, form: &Form) {
        let n = problem.blocks().len();
        let limits = &self.solution.per_contact.limit[..n];
        let set = Set { blocks: problem.blocks(), limits, shape, b: &form.b, f: &form.wrench };
        let warm = &self.warm.directions[..self.warm.count];
        let ending = self.corral.search(&set, Question::Nearest, warm, self.settings.budget, &mut self.slots);
        self.note_search();
        let friction = self.corral_friction(problem);
        let gap = self.gap(problem, shape, &(form.b.transpose() * (form.b * (form.wrench + friction))), false);
        // The gap that rounding left is proof enough when it is this small.
        let proved = ending != Ending::Budget && gap <= 1e-9 * (form.b * form.wrench).norm_squared();
        self.solution.stalled = ending != Ending::Budget && !proved;
        let certificate = if proved { Certificate::Optimal { gap } } else { Certificate::None };
        self.finish(problem, form.step(&friction), friction, certificate);
    }

    /// Counts the work of a search, and keeps its directions for the next tick.
    fn note_search(&mut self) {
        self.solution.iterations = self.corral.iterations;
        self.solution.passes += self.corral.iterations;
        self.warm.count = 0;
        for direction in self.corral.directions() {
            self.warm.directions[self.warm.count] = direction;
            self.warm.count += 1;
        }
    }

    /// `slip`: the rigid motion q̄ nearest to what contacts remember. The program is solved for q + q̄ and the load f + A q̄, so that it sees
    /// only how remembered slips differ: they may be a millionth of the slips themselves.
    fn solve_newton(&mut self, problem: &ContactProblem, form: &Form, slip: Option<Vec6>) {
        let n = problem.blocks().len();
        let out = &mut self.solution.per_contact;
        let limits = &out.limit[..n];
        // The quadratic program has no memory: its contacts remember slip only to be told stuck from sliding.
        let remembers = slip.is_some();
        let anchors = if remembers { &self.apart[..n] } else { &self.no_slip[..n] };
        let f = form.wrench - form.stiffness * slip.unwrap_or_default();
        // With memory the objective is an energy; the quadratic program's is in units of its metric.
        let nothing = if remembers { NOTHING * self.settings.micro_slip } else { 0.0 };
        let program = newton::Program { blocks: problem.blocks(), limits, anchors, b: &form.b, f: &f, nothing };
        // What contacts remember is itself a start: past steps are in it, so that a held part hardly moves.
        let near = if remembers { Some(Vec6::zeros()) } else { self.warm.y };
        let rests = self.warm.rests(problem);
        let best = self.newton.solve(&program, near, rests, self.settings.budget);
        out.friction[..n].copy_from_slice(best);
        self.warm.remember(problem);
        self.warm.y = Some(self.newton.y);
        self.solution.iterations = self.newton.iterations;
        self.solution.passes += self.newton.passes;
        self.solution.stalled = self.newton.stalled;
        let certificate =
            if self.newton.converged { Certificate::Optimal { gap: self.newton.gap } } else { Certificate::None };
        let friction = self.total_friction(problem);
        self.finish(problem, form.step(&friction), friction, certificate);
    }

    /// As [`solve_newton`](Self::solve_newton).
    fn solve_interior<S: Shape>(&mut self, problem: &ContactProblem, cone: Facets<S>, form: &Form, slip: &Vec6) {
        let n = problem.blocks().len();
        let out = &mut self.solution.per_contact;
        let (limits, anchors) = (&out.limit[..n], &self.apart[..n]);
        let f = form.wrench - form.stiffness * slip;
        let program = interior::Program { blocks: problem.blocks(), limits, anchors, cone, b: &form.b, f: &f };
        let best = self.interior.solve(&program, self.settings.budget);
        out.friction[..n].copy_from_slice(best);
        self.solution.iterations = self.interior.iterations;
        self.solution.passes += self.interior.passes;
        self.solution.stalled = self.interior.stalled;
        let certificate =
            if self.interior.converged { Certificate::Optimal { gap: self.interior.gap } } else { Certificate::None };
        let friction = self.total_friction(problem);
        self.finish(problem, form.step(&friction), friction, certificate);
    }

    /// No contact can carry friction: the frictionless step.
    fn nothing_to_hold(&mut self, problem: &ContactProblem, held: &Held) {
        let n = problem.blocks().len();
        self.solution.per_contact.friction[..n].fill([Lane::ZERO; 2]);
        self.finish(problem, held.step, Vec6::zeros(), Certificate::Balanced { lambda: held.lambda });
        self.solution.verdict = Verdict::Free;
    }

    /// No friction: the frictionless step, as in the paper.
    fn let_go(&mut self, problem: &ContactProblem, certificate: Certificate) {
        let n = problem.blocks().len();
        self.solution.per_contact.friction[..n].fill([Lane::ZERO; 2]);
        let step = -(problem.stiffness_inverse() * problem.load().wrench);
        self.finish(problem, step, Vec6::zeros(), certificate);
    }

    fn corral_friction(&mut self, problem: &ContactProblem) -> Vec6 {
        let n = problem.blocks().len();
        self.corral.friction(&self.slots, &mut self.solution.per_contact.friction[..n]);
        self.total_friction(problem)
    }
}

/// Coordinates in which Σ G_i P_i is about as thick in every direction. The linear program's question does not depend on
/// coordinates, but the accuracy of the answer does where normals are nearly parallel or limits very different.
fn whitening(gram: &Mat6, null: &NullSpace, length: f64) -> Mat6 {
    let filled = null.fill(gram, length);
    small::cholesky_scaled(&filled)
        .or_else(|| small::cholesky_scaled(&small::lifted(&filled)))
        .map_or_else(|| Mat6::from_diagonal(&rank::row_scale(1.0 / length)), |factor| factor.whitening())
}
