//! Mass properties of a closed mesh.
//!
//! Source: the divergence theorem. The integral of a polynomial over a solid bounded by outward oriented triangles is
//! the sum, over the triangles, of its integral over the signed tetrahedra between a fixed point O and each triangle.
//!
//! ```text
//!   a, b, c     corners of a triangle, relative to O        s = a + b + c
//!   d           a · (b × c), six times the signed volume of the tetrahedron
//!
//!   x = ξ1 a + ξ2 b + ξ3 c over ξi ≥ 0, Σ ξi ≤ 1, dx = d dξ, and ∫ ξi dξ = 1/24, ∫ ξi ξj dξ = (1 + δij)/120, so
//!
//!   ∫ 1     dx = d / 6
//!   ∫ x     dx = d / 24  s
//!   ∫ x xᵀ  dx = d / 120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)
//!
//!   V = Σ d / 6,   c̄ = (1/V) Σ d s / 24,   C = Σ ∫ x xᵀ dx − V c̄ c̄ᵀ,   I = tr(C) 1 − C
//! ```
//!
//! O is the centre of the bounding box, so that a part far from the origin loses no digits, and the ten sums are
//! compensated (Neumaier), so that a million triangles cost no more than one.

#![forbid(unsafe_code)]

use crate::Mesh;
use crate::diagnose::Mended;
use crate::expose::Exposed;
use stiction::shape::MassProperties;
use stiction::spatial::{Mat3, Vec3};

/// Volume, centre and inertia of the solid inside a mesh, at a density of one.
///
/// Exact, up to rounding, for a closed mesh with outward orientation; inward orientation gives the negative of volume
/// and inertia. Overlapping parts count twice, unlike in [`of_mended`]. Without any volume the centre is that of the bounding box and the
/// inertia is what is left of cancelling; without faces everything is zero.
pub fn of_mesh(mesh: &Mesh) -> MassProperties {
    let Some(bounds) = mesh.bounds() else {
        return MassProperties { volume: 0.0, centre: Vec3::zeros(), inertia: Mat3::zeros() };
    };
    let origin = bounds.min + (bounds.max - bounds.min) * 0.5;
    let mut sums = [Neumaier::default(); 10];
    for [a, b, c] in mesh.triangles().map(|t| t.map(|p| p - origin)) {
        let d = a.dot(&b.cross(&c));
        let s = a + b + c;
        let second = |i: usize, j: usize| d / 120.0 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
        let terms = [
            d / 6.0,
            d / 24.0 * s.x,
            d / 24.0 * s.y,
            d / 24.0 * s.z,
            second(0, 0),
            second(1, 1),
            second(2, 2),
            second(0, 1),
            second(0, 2),
            second(1, 2),
        ];
        for (sum, term) in sums.iter_mut().zip(terms) {
            sum.add(term);
        }
    }
    let [volume, x, y, z, xx, yy, zz, xy, xz, yz] = sums.map(|s| s.total());
    let offset = if volume == 0.0 { Vec3::zeros() } else { Vec3::new(x, y, z) / volume };
    let about_origin = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let covariance = about_origin - offset * offset.transpose() * volume;
    let inertia = Mat3::from_diagonal_element(covariance.trace()) - covariance;
    MassProperties { volume, centre: origin + offset, inertia }
}

/// Volume, centre and inertia of the solid that a mended mesh bounds, at a density of one: the union of its solids, each
/// place counted once. `exposed` is what [`exposed`](crate::expose::exposed()) says of it. Sheets have no volume.
pub fn of_mended(mended: &Mended, exposed: Option<&Exposed>) -> MassProperties {
    if let Some(exposed) = exposed {
        return of_mesh(&exposed.mesh);
    }
    let faces = mended.mesh.faces.iter().zip(&mended.sheet).filter(|(_, sheet)| !**sheet).map(|(f, _)| *f);
    of_mesh(&Mesh { points: mended.mesh.points.clone(), faces: faces.collect() })
}

/// A sum that carries what rounding took from it.
#[derive(Clone, Copy, Default)]
struct Neumaier {
    sum: f64,
    lost: f64,
}

impl Neumaier {
    fn add(&mut self, term: f64) {
        let next = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() { (self.sum - next) + term } else { (term - next) + self.sum };
        self.sum = next;
    }

    fn total(self) -> f64 {
        self.sum + self.lost
    }
}
