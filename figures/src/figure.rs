//! What a figure is, what it is given, and what it returns.

use crate::check::{Check, FigureVerdict};
use crate::industry::IndustrialWorlds;
use crate::lab::BakedParts;
use crate::table::FigureTable;
use serde_json::{Value, json};
use stiction_bake::Progress;

/// One figure: an experiment with a claim and a tolerance.
#[derive(Clone, Copy)]
pub struct Figure {
    /// Name on the command line, and of its folder.
    pub name: &'static str,
    /// Title, one line.
    pub title: &'static str,
    /// Its `README.md`: claim, experiment and tolerance, each under a heading.
    pub readme: &'static str,
    /// Runs the experiment.
    pub run: fn(&Context) -> Result<FigureOutcome, FigureError>,
}

impl Figure {
    /// What is claimed, by the paper or by us.
    pub fn claim(&self) -> String {
        self.section("Claim")
    }

    /// What we do to see.
    pub fn experiment(&self) -> String {
        self.section("Experiment")
    }

    /// How near is near enough, and why.
    pub fn tolerance(&self) -> String {
        self.section("Tolerance")
    }

    /// Which verdict is expected and why, where the README says it.
    pub fn expected(&self) -> String {
        self.section("Verdict")
    }

    /// The text under a heading of the README, lines joined, paragraphs kept.
    fn section(&self, heading: &str) -> String {
        let mut lines = self.readme.lines().skip_while(|l| l.strip_prefix("## ") != Some(heading)).skip(1);
        let text: Vec<&str> = lines.by_ref().take_while(|l| !l.starts_with("## ")).collect();
        let text = text.join("\n");
        let paragraphs = text.trim().split("\n\n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
        paragraphs.collect::<Vec<_>>().join("\n")
    }
}

/// What a figure is run with.
pub struct Context<'a> {
    /// Coarser shapes and fewer ticks: to see that it works, not to judge.
    pub quick: bool,
    /// Told how far the work is; asked whether to stop.
    pub progress: &'a dyn Progress,
    pub(crate) parts: BakedParts,
    pub(crate) worlds: IndustrialWorlds,
}

impl<'a> Context<'a> {
    /// A context for any number of figures, which share what they bake.
    pub fn new(quick: bool, progress: &'a dyn Progress) -> Self {
        Context { quick, progress, parts: BakedParts::default(), worlds: IndustrialWorlds::default() }
    }

    /// One of two: the full run's or the quick one's.
    pub(crate) fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// An error once the user wants to stop.
    pub(crate) fn go_on(&self) -> Result<(), FigureError> {
        if self.progress.cancelled() { Err(FigureError::Stopped) } else { Ok(()) }
    }
}

/// Errors from running a figure's experiment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
    /// A part could not be made.
    #[error("cannot make the {part}: {reason}")]
    Part {
        /// Name of the part.
        part: String,
        /// Cause of the error.
        reason: String,
    },
    /// No engine with such settings.
    #[error(transparent)]
    Engine(#[from] stiction::tick::EngineError),
    /// No friction solver with such settings.
    #[error(transparent)]
    Solver(#[from] stiction::friction::SolverError),
    /// A contact problem that is none.
    #[error(transparent)]
    Problem(#[from] stiction::contact::ProblemError),
    /// A question that the general solvers cannot be asked.
    #[error(transparent)]
    Reference(#[from] stiction_reference::ReferenceError),
    /// The scene did not come into the state that the experiment starts from.
    #[error("{0}")]
    Setup(String),
}

/// A picture by its name: empty for the figure's main one.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What it shows, in a file name.
    pub name: &'static str,
    /// The whole SVG file.
    pub svg: String,
}

impl Picture {
    /// The name of its file.
    pub fn file(&self) -> String {
        if self.name.is_empty() { "plot.svg".into() } else { format!("plot-{}.svg", self.name) }
    }
}

/// Results of a figure's experiment: numbers, checks, tables and pictures.
#[derive(Clone, Debug)]
pub struct FigureOutcome {
    /// The main numbers in a sentence or two.
    pub measured: String,
    /// Explanation of the result.
    pub why: String,
    /// What the verdict rests on.
    pub checks: Vec<Check>,
    /// The data behind the pictures.
    pub tables: Vec<FigureTable>,
    /// The pictures.
    pub pictures: Vec<Picture>,
}

impl FigureOutcome {
    /// Whether all checks passed.
    pub fn verdict(&self) -> FigureVerdict {
        FigureVerdict::of(&self.checks)
    }
}

/// A figure with its outcome.
pub struct FigureReport {
    /// Which figure.
    pub figure: Figure,
    /// Results, or the error of the experiment.
    pub outcome: Result<FigureOutcome, FigureError>,
    /// Duration of the run (s).
    pub seconds: f64,
    /// Whether it was the quick run.
    pub quick: bool,
}

impl FigureReport {
    /// The verdict: a figure without an outcome is not reproduced.
    pub fn verdict(&self) -> FigureVerdict {
        self.outcome.as_ref().map_or(FigureVerdict::NotReproduced, FigureOutcome::verdict)
    }

    /// What was measured, or why nothing was.
    pub fn measured(&self) -> String {
        match &self.outcome {
            Ok(outcome) => outcome.measured.clone(),
            Err(error) => format!("nothing: {error}"),
        }
    }

    /// For JSON.
    pub fn row(&self) -> Value {
        let checks = self.outcome.iter().flat_map(|o| &o.checks);
        json!({
            "name": self.figure.name, "claim": self.figure.claim(), "measured": self.measured(), "tolerance": self.figure.tolerance(),
            "verdict": self.verdict().name(), "expected": self.figure.expected(), "checks": checks.map(Check::words).collect::<Vec<_>>(), "seconds": self.seconds, "quick": self.quick,
        })
    }
}
