//! The friction solver: memory, workspace and the way through the methods.
//!
//! Every method asks the same things in the same order:
//!
//! 1. what each contact may carry and remembers (`memory.rs`);
//! 2. the rank of G and the step q* that friction does not have to move (`rank.rs`, `form.rs`);
//! 3. can friction balance what is left, -(f + K q*)? First in closed form (`balance.rs`): a yes is the answer of
//!    every method without slip memory, a no is that of `lp`;
//! 4. if not: which friction is best? By the corral (`corral.rs`) for polygons, by the interior-point method
//!    (`interior.rs`) for disks and with slip memory.

use super::balance::{self, Outcome};
use super::cone::{self, Cone, Disk, PolygonTable, Shape};
use super::corral::{Corral, Ending, POINTS, Question, Set};
use super::form::Form;
use super::interior::{Barrier, Facets, Interior, Program, Start};
use super::memory::{Memory, SlipState};
use super::passes::{self, Pair, Wide6, WrenchSum, transposed};
use super::rank::{self, NullSpace};
use super::solution::{Certificate, PerContact, Solution, Verdict};
use super::{Method, Settings};
use crate::contact::{ContactProblem, LANES, Lane};
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
}

/// Solves one contact problem per tick; remembers slip between ticks. All memory is made by [`new`](Self::new).
#[derive(Clone, Debug)]
pub struct FrictionSolver {
    settings: Settings,
    capacity: usize,
    table: Option<Box<PolygonTable>>,
    memory: Memory,
    corral: Corral,
    slots: [Vec<Pair>; POINTS],
    interior: Interior,
    warm_directions: [Vec6; POINTS],
    warm_count: usize,
    solution: Solution,
}

/// Runs an expression with `cone` bound to the cone's barrier and shape, compiled for each.
macro_rules! with_cone {
    ($table:expr, $cone:ident => $body:expr) => {
        match $table {
            None => {
                let $cone = Disk;
                $body
            }
            Some(table) if table.sides == 4 => {
                let $cone = Facets { table, shape: table.square() };
                $body
            }
            Some(table) if table.sides == 8 => {
                let $cone = Facets { table, shape: table.octagon() };
                $body
            }
            Some(table) => {
                let $cone = Facets { table, shape: table.regular() };
                $body
            }
        }
    };
}

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
        if settings.budget == 0 {
            return Err(SolverError::NoBudget);
        }
        let blocks = capacity.div_ceil(LANES);
        let pairs = || vec![[Lane::ZERO; 2]; blocks];
        let multipliers = table.as_ref().map_or(1, |t| t.sides);
        let uses_corral = table.is_some();
        let uses_interior = settings.method == Method::Hold || table.is_none();
        Ok(Self {
            settings,
            capacity,
            memory: Memory::with_capacity(capacity),
            corral: Corral::new(),
            slots: std::array::from_fn(|_| if uses_corral { pairs() } else { Vec::new() }),
            interior: Interior::with_capacity(if uses_interior { blocks } else { 0 }, multipliers),
            warm_directions: [Vec6::zeros(); POINTS],
            warm_count: 0,
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
        self.warm_count = 0;
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
        (answer.iterations, answer.passes, answer.stalled) = (0, 0, false);
        let table = self.table.take();
        with_cone!(table.as_deref(), cone => self.solve_with(problem, cone, remembers));
        self.table = table;
        Ok(&self.solution)
    }

    /// Takes the step that the part really made: slip accumulates, anchors are dragged, sliders are noted.
    ///
    /// `step` is the answer's own step, or less where the caller damps it. Call it once after each
    /// [`solve`](Self::solve) whose motion took place, with the same problem.
    pub fn commit(&mut self, problem: &ContactProblem, step: &Vec6) {
        let n = problem.blocks().len();
        self.memory.commit(problem, &self.solution.per_contact.anchor[..n], step, self.settings.micro_slip);
    }

    fn solve_with<C: Barrier>(&mut self, problem: &ContactProblem, cone: C, remembers: bool) {
        let n = problem.blocks().len();
        let form = Form::new(problem, self.settings.method);
        self.solution.metric_shifted = form.shifted;
        let length = problem.length();
        let gram = passes::gram_by_limit(problem.blocks(), &self.solution.per_contact.limit[..n]);
        self.solution.passes += 1;
        let null = if problem.has_full_rank(&gram) {
            NullSpace::EMPTY
        } else {
            let (null, passes) = rank::null_space(problem.blocks(), length);
            self.solution.passes += passes;
            null
        };
        self.solution.rank = 6 - null.dimension() as u8;
        let (held_step, lambda) = form.held_step(&null);
        let w = -(form.wrench + form.stiffness * held_step);
        let held = Held { step: held_step, lambda, w, length };
        if null.dimension() == 6 {
            self.solution.per_contact.friction[..n].fill([Lane::ZERO; 2]);
            self.finish(problem, held_step, Vec6::zeros(), Certificate::Balanced { lambda });
            self.solution.verdict = Verdict::Free;
            return;
        }
        if !(self.settings.method == Method::Hold && remembers) {
            match self.try_balance(problem, cone.shape(), &held, &null, &gram) {
                Outcome::Balanced => {
                    let friction = self.total_friction(problem);
                    self.finish(problem, held_step, friction, Certificate::Balanced { lambda });
                    return;
                }
                Outcome::Impossible(nu) if self.settings.method == Method::Lp => {
                    let direction = nu / nu.norm();
                    if self.proves_slipping(problem, cone.shape(), &direction, &held) {
                        let certificate = Certificate::Unstoppable { direction, held_step, lambda };
                        self.let_go(problem, &form, certificate);
                        return;
                    }
                }
                _ => {}
            }
        }
        match self.settings.method {
            Method::Lp => self.solve_lp(problem, cone.shape(), &form, &held),
            Method::Qp(_) if self.table_sides() > 0 => self.solve_corral(problem, cone.shape(), &form),
            Method::Hold if self.table_sides() > 0 && !remembers => self.solve_corral(problem, cone.shape(), &form),
            Method::Qp(_) | Method::Hold => self.solve_interior(problem, cone, &form),
        }
    }
}

