//! What single precision leaves of a mesh that lies far from its origin.

use super::Imported;
use crate::diagnose::length;
use stiction::spatial::Vec3;

/// Rounding of coordinates that does no harm, as a share of the part's size: contacts ignore as much depth everywhere.
const HARMLESS: f64 = 1e-5;

/// Distance of neighbouring single-precision numbers at the largest of these coordinates; 0 where a coordinate has more digits than single precision.
pub(super) fn single_step(points: &[Vec3]) -> f64 {
    let mut largest = 0.0f32;
    for x in points.iter().flat_map(|p| p.iter()) {
        let single = *x as f32;
        if f64::from(single) != *x {
            return 0.0;
        }
        largest = largest.max(single.abs());
    }
    f64::from(largest.next_up()) - f64::from(largest)
}

impl Imported {
    /// A warning where single precision has rounded the shape of the part more than contacts ignore, because the mesh lies too far from its origin.
    pub fn precision_warning(&self) -> Option<String> {
        let bounds = self.mesh.bounds()?;
        let longest = (bounds.max - bounds.min).max();
        let step = self.coordinate_step;
        if !(step > HARMLESS * longest) {
            return None;
        }
        let far = self.mesh.points.iter().map(Vec3::norm).fold(0.0, f64::max);
        Some(format!(
            "the mesh lies up to {} from its origin, where single-precision coordinates are {:.3} µm apart: every point of the part, which is {} long, may be off \
             by half of that. Move it near the origin before it is exported",
            length(far),
            1e6 * step,
            length(longest)
        ))
    }
}
