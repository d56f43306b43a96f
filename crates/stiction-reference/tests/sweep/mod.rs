//! Sweeps over families × loadings × cones × methods × seeds, for property tests: every case has a line that
//! reproduces it, every failure is collected, and one run tells how many there are of each kind.
#![allow(dead_code)] // Every test uses some of it.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use stiction::contact::ContactProblem;
use stiction::friction::{Cone, Fit, FrictionSettings, FrictionSolver, Method, Metric};
use stiction::spatial::{Vec6, join};
use stiction_reference::families::{Family, Loading, Random, SampleProblem, generate};

/// Polygons even and odd, circumscribed and inscribed, and the disk.
pub const CONES: [Cone; 6] = [
    Cone::paper(4),
    Cone::paper(8),
    Cone::paper(3),
    Cone::paper(5),
    Cone::Polygon { sides: 16, fit: Fit::Inscribed },
    Cone::Disk,
];

/// What is asked: a method, and whether contacts have slipped before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The linear program.
    Lp,
    /// The quadratic program in the mass metric.
    QpMass,
    /// The quadratic program in the stiffness metric.
    QpStiffness,
    /// Holding, every contact new.
    Hold,
    /// Holding after some slip, here and there beyond the micro-slip tolerance.
    HoldWithMemory,
}

impl Way {
    /// Every way.
    pub const ALL: [Way; 5] = [Way::Lp, Way::QpMass, Way::QpStiffness, Way::Hold, Way::HoldWithMemory];

    /// The method behind it.
    pub fn method(self) -> Method {
        match self {
            Way::Lp => Method::Lp,
            Way::QpMass => Method::Qp(Metric::Mass),
            Way::QpStiffness => Method::Qp(Metric::Stiffness),
            Way::Hold | Way::HoldWithMemory => Method::Hold,
        }
    }
}

/// One case of a sweep.
#[derive(Clone, Debug)]
pub struct Case {
    /// The problem with its truth.
    pub sample: SampleProblem,
    /// What is asked.
    pub way: Way,
    /// The number of contacts asked for.
    pub contacts: usize,
    /// The seed of the sample.
    pub seed: u64,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let SampleProblem { family, loading, cone, .. } = &self.sample;
        let (way, k, seed) = (self.way, self.contacts, self.seed);
        write!(f, "{way:?}: generate({family:?}, {k}, {seed}, {loading:?}, {cone:?})")
    }
}

impl Case {
    /// Default settings with the case's method and cone, cold.
    pub fn settings(&self) -> FrictionSettings {
        FrictionSettings {
            method: self.way.method(),
            cone: self.sample.cone,
            warm_start: false,
            ..FrictionSettings::default()
        }
    }

    /// A solver for the problem that has slipped before if the case says so.
    pub fn solver(&self, problem: &ContactProblem, settings: FrictionSettings) -> Result<FrictionSolver, String> {
        let mut solver = FrictionSolver::new(settings, problem.len()).map_err(|e| e.to_string())?;
        if self.way == Way::HoldWithMemory {
            solver.solve(problem).map_err(|e| e.to_string())?;
            solver.commit(problem, &self.earlier_motion()).map_err(|e| e.to_string())?;
        }
        Ok(solver)
    }

    /// 10 nm to 3 µm.
    fn earlier_motion(&self) -> Vec6 {
        let mut random = Random::new(!self.seed);
        let size = random.decades(-8.0, -5.5);
        join(random.direction() * size, random.direction() * (size * random.uniform(0.0, 20.0)))
    }

    /// The relative error to which a certificate must hold: 1e-9; 1e-7 where the rank is a matter of tolerance. With slip
    /// memory and stiffness ratios up to 1e8, 1e-8: where contacts stick, the gap is first order in the slip that rounding
    /// of f + G β (1e-16) causes through the softest spring, and that is all that the ratio leaves.
    pub fn epsilon(&self) -> f64 {
        match (self.sample.family, self.way) {
            _ if self.is_rank_doubtful() => 1e-7,
            (Family::WideStiffness, Way::HoldWithMemory) => 1e-8,
            _ => 1e-9,
        }
    }

