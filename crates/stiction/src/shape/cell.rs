//! Interpolation in one cell: value, exact gradient, and the gradient averaged over half a cell each side.
//!
//! Source: textbook trilinear interpolation; the averaged gradient is our own.
//!
//! (x, y, z) in 0..=1 is the place in the cell.
//!
//! ```text
//! L(x, y, z) = Σ wᵢ cᵢ                                       (1) trilinear, by nested a + t (b - a)
//! g = ∇L                                                     (2) its exact gradient
//! s_x = L(x + 1/2) - L(x - 1/2)                              (3) over cell faces, likewise for y and z
//! ```
//!
//! L is linear along x in each cell. With P₀, P₁ its values on the two x faces of the cell at (y, z), D₀ = P₁ - P₀ = g_x
//! and D₁ the same difference in the neighbouring cell that is nearer, (3) is
//!
//! ```text
//! x < 1/2:  (1/2 - x) D₁ + (1/2 + x) D₀,   D₁ = P₀ - P₋₁     (4)
//! x ≥ 1/2:  (3/2 - x) D₀ + (x - 1/2) D₁,   D₁ = P₂ - P₁      (5)
//! ```
//!
//! so that one more plane of four nodes along each axis is enough: 20 nodes in all.
//!
//! `a + t (b - a)` gives a exactly where a = b, and never leaves [a, b] when a and b are integers below 2⁵³: the
//! plateau of a quantised field is found by an exact comparison.

use wide::f64x2;

/// A place in a lattice: the cell, and where in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub cell: [usize; 3],
    pub at: [f64; 3],
}

/// Value and gradient per cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inner {
    pub value: f64,
    pub slope: [f64; 3],
}

/// Two nodes that are neighbours along x.
#[inline(always)]
pub(super) fn pair<T: Copy>(nodes: &[T]) -> f64x2
where
    f64: From<T>,
{
    f64x2::new([f64::from(nodes[0]), f64::from(nodes[1])])
}

/// Along x: value and difference.
#[inline(always)]
fn across(pair: f64x2, x: f64) -> (f64, f64) {
    let [a, b] = pair.to_array();
    (a + x * (b - a), b - a)
}

/// The interpolant (1) and its gradient (2), per cell. `edges` are the cell's four edges along x, y fastest.
///
/// Both ends of an edge go through y and z in two lanes, then x is last.
#[inline(always)]
pub(super) fn trilinear(edges: [f64x2; 4], [x, y, z]: [f64; 3]) -> Inner {
    let [a, b, c, d] = edges;
    let (y, z) = (f64x2::splat(y), f64x2::splat(z));
    let (p, q) = (b - a, d - c);
    let (low, high) = (a + y * p, c + y * q);
    let rise = high - low;
    let (value, dx) = across(low + z * rise, x);
    Inner { value, slope: [dx, across(p + z * (q - p), x).0, across(rise, x).0] }
}

/// Interpolation in a face of two edges: `x` along them, `y` from one to the other.
#[inline(always)]
fn bilinear([a, b]: [f64x2; 2], x: f64, y: f64) -> f64 {
    across(a + f64x2::splat(y) * (b - a), x).0
}

/// On which side the plane of nodes is that (4) and (5) need: -1 or 2, counted from the cell's first node.
#[inline(always)]
pub(super) fn outer_plane(at: f64) -> isize {
    3 * isize::from(at >= 0.5) - 1
}

/// The averaged gradient (3), per cell. `outer[a]` has the two edges of the plane [`outer_plane`] along axis a: along x,
/// for a = x along y. Both halves of a cell by one formula, as a branch would be mispredicted half of the time.
#[inline(always)]
pub(super) fn averaged(inner: &Inner, outer: [[f64x2; 2]; 3], at: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = at;
    let faces = [(y, z), (x, z), (x, y)];
    std::array::from_fn(|a| {
        let (t, slope) = (at[a], inner.slope[a]);
        let plane = bilinear(outer[a], faces[a].0, faces[a].1);
        let side = f64::from(u8::from(t >= 0.5));
        let edge = inner.value + (side - t) * slope;
        let next = (2.0 * side - 1.0) * (plane - edge);
        let share = (t - 0.5).abs();
        slope + share * (next - slope)
    })
}

/// The two edges of a plane of nodes that starts at `first`, as [`averaged`] wants them.
#[inline(always)]
pub(super) fn plane<T: Copy>(nodes: &[T], first: usize, axis: usize, step: [usize; 3]) -> [f64x2; 2]
where
    f64: From<T>,
{
    if axis == 0 {
        let [_, b, c] = step;
        let nodes = &nodes[first..first + b + c + 1];
        let node = |i: usize| f64::from(nodes[i]);
        [f64x2::new([node(0), node(b)]), f64x2::new([node(c), node(b + c)])]
    } else {
        let other = step[3 - axis];
        [pair(&nodes[first..first + 2]), pair(&nodes[first + other..first + other + 2])]
    }
}
