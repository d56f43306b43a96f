//! Distance from eight points to a triangle.
//!
//! The point is taken into the triangle's own frame, where the triangle lies in z = 0 with its first edge along x:
//!
//! ```text
//! x = e1·(p − a),  y = e2·(p − a),  z = n·(p − a)
//! d² = z² + (0 inside all three edges, else the least squared distance to an edge)
//! ```
//!
//! after M. W. Jones, *3D distance from a point to a triangle* (1995). Deviation: edges by clamped projections instead of
//! Voronoi regions, so that there is no branch. A degenerate triangle gives the distance to its segment or point.
//! The frame is made in f64 and stored in f32: with coordinates in units of a voxel and at most a few thousand, distances
//! are good to some 1e-4 voxels.

use super::lanes::{F8, P8, any_below, may_be_below, select_nonnegative};
use stiction::spatial::Vec3;

/// A triangle in its own frame.
#[derive(Clone, Copy, Debug)]
pub struct TriangleFrame {
    a: [f32; 3],
    e1: [f32; 3],
    e2: [f32; 3],
    n: [f32; 3],
    /// Length of the first edge.
    ab: f32,
    /// Height of c over the first edge.
    height: f32,
    /// Direction in the frame and length of b → c and of a → c.
    bc: [f32; 3],
    ac: [f32; 3],
}

impl TriangleFrame {
    /// The frame of a triangle.
    pub fn new([a, b, c]: [Vec3; 3]) -> TriangleFrame {
        let unit = |v: Vec3, otherwise: Vec3| {
            let length = v.norm();
            if length > 0.0 { (v / length, length) } else { (otherwise, 0.0) }
        };
        // The longest edge first keeps the frame of a needle well conditioned.
        let edges = [(b - a).norm_squared(), (c - b).norm_squared(), (a - c).norm_squared()];
        let [a, b, c] = if edges[0] >= edges[1] && edges[0] >= edges[2] {
            [a, b, c]
        } else if edges[1] >= edges[2] {
            [b, c, a]
        } else {
            [c, a, b]
        };
        let (e1, ab) = unit(b - a, Vec3::x());
        let across = |v: Vec3| v - e1 * e1.dot(&v);
        // Below rounding the height has no direction: any one across the edge will do. Taken twice, because what is left
        // of a sliver's height after one subtraction is not square to the edge.
        let height = across(c - a);
        let axis = if e1.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
        let direction = if height.norm() > 1e-12 * ab { across(height / height.norm()) } else { across(axis) };
        let e2 = direction.normalize();
        let n = e1.cross(&e2);
        let flat = |v: Vec3| [e1.dot(&v), e2.dot(&v)];
        let direction = |v: Vec3| {
            let [x, y] = flat(v);
            let length = (x * x + y * y).sqrt();
            if length > 0.0 { [(x / length) as f32, (y / length) as f32, length as f32] } else { [1.0, 0.0, 0.0] }
        };
        let store = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        TriangleFrame {
            a: store(a),
            e1: store(e1),
            e2: store(e2),
            n: store(n),
            ab: ab as f32,
            height: height.norm() as f32,
            bc: direction(c - b),
            ac: direction(c - a),
        }
    }

    /// Lowers `best`, squared distances of eight points; tells whether any became less.
    #[inline(always)]
    pub fn lower(&self, points: P8, best: &mut F8) -> bool {
        let Some(d) = self.squared(points, *best) else { return false };
        let nearer = any_below(d, *best);
        *best = best.fast_min(d);
        nearer
    }

    /// Squared distances of eight points; nothing where none is below `best`, told by a rectangle around the triangle.
    #[inline(always)]
    pub fn squared(&self, points: P8, best: F8) -> Option<F8> {
        let zero = F8::ZERO;
        let P8 { x, y, z } = self.local(points);
        let along = x - x.fast_max(zero).fast_min(F8::splat(self.ab));
        let (along, z) = (along * along, z * z);
        // The first edge is the longest, so the triangle lies in the rectangle of that edge and the height over it.
        let above = (y - F8::splat(self.height)).fast_max(zero - y).fast_max(zero);
        if !may_be_below(along + above * above + z, best) {
            return None;
        }
        let ([bx, by], left_of_bc) = beside(x - F8::splat(self.ab), y, self.bc);
        let ([cx, cy], left_of_ac) = beside(x, y, self.ac);
        let (bc, ac) = (bx * bx + by * by, cx * cx + cy * cy);
        let inside = y.fast_min(left_of_bc).fast_min(zero - left_of_ac);
        // Inside all edges `along` is zero; of a degenerate triangle, which has no inside, it is what is left of d².
        Some(z + select_nonnegative(inside, along, (along + y * y).fast_min(bc).fast_min(ac)))
    }

