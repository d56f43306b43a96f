//! On which side of a face its body is, without asking how it is wound.
//!
//! From the middle of a face, 16 rays go evenly into the half space on either side, and cross the other faces of
//! the body:
//!
//! ```text
//! s = (share of rays behind with an odd number of crossings) - (the same in front)
//! ```
//!
//! where behind is against the normal. A closed body has s = 1 if the face is wound outwards, -1 if inwards. A body
//! with holes loses the solid angle of the holes as seen from the face. For a consistently wound body that lies
//! behind, s = 2 w - 1 with w the winding number just behind the face: |s| > 1/2 is w > 3/4. A flat sheet has
//! s = 0, and so has a wall inside a body, where both sides are inside.
//!
//! What lies between: a hemisphere has s = 0.71 at its pole and 0.5 at its rim. The mean over the surface decides, with
//! 1/2 between sheet and solid: roughly, whether the openings are half as large as the surface. A round cup deeper than
//! 0.4 of its radius counts as a solid with a hole as wide as it is, and so do a tube longer than 1.4 of its radius and
//! a cap of a sphere beyond 73 degrees; below that they are sheets. The surface alone cannot tell a cup from a peg that
//! lost its end, so the report says that such a hole may be meant.

use super::bvh::{Bvh, ray_triangle};
use super::patches::area;
use crate::Mesh;
use stiction::spatial::Vec3;

/// Rays on either side.
const RAYS: usize = 16;
/// Golden angle in rad: successive rays spread evenly around the normal.
const GOLDEN: f64 = 2.399963229728653;

/// Two unit vectors at right angles to a unit vector and to each other.
pub(super) fn tangents(n: Vec3) -> [Vec3; 2] {
    let axis = if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let t = n.cross(&axis).normalize();
    [t, n.cross(&t)]
}

/// s of a face of a mesh, with the other faces in some trees as those that rays cross; `None` for a face without a normal.
pub(super) fn score(mesh: &Mesh, face: usize, trees: &[&Bvh]) -> Option<f64> {
    let [a, b, c] = mesh.triangle(face);
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    let from = (a + b + c) / 3.0;
    let [t, u] = tangents(normal);
    let (mut behind, mut front) = (0, 0);
    for k in 0..RAYS {
        let height = (k as f64 + 0.5) / RAYS as f64;
        let wide = (1.0 - height * height).sqrt();
        let angle = GOLDEN * (k + face % 89) as f64;
        let side = wide * (libm::cos(angle) * t + libm::sin(angle) * u);
        for (sign, odd) in [(-1.0, &mut behind), (1.0, &mut front)] {
            let direction = side + sign * height * normal;
            let mut crossings = 0;
            for tree in trees {
                tree.along(from, direction, f64::INFINITY, |other| {
                    let other = other as usize;
                    let at = if other == face { None } else { ray_triangle(from, direction, mesh.triangle(other)) };
                    crossings += usize::from(at.is_some_and(|t| t > 0.0));
                    f64::INFINITY
                });
            }
            *odd += crossings % 2;
        }
    }
    Some((behind as f64 - front as f64) / RAYS as f64)
}

/// Faces spread evenly over the area of some faces, at most so many, with the share of the area they stand for, up to a
/// common factor.
pub(super) fn spread(mesh: &Mesh, faces: &[u32], most: usize) -> Vec<(u32, f64)> {
    if faces.len() <= most {
        return faces.iter().map(|&f| (f, area(mesh, f as usize))).collect();
    }
    let total: f64 = faces.iter().map(|&f| area(mesh, f as usize)).sum();
    let (mut sum, mut asked, mut out) = (0.0, 0, Vec::with_capacity(most));
    for &f in faces {
        sum += area(mesh, f as usize);
        let before = asked;
        while asked < most && sum > (asked as f64 + 0.5) / most as f64 * total {
            asked += 1;
        }
        if asked > before {
            out.push((f, (asked - before) as f64));
        }
    }
    out
}
