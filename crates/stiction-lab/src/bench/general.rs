//! General solvers on the literal programs.

use super::ours::{Certified, EngineSolverRun};
use super::pose::ProblemKind;
use super::tally::{SolveOutcome, SolveTally};
use std::hint::black_box;
use std::time::{Duration, Instant};
use stiction::contact::ContactProblem;
use stiction::friction::{Cone, Method, Metric, Verdict};
use stiction::named;
use stiction::spatial::{Mat6, Vec6};
use stiction_reference::{Answer, Clarabel, Microlp, Program, Question, ReferenceError, Status};

/// How far a general solver's step may be from the certified one, relative to the frictionless step, in the norm of
/// the metric: its objective is right to 1e-9, a step only to the square root of that.
const STEP_TOLERANCE: f64 = 1e-4;

named! {
    /// A general solver on one of the literal programs.
    pub enum General {
        /// The simplex on the linear program.
        MicrolpLp = "microlp-lp",
        /// The interior-point solver on the linear program.
        ClarabelLp = "clarabel-lp",
        /// The interior-point solver on the quadratic program.
        ClarabelQp = "clarabel-qp",
        /// The same with disks: a second-order cone program.
        ClarabelSocp = "clarabel-socp",
        /// The interior-point solver on holding with memory.
        ClarabelHold = "clarabel-hold",
    }
}

impl General {
    /// What it answers.
    pub fn ask(self) -> ProblemKind {
        match self {
            Self::MicrolpLp | Self::ClarabelLp => ProblemKind::Lp,
            Self::ClarabelQp | Self::ClarabelSocp => ProblemKind::Qp,
            Self::ClarabelHold => ProblemKind::Hold,
        }
    }

    /// True if it answers questions about the cone.
    pub fn takes(self, cone: Cone) -> bool {
        match self {
            Self::MicrolpLp | Self::ClarabelLp | Self::ClarabelQp => cone != Cone::Disk,
            Self::ClarabelSocp => cone == Cone::Disk,
            Self::ClarabelHold => true,
        }
    }

    /// Most of a group's time that it may use.
    pub fn share(self) -> f64 {
        0.18
    }

    /// Solves the problem that the engine has just answered. `None` where its program is not convex.
    pub fn solve(self, problem: &ContactProblem, method: Method, certified: &Certified) -> Option<SolveOutcome> {
        let question = Question { problem, limits: &certified.limits, cone: certified.cone };
        let (time, answer) = match (self, method) {
            (Self::MicrolpLp, _) => {
                let program = Microlp::lp(&question).ok()?;
                timed(|| program.solve())
            }
            (_, Method::Lp) => clarabel(Program::lp(&question))?,
            (_, Method::Qp(metric)) => clarabel(Program::qp(&question, metric))?,
            (_, Method::Hold) => clarabel(Program::hold(&question, &certified.slips))?,
            (_, Method::Yamane | Method::Frictionless | Method::Staggered | Method::GaussSeidel(_)) => return None,
        };
        let agrees = match method {
            Method::Lp => answer.feasible() == Some(certified.verdict == Verdict::Holds),
            Method::Qp(metric) => is_near(problem, metric, &answer.step, &certified.step),
            Method::Hold => is_near(problem, Metric::Stiffness, &answer.step, &certified.step),
            Method::Yamane | Method::Frictionless | Method::Staggered | Method::GaussSeidel(_) => return None,
        };
        let stalled = matches!(answer.status, Status::Failed | Status::AlmostSolved);
        Some(SolveOutcome { time, iterations: answer.iterations, stalled, agrees })
    }
}

/// A general solver with what was measured in a group.
pub struct GeneralSolverRun {
    /// The general solver.
    pub general: General,
    /// Too slow for the group.
    pub is_out: bool,
    /// On fresh problems.
    pub fresh: SolveTally,
    /// On ticks of moving scenes.
    pub moving: SolveTally,
}

impl GeneralSolverRun {
    /// Nothing measured yet.
    pub fn new(general: General, is_out: bool) -> Self {
        Self { general, is_out, fresh: SolveTally::default(), moving: SolveTally::default() }
    }

    /// Solves the problem that the engine answered last, unless it has had its share of the time.
    pub fn take_turn(&mut self, ours: &EngineSolverRun, budget: Duration, moving: bool) {
        let (general, is_out) = (self.general, self.is_out);
        let tally = if moving { &mut self.moving } else { &mut self.fresh };
        let had_share = tally.samples() > 0 && tally.seconds() > 0.5 * general.share() * budget.as_secs_f64();
        if is_out || had_share || general.ask() != ours.ask {
            return;
        }
        if let Some(outcome) = general.solve(&ours.problem, ours.method, &ours.certified()) {
            tally.add(&outcome);
        }
    }
}

fn clarabel(program: Result<Program, ReferenceError>) -> Option<(Duration, Answer)> {
    let solver = Clarabel::new(program.ok()?);
    Some(timed(|| solver.solve()))
}

fn timed(solve: impl Fn() -> Answer) -> (Duration, Answer) {
    let start = Instant::now();
    let answer = black_box(solve());
    (start.elapsed(), answer)
}

fn is_near(problem: &ContactProblem, metric: Metric, a: &Vec6, b: &Vec6) -> bool {
    let load = problem.load();
    let m: Mat6 = match metric {
        Metric::Mass => load.mass,
        Metric::Stiffness => (load.stiffness + load.stiffness.transpose()) * -0.5,
    };
    let norm = |q: Vec6| q.dot(&(m * q)).max(0.0).sqrt();
    let free = load.stiffness.lu().solve(&load.wrench).unwrap_or_default();
    norm(a - b) <= STEP_TOLERANCE * norm(free)
}
