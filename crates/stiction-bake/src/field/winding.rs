//! The generalised winding number of a triangle soup, for eight points at a time.
//!
//! Jacobson, Kavan, Sorkine-Hornung, *Robust inside-outside segmentation using generalized winding numbers* (2013): with
//! a, b, c the corners relative to the point,
//!
//! ```text
//! w = 1/(4π) Σ 2 atan2( a·(b × c), |a||b||c| + (b·c)|a| + (c·a)|b| + (a·b)|c| )
//! ```
//!
//! one inside a closed surface, zero outside, a fraction near holes. Far clusters of triangles by the first two terms of
//! their expansion (Barill, Dickson, Schmidt, Levin, Jacobson, *Fast winding numbers for soups and clouds*, 2018): with
//! areas A, unit normals n, centroids x, cluster centre p, δ = x − p and r = p − q for the point q,
//!
//! ```text
//! 4π w ≈ N·r/|r|³ + tr C/|r|³ − 3 rᵀC r/|r|⁵,   N = Σ A n,   C = Σ A n δᵀ
//! ```
//!
//! used where |r| > 2 · (radius of the cluster). Deviations: their third term is left out, as only w > 1/2 is asked and the
//! error of two terms is a few hundredths (tested); arctangents are in single precision.

use super::bvh::{Bvh, Child, STACK};
use super::lanes::{F8, P8, any_below};
use stiction::spatial::{Mat3, Vec3};

/// A cluster is far when further than this many times its radius.
const FAR: f32 = 2.0;

/// A cluster of triangles seen from afar.
#[derive(Clone, Copy, Debug, Default)]
struct Cluster {
    centre: [f32; 3],
    /// (FAR · radius)².
    reach: f32,
    /// N.
    area: [f32; 3],
    /// C, symmetrised: xx, yy, zz, xy, yz, zx.
    second: [f32; 6],
}

/// Winding numbers of a soup.
#[derive(Clone, Debug)]
pub struct Winding {
    clusters: Vec<[Cluster; 2]>,
    corners: Vec<[[f32; 3]; 3]>,
}

/// Sums over a cluster, from which its centre and expansion follow.
#[derive(Clone, Copy)]
struct Moments {
    /// Σ A.
    weight: f64,
    /// Σ A x.
    centroid: Vec3,
    /// Σ A n.
    area: Vec3,
    /// Σ A n xᵀ.
    second: Mat3,
}

impl Winding {
    /// Prepares the tree's triangles.
    pub fn new(bvh: &Bvh) -> Winding {
        let store = |v: &Vec3| [v.x as f32, v.y as f32, v.z as f32];
        let corners = bvh.triangles.iter().map(|t| [store(&t[0]), store(&t[1]), store(&t[2])]).collect();
        let mut clusters = vec![[Cluster::default(); 2]; bvh.nodes.len()];
        // The triangles below a child are one run; radii are measured over it.
        summarise(bvh, bvh.root(), &mut clusters);
        Winding { clusters, corners }
    }

    /// Winding numbers of eight points.
    pub fn number(&self, bvh: &Bvh, points: P8) -> F8 {
        let mut sum = F8::ZERO;
        let mut stack = [Child::Leaf(0, 0); STACK];
        stack[0] = bvh.root();
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            match stack[depth] {
                Child::Leaf(first, count) => {
                    for corners in &self.corners[first as usize..(first + count) as usize] {
                        sum += half_angle(corners, points);
                    }
                }
                Child::BvhNode(index) => {
                    for (cluster, child) in self.clusters[index as usize].iter().zip(bvh.nodes[index as usize].children)
                    {
                        match cluster.half_angle(points) {
                            Some(angle) => sum += angle,
                            None => {
                                stack[depth] = child;
                                depth += 1;
                            }
                        }
                    }
                }
            }
        }
        sum * F8::splat(1.0 / (2.0 * std::f32::consts::PI))
    }
}

impl Cluster {
    fn new(moments: &Moments, triangles: &[[Vec3; 3]]) -> Cluster {
        let centre = if moments.weight > 0.0 { moments.centroid / moments.weight } else { triangles[0][0] };
        let radius = triangles.iter().flatten().map(|p| (p - centre).norm_squared()).fold(0.0, f64::max).sqrt();
        let c = moments.second - moments.area * centre.transpose();
        let store = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        Cluster {
            centre: store(centre),
            reach: (FAR * radius as f32).powi(2),
            area: store(moments.area),
            second: [
                c[(0, 0)],
                c[(1, 1)],
                c[(2, 2)],
                0.5 * (c[(0, 1)] + c[(1, 0)]),
                0.5 * (c[(1, 2)] + c[(2, 1)]),
                0.5 * (c[(2, 0)] + c[(0, 2)]),
            ]
            .map(|x| x as f32),
        }
    }

