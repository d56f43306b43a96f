//! Plane regions with holes: closed contours, whether they fit into each other, and their triangles.
//!
//! Holes are joined to the outline by bridges, from the hole that reaches furthest to the right on (D. Eberly, *Triangulation by ear clipping*, 2002), so that one
//! polygon is left, whose ears are cut off. Points stay shared, and an edge with triangles on one side only is one of a contour.

use super::Planar;
use super::prism::{cross_or_touch, signed_area, turn};
use super::revolve::sin_cos;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// A polygon.
pub(super) type Contour = Vec<[f64; 2]>;

/// A circle by its middle and radius, counter-clockwise, its points on the true circle.
pub(super) fn circle([x, y, radius]: [f64; 3], segments: u32) -> Contour {
    let at = |i: u32| {
        let (s, c) = sin_cos(i, segments);
        [x + radius * c, y + radius * s]
    };
    (0..segments).map(at).collect()
}

/// A rectangle by its middle, lengths and the radius of its corners, counter-clockwise.
pub(super) fn window([x, y, along, across, radius]: [f64; 5], segments: u32) -> Option<Contour> {
    let [a, b] = [along / 2.0, across / 2.0];
    rounded(&[[x - a, y - b], [x + a, y - b], [x + a, y + b], [x - a, y + b]], radius, segments)
}

/// A polygon with arcs of a radius for corners; `None` if a side is too short for them.
pub(super) fn rounded(corners: &[[f64; 2]], radius: f64, segments: u32) -> Option<Contour> {
    if radius == 0.0 {
        return Some(corners.to_vec());
    }
    let n = corners.len();
    let side = |i: usize| {
        let (a, b) = (corners[i % n], corners[(i + 1) % n]);
        let d = [b[0] - a[0], b[1] - a[1]];
        let length = libm::sqrt(d[0] * d[0] + d[1] * d[1]);
        ([d[0] / length, d[1] / length], length)
    };
    // How far from each corner its arc begins: r tan(turn / 2).
    let turns: Vec<f64> = (0..n)
        .map(|i| {
            let (before, after) = (side(i + n - 1).0, side(i).0);
            let sine = before[0] * after[1] - before[1] * after[0];
            libm::atan2(sine, before[0] * after[0] + before[1] * after[1])
        })
        .collect();
    let begin: Vec<f64> = turns.iter().map(|turn| radius * libm::tan(turn.abs() / 2.0)).collect();
    // Arcs that touch each other share a point: a hair more than the side is rounding.
    let fits = |i: usize| begin[i] + begin[(i + 1) % n] <= side(i).1 * (1.0 + 1e-12);
    if !(0..n).all(fits) {
        return None;
    }
    let mut out = Contour::new();
    for i in 0..n {
        let (before, turn) = (side(i + n - 1).0, turns[i]);
        let start = [corners[i][0] - begin[i] * before[0], corners[i][1] - begin[i] * before[1]];
        let inward = if turn > 0.0 { [-before[1], before[0]] } else { [before[1], -before[0]] };
        let pieces = arc_pieces(turn, segments);
        for k in 0..=pieces {
            let angle = turn.abs() * f64::from(k) / f64::from(pieces);
            let (s, c) = (libm::sin(angle), 1.0 - libm::cos(angle));
            let point = [0, 1].map(|axis| start[axis] + radius * (s * before[axis] + c * inward[axis]));
            let apart = |p: &[f64; 2]| (p[0] - point[0]).hypot(p[1] - point[1]) > 1e-9 * radius;
            if out.last().is_none_or(apart) && out.first().is_none_or(apart) {
                out.push(point);
            }
        }
    }
    Some(out)
}

