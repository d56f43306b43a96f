//! Convex parts of solids by parameter: exact for the very surface that [`Solid::mesh`] makes.
//!
//! Solids of revolution are cut by planes across their axis, prisms along diagonals of their outline, by the rule of Hertel and Mehlhorn (*Fast triangulation of simple polygons*, 1983): of the
//! diagonals of a triangulation those are left out that no corner needs to be convex. At most four times as many parts are left as there must be.

use super::prism::{counter_clockwise, ears, turn};
use super::revolve::sin_cos;
use super::{Planar, Solid, SolidError, cells, extrude};
use std::collections::HashMap;
use stiction::spatial::Vec3;

/// Sine of an angle by which a corner may be hollow: rounding.
const STRAIGHT: f64 = 1e-9;

impl Solid {
    /// Corner points (m) of convex parts whose union is the solid that [`Solid::mesh`] bounds. Parts share faces and do not overlap. `None` for a solid that is no union of few convex
    /// parts, such as a torus or a thread: [`convex_parts`](crate::convex::convex_parts()) comes near to those.
    ///
    /// # Errors
    /// If the parameters do not describe a solid.
    pub fn convex_parts(&self) -> Result<Option<Vec<Vec<Vec3>>>, SolidError> {
        self.check()?;
        let parts = match *self {
            Self::Box { size } => cells::block_parts(size),
            Self::Plate { size: [x, y], thickness } => cells::block_parts([x, y, thickness]),
            Self::LBar { legs, thickness, length } => cells::l_bar_parts(legs, thickness, length),
            Self::Corner { size, thickness } => cells::corner_parts(size, thickness),
            Self::PlateSquareHole { size, thickness, hole } => cells::framed_parts(size, thickness, hole),
            Self::Prism { ref outline, length } => {
                let points = counter_clockwise(outline);
                let Some(triangles) = ears(&points) else { return Ok(None) };
                upright(&Planar { points, triangles }.convex_polygons(), -0.5 * length, 0.5 * length)
            }
            Self::PlateRoundHole { size, thickness, radius, segments } => {
                let sectors = extrude::rectangle_with_hole(size, radius, segments).fans();
                upright(&sectors, -thickness / 2.0, thickness / 2.0)
            }
            Self::Ring { ref section, segments } => {
                let points = counter_clockwise(section);
                let Some(triangles) = ears(&points) else { return Ok(None) };
                sectors(&Planar { points, triangles }.convex_polygons(), segments)
            }
            Self::SheetMetal(ref plate) => return plate.convex_parts(),
            Self::Gear(ref gear) => upright(&gear.convex_outlines(), -gear.width / 2.0, gear.width / 2.0),
            Self::Cylinder { segments, .. }
            | Self::Capsule { segments, .. }
            | Self::Peg { segments, .. }
            | Self::Shaft { segments, .. }
            | Self::Revolution { segments, .. } => slices(&self.profile(), segments),
            Self::Torus { .. } | Self::Cable(_) | Self::Bolt(_) | Self::Nut(_) => return Ok(None),
        };
        Ok(Some(parts))
    }
}

/// Prisms along z over convex polygons.
pub(super) fn upright(polygons: &[Vec<[f64; 2]>], bottom: f64, top: f64) -> Vec<Vec<Vec3>> {
    let prism = |polygon: &Vec<[f64; 2]>| {
        let at = |z: f64| polygon.iter().map(move |&[x, y]| Vec3::new(x, y, z));
        at(bottom).chain(at(top)).collect()
    };
    polygons.iter().map(prism).collect()
}

/// Convex polygons (distance from the axis, z) turned around z, a part for each facet around.
fn sectors(polygons: &[Vec<[f64; 2]>], segments: u32) -> Vec<Vec<Vec3>> {
    let side = |polygon: &[[f64; 2]], j: u32| -> Vec<Vec3> {
        let (s, c) = sin_cos(j, segments);
        polygon.iter().map(|&[r, z]| Vec3::new(r * c, r * s, z)).collect()
    };
    let part = |polygon: &Vec<[f64; 2]>, j: u32| [side(polygon, j), side(polygon, j + 1)].concat();
    polygons.iter().flat_map(|polygon| (0..segments).map(move |j| part(polygon, j))).collect()
}

