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
