//! From single solves to a row of the table.

use super::plan::GroupKind;
use serde::Serialize;
use std::time::Duration;

/// Result of one solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveOutcome {
    /// Duration of the solve.
    pub time: Duration,
    /// Iterations of its own.
    pub iterations: u32,
    /// Whether it ended without a proof or without an answer.
    pub stalled: bool,
    /// Whether it agrees with the certified answer.
    pub agrees: bool,
}

/// All solves of one solver in one group.
#[derive(Clone, Debug, Default)]
pub struct SolveTally {
    micros: Vec<f64>,
    iterations: Vec<f64>,
    stalls: usize,
    agreed: usize,
}

/// A row of the table; also a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct SolverRow {
    /// About how many contacts.
    pub contacts: usize,
    /// "4", "8" or "disk".
    pub cone: String,
    /// "holds", "slips" or "edge".
    pub load: &'static str,
    /// Name of the solver.
    pub solver: &'static str,
    /// Median time (µs).
    pub p50_us: f64,
    /// 99th percentile of the time (µs).
    pub p99_us: f64,
    /// Mean number of iterations.
    pub iterations_mean: f64,
    /// 99th percentile of the number of iterations.
    pub iterations_p99: f64,
    /// Answers without a proof.
    pub stalls: usize,
    /// Share of problems where it agrees with the certified answer.
    pub agree: f64,
    /// Solves measured.
    pub samples: usize,
    /// The fastest general solver's median on the same problems over this one's; for the engine's solvers.
    pub times_faster: Option<f64>,
}

impl SolveTally {
    /// Counts a solve.
    pub fn add(&mut self, outcome: &SolveOutcome) {
        self.micros.push(outcome.time.as_nanos() as f64 / 1e3);
        self.iterations.push(f64::from(outcome.iterations));
        self.stalls += usize::from(outcome.stalled);
        self.agreed += usize::from(outcome.agrees);
    }

    /// Solves counted.
    pub fn samples(&self) -> usize {
        self.micros.len()
    }

    /// Time spent in them (s).
    pub fn seconds(&self) -> f64 {
        self.micros.iter().sum::<f64>() * 1e-6
    }

    /// Median time (µs); `None` without a sample.
    pub fn p50(&self) -> Option<f64> {
        (!self.micros.is_empty()).then(|| percentile(&self.micros, 0.5))
    }

    /// The row; `None` without a sample. `general_p50` is what it is compared with (µs).
    pub fn row(&self, what: &GroupKind, solver: &'static str, general_p50: Option<f64>) -> Option<SolverRow> {
        let p50_us = self.p50()?;
        let samples = self.samples();
        Some(SolverRow {
            contacts: what.contacts,
            cone: what.cone_word(),
            load: what.load_word(),
            solver,
            p50_us,
            p99_us: percentile(&self.micros, 0.99),
            iterations_mean: self.iterations.iter().sum::<f64>() / samples as f64,
            iterations_p99: percentile(&self.iterations, 0.99),
            stalls: self.stalls,
            agree: self.agreed as f64 / samples as f64,
            samples,
            times_faster: general_p50.map(|general| general / p50_us),
        })
    }
}

impl SolverRow {
    /// Same cone, same load.
    pub fn is_like(&self, what: &GroupKind) -> bool {
        self.cone == what.cone_word() && self.load == what.load_word()
    }
}

/// The smallest value that at least `part` of all values do not exceed.
fn percentile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let values: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        assert_eq!(percentile(&values, 0.5), 100.0);
        assert_eq!(percentile(&values, 0.99), 198.0);
        assert_eq!(percentile(&[7.0], 0.99), 7.0);
    }
}
