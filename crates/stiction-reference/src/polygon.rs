//! The unit polygon of the friction limit: equations (12)-(18) of the friction paper (Zhao, Li, Barbič), circumscribed
//! about the unit disk as in the paper, or inscribed. ℓ sides, a vertex along T_u.

use std::f64::consts::PI;
use stiction::friction::{Cone, Fit};

/// Directions in the contact plane, and how far the unit polygon reaches along each. None for a disk.
pub(crate) struct Directions(pub Vec<[f64; 2]>, pub f64);

impl Directions {
    /// Unit normals of the facets, at θ_j = (2j + 1)π/ℓ.
    pub fn facets(cone: Cone) -> Option<Self> {
        let Cone::Polygon { sides, fit } = cone else { return None };
        let half = PI / sides as f64;
        let reach = if fit == Fit::Inscribed { half.cos() } else { 1.0 };
        Some(Self((0..sides).map(|j| polar((2 * j + 1) as f64 * half, 1.0)).collect(), reach))
    }
}

fn polar(angle: f64, length: f64) -> [f64; 2] {
    [angle.cos() * length, angle.sin() * length]
}
