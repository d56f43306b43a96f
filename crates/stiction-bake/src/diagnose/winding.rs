//! Generalised winding number of some faces, fast.
//!
//! Jacobson, Kavan and Sorkine-Hornung (2013); the tree after Barill et al. (2018), order zero. With corners a, b, c
//! relative to the query:
//!
//! ```text
//! tan(Ω/2) = a·(b × c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|),   w = Σ Ω / 4π
//! far node:  w ≈ (p - q)·Σ A n / (4π |p - q|³)   when |p - q| > 3 r
//! ```
//!
//! with p the area-weighted centre of a node's faces and r the radius of its box about p. Errors are of the order of
//! 0.01, which is enough for the thresholds of a quarter used here; signs of fields are made elsewhere.

use super::bvh::Bvh;
use crate::Mesh;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;

const FAR: f64 = 3.0;

/// A node as seen from afar.
#[derive(Clone, Copy)]
struct Dipole {
    centre: Vec3,
    moment: Vec3,
    radius: f64,
}

/// A tree over oriented faces.
pub(crate) struct Winding<'a> {
    mesh: &'a Mesh,
    flip: &'a [bool],
    bvh: Bvh,
    dipoles: Vec<Dipole>,
}

/// Solid angle of a triangle seen from the origin, in steradian: positive if it is seen from behind.
fn solid_angle([a, b, c]: [Vec3; 3]) -> f64 {
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let numerator = a.dot(&b.cross(&c));
    let denominator = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    if numerator == 0.0 { 0.0 } else { 2.0 * libm::atan2(numerator, denominator) }
}

impl<'a> Winding<'a> {
    /// A tree over some faces, flipped where told.
    pub fn new(mesh: &'a Mesh, flip: &'a [bool], boxes: &[Aabb], faces: Vec<u32>) -> Self {
        let bvh = Bvh::new(boxes, faces);
        let dipoles = bvh.nodes.iter().map(|node| {
            let (mut centre, mut moment, mut weight) = (Vec3::zeros(), Vec3::zeros(), 0.0);
            for &face in &bvh.items[node.first as usize..node.last as usize] {
                let [a, b, c] = mesh.triangle(face as usize);
                let normal = 0.5 * (b - a).cross(&(c - a));
                let area = normal.norm();
                centre += area / 3.0 * (a + b + c);
                weight += area;
                moment += if flip[face as usize] { -normal } else { normal };
            }
            let centre = if weight > 0.0 { centre / weight } else { 0.5 * (node.bounds.min + node.bounds.max) };
            let corner = (centre - node.bounds.min).sup(&(node.bounds.max - centre));
            Dipole { centre, moment, radius: corner.norm() }
        });
        let dipoles = dipoles.collect();
        Winding { mesh, flip, bvh, dipoles }
    }

    /// The winding number at a point: about one inside a solid, zero outside.
    pub fn at(&self, point: Vec3) -> f64 {
        self.without(point, |_| false)
    }

    /// The winding number of all faces but some near ones.
    pub fn without(&self, point: Vec3, skip: impl Fn(u32) -> bool) -> f64 {
        let mut sum = 0.0;
        let mut stack = vec![0u32; usize::from(!self.bvh.nodes.is_empty())];
        while let Some(at) = stack.pop() {
            let (node, dipole) = (&self.bvh.nodes[at as usize], &self.dipoles[at as usize]);
            let offset = dipole.centre - point;
            let distance = offset.norm();
            if distance > FAR * dipole.radius {
                sum += offset.dot(&dipole.moment) / (distance * distance * distance);
            } else if node.child == 0 {
                let faces = &self.bvh.items[node.first as usize..node.last as usize];
                for &face in faces.iter().filter(|&&face| !skip(face)) {
                    let angle = solid_angle(self.mesh.triangle(face as usize).map(|p| p - point));
                    sum += if self.flip[face as usize] { -angle } else { angle };
                }
            } else {
                stack.extend([node.child, node.child + 1]);
            }
        }
        sum / (4.0 * std::f64::consts::PI)
    }
}
