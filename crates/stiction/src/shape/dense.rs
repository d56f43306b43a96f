//! A distance at every node of the lattice.
//!
//! Trilinear between nodes ([`super::cell`]), bounded from below beyond the box ([`super::beyond`]).
//!
//! ```text
//! |L(x) - d(x)| = |Σ wᵢ (d(xᵢ) - d(x))| ≤ Σ wᵢ |xᵢ - x| ≤ sqrt(Σ wᵢ |xᵢ - x|²) ≤ (√3/2) h
//! ```
//!
//! because a distance is 1-Lipschitz and the mean square to the corners of a cell is h² Σ t (1 - t) ≤ 3h²/4. Nodes are
//! single precision, which adds at most 2⁻²⁴ of their size.

use super::beyond::Frame;
use super::cell::{Inner, Spot, averaged, outer_plane, pair, plane, trilinear};
use super::field::Grid;
use super::{Aabb, Lattice, Sample, ShapeError};

/// Every node of the lattice, exact.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    frame: Frame,
    slack: f64,
    values: Vec<f32>,
}

impl Dense {
    /// A field from the distance at every node, x fastest. `part` is the tight box of the surface; it lies strictly
    /// inside the lattice.
    ///
    /// # Errors
    /// [`ShapeError`] where a number is not finite, the count is wrong, or a node on the boundary of the lattice is not
    /// outside the solid.
    pub fn new(lattice: Lattice, part: Aabb, values: Vec<f32>) -> Result<Self, ShapeError> {
        let error = |reason: String| Err(ShapeError::new("dense field", reason));
        let frame = Frame::new(lattice, part)?;
        if values.len() != lattice.node_count() {
            return error(format!("{} values for {} nodes", values.len(), lattice.node_count()));
        }
        // The largest size as bits: order-preserving for magnitudes, and it shows infinity and NaN.
        let largest = values.iter().fold(0, |most, v| most.max(v.to_bits() & 0x7fff_ffff));
        if largest >= f32::INFINITY.to_bits() {
            return error("a value is not finite".into());
        }
        let [nx, ny, nz] = lattice.nodes();
        for (row, line) in values.chunks_exact(nx).enumerate() {
            let (j, k) = (row % ny, row / ny);
            let edge = j == 0 || j == ny - 1 || k == 0 || k == nz - 1;
            let inside = |v: &f32| !(*v > 0.0);
            let found = if edge { line.iter().any(inside) } else { inside(&line[0]) || inside(&line[nx - 1]) };
            if found {
                return error(format!("the solid reaches the boundary of the lattice, in row {row}"));
            }
        }
        let rounding = f64::from(f32::from_bits(largest)) / (1 << 24) as f64;
        let slack = 0.5 * 3f64.sqrt() * lattice.spacing + rounding;
        Ok(Dense { frame, slack, values })
    }

    /// Distance at every node, x fastest.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

impl Grid for Dense {
    #[inline(always)]
    fn frame(&self) -> &Frame {
        &self.frame
    }

    #[inline(always)]
    fn slack(&self) -> f64 {
        self.slack
    }

    fn reach(&self) -> f64 {
        self.frame.gap() - self.slack
    }

    fn steepest(&self) -> f64 {
        let spacing = self.frame.lattice.spacing;
        let rounding = self.slack - 0.5 * 3f64.sqrt() * spacing;
        3f64.sqrt() * (1.0 + 2.0 * rounding / spacing + 1e-9)
    }

    #[inline(always)]
    fn at(&self, spot: Spot) -> Sample {
        let inner = self.inner(spot);
        Sample::scaled(inner.value, inner.slope, 1.0, self.frame.inverse)
    }

    #[inline(always)]
    fn smooth_at(&self, spot: Spot) -> Option<Sample> {
        // The plane's number, as unsigned: one before the first is larger than all.
        let number = |a: usize| spot.cell[a].wrapping_add_signed(outer_plane(spot.at[a]));
        let (i, j, k) = (number(0), number(1), number(2));
        let [nx, ny, nz] = self.frame.lattice.nodes();
        if (i >= nx) | (j >= ny) | (k >= nz) {
            return None;
        }
        let inner = self.inner(spot);
        let [x, y, z] = spot.cell;
        let step = [1, nx, nx * ny];
        let index = |x: usize, y: usize, z: usize| (z * ny + y) * nx + x;
        let outer = [
            plane(&self.values, index(i, y, z), 0, step),
            plane(&self.values, index(x, j, z), 1, step),
            plane(&self.values, index(x, y, k), 2, step),
        ];
        let slope = averaged(&inner, outer, spot.at);
        Some(Sample::scaled(inner.value, slope, 1.0, self.frame.inverse))
    }
}

impl Dense {
    #[inline(always)]
    fn inner(&self, spot: Spot) -> Inner {
        let [nx, ny, _] = self.frame.lattice.nodes();
        let base = (spot.cell[2] * ny + spot.cell[1]) * nx + spot.cell[0];
        let nodes = &self.values[base..base + nx * ny + nx + 2];
        trilinear([0, nx, nx * ny, nx * ny + nx].map(|i| pair(&nodes[i..i + 2])), spot.at)
    }
}