/// Whether holes lie in the outline and apart from each other; if not, which do not.
pub(super) fn check(outline: &Contour, holes: &[Contour]) -> Result<(), String> {
    let extent = |axis: usize| {
        let all = outline.iter().map(|p| p[axis]);
        all.clone().fold(f64::MIN, f64::max) - all.fold(f64::MAX, f64::min)
    };
    let tiny = 1e-12 * (extent(0).powi(2) + extent(1).powi(2));
    let sides = |c: &Contour| (0..c.len()).map(|i| [c[i], c[(i + 1) % c.len()]]).collect::<Vec<_>>();
    let meet = |a: &Contour, b: &Contour| {
        let others = sides(b);
        sides(a).iter().any(|s| others.iter().any(|t| cross_or_touch(*s, *t, tiny)))
    };
    for (i, hole) in holes.iter().enumerate() {
        if meet(outline, hole) || !inside(outline, hole[0]) {
            return Err(format!("hole {i} is not within its outline"));
        }
        for (j, other) in holes[..i].iter().enumerate() {
            if meet(hole, other) || inside(hole, other[0]) || inside(other, hole[0]) {
                return Err(format!("holes {j} and {i} meet"));
            }
        }
    }
    Ok(())
}

/// Whether a point lies in a polygon: its sides are crossed an odd number of times on the way to the right.
fn inside(polygon: &Contour, p: [f64; 2]) -> bool {
    let crossed = |i: usize| {
        let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    };
    (0..polygon.len()).filter(|i| crossed(*i)).count() % 2 == 1
}

/// The region between an outline and its holes, each turning either way; `None` where rounding spoils it.
pub(super) fn region(outline: &Contour, holes: &[Contour]) -> Option<Planar> {
    let mut points = outline.clone();
    if signed_area(&points) < 0.0 {
        points.reverse();
    }
    let mut polygon: Vec<u32> = (0..points.len() as u32).collect();
    let mut left: Vec<Vec<u32>> = holes
        .iter()
        .map(|hole| {
            let first = points.len() as u32;
            let mut ring: Vec<u32> = (first..first + hole.len() as u32).collect();
            points.extend_from_slice(hole);
            // Around a hole the region is on the left too.
            if signed_area(hole) > 0.0 {
                ring.reverse();
            }
            let rightmost = (0..ring.len())
                .fold(0, |best, i| if points[ring[i] as usize][0] > points[ring[best] as usize][0] { i } else { best });
            ring.rotate_left(rightmost);
            ring
        })
        .collect();
    left.sort_by(|a, b| points[b[0] as usize][0].total_cmp(&points[a[0] as usize][0]));
    for ring in left {
        let at = visible(&points, &polygon, points[ring[0] as usize])?;
        let mut joined = polygon[..=at].to_vec();
        joined.extend_from_slice(&ring);
        joined.push(ring[0]);
        joined.extend_from_slice(&polygon[at..]);
        polygon = joined;
    }
    let triangles = ears(&points, polygon)?;
    Some(Planar { points, triangles })
}

/// Triangles of a counter-clockwise polygon, by cutting off ears all around, so that they become no fans.
fn ears(points: &[[f64; 2]], mut left: Vec<u32>) -> Option<Vec<[u32; 3]>> {
    let mut out = Vec::with_capacity(left.len());
    let (mut at, mut refused) = (0, 0);
    while left.len() > 2 {
        let n = left.len();
        let corners = [left[(at + n - 1) % n], left[at % n], left[(at + 1) % n]];
        let [p, q, r] = corners.map(|i| points[i as usize]);
        let covers = |x: [f64; 2]| {
            let outside = |axis: usize| {
                let (low, high) = (p[axis].min(q[axis]).min(r[axis]), p[axis].max(q[axis]).max(r[axis]));
                x[axis] < low || x[axis] > high
            };
            !outside(0) && !outside(1) && turn(p, q, x) >= 0.0 && turn(q, r, x) >= 0.0 && turn(r, p, x) >= 0.0
        };
        if turn(p, q, r) > 0.0 && !left.iter().any(|i| !corners.contains(i) && covers(points[*i as usize])) {
            out.push(corners);
            left.remove(at % n);
            (at, refused) = ((at + 1) % (n - 1), 0);
        } else {
            (at, refused) = ((at + 1) % n, refused + 1);
            if refused > n {
                return None;
            }
        }
    }
    Some(out)
}

