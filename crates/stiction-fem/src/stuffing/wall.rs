//! How thick the thinnest wall of a solid is, by its distance function alone.
//!
//! Points all over the surface are found from the nodes of a coarse lattice, outside ones as well, so that walls thinner than the lattice are seen. From each a ray goes inward along the
//! normal; where it leaves through a surface that faces the other way, within 30°, the two surfaces are a wall. The thinnest wall is the thickness below which 1 % of such
//! points are: the rim of a wedge, thin but small, does not decide how fine a whole part is meshed.

use super::{SolidRegion, StuffingError};
use stiction::spatial::Vec3;

/// Cells of the coarse lattice along the longest side of the box.
const SAMPLES: f64 = 40.0;
/// How far the two sides of a wall may be from parallel: cosine of 30°.
const PARALLEL: f64 = 0.866;
/// The share of the points that may be thinner.
const QUANTILE: f64 = 0.01;

/// The thinnest wall of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThinnestWall {
    /// How thick it is (m).
    pub thickness: f64,
    /// A point on it (m).
    pub point: Vec3,
}

/// Measures the thinnest wall; `None` where no two surfaces face away from each other.
///
/// # Errors
/// [`StuffingError::NotANumber`] where the distance is not a number.
pub fn thinnest_wall(solid: &SolidRegion) -> Result<Option<ThinnestWall>, StuffingError> {
    let size = solid.upper - solid.lower;
    let spacing = size.max() / SAMPLES;
    let count = [0, 1, 2].map(|a| (size[a] / spacing).ceil() as i64 + 2);
    let first = Vec3::from_fn(|a, _| 0.5 * (solid.lower[a] + solid.upper[a] - (count[a] as f64) * spacing));
    let mut walls = Vec::new();
    for k in 0..=count[2] {
        for j in 0..=count[1] {
            for i in 0..=count[0] {
                let node = first + spacing * Vec3::new(i as f64, j as f64, k as f64);
                let distance = (solid.distance)(node);
                if distance.is_nan() {
                    return Err(StuffingError::NotANumber(node.into()));
                }
                if distance.abs() <= spacing
                    && let Some((point, normal)) = on_surface(solid, node, spacing)
                    && let Some(thickness) = through(solid, &point, &normal, spacing, size.norm())
                {
                    walls.push(ThinnestWall { thickness, point });
                }
            }
        }
    }
    walls.sort_by(|a, b| a.thickness.total_cmp(&b.thickness));
    Ok(walls.get((QUANTILE * walls.len() as f64) as usize).copied())
}

/// The gradient by central differences, as a unit vector.
fn normal_at(solid: &SolidRegion, point: &Vec3, step: f64) -> Option<Vec3> {
    let slope = Vec3::from_fn(|a, _| {
        let mut off = Vec3::zeros();
        off[a] = step;
        (solid.distance)(point + off) - (solid.distance)(point - off)
    });
    let length = slope.norm();
    (length > 0.0 && length.is_finite()).then(|| slope / length)
}

/// The point of the surface below a node, by Newton's method, and the outer normal there.
pub(super) fn on_surface(solid: &SolidRegion, node: Vec3, spacing: f64) -> Option<(Vec3, Vec3)> {
    let mut point = node;
    for _ in 0..8 {
        let distance = (solid.distance)(point);
        if distance.abs() < 1e-4 * spacing {
            return Some((point, normal_at(solid, &point, 1e-4 * spacing)?));
        }
        point -= distance * normal_at(solid, &point, 1e-4 * spacing)?;
    }
    None
}

/// How far a ray goes inward before it leaves through a surface that faces the other way.
fn through(solid: &SolidRegion, point: &Vec3, normal: &Vec3, spacing: f64, longest: f64) -> Option<f64> {
    let at = |t: f64| point - t * normal;
    let (mut inside, mut t) = (0.0, 1e-3 * spacing);
    loop {
        let distance = (solid.distance)(at(t));
        if distance >= 0.0 {
            break;
        }
        inside = t;
        // The distance is a step that leaves nothing out; beside a surface a little more, so that it is crossed.
        t += -distance + 1e-3 * spacing;
        if !(t < longest) {
            return None;
        }
    }
    if inside == 0.0 {
        return None;
    }
    let (mut low, mut high) = (inside, t);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if (solid.distance)(at(middle)) < 0.0 { low = middle } else { high = middle }
    }
    let other = normal_at(solid, &at(high), 1e-4 * spacing)?;
    (other.dot(normal) < -PARALLEL).then_some(high)
}
