//! The winding number before a face, by a ray.
//!
//! In a closed mesh the winding number at a point is the number of faces that a ray from it leaves through, less that of
//! faces it enters through. A ray that starts on face f and runs to its outer side starts before f and all faces
//! that coincide with it. With the ray o + t d and edges e, f of a triangle from its corner a, after Möller and Trumbore
//! (1997), o + t d = a + u e + v f by Cramer's rule.
//!
//! A ray that passes an edge, runs along a face or starts on one is not believed: another direction is tried, and if all
//! fail there is no answer. This takes a few boxes of the tree, where solid angles of long thin faces take them all.

use crate::Mesh;
use crate::diagnose::bvh::Bvh;
use stiction::spatial::Vec3;

/// Directions to try: no symmetry of a part that people would make is likely to have them.
const DIRECTIONS: [[f64; 3]; 5] = [
    [0.531_872_1, 0.420_936_7, 0.734_831_9],
    [-0.302_519_3, 0.871_204_1, 0.386_572_7],
    [0.794_317_9, -0.571_026_3, 0.207_341_1],
    [0.241_095_7, 0.356_418_9, -0.902_683_1],
    [-0.643_209_7, -0.217_893_1, 0.734_018_3],
];
/// Barycentric coordinates this near to an edge, or sines this near to a face, are not believed: a thousand times what
/// rounding makes of them in a triangle of ordinary shape.
const DOUBT: f64 = 1e-10;

/// The winding number before a face at a point of it; `skip` tells the face itself and those that coincide with it.
pub fn winding(
    mesh: &Mesh,
    bvh: &Bvh,
    point: Vec3,
    normal: Vec3,
    length: f64,
    skip: impl Fn(u32) -> bool,
) -> Option<i32> {
    DIRECTIONS.iter().find_map(|&direction| {
        let direction = Vec3::from(direction);
        let slope = direction.dot(&normal);
        let direction = if slope < 0.0 { -direction } else { direction };
        if slope.abs() < 0.1 {
            return None;
        }
        let (mut sum, mut sure) = (0, true);
        bvh.along(point, direction, f64::INFINITY, |g| {
            if sure && !skip(g) {
                match crossing(point, direction, mesh.triangle(g as usize), length) {
                    Some(sign) => sum += sign,
                    None => sure = false,
                }
            }
            // Nothing more is looked for once in doubt.
            if sure { f64::INFINITY } else { -1.0 }
        });
        sure.then_some(sum)
    })
}

/// +1 if a ray leaves through a triangle, −1 if it enters, 0 if it misses; `None` in doubt.
fn crossing(from: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3], length: f64) -> Option<i32> {
    let (e, f, s) = (b - a, c - a, from - a);
    let p = direction.cross(&f);
    let determinant = e.dot(&p);
    let q = s.cross(&e);
    let [u, v, t] = [s.dot(&p), direction.dot(&q), f.dot(&q)].map(|x| x / determinant);
    // Not a number, for a ray along the face, is in doubt too.
    let low = u.min(v).min(1.0 - u - v);
    if low < -DOUBT {
        return (determinant.abs() > DOUBT * e.norm() * f.norm()).then_some(0);
    }
    if t < -DOUBT * length {
        return Some(0);
    }
    let clear = low > DOUBT && t > DOUBT * length && determinant.abs() > DOUBT * e.norm() * f.norm();
    // With d · (e × f) > 0 the ray looks the way of the normal: it leaves. The determinant is its negative.
    clear.then_some(if determinant < 0.0 { 1 } else { -1 })
}
