//! What of a force a hand feels as vibration: its part between 20 and 500 Hz, by two filters of second order.
//!
//! High pass at 20 Hz and, where the rate lets anything above 500 Hz through, low pass there; both Butterworth, by the bilinear
//! transform with the frequency warped: with w = tan(π f/rate) and c = 1/(1 + √2 w + w²),
//!
//! ```text
//! high pass   b = c (1, -2, 1)         low pass   b = c w² (1, 2, 1)
//! both        a = (1, 2c (w² - 1), c (1 - √2 w + w²))
//! ```

use std::f64::consts::{PI, SQRT_2};
use stiction::spatial::Vec3;

/// Lower and upper end (Hz).
const BAND: [f64; 2] = [20.0, 500.0];

/// A filter of second order on each component.
#[derive(Clone, Copy, Debug)]
struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
    x: [Vec3; 2],
    y: [Vec3; 2],
}

impl Biquad {
    fn new(frequency: f64, rate: f64, high: bool) -> Biquad {
        let w = libm::tan(PI * frequency / rate);
        let c = 1.0 / (1.0 + SQRT_2 * w + w * w);
        let b = if high { [c, -2.0 * c, c] } else { [c * w * w, 2.0 * c * w * w, c * w * w] };
        let a = [2.0 * c * (w * w - 1.0), c * (1.0 - SQRT_2 * w + w * w)];
        Biquad { b, a, x: [Vec3::zeros(); 2], y: [Vec3::zeros(); 2] }
    }

    /// As if it had seen this input, and given this output, for ever.
    fn settle(&mut self, x: Vec3, y: Vec3) {
        (self.x, self.y) = ([x; 2], [y; 2]);
    }

    fn next(&mut self, x: Vec3) -> Vec3 {
        let [b0, b1, b2] = self.b;
        let y = x * b0 + self.x[0] * b1 + self.x[1] * b2 - self.y[0] * self.a[0] - self.y[1] * self.a[1];
        self.x = [x, self.x[0]];
        self.y = [y, self.y[0]];
        y
    }
}

/// The running mean square of a force in the band.
#[derive(Clone, Copy, Debug, Default)]
pub struct Band {
    /// None where the rate is too low for the band.
    high: Option<Biquad>,
    low: Option<Biquad>,
    squares: f64,
    count: u64,
}

impl Band {
    /// A filter that has seen nothing yet, for a number of ticks a second (Hz).
    pub fn new(rate: f64) -> Band {
        let below = |f: f64| f < 0.5 * rate;
        Band {
            high: below(BAND[0]).then(|| Biquad::new(BAND[0], rate, true)),
            low: below(BAND[1]).then(|| Biquad::new(BAND[1], rate, false)),
            squares: 0.0,
            count: 0,
        }
    }

    /// Takes the force of a tick in and tells what of it is in the band.
    pub fn add(&mut self, force: Vec3) -> Vec3 {
        let Some(high) = &mut self.high else { return Vec3::zeros() };
        if self.count == 0 {
            high.settle(force, Vec3::zeros());
        }
        let mut y = high.next(force);
        if let Some(low) = &mut self.low {
            y = low.next(y);
        }
        self.squares += y.norm_squared();
        self.count += 1;
        y
    }

    /// Root mean square of the force in the band (N).
    pub fn rms(&self) -> f64 {
        if self.count == 0 { 0.0 } else { (self.squares / self.count as f64).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gain for a sine, by running it.
    fn gain(frequency: f64, rate: f64) -> f64 {
        let mut band = Band::new(rate);
        let sine = |i: u32| libm::sin(2.0 * PI * frequency * f64::from(i) / rate);
        let n = 20 * rate as u32;
        (0..n).for_each(|i| _ = band.add(Vec3::new(sine(i), 0.0, 0.0)));
        band.rms() / (0.5f64).sqrt()
    }

    #[test]
    fn the_band_lets_through_what_a_butterworth_filter_does() {
        // |H|² = 1/(1 + (tan(πf_c/r)/tan(πf/r))⁴), the low pass with the quotient turned over.
        for rate in [1000.0, 4000.0] {
            for f in [2.0, 10.0, 20.0, 100.0, 300.0, 450.0] {
                let t = |f: f64| (PI * f / rate).tan();
                let high = 1.0 / (1.0 + (t(20.0) / t(f)).powi(4)).sqrt();
                let low = if rate > 1000.0 { 1.0 / (1.0 + (t(f) / t(500.0)).powi(4)).sqrt() } else { 1.0 };
                let (got, wanted) = (gain(f, rate), high * low);
                assert!((got - wanted).abs() < 2e-3, "{f} Hz at {rate}: {got} instead of {wanted}");
            }
        }
    }

    #[test]
    fn a_steady_force_is_no_vibration() {
        let mut band = Band::new(1000.0);
        (0..1000).for_each(|_| _ = band.add(Vec3::new(7.0, -3.0, 1.0)));
        assert!(band.rms() < 1e-9);
    }
}
