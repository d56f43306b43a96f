//! The point shell as a page gets it.

use super::{put_count, put_floats};
use stiction::shape::PointShell;

/// u32 points, f32 × 3 a point, u8 a point its level: the first one on which it is, 0 the coarsest. Points are stored in nested order and
/// level l holds the first `levels()[l]` of them, so a point's level is the number of levels that end before it.
pub(super) fn encode(shell: &PointShell) -> Vec<u8> {
    let points = shell.points();
    let mut out = Vec::with_capacity(4 + 13 * points.len());
    put_count(&mut out, points.len());
    put_floats(&mut out, points.iter().flat_map(|p| [p.position.x, p.position.y, p.position.z]));
    let level = |i: usize| shell.levels().partition_point(|&end| end as usize <= i);
    out.extend((0..points.len()).map(|i| u8::try_from(level(i)).unwrap_or(u8::MAX)));
    out
}
