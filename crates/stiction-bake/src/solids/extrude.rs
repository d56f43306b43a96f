//! Prisms over a plane region of any outline, also with holes.

use super::revolve::sin_cos;
use crate::Mesh;
use stiction::spatial::Vec3;

/// A region of the plane as triangles, all counter-clockwise, that share points where they meet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planar {
    /// Points (x, y).
    pub points: Vec<[f64; 2]>,
    /// Triangles by their points.
    pub triangles: Vec<[u32; 3]>,
}

impl Planar {
    /// Edges with a triangle on their left only: the outline, counter-clockwise around the region and clockwise around
    /// its holes, in the order of the triangles.
    fn outline(&self) -> Vec<[u32; 2]> {
        let directed = || self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let all: std::collections::HashSet<[u32; 2]> = directed().collect();
        directed().filter(|&[a, b]| !all.contains(&[b, a])).collect()
    }
}

/// The prism over a region, from `bottom` to `top` along z. Watertight because the walls stand on the very edges that
/// only one triangle has.
pub fn extrude(region: &Planar, bottom: f64, top: f64) -> Mesh {
    let n = region.points.len() as u32;
    let level = |z: f64| region.points.iter().map(move |&[x, y]| Vec3::new(x, y, z));
    let mut faces: Vec<[u32; 3]> = region.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    faces.extend(region.triangles.iter().map(|t| t.map(|i| i + n)));
    faces.extend(region.outline().into_iter().flat_map(|[a, b]| [[a, b, b + n], [a, b + n, a + n]]));
    Mesh { points: level(bottom).chain(level(top)).collect(), faces }
}

/// A centred rectangle with a centred round hole. The rectangle gets a point on the ray through every point of the
/// hole, besides its corners, so that each sector between two rays is triangulated by itself.
pub(super) fn rectangle_with_hole(size: [f64; 2], radius: f64, segments: u32) -> Planar {
    let half = size.map(|s| s / 2.0);
    let corners = [[half[0], half[1]], [-half[0], half[1]], [-half[0], -half[1]], [half[0], -half[1]]];
    let rays: Vec<[f64; 2]> = (0..segments).map(|i| sin_cos(i, segments)).map(|(s, c)| [c, s]).collect();
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let tiny = 1e-9 * half[0].hypot(half[1]);
    let mut region = Planar::default();
    let hole = |i: u32| i % segments;
    region.points.extend(rays.iter().map(|&[c, s]| [radius * c, radius * s]));
    let rim: Vec<u32> = (segments..2 * segments).collect();
    region.points.extend(rays.iter().map(|&ray| {
        // A corner that lies on the ray, up to rounding, is taken itself.
        let on_ray = |p: &&[f64; 2]| cross(ray, **p).abs() <= tiny && p[0] * ray[0] + p[1] * ray[1] > 0.0;
        corners.iter().find(on_ray).copied().unwrap_or_else(|| {
            let t = (half[0] / ray[0].abs()).min(half[1] / ray[1].abs());
            [(t * ray[0]).clamp(-half[0], half[0]), (t * ray[1]).clamp(-half[1], half[1])]
        })
    }));
    for i in 0..segments {
        let (here, next) = (i as usize, hole(i + 1) as usize);
        // Corners strictly between the two rays, in order; a triangular hole's sector may have two.
        let between = |p: &[f64; 2]| cross(rays[here], *p) > tiny && cross(*p, rays[next]) > tiny;
        let mut inside: Vec<[f64; 2]> = corners.iter().copied().filter(between).collect();
        inside.sort_by(|a, b| cross(*b, *a).total_cmp(&0.0));
        let mut last = rim[here];
        for corner in inside {
            region.points.push(corner);
            let number = region.points.len() as u32 - 1;
            region.triangles.push([i, last, number]);
            last = number;
        }
        region.triangles.push([i, last, rim[next]]);
        region.triangles.push([i, rim[next], hole(i + 1)]);
    }
    region
}
