//! The friction solver: settings, what contacts remember, and the way to the methods.
//!
//! Each method is a file with its own memory: `lp.rs`, `qp.rs`, `hold.rs`, `yamane.rs`, `frictionless.rs`; only that of the method in use is made. The first
//! three ask the same things in the same order:
//!
//! 1. what each contact may carry and remembers (`memory.rs`);
//! 2. the rank of G and the step q* that friction does not have to move (`rank.rs`, `form.rs`);
//! 3. can friction balance what is left, -(f + K q*)? First in closed form (`balance.rs`): a yes answers every
//!    method, a no answers `lp` (`common.rs`);
//! 4. if not: which friction is best? By the corral (`corral.rs`) for polygons, by Newton's method (`newton.rs`)
//!    for disks (`nearest.rs`), by the interior-point method (`interior.rs`) for polygons with slip memory.

use super::common::{Case, Common};
use super::cone::{Cone, PolygonTable, Shape};
use super::corral::Set;
use super::frictionless::Frictionless;
use super::hold::Hold;
use super::lp::Lp;
use super::memory::{Memory, SlipState};
use super::nearest::Nearest;
use super::qp::Qp;
use super::solution::{Certificate, PerContact, Solution, Verdict};
use super::yamane::{self, Yamane};
use super::{FrictionSettings, Method};
use crate::contact::{ContactProblem, LANES, Lane};
use crate::spatial::Vec6;

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
    /// The method belongs to unilateral contacts, whose normal forces it finds, too.
    #[error(
        "staggered projections and Gauss-Seidel find normal forces, too: choose ContactModel::Unilateral, or a solver of `delassus`"
    )]
    Unilateral,
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
    capacity: usize,
    pub(super) table: Option<Box<PolygonTable>>,
    memory: Memory,
    pub(super) common: Common,
    pub(super) workspace: Workspace,
    /// Factor on all limits, other than 1 while a margin is looked for.
    pub(super) limit_scale: f64,
    /// The motion that the last ray margin found friction to resist least.
    pub(super) weakest: Vec6,
}

/// The memory of the method in use.
#[derive(Clone, Debug)]
pub(super) enum Workspace {
    Lp(Lp),
    Qp(Qp),
    Hold(Hold),
    Yamane(Yamane),
    Frictionless(Frictionless),
}

impl Workspace {
    /// For so many blocks of contacts, with this polygon or with disks.
    fn new(method: Method, table: Option<&PolygonTable>, blocks: usize) -> Self {
        match method {
            Method::Lp => Workspace::Lp(Lp::new(blocks)),
            Method::Qp(_) => Workspace::Qp(Qp { nearest: Nearest::new(table, blocks) }),
            Method::Hold => Workspace::Hold(Hold::new(table, blocks)),
            Method::Yamane => Workspace::Yamane(Yamane { nearest: Nearest::new(table, blocks) }),
            // The last two are refused before.
            Method::Frictionless | Method::Staggered | Method::GaussSeidel(_) => {
                Workspace::Frictionless(Frictionless { nearest: Nearest::new(table, blocks) })
            }
        }
    }

    /// Answers a problem by the method in use.
    fn solve<S: Shape>(&mut self, common: &mut Common, case: &Case<S>) {
        match self {
            Workspace::Lp(lp) => lp.solve(common, case),
            Workspace::Qp(qp) => qp.solve(common, case),
            Workspace::Hold(hold) => hold.solve(common, case),
            Workspace::Yamane(yamane) => yamane.solve(common, case.problem),
            Workspace::Frictionless(frictionless) => frictionless.solve(common, case.problem),
        }
    }

    /// The point of a set nearest to the origin, for margins: every method has the memory for that.
    pub fn separating<S: Shape>(&mut self, set: &Set<S>, budget: u32) -> Vec6 {
        match self {
            Workspace::Lp(lp) => lp.corral.separating(set, budget),
            Workspace::Qp(Qp { nearest })
            | Workspace::Hold(Hold { nearest, .. })
            | Workspace::Yamane(Yamane { nearest })
            | Workspace::Frictionless(Frictionless { nearest }) => nearest.separating(set, budget),
        }
    }

