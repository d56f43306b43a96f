//! The table for people.

use super::tally::SolverRow;
use std::io;
use stiction_cli::output::{line, short};

/// Prints rows group by group.
pub struct SolverTable {
    seconds: f64,
}

impl SolverTable {
    /// A table of a run of about that many seconds.
    pub fn new(seconds: f64) -> Self {
        Self { seconds }
    }

    /// What, where and when, and the heads of the columns.
    pub fn print_header(&self) -> io::Result<()> {
        line(&format!(
            "Friction: the engine beside general solvers, one thread, about {:.0} s.\n\
             {}. See --help for the columns.\n",
            self.seconds,
            stiction_results::machine(),
        ))?;
        line(
            "contacts  cone  load   solver                 p50        p99   iterations  stalls  agree  x general  samples",
        )?;
        line("                                               µs         µs   mean   p99              %")?;
        line(&"─".repeat(108))
    }

    /// The rows of one group.
    pub fn print_group(&self, rows: &[SolverRow]) -> io::Result<()> {
        for (i, r) in rows.iter().enumerate() {
            let (contacts, cone, load) =
                if i == 0 { (r.contacts.to_string(), &*r.cone, r.load) } else { Default::default() };
            let faster = r.times_faster.map_or(String::new(), |x| format!("{} x", short(x)));
            // 99.96 % is not all.
            let agree = (r.agree * 1000.0).floor() / 10.0;
            let (p50, p99, mean) = (short(r.p50_us), short(r.p99_us), r.iterations_mean);
            line(&format!(
                "{contacts:>8}  {cone:<4}  {load:<5}  {:<19}{p50:>7}{p99:>11}{mean:>7.1}{:>6}{:>8}{agree:>7}{faster:>11}{:>9}",
                r.solver, r.iterations_p99, r.stalls, r.samples
            ))?;
        }
        line("")
    }

    /// What was not measured.
    pub fn print_footer(&self, left_out: &[String]) -> io::Result<()> {
        if left_out.is_empty() {
            return Ok(());
        }
        let mut names: Vec<&str> = left_out.iter().map(String::as_str).collect();
        names.dedup();
        line(&format!("Left out, too slow for the time given: {}.\n", names.join(", ")))
    }
}
