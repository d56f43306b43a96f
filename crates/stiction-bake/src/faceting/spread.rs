//! The allowance of faces brought to where contacts are: to the points of a shell, and to a lattice around the surface.
//!
//! A node of the lattice has the largest allowance of the faces that meet one of the cells around it, where a face counts as thicker by a quarter
//! of a cell to all sides. So within a quarter of a cell of a face the interpolated value is at least the allowance of that face, and
//! it is zero from 2¼ cells on, along any axis. Hollow edges are stretches of their own ([`EdgeAllowance`]), because the field's error at them ends within some voxels.

use super::{Faceting, HollowEdge, MOST_LATTICE_ERROR};
use crate::Mesh;
use crate::diagnose::bvh::{Bvh, around, join};
use crate::diagnose::intersect::{Plane, tolerance};
use rayon::prelude::*;
use stiction::shape::{Aabb, Allowance, EdgeAllowance, EdgeStretch, Lattice, ShapeError, ShellPoint};
use stiction::spatial::Vec3;

/// The spacing of the lattice in voxels of the field, unless that gives too many nodes.
const VOXELS: f64 = 2.0;
/// The most nodes.
const NODES: f64 = 2e6;
/// Cells between the faces and the boundary of the lattice.
const MARGIN: f64 = 2.5;
/// By how much faces count as thicker, in cells.
const THICKER: f64 = 0.25;
/// The sine of the angle beyond which two hollow edges that meet are not one.
const TURNED: f64 = 0.3;
/// How often the distance between nodes along hollow edges is doubled at most.
const COARSER: u32 = 4;
/// Shell points may be this many tolerances off the face they lie on.
const SLACK: f64 = 8.0;

impl Faceting {
    /// The allowance around the faces of the mended mesh, for a field of this voxel; `None` if no face has one. The spacing of
    /// the lattice is two voxels, or as much more as two million nodes demand.
    ///
    /// # Errors
    /// [`ShapeError`] if the mesh is too far from the origin for its size.
    pub fn lattice(&self, mesh: &Mesh, voxel: f64) -> Result<Option<Allowance>, ShapeError> {
        let faces: Vec<(usize, f32)> = self.allowances(voxel).collect();
        let stretches = self.hollow(voxel);
        let edges = if stretches.is_empty() { None } else { Some(along_edges(&stretches, voxel)?) };
        let Some(bounds) = faces.iter().map(|&(f, _)| around(mesh.triangle(f))).reduce(|a, b| join(&a, &b)) else {
            return Ok(edges.map(Allowance::of_edges));
        };
        let lattice = lattice_around(&bounds, VOXELS * voxel);
        lattice.check_size()?;
        let mut values = vec![0.0f32; lattice.node_count()];
        for (f, value) in faces {
            mark(&lattice, mesh.triangle(f), value, &mut values);
        }
        Allowance::new(lattice, values).map(|allowance| Some(allowance.with_edges(edges)))
    }

    /// The allowance of every point of a shell (m): the largest of the faces that the point lies on, of those that look the point's way.
    /// `offset` is the distance of the shell from the surface (m).
    pub fn of_points(&self, mesh: &Mesh, voxel: f64, points: &[ShellPoint], offset: f64) -> Vec<f32> {
        let faces: Vec<(usize, f32)> = self.allowances(voxel).collect();
        let planes: Vec<Plane> = faces.iter().map(|&(f, _)| Plane::new(mesh.triangle(f))).collect();
        let boxes: Vec<Aabb> = planes.iter().map(|p| around(p.corners)).collect();
        let bvh = Bvh::new(&boxes, (0..boxes.len() as u32).collect());
        let slack = offset.abs() + SLACK * tolerance(mesh);
        let of_point = |point: &ShellPoint| {
            let position = point.position;
            let mut most = 0.0f32;
            bvh.near(&Aabb { min: position.add_scalar(-slack), max: position.add_scalar(slack) }, |i| {
                let plane = &planes[i as usize];
                // On an edge of the part the normal is the mean of both sides.
                let on = plane.normal.dot(&(position - plane.corners[0])).abs() <= slack
                    && plane.depth(position) >= -slack
                    && plane.normal.dot(&point.normal) > 0.5;
                most = if on { most.max(faces[i as usize].1) } else { most };
            });
            most
        };
        points.par_iter().map(of_point).collect()
    }