    /// Forgets what the last solve found: the next one starts cold.
    fn forget(&mut self) {
        match self {
            Workspace::Lp(lp) => lp.corral.forget(),
            Workspace::Qp(Qp { nearest })
            | Workspace::Hold(Hold { nearest, .. })
            | Workspace::Yamane(Yamane { nearest })
            | Workspace::Frictionless(Frictionless { nearest }) => nearest.forget(),
        }
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
    pub fn new(settings: FrictionSettings, capacity: usize) -> Result<Self, SolverError> {
        if settings.method.is_unilateral() {
            return Err(SolverError::Unilateral);
        }
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
        Ok(Self::make(settings, table, capacity))
    }

    /// A solver with settings that are in range.
    fn make(settings: FrictionSettings, table: Option<Box<PolygonTable>>, capacity: usize) -> Self {
        let blocks = capacity.div_ceil(LANES);
        let pairs = || vec![[Lane::ZERO; 2]; blocks];
        Self {
            capacity,
            memory: Memory::with_capacity(capacity),
            workspace: Workspace::new(settings.method, table.as_deref(), blocks),
            limit_scale: 1.0,
            weakest: Vec6::zeros(),
            table,
            common: Common {
                settings,
                remembers: false,
                solution: Solution {
                    verdict: Verdict::Free,
                    step: Vec6::zeros(),
                    friction: Vec6::zeros(),
                    certificate: Certificate::None,
                    method: settings.method,
                    cone: settings.cone,
                    micro_slip: settings.micro_slip,
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
            },
        }
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &FrictionSettings {
        &self.common.settings
    }

    /// The last answer.
    pub fn solution(&self) -> &Solution {
        &self.common.solution
    }

    /// Forgets slip, sliding and warm start: the next tick is the first.
    pub fn reset(&mut self) {
        self.memory.clear();
        self.workspace.forget();
    }

    /// The same with nothing remembered, and room to remember as much: a plain clone has only the room that it needs.
    pub(crate) fn forgetful(&self) -> Self {
        Self::make(self.common.settings, self.table.clone(), self.capacity)
    }

    /// Remembers what another solver does, and starts cold. Does not allocate where both were made for as many contacts.
    pub fn copy_memory_from(&mut self, other: &FrictionSolver) {
        self.memory.copy_from(&other.memory);
        self.workspace.forget();
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
        let Self { common, workspace, table, .. } = self;
        let n = problem.blocks().len();
        let answer = &mut common.solution;
        answer.per_contact.len = contacts;
        let (limits, anchors) = (&mut answer.per_contact.limit[..n], &mut answer.per_contact.anchor[..n]);
        common.remembers = self.memory.recall(problem, limits, anchors);
        if self.limit_scale != 1.0 {
            limits.iter_mut().for_each(|limit| *limit *= Lane::splat(self.limit_scale));
        }
        (answer.iterations, answer.passes, answer.stalled, answer.metric_shifted) = (0, 0, false, false);
        if !common.settings.warm_start {
            workspace.forget();
        }
        let table = table.as_deref();
        with_shape!(table, shape => workspace.solve(common, &Case { problem, shape, table }));
        Ok(&common.solution)
    }

    /// Takes the step that the part really made: slip accumulates, anchors are dragged, sliders are noted.
    ///
    /// `step` is the answer's own step, or less where the caller damps it. Call it once after each
    /// [`solve`](Self::solve) whose motion took place, with the same problem. On an error nothing changes.
    pub fn commit(&mut self, problem: &ContactProblem, step: &Vec6) -> Result<(), SolverError> {
        let (contacts, solved) = (problem.len(), self.common.solution.len());
        if contacts != solved {
            return Err(SolverError::NotSolved { contacts, solved });
        }
        if !step.iter().all(|x| x.is_finite()) {
            return Err(SolverError::NonFiniteStep);
        }
        let out = &self.common.solution.per_contact;
        let (points_move, micro_slip) = (self.common.settings.points_move, self.common.settings.micro_slip);
        if self.common.settings.method == Method::Yamane {
            let spring = yamane::spring(&self.common.settings, problem);
            let longest = |i: usize| out.limit[i / LANES].as_array()[i % LANES] / spring;
            self.memory.commit(problem, step, points_move, longest);
        } else {
            self.memory.commit(problem, step, points_move, |_| micro_slip);
        }
        Ok(())
    }
}
