//! Mass properties of a solid of unit density.

use crate::spatial::{Mat3, Vec3};

/// Volume, centre of mass and inertia for a density of 1 kg/m³: multiply volume and inertia by the real density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume in m³.
    pub volume: f64,
    /// Centre of mass in m, in the part's frame.
    pub centre: Vec3,
    /// Inertia about the centre of mass, along the part's axes, in m⁵ (kg m² at a density of one).
    pub inertia: Mat3,
}
