//! What a part is made of.

use super::{ElasticError, MOST_POISSON};

/// An isotropic elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus (Pa).
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density (kg/m³).
    pub density: f64,
}

impl Material {
    /// Checks the numbers.
    ///
    /// # Errors
    /// A modulus or density that is not positive, or a Poisson's ratio out of -1 to [`MOST_POISSON`].
    pub fn check(&self) -> Result<(), ElasticError> {
        for (what, value) in [("Young's modulus", self.young), ("the density", self.density)] {
            if !(value > 0.0 && value < 1e30) {
                return Err(ElasticError::NotPositive { what, value });
            }
        }
        if self.poisson > -1.0 && self.poisson <= MOST_POISSON {
            Ok(())
        } else {
            Err(ElasticError::Poisson(self.poisson))
        }
    }

    /// Lamé's constants λ and µ (Pa).
    pub fn lame(&self) -> (f64, f64) {
        let Material { young, poisson, .. } = *self;
        (young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson)))
    }
}
