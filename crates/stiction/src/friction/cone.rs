//! The set of friction forces a contact may carry: a disk of radius L = µ F_n, or a regular ℓ-gon about it.
//!
//! Equations (12)-(18) of the friction paper. Facet normals lie at θ_j = (2j + 1)π/ℓ from T_u, vertices at
//! φ_j = 2πj/ℓ. Deviation: the paper's text says that its polygon is the inscribed one "scaled by cos θ_0"; by
//! (13) it is scaled by 1/cos θ_0, that is, circumscribed about the disk. Both are offered here.

use super::passes::Pair;
use crate::contact::Lane;

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

/// A friction limit as the passes see it: four contacts at a time, without branches.
pub(super) trait Shape: Copy {
    /// The admissible friction β that is extreme for dᵀβ. Zero for d = 0 is allowed but not required.
    fn extreme(&self, d: Pair, limit: Lane) -> Pair;
    /// The smallest limit for which `b` would be admissible.
    fn gauge(&self, b: Pair) -> Lane;
}

/// ‖β‖ ≤ L.
#[derive(Clone, Copy)]
pub(super) struct Disk;

impl Shape for Disk {
    #[inline(always)]
    fn extreme(&self, d: Pair, limit: Lane) -> Pair {
        // 1e-150: no division by zero, and no overflow for any limit.
        let scale = limit / (d[0] * d[0] + d[1] * d[1]).sqrt().fast_max(Lane::splat(1e-150));
        [d[0] * scale, d[1] * scale]
    }

    #[inline(always)]
    fn gauge(&self, b: Pair) -> Lane {
        (b[0] * b[0] + b[1] * b[1]).sqrt()
    }
}

/// |β_u| + |β_v| ≤ `radius` L: the polygon with four sides.
#[derive(Clone, Copy)]
pub(super) struct Square {
    radius: Lane,
    inverse: Lane,
}

impl Shape for Square {
    #[inline(always)]
    fn extreme(&self, d: Pair, limit: Lane) -> Pair {
        let r = limit * self.radius;
        let along_u = d[0].abs().simd_ge(d[1].abs());
        [with_sign(r, d[0]) & along_u, with_sign(r, d[1]) & !along_u]
    }

    #[inline(always)]
    fn gauge(&self, b: Pair) -> Lane {
        (b[0].abs() + b[1].abs()) * self.inverse
    }
}

/// The polygon with eight sides, by folding into one octant.
#[derive(Clone, Copy)]
pub(super) struct Octagon {
    radius: Lane,
    inverse: Lane,
}

impl Shape for Octagon {
    #[inline(always)]
    fn extreme(&self, d: Pair, limit: Lane) -> Pair {
        let r = limit * self.radius;
        let (a, b) = (d[0].abs(), d[1].abs());
        let (high, low) = (a.fast_max(b), a.fast_min(b));
        // Between the vertices at 0 and 45 degrees the border is at tan(22.5 degrees).
        let axial = low.simd_lt(high * Lane::splat(std::f64::consts::SQRT_2 - 1.0));
        let diagonal = r * Lane::splat(std::f64::consts::FRAC_1_SQRT_2);
        let (big, small) = (axial.select(r, diagonal), diagonal & !axial);
        let along_u = a.simd_ge(b);
        [with_sign(along_u.select(big, small), d[0]), with_sign(along_u.select(small, big), d[1])]
    }

    #[inline(always)]
    fn gauge(&self, b: Pair) -> Lane {
        let (x, y) = (b[0].abs(), b[1].abs());
        let (high, low) = (x.fast_max(y), x.fast_min(y));
        // The facet normal at 22.5 degrees; (1, tan) cos(22.5) / inradius, with inradius = radius cos(22.5).
        (high + low * Lane::splat(std::f64::consts::SQRT_2 - 1.0)) * self.inverse
    }
}

/// Any other regular polygon, by looking at every vertex.
#[derive(Clone, Copy)]
pub(super) struct Regular<'a> {
    table: &'a PolygonTable,
}

impl Shape for Regular<'_> {
    #[inline(always)]
    fn extreme(&self, d: Pair, limit: Lane) -> Pair {
        let r = limit * Lane::splat(self.table.radius);
        let mut best = Lane::splat(f64::NEG_INFINITY);
        let mut vertex = [Lane::ZERO; 2];
        for [c, s] in &self.table.vertices[..self.table.sides] {
            let (c, s) = (Lane::splat(*c), Lane::splat(*s));
            let value = d[0] * c + d[1] * s;
            let better = value.simd_gt(best);
            best = better.select(value, best);
            vertex = [better.select(c, vertex[0]), better.select(s, vertex[1])];
        }
        [vertex[0] * r, vertex[1] * r]
    }

    #[inline(always)]
    fn gauge(&self, b: Pair) -> Lane {
        let mut most = Lane::ZERO;
        for [c, s] in &self.table.facets[..self.table.sides] {
            most = most.fast_max(b[0] * Lane::splat(*c) + b[1] * Lane::splat(*s));
        }
        most * Lane::splat(1.0 / self.table.inradius)
    }
}

/// |magnitude| with the sign of `sign`.
#[inline(always)]
fn with_sign(magnitude: Lane, sign: Lane) -> Lane {
    magnitude | (sign & Lane::splat(-0.0))
}

/// Directions of a polygon's vertices and facets, and its radii for L = 1.
#[derive(Clone, Debug)]
pub(super) struct PolygonTable {
    pub sides: usize,
    pub vertices: [[f64; 2]; Cone::MAX_SIDES],
    pub facets: [[f64; 2]; Cone::MAX_SIDES],
    /// Distance of a vertex from the centre, for L = 1.
    pub radius: f64,
    /// Distance of a facet from the centre, for L = 1.
    pub inradius: f64,
}

impl PolygonTable {
    pub fn new(sides: usize, fit: Fit) -> Self {
        // Exact at multiples of a right angle, where `cos` would leave a rounding error.
        let direction = |half_steps: usize| -> [f64; 2] {
            let (quarter, rest) = (4 * half_steps / (2 * sides), 4 * half_steps % (2 * sides));
            let angle = std::f64::consts::FRAC_PI_2 * rest as f64 / (2 * sides) as f64;
            let (c, s) = if 2 * rest == 2 * sides {
                (std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2)
            } else {
                (libm::cos(angle), libm::sin(angle))
            };
            [[c, s], [-s, c], [-c, -s], [s, -c]][quarter % 4]
        };
        let (mut vertices, mut facets) = ([[0.0; 2]; Cone::MAX_SIDES], [[0.0; 2]; Cone::MAX_SIDES]);
        for j in 0..sides {
            vertices[j] = direction(2 * j);
            facets[j] = direction(2 * j + 1);
        }
        let (inradius, radius) = radii(sides, fit);
        Self { sides, vertices, facets, radius, inradius }
    }

    pub fn square(&self) -> Square {
        Square { radius: Lane::splat(self.radius), inverse: Lane::splat(1.0 / self.radius) }
    }

    pub fn octagon(&self) -> Octagon {
        Octagon { radius: Lane::splat(self.radius), inverse: Lane::splat(1.0 / self.radius) }
    }

    pub fn regular(&self) -> Regular<'_> {
        Regular { table: self }
    }
}

/// Distance of facets and of vertices from the centre, for L = 1.
pub(super) fn radii(sides: usize, fit: Fit) -> (f64, f64) {
    let shrink = libm::cos(std::f64::consts::PI / sides as f64);
    match fit {
        Fit::Circumscribed => (1.0, 1.0 / shrink),
        Fit::Inscribed => (shrink, 1.0),
    }
}
