//! What the haptic cycle wants to know of a part before it starts: its thinnest wall, which is how far a point may move at once without
//! coming out on the other side, and which of its shell points lie on edges.

use super::Shape;
use crate::spatial::Vec3;

/// Where a surface turns by more than this within two voxels, it has an edge (cosine).
const EDGE: f64 = 0.9;

/// Steps of a ray; more means that the field is no distance.
const STEPS: usize = 10_000;

impl Shape {
    /// Thickness of the thinnest wall (m): from every shell point straight into the solid until it ends, by steps of the
    /// distance to the surface. Walls thinner than a voxel count as a voxel, since the field does not resolve them. Infinite for a
    /// part without shell. Takes some milliseconds: for set-up, not for a tick.
    pub fn thinnest_wall(&self) -> f64 {
        let voxel = self.field.lattice().spacing;
        let far = (self.field.part().max - self.field.part().min).norm();
        let mut thinnest = f64::INFINITY;
        for point in self.shell.points() {
            // From a voxel below the surface, where the sign is certain.
            let mut t = voxel;
            for _ in 0..STEPS {
                let depth = -self.field.distance(point.position - point.normal * t);
                if !(depth > 0.0) || t > far.min(thinnest) {
                    break;
                }
                t += depth.max(0.25 * voxel);
            }
            thinnest = thinnest.min(t.max(voxel));
        }
        thinnest
    }

    /// For each shell point, whether the part's surface has an edge there: its own field, two voxels to the side, points elsewhere than
    /// the point's normal does. The normal of such a point is a mean of its faces' normals. For set-up, not for a tick.
    pub fn points_on_edges(&self) -> Vec<bool> {
        let side = 2.0 * self.field.lattice().spacing;
        let on_edge = |point: &super::ShellPoint| {
            let n = point.normal;
            let u = n.cross(&if n.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() });
            let (u, v) = (u / u.norm(), n.cross(&(u / u.norm())));
            [u + v, u - v, v - u, -u - v, u, v, -u, -v].iter().any(|to| {
                let g = self.field.sample_smooth(point.position + to * (side / to.norm())).gradient;
                g.dot(&n) < EDGE * g.norm()
            })
        };
        self.shell.points().iter().map(on_edge).collect()
    }
}
