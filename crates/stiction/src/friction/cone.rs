//! The set of friction forces a contact may carry: a disk of radius L = µ F_n, or a regular ℓ-gon about it.
//!
//! Equations (12)-(18) of the friction paper. Facet normals lie at θ_j = (2j + 1)π/ℓ from T_u, vertices at
//! φ_j = 2πj/ℓ. Deviation: the paper's text says that its polygon is the inscribed one "scaled by cos θ_0"; by
//! (13) it is scaled by 1/cos θ_0, that is, circumscribed about the disk. Both are offered here.

use crate::contact::LANES;

/// The shape of the friction limit in the contact plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cone {
    /// Coulomb's cone itself: ‖β‖ ≤ L.
    Disk,
    /// A regular polygon with a vertex along T_u.
    Polygon {
        /// ℓ, from 3 to [`Cone::MAX_SIDES`].
        sides: usize,
        /// Whether its facets touch the disk or its vertices do.
        fit: Fit,
    },
}

/// How a polygon lies about the disk of radius L.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Facets touch the disk, as in the paper: friction up to 1/cos(π/ℓ) too large.
    Circumscribed,
    /// Vertices lie on the disk: friction down to cos(π/ℓ) too small.
    Inscribed,
}

impl Cone {
    /// The most sides a polygon may have.
    pub const MAX_SIDES: usize = 64;

    /// The paper's polygon with ℓ sides.
    pub const fn paper(sides: usize) -> Self {
        Cone::Polygon { sides, fit: Fit::Circumscribed }
    }
}
