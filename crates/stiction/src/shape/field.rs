//! Signed distance fields on a lattice: every node (dense), or blocks around the surface (sparse).
//!
//! Both kinds are defined in all of space and continuous everywhere. Next to the surface the value is the true distance
//! up to [`DistanceField::slack`]; away from it, a lower bound of the same sign.

use super::beyond::Frame;
use super::cell::Spot;
use super::{Aabb, Dense, Lattice, Sparse};
use crate::spatial::Vec3;

/// Value and gradient of a distance field at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Distance to the surface in m, negative inside.
    pub distance: f64,
    /// Its gradient: of length about one, pointing out of the solid.
    pub gradient: Vec3,
}

impl Sample {
    /// From stored units per cell: `unit` metres a stored number, `inverse` cells a metre.
    #[inline(always)]
    pub(super) fn scaled(value: f64, slope: [f64; 3], unit: f64, inverse: f64) -> Self {
        let k = unit * inverse;
        Sample { distance: value * unit, gradient: Vec3::new(slope[0] * k, slope[1] * k, slope[2] * k) }
    }
}

/// What the two kinds have in common.
pub(super) trait Grid {
    fn frame(&self) -> &Frame;
    fn slack(&self) -> f64;
    fn reach(&self) -> f64;
    fn steepest(&self) -> f64;
    /// The sample in a cell.
    fn at(&self, spot: Spot) -> Sample;
    /// The same with the averaged gradient, where all its nodes are at hand.
    fn smooth_at(&self, spot: Spot) -> Option<Sample>;

    #[inline(always)]
    fn sample(&self, point: Vec3) -> Sample {
        match self.frame().locate(point) {
            Some(spot) => self.at(spot),
            None => self.frame().beyond(point, |spot| self.at(spot)),
        }
    }

    #[inline(always)]
    fn sample_smooth(&self, point: Vec3) -> Sample {
        match self.frame().locate(point).and_then(|spot| self.smooth_at(spot)) {
            Some(sample) => sample,
            None => self.difference(point),
        }
    }

    /// The averaged gradient by its definition.
    #[cold]
    #[inline(never)]
    fn difference(&self, point: Vec3) -> Sample {
        let distance = self.sample(point).distance;
        let (half, inverse) = (0.5 * self.frame().lattice.spacing, self.frame().inverse);
        let gradient = Vec3::from_fn(|a, _| {
            let mut step = Vec3::zeros();
            step[a] = half;
            let (more, less) = (self.sample(point + step).distance, self.sample(point - step).distance);
            (more - less) * inverse
        });
        Sample { distance, gradient }
    }
}

/// A signed distance field.
#[derive(Clone, Debug, PartialEq)]
pub enum DistanceField {
    /// Every node.
    Dense(Dense),
    /// Blocks around the surface.
    Sparse(Sparse),
}

/// Calls a method of the kind at hand.
macro_rules! each {
    ($field:expr, $kind:ident => $body:expr) => {
        match $field {
            DistanceField::Dense($kind) => $body,
            DistanceField::Sparse($kind) => $body,
        }
    };
}

impl DistanceField {
    /// Distance and gradient at a point in the part's frame, anywhere in space.
    ///
    /// The gradient is that of the interpolant, which jumps at the faces of cells. A point that is not finite is far
    /// away: distance `f64::MAX`, gradient zero.
    pub fn sample(&self, point: Vec3) -> Sample {
        each!(self, f => f.sample(point))
    }

    /// The distance alone.
    pub fn distance(&self, point: Vec3) -> f64 {
        each!(self, f => f.sample(point).distance)
    }

    /// The same distance with a gradient that does not jump at the faces of cells: the central difference of the
    /// field over half a cell each side, (F(x + h/2) - F(x - h/2))/h along each axis.
    pub fn sample_smooth(&self, point: Vec3) -> Sample {
        each!(self, f => f.sample_smooth(point))
    }

    /// [`DistanceField::sample`] for many points: `samples[i]` at `points[i]`, as far as both reach.
    pub fn sample_batch(&self, points: &[Vec3], samples: &mut [Sample]) {
        each!(self, f => points.iter().zip(samples).for_each(|(p, s)| *s = f.sample(*p)));
    }

    /// [`DistanceField::sample_smooth`] for many points.
    pub fn sample_smooth_batch(&self, points: &[Vec3], samples: &mut [Sample]) {
        each!(self, f => points.iter().zip(samples).for_each(|(p, s)| *s = f.sample_smooth(*p)));
    }

    /// How deep inside the field still tells depths apart (m): beyond the band of a sparse field it is only a bound, and a contact
    /// can press no harder.
    pub fn known_depth(&self) -> f64 {
        match self {
            DistanceField::Dense(_) => f64::INFINITY,
            DistanceField::Sparse(sparse) => sparse.band(),
        }
    }

    /// The lattice of the finest nodes.
    pub fn lattice(&self) -> &Lattice {
        each!(self, f => &f.frame().lattice)
    }

    /// The tight box of the part's surface.
    pub fn part(&self) -> &Aabb {
        each!(self, f => &f.frame().part)
    }

    /// How far a value can be from the true distance next to the surface, and above it anywhere (m): (√3/2) h, and the
    /// rounding of stored numbers.
    pub fn slack(&self) -> f64 {
        each!(self, f => f.slack())
    }

    /// Values smaller than this are interpolated distances, not bounds (m): wherever the distance is at least
    /// `reach() + slack()`, the value is at least `reach()`.
    pub fn reach(&self) -> f64 {
        each!(self, f => f.reach())
    }

    /// The largest slope of the field where its values are smaller than [`reach`](Self::reach): neighbouring nodes differ by the spacing at most along
    /// each of the three axes, hence √3, and the rounding of stored numbers.
    pub fn steepest(&self) -> f64 {
        each!(self, f => f.steepest())
    }
}

impl From<Dense> for DistanceField {
    fn from(field: Dense) -> Self {
        DistanceField::Dense(field)
    }
}

impl From<Sparse> for DistanceField {
    fn from(field: Sparse) -> Self {
        DistanceField::Sparse(field)
    }
}
