//! The error of a cell's vertex, and the place where it is least; symbols as in the parent module.

use nalgebra::SymmetricEigen;
use stiction::spatial::{Mat3, Vec3};

/// Eigenvalues below this share of the largest determine nothing.
const SINGULAR: f64 = 1e-3;

/// The sums of one cell, relative to its centre.
#[derive(Clone, Debug)]
pub struct Quadric {
    a: Mat3,
    b: Vec3,
    corners: Vec3,
    count: f64,
}

impl Default for Quadric {
    fn default() -> Self {
        Quadric { a: Mat3::zeros(), b: Vec3::zeros(), corners: Vec3::zeros(), count: 0.0 }
    }
}

impl Quadric {
    /// Adds a corner of a triangle to the mean.
    pub fn corner(&mut self, x: Vec3) {
        self.corners += x;
        self.count += 1.0;
    }

    /// Adds the plane of a triangle, which weighs no more than one of the area `limit`. One without an area has none.
    pub fn plane(&mut self, [x1, x2, x3]: [Vec3; 3], limit: f64) {
        let e = (x2 - x1).cross(&(x3 - x1));
        let length = e.norm();
        if !(length > 0.0) {
            return;
        }
        let n = e / length;
        let weight = length.min(limit);
        self.a += n * n.transpose() * weight;
        self.b += n * (n.dot(&x1) * weight);
    }

    /// The place of least error within `half` the cell's size around its centre.
    pub fn best(&self, half: &Vec3) -> Vec3 {
        let mean = self.corners / self.count.max(1.0);
        let eigen = SymmetricEigen::new(self.a);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| eigen.eigenvalues[j].total_cmp(&eigen.eigenvalues[i]));
        let rest = self.b - self.a * mean;
        let (mut x, mut best) = (mean, mean);
        for i in order {
            let value = eigen.eigenvalues[i];
            if !(value > SINGULAR * eigen.eigenvalues[order[0]]) {
                break;
            }
            let v = eigen.eigenvectors.column(i).into_owned();
            x += v * (v.dot(&rest) / value);
            if (0..3).all(|a| x[a].abs() <= half[a]) {
                best = x;
            }
        }
        best
    }
}