/// The step that friction does not have to move, its multiplier, and what friction would have to balance.
struct Held {
    step: Vec6,
    lambda: Vec6,
    /// w = -(f + K q*), in the range of G.
    w: Vec6,
    length: f64,
}

impl FrictionSolver {
    fn table_sides(&self) -> usize {
        match self.settings.cone {
            Cone::Disk => 0,
            Cone::Polygon { sides, .. } => sides,
        }
    }

    fn try_balance<S: Shape>(
        &mut self,
        problem: &ContactProblem,
        shape: S,
        held: &Held,
        null: &NullSpace,
        gram: &Mat6,
    ) -> Outcome {
        let n = problem.blocks().len();
        let (inner, outer) = match self.settings.cone {
            Cone::Disk => (1.0, 1.0),
            Cone::Polygon { sides, fit } => cone::radii(sides, fit),
        };
        let task = balance::Task {
            blocks: problem.blocks(),
            limits: &self.solution.per_contact.limit[..n],
            shape,
            inner,
            outer,
            length: held.length,
            w: &held.w,
            fill: &|gram| null.fill(gram, held.length),
        };
        let (outcome, passes) = balance::balance(&task, gram, &mut self.solution.per_contact.friction[..n]);
        self.solution.passes += passes;
        outcome
    }

    /// True when yᵀ(f + K q*) + Σ max yᵀG_iβ_i < 0 beyond rounding.
    fn proves_slipping<S: Shape>(&mut self, problem: &ContactProblem, shape: S, y: &Vec6, held: &Held) -> bool {
        let n = problem.blocks().len();
        let out = &mut self.solution.per_contact;
        let most = passes::support(problem.blocks(), &out.limit[..n], shape, y, &mut out.friction[..n]);
        self.solution.passes += 1;
        let (friction, load) = (y.dot(&most), y.dot(&held.w));
        load - friction > 1e-12 * (load.abs() + friction.abs())
    }

    fn solve_lp<S: Shape>(&mut self, problem: &ContactProblem, shape: S, form: &Form, held: &Held) {
        let n = problem.blocks().len();
        let b = Mat6::from_diagonal(&rank::row_scale(1.0 / held.length));
        let set = Set {
            blocks: problem.blocks(),
            limits: &self.solution.per_contact.limit[..n],
            shape,
            b: &b,
            f: &-held.w,
        };
        let budget = self.settings.budget.saturating_sub(self.solution.passes).max(1);
        let warm = &self.warm_directions[..self.warm_count];
        let ending = self.corral.search(&set, Question::Contains, warm, budget, &mut self.slots);
        self.note_search();
        let &Held { step: held_step, lambda, .. } = held;
        let negligible = self.corral.x.norm() <= 1e-10 * (b * held.w).norm();
        match ending {
            Ending::Separated => {
                let y = -(b * self.corral.x);
                let certificate = Certificate::Unstoppable { direction: y / y.norm(), held_step, lambda };
                self.let_go(problem, form, certificate);
            }
            Ending::Contained | Ending::Nearest | Ending::Stalled if negligible => {
                let friction = self.corral_friction(problem);
                self.finish(problem, held_step, friction, Certificate::Balanced { lambda });
            }
            _ => {
                self.solution.stalled = ending != Ending::Budget;
                let friction = self.corral_friction(problem);
                self.finish(problem, form.step(&friction), friction, Certificate::None);
            }
        }
    }

