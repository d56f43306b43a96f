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

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Vec3 = Vec3::new(0.5, 0.5, 0.5);

    fn of(triangles: &[[Vec3; 3]]) -> Quadric {
        let mut quadric = Quadric::default();
        for triangle in triangles {
            quadric.plane(*triangle, 1.0);
            triangle.iter().filter(|x| x.amax() <= 0.5).for_each(|x| quadric.corner(*x));
        }
        quadric
    }

    #[test]
    fn a_large_triangle_does_not_outweigh_the_edge_at_its_border() {
        // Small triangles on the wall x = 0.3, and huge ones on the floor z = 0 that meet them at the edge.
        let (edge, on_floor) = (|y: f64| Vec3::new(0.3, y, 0.0), Vec3::new(-0.4, 0.1, 0.0));
        let wall = |y: f64| [edge(y), edge(y + 0.1), Vec3::new(0.3, y, -0.1)];
        let floor = |y: f64| [edge(y), on_floor, Vec3::new(-300.0, y, 0.0)];
        let best = of(&[wall(0.0), wall(0.1), floor(0.0), floor(0.2)]).best(&HALF);
        assert!((best.x - 0.3).abs() < 1e-9 && best.z.abs() < 1e-9, "{best:?} is not on the edge");
    }

    #[test]
    fn where_planes_meet_outside_the_cell_fewer_of_them_count() {
        // Two planes through the cell, one above the other, that meet far beside it.
        let plane = |n: Vec3, at: f64| {
            let u = n.cross(&Vec3::new(0.3, 0.5, 0.7)).normalize();
            [n * at, n * at + u * 0.1, n * at + n.cross(&u) * 0.1]
        };
        let slanted = Vec3::new(0.1, 0.0, 1.0).normalize();
        let quadric = of(&[plane(Vec3::z(), 0.2), plane(slanted, -0.2)]);
        let best = quadric.best(&HALF);
        assert!(best.amax() <= 0.5, "{best:?}");
        assert!(best.z.abs() < 0.05, "{best:?} is not between the two");
        assert_eq!(Quadric::default().best(&HALF), Vec3::zeros());
    }

    #[test]
    fn a_triangle_without_an_area_has_no_plane() {
        let mut quadric = of(&[[Vec3::zeros(), Vec3::x() * 0.1, Vec3::x() * 0.2]]);
        quadric.plane([Vec3::x(); 3], 1.0);
        assert!((quadric.best(&HALF) - Vec3::x() * 0.1).norm() < 1e-12);
    }
}
