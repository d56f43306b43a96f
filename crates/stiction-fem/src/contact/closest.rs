//! Nearest points of a point and a triangle, and of two segments.

use stiction::spatial::Vec3;

/// The barycentric coordinates of the point of a triangle that is nearest to a point. Zero coordinates are exactly zero: they tell on which edge or corner it is.
pub fn closest_on_triangle(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(&ac);
    let square = normal.norm_squared();
    if square > 0.0 {
        // Areas of the triangles that the point's projection makes with the edges.
        let area = |u: &Vec3, v: &Vec3| (u - p).cross(&(v - p)).dot(&normal) / square;
        let inside = [area(b, c), area(c, a), area(a, b)];
        if inside.iter().all(|x| *x > 0.0) {
            let sum: f64 = inside.iter().sum();
            return inside.map(|x| x / sum);
        }
    }
    let corners = [a, b, c];
    let (mut best, mut nearest) = ([1.0, 0.0, 0.0], f64::INFINITY);
    for k in 0..3 {
        let (i, j) = (k, (k + 1) % 3);
        let along = corners[j] - corners[i];
        let length = along.norm_squared();
        let t = if length > 0.0 { ((p - corners[i]).dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 };
        let away = (corners[i] + t * along - p).norm_squared();
        if away < nearest {
            nearest = away;
            best = [0.0; 3];
            best[i] = 1.0 - t;
            best[j] += t;
        }
    }
    best
}

/// How far along each of two segments their nearest points are, from 0 to 1, if both are inside and the segments are not parallel.
pub fn closest_on_segments([a, b]: &[Vec3; 2], [c, d]: &[Vec3; 2]) -> Option<[f64; 2]> {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    let determinant = uu * vv - uv * uv;
    // Nearer to parallel than 0.06°: vertices tell where such edges touch.
    if !(determinant > 1e-6 * uu * vv) {
        return None;
    }
    let (uw, vw) = (u.dot(&w), v.dot(&w));
    let (s, t) = ((uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant);
    (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0).then_some([s, t])
}
