//! Random numbers, directions and poses.

use stiction::spatial::{Pose, Vec3};
use stiction_testing::splitmix64;

pub struct Random(pub u64);

impl Random {
    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (splitmix64(&mut self.0) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Equally likely in every decade.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn ball(&mut self) -> Vec3 {
        loop {
            let p = Vec3::from_fn(|_, _| self.between(-1.0, 1.0));
            if p.norm() <= 1.0 {
                return p;
            }
        }
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let p = self.ball();
            if p.norm() > 0.1 {
                return p.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> nalgebra::UnitQuaternion<f64> {
        loop {
            let q = nalgebra::Vector4::from_fn(|_, _| self.between(-1.0, 1.0));
            if (0.1..1.0).contains(&q.norm()) {
                return nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::from_vector(q));
            }
        }
    }

    pub fn pose(&mut self, far: f64) -> Pose {
        Pose::from_parts((self.ball() * far).into(), self.rotation())
    }
}
