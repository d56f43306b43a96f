//! Medians and straight lines.

/// The value with a share `q` of all below it; none for an empty list.
pub fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n => sorted[((n - 1) as f64 * q).round() as usize],
    }
}

/// The value in the middle.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// A straight line through points, by least squares.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Rise per unit of x.
    pub slope: f64,
    /// At x = 0.
    pub intercept: f64,
    /// Share of the variance that the line explains.
    pub r2: f64,
}

impl Line {
    /// The line that fits best.
    pub fn fit(points: &[[f64; 2]]) -> Self {
        let n = points.len() as f64;
        let mean = |i: usize| points.iter().map(|p| p[i]).sum::<f64>() / n;
        let (x, y) = (mean(0), mean(1));
        let sum = |f: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(f).sum::<f64>();
        let (xx, xy) = (sum(&|p| (p[0] - x).powi(2)), sum(&|p| (p[0] - x) * (p[1] - y)));
        let slope = xy / xx;
        let intercept = y - slope * x;
        let (off, all) = (sum(&|p| (p[1] - intercept - slope * p[0]).powi(2)), sum(&|p| (p[1] - y).powi(2)));
        Line { slope, intercept, r2: 1.0 - off / all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_finds_itself_and_noise_lowers_r2() {
        let line = Line::fit(&[[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]]);
        assert!((line.slope - 2.0).abs() < 1e-12 && (line.intercept - 1.0).abs() < 1e-12 && line.r2 > 1.0 - 1e-12);
        assert!(Line::fit(&[[0.0, 1.0], [1.0, 5.0], [2.0, 2.0]]).r2 < 0.5);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    }
}
