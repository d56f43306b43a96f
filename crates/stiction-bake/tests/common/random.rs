//! Random numbers that are the same everywhere.

use stiction::spatial::Vec3;

/// A small generator of numbers, the same everywhere.
pub struct Random(pub u64);

impl Random {
    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut x = self.0;
        x ^= x >> 33;
        x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
        x ^= x >> 33;
        (x >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A point in a box.
    pub fn point(&mut self, min: Vec3, max: Vec3) -> Vec3 {
        Vec3::new(
            min.x + (max.x - min.x) * self.unit(),
            min.y + (max.y - min.y) * self.unit(),
            min.z + (max.z - min.z) * self.unit(),
        )
    }
}
