//! Solids of rectangular cells: some cells of an uneven grid are filled, the mesh is the boundary between filled and
//! empty. Faces share the grid's points, so the mesh is watertight where no two filled cells meet in only an edge or
//! a point, which is so for all solids here.

use crate::Mesh;
use std::collections::HashMap;
use stiction::spatial::Vec3;

/// A box around the origin.
pub(super) fn block(size: [f64; 3]) -> Mesh {
    let axes = size.map(|s| vec![-s / 2.0, s / 2.0]);
    boundary(&axes, |_| true)
}

/// An L profile along z, inner edge on the z axis.
pub(super) fn l_bar(legs: [f64; 2], thickness: f64, length: f64) -> Mesh {
    let axes = [vec![-thickness, 0.0, legs[0]], vec![-thickness, 0.0, legs[1]], vec![-length / 2.0, length / 2.0]];
    boundary(&axes, |[i, j, _]| i == 0 || j == 0)
}

/// Three walls, inner corner at the origin.
pub(super) fn corner(size: f64, thickness: f64) -> Mesh {
    let axis = vec![-thickness, 0.0, size];
    boundary(&[axis.clone(), axis.clone(), axis], |[i, j, k]| i == 0 || j == 0 || k == 0)
}

/// A plate with a rectangular hole.
pub(super) fn framed(size: [f64; 2], thickness: f64, hole: [f64; 2]) -> Mesh {
    let axis = |i: usize| vec![-size[i] / 2.0, -hole[i] / 2.0, hole[i] / 2.0, size[i] / 2.0];
    boundary(&[axis(0), axis(1), vec![-thickness / 2.0, thickness / 2.0]], |[i, j, _]| i != 1 || j != 1)
}

/// The parts of a box.
pub(super) fn block_parts(size: [f64; 3]) -> Vec<Vec<Vec3>> {
    vec![corners_of(size.map(|s| [-s / 2.0, s / 2.0]))]
}

/// The legs of an L profile: the one along x with the edge, and the other.
pub(super) fn l_bar_parts(legs: [f64; 2], thickness: f64, length: f64) -> Vec<Vec<Vec3>> {
    let z = [-length / 2.0, length / 2.0];
    vec![corners_of([[-thickness, legs[0]], [-thickness, 0.0], z]), corners_of([[-thickness, 0.0], [0.0, legs[1]], z])]
}

/// Three walls: the floor, and what is above it of the others.
pub(super) fn corner_parts(size: f64, thickness: f64) -> Vec<Vec<Vec3>> {
    let (all, wall, inside) = ([-thickness, size], [-thickness, 0.0], [0.0, size]);
    vec![corners_of([all, all, wall]), corners_of([all, wall, inside]), corners_of([wall, inside, inside])]
}

/// Four bars around a rectangular hole, two of them as long as the plate.
pub(super) fn framed_parts(size: [f64; 2], thickness: f64, hole: [f64; 2]) -> Vec<Vec<Vec3>> {
    let ([x, y], [u, v], z) = (size.map(|s| s / 2.0), hole.map(|s| s / 2.0), [-thickness / 2.0, thickness / 2.0]);
    vec![
        corners_of([[-x, x], [-y, -v], z]),
        corners_of([[-x, x], [v, y], z]),
        corners_of([[-x, -u], [-v, v], z]),
        corners_of([[u, x], [-v, v], z]),
    ]
}

/// The corners of a box from its least and largest coordinates.
fn corners_of([x, y, z]: [[f64; 2]; 3]) -> Vec<Vec3> {
    (0..8).map(|i| Vec3::new(x[i & 1], y[i >> 1 & 1], z[i >> 2])).collect()
}

/// The boundary of the filled cells of a grid with the given planes along each axis.
fn boundary(axes: &[Vec<f64>; 3], filled: impl Fn([usize; 3]) -> bool) -> Mesh {
    let cells = [axes[0].len() - 1, axes[1].len() - 1, axes[2].len() - 1];
    let mut mesh = Mesh::default();
    let mut known: HashMap<[usize; 3], u32> = HashMap::new();
    for k in 0..cells[2] {
        for j in 0..cells[1] {
            for i in 0..cells[0] {
                let cell = [i, j, k];
                if !filled(cell) {
                    continue;
                }
                for axis in 0..3 {
                    for side in 0..2 {
                        let beyond = cell[axis].checked_add_signed(2 * side as isize - 1);
                        let covered = beyond.is_some_and(|n| n < cells[axis] && filled(with(cell, axis, n)));
                        if !covered {
                            let quad = quad(cell, axis, side).map(|node| {
                                *known.entry(node).or_insert_with(|| {
                                    mesh.points.push(Vec3::new(axes[0][node[0]], axes[1][node[1]], axes[2][node[2]]));
                                    mesh.points.len() as u32 - 1
                                })
                            });
                            mesh.faces.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
                        }
                    }
                }
            }
        }
    }
    mesh
}

fn with(mut cell: [usize; 3], axis: usize, value: usize) -> [usize; 3] {
    cell[axis] = value;
    cell
}

/// The corners of one side of a cell, counter-clockwise seen from outside.
fn quad(cell: [usize; 3], axis: usize, side: usize) -> [[usize; 3]; 4] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let base = with(cell, axis, cell[axis] + side);
    let corner = |a: usize, b: usize| with(with(base, u, base[u] + a), v, base[v] + b);
    let ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
    if side == 1 { ring } else { [ring[0], ring[3], ring[2], ring[1]] }
}
