//! Interpolation in one cell: value, exact gradient, and the gradient averaged over half a cell each side.
//!
//! Source: textbook trilinear interpolation; the averaged gradient is our own.
//!
//! Corners are numbered x fastest, `c[i + 2 j + 4 k]`; (x, y, z) in 0..=1 is the place in the cell.
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

/// The interpolant (1) and its gradient (2), per cell.
#[inline(always)]
pub(super) fn trilinear(c: [f64; 8], [x, y, z]: [f64; 3]) -> Inner {
    let d = [c[1] - c[0], c[3] - c[2], c[5] - c[4], c[7] - c[6]];
    let e = [c[0] + x * d[0], c[2] + x * d[1], c[4] + x * d[2], c[6] + x * d[3]];
    let (f0, f1) = (e[1] - e[0], e[3] - e[2]);
    let (v0, v1) = (e[0] + y * f0, e[2] + y * f1);
    let (g0, g1) = (d[0] + y * (d[1] - d[0]), d[2] + y * (d[3] - d[2]));
    let dz = v1 - v0;
    Inner { value: v0 + z * dz, slope: [g0 + z * (g1 - g0), f0 + z * (f1 - f0), dz] }
}

/// Interpolation in a face, `c[i + 2 j]`.
#[inline(always)]
fn bilinear(c: [f64; 4], x: f64, y: f64) -> f64 {
    let (e0, e1) = (c[0] + x * (c[1] - c[0]), c[2] + x * (c[3] - c[2]));
    e0 + y * (e1 - e0)
}

/// On which side the plane of nodes is that (4) and (5) need: -1 or 2, counted from the cell's first node.
#[inline(always)]
pub(super) fn outer_plane(at: f64) -> isize {
    3 * isize::from(at >= 0.5) - 1
}

/// The averaged gradient (3), per cell. `outer[a]` has the four nodes of the plane [`outer_plane`] along axis a, the
/// other two axes in their cyclic order. Both halves of a cell by one formula, as a branch would be mispredicted half
/// of the time.
#[inline(always)]
pub(super) fn averaged(inner: &Inner, outer: [[f64; 4]; 3], at: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|a| {
        let (t, slope) = (at[a], inner.slope[a]);
        let plane = bilinear(outer[a], at[(a + 1) % 3], at[(a + 2) % 3]);
        let side = f64::from(u8::from(t >= 0.5));
        let edge = inner.value + (side - t) * slope;
        let next = (2.0 * side - 1.0) * (plane - edge);
        let share = (t - 0.5).abs();
        slope + share * (next - slope)
    })
}
