//! Distances in blocks around the surface, a coarse lower bound elsewhere.
//!
//! Source: our own derivation.
//!
//! Symbols: d the true signed distance; h the spacing; H = 8h the edge of a block; B the band; fine(x) the trilinear
//! interpolation of the nodes clamp(d, -B, B) of a block, stored as 16-bit fractions of B; c the coarse numbers at every
//! eighth node and L(x) their trilinear interpolation; ρ = (√3/2) H; δ = |d(x)|; rᵢ = |xᵢ - x| for the corners xᵢ of the
//! coarse cell around x, wᵢ their weights.
//!
//! ```text
//! F(x) = fine(x)                        in a block, where |fine(x)| < B                         (1)
//! F(x) = ± max(B, |L(x)|)               elsewhere; the sign is that of fine(x), or of c in an empty slot
//!
//! cᵢ = ± max(|dᵢ| - e(dᵢ), 0),   E = ρ + 7h/4                                                    (2)
//! e(d) = 3H²/(8(|d| - √3 H)) + 7h/4     where |d| ≥ √3 H + E, that is, where no corner of a cell
//!                                       with this one is nearer than E                          (3)
//! e(d) = E                              elsewhere
//! ```
//!
//! **L is a bound**: |L(x)| ≤ max(δ - √3 h, ρ/2).
//! - In a cell with a corner of the first kind of (3) no cᵢ is cut off at zero. Let D > 0 be the least distance in the
//!   cell. A distance is semiconcave, d(xᵢ) ≤ d(x) + ∇d·(xᵢ - x) + rᵢ²/(2D), and Σ wᵢ (xᵢ - x) = 0, so
//!   Σ wᵢ dᵢ - d(x) ≤ Σ wᵢ rᵢ²/(2D) ≤ 3H²/(8D), as Σ wᵢ rᵢ² ≤ 3H²/4. Also Σ wᵢ dᵢ - d(x) ≤ Σ wᵢ rᵢ ≤ ρ. Every corner has
//!   dᵢ - √3 H ≤ D, so each e(dᵢ), of either kind, covers the smaller of the two; and 7h/4 > √3 h.
//! - In any other cell, with D = δ - 7h/4, cᵢ ≤ max(D + rᵢ - ρ, 0). For every k > 0, max(a, 0) ≤ (a + k)²/(4k); with mean
//!   and variance of aᵢ = D + rᵢ - ρ under the weights, and the best k, the sum is at most Y = (a̅ + √(a̅² + σ²))/2.
//!   Put z = ρ - r̅ ≥ 0: a̅ = D - z and σ² ≤ 2ρz - z². Then Y ≤ D for D ≥ ρ/2, else Y ≤ ρ²/(4(ρ - D)) ≤ ρ/2, over all z.
//!
//! **F is continuous.** ρ/2 = 3.47h ≤ B is required of the band. So |L(x)| > B means δ > B + √3 h, hence every corner
//! of the fine cell around x has |d| > B and fine(x) = ±B exactly: where fine(x) comes off its plateau, |L| ≤ B, and
//! both branches of (1) are B. A block's face next to an empty slot is checked to be on the plateau, faces shared by
//! two blocks to be equal, and the coarse corners of an empty slot to have one sign. The 0.018 h by which 7h/4 exceeds
//! √3 h is for rounding c to single precision (lattices have less than 2¹⁷ nodes along an axis).
//!
//! **F is a bound**: |F| ≤ |d| + (√3/2) h + B/65534. On the plateau all corners have |d| ≥ B, so that
//! |d(x)| ≥ B - (√3/2) h; the last term is half a unit of the 16-bit numbers.
//!
//! The gradient of (1) is exact where F is fine or L. On the constant B it is the unit vector along ∇L, or zero where
//! that is: the value is only a bound there, and the direction a hint.

use super::beyond::Frame;
use super::cell::{Inner, Spot, averaged, outer_plane, pair, plane, trilinear};
use super::field::Grid;
use super::{Aabb, Lattice, Sample, ShapeError};
use crate::spatial::Vec3;
use wide::f64x2;

mod check;

/// Exact nodes in a band around the surface, in blocks of 8³ cells; a lower bound elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    frame: Frame,
    band: f64,
    /// Metres of one stored unit, B/32767.
    unit: f64,
    /// Stored values below this stay below the plateau within half a cell: nodes differ by at most h along an axis.
    steady: f64,
    /// Blocks along x and y.
    rows: [usize; 2],
    coarse: Vec<f32>,
    slots: Vec<u32>,
    blocks: Vec<i16>,
}

