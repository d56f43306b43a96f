//! Which unit a file is in, guessed from its size: mesh files do not say.

use serde::Serialize;

/// A guess of the unit of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitGuess {
    /// The longest side as the file's numbers have it, without a unit.
    pub longest_in_file: f64,
    /// The unit that makes it a part one can hold: "m" or "mm"; `None` if several would.
    pub likely_unit: Option<&'static str>,
    /// The unit it was read as: "m", "cm", "mm", "in", or "" for another.
    pub read_as: &'static str,
    /// Whether the unit it was read as is another than the likely one.
    pub doubtful: bool,
    /// Reason for the guess, for display.
    pub reason: String,
}

const UNITS: [(&str, f64); 4] = [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("in", 0.0254)];

/// Guesses from the longest side in m and the metres that one unit of the file was taken for.
///
/// Parts that are held and fitted are between half a centimetre and a few metres long. Numbers below 0.5 would be
/// specks in mm, numbers above 12 houses in m; between, cm and inches do as well.
pub fn guess(longest_m: f64, metres_per_unit: f64) -> UnitGuess {
    let longest = longest_m / metres_per_unit;
    let read_as = UNITS.iter().find(|u| (u.1 / metres_per_unit - 1.0).abs() < 1e-9).map_or("", |u| u.0);
    let long = super::words::length;
    let likely_unit = match longest {
        x if x < 0.5 => Some("m"),
        x if x > 12.0 => Some("mm"),
        _ => None,
    };
    let number = super::words::number(longest);
    let readings = format!(
        "The longest side reads {number}: if the file is in mm, the part is {} long; if in m, {}",
        long(0.001 * longest),
        long(longest)
    );
    let reason = match likely_unit {
        Some(unit) => format!("{readings}. Only {unit} makes it a part that one can hold."),
        None => format!(
            "{readings}; if in cm, {}; if in inches, {}. The size alone does not tell.",
            long(0.01 * longest),
            long(0.0254 * longest)
        ),
    };
    let doubtful = likely_unit.is_some_and(|unit| !read_as.is_empty() && unit != read_as);
    UnitGuess { longest_in_file: longest, likely_unit, read_as, doubtful, reason }
}