    fn solve_corral<S: Shape>(&mut self, problem: &ContactProblem, shape: S, form: &Form) {
        let n = problem.blocks().len();
        let limits = &self.solution.per_contact.limit[..n];
        let set = Set { blocks: problem.blocks(), limits, shape, b: &form.b, f: &form.wrench };
        let budget = self.settings.budget.saturating_sub(self.solution.passes).max(1);
        let warm = &self.warm_directions[..self.warm_count];
        let ending = self.corral.search(&set, Question::Nearest, warm, budget, &mut self.slots);
        self.note_search();
        let friction = self.corral_friction(problem);
        let gap = self.corral.gap;
        let small = gap <= 1e-9 * (form.b * form.wrench).norm_squared();
        let certificate = match ending {
            Ending::Contained | Ending::Nearest | Ending::Separated => Certificate::Optimal { gap },
            Ending::Stalled if small => Certificate::Optimal { gap },
            Ending::Stalled | Ending::Budget => Certificate::None,
        };
        self.solution.stalled = ending == Ending::Stalled && !small;
        self.finish(problem, form.step(&friction), friction, certificate);
    }

    fn solve_interior<C: Barrier>(&mut self, problem: &ContactProblem, cone: C, form: &Form) {
        let n = problem.blocks().len();
        let out = &mut self.solution.per_contact;
        let program = Program {
            blocks: problem.blocks(),
            limits: &out.limit[..n],
            anchors: &out.anchor[..n],
            cone,
            b: &form.b,
            f: &form.wrench,
        };
        let budget = self.settings.budget.saturating_sub(self.solution.passes).max(1);
        let best = self.interior.solve(&program, Start::Zero, budget);
        out.friction[..n].copy_from_slice(best);
        self.solution.iterations = self.interior.iterations;
        self.solution.passes += self.interior.passes;
        self.solution.stalled = self.interior.stalled;
        let certificate =
            if self.interior.converged { Certificate::Optimal { gap: self.interior.gap } } else { Certificate::None };
        let friction = self.total_friction(problem);
        self.finish(problem, form.step(&friction), friction, certificate);
    }

    /// Counts the work of a search, and keeps its directions for the next tick.
    fn note_search(&mut self) {
        self.solution.iterations = self.corral.iterations;
        self.solution.passes += self.corral.iterations;
        self.warm_count = 0;
        if self.settings.warm_start {
            for direction in self.corral.directions() {
                self.warm_directions[self.warm_count] = direction;
                self.warm_count += 1;
            }
        }
    }

    /// No friction: the frictionless step, as in the paper.
    fn let_go(&mut self, problem: &ContactProblem, form: &Form, certificate: Certificate) {
        let n = problem.blocks().len();
        self.solution.per_contact.friction[..n].fill([Lane::ZERO; 2]);
        self.finish(problem, form.step(&Vec6::zeros()), Vec6::zeros(), certificate);
    }

    fn corral_friction(&mut self, problem: &ContactProblem) -> Vec6 {
        let n = problem.blocks().len();
        self.corral.friction(&self.slots, &mut self.solution.per_contact.friction[..n]);
        self.total_friction(problem)
    }

    /// G β of the answer's friction.
    fn total_friction(&self, problem: &ContactProblem) -> Vec6 {
        let mut sum = WrenchSum::default();
        for (block, b) in problem.blocks().iter().zip(&self.solution.per_contact.friction) {
            sum.add(block, b);
        }
        sum.total()
    }

    /// Slip, power and state of every contact for the step; the verdict.
    fn finish(&mut self, problem: &ContactProblem, step: Vec6, friction: Vec6, certificate: Certificate) {
        let answer = &mut self.solution;
        (answer.step, answer.friction, answer.certificate) = (step, friction, certificate);
        let q = Wide6::splat(&step);
        let tolerance = Lane::splat(self.settings.micro_slip * self.settings.micro_slip);
        let mut anyone_slides = false;
        let out = &mut answer.per_contact;
        for (i, block) in problem.blocks().iter().enumerate() {
            let slip = transposed(block, &q);
            let (b, s) = (out.friction[i], out.anchor[i]);
            out.slip[i] = slip;
            out.power[i] = b[0] * slip[0] + b[1] * slip[1];
            let moved = [s[0] + slip[0], s[1] + slip[1]];
            let slides = (moved[0] * moved[0] + moved[1] * moved[1]).simd_gt(tolerance).to_bitmask();
            let touches = (block.u[0] * block.u[0] + block.u[1] * block.u[1] + block.u[2] * block.u[2])
                .simd_gt(Lane::HALF)
                .to_bitmask();
            anyone_slides |= slides & touches != 0;
            for lane in 0..LANES {
                out.state[i][lane] = match (touches >> lane & 1, slides >> lane & 1) {
                    (0, _) => SlipState::Separated,
                    (_, 0) => SlipState::Stuck,
                    _ => SlipState::Sliding,
                };
            }
        }
        answer.verdict = match (certificate, answer.method) {
            (Certificate::None, _) => Verdict::Undecided,
            (Certificate::Unstoppable { .. }, _) => Verdict::Slips,
            (Certificate::Balanced { .. }, _) => Verdict::Holds,
            (Certificate::Optimal { .. }, _) if anyone_slides => Verdict::Slips,
            (Certificate::Optimal { .. }, _) => Verdict::Holds,
        };
    }
}
