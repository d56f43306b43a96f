//! Whether points of a mesh are on the boundary of its union, and which sheets are walls inside it.

use super::Exposed;
use crate::Mesh;
use crate::diagnose::Mended;
use crate::diagnose::bvh::{Bvh, around};
use crate::diagnose::edges::Edges;
use crate::diagnose::intersect::{Plane, tolerance};
use crate::diagnose::union::Union;
use crate::diagnose::weld::is_needle;
use crate::diagnose::winding::Winding;
use rayon::prelude::*;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;

/// Points further than this many ε from all faces are not on the boundary.
const SLACK: f64 = 8.0;

/// The boundary of a union and all sheets, to be asked for points.
pub struct Boundary {
    planes: Vec<Plane>,
    bvh: Bvh,
    slack: f64,
}

impl Boundary {
    /// The boundary of a mended mesh.
    pub fn new(mended: &Mended, exposed: &Exposed) -> Self {
        let sheets = mended.mesh.triangles().zip(&mended.sheet).filter(|(_, sheet)| **sheet).map(|(t, _)| t);
        let planes: Vec<Plane> =
            exposed.mesh.triangles().chain(sheets).filter(|&t| !is_needle(t)).map(Plane::new).collect();
        let boxes: Vec<Aabb> = planes.iter().map(|p| around(p.corners)).collect();
        let bvh = Bvh::new(&boxes, (0..boxes.len() as u32).collect());
        Boundary { planes, bvh, slack: SLACK * tolerance(&mended.mesh) }
    }

    /// Whether a point of the mesh is on the boundary.
    pub fn has(&self, point: Vec3) -> bool {
        let bounds = Aabb { min: point.add_scalar(-self.slack), max: point.add_scalar(self.slack) };
        let mut found = false;
        self.bvh.near(&bounds, |i| {
            let plane = &self.planes[i as usize];
            found |=
                plane.normal.dot(&(point - plane.corners[0])).abs() <= self.slack && plane.depth(point) >= -self.slack;
        });
        found
    }
}

/// For every face whether it belongs to a sheet that is all inside the solid: a wall, as left where two solids had one
/// in common. Asked in the middle of every face and near its corners.
pub fn walls(mended: &Mended) -> Vec<bool> {
    let mut out = vec![false; mended.sheet.len()];
    let (sheets, solid): (Vec<u32>, Vec<u32>) = (0..mended.sheet.len() as u32).partition(|&f| mended.sheet[f as usize]);
    if sheets.is_empty() || solid.is_empty() || !mended.oriented {
        return out;
    }
    let boxes: Vec<Aabb> = mended.mesh.triangles().map(around).collect();
    let flip = vec![false; out.len()];
    let winding = Winding::new(&mended.mesh, &flip, &boxes, solid);
    let inside = |&f: &u32| {
        let corners = mended.mesh.triangle(f as usize);
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let near = corners.map(|p| p + (middle - p) * 0.1);
        winding.at(middle) > 0.5 && near.iter().all(|&p| winding.at(p) > 0.5)
    };
    let buried: Vec<bool> = sheets.par_iter().map(inside).collect();
    let own = Mesh { points: Vec::new(), faces: sheets.iter().map(|&f| mended.mesh.faces[f as usize]).collect() };
    let mut union = Union::new(sheets.len());
    for group in Edges::new(&own.faces).groups() {
        group.windows(2).for_each(|pair| {
            union.join(pair[0].face, pair[1].face);
        });
    }
    let (of, count) = union.number();
    let mut all = vec![true; count];
    of.iter().zip(&buried).for_each(|(&sheet, buried)| all[sheet as usize] &= *buried);
    sheets.iter().zip(of).for_each(|(&f, sheet)| out[f as usize] = all[sheet as usize]);
    out
}
