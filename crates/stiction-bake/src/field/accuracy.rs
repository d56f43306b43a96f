//! How far interpolated values are from exact distances.
//!
//! A value interpolated from exact nodes is within (√3/2) h of the distance, whatever the surface: Σ wᵢ |x − xᵢ| is largest
//! in the middle of a voxel. On faces it is nearly exact, at edges typically a tenth of a voxel off. What is typical for a
//! part is measured at points within two voxels of its surface.

use super::bvh::Bvh;
use super::unsigned;
use crate::Mesh;
use serde::Serialize;
use stiction::shape::{DistanceField, ShellPoint};

/// Differences between interpolated and exact distances near the surface, in m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Accuracy {
    /// Points looked at.
    pub points: usize,
    /// Half of the points are better.
    pub median_m: f64,
    /// One in a hundred is worse.
    pub percentile_99_m: f64,
    /// The largest error.
    pub worst_m: f64,
    /// What none can exceed, (√3/2) h.
    pub bound_m: f64,
}

/// Places, in voxels off the surface, at which the field is looked at: no multiples of a voxel.
const OFF: [f64; 4] = [-1.63, -0.41, 0.37, 1.59];

/// Measures a field against the triangles that it was made of, off the points of a shell.
pub fn measure(field: &DistanceField, mesh: &Mesh, points: &[ShellPoint]) -> Option<Accuracy> {
    let lattice = field.lattice();
    let h = lattice.spacing;
    let to_voxels = |p: stiction::spatial::Vec3| (p - lattice.origin) / h;
    let triangles: Vec<_> = mesh.triangles().map(|t| t.map(to_voxels)).collect();
    let tree = Bvh::new(&triangles);
    let stride = points.len().div_ceil(4096).max(1);
    let places: Vec<_> =
        points.iter().step_by(stride).flat_map(|p| OFF.map(|off| p.position + p.normal * (off * h))).collect();
    let exact = unsigned::all(
        &tree,
        places.iter().map(|&p| {
            let p = to_voxels(p);
            [p.x as f32, p.y as f32, p.z as f32]
        }),
    );
    let mut errors: Vec<f64> = places
        .iter()
        .zip(exact)
        .map(|(&p, exact)| {
            // Next to the surface the interpolated sign may be the other one: the nearer of the two is meant.
            let (got, exact) = (field.distance(p), f64::from(exact) * h);
            (got - exact).abs().min((got + exact).abs())
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    let at = |part: f64| errors.get(((errors.len() - 1) as f64 * part) as usize).copied();
    errors.last().map(|&worst_m| Accuracy {
        points: errors.len(),
        median_m: at(0.5).unwrap_or(worst_m),
        percentile_99_m: at(0.99).unwrap_or(worst_m),
        worst_m,
        bound_m: field.slack(),
    })
}
