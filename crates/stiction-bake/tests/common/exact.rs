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
