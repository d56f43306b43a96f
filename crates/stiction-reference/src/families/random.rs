//! A small random generator with the same numbers on every platform: xoshiro256++ seeded by splitmix64 (Blackman and
//! Vigna, "Scrambled linear pseudorandom number generators").

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stiction::spatial::{Mat3, Vec3, Vec6};

/// Random numbers of a seed.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// A stream of numbers for a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// 10 to a power uniform in [low, high).
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        libm::exp10(self.uniform(low, high))
    }

    /// Uniform in 0..n, to within n / 2⁶⁴.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A unit vector, uniform on the sphere.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.uniform(-1.0, 1.0));
            if (0.01..=1.0).contains(&v.norm_squared()) {
                return v / v.norm();
            }
        }
    }

    /// A unit six-vector, uniform on the sphere.
    pub fn direction6(&mut self) -> Vec6 {
        loop {
            let v = Vec6::from_fn(|_, _| self.uniform(-1.0, 1.0));
            if (0.01..=1.0).contains(&v.norm_squared()) {
                return v / v.norm();
            }
        }
    }

    /// A unit vector perpendicular to `normal`.
    pub fn tangent(&mut self, normal: &Vec3) -> Vec3 {
        loop {
            let d = self.direction();
            let t = d - normal * normal.dot(&d);
            if t.norm() > 0.1 {
                return t / t.norm();
            }
        }
    }

    /// A rotation: right-handed, orthonormal columns.
    pub fn rotation(&mut self) -> Mat3 {
        let x = self.direction();
        let y = self.tangent(&x);
        Mat3::from_columns(&[x, y, x.cross(&y)])
    }
}
