//! A field's frame: where a point lies in the lattice, and the distance beyond its box.
//!
//! Source: our own derivation.
//!
//! Symbols: x a point beyond the lattice's box; y the point of the box that is closest to it; s = x - y; F(y) the field
//! at y; m_a > 0 the gap between the part's tight box and that face of the lattice's box beyond which x lies along
//! axis a.
//!
//! ```text
//! F(x) = sqrt(F(y)² + |s|² + 2 Σ m_a |s_a|)                                          (1)
//! ```
//!
//! It never exceeds the true distance where F(y) does not: let q be the surface point closest to x. Along each axis
//! with s_a ≠ 0, y lies on a face of the lattice's box and q in the part's box, so y_a - q_a has the sign of s_a and at
//! least the size m_a. Hence s·(y - q) ≥ Σ m_a |s_a|, and with |y - q| ≥ d(y)
//!
//! ```text
//! d(x)² = |s|² + 2 s·(y - q) + |y - q|² ≥ |s|² + 2 Σ m_a |s_a| + d(y)²                (2)
//! ```
//!
//! F is continuous (s and y are, and where s_a passes zero m_a drops out) and rises away from the box. It needs
//! F(y) > 0 on the box, which the constructors check. The gradient: along axes with s_a = 0 it is (F(y)/F) ∂F/∂y_a;
//! along the others y does not move, and it is (s_a ± m_a)/F.
//!
//! A point that is not finite is far from everything: distance `f64::MAX`, gradient zero, so that a tick sees neither
//! NaN nor a contact.

use super::cell::Spot;
use super::{Aabb, Lattice, Sample, ShapeError};
use crate::spatial::Vec3;

/// What sampling needs of a lattice and the part's box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub lattice: Lattice,
    pub part: Aabb,
    /// 1/h.
    pub inverse: f64,
    /// Cells along each axis.
    top: [f64; 3],
    bounds: Aabb,
    /// The gaps m at the low and the high faces.
    gaps: [Vec3; 2],
}

impl Frame {
    pub fn new(lattice: Lattice, part: Aabb) -> Result<Self, ShapeError> {
        lattice.check(&part)?;
        let bounds = lattice.bounds();
        let gaps = [part.min - bounds.min, bounds.max - part.max];
        Ok(Frame { lattice, part, inverse: 1.0 / lattice.spacing, top: lattice.cells.map(f64::from), bounds, gaps })
    }

    /// The smallest of the gaps between the part's box and the lattice's.
    pub fn gap(&self) -> f64 {
        self.gaps[0].min().min(self.gaps[1].min())
    }

    /// The spot of a point inside the box; `None` beyond it, and for points that are not finite.
    #[inline(always)]
    pub fn locate(&self, point: Vec3) -> Option<Spot> {
        // One axis after the other: a caller's two stores, read back as other pairs, would have to wait for memory.
        let along = |a: usize| {
            let t = (point[a] - self.lattice.origin[a]) * self.inverse;
            (t >= 0.0 && t <= self.top[a]).then_some(t)
        };
        let x = along(0)?;
        let y = along(1)?;
        let z = along(2)?;
        Some(self.spot([x, y, z]))
    }

    #[inline(always)]
    fn spot(&self, t: [f64; 3]) -> Spot {
        // Signed 32 bits: the processor's own truncation. `t` is at most the number of cells.
        let cell: [i32; 3] = std::array::from_fn(|a| (t[a] as i32).min(self.lattice.cells[a] as i32 - 1));
        Spot { cell: cell.map(|i| i as usize), at: std::array::from_fn(|a| t[a] - f64::from(cell[a])) }
    }

    /// The field beyond the box by (1), from its sample on the box.
    #[cold]
    #[inline(never)]
    pub fn beyond(&self, point: Vec3, on_box: impl Fn(Spot) -> Sample) -> Sample {
        if !point.iter().all(|x| x.is_finite()) {
            return Sample { distance: f64::MAX, gradient: Vec3::zeros() };
        }
        let y = point.sup(&self.bounds.min).inf(&self.bounds.max);
        let t = (y - self.lattice.origin) * self.inverse;
        let inner = on_box(self.spot(std::array::from_fn(|a| t[a].max(0.0).min(self.top[a]))));
        let s = point - y;
        let m = Vec3::from_fn(|a, _| {
            if s[a] < 0.0 {
                -self.gaps[0][a]
            } else if s[a] > 0.0 {
                self.gaps[1][a]
            } else {
                0.0
            }
        });
        // Squares of huge numbers stay finite in units of the largest.
        let unit = if s.amax() > 1e100 { s.amax() } else { 1.0 };
        let (f, s, m) = (inner.distance / unit, s / unit, m / unit);
        let sum = f * f + (s.x * s.x + s.y * s.y + s.z * s.z) + 2.0 * (m.x * s.x + m.y * s.y + m.z * s.z);
        let root = sum.sqrt();
        let gradient = Vec3::from_fn(|a, _| if s[a] == 0.0 { f * inner.gradient[a] } else { s[a] + m[a] } / root);
        Sample { distance: (root * unit).min(f64::MAX), gradient }
    }
}
