//! The thermal budget of one motor group: how much above the continuous limit it has been, and what that leaves.
//!
//! Copper losses go with the square of the current, that is, of the force:
//!
//! ```text
//! H ← max(0, H + (F² - F_c²) T),   capacity  C = (F_p² - F_c²) t_p
//! limit²  = F_c² + min(F_p² - F_c², (C - H)/τ),   τ = max(t_p/10, T)
//! ```
//!
//! So H ≤ C always, since τ ≥ T. A constant wish for the peak gets it from cold for t_p - τ, then the excess of the square falls as
//! exp(-t/τ): the limit is continuous in H and no edge is felt. The total above the continuous limit is that of the peak for t_p.
//! T is the nominal period: a late cycle holds its force for longer than is counted, by at most `late`, beyond which force fades.

/// Budget and what is used of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heat {
    continuous: f64,
    peak: f64,
    capacity: f64,
    tau: f64,
    period: f64,
    used: f64,
}

impl Heat {
    /// The budget of cold motors.
    pub fn new(limits: [f64; 2], peak_seconds: f64, period: f64) -> Self {
        let [continuous, peak] = limits;
        let capacity = (peak * peak - continuous * continuous) * peak_seconds;
        Heat { continuous, peak, capacity, tau: period.max(0.1 * peak_seconds), period, used: 0.0 }
    }

    /// The limit in force.
    pub fn limit(&self) -> f64 {
        let square = self.continuous * self.continuous;
        let excess = (self.peak * self.peak - square).min((self.capacity - self.used) / self.tau);
        if excess > 0.0 { (square + excess).sqrt().min(self.peak) } else { self.continuous }
    }

    /// A cycle with a force of this size.
    pub fn add(&mut self, size: f64) {
        let excess = (size * size - self.continuous * self.continuous) * self.period;
        self.used = (self.used + excess).clamp(0.0, self.capacity);
    }

    /// The device says that it is hot: nothing is left above the continuous limit.
    pub fn fill(&mut self) {
        self.used = self.capacity;
    }

    /// Share of the budget that is used.
    pub fn share(&self) -> f64 {
        if self.capacity > 0.0 { self.used / self.capacity } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_peak_lasts_as_the_closed_form_says() {
        let (t_p, period) = (2.0, 1e-4);
        let mut heat = Heat::new([3.0, 10.0], t_p, period);
        let (mut until, mut above) = (None, 0.0);
        for i in 0..60_000 {
            let t = f64::from(i) * period;
            let limit = heat.limit();
            if limit < 10.0 - 1e-9 && until.is_none() {
                until = Some(t);
            }
            if t > 1.9 {
                let expected = (9.0 + 91.0 * (-(t - 1.8) / 0.2_f64).exp()).sqrt();
                assert!((limit - expected).abs() < 2e-3, "{t}: {limit} is not {expected}");
            }
            above += (limit * limit - 9.0) * period;
            heat.add(limit);
        }
        assert!((until.unwrap() - 1.8).abs() < 2.0 * period, "{until:?}");
        assert!((above / 91.0 - t_p).abs() < 1e-6, "as much as the peak for {t_p} s: {above}");
        assert!((heat.share() - 1.0).abs() < 1e-6);
        // Nothing at all for C/F_c² s, and it is cold again.
        for _ in 0..(t_p * 91.0 / 9.0 / period) as usize + 2 {
            heat.add(0.0);
        }
        assert_eq!((heat.share(), heat.limit()), (0.0, 10.0));
    }

    #[test]
    fn no_budget_is_the_continuous_limit() {
        assert_eq!(Heat::new([3.0, 10.0], 0.0, 1e-3).limit(), 3.0);
        assert_eq!(Heat::new([3.0, 3.0], 1.0, 1e-3).limit(), 3.0);
        assert_eq!(Heat::new([0.0, 0.0], 1.0, 1e-3).limit(), 0.0);
    }
}
