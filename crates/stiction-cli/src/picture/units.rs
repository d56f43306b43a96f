//! Lengths in the unit a reader expects.

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthUnit {
    /// Its name.
    pub name: &'static str,
    /// How many are a metre.
    pub per_metre: f64,
}

impl LengthUnit {
    /// The unit in which a length is a handy number.
    pub fn of(length: f64) -> LengthUnit {
        match length {
            l if l >= 2.0 => LengthUnit { name: "m", per_metre: 1.0 },
            l if l >= 5e-4 => LengthUnit { name: "mm", per_metre: 1e3 },
            l if l >= 5e-7 => LengthUnit { name: "µm", per_metre: 1e6 },
            _ => LengthUnit { name: "nm", per_metre: 1e9 },
        }
    }

    /// A length in this unit with about three digits.
    pub fn write(self, metres: f64) -> String {
        let number = metres * self.per_metre;
        let digits = match number.abs() {
            n if n >= 99.95 => 0,
            n if n >= 9.995 => 1,
            n if n >= 0.9995 => 2,
            _ => 3,
        };
        let text = format!("{number:.digits$}");
        let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        format!("{} {}", if text == "-0" { "0" } else { text }, self.name)
    }
}

/// A length with about three digits and its own unit.
pub fn length(metres: f64) -> String {
    if metres == 0.0 { "0".into() } else { LengthUnit::of(metres.abs()).write(metres) }
}

/// The step of 1, 2 or 5 times a power of ten that divides a range into at most so many parts.
pub fn step(range: f64, parts: usize) -> f64 {
    if !(range > 0.0 && range.is_finite()) {
        return 1.0;
    }
    let least = range / parts.max(1) as f64;
    let power = 10f64.powi(least.log10().floor() as i32);
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|&s| s >= least).unwrap_or(10.0 * power)
}

/// Round numbers in a range, with their labels.
pub fn ticks(low: f64, high: f64, parts: usize) -> Vec<(f64, String)> {
    let step = step(high - low, parts);
    let digits = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    // Adding zero makes -0 a plain 0.
    (first..=last.min(first + 100)).map(|k| (k as f64 * step, format!("{:.digits$}", k as f64 * step + 0.0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_as_one_would() {
        for (metres, text) in [
            (0.0425, "42.5 mm"),
            (0.001, "1 mm"),
            (0.00025, "250 µm"),
            (3.0, "3 m"),
            (0.12345, "123 mm"),
            (0.0, "0"),
            (-0.009, "-9 mm"),
            (1.2e-6, "1.2 µm"),
        ] {
            assert_eq!(length(metres), text);
        }
    }

    #[test]
    fn zero_has_no_sign_and_keeps_the_unit_asked_for() {
        assert_eq!(LengthUnit::of(0.1).write(-1e-9), "0 mm");
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(-1.1, 2.2, 4).iter().map(|t| t.1.as_str()).collect::<Vec<_>>(), ["-1", "0", "1", "2"]);
        assert_eq!(ticks(0.0, 0.31, 4).iter().map(|t| t.1.as_str()).collect::<Vec<_>>(), ["0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(ticks(0.0, 900.0, 4).len(), 2);
    }
}