    /// For each of eight points c a number l and a vector g such that the distance of c + δ from the triangle is at least l + g·δ for every δ;
    /// at c that is the distance itself, or little less.
    ///
    /// With g of at most unit length, |c + δ − q| ≥ g·(c + δ − q) for every point q of the triangle, and over a triangle that is least at a
    /// corner. So the bound holds for whatever g rounding gives; the unit vector from the nearest point makes it sharp.
    pub fn tangent(&self, points: P8) -> (F8, P8) {
        let zero = F8::ZERO;
        let P8 { x, y, z } = self.local(points);
        let ab = F8::splat(self.ab);
        let along = x - x.fast_max(zero).fast_min(ab);
        let (bc, left_of_bc) = beside(x - ab, y, self.bc);
        let (ac, left_of_ac) = beside(x, y, self.ac);
        let nearer = |[ax, ay]: [F8; 2], [bx, by]: [F8; 2]| {
            let second = (bx * bx + by * by).simd_lt(ax * ax + ay * ay);
            [second.bitselect(bx, ax), second.bitselect(by, ay)]
        };
        let inside = y.fast_min(left_of_bc).fast_min(zero - left_of_ac);
        let [ex, ey] = nearer(nearer([along, y], bc), ac);
        let (rx, ry) = (select_nonnegative(inside, along, ex), select_nonnegative(inside, zero, ey));
        let over = F8::splat(1.0) / (rx * rx + ry * ry + z * z).sqrt().fast_max(F8::splat(1e-6));
        let (gx, gy, gz) = (rx * over, ry * over, z * over);
        let [ux, uy, length] = self.ac;
        let c = gx * F8::splat(ux * length) + gy * F8::splat(uy * length);
        let least = gx * x + gy * y + gz * z - (gx * ab).fast_max(c).fast_max(zero);
        let axis = |k: usize| gx * F8::splat(self.e1[k]) + gy * F8::splat(self.e2[k]) + gz * F8::splat(self.n[k]);
        (least, P8 { x: axis(0), y: axis(1), z: axis(2) })
    }

    /// Eight points in the frame.
    #[inline(always)]
    fn local(&self, points: P8) -> P8 {
        let p = points.from(self.a);
        P8 { x: p.dot_one(self.e1), y: p.dot_one(self.e2), z: p.dot_one(self.n) }
    }
}

/// From the nearest points of an edge, given by its direction and length from the origin on, to eight points of the plane; and how far left of
/// it these are.
#[inline(always)]
fn beside(x: F8, y: F8, [ux, uy, length]: [f32; 3]) -> ([F8; 2], F8) {
    let (ux, uy) = (F8::splat(ux), F8::splat(uy));
    let along = (x * ux + y * uy).fast_max(F8::ZERO).fast_min(F8::splat(length));
    ([x - along * ux, y - along * uy], ux * y - uy * x)
}

