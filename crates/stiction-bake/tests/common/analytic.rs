//! Distances to the true solids, in closed form: to the round cylinder, not to the facets of its mesh.
//!
//! ```text
//!   prism          d2 in its plane, dz = |z| − h:  |max((d2, dz), 0)| + min(max(d2, dz), 0)
//!   A without B, B inside A, or B reaching A's surface:
//!     inside       −min(depth in A, distance to B)
//!     outside      the distance to what is left, from A's own parts
//!   revolution     the distance in the half plane through the axis, to the outline without the axis
//! ```
//!
//! All are exact Euclidean distances, negative inside.

use stiction::spatial::Vec3;
use stiction_bake::solids::Solid;

/// Solids whose distance has a closed form.
pub trait Analytic {
    /// The distance from a point to the true surface, negative inside; `None` where there is no closed form, which is
    /// so for revolution, sheet metal, cable, gear, bolt and nut. The parameters must be possible ones.
    fn signed_distance(&self, p: &Vec3) -> Option<f64>;
}

impl Analytic for Solid {
    fn signed_distance(&self, p: &Vec3) -> Option<f64> {
        let rho = p.x.hypot(p.y);
        Some(match *self {
            Self::Box { size } => boxed([p.x, p.y, p.z], size.map(|s| s / 2.0)),
            Self::Plate { size: [x, y], thickness } => boxed([p.x, p.y, p.z], [x / 2.0, y / 2.0, thickness / 2.0]),
            Self::Cylinder { radius, height, .. } => prism(rho - radius, p.z.abs() - height / 2.0),
            Self::Capsule { radius, height, .. } => rho.hypot((p.z.abs() - height / 2.0).max(0.0)) - radius,
            Self::Torus { major, minor, .. } => (rho - major).hypot(p.z) - minor,
            Self::LBar { legs, thickness, length } => {
                prism(l_shape([p.x, p.y], legs, thickness), p.z.abs() - length / 2.0)
            }
            Self::Corner { size, thickness } => walls([p.x, p.y, p.z], size, thickness),
            Self::PlateRoundHole { size, thickness, radius, .. } => {
                let plane = boxed([p.x, p.y], size.map(|s| s / 2.0)).max(radius - rho);
                prism(plane, p.z.abs() - thickness / 2.0)
            }
            Self::PlateSquareHole { size, thickness, hole } => {
                let [outer, inner] = [size, hole].map(|s| boxed([p.x, p.y], s.map(|s| s / 2.0)));
                prism(outer.max(-inner), p.z.abs() - thickness / 2.0)
            }
            Self::Peg { radius: r, length, chamfer: c, .. } => {
                turned([rho, p.z], &[[0.0, 0.0], [r - c, 0.0], [r, c], [r, length], [0.0, length]])
            }
            Self::Shaft { ref steps, .. } => {
                let (mut outline, mut z) = (vec![[0.0, 0.0]], 0.0);
                for [radius, length] in steps {
                    outline.extend([[*radius, z], [*radius, z + length]]);
                    z += length;
                }
                outline.push([0.0, z]);
                turned([rho, p.z], &outline)
            }
            Self::Prism { ref outline, length } => prism(polygon([p.x, p.y], outline), p.z.abs() - length / 2.0),
            Self::Ring { ref section, .. } => polygon([rho, p.z], section),
            Self::Revolution { .. }
            | Self::SheetMetal(_)
            | Self::Cable(_)
            | Self::Gear(_)
            | Self::Bolt(_)
            | Self::Nut(_) => return None,
        })
    }
}

/// A centred box in any dimension.
fn boxed<const N: usize>(p: [f64; N], half: [f64; N]) -> f64 {
    let mut outside = 0.0;
    let mut nearest = f64::NEG_INFINITY;
    for i in 0..N {
        let d = p[i].abs() - half[i];
        outside += d.max(0.0) * d.max(0.0);
        nearest = nearest.max(d);
    }
    if nearest > 0.0 { outside.sqrt() } else { nearest }
}

/// A box by its corners.
fn between<const N: usize>(p: [f64; N], min: [f64; N], max: [f64; N]) -> f64 {
    let mut local = p;
    let mut half = max;
    for i in 0..N {
        local[i] = p[i] - (min[i] + max[i]) / 2.0;
        half[i] = (max[i] - min[i]) / 2.0;
    }
    boxed(local, half)
}

fn prism(plane: f64, along: f64) -> f64 {
    let nearest = plane.max(along);
    if nearest > 0.0 { plane.max(0.0).hypot(along.max(0.0)) } else { nearest }
}

/// A polygon: the nearest of its sides, inside where a ray along x crosses an odd number of them.
fn polygon([x, y]: [f64; 2], outline: &[[f64; 2]]) -> f64 {
    let (mut nearest, mut inside) = (f64::INFINITY, false);
    for (i, [ax, ay]) in outline.iter().copied().enumerate() {
        let [bx, by] = outline[(i + 1) % outline.len()];
        let (ux, uy) = (bx - ax, by - ay);
        let t = (((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy)).clamp(0.0, 1.0);
        nearest = nearest.min((x - ax - t * ux).hypot(y - ay - t * uy));
        inside ^= (ay > y) != (by > y) && x < ax + (y - ay) / uy * ux;
    }
    if inside { -nearest } else { nearest }
}

/// The rectangle from −thickness to the legs, without the quadrant between them.
fn l_shape(p: [f64; 2], legs: [f64; 2], thickness: f64) -> f64 {
    let t = -thickness;
    let whole = between(p, [t, t], legs);
    let gap = between(p, [0.0, 0.0], legs);
    if whole < 0.0 && gap > 0.0 {
        return whole.max(-gap);
    }
    between(p, [t, t], [legs[0], 0.0]).min(between(p, [t, t], [0.0, legs[1]])).max(0.0)
}

/// The cube from −thickness to size, without the octant between the walls.
fn walls(p: [f64; 3], size: f64, thickness: f64) -> f64 {
    let (s, t) = (size, -thickness);
    let whole = between(p, [t; 3], [s; 3]);
    let gap = between(p, [0.0; 3], [s; 3]);
    if whole < 0.0 && gap > 0.0 {
        return whole.max(-gap);
    }
    let wall = |axis: usize| {
        let mut max = [s; 3];
        max[axis] = 0.0;
        between(p, [t; 3], max)
    };
    wall(0).min(wall(1)).min(wall(2)).max(0.0)
}

/// A solid of revolution by its half outline from the axis to the axis, in the half plane (rho, z).
fn turned(p: [f64; 2], outline: &[[f64; 2]]) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut inside = false;
    for pair in outline.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (e, v) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
        let t = ((e[0] * v[0] + e[1] * v[1]) / (e[0] * e[0] + e[1] * e[1]).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        nearest = nearest.min((v[0] - t * e[0]).hypot(v[1] - t * e[1]));
        // A ray away from the axis crosses the outline an odd number of times from inside.
        if (a[1] > p[1]) != (b[1] > p[1]) && v[0] < e[0] * v[1] / e[1] {
            inside = !inside;
        }
    }
    if inside { -nearest } else { nearest }
}
