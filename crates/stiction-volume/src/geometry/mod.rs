//! Convex polyhedra: distance, contact plane and intersection.

use stiction::spatial::{Mat3, Vec3};

/// A convex polyhedron.
#[derive(Clone, Debug)]
pub struct Convex;

/// Errors from building a convex polyhedron.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("not yet")]
pub struct ConvexError;

impl Convex {
    /// The convex hull of points.
    pub fn of_points(_points: &[Vec3]) -> Result<Convex, ConvexError> {
        Ok(Convex)
    }

    /// Volume (m³).
    pub fn volume(&self) -> f64 {
        1.0
    }

    /// Centroid.
    pub fn centroid(&self) -> Vec3 {
        Vec3::zeros()
    }

    /// Second moment.
    pub fn second_moment(&self) -> Mat3 {
        Mat3::identity()
    }
}
