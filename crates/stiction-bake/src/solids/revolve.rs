//! Solids of revolution around z.

use super::{MAX_SEGMENTS, SolidError};
use crate::Mesh;
use stiction::spatial::Vec3;

/// Turns a profile of points (distance from the axis, z) around z.
///
/// The profile has the solid on its left: going up, the outside is on the right. A closed profile, whose last point is
/// joined to its first, lies off the axis; an open one begins and ends on the axis and touches it nowhere else.
pub fn revolve(profile: &[[f64; 2]], closed: bool, segments: u32) -> Result<Mesh, SolidError> {
    let wrong = |reason: &str| Err(SolidError::new("solid of revolution", reason));
    let n = profile.len();
    if n < 3 || !(3..=MAX_SEGMENTS).contains(&segments) || n as u64 * u64::from(segments) > 1 << 30 {
        return wrong("too few or too many points");
    }
    if profile.iter().flatten().any(|x| !x.is_finite()) {
        return wrong("a point of its profile is not finite");
    }
    let is_pole = |i: usize| !closed && (i == 0 || i == n - 1);
    if (0..n).any(|i| if is_pole(i) { profile[i][0] != 0.0 } else { !(profile[i][0] > 0.0) }) {
        return wrong("its profile meets the axis where it must not, or misses it where it must");
    }
    let mut mesh = Mesh::default();
    let turns: Vec<(f64, f64)> = (0..segments).map(|j| sin_cos(j, segments)).collect();
    let mut starts = Vec::with_capacity(n);
    for (i, &[r, z]) in profile.iter().enumerate() {
        starts.push(mesh.points.len() as u32);
        if is_pole(i) {
            mesh.points.push(Vec3::new(0.0, 0.0, z));
        } else {
            mesh.points.extend(turns.iter().map(|&(s, c)| Vec3::new(r * c, r * s, z)));
        }
    }
    let point = |i: usize, j: u32| starts[i] + if is_pole(i) { 0 } else { j % segments };
    for i in 0..if closed { n } else { n - 1 } {
        let above = (i + 1) % n;
        for j in 0..segments {
            let [a, b, c, d] = [point(i, j), point(i, j + 1), point(above, j + 1), point(above, j)];
            if a != b {
                mesh.faces.push([a, b, c]);
            }
            if c != d {
                mesh.faces.push([a, c, d]);
            }
        }
    }
    Ok(mesh)
}

/// Sine and cosine of the i-th of n equal parts of a turn; exact at quarters, and symmetric.
pub(super) fn sin_cos(i: u32, n: u32) -> (f64, f64) {
    let (i, n) = (u64::from(i) * 8, u64::from(n));
    // Octant by octant, so that mirror images are equal to the bit.
    let (octant, rest) = (i / n % 8, i % n);
    let angle = |part: u64| part as f64 / n as f64 * std::f64::consts::FRAC_PI_4;
    let (s, c) = if octant % 2 == 0 {
        (libm::sin(angle(rest)), libm::cos(angle(rest)))
    } else {
        (libm::cos(angle(n - rest)), libm::sin(angle(n - rest)))
    };
    match octant / 2 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}
