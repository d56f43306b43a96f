//! Winding numbers of a closed mesh at all nodes, by counting crossings along rows.
//!
//! The winding number of a closed oriented surface is a whole number: along a ray from the point to infinity, every face that is
//! crossed from inside to outside adds one, every other takes one away. All nodes of a row share the ray along +x, so
//! one list of crossings a row decides all of them, however many solids overlap.
//!
//! A ray must not pass between two faces, or through both, at the edge that they share: the side of an edge (u, v) on
//! which a row lies is the sign of one product, evaluated with u and v in a fixed order, so both faces see the same
//! number. Rows are shifted by some 1e-4 voxels, different along y and z, so that parts whose faces lie in the lattice's
//! planes have no ties; nodes within that of the surface may get the other sign, where it does not matter. As a check
//! the crossings of every row must add up to nothing; a row that fails is cast again with another shift.

use rayon::prelude::*;
use std::ops::Range;
use stiction::spatial::Vec3;

/// Shifts of the rows along y and z, in voxels: the second is for rows that the first fails.
const SHIFTS: [[f64; 2]; 3] = [[3.731e-5, -6.117e-5], [-7.913e-5, 2.339e-5], [5.171e-5, 8.377e-5]];
/// Crossings closer than this, in voxels, are one: two walls in one place count together.
const TOGETHER: f32 = 1e-4;

/// A face crossed by a row.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    x: f32,
    /// One where the row leaves the solid, minus one where it enters.
    turn: i32,
}

/// Crossings of all rows, from low to high x.
#[derive(Debug)]
pub struct FieldRows {
    rows: [usize; 2],
    start: Vec<u32>,
    crossings: Vec<Crossing>,
}

impl FieldRows {
    /// Casts the rows of a lattice with so many nodes through triangles given in voxels. Closed and oriented triangles
    /// are asked for; returns also how many rows do not add up in spite of all shifts.
    pub fn new(triangles: &[[Vec3; 3]], nodes: [usize; 3]) -> (FieldRows, usize) {
        let rows = [nodes[1], nodes[2]];
        let mut cast = Self::cast(triangles, rows, SHIFTS[0]);
        let mut failed = cast.failed();
        for shift in &SHIFTS[1..] {
            if failed.is_empty() {
                break;
            }
            let other = Self::cast(triangles, rows, *shift);
            cast = cast.replace(&failed, &other);
            failed = cast.failed();
        }
        (cast, failed.len())
    }

    /// The nodes with a winding number above zero, as runs, of so many along x from this one on.
    pub fn inside(&self, first: [usize; 3], count: usize) -> impl Iterator<Item = Range<usize>> {
        self.runs(first, count).filter(|(number, _)| *number > 0).map(|(_, run)| run)
    }

    /// Winding numbers of so many nodes along x from this one on, as runs with one number each, the last one first: the turns of all
    /// crossings beyond. Nodes in no run have the number zero.
    fn runs(&self, [x, y, z]: [usize; 3], count: usize) -> impl Iterator<Item = (i32, Range<usize>)> {
        let row = self.row(z * self.rows[0] + y);
        // A crossing is beyond the nodes below it.
        let below = move |crossing: &Crossing| ((crossing.x.ceil() - x as f32).max(0.0) as usize).min(count);
        let mut number = 0;
        (0..row.len()).rev().map(move |i| {
            number += row[i].turn;
            (number, if i == 0 { 0 } else { below(&row[i - 1]) }..below(&row[i]))
        })
    }

    fn row(&self, row: usize) -> &[Crossing] {
        &self.crossings[self.start[row] as usize..self.start[row + 1] as usize]
    }

    /// Rows whose crossings do not add up to nothing.
    fn failed(&self) -> Vec<usize> {
        let sum = |row: &usize| self.row(*row).iter().map(|c| c.turn).sum::<i32>();
        (0..self.rows[0] * self.rows[1]).into_par_iter().filter(|row| sum(row) != 0).collect()
    }

    /// These rows from another cast.
    fn replace(&self, rows: &[usize], other: &FieldRows) -> FieldRows {
        let mut out = FieldRows { rows: self.rows, start: vec![0], crossings: Vec::new() };
        let mut replaced = rows.iter().peekable();
        for row in 0..self.rows[0] * self.rows[1] {
            let source = if replaced.next_if_eq(&&row).is_some() { other } else { self };
            out.crossings.extend_from_slice(source.row(row));
            out.start.push(out.crossings.len() as u32);
        }
        out
    }

    fn cast(triangles: &[[Vec3; 3]], rows: [usize; 2], shift: [f64; 2]) -> FieldRows {
        let total = rows[0] * rows[1];
        // Runs of triangles in a fixed order: the result does not depend on the number of threads.
        let found: Vec<Vec<(u32, Crossing)>> = triangles
            .par_chunks(4096)
            .map(|some| {
                let mut found = Vec::new();
                some.iter().for_each(|t| cross(t, rows, shift, |row, crossing| found.push((row as u32, crossing))));
                found
            })
            .collect();
        let mut start = vec![0u32; total + 1];
        found.iter().flatten().for_each(|(row, _)| start[*row as usize + 1] += 1);
        for row in 0..total {
            start[row + 1] += start[row];
        }
        let mut next = start.clone();
        let mut crossings = vec![Crossing { x: 0.0, turn: 0 }; start[total] as usize];
        for (row, crossing) in found.into_iter().flatten() {
            crossings[next[row as usize] as usize] = crossing;
            next[row as usize] += 1;
        }
        let mut rest = crossings.as_mut_slice();
        for row in 0..total {
            let (these, others) = rest.split_at_mut((start[row + 1] - start[row]) as usize);
            these.sort_by(|a, b| a.x.total_cmp(&b.x));
            for i in 1..these.len() {
                if these[i].x - these[i - 1].x < TOGETHER {
                    these[i].x = these[i - 1].x;
                }
            }
            rest = others;
        }
        FieldRows { rows, start, crossings }
    }
}

