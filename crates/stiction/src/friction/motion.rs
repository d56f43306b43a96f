//! How far a step moves a point of the held part.

use crate::spatial::{Vec3, Vec6, halves};

/// Δx + (exp([Δω]×) - I) r, without the cancellation of a rotation applied and subtracted.
pub(crate) struct Motion {
    translation: Vec3,
    rotation: Vec3,
    /// sin(a)/a and (1 - cos a)/a², a = |Δω|.
    sine: f64,
    cosine: f64,
}

impl Motion {
    pub fn new(step: &Vec6) -> Self {
        let (translation, rotation) = halves(step);
        let a = rotation.norm();
        let (sine, cosine) = if a < 1e-3 {
            (1.0 - a * a / 6.0 * (1.0 - a * a / 20.0), 0.5 - a * a / 24.0 * (1.0 - a * a / 30.0))
        } else {
            (libm::sin(a) / a, (1.0 - libm::cos(a)) / (a * a))
        };
        Motion { translation, rotation, sine, cosine }
    }

    /// For a point at `arm` from the centre.
    pub fn of(&self, arm: &Vec3) -> Vec3 {
        let once = self.rotation.cross(arm);
        self.translation + once * self.sine + self.rotation.cross(&once) * self.cosine
    }
}