/// The convex parts of a profile (distance from the axis, z) from below that is turned around z, cut at the heights where it is hollow. The profile never goes down.
fn slices(profile: &[[f64; 2]], segments: u32) -> Vec<Vec<Vec3>> {
    let mut parts: Vec<Vec<[f64; 2]>> = Vec::new();
    // Pieces across the axis bound parts and have no volume.
    for piece in profile.windows(2).filter(|w| w[1][1] > w[0][1]) {
        match parts.last_mut() {
            Some(part) if part.ends_with(&piece[..1]) && !hollow(part[part.len() - 2], piece[0], piece[1]) => {
                part.push(piece[1]);
            }
            _ => parts.push(piece.to_vec()),
        }
    }
    let ring = |&[r, z]: &[f64; 2]| {
        let around = if r == 0.0 { 1 } else { segments };
        (0..around).map(move |j| {
            let (s, c) = sin_cos(j, segments);
            Vec3::new(r * c, r * s, z)
        })
    };
    parts.iter().map(|part| part.iter().flat_map(ring).collect()).collect()
}

/// Whether the way from a by b to c turns right, by more than rounding.
fn hollow(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    let lengths = (b[0] - a[0]).hypot(b[1] - a[1]) * (c[0] - b[0]).hypot(c[1] - b[1]);
    turn(a, b, c) < -STRAIGHT * lengths
}

impl Planar {
    /// The polygons that neighbouring triangles with the same first corner are fans of.
    pub(super) fn fans(&self) -> Vec<Vec<[f64; 2]>> {
        let at = |i: &u32| self.points[*i as usize];
        let fan = |fan: &[[u32; 3]]| fan[0][..2].iter().chain(fan.iter().map(|t| &t[2])).map(at).collect();
        self.triangles.chunk_by(|a, b| a[0] == b[0]).map(fan).collect()
    }

    /// Convex polygons, counter-clockwise, whose union is the region: triangles without the diagonals that no corner needs.
    pub(super) fn convex_polygons(&self) -> Vec<Vec<[f64; 2]>> {
        let mut polygons: Vec<Vec<u32>> = self.triangles.iter().map(|t| t.to_vec()).collect();
        // The polygon to the left of each directed edge.
        let mut left: HashMap<[u32; 2], usize> = HashMap::new();
        for (i, polygon) in polygons.iter().enumerate() {
            left.extend((0..3).map(|j| ([polygon[j], polygon[(j + 1) % 3]], i)));
        }
        for [a, b] in self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]) {
            let (Some(&p), Some(&q)) = (left.get(&[a, b]), left.get(&[b, a])) else { continue };
            let Some(joined) = self.joined(&polygons[p], &polygons[q], a, b) else { continue };
            left.remove(&[a, b]);
            left.remove(&[b, a]);
            let moved = std::mem::take(&mut polygons[q]);
            for (j, from) in moved.iter().enumerate() {
                if let Some(owner) = left.get_mut(&[*from, moved[(j + 1) % moved.len()]]) {
                    *owner = p;
                }
            }
            polygons[p] = joined;
        }
        polygons.retain(|polygon| !polygon.is_empty());
        polygons.iter().map(|polygon| polygon.iter().map(|i| self.points[*i as usize]).collect()).collect()
    }

    /// Two polygons without the edge from a to b between them, or `None` if a corner would be hollow or they have other corners in common.
    fn joined(&self, p: &[u32], q: &[u32], a: u32, b: u32) -> Option<Vec<u32>> {
        // From b around p to a, and from a around q to b.
        let around = |polygon: &[u32], from: u32| {
            let start = polygon.iter().position(|i| *i == from);
            start.map(|s| polygon[s..].iter().chain(&polygon[..s]).copied().collect::<Vec<u32>>())
        };
        let (mut one, other) = (around(p, b)?, around(q, a)?);
        let n = one.len() + other.len() - 2;
        one.extend(&other[1..other.len() - 1]);
        if one.len() != n || other[1..other.len() - 1].iter().any(|i| p.contains(i)) {
            return None;
        }
        let at = |i: usize| self.points[one[i % n] as usize];
        // The joined corners are b, first of all, and a, the last one of p.
        let fits = [0, p.len() - 1].iter().all(|&i| !hollow(at(i + n - 1), at(i), at(i + 1)));
        fits.then_some(one)
    }
}