/// The place in a polygon of a corner that a point within sees: of the side that is met first to the right its right end, or, where corners are in the way, of
/// those the one nearest in direction.
fn visible(points: &[[f64; 2]], polygon: &[u32], from: [f64; 2]) -> Option<usize> {
    let n = polygon.len();
    let at = |i: usize| points[polygon[i % n] as usize];
    let mut met: Option<(f64, usize)> = None;
    for i in 0..n {
        let (a, b) = (at(i), at(i + 1));
        // The region is on the left of its sides, so those that go up bound it on the right.
        if a[1] <= from[1] && b[1] > from[1] {
            let x = a[0] + (from[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
            if x >= from[0] && met.is_none_or(|(nearest, _)| x < nearest) {
                met = Some((x, i));
            }
        }
    }
    let (x, side) = met?;
    let end = if at(side)[0] > at(side + 1)[0] { side } else { (side + 1) % n };
    if at(side)[1] == from[1] {
        return Some(side);
    }
    let (hit, corner) = ([x, from[1]], at(end));
    let within = |p: [f64; 2]| {
        let sides = [turn(from, hit, p), turn(hit, corner, p), turn(corner, from, p)];
        sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0)
    };
    let slope = |p: [f64; 2]| {
        let (dx, dy) = (p[0] - from[0], (p[1] - from[1]).abs());
        (dy / dx, dx * dx + dy * dy)
    };
    let hollow = |i: usize| turn(at(i + n - 1), at(i), at(i + 1)) <= 0.0;
    // Whether the way to the point leaves a corner into the region: bridges make several corners of one point, of which one faces it.
    let faces = |i: usize| {
        let (before, here, after) = (at(i + n - 1), at(i), at(i + 1));
        let (enters, leaves) = (turn(before, here, from) > 0.0, turn(here, after, from) > 0.0);
        if turn(before, here, after) > 0.0 { enters && leaves } else { enters || leaves }
    };
    let blocking = (0..n).filter(|&i| hollow(i) && at(i)[0] > from[0] && within(at(i)) && faces(i));
    let nearest =
        blocking.min_by(|&i, &j| slope(at(i)).partial_cmp(&slope(at(j))).unwrap_or(std::cmp::Ordering::Equal));
    let same = |i: &usize| at(*i) == corner && faces(*i);
    nearest.or_else(|| (0..n).find(same)).or(Some(end))
}

impl Planar {
    /// The region with its triangles cut along lines x = c, which ascend. Points nearer than a tolerance to a line are on it.
    pub(super) fn cut_across(mut self, lines: &[f64], tolerance: f64) -> Planar {
        for p in &mut self.points {
            if let Some(line) = lines.iter().find(|line| (p[0] - **line).abs() <= tolerance) {
                p[0] = *line;
            }
        }
        // Neighbours cut the side between them into the same pieces, one after the other, so that they find each other's points.
        let mut between: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut triangles = Vec::with_capacity(self.triangles.len());
        for triangle in std::mem::take(&mut self.triangles) {
            let mut rest = triangle.to_vec();
            for &line in lines {
                let side = |i: u32| self.points[i as usize][0].total_cmp(&line) as i32;
                let sides: Vec<i32> = rest.iter().map(|i| side(*i)).collect();
                if !(sides.contains(&1) && sides.contains(&-1)) {
                    continue;
                }
                let mut halves = [Vec::new(), Vec::new()];
                for k in 0..rest.len() {
                    let next = (k + 1) % rest.len();
                    let (i, j) = (rest[k], rest[next]);
                    (0..2).filter(|half| sides[k] * (2 * half - 1) >= 0).for_each(|half| halves[half as usize].push(i));
                    if sides[k] * sides[next] < 0 {
                        let middle = *between.entry([i.min(j), i.max(j)]).or_insert_with(|| {
                            let (a, b) = (self.points[i.min(j) as usize], self.points[i.max(j) as usize]);
                            self.points.push([line, a[1] + (line - a[0]) / (b[0] - a[0]) * (b[1] - a[1])]);
                            self.points.len() as u32 - 1
                        });
                        halves.iter_mut().for_each(|half| half.push(middle));
                    }
                }
                let [before, after] = halves;
                triangles.extend((2..before.len()).map(|i| [before[0], before[i - 1], before[i]]));
                rest = after;
            }
            triangles.extend((2..rest.len()).map(|i| [rest[0], rest[i - 1], rest[i]]));
        }
        self.triangles = triangles;
        self
    }
}

/// Facets of an arc by an angle (rad), of so many for a whole turn; at least one.
pub(super) fn arc_pieces(angle: f64, segments: u32) -> u32 {
    (angle.abs() / TAU * f64::from(segments) - 1e-9).ceil().max(1.0) as u32
}