impl Sparse {
    /// Cells of a block along one axis.
    pub const CELLS: usize = 8;
    /// Nodes of a block along one axis: neighbours share their faces.
    pub const NODES: usize = 9;
    /// Nodes of a block.
    pub const BLOCK: usize = Self::NODES * Self::NODES * Self::NODES;
    /// A slot without a block.
    pub const EMPTY: u32 = u32::MAX;
    /// The stored number that stands for the band's edge.
    pub const FULL: i16 = i16::MAX;
    /// The narrowest and the widest band, in voxels.
    pub const BAND: [f64; 2] = [3.5, 16.0];

    /// A field from its parts. `cells` of the lattice are multiples of eight.
    ///
    /// - `coarse`: at every eighth node, x fastest, [`Sparse::coarse_value`] of the distance: a signed lower bound such
    ///   that its trilinear interpolation never exceeds the true distance minus √3 h (or 3.5 h, within the band) in
    ///   magnitude.
    /// - `slots`: for every block of 8³ cells, x fastest, its number among `blocks` or [`Sparse::EMPTY`].
    /// - `blocks`: 9³ nodes each, x fastest: [`Sparse::quantise`], round(clamp(d, -band, band) / band · 32767).
    ///
    /// A slot may be empty only where every one of its 9³ nodes is at ±32767.
    ///
    /// # Errors
    /// [`ShapeError`] where a number is not finite or out of range, a count is wrong, a band is not within
    /// [`Sparse::BAND`] voxels, a block is used twice or not at all, neighbours do not meet, or the solid reaches the
    /// boundary of the lattice.
    pub fn new(
        lattice: Lattice,
        part: Aabb,
        band: f64,
        coarse: Vec<f32>,
        slots: Vec<u32>,
        blocks: Vec<i16>,
    ) -> Result<Self, ShapeError> {
        let frame = Frame::new(lattice, part)?;
        let [x, y, _] = lattice.cells.map(|n| n as usize / Self::CELLS);
        let unit = band / f64::from(Self::FULL);
        let steady = f64::from(Self::FULL) - 1.0 - 0.5 * lattice.spacing / unit;
        let field = Sparse { frame, band, unit, steady, rows: [x, y], coarse, slots, blocks };
        field.check()?;
        Ok(field)
    }

    /// e of equation (3): what to take off a distance so that the coarse interpolation stays a bound.
    pub fn coarse_slack(distance: f64, spacing: f64) -> f64 {
        let edge = Self::CELLS as f64 * spacing;
        let (diagonal, fine) = (3f64.sqrt() * edge, 1.75 * spacing);
        let near = 0.5 * diagonal + fine;
        let rest = distance.abs() - diagonal;
        if rest >= near { 3.0 * edge * edge / (8.0 * rest) + fine } else { near }
    }

    /// The coarse number for a node at this distance, equation (2). Zero keeps the sign.
    pub fn coarse_value(distance: f64, spacing: f64) -> f32 {
        let size = (distance.abs() - Self::coarse_slack(distance, spacing)).max(0.0);
        size.copysign(distance) as f32
    }

    /// The number that stands for a distance in a block.
    pub fn quantise(distance: f64, band: f64) -> i16 {
        // The clamped quotient is within ±32767, so the cast keeps it.
        (distance.clamp(-band, band) / band * f64::from(Self::FULL)).round() as i16
    }

    /// The distance B up to which nodes are exact (m).
    pub fn band(&self) -> f64 {
        self.band
    }

    /// The bound at every eighth node, x fastest.
    pub fn coarse(&self) -> &[f32] {
        &self.coarse
    }

    /// The number of each block, or [`Sparse::EMPTY`], x fastest.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The nodes of all blocks.
    pub fn blocks(&self) -> &[i16] {
        &self.blocks
    }

    /// The block of a spot, and its cell's first node in it.
    #[inline(always)]
    fn place(&self, spot: &Spot) -> (u32, [usize; 3]) {
        let [x, y, z] = spot.cell;
        (self.slots[((z >> 3) * self.rows[1] + (y >> 3)) * self.rows[0] + (x >> 3)], [x & 7, y & 7, z & 7])
    }

    #[inline(always)]
    fn block(&self, slot: u32) -> &[i16] {
        let start = slot as usize * Self::BLOCK;
        &self.blocks[start..start + Self::BLOCK]
    }

