//! Distances by brute force in double precision, written apart from the library: the nearest of all triangles, by
//! projection on the plane and on the edges.

use stiction::spatial::Vec3;
use stiction_bake::Mesh;

/// Distance of a point to a segment.
fn to_segment(p: Vec3, a: Vec3, b: Vec3) -> f64 {
    let d = b - a;
    let t = if d.norm_squared() > 0.0 { ((p - a).dot(&d) / d.norm_squared()).clamp(0.0, 1.0) } else { 0.0 };
    (p - a - d * t).norm()
}

/// Distance of a point to a triangle.
pub fn to_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> f64 {
    let edges = to_segment(p, a, b).min(to_segment(p, b, c)).min(to_segment(p, c, a));
    let n = (b - a).cross(&(c - a));
    if n.norm() < 1e-14 * ((b - a).norm_squared() + (c - a).norm_squared()) {
        return edges;
    }
    let n = n.normalize();
    let height = n.dot(&(p - a));
    let foot = p - n * height;
    let inside = |u: Vec3, v: Vec3| (v - u).cross(&(foot - u)).dot(&n) >= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) { edges.min(height.abs()) } else { edges }
}

/// Distance of a point to a mesh.
pub fn to_mesh(p: Vec3, mesh: &Mesh) -> f64 {
    mesh.triangles().map(|t| to_triangle(p, t)).fold(f64::INFINITY, f64::min)
}

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

    /// A whole number below n.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n - 1)
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
