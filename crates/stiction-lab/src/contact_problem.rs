//! `stiction-lab contact-problem`: every solver of unilateral contacts with Coulomb friction on problems from files.

use crate::bench::RowPrinter;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;
use stiction::delassus::{
    ConeAnswer, ConeNewton, ConeNewtonSettings, ConeProblem, DenseOperator, GaussSeidel, GaussSeidelSettings,
    LocalRule, PyramidLemke, PyramidSettings, SolveLimits, Staggered, StaggeredSettings,
};
use stiction::friction::{Cone, Fit};
use stiction_cli::words::parse_positive;
use stiction_cli::{Failure, output, stop};
use stiction_reference::ConeFile;

/// Solve contact problems from files with every solver
///
/// Reads JSON of the form {"name", "contacts", "mu", "q", "blocks"}: find forces r with Signorini's condition and Coulomb's law for velocities u = W r + q. "blocks" are [i, j, the nine numbers of W_ij row by row];
/// components of a contact are normal, tangent, tangent.
#[derive(Args)]
#[command(after_long_help = COLUMNS)]
pub struct ContactProblem {
    /// Files with a problem each
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object per line instead of the table
    #[arg(long)]
    json: bool,
    /// The residual at which an answer counts as solved
    #[arg(long, value_parser = parse_positive, value_name = "SHARE", default_value = "1e-8", allow_negative_numbers = true)]
    tolerance: f64,
    /// Most passes over the contacts in a solve
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
}

const COLUMNS: &str = "\
Columns:
  verdict     solved: the residual is at most --tolerance; not-converged: refused
  residual    of the natural map: the velocity by which contacts miss their laws, as a
              share of ‖q‖; of staggered-8 and lemke-8, whose friction is an octagon, that
              of octagons
  iterations  sweeps of Gauss-Seidel, rounds of staggered projections, pivots of Lemke
  passes      passes over all contacts, those of inner solvers included
  ms          time of one solve that starts cold, on one thread
  asymmetry   how far W of the file is from symmetric, as a share of its largest entry;
              it is symmetrised

A problem may have no solution for large µ: then every solver refuses. lemke-8 takes
part up to 100 contacts: its matrix has ten rows for each, and a pivot goes over it all.";

/// The most contacts that Lemke's method is given.
const MOST_OF_LEMKE: usize = 100;

/// One solver on one problem.
#[derive(Serialize)]
struct SolvedRow<'a> {
    problem: &'a str,
    contacts: usize,
    solver: String,
    verdict: &'static str,
    residual: f64,
    iterations: u32,
    passes: u32,
    ms: f64,
    asymmetry: f64,
}

impl ContactProblem {
    /// Reads, solves and prints.
    pub fn run(&self) -> Result<(), Failure> {
        let columns = "problem contacts solver verdict residual iterations passes ms asymmetry";
        let mut printer = RowPrinter::new(self.json, columns);
        let mut unread = 0;
        for path in &self.files {
            let file = match ConeFile::read(path) {
                Ok(file) => file,
                Err(error) => {
                    output::complain(&format!("{}: {error}", path.display()));
                    unread += 1;
                    continue;
                }
            };
            let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
            let name = if file.name.is_empty() { &stem } else { &file.name };
            for (solver, solve) in self.solvers(file.problem.len()) {
                if stop::asked() {
                    return Err(Failure::stopped("stopped"));
                }
                let (answer, seconds) = solve(&file.problem)?;
                printer.put(&SolvedRow {
                    problem: name,
                    contacts: file.problem.len(),
                    solver,
                    verdict: answer.verdict.name(),
                    residual: answer.residual,
                    iterations: answer.iterations,
                    passes: answer.passes,
                    ms: 1e3 * seconds,
                    asymmetry: file.asymmetry,
                })?;
            }
        }
        match unread {
            0 => Ok(()),
            _ => Err(Failure::Other(format!("{unread} of {} files could not be read", self.files.len()))),
        }
    }

    /// Every solver by its name that takes so many contacts: each makes its memory, then solves.
    fn solvers(&self, contacts: usize) -> Vec<(String, Solve)> {
        let limits = SolveLimits { tolerance: self.tolerance, passes: self.passes };
        let gauss_seidel = LocalRule::ALL.map(|rule| {
            let settings = GaussSeidelSettings { rule, limits, warm_start: false };
            let solve: Solve = Box::new(move |problem| {
                let mut solver = GaussSeidel::new(settings, problem.operator())?;
                let begun = Instant::now();
                solver.solve(problem)?;
                Ok((solver.answer().clone(), begun.elapsed().as_secs_f64()))
            });
            (format!("gauss-seidel {}", rule.name()), solve)
        });
        let staggered = [Cone::Disk, Cone::Polygon { sides: 8, fit: Fit::Inscribed }].map(|cone| {
            let settings = StaggeredSettings { cone, limits, warm_start: false };
            let solve: Solve = Box::new(move |problem| {
                let mut solver = Staggered::new(settings, problem.operator())?;
                let begun = Instant::now();
                solver.solve(problem)?;
                Ok((solver.answer().clone(), begun.elapsed().as_secs_f64()))
            });
            (if cone == Cone::Disk { "staggered" } else { "staggered-8" }.into(), solve)
        });
        let newton: Solve = Box::new(move |problem| {
            let sweeps = GaussSeidelSettings { limits, warm_start: false, ..GaussSeidelSettings::default() };
            let settings = ConeNewtonSettings { sweeps, ..ConeNewtonSettings::default() };
            let mut solver = ConeNewton::new(settings, problem.operator())?;
            let begun = Instant::now();
            solver.solve(problem)?;
            Ok((solver.answer().clone(), begun.elapsed().as_secs_f64()))
        });
        let settings = PyramidSettings { sides: 8, tolerance: self.tolerance, pivots: self.passes };
        let lemke: Solve = Box::new(move |problem| {
            let mut solver = PyramidLemke::new(settings, problem.operator())?;
            let begun = Instant::now();
            solver.solve(problem)?;
            Ok((solver.answer().clone(), begun.elapsed().as_secs_f64()))
        });
        let last = (contacts <= MOST_OF_LEMKE).then(|| ("lemke-8".to_owned(), lemke));
        gauss_seidel.into_iter().chain(staggered).chain([("newton".to_owned(), newton)]).chain(last).collect()
    }
}

/// Solves a problem, and tells how long it took (s).
type Solve = Box<dyn Fn(&ConeProblem<DenseOperator>) -> Result<(ConeAnswer, f64), Failure>>;
