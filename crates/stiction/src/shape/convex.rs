//! Convex parts of a solid.

use super::ShapeError;
use crate::spatial::Vec3;

/// Convex parts whose union is close to a part's solid, for engines that intersect convex polyhedra.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexParts {
    /// Corner points of each part (m).
    pub parts: Vec<Vec<Vec3>>,
    /// How close the union of the parts is to the solid.
    pub closeness: ConvexCloseness,
}

/// How close the union of convex parts is to the mesh that they were made of, as measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexCloseness {
    /// Volume that is in the mesh or in the parts but not in both, as a share of the mesh's volume.
    pub volume_share: f64,
    /// Largest distance of the surface of one from that of the other (m).
    pub largest_distance_m: f64,
}

impl ConvexParts {
    /// Whether there are parts, each with corners enough for a solid, and all numbers are finite.
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        let wrong = |reason: String| Err(ShapeError::new("convex parts", reason));
        if self.parts.is_empty() {
            return wrong("there are none".into());
        }
        if let Some(i) = self.parts.iter().position(|part| part.len() < 4) {
            return wrong(format!("part {i} has {} corners", self.parts[i].len()));
        }
        let ConvexCloseness { volume_share, largest_distance_m } = self.closeness;
        if !(volume_share >= 0.0
            && volume_share.is_finite()
            && largest_distance_m >= 0.0
            && largest_distance_m.is_finite())
        {
            return wrong(format!("their closeness is {volume_share} and {largest_distance_m} m"));
        }
        if self.parts.iter().flatten().any(|p| !p.iter().all(|x| x.is_finite())) {
            return wrong("a corner is not finite".into());
        }
        Ok(())
    }
}