    #[inline(always)]
    fn fine(block: &[i16], [x, y, z]: [usize; 3], at: [f64; 3]) -> Inner {
        const Y: usize = Sparse::NODES;
        const Z: usize = Y * Y;
        let base = z * Z + y * Y + x;
        let nodes = &block[base..base + Z + Y + 2];
        trilinear([0, Y, Z, Z + Y].map(|i| pair(&nodes[i..i + 2])), at)
    }

    /// ± max(B, |L|); the sign is that of `sign`, or of the coarse corners.
    #[inline(never)]
    fn bound(&self, spot: Spot, sign: Option<f64>) -> Sample {
        let nodes = self.rows.map(|n| n + 1);
        let [x, y, z] = spot.cell.map(|i| i >> 3);
        let base = (z * nodes[1] + y) * nodes[0] + x;
        let edge = |i: usize| pair(&self.coarse[base + i..base + i + 2]);
        let layer = nodes[0] * nodes[1];
        let at = std::array::from_fn(|a| ((spot.cell[a] & 7) as f64 + spot.at[a]) * 0.125);
        let inner = trilinear([edge(0), edge(nodes[0]), edge(layer), edge(layer + nodes[0])], at);
        let sign = sign.unwrap_or(f64::from(self.coarse[base]));
        if inner.value.abs() > self.band {
            let flip = if (inner.value < 0.0) == sign.is_sign_negative() { 1.0 } else { -1.0 };
            return Sample::scaled(inner.value, inner.slope, flip, 0.125 * self.frame.inverse);
        }
        let slope = Vec3::from(inner.slope);
        let size = slope.dot(&slope).sqrt();
        let gradient = if size > 0.0 { slope / size } else { Vec3::zeros() };
        Sample { distance: self.band.copysign(sign), gradient }
    }
}

impl Grid for Sparse {
    #[inline(always)]
    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn slack(&self) -> f64 {
        0.5 * 3f64.sqrt() * self.frame.lattice.spacing + 0.5 * self.unit
    }

    fn reach(&self) -> f64 {
        self.frame.gap().min(self.band) - self.slack()
    }

    fn steepest(&self) -> f64 {
        3f64.sqrt() * (1.0 + self.unit / self.frame.lattice.spacing + 1e-9)
    }

    #[inline(always)]
    fn at(&self, spot: Spot) -> Sample {
        let (slot, cell) = self.place(&spot);
        if slot == Self::EMPTY {
            return self.bound(spot, None);
        }
        let inner = Self::fine(self.block(slot), cell, spot.at);
        if inner.value.abs() >= f64::from(Self::FULL) {
            return self.bound(spot, Some(inner.value));
        }
        Sample::scaled(inner.value, inner.slope, self.unit, self.frame.inverse)
    }

    #[inline(always)]
    fn smooth_at(&self, spot: Spot) -> Option<Sample> {
        let (slot, cell) = self.place(&spot);
        if slot == Self::EMPTY {
            return None;
        }
        let block = self.block(slot);
        let inner = Self::fine(block, cell, spot.at);
        if inner.value.abs() >= self.steady {
            return None;
        }
        let step = [1, Self::NODES, Self::NODES * Self::NODES];
        let base = cell[0] + cell[1] * step[1] + cell[2] * step[2];
        let mut outer = [[f64x2::ZERO; 2]; 3];
        for a in 0..3 {
            let number = cell[a] as isize + outer_plane(spot.at[a]);
            let (block, number) = match number {
                0..=8 => (block, number as usize),
                _ => self.neighbour(&spot, a, number)?,
            };
            outer[a] = plane(block, base - cell[a] * step[a] + number * step[a], a, step);
        }
        let slope = averaged(&inner, outer, spot.at);
        Some(Sample::scaled(inner.value, slope, self.unit, self.frame.inverse))
    }
}

impl Sparse {
    /// The block next to that of a spot along an axis, on the side of a plane of nodes that is not in its block, and the
    /// number of that plane there.
    #[inline(always)]
    fn neighbour(&self, spot: &Spot, axis: usize, plane: isize) -> Option<(&[i16], usize)> {
        let mut near = *spot;
        let plane = if plane < 0 {
            near.cell[axis] = spot.cell[axis].checked_sub(Self::CELLS)?;
            plane + 8
        } else {
            near.cell[axis] = spot.cell[axis] + Self::CELLS;
            plane - 8
        };
        if near.cell[axis] >= self.frame.lattice.cells[axis] as usize {
            return None;
        }
        let (slot, _) = self.place(&near);
        (slot != Self::EMPTY).then(|| (self.block(slot), plane as usize))
    }
}
