//! The rows of a file of results.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a measured value has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// It is not above a number.
    AtMost(f64),
    /// It is not below a number.
    AtLeast(f64),
}

impl Target {
    /// Whether a value is where it has to be; NaN never is.
    pub fn is_met(self, value: f64) -> bool {
        match self {
            Target::AtMost(most) => value <= most,
            Target::AtLeast(least) => value >= least,
        }
    }
}

/// As in "≤ 50".
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Target::AtMost(most) => write!(f, "≤ {}", number(most)),
            Target::AtLeast(least) => write!(f, "≥ {}", number(least)),
        }
    }
}

/// One measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// What was measured, in words.
    pub what: String,
    /// The value; `None` where it is not a finite number.
    pub value: Option<f64>,
    /// Its unit; empty for a plain number.
    pub unit: String,
    /// The target in words, such as "≤ 50"; `None` where there is none.
    pub target: Option<String>,
    /// Whether the target is met; `None` where there is none.
    pub met: Option<bool>,
}

impl Measurement {
    /// A value without a target.
    pub fn new(what: impl Into<String>, value: f64, unit: &str) -> Self {
        let value = value.is_finite().then_some(value);
        Measurement { what: what.into(), value, unit: unit.trim().into(), target: None, met: None }
    }

    /// The same, held to a target.
    pub fn held_to(self, target: Target) -> Self {
        let met = target.is_met(self.value.unwrap_or(f64::NAN));
        Measurement { target: Some(target.to_string()), met: Some(met), ..self }
    }
}

/// The verdict of a figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureRow {
    /// The figure's name.
    pub name: String,
    /// "reproduced", "partly" or "not reproduced".
    pub verdict: String,
}

/// A row of a file of results.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ResultRow {
    /// A measured value.
    Measured(Measurement),
    /// The verdict of a figure.
    Figure(FigureRow),
}

/// A number with four digits, whatever its size.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    let text = match size {
        0.0 => return "0".into(),
        _ if !(1e-3..1e7).contains(&size) => format!("{x:.2e}"),
        _ => format!("{x:.*}", (3 - size.log10().floor() as i32).max(0) as usize),
    };
    let (digits, exponent) = text.find('e').map_or((text.as_str(), ""), |at| text.split_at(at));
    let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    format!("{digits}{exponent}")
}
