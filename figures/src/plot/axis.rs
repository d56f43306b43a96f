//! An axis: its range, its ticks, and where a number lies on it.

/// An axis with a label.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    /// Logarithmic.
    pub log: bool,
    /// What it must show; without, all points.
    pub range: Option<[f64; 2]>,
    /// It must show zero.
    pub zero: bool,
}

impl Axis {
    /// A linear axis over all points.
    pub fn linear(label: impl Into<String>) -> Self {
        Axis { label: label.into(), log: false, range: None, zero: false }
    }

    /// A linear axis that starts at zero, or ends there.
    pub fn from_zero(label: impl Into<String>) -> Self {
        Axis { zero: true, ..Axis::linear(label) }
    }

    /// A logarithmic axis: only positive numbers are shown.
    pub fn log(label: impl Into<String>) -> Self {
        Axis { log: true, ..Axis::linear(label) }
    }

    /// With a range of its own.
    pub fn range(mut self, least: f64, most: f64) -> Self {
        self.range = Some([least, most]);
        self
    }

    /// Fixes the range for these values, with ticks inside it.
    pub(super) fn scale(&self, values: impl Iterator<Item = f64>) -> Scale {
        let usable = |x: &f64| x.is_finite() && (!self.log || *x > 0.0);
        let (mut low, mut high) = self.range.map_or_else(
            || values.filter(usable).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x))),
            |[l, h]| (l, h),
        );
        if !(low <= high) {
            (low, high) = (if self.log { 0.1 } else { 0.0 }, 1.0);
        }
        if self.log {
            return Scale::log(low, high, self.range.is_some());
        }
        if self.zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if high - low <= 1e-12 * high.abs().max(low.abs()) {
            let pad = if high == 0.0 { 1.0 } else { 0.1 * high.abs() };
            (low, high) = (low - pad, high + pad);
        } else if self.range.is_none() {
            let pad = 0.05 * (high - low);
            low -= if self.zero && low == 0.0 { 0.0 } else { pad };
            high += if self.zero && high == 0.0 { 0.0 } else { pad };
        }
        Scale::linear(low, high)
    }
}

/// An axis with its range.
pub(super) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    /// Where, and what is written there.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    fn linear(low: f64, high: f64) -> Self {
        let rough = (high - low) / 5.0;
        let size = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * size).find(|s| *s >= rough).unwrap_or(rough);
        let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        let small = step < 1e-4 || high.abs().max(low.abs()) >= 1e5;
        let first = (low / step - 1e-9).ceil() as i64;
        let ticks = (first..first + 12).map(|i| i as f64 * step).take_while(|x| *x <= high + 1e-9 * step).map(|x| {
            let words = match x == 0.0 {
                true => "0".into(),
                false if small => crate::check::number(x),
                false => format!("{x:.digits$}"),
            };
            (x, words)
        });
        Scale { low, high, log: false, ticks: ticks.collect() }
    }

    fn log(low: f64, high: f64, exact: bool) -> Self {
        let (mut a, mut b) = (low.log10(), high.log10());
        if !exact {
            let pad = (0.05 * (b - a)).max(0.1);
            (a, b) = (a - pad, b + pad);
        }
        let (first, last) = ((a - 1e-9).ceil() as i32, (b + 1e-9).floor() as i32);
        let every = ((last - first) / 7 + 1).max(1);
        let mut ticks: Vec<_> =
            (first..=last).step_by(every as usize).map(|e| (10f64.powi(e), power_of_ten(e))).collect();
        if last - first < 1 {
            let near = |e: i32| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(e));
            let all = (first - 1..=last + 1).flat_map(near).filter(|x| (a..=b).contains(&x.log10()));
            ticks = all.map(|x| (x, crate::check::number(x))).collect();
        }
        Scale { low: a, high: b, log: true, ticks }
    }

    /// From 0 to 1 within the range; `None` if there is no such place.
    pub fn place(&self, x: f64) -> Option<f64> {
        let x = if self.log { x.log10() } else { x };
        let t = (x - self.low) / (self.high - self.low);
        t.is_finite().then_some(t)
    }
}

fn power_of_ten(e: i32) -> String {
    match e {
        0 => "1".into(),
        1 => "10".into(),
        _ => {
            let digits: String = e.unsigned_abs().to_string().chars().filter_map(superscript).collect();
            format!("10{}{digits}", if e < 0 { "⁻" } else { "" })
        }
    }
}

fn superscript(digit: char) -> Option<char> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10)? as usize)
}
