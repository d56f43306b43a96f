//! What the haptic cycle wants to know of a part before it starts: its thinnest wall, which is how far a point may move at once without
//! coming out on the other side, and which of its shell points lie on edges.

use super::Shape;
use crate::spatial::Vec3;

/// Normals that differ by less than this are of one face (cosine).
const ALIKE: f64 = 0.95;

/// Cosine between the normals of a wall's two faces, at most: they look away from each other, within 45 degrees. Next to an edge a ray comes out of the other face of
/// that edge after however short a way, which is no wall.
const OPPOSITE: f64 = -0.7;

/// Steps of a ray; more means that the field is no distance.
const STEPS: usize = 10_000;

impl Shape {
    /// Thickness of the thinnest wall (m): from every shell point straight into the solid until it ends at a face that looks the other way, by steps of the
    /// distance to the surface. Walls thinner than a voxel count as a voxel, since the field does not resolve them. Infinite for a
    /// part without shell. Takes some milliseconds: for set-up, not for a tick.
    pub fn thinnest_wall(&self) -> f64 {
        let voxel = self.field.lattice().spacing;
        let far = (self.field.part().max - self.field.part().min).norm();
        let mut thinnest = f64::INFINITY;
        for point in self.shell.points() {
            // Near an edge a ray may run along another face and tells nothing. On a face, a quarter of a voxel in is a quarter of a voxel deep.
            let depth = -self.field.distance(point.position - point.normal * (0.25 * voxel));
            if (depth - 0.25 * voxel).abs() > 0.05 * voxel {
                continue;
            }
            // From a voxel below the surface, where the sign is certain.
            let mut t = voxel;
            for _ in 0..STEPS {
                let sample = self.field.sample(point.position - point.normal * t);
                let depth = -sample.distance;
                if !(depth > 0.0) {
                    let opposite = sample.gradient.dot(&point.normal) < OPPOSITE * sample.gradient.norm();
                    thinnest = if opposite { thinnest.min(t) } else { thinnest };
                    break;
                }
                if t > far.min(thinnest) {
                    break;
                }
                t += depth.max(0.25 * voxel);
            }
        }
        thinnest
    }

    /// Which shell points lie on edges and have a mean of their faces' normals for one. Of eight places around such a point, two voxels to the
    /// side, at most the two along the edge have the point's normal by the part's own field, and at the others the surface falls away. A point
    /// on a face, however near its edge, shares its normal with the face's side; in an inner corner the surface rises. For set-up, not for
    /// a tick.
    pub fn edges(&self) -> Edges {
        let side = 2.0 * self.field.lattice().spacing;
        let mut edges = Edges { place: Vec::with_capacity(self.shell.points().len()), normals: Vec::new() };
        for point in self.shell.points() {
            let n = point.normal;
            let u = n.cross(&if n.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() });
            let (u, v) = (u / u.norm(), n.cross(&(u / u.norm())));
            let (mut alike, mut falls) = (0, 0);
            let around = [u + v, u - v, v - u, -u - v, u, v, -u, -v].map(|to| {
                let g = self.field.sample_smooth(point.position + to * (side / to.norm())).gradient;
                let length = g.norm();
                let g = if length > 0.0 { g / length } else { n };
                alike += usize::from(g.dot(&n) > ALIKE);
                falls += usize::from(g.dot(&n) <= ALIKE && g.dot(&to) > 0.0);
                g
            });
            let on_edge = alike <= 2 && 2 * falls > 8 - alike;
            edges.place.push(if on_edge { edges.normals.len() as u32 } else { NO_EDGE });
            if on_edge {
                edges.normals.push(around);
            }
        }
        edges
    }
}

const NO_EDGE: u32 = u32::MAX;

/// The shell points on a part's edges, with the normals of the faces around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges {
    place: Vec<u32>,
    normals: Vec<[Vec3; 8]>,
}

impl Edges {
    /// The same for a shell with its points in another order: `order[i]` became point i.
    pub(crate) fn reordered(self, order: &[u32]) -> Self {
        Edges { place: order.iter().map(|&i| self.place[i as usize]).collect(), normals: self.normals }
    }

    /// The normals around a shell point that lies on an edge.
    #[inline]
    pub fn at(&self, point: u32) -> Option<&[Vec3; 8]> {
        self.normals.get(self.place[point as usize] as usize)
    }
}
