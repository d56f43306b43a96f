//! The thinnest wall of a part: how far a point may move at once without coming out on the other side.

use super::Shape;

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
}
