//! Local thickness of the solid and of the gaps between its surfaces.
//!
//! From points spread evenly over the area, a ray goes along the normal, inwards for walls, outwards for gaps, to the
//! first other face. It measures a wall or gap if that face looks the other way, at most 60 degrees askew; otherwise the
//! ray runs along a corner and says nothing. Point i of n lies at the (i + 1/2)/n part of the area, in its triangle
//! at the place that the Kronecker sequence of the plastic number ρ (ρ³ = ρ + 1) gives:
//!
//! ```text
//! (s, t) = frac(i/ρ, i/ρ²), mirrored into s + t <= 1
//! ```
//!
//! Towards a sharp edge, walls and gaps go to nothing, as they do on a knife: the 1 % value is what counts.

use super::bvh::{Bvh, around, ray_triangle};
use super::patches::area;
use crate::Mesh;
use crate::progress::{Cancelled, Progress};
use rayon::prelude::*;
use serde::Serialize;
use stiction::shape::Aabb;

const PLASTIC: f64 = 1.324717957244746;

/// How something measured at many places is spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ThicknessSpread {
    /// Places at which it could be measured.
    pub places: usize,
    /// The smallest found, in m.
    pub smallest_m: f64,
    /// One place in a hundred has less, in m.
    pub percentile_1_m: f64,
    /// Half of the places have less, in m.
    pub median_m: f64,
    /// The share of the surface that has less than two voxels.
    pub share_below_2_voxels: f64,
}

/// The spread of some lengths found at `asked` places.
fn spread(mut lengths: Vec<f64>, asked: usize, voxel: f64) -> Option<ThicknessSpread> {
    lengths.sort_by(f64::total_cmp);
    let below = lengths.partition_point(|&x| x < 2.0 * voxel);
    Some(ThicknessSpread {
        places: lengths.len(),
        smallest_m: *lengths.first()?,
        percentile_1_m: lengths[lengths.len() / 100],
        median_m: lengths[lengths.len() / 2],
        share_below_2_voxels: below as f64 / asked as f64,
    })
}

/// Walls and gaps of some faces of a mended mesh; `None` where nothing faces anything.
pub(super) fn measure(
    mesh: &Mesh,
    faces: &[u32],
    samples: usize,
    voxel: f64,
    progress: &dyn Progress,
) -> Result<[Option<ThicknessSpread>; 2], Cancelled> {
    let total: f64 = faces.iter().map(|&f| area(mesh, f as usize)).sum();
    if !(total > 0.0) {
        return Ok([None, None]);
    }
    let mut sum = 0.0;
    let mut at: Vec<u32> = Vec::with_capacity(samples);
    for &f in faces {
        sum += area(mesh, f as usize);
        while at.len() < samples && sum > (at.len() as f64 + 0.5) / samples as f64 * total {
            at.push(f);
        }
    }
    let boxes: Vec<Aabb> = mesh.triangles().map(around).collect();
    let bvh = Bvh::new(&boxes, faces.to_vec());
    progress.stage("wall thickness", at.len() as u64);
    let mut lengths = [Vec::new(), Vec::new()];
    let numbered: Vec<(usize, u32)> = at.iter().copied().enumerate().collect();
    for batch in numbered.chunks(1024) {
        if progress.cancelled() {
            return Err(Cancelled);
        }
        let found: Vec<[Option<f64>; 2]> = batch.par_iter().map(|&(i, f)| across(mesh, &bvh, i, f)).collect();
        for k in 0..2 {
            lengths[k].extend(found.iter().filter_map(|x| x[k]));
        }
        progress.advance(batch.len() as u64);
    }
    Ok(lengths.map(|l| spread(l, at.len(), voxel)))
}

/// Wall and gap at place i, which lies on a face.
fn across(mesh: &Mesh, bvh: &Bvh, i: usize, face: u32) -> [Option<f64>; 2] {
    let [a, b, c] = mesh.triangle(face as usize);
    let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) else { return [None; 2] };
    let (mut s, mut t) = ((i as f64 / PLASTIC).fract(), (i as f64 / (PLASTIC * PLASTIC)).fract());
    if s + t > 1.0 {
        (s, t) = (1.0 - s, 1.0 - t);
    }
    let from = a + s * (b - a) + t * (c - a);
    [-normal, normal].map(|direction| {
        let mut best = (f64::INFINITY, u32::MAX);
        bvh.along(from, direction, f64::INFINITY, |other| {
            if other != face {
                let hit = ray_triangle(from, direction, mesh.triangle(other as usize)).filter(|&t| t > 0.0);
                best = hit.map_or(best, |t| if (t, other) < best { (t, other) } else { best });
            }
            best.0
        });
        if best.0 == f64::INFINITY {
            return None;
        }
        let [a, b, c] = mesh.triangle(best.1 as usize);
        let opposite = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        (opposite.dot(&normal) < -0.5).then_some(best.0)
    })
}