    /// Half the solid angle from afar, or nothing if any point is too near.
    #[inline(always)]
    fn half_angle(&self, points: P8) -> Option<F8> {
        // r = p − q: the sign of `from` is the other way round, which only the first term sees.
        let s = points.from(self.centre);
        let square = s.dot(s);
        if any_below(square, F8::splat(self.reach * 1.000_001)) {
            return None;
        }
        let inverse = F8::ONE / square;
        let cube = inverse * inverse.sqrt();
        let [xx, yy, zz, xy, yz, zx] = self.second.map(F8::splat);
        let two = F8::splat(2.0);
        let form = s.x * (xx * s.x + two * (xy * s.y))
            + s.y * (yy * s.y + two * (yz * s.z))
            + s.z * (zz * s.z + two * (zx * s.x));
        let trace = xx + yy + zz;
        Some(F8::splat(0.5) * cube * (trace - s.dot_one(self.area) - F8::splat(3.0) * form * inverse))
    }
}

/// Half the solid angles of a triangle.
#[inline(always)]
fn half_angle(corners: &[[f32; 3]; 3], points: P8) -> F8 {
    // Relative to the point, all with the opposite sign: three negations turn the sign of the triple product.
    let [a, b, c] = [points.from(corners[0]), points.from(corners[1]), points.from(corners[2])];
    let [la, lb, lc] = [a.dot(a).sqrt(), b.dot(b).sqrt(), c.dot(c).sqrt()];
    let cross = P8 { x: b.y * c.z - b.z * c.y, y: b.z * c.x - b.x * c.z, z: b.x * c.y - b.y * c.x };
    let triple = F8::ZERO - a.dot(cross);
    let denominator = la * lb * lc + b.dot(c) * la + c.dot(a) * lb + a.dot(b) * lc;
    triple.atan2(denominator)
}

/// The moments of everything below a child; fills in the clusters on the way.
fn summarise(bvh: &Bvh, child: Child, clusters: &mut [[Cluster; 2]]) -> (Moments, std::ops::Range<usize>) {
    match child {
        Child::Leaf(first, count) => {
            let run = first as usize..(first + count) as usize;
            let mut sum = Moments { weight: 0.0, centroid: Vec3::zeros(), area: Vec3::zeros(), second: Mat3::zeros() };
            for [a, b, c] in &bvh.triangles[run.clone()] {
                let area = (b - a).cross(&(c - a)) * 0.5;
                let (weight, centre) = (area.norm(), (a + b + c) / 3.0);
                sum.weight += weight;
                sum.centroid += centre * weight;
                sum.area += area;
                sum.second += area * centre.transpose();
            }
            (sum, run)
        }
        Child::BvhNode(index) => {
            let children = bvh.nodes[index as usize].children;
            let (left, left_run) = summarise(bvh, children[0], clusters);
            let (right, right_run) = summarise(bvh, children[1], clusters);
            clusters[index as usize] = [
                Cluster::new(&left, &bvh.triangles[left_run.clone()]),
                Cluster::new(&right, &bvh.triangles[right_run.clone()]),
            ];
            let sum = Moments {
                weight: left.weight + right.weight,
                centroid: left.centroid + right.centroid,
                area: left.area + right.area,
                second: left.second + right.second,
            };
            (sum, left_run.start..right_run.end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solids::{Solid, refine};

    /// The definition, in double precision.
    fn exact(p: Vec3, triangles: &[[Vec3; 3]]) -> f64 {
        let angle = |t: &[Vec3; 3]| {
            let [a, b, c] = t.map(|q| q - p);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            2.0 * a.dot(&b.cross(&c)).atan2(la * lb * lc + b.dot(&c) * la + c.dot(&a) * lb + a.dot(&b) * lc)
        };
        triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }

    #[test]
    fn two_terms_are_good_to_a_few_hundredths_with_holes_and_flips() {
        let solid = Solid::Torus { major: 30.0, minor: 10.0, segments: 64, rings: 32 };
        let mesh = refine(&solid.mesh().unwrap(), 4.0).unwrap();
        let closed: Vec<[Vec3; 3]> = mesh.triangles().collect();
        let holes: Vec<_> = closed.iter().enumerate().filter(|(i, _)| i % 9 != 0).map(|(_, t)| *t).collect();
        let flips = closed.iter().enumerate().map(|(i, t)| if i % 5 == 0 { [t[0], t[2], t[1]] } else { *t }).collect();
        for (triangles, whole) in [(closed, true), (holes, false), (flips, false)] {
            let bvh = Bvh::new(&triangles);
            let winding = Winding::new(&bvh);
            let mut worst = 0f64;
            for i in 0..400 {
                let f = |k: usize| ((i * k) % 97) as f32;
                let p = [f(13) - 48.3, f(29) - 48.7, f(7) * 0.3 - 15.1];
                let got = f64::from(winding.number(&bvh, P8::gather(&[p])).to_array()[0]);
                let expected = exact(Vec3::new(f64::from(p[0]), f64::from(p[1]), f64::from(p[2])), &triangles);
                worst = worst.max((got - expected).abs());
                assert!(!whole || (expected - expected.round()).abs() < 1e-9, "{expected}");
            }
            assert!(worst < 0.04, "{worst}");
        }
    }
}
