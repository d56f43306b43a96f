//! One group of samples: the engine's solvers and the general ones in turn, on the same problems.
//!
//! A round has two halves. *Fresh*: a handful of new problems, each solver of the engine on all of them in a row, then
//! each general solver on one of them. *Moving*: a new scene, the engine's solvers through its ticks, then each general
//! solver on its last tick. The engine's solvers take several problems in a row because in use nothing empties the
//! processor's caches for milliseconds before each tick, as a general solver does.

use super::general::{General, GeneralSolverRun};
use super::ours::EngineSolverRun;
use super::plan::GroupKind;
use super::pose::ProblemKind;
use super::tally::{SolveTally, SolverRow};
use std::time::{Duration, Instant};
use stiction::friction::{Cone, Metric};
use stiction_cli::Failure;
use stiction_reference::families::{Family, MovingScene, SampleProblem, generate};

/// Where fresh problems come from, in turn.
const FAMILIES: [Family; 5] = [Family::Planar, Family::Corner, Family::ThreeWalls, Family::Peg, Family::RandomNormals];
/// More samples do not tell more.
const ENOUGH: usize = 4000;

/// Settings of all groups.
#[derive(Clone, Copy, Debug)]
pub struct GroupOptions {
    /// The metric of the quadratic program.
    pub metric: Metric,
    /// Report answers that are stalled, unproved or wrong.
    pub failures: bool,
}

/// A method of the engine with what was measured.
struct Method {
    cold: EngineSolverRun,
    warm: EngineSolverRun,
    cold_tally: SolveTally,
    warm_tally: SolveTally,
    /// `hold` only: without memory.
    fresh_tally: SolveTally,
}

/// One group of samples with its solvers.
pub struct Group {
    what: GroupKind,
    options: GroupOptions,
    methods: Vec<Method>,
    rivals: Vec<GeneralSolverRun>,
    rounds: u64,
}

impl Group {
    /// A group without the general solvers that are `out`.
    pub fn new(what: GroupKind, options: GroupOptions, out: Vec<General>) -> Result<Self, Failure> {
        // A moving scene has a few more contacts at times.
        let capacity = what.contacts + what.contacts / 4 + 8;
        let mut methods = Vec::new();
        for ask in ProblemKind::ALL.into_iter().filter(|&ask| ask != ProblemKind::Lp || what.cone != Cone::Disk) {
            let solver = |warm| EngineSolverRun::new(ask, options.metric, what.cone, capacity, warm);
            methods.push(Method {
                cold: solver(false)?,
                warm: solver(true)?,
                cold_tally: SolveTally::default(),
                warm_tally: SolveTally::default(),
                fresh_tally: SolveTally::default(),
            });
        }
        let rivals =
            General::ALL.into_iter().filter(|g| g.takes(what.cone)).map(|g| GeneralSolverRun::new(g, out.contains(&g)));
        Ok(Self { what, options, methods, rivals: rivals.collect(), rounds: 0 })
    }

    /// Measures for about the time given, at least one round.
    pub fn run(&mut self, budget: Duration) -> Result<(), Failure> {
        let start = Instant::now();
        loop {
            self.fresh_round(budget)?;
            self.moving_round(budget)?;
            self.rounds += 1;
            let enough = self.methods.iter().all(|m| m.cold_tally.samples() >= ENOUGH);
            if start.elapsed() >= budget || enough {
                return Ok(());
            }
        }
    }

    /// Problems in a row, and ticks of a scene: before the timing starts and all.
    fn sizes(&self) -> (u64, usize, usize) {
        match self.what.contacts {
            0..=500 => (16, 4, 20),
            501..=1500 => (8, 3, 11),
            1501..=5000 => (4, 2, 6),
            _ => (3, 1, 3),
        }
    }

