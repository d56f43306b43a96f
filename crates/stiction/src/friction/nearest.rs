//! The quadratic programs in y ∈ R⁶, for each cone: by the corral for polygons, by Newton's method for disks. Also the question of the ray margin, which
//! twist separates a wrench from what friction can do.

use super::common::{Case, Common};
use super::cone::{PolygonTable, Shape};
use super::corral::{Corral, Ending, Question, Set};
use super::form::Form;
use super::newton::{self, Newton};
use super::passes::Pair;
use super::solution::Certificate;
use crate::contact::{ContactId, ContactProblem, LANES, Lane};
use crate::spatial::Vec6;

/// Slip of this part of the micro-slip tolerance is rounding: a held part whose remembered slips are 1e-17 m apart is held as if they
/// were one motion.
pub(super) const NOTHING: f64 = 1e-11;

/// The memory of a search for the nearest point, for the cone in use.
#[derive(Clone, Debug)]
pub(super) enum Nearest {
    Polygon(Box<Corral>),
    Disk(Box<DiskSearch>),
}

/// Newton's method with what it starts from.
#[derive(Clone, Debug)]
pub(super) struct DiskSearch {
    newton: Newton,
    /// Zeros, for programs without slip memory.
    no_slip: Vec<Pair>,
    warm: Warm,
}

/// What a solve leaves for the next one to start from.
#[derive(Clone, Debug)]
struct Warm {
    y: Option<Vec6>,
    /// The load and the contacts that Newton's method answered last.
    wrench: Option<Vec6>,
    ids: Vec<[ContactId; LANES]>,
}

impl Nearest {
    /// For so many blocks of contacts.
    pub fn new(table: Option<&PolygonTable>, blocks: usize) -> Self {
        match table {
            Some(_) => Nearest::Polygon(Box::new(Corral::with_capacity(blocks))),
            None => Nearest::Disk(Box::new(DiskSearch {
                newton: Newton::with_capacity(blocks),
                no_slip: vec![[Lane::ZERO; 2]; blocks],
                warm: Warm { y: None, wrench: None, ids: Vec::with_capacity(blocks) },
            })),
        }
    }

    /// Forgets what the last solve found.
    pub fn forget(&mut self) {
        match self {
            Nearest::Polygon(corral) => corral.forget(),
            Nearest::Disk(disk) => (disk.warm.y, disk.warm.wrench) = (None, None),
        }
    }

    /// Solves a quadratic program without slip memory; for disks with the `remembered` slips, too: the rigid motion that they have in common, and what is
    /// left of them.
    pub fn solve<S: Shape>(
        &mut self,
        common: &mut Common,
        case: &Case<S>,
        form: &Form,
        remembered: Option<(Vec6, &[Pair])>,
    ) {
        match self {
            Nearest::Polygon(corral) => solve_corral(corral, common, case, form),
            Nearest::Disk(disk) => disk.solve(common, case.problem, form, remembered),
        }
    }

    /// The point of a set that is nearest to the origin, or for polygons one that separates it from the origin; zero where the set contains it. Starts cold.
    pub fn separating<S: Shape>(&mut self, set: &Set<S>, budget: u32) -> Vec6 {
        match self {
            Nearest::Polygon(corral) => corral.separating(set, budget),
            Nearest::Disk(disk) => {
                let &Set { blocks, limits, b, f, .. } = set;
                let anchors = &disk.no_slip[..blocks.len()];
                let program = newton::Program { blocks, limits, anchors, b, f, nothing: 0.0 };
                disk.newton.solve(&program, None, false, budget);
                disk.newton.y
            }
        }
    }
}

fn solve_corral<S: Shape>(corral: &mut Corral, common: &mut Common, case: &Case<S>, form: &Form) {
    let limits = &common.solution.per_contact.limit[..case.problem.blocks().len()];
    let set = Set { blocks: case.problem.blocks(), limits, shape: case.shape, b: &form.b, f: &form.wrench };
    let ending = corral.search_warm(&set, Question::Nearest, common.settings.budget);
    common.solution.iterations = corral.iterations;
    common.solution.passes += corral.iterations;
    let friction = common.take_friction(case.problem, corral);
    let gap = common.gap(case, &(form.b.transpose() * (form.b * (form.wrench + friction))), false);
    // The gap that rounding left is proof enough when it is this small.
    let proved = ending != Ending::Budget && gap <= 1e-9 * (form.b * form.wrench).norm_squared();
    common.solution.stalled = ending != Ending::Budget && !proved;
    let certificate = if proved { Certificate::Optimal { gap } } else { Certificate::None };
    common.finish(case.problem, form.step(&friction), friction, certificate);
}

impl DiskSearch {
    /// The program with remembered slips is solved for q + q̄ and the load f + A q̄, so that it sees
    /// only how they differ: they may be a millionth of the slips themselves.
    fn solve(
        &mut self,
        common: &mut Common,
        problem: &ContactProblem,
        form: &Form,
        remembered: Option<(Vec6, &[Pair])>,
    ) {
        let n = problem.blocks().len();
        let out = &mut common.solution.per_contact;
        let limits = &out.limit[..n];
        // The quadratic program has no memory: its contacts remember slip only to be told stuck from sliding.
        let remembers = remembered.is_some();
        let (slip, anchors) = remembered.unwrap_or((Vec6::zeros(), &self.no_slip));
        let f = form.wrench - form.stiffness * slip;
        // With memory the objective is an energy; the quadratic program's is in units of its metric.
        let nothing = if remembers { NOTHING * common.settings.micro_slip } else { 0.0 };
        let anchors = &anchors[..n];
        let program = newton::Program { blocks: problem.blocks(), limits, anchors, b: &form.b, f: &f, nothing };
        // What contacts remember is itself a start: past steps are in it, so that a held part hardly moves.
        let near = if remembers { Some(Vec6::zeros()) } else { self.warm.y };
        let rests = self.warm.rests(problem);
        let best = self.newton.solve(&program, near, rests, common.settings.budget);
        out.friction[..n].copy_from_slice(best);
        self.warm.remember(problem);
        self.warm.y = Some(self.newton.y);
        let Newton { iterations, passes, stalled, converged, gap, .. } = self.newton;
        common.finish_program(problem, form, [iterations, passes], stalled, converged.then_some(gap));
    }
}

impl Warm {
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
