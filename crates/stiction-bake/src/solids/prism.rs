//! Prisms over a polygon without holes.

use super::{Planar, SolidError, extrude};
use crate::Mesh;

/// Most corners of an outline: cutting off ears takes time by their cube.
const MOST_CORNERS: usize = 1000;
/// Share of the outline's size below which sides have no length and corners lie on a line.
const TINY: f64 = 1e-9;

/// The prism over an outline, in either sense of turning, along z and centred there.
pub(super) fn prism(outline: &[[f64; 2]], length: f64) -> Result<Mesh, SolidError> {
    let points = counter_clockwise(outline);
    let triangles =
        ears(&points).ok_or_else(|| SolidError::new("prism", "its outline cannot be cut into triangles"))?;
    Ok(extrude(&Planar { points, triangles }, -0.5 * length, 0.5 * length, 1))
}

/// The outline, turning left.
pub(super) fn counter_clockwise(outline: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut points = outline.to_vec();
    if signed_area(&points) < 0.0 {
        points.reverse();
    }
    points
}

/// Whether an outline is a polygon: enough corners, sides with a length that meet only at common corners, and an area.
pub(super) fn check(outline: &[[f64; 2]]) -> Result<(), String> {
    let n = outline.len();
    if !(3..=MOST_CORNERS).contains(&n) {
        return Err(format!("its outline has {n} corners, not from 3 to {MOST_CORNERS}"));
    }
    if let Some([x, y]) = outline.iter().find(|p| p.iter().any(|x| !(x.abs() < 1e9))) {
        return Err(format!("the corner [{x}, {y}] of its outline is not within 1e9 m"));
    }
    let reach = |axis: usize| {
        let all = outline.iter().map(|p| p[axis]);
        all.clone().fold(f64::NEG_INFINITY, f64::max) - all.fold(f64::INFINITY, f64::min)
    };
    let size = reach(0).hypot(reach(1));
    if !(signed_area(outline).abs() > TINY * size * size) {
        return Err("its outline encloses no area".into());
    }
    let side = |i: usize| [outline[i], outline[(i + 1) % n]];
    let empty = |i: &usize| {
        let [a, b] = side(*i);
        (a[0] - b[0]).hypot(a[1] - b[1]) <= TINY * size
    };
    if let Some(i) = (0..n).find(empty) {
        return Err(format!("corners {i} and {} of its outline are the same point", (i + 1) % n));
    }
    for i in 0..n {
        for j in i + 1..n {
            let neighbours = j == i + 1 || (i == 0 && j == n - 1);
            if !neighbours && cross_or_touch(side(i), side(j), TINY * size * size) {
                return Err(format!("sides {i} and {j} of its outline cross or touch"));
            }
        }
    }
    Ok(())
}

pub(super) fn signed_area(polygon: &[[f64; 2]]) -> f64 {
    let next = |i: usize| polygon[(i + 1) % polygon.len()];
    (0..polygon.len()).map(|i| 0.5 * (polygon[i][0] * next(i)[1] - polygon[i][1] * next(i)[0])).sum()
}

/// Twice the area of a triangle, positive if it turns left.
pub(super) fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

pub(super) fn cross_or_touch([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2], tiny: f64) -> bool {
    let apart = |p: [f64; 2], q: [f64; 2], r: [f64; 2], s: [f64; 2]| {
        let (u, v) = (turn(p, q, r), turn(p, q, s));
        (u > tiny && v > tiny) || (u < -tiny && v < -tiny)
    };
    let beside = |axis: usize| {
        let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
        c[axis].max(d[axis]) < low || c[axis].min(d[axis]) > high
    };
    !(apart(a, b, c, d) || apart(c, d, a, b) || beside(0) || beside(1))
}

/// Triangles of a counter-clockwise polygon, by cutting off ears; corners on a straight side come last.
pub(super) fn ears(polygon: &[[f64; 2]]) -> Option<Vec<[u32; 3]>> {
    let mut left: Vec<u32> = (0..polygon.len() as u32).collect();
    let mut out = Vec::with_capacity(polygon.len() - 2);
    let at = |i: u32| polygon[i as usize];
    while left.len() > 2 {
        let n = left.len();
        let ear = (0..n).find(|&i| {
            let [a, b, c] = [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
            let [p, q, r] = [a, b, c].map(at);
            let inside = |x: [f64; 2]| turn(p, q, x) >= 0.0 && turn(q, r, x) >= 0.0 && turn(r, p, x) >= 0.0;
            turn(p, q, r) > 0.0 && !left.iter().any(|&x| ![a, b, c].contains(&x) && inside(at(x)))
        })?;
        out.push([left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]]);
        left.remove(ear);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use crate::mass;
    use crate::solids::Solid;

    #[test]
    fn prisms_have_the_volume_of_their_outline() {
        // A wedge, an L told clockwise, and a comb with corners on a straight side.
        let wedge = vec![[0.0, 0.0], [0.3, 0.0], [0.0, 0.1]];
        let ell = vec![[0.0, 0.0], [0.0, 0.3], [0.1, 0.3], [0.1, 0.1], [0.3, 0.1], [0.3, 0.0]];
        let comb = vec![
            [0.0, 0.0],
            [0.2, 0.0],
            [0.4, 0.0],
            [0.4, 0.2],
            [0.3, 0.2],
            [0.3, 0.1],
            [0.1, 0.1],
            [0.1, 0.2],
            [0.0, 0.2],
        ];
        for (outline, area) in [(wedge, 0.015), (ell, 0.05), (comb, 0.06)] {
            let mesh = Solid::Prism { outline, length: 0.5 }.mesh().unwrap();
            let volume = mass::of_mesh(&mesh).volume;
            assert!((volume - 0.5 * area).abs() < 1e-15, "{volume}");
            let box_ = mesh.bounds().unwrap();
            assert!(box_.min.z == -0.25 && box_.max.z == 0.25);
        }
    }

    #[test]
    fn outlines_that_are_no_polygon_are_refused() {
        let bow = vec![[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.5]];
        let flat = vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]];
        let twice = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let endless = vec![[0.0, 0.0], [f64::NAN, 0.0], [0.0, 1.0]];
        let pinched = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        for (outline, why) in [
            (bow, "cross"),
            (flat, "no area"),
            (twice, "same point"),
            (endless, "1e9"),
            (pinched, "touch"),
            (vec![], "0 corners"),
        ] {
            let error = Solid::Prism { outline, length: 0.5 }.mesh().unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