    fn fresh_round(&mut self, budget: Duration) -> Result<(), Failure> {
        let GroupKind { contacts, cone, load } = self.what;
        let (count, ..) = self.sizes();
        let seeds = self.rounds * count..(self.rounds + 1) * count;
        let family = |seed: u64| FAMILIES[(seed % 5) as usize];
        let samples: Vec<SampleProblem> = seeds.clone().map(|s| generate(family(s), contacts, s, load, cone)).collect();
        // A different place in each round, so that general solvers see every family.
        let shared = (self.rounds % count) as usize;
        for i in 0..self.methods.len() {
            let m = &mut self.methods[i];
            let mut failed = Vec::new();
            if self.rounds == 0 {
                // Untimed: the solver's memory is touched for the first time.
                m.cold.solve_fresh(&samples[samples.len() - 1], true)?;
            }
            if m.cold.ask == ProblemKind::Hold {
                for sample in &samples {
                    m.fresh_tally.add(&m.cold.solve_fresh(sample, false)?);
                }
            }
            // The shared problem comes last, so that the solver still holds its answer.
            let order = (0..samples.len()).filter(|&at| at != shared).chain([shared]);
            for at in order {
                let outcome = m.cold.solve_fresh(&samples[at], true)?;
                m.cold_tally.add(&outcome);
                failed.extend(m.cold.complaint.take().map(|c| (seeds.start + at as u64, c)));
            }
            for (seed, complaint) in failed {
                let source = format!("generate({:?}, {contacts}, {seed}, {load:?}, {cone:?})", family(seed));
                self.complain(i, "cold", &source, &complaint);
            }
            let m = &self.methods[i];
            for rival in &mut self.rivals {
                rival.take_turn(&m.cold, budget, false);
            }
        }
        Ok(())
    }

    fn moving_round(&mut self, budget: Duration) -> Result<(), Failure> {
        let GroupKind { contacts, cone, load } = self.what;
        let (_, lead, all) = self.sizes();
        let ticks: Vec<SampleProblem> = MovingScene::new(contacts, cone, load, self.rounds).take(all).collect();
        for i in 0..self.methods.len() {
            let m = &mut self.methods[i];
            m.warm.reset();
            let mut failed = Vec::new();
            for (tick, sample) in ticks.iter().enumerate() {
                let last = tick.checked_sub(1).map(|t| &ticks[t]);
                let outcome = m.warm.solve_tick(tick, last, sample)?;
                if tick >= lead {
                    m.warm_tally.add(&outcome);
                }
                failed.extend(m.warm.complaint.take().map(|c| (tick, c)));
            }
            for (tick, complaint) in failed {
                let source = format!("MovingScene({contacts}, {cone:?}, {load:?}, {}) tick {tick}", self.rounds);
                self.complain(i, "warm", &source, &complaint);
            }
            let m = &self.methods[i];
            for rival in &mut self.rivals {
                rival.take_turn(&m.warm, budget, true);
            }
        }
        Ok(())
    }

    fn complain(&self, method: usize, start: &str, source: &str, complaint: &str) {
        if self.options.failures {
            let method = self.methods[method].cold.method;
            eprintln!("{method:?} {start}: {source}: {complaint}");
        }
    }

    /// General solvers left out although the group has a place for them.
    pub fn left_out(&self) -> Vec<String> {
        let out = self.rivals.iter().filter(|r| r.is_out && self.what.contacts <= 1000);
        out.map(|r| format!("{} at {} contacts", r.general.name(), self.what.contacts)).collect()
    }

    /// The rows of the table.
    pub fn rows(&self) -> Vec<SolverRow> {
        let mut rows = Vec::new();
        let what = &self.what;
        for m in &self.methods {
            let ask = m.cold.ask;
            let best = |tally: fn(&GeneralSolverRun) -> &SolveTally| {
                let same = self.rivals.iter().filter(|r| r.general.ask() == ask);
                same.filter_map(|r| tally(r).p50()).min_by(f64::total_cmp)
            };
            let (fresh, moving) = (best(|r| &r.fresh), best(|r| &r.moving));
            let (cold, warm) = match ask {
                ProblemKind::Lp => ("stiction-lp", "stiction-lp-warm"),
                ProblemKind::Qp => ("stiction-qp", "stiction-qp-warm"),
                ProblemKind::Hold => ("stiction-hold", "stiction-hold-warm"),
            };
            rows.extend(m.cold_tally.row(what, cold, fresh));
            rows.extend(m.warm_tally.row(what, warm, moving));
            // No general solver is asked this: without memory the program is another one.
            rows.extend(m.fresh_tally.row(what, "stiction-hold-fresh", None));
        }
        rows.extend(self.rivals.iter().filter_map(|r| r.fresh.row(what, r.general.name(), None)));
        rows
    }
}
