//! Slices through a distance field, for a page to colour.

use super::{put_count, put_floats};
use serde::Deserialize;
use stiction::shape::Shape;
use stiction::spatial::Vec3;

/// The most points along either side of a slice: 100 kB to send, and a millisecond to sample.
pub const MAX_POINTS: usize = 160;

/// The axis that a slice is across.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SliceAxis {
    /// Columns run along y, rows along z.
    X,
    /// Columns run along z, rows along x.
    Y,
    /// Columns run along x, rows along y.
    #[default]
    Z,
}

/// Distances of a shape on a plane across an axis of its field's box, as the body of `/api/slice`: u32 columns, u32 rows, f32 × 3 each:
/// origin, u, v; then f32 row by row. The point of column c and row r is origin + c u + r v; u, v and the axis are right-handed. `at` is
/// where along the axis, from 0 to 1 (clamped; 0.5 where it is no number). The longer side of the box gets `cells` cells, as far as
/// [`MAX_POINTS`] allows, the other as many of the same size as cover it, so that its outermost points may lie beyond the box.
///
/// Away from the surface a sparse field is only a bound of the distance, at least its band: that is what the engine feels.
pub fn slice(shape: &Shape, axis: SliceAxis, at: f64, cells: usize) -> Vec<u8> {
    let bounds = shape.field.lattice().bounds();
    let size = bounds.max - bounds.min;
    let a = axis as usize;
    let (u, v) = ((a + 1) % 3, (a + 2) % 3);
    let at = if at.is_finite() { at.clamp(0.0, 1.0) } else { 0.5 };
    let step = size[u].max(size[v]) / cells.clamp(1, MAX_POINTS - 1) as f64;
    // Sides that are a whole number of cells up to rounding get no cell more.
    let points = |side: usize| (size[side] / step - 1e-9).ceil().clamp(1.0, (MAX_POINTS - 1) as f64) as usize + 1;
    let (columns, rows) = (points(u), points(v));
    let mut origin = bounds.min;
    origin[a] += at * size[a];
    for (side, count) in [(u, columns), (v, rows)] {
        origin[side] -= 0.5 * ((count - 1) as f64 * step - size[side]);
    }
    let along = |side: usize| Vec3::from_fn(|i, _| if i == side { step } else { 0.0 });
    let mut out = Vec::with_capacity(44 + 4 * columns * rows);
    put_count(&mut out, columns);
    put_count(&mut out, rows);
    put_floats(&mut out, [origin, along(u), along(v)].iter().flat_map(|p| [p.x, p.y, p.z]));
    for row in 0..rows {
        let start = origin + along(v) * row as f64;
        put_floats(&mut out, (0..columns).map(|c| shape.field.distance(start + along(u) * c as f64)));
    }
    out
}