/// Tells every row that crosses a triangle, and where.
fn cross(triangle: &[Vec3; 3], rows: [usize; 2], shift: [f64; 2], mut found: impl FnMut(usize, Crossing)) {
    let [a, b, c] = triangle;
    let flat = [a, b, c].map(|p| [p.y, p.z]);
    let normal = (b - a).cross(&(c - a));
    if normal.x == 0.0 {
        // Seen edge on: its neighbours are crossed instead.
        return;
    }
    let range = |k: usize| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        flat.iter().for_each(|p| (low, high) = (low.min(p[k]), high.max(p[k])));
        let first = (low - shift[k]).ceil().max(0.0) as usize;
        let last = (high - shift[k]).floor();
        (first, if last < 0.0 { 0 } else { (last as usize + 1).min(rows[k]) })
    };
    let ((y0, y1), (z0, z1)) = (range(0), range(1));
    let turn = if normal.x > 0.0 { 1 } else { -1 };
    for z in z0..z1 {
        for y in y0..y1 {
            let p = [y as f64 + shift[0], z as f64 + shift[1]];
            let sides = [side(flat[0], flat[1], p), side(flat[1], flat[2], p), side(flat[2], flat[0], p)];
            if sides[0] == sides[1] && sides[1] == sides[2] {
                // On the plane: n · (x, p) = n · a.
                let x = a.x - (normal.y * (p[0] - a.y) + normal.z * (p[1] - a.z)) / normal.x;
                found(z * rows[0] + y, Crossing { x: x as f32, turn });
            }
        }
    }
}

/// Whether a point is left of an edge. Both faces of an edge get opposite answers, whatever the rounding.
fn side(u: [f64; 2], v: [f64; 2], p: [f64; 2]) -> bool {
    let swap = (u[0], u[1]) > (v[0], v[1]);
    let (u, v) = if swap { (v, u) } else { (u, v) };
    let left = (v[0] - u[0]) * (p[1] - u[1]) - (v[1] - u[1]) * (p[0] - u[0]) >= 0.0;
    left != swap
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solids::{Solid, SpurGear};

    fn number(rows: &FieldRows, node: [usize; 3]) -> i32 {
        rows.runs(node, 1).find(|(_, run)| !run.is_empty()).map_or(0, |(number, _)| number)
    }

    #[test]
    fn rows_count_what_solids_hold_even_with_faces_in_lattice_planes() {
        // A box whose faces are planes of nodes, a second one that shares a wall with it, and a third across both.
        let boxed = |low: f64, high: f64, z: [f64; 2]| {
            let mut mesh = Solid::Box { size: [high - low, 6.0, z[1] - z[0]] }.mesh().unwrap();
            let shift = Vec3::new(0.5 * (low + high), 8.0, 0.5 * (z[0] + z[1]));
            mesh.points.iter_mut().for_each(|p| *p += shift);
            mesh
        };
        let mut all = boxed(2.0, 6.0, [4.0, 12.0]);
        all.append(&boxed(6.0, 11.0, [4.0, 12.0]));
        all.append(&boxed(4.0, 8.0, [6.0, 14.0]));
        let triangles: Vec<_> = all.triangles().collect();
        let (rows, failed) = FieldRows::new(&triangles, [17; 3]);
        assert_eq!(failed, 0);
        let within = |x: usize, low: usize, high: usize| usize::from(x > low && x < high);
        for z in 0..17 {
            for y in 0..17 {
                for x in 0..17 {
                    let lattice = [2, 4, 6, 8, 11].contains(&x) || [5, 11].contains(&y) || [4, 6, 12, 14].contains(&z);
                    let wall = x == 6 && !([5, 11].contains(&y) || [4, 6, 12, 14].contains(&z));
                    if lattice && !wall {
                        continue;
                    }
                    let two = if wall { usize::from(x == 6) } else { within(x, 2, 6) + within(x, 6, 11) };
                    let flat = within(y, 5, 11) * within(z, 4, 12);
                    let expected = two * flat + within(x, 4, 8) * within(y, 5, 11) * within(z, 6, 14);
                    assert_eq!(number(&rows, [x, y, z]), expected as i32, "{x} {y} {z}");
                }
            }
        }
    }

    #[test]
    fn every_row_of_a_gear_adds_up() {
        let mesh = Solid::Gear(SpurGear { bore: 10.0, ..SpurGear::standard(4.0, 24, 30.0) }).mesh().unwrap();
        let triangles: Vec<_> = mesh.triangles().map(|t| t.map(|p| p + Vec3::repeat(60.0))).collect();
        let (rows, failed) = FieldRows::new(&triangles, [121; 3]);
        assert_eq!(failed, 0);
        assert!(!rows.crossings.is_empty());
        assert_eq!((number(&rows, [60, 60, 60]), number(&rows, [80, 60, 60]), number(&rows, [119, 60, 60])), (0, 1, 0));
    }
}
