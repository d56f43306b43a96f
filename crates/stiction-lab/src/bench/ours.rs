//! The engine's solvers, cold on fresh problems and warm in a moving scene.

use super::pose::{LoadParts, ProblemKind, noisy, plain};
use super::tally::SolveOutcome;
use std::hint::black_box;
use std::time::Instant;
use stiction::contact::{Contact, ContactProblem};
use stiction::friction::verify::verify;
use stiction::friction::{Cone, FrictionSettings, FrictionSolver, Method, Metric, Verdict};
use stiction::spatial::Vec6;
use stiction_cli::Failure;
use stiction_reference::families::SampleProblem;

/// Relative error of every claim of an answer that counts as proved.
const PROVED: f64 = 1e-8;
/// Friction's share of the load in the ticks before the one that is timed, relative to it, after a slip.
const EARLIER: [f64; 3] = [0.9, 0.8, 0.95];
/// A contact in five is younger than the first tick.
const YOUNG: u64 = 5;

/// An answer that others are compared with, and the question: limits and slips in force.
#[derive(Clone, Debug)]
pub struct Certified {
    pub cone: Cone,
    pub verdict: Verdict,
    pub step: Vec6,
    pub limits: Vec<f64>,
    pub slips: Vec<[f64; 2]>,
}

/// One of the engine's methods with its memory, and the problem it was last given.
pub struct EngineSolverRun {
    pub ask: ProblemKind,
    pub method: Method,
    pub problem: ContactProblem,
    solver: FrictionSolver,
    /// What was wrong with the last answer.
    pub complaint: Option<String>,
}

impl EngineSolverRun {
    /// A solver that starts cold or from the last tick.
    pub fn new(
        ask: ProblemKind,
        metric: Metric,
        cone: Cone,
        capacity: usize,
        warm_start: bool,
    ) -> Result<Self, Failure> {
        let method = ask.method(metric);
        let settings = FrictionSettings { method, cone, warm_start, ..FrictionSettings::default() };
        let problem = ContactProblem::with_capacity(capacity);
        Ok(Self { ask, method, problem, solver: FrictionSolver::new(settings, capacity)?, complaint: None })
    }

    /// Solves a fresh problem as the first one ever; `hold` with memory has slipped in earlier ticks.
    pub fn solve_fresh(&mut self, sample: &SampleProblem, memory: bool) -> Result<SolveOutcome, Failure> {
        self.solver.reset();
        let parts = LoadParts::of(sample, self.method);
        if !(self.ask == ProblemKind::Hold && memory) {
            self.problem.rebuild(&parts.load(), sample.contacts.iter().map(plain))?;
            return self.timed(sample);
        }
        self.slip_before(sample, &parts)?;
        let all = sample.contacts.iter().map(|c| noisy(c, 1.0));
        self.problem.rebuild(&parts.tick(1.0, &(parts.settling() * (1.0 - EARLIER[2]))), all)?;
        self.timed(sample)
    }

    /// A slip, then a few ticks of varying load, on surfaces whose normals turn a little and with contacts that are
    /// not there from the start: what contacts remember afterwards is no common motion.
    fn slip_before(&mut self, sample: &SampleProblem, parts: &LoadParts) -> Result<(), Failure> {
        let mut settled = 1.0;
        for (tick, scale) in std::iter::once(1.0).chain(EARLIER).enumerate() {
            let load =
                if tick == 0 { parts.overload() } else { parts.tick(scale, &(parts.settling() * (scale - settled))) };
            settled = scale;
            let born = |c: &&Contact| !c.id.0.is_multiple_of(YOUNG) || (c.id.0 / YOUNG) % 4 < tick as u64;
            let contacts = sample.contacts.iter().filter(born).map(|c| noisy(c, 0.2 * tick as f64));
            self.problem.rebuild(&load, contacts)?;
            let step = self.solver.solve(&self.problem)?.step;
            self.solver.commit(&self.problem, &step)?;
        }
        Ok(())
    }

    /// Starts a scene.
    pub fn reset(&mut self) {
        self.solver.reset();
    }

    /// Solves tick number `tick` of a scene, of which `last` is the tick before, and moves on.
    pub fn solve_tick(
        &mut self,
        tick: usize,
        last: Option<&SampleProblem>,
        sample: &SampleProblem,
    ) -> Result<SolveOutcome, Failure> {
        let parts = LoadParts::of(sample, self.method);
        if self.ask == ProblemKind::Hold {
            let load = match last {
                None => parts.overload(),
                Some(last) => parts.tick(1.0, &(parts.settling() - LoadParts::of(last, self.method).settling())),
            };
            self.problem.rebuild(&load, sample.contacts.iter().map(|c| noisy(c, 0.05 * tick as f64)))?;
        } else {
            self.problem.rebuild(&parts.load(), sample.contacts.iter().map(plain))?;
        }
        let outcome = self.timed(sample)?;
        let step = self.solver.solution().step;
        self.solver.commit(&self.problem, &step)?;
        Ok(outcome)
    }

    /// The last answer, for others to be compared with.
    pub fn certified(&self) -> Certified {
        let answer = self.solver.solution();
        Certified {
            cone: answer.cone,
            verdict: answer.verdict,
            step: answer.step,
            limits: answer.contacts().map(|c| c.limit).collect(),
            slips: answer.contacts().map(|c| c.anchor).collect(),
        }
    }

    /// What is timed: from a validated problem to the certified answer with states.
    fn timed(&mut self, sample: &SampleProblem) -> Result<SolveOutcome, Failure> {
        let start = Instant::now();
        let answer = black_box(self.solver.solve(black_box(&self.problem))?);
        let time = start.elapsed();
        let proof = verify(&self.problem, answer).check(PROVED);
        let wrong = self.ask == ProblemKind::Lp && answer.verdict != sample.truth.verdict;
        let complaint = match (proof, wrong) {
            (Err(error), _) => Some(error.to_string()),
            (Ok(()), true) => Some(format!("{:?} is wrong", answer.verdict)),
            (Ok(()), false) => None,
        };
        let stalled = answer.stalled || answer.verdict == Verdict::Undecided;
        let outcome = SolveOutcome { time, iterations: answer.iterations, stalled, agrees: complaint.is_none() };
        self.complaint = complaint.or_else(|| stalled.then(|| "stalled, but proved".into()));
        Ok(outcome)
    }
}
