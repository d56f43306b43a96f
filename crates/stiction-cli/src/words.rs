//! The words of the command line for the engine's choices: metrics, numbers.

use clap::ValueEnum;
use stiction::friction::Metric;

/// Reads a number above zero.
pub fn parse_positive(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number above zero".into()),
    }
}

/// What the quadratic program measures a step by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MetricWord {
    /// diag(M, I), as in the paper: stops the part's centre
    Mass,
    /// -sym(K): stops the contacts, Coulomb's law where K is symmetric
    Stiffness,
}

impl From<MetricWord> for Metric {
    fn from(word: MetricWord) -> Self {
        match word {
            MetricWord::Mass => Metric::Mass,
            MetricWord::Stiffness => Metric::Stiffness,
        }
    }
}
