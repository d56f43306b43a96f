//! The area that each shell point stands for: its Voronoi cell on the surface, from the points alone.
//!
//! In the plane through a point p_i, across the normal of its face, every neighbour p_j of the same face cuts off what is nearer to it. Shells are
//! made by farthest-point order, so that cells are about equally large and no corner of a cell is further from its point than the points' own distance: what
//! has no neighbour is cut at [`CAP`] times their median distance.
//!
//! ```text
//! d_j   p_j - p_i, flattened into the plane, its length kept (an arc counts by its chord, not by its shadow)
//! cell  { x : x·d_j ≤ ‖d_j‖²/2 for all j }
//! ```
//!
//! A point on a convex edge stands for a piece of each face. In the plane of one, the other's normal tells where the face ends, so that half of the cell is
//! left; the mean over its faces is taken, since a contact at an edge is with one of them.

use super::Shape;
use crate::spatial::Vec3;
use std::collections::BTreeMap;

/// Neighbours whose normals have at least this cosine are of the same face.
const SAME_FACE: f64 = 0.8;
/// Normals around an edge point that have at least this cosine are one.
const ONE_NORMAL: f64 = 0.95;
/// Half the width of a cell without neighbours, in median distances of neighbours.
const CAP: f64 = 1.5;
/// Points whose distances are measured for the median.
const MEASURED: usize = 500;

impl Shape {
    /// The area that each shell point stands for (m²). Takes some milliseconds a thousand points: for set-up, not for a tick.
    pub fn point_areas(&self) -> Vec<f64> {
        let points = self.shell.points();
        let edges = self.edges();
        let faces: Vec<Vec<Vec3>> = points
            .iter()
            .enumerate()
            .map(|(i, p)| edges.at(i as u32).map_or_else(|| vec![p.normal], |around| face_normals(&p.normal, around)))
            .collect();
        let of_face = |i: usize, normal: &Vec3| faces[i].iter().any(|n| n.dot(normal) > SAME_FACE);
        let Some(distance) = median_distance(&points.iter().map(|p| p.position).collect::<Vec<_>>()) else {
            return vec![0.0; points.len()];
        };
        let cap = CAP * distance;
        let reach = 2.0 * 2f64.sqrt() * cap;
        let cell_of = |p: &Vec3| [p.x, p.y, p.z].map(|x| (x / reach).floor() as i64);
        let mut grid: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
        for (i, p) in points.iter().enumerate() {
            grid.entry(cell_of(&p.position)).or_default().push(i);
        }
        let mut near = Vec::new();
        let area = |(i, p): (usize, &super::ShellPoint)| {
            let [x, y, z] = cell_of(&p.position);
            near.clear();
            for k in 0..27 {
                let place = [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1];
                near.extend(grid.get(&place).into_iter().flatten().copied().filter(|&j| j != i));
            }
            let on_face = |n: &Vec3| {
                let others = near.iter().filter(|&&j| of_face(j, n)).map(|&j| points[j].position - p.position);
                let ends: Vec<Vec3> = faces[i].iter().filter(|m| *m != n).map(|m| m - n * n.dot(m)).collect();
                cell(n, cap, others, &ends)
            };
            faces[i].iter().map(on_face).sum::<f64>() / faces[i].len() as f64
        };
        points.iter().enumerate().map(area).collect()
    }
}

/// The normals of the faces that meet in an edge point: those around it that are not its own mean and not alone. Its own where there are none.
fn face_normals(own: &Vec3, around: &[Vec3; 8]) -> Vec<Vec3> {
    let alike = |a: &Vec3, b: &Vec3| a.dot(b) > ONE_NORMAL;
    let mut found: Vec<Vec3> = Vec::new();
    for n in around {
        let votes = around.iter().filter(|m| alike(n, m)).count();
        if votes >= 2 && !alike(n, own) && !found.iter().any(|m| alike(n, m)) {
            found.push(*n);
        }
    }
    if found.is_empty() { vec![*own] } else { found }
}

/// The median distance of some points to their nearest neighbours; none for fewer than two points.
fn median_distance(points: &[Vec3]) -> Option<f64> {
    let stride = points.len().div_ceil(MEASURED).max(1);
    let nearest = |i: usize| {
        let others = points.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, q)| (q - points[i]).norm_squared()).fold(f64::INFINITY, f64::min).sqrt()
    };
    let mut all: Vec<f64> = (0..points.len()).step_by(stride).map(nearest).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().filter(|d| d.is_finite() && *d > 0.0)
}

/// The area of a cell around the origin across `normal`, cut by bisectors to `others` and, on its smaller side, where a face ends.
fn cell(normal: &Vec3, cap: f64, others: impl Iterator<Item = Vec3>, ends: &[Vec3]) -> f64 {
    let u = normal.cross(&if normal.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() });
    let (u, v) = (u / u.norm(), normal.cross(&(u / u.norm())));
    let mut polygon = vec![[-cap, -cap], [cap, -cap], [cap, cap], [-cap, cap]];
    for d in others {
        let flat = [d.dot(&u), d.dot(&v)];
        let (short, long) = (flat[0].hypot(flat[1]), d.norm());
        if short > 0.5 * long {
            let stretched = flat.map(|x| x * long / short);
            polygon = clipped(&polygon, stretched, 0.5 * long * long);
        }
    }
    for end in ends {
        let out = [end.dot(&u), end.dot(&v)];
        let halves = [clipped(&polygon, out, 0.0), clipped(&polygon, out.map(|x| -x), 0.0)];
        polygon = if area(&halves[0]) <= area(&halves[1]) { halves[0].clone() } else { halves[1].clone() };
    }
    area(&polygon)
}

/// What of a convex polygon has x·d ≤ most.
fn clipped(polygon: &[[f64; 2]], d: [f64; 2], most: f64) -> Vec<[f64; 2]> {
    let height = |p: &[f64; 2]| p[0] * d[0] + p[1] * d[1] - most;
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (i, p) in polygon.iter().enumerate() {
        let q = &polygon[(i + 1) % polygon.len()];
        let (a, b) = (height(p), height(q));
        if a <= 0.0 {
            out.push(*p);
        }
        if (a <= 0.0) != (b <= 0.0) {
            let t = a / (a - b);
            out.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
        }
    }
    out
}

fn area(polygon: &[[f64; 2]]) -> f64 {
    let cross = |(i, p): (usize, &[f64; 2])| {
        let q = polygon[(i + 1) % polygon.len()];
        p[0] * q[1] - p[1] * q[0]
    };
    0.5 * polygon.iter().enumerate().map(cross).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cell_of_a_square_grid_is_a_square_and_half_of_it_at_an_edge() {
        let others = || {
            let grid = (-2..=2).flat_map(|i| (-2..=2).map(move |j| (i, j)));
            grid.filter(|p| *p != (0, 0)).map(|(i, j)| Vec3::new(f64::from(i), f64::from(j), 0.0))
        };
        assert!((cell(&Vec3::z(), 1.5, others(), &[]) - 1.0).abs() < 1e-12);
        // The face ends at x = 0, so that there are no points beyond.
        let one_side = others().filter(|p| p.x <= 0.0);
        assert!((cell(&Vec3::z(), 1.5, one_side, &[Vec3::x()]) - 0.5).abs() < 1e-12);
    }
}
