//! Prisms over a plane region of any outline, also with holes.

use super::revolve::sin_cos;
use crate::Mesh;
use std::collections::{HashMap, HashSet};
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
        let all: HashSet<[u32; 2]> = directed().collect();
        directed().filter(|&[a, b]| !all.contains(&[b, a])).collect()
    }
}

/// The prism over a region, from `bottom` to `top` along z, its walls in so many layers (at least one). Watertight
/// because the walls stand on the very edges that only one triangle has.
pub fn extrude(region: &Planar, bottom: f64, top: f64, layers: u32) -> Mesh {
    let layers = layers.max(1);
    let outline = region.outline();
    // Inner layers have the outline's points only.
    let mut order: HashMap<u32, u32> = HashMap::new();
    let mut rim: Vec<u32> = Vec::new();
    for &[a, _] in &outline {
        order.entry(a).or_insert_with(|| {
            rim.push(a);
            rim.len() as u32 - 1
        });
    }
    let (n, r) = (region.points.len() as u32, rim.len() as u32);
    let at = |i: u32, z: f64| Vec3::new(region.points[i as usize][0], region.points[i as usize][1], z);
    let mut points: Vec<Vec3> = (0..n).map(|i| at(i, bottom)).chain((0..n).map(|i| at(i, top))).collect();
    for layer in 1..layers {
        let z = bottom + (top - bottom) * f64::from(layer) / f64::from(layers);
        points.extend(rim.iter().map(|&i| at(i, z)));
    }
    let number = |i: u32, layer: u32| match layer {
        0 => i,
        _ if layer == layers => i + n,
        _ => 2 * n + (layer - 1) * r + order[&i],
    };
    let mut faces: Vec<[u32; 3]> = region.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    faces.extend(region.triangles.iter().map(|t| t.map(|i| i + n)));
    for &[a, b] in &outline {
        for layer in 0..layers {
            let [p, q] = [number(a, layer), number(b, layer)];
            let [s, t] = [number(a, layer + 1), number(b, layer + 1)];
            faces.extend([[p, q, t], [p, t, s]]);
        }
    }
    Mesh { points, faces }
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
