//! Measured numbers beside their bounds, and the verdict that follows from them.

use stiction::named;

named! {
    /// Whether a claim was met.
    pub enum FigureVerdict {
        /// Every check passed.
        Reproduced = "reproduced",
        /// Some checks passed, others failed.
        Partly = "partly",
        /// No check passed, or there was none.
        NotReproduced = "not reproduced",
    }
}

impl FigureVerdict {
    /// What the checks say. No checks prove nothing.
    pub fn of(checks: &[Check]) -> Self {
        match checks.iter().filter(|check| check.passes()).count() {
            0 => FigureVerdict::NotReproduced,
            passed if passed == checks.len() => FigureVerdict::Reproduced,
            _ => FigureVerdict::Partly,
        }
    }
}

/// One measured number and where it must lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What was measured, with its unit.
    pub what: String,
    /// The number.
    pub measured: f64,
    /// The least it may be.
    pub least: f64,
    /// The most it may be.
    pub most: f64,
}

impl Check {
    /// `measured` ≤ `most`.
    pub fn at_most(what: impl Into<String>, measured: f64, most: f64) -> Self {
        Check { what: what.into(), measured, least: f64::NEG_INFINITY, most }
    }

    /// `measured` ≥ `least`.
    pub fn at_least(what: impl Into<String>, measured: f64, least: f64) -> Self {
        Check { what: what.into(), measured, least, most: f64::INFINITY }
    }

    /// Between two bounds.
    pub fn between(what: impl Into<String>, measured: f64, [least, most]: [f64; 2]) -> Self {
        Check { what: what.into(), measured, least, most }
    }

    /// Off the expected value by no more than a share of it.
    pub fn near(what: impl Into<String>, measured: f64, expected: f64, share: f64) -> Self {
        let off = expected.abs() * share;
        Check::between(what, measured, [expected - off, expected + off])
    }

    /// True if the number lies where it must; a number that is none never does.
    pub fn passes(&self) -> bool {
        self.measured >= self.least && self.measured <= self.most
    }

    /// Number and bound in words.
    pub fn words(&self) -> String {
        format!("{}: {} ({})", self.what, number(self.measured), self.bound())
    }

    /// Where the number must lie, in words.
    pub fn bound(&self) -> String {
        let n = number;
        match (self.least.is_finite(), self.most.is_finite()) {
            (true, true) if self.least == self.most => format!("= {}", n(self.least)),
            (true, true) => format!("{} to {}", n(self.least), n(self.most)),
            (true, false) => format!("≥ {}", n(self.least)),
            _ => format!("≤ {}", n(self.most)),
        }
    }
}

/// A number with four digits or so, whatever its size.
pub fn number(x: f64) -> String {
    let a = x.abs();
    match () {
        () if x.is_nan() => "none".into(),
        () if x.is_infinite() => if x > 0.0 { "∞" } else { "-∞" }.into(),
        () if a == 0.0 => "0".into(),
        () if !(1e-3..1e5).contains(&a) => trimmed(&format!("{x:.2e}")),
        () => trimmed(&format!("{x:.*}", (3 - a.log10().floor() as i32).clamp(0, 6) as usize)),
    }
}

/// Without zeros at the end of a fraction.
fn trimmed(text: &str) -> String {
    let (digits, exponent) = text.find('e').map_or((text, ""), |at| text.split_at(at));
    let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    format!("{digits}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_or_none_fails() {
        let good = Check::near("slope", 1.02, 1.0, 0.03);
        assert!(good.passes());
        for wrong in [1.04, 0.96, f64::NAN, f64::INFINITY] {
            assert!(!Check { measured: wrong, ..good.clone() }.passes(), "{wrong}");
        }
        assert_eq!(FigureVerdict::of(std::slice::from_ref(&good)), FigureVerdict::Reproduced);
        let bad = Check::at_most("drift", 2.0, 1.0);
        assert_eq!(FigureVerdict::of(&[good, bad.clone()]), FigureVerdict::Partly);
        assert_eq!(FigureVerdict::of(&[bad]), FigureVerdict::NotReproduced);
        assert_eq!(FigureVerdict::of(&[]), FigureVerdict::NotReproduced);
    }

    #[test]
    fn numbers_are_short() {
        let cases = [(0.0, "0"), (1.5, "1.5"), (0.02, "0.02"), (1234.56, "1235"), (1e-9, "1e-9"), (-2.5e7, "-2.5e7")];
        for (x, words) in cases {
            assert_eq!(number(x), words);
        }
    }
}