    /// Stretches of hollow edges, and the points where several meet, with the lattice error there.
    fn hollow(&self, voxel: f64) -> Vec<EdgeStretch> {
        let stretch = |e: &HollowEdge| EdgeStretch { ends: e.ends, error: e.allowance(voxel), reach: e.reach(voxel) };
        let mut out: Vec<EdgeStretch> = self.hollow_edges.iter().map(stretch).collect();
        // The ends of stretches by their coordinates' bits: ends that are one corner of the mesh are equal.
        let mut ends: Vec<([u64; 3], Vec3, &HollowEdge)> = Vec::new();
        for edge in &self.hollow_edges {
            for end in edge.ends {
                // To a thousandth of a voxel, because ends are computed from middles.
                let key = [end.x, end.y, end.z].map(|x| (x / (1e-3 * voxel)).round().to_bits());
                ends.push((key, end, edge));
            }
        }
        ends.sort_by_key(|end| end.0);
        let along = |e: &HollowEdge| (e.ends[1] - e.ends[0]).try_normalize(0.0).unwrap_or_default();
        for group in ends.chunk_by(|a, b| a.0 == b.0) {
            let (end, first) = (group[0].1, along(group[0].2));
            if group.iter().any(|(_, _, edge)| along(edge).cross(&first).norm() > TURNED) {
                let sum: f64 = group.iter().map(|(_, _, edge)| edge.allowance(voxel).powi(2)).sum();
                let reach = group.iter().map(|(_, _, edge)| edge.reach(voxel)).fold(0.0, f64::max);
                let error = sum.sqrt().min(MOST_LATTICE_ERROR * voxel).min(f64::from(Allowance::MAX_VALUE));
                out.push(EdgeStretch { ends: [end; 2], error, reach });
            }
        }
        out
    }

    /// Faces with an allowance, and how much, rounded up to single precision.
    fn allowances(&self, voxel: f64) -> impl Iterator<Item = (usize, f32)> {
        let up = |x: f64| if f64::from(x as f32) < x { (x as f32).next_up() } else { x as f32 };
        let some = move |(f, allowance): (usize, f64)| {
            let allowance = up(allowance).min(Allowance::MAX_VALUE);
            (allowance > 0.0).then_some((f, allowance))
        };
        self.face_allowances(voxel).into_iter().enumerate().filter_map(some)
    }
}

/// The allowance along hollow edges, with nodes a voxel apart, or as much more as the edges of a large part demand.
fn along_edges(stretches: &[EdgeStretch], voxel: f64) -> Result<EdgeAllowance, ShapeError> {
    let with = |times: u32| EdgeAllowance::new(stretches, voxel * f64::from(1u32 << times));
    (0..COARSER).find_map(|times| with(times).ok()).map_or_else(|| with(COARSER), Ok)
}

/// A lattice around a box, with a margin.
fn lattice_around(bounds: &Aabb, finest: f64) -> Lattice {
    let size = bounds.max - bounds.min;
    let cells = |spacing: f64| size.map(|x| (x / spacing + 2.0 * MARGIN).ceil());
    let nodes = |spacing: f64| cells(spacing).iter().map(|n| n + 1.0).product::<f64>();
    let mut spacing = finest;
    while nodes(spacing) > NODES {
        spacing *= 1.05;
    }
    let cells = cells(spacing);
    let middle = 0.5 * (bounds.min + bounds.max);
    Lattice { origin: middle - cells * (0.5 * spacing), spacing, cells: [0, 1, 2].map(|a| cells[a] as u32) }
}

/// Raises the nodes of all cells that a triangle meets to a value. A cell meets it if neither the lattice's axes, the triangle's normal nor
/// the three normals of its sides in its plane tell them apart: some cells near corners are taken that need not be.
fn mark(lattice: &Lattice, corners: [Vec3; 3], value: f32, values: &mut [f32]) {
    let h = lattice.spacing;
    let [a, b, c] = corners;
    let normal = (b - a).cross(&(c - a));
    let axes = [normal, (b - a).cross(&normal), (c - b).cross(&normal), (a - c).cross(&normal)].map(|axis| {
        let axis = axis.try_normalize(0.0).unwrap_or_default();
        let reach = corners.map(|p| axis.dot(&p));
        let half = h * (0.5 * (axis.x.abs() + axis.y.abs() + axis.z.abs()) + THICKER);
        let (low, high) = reach.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, u), &x| (l.min(x), u.max(x)));
        (axis, low - half, high + half)
    });
    let bounds = around(corners);
    let cell =
        |x: f64, a: usize| ((x - lattice.origin[a]) / h).floor().clamp(0.0, f64::from(lattice.cells[a] - 1)) as usize;
    let low = [0, 1, 2].map(|a| cell(bounds.min[a] - THICKER * h, a));
    let high = [0, 1, 2].map(|a| cell(bounds.max[a] + THICKER * h, a));
    for k in low[2]..=high[2] {
        for j in low[1]..=high[1] {
            for i in low[0]..=high[0] {
                let centre = lattice.position([i, j, k]) + Vec3::repeat(0.5 * h);
                let met = axes.iter().all(|(axis, low, high)| (*low..=*high).contains(&axis.dot(&centre)));
                if !met {
                    continue;
                }
                for n in 0..8 {
                    let node = &mut values[lattice.index([i + (n & 1), j + (n >> 1 & 1), k + (n >> 2)])];
                    *node = node.max(value);
                }
            }
        }
    }
}
