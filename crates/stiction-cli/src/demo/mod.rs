//! `stiction demo`: a cube in a corner, pulled along the edge with more and more force until it slips.

mod picture;
mod scene;
mod table;

use crate::Failure;
use crate::output;
use crate::words::{MetricWord, parse_cone, parse_contacts, parse_positive};
use clap::{Args, ValueEnum};
use picture::Picture;
use scene::Corner;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;
use stiction::contact::ContactProblem;
use stiction::friction::{Cone, FrictionSolver, Method, Settings, SlipState, Verdict};
use table::Row;

/// Pulls of the table, in parts of the force at which Coulomb's law lets the cube slip.
const PULLS: [f64; 17] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 0.999, 1.001, 1.01, 1.1, 1.3, 1.5];
/// Solves of which the median time is shown.
const REPEATS: usize = 101;

/// Pull a cube out of a corner until friction lets go
///
/// A 10 cm cube rests on the floor and against a wall, pressed with 10 N into each. A hand pulls it along the edge
/// where the two meet, through the point where equal friction on all contacts would act. There Coulomb's law has a
/// closed form: the cube slips at µ times the sum of all normal forces. Every row is solved afresh, without memory of
/// the row before; its time is the median of 101 solves.
#[derive(Args)]
pub struct Demo {
    /// How friction is decided
    #[arg(long, value_enum, default_value_t = MethodWord::Hold)]
    method: MethodWord,
    /// What the quadratic program minimises; for --method qp only [default: stiffness]
    #[arg(long, value_enum)]
    metric: Option<MetricWord>,
    /// The friction limit at a contact: disk, or the number of sides of the paper's circumscribed polygon [default:
    /// disk; 8 for --method lp]
    #[arg(long, value_parser = parse_cone, value_name = "4|8|disk")]
    cone: Option<Cone>,
    /// Friction coefficient
    #[arg(long, default_value_t = 0.5, value_parser = parse_positive, allow_negative_numbers = true)]
    mu: f64,
    /// Contacts, shared by the two faces
    #[arg(long, default_value_t = 98, value_parser = parse_contacts)]
    contacts: usize,
    /// One JSON object per row instead of the table
    #[arg(long)]
    json: bool,
    /// Also draw the contacts and the table's curve into an SVG file
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
}

/// The friction solvers by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodWord {
    /// The paper's verdict: all contacts hold, or friction is dropped
    Lp,
    /// The paper's quadratic program: each contact sticks or slides by itself
    Qp,
    /// Coulomb's law with slip memory
    Hold,
}

impl Demo {
    /// Prints the table.
    pub fn run(&self) -> Result<(), Failure> {
        let settings = self.settings()?;
        let corner = Corner::new(self.contacts, self.mu);
        let limit = corner.coulomb_limit(settings.cone);
        let mut trial = Trial {
            problem: ContactProblem::with_capacity(self.contacts),
            solver: FrictionSolver::new(settings, self.contacts)?,
            corner,
        };
        if !self.json {
            table::print_header(&settings, self.mu, self.contacts)?;
        }
        let mut rows = Vec::with_capacity(PULLS.len());
        for part in PULLS {
            let row = trial.row(part * limit)?;
            if self.json {
                output::json(&row)?
            } else {
                row.print()?
            }
            rows.push(row);
        }
        if let Some(path) = &self.picture {
            let svg = trial.picture(&rows, limit)?;
            std::fs::write(path, svg).map_err(|e| Failure::Other(format!("cannot write {}: {e}", path.display())))?;
        }
        if self.json {
            return Ok(());
        }
        let held = trial.last_pull_held(2.0 * limit)?;
        Ok(table::print_conclusion(&settings, held, self.mu, &trial.corner)?)
    }

    fn settings(&self) -> Result<Settings, Failure> {
        let method = match (self.method, self.metric) {
            (MethodWord::Qp, metric) => Method::Qp(metric.unwrap_or(MetricWord::Stiffness).into()),
            (_, Some(_)) => return Err(Failure::Usage("--metric is for --method qp only".into())),
            (MethodWord::Lp, None) => Method::Lp,
            (MethodWord::Hold, None) => Method::Hold,
        };
        let cone = self.cone.unwrap_or(if method == Method::Lp { Cone::paper(8) } else { Cone::Disk });
        if method == Method::Lp && cone == Cone::Disk {
            return Err(Failure::Usage("--method lp needs a polygon: use --cone 4 or --cone 8".into()));
        }
        Ok(Settings { method, cone, warm_start: false, ..Settings::default() })
    }
}

/// The scene, the problem made of it and the solver asked.
struct Trial {
    corner: Corner,
    problem: ContactProblem,
    solver: FrictionSolver,
}

impl Trial {
    /// Solves for a pull as if it were the first.
    fn solve(&mut self, pull: f64) -> Result<Verdict, Failure> {
        self.problem.rebuild(&self.corner.load(pull), self.corner.contacts())?;
        self.solver.reset();
        Ok(self.solver.solve(&self.problem)?.verdict)
    }

    fn row(&mut self, pull: f64) -> Result<Row, Failure> {
        self.solve(pull)?;
        let mut times = Vec::with_capacity(REPEATS);
        for _ in 0..REPEATS {
            self.solver.reset();
            let start = Instant::now();
            black_box(self.solver.solve(black_box(&self.problem))?);
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
        times.sort_by(f64::total_cmp);
        let margin = self.solver.ray_margin(&self.problem)?;
        let answer = self.solver.solution();
        Ok(Row {
            pull_n: pull,
            verdict: answer.verdict.into(),
            margin,
            sliding: answer.count(SlipState::Sliding),
            contacts: answer.len(),
            friction_n: answer.friction.fixed_rows::<3>(0).norm(),
            step_um: answer.step.fixed_rows::<3>(0).norm() * 1e6,
            time_us: times[REPEATS / 2],
        })
    }

    fn picture(&mut self, rows: &[Row], limit: f64) -> Result<String, Failure> {
        let mut picture = Picture::new();
        for (column, part) in [0.9, 1.1].into_iter().enumerate() {
            let verdict = self.solve(part * limit)?;
            let caption = format!(
                "pulled with {:.1} N: {}",
                part * limit,
                if verdict == Verdict::Slips { "slips" } else { "holds" }
            );
            picture.scene(column, &caption, &self.problem, self.solver.solution());
        }
        picture.curve(rows, limit);
        Ok(picture.finish())
    }

    /// Where the verdict changes, by bisection below a pull that slips; the law's prediction is not used.
    fn last_pull_held(&mut self, slips: f64) -> Result<f64, Failure> {
        let (mut held, mut slipped) = (0.0, slips);
        while slipped - held > 1e-7 * slips {
            let middle = 0.5 * (held + slipped);
            if self.solve(middle)? == Verdict::Slips { slipped = middle } else { held = middle }
        }
        Ok(held)
    }
}