    /// Normals parallel to below 1e-6 rad: the rank of G is a matter of tolerance.
    pub fn is_rank_doubtful(&self) -> bool {
        matches!(self.sample.family, Family::NearlyParallel { exponent } if exponent >= 6)
    }
}

/// What to sweep over.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// Families.
    pub families: &'a [Family],
    /// Loadings.
    pub loadings: &'a [Loading],
    /// Cones; a disk is left out where the method is the linear program.
    pub cones: &'a [Cone],
    /// Methods.
    pub ways: &'a [Way],
    /// Problems of each combination in the ordinary run; [`study`] times that in a study.
    pub each: u64,
    /// First seed.
    pub first_seed: u64,
    /// Up to that many contacts in most cases; one in twenty has 98, one in four hundred 300 to 500.
    pub contacts: usize,
}

impl Sweep<'_> {
    /// Every family, loading, cone and method.
    pub const ALL: Sweep<'static> = Sweep {
        families: &Family::ALL,
        loadings: &Loading::ALL,
        cones: &CONES,
        ways: &Way::ALL,
        each: 1,
        first_seed: 0,
        contacts: 60,
    };

    /// Puts every case to `check`, on two threads, and panics with a summary if any fails. Returns the number of cases.
    ///
    /// A failure is "kind: details"; kinds are counted.
    pub fn run(&self, check: impl Fn(&Case) -> Result<(), String> + Sync) -> u64 {
        let (next, done, failures) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
        let seeds = self.each * study();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        let turn = next.fetch_add(1, Ordering::Relaxed);
                        if turn >= seeds {
                            break;
                        }
                        self.cases(self.first_seed + turn, |case| {
                            done.fetch_add(1, Ordering::Relaxed);
                            let result = catch_unwind(AssertUnwindSafe(|| check(&case)));
                            let result = result.unwrap_or_else(|_| Err("panic: see above".into()));
                            if let Err(failure) = result {
                                failures.lock().unwrap_or_else(|e| e.into_inner()).push((failure, case.to_string()));
                            }
                        });
                    }
                });
            }
        });
        let done = done.into_inner();
        report(done, failures.into_inner().unwrap_or_else(|e| e.into_inner()));
        done
    }

    fn cases(&self, turn: u64, mut visit: impl FnMut(Case)) {
        let mut combination = 0;
        for &family in self.families {
            for &loading in self.loadings {
                for &cone in self.cones {
                    for &way in self.ways.iter().filter(|&&w| w != Way::Lp || cone != Cone::Disk) {
                        combination += 1;
                        let seed = turn * 100_000 + combination;
                        let mut random = Random::new(seed ^ 0x5eed);
                        let contacts = match random.below(400) {
                            0 => 300 + random.below(201),
                            1..=20 => 98,
                            _ => 1 + random.below(self.contacts),
                        };
                        let sample = generate(family, contacts, seed, loading, cone);
                        visit(Case { sample, way, contacts, seed });
                    }
                }
            }
        }
    }
}

fn report(done: u64, failures: Vec<(String, String)>) {
    if failures.is_empty() {
        println!("{done} problems");
        return;
    }
    let mut kinds: BTreeMap<String, (u64, Vec<String>)> = BTreeMap::new();
    for (failure, case) in &failures {
        let kind = failure.split(':').next().unwrap_or_default();
        let way = case.split(':').next().unwrap_or_default();
        let entry = kinds.entry(format!("{kind}, {way}")).or_default();
        entry.0 += 1;
        if entry.1.len() < 4 {
            entry.1.push(format!("    {case}\n        {failure}"));
        }
    }
    let mut text = format!("{} of {done} problems failed\n", failures.len());
    for (kind, (count, examples)) in kinds {
        text += &format!("  {count} x {kind}\n{}\n", examples.join("\n"));
    }
    panic!("{text}");
}

/// How many times the ordinary number of problems to solve: the environment variable `STICTION_STUDY`, or 1.
pub fn study() -> u64 {
    std::env::var("STICTION_STUDY").ok().and_then(|s| s.parse().ok()).unwrap_or(1).max(1)
}