/// The point of a triangle nearest to a point, in double precision.
pub fn nearest_point(triangle: &[Vec3; 3], p: &Vec3) -> Vec3 {
    let [a, b, c] = triangle;
    let edges = [(a, b), (b, c), (c, a)];
    let normal = (b - a).cross(&(c - a));
    let flat = p - normal * ((p - a).dot(&normal) / normal.norm_squared().max(f64::MIN_POSITIVE));
    if normal != Vec3::zeros() && edges.iter().all(|(u, v)| (*v - *u).cross(&(flat - *u)).dot(&normal) >= 0.0) {
        return flat;
    }
    let on_edge = |(u, v): (&Vec3, &Vec3)| {
        let along = v - u;
        u + along * ((p - u).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    };
    let nearer = |q: Vec3, r: Vec3| if (p - r).norm_squared() < (p - q).norm_squared() { r } else { q };
    nearer(nearer(on_edge(edges[0]), on_edge(edges[1])), on_edge(edges[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(triangle: [Vec3; 3], p: [f32; 3]) -> f32 {
        let mut best = F8::splat(f32::INFINITY);
        TriangleFrame::new(triangle).lower(P8::gather(&[p]), &mut best);
        best.to_array()[0].sqrt()
    }

    /// Guards: a triangle that is a point had an inside, along a line through it.
    #[test]
    fn a_point_in_line_with_a_node_is_not_an_endless_strip() {
        let point = [Vec3::new(3.0, 4.0, 5.0); 3];
        for (p, expected) in
            [([0.0, 4.0, 5.0], 3.0), ([3.0, 0.0, 5.0], 4.0), ([3.0, 4.0, 0.0], 5.0), ([3.0, 4.0, 5.0], 0.0)]
        {
            assert_eq!(distance(point, p), expected);
        }
        let segment = [Vec3::zeros(), Vec3::new(2.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)];
        for (p, expected) in [([5.0, 0.0, 0.0], 3.0), ([1.0, 3.0, 4.0], 5.0), ([-2.0, 0.0, 0.0], 2.0)] {
            assert_eq!(distance(segment, p), expected);
        }
    }

    /// Guards: a bound that is not below the distance leaves out the nearest triangle.
    #[test]
    fn a_tangent_is_below_the_distance_everywhere_and_touches_it() {
        let p = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        let triangles = [
            [p(100.0, 90.0, 80.0), p(104.0, 91.0, 79.0), p(101.0, 95.0, 83.0)],
            [p(100.0, 90.0, 80.0), p(180.0, 90.5, 80.0), p(130.0, 90.2, 80.1)],
            [p(100.0, 90.0, 80.0), p(100.0, 90.0, 80.0), p(100.0, 97.0, 80.0)],
            [p(100.0, 90.0, 80.0); 3],
        ];
        let steps = [-40.0f32, -7.3, -1.5, -0.2, 0.0, 0.4, 2.1, 9.0, 60.0];
        let places = || steps.into_iter().flat_map(|x| steps.into_iter().flat_map(move |y| steps.map(|z| [x, y, z])));
        for triangle in triangles {
            let frame = TriangleFrame::new(triangle);
            for from in places() {
                let c = [100.0 + from[0], 90.0 + from[1], 80.0 + from[2]];
                let (least, gradient) = frame.tangent(P8::gather(&[c]));
                let least = least.to_array()[0];
                // Where two edges are as near up to rounding ε, g is off by an angle √(2ε/d), which counts along the triangle: 0.1 at 80 voxels.
                let d = distance(triangle, c);
                assert!(least < d + 2e-4 && least > d - 0.1, "{least} for {d} at {c:?}");
                for delta in places() {
                    let along = P8::gather(&[delta]).dot(gradient).to_array()[0];
                    let there = distance(triangle, [c[0] + delta[0], c[1] + delta[1], c[2] + delta[2]]);
                    assert!(least + along <= there + 2e-4, "{least} + {along} for {there}: {c:?} and {delta:?}");
                }
            }
        }
    }

    /// Guards: what is left of a sliver's height is mostly rounding, and gave a frame that was not square, in which
    /// points far away were near.
    #[test]
    fn a_sliver_has_a_square_frame() {
        let a = Vec3::new(43.251_519_990_708_76, 206.033_506_576_464_1, 91.330_365_552_684_3);
        let b = Vec3::new(43.243_715_339_275_85, 206.027_931_825_440_6, 127.504_218_808_977_67);
        for k in [1e-17, 1e-15, 1e-13, 1e-11, 1e-9] {
            let c = a + (b - a) * 0.37 + Vec3::new(k, -k, k);
            for p in [[3.0f32, 252.0, 238.0], [60.0, 250.0, 201.0], [12.0, 23.0, 24.0]] {
                let q = Vec3::new(f64::from(p[0]), f64::from(p[1]), f64::from(p[2]));
                let t = ((q - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
                let expected = (q - a - (b - a) * t).norm();
                let got = f64::from(distance([a, b, c], p));
                assert!((got - expected).abs() < 1e-4, "{got} for {expected}");
            }
        }
    }
}
