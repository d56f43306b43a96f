//! The words of the command line for the engine's choices: cones, metrics, numbers.

use clap::ValueEnum;
use stiction::friction::{Cone, Metric};

/// The word for a cone.
pub fn cone_word(cone: Cone) -> String {
    match cone {
        Cone::Disk => "disk".into(),
        Cone::Polygon { sides, .. } => sides.to_string(),
    }
}

/// Reads a number above zero.
pub fn parse_positive(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number above zero".into()),
    }
}

/// Reads a number of contacts.
pub fn parse_contacts(word: &str) -> Result<usize, String> {
    match word.trim().parse() {
        Ok(n) if (1..=100_000).contains(&n) => Ok(n),
        _ => Err("expected a number of contacts from 1 to 100000".into()),
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
