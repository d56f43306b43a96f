//! Mass properties of a solid of unit density.

use super::ShapeError;
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

impl MassProperties {
    /// Whether all numbers are finite. They need not be those of a solid: an open mesh has none.
    ///
    /// # Errors
    /// [`ShapeError`] where one is not.
    pub fn check(&self) -> Result<(), ShapeError> {
        let mut all = self.centre.iter().chain(self.inertia.iter()).chain([&self.volume]);
        let finite = all.all(|x| x.is_finite());
        if finite { Ok(()) } else { Err(ShapeError::new("mass properties", "a number is not finite")) }
    }
}
