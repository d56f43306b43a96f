//! Bodies: which patches make a solid, which are sheets, and which way is out.
//!
//! A patch without a boundary is a body by itself; patches with one are joined to bodies in `open`.
//!
//! Every solid body is then wound outwards, unless it lies inside another one and most of its area was wound the other
//! way than that one's: then it is a cavity and stays one. So a soup of overlapping solids is their union, and a mesh
//! that is inside out as a whole keeps its cavities.

use super::bvh::{Bvh, around, join};
use super::cracks::Cracks;
use super::edges::Edges;
use super::open::{self, samples};
use super::parity::spread;
use super::patches::{Patches, area};
use super::union::Union;
use super::winding::Winding;
use crate::Mesh;
use rayon::prelude::*;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;

/// A closed patch with less volume than this times its area to the 3/2 is two sides of one sheet: rounding leaves
/// about 1e-16, a foil of a millionth of its length has 1e-7.
const FLAT: f64 = 1e-12;
/// What patches are.
pub(super) struct Bodies {
    /// For every patch its body.
    pub of: Vec<u32>,
    /// For every patch whether it is a sheet.
    pub sheet: Vec<bool>,
    /// For every body the one around it.
    pub inside: Vec<Option<u32>>,
    /// Whether winding numbers of solid bodies are near whole numbers next to their faces.
    pub settled: bool,
}

/// What is known of a body while it is settled.
struct Body {
    /// Its solid faces.
    faces: Vec<u32>,
    /// The box around them.
    bounds: Aabb,
    /// Signed volume after winding outwards.
    volume: f64,
    /// Whether most of its area was wound outwards when it came.
    outward: bool,
}

/// Signed volume between some faces and a corner of the first, in m³.
pub(super) fn volume(mesh: &Mesh, flip: &[bool], faces: &[u32]) -> f64 {
    let Some(&first) = faces.first() else { return 0.0 };
    let origin = mesh.triangle(first as usize)[0];
    let six = |&f: &u32| {
        let [a, b, c] = mesh.triangle(f as usize).map(|p| p - origin);
        if flip[f as usize] { -a.dot(&b.cross(&c)) } else { a.dot(&b.cross(&c)) }
    };
    faces.iter().map(six).sum::<f64>() / 6.0
}

/// Settles all patches, turning them as needed.
pub(super) fn settle(mesh: &Mesh, edges: &Edges, patches: &mut Patches, cracks: &Cracks) -> Bodies {
    let count = patches.faces.len();
    let mut union = Union::new(count);
    let came = patches.flip.clone();
    let mut sheet = vec![false; count];
    for p in 0..count {
        if !patches.closed[p] {
            continue;
        }
        let volume = volume(mesh, &patches.flip, &patches.faces[p]);
        sheet[p] = volume.abs() < FLAT * patches.area[p] * patches.area[p].sqrt();
        if volume < 0.0 {
            patches.turn(p);
        }
    }
    let boxes: Vec<Aabb> = mesh.triangles().map(around).collect();
    open::settle(mesh, &boxes, patches, cracks, &mut union, &mut sheet);
    drop_walls(patches, edges, &mut sheet);
    let (of, bodies) = union.number();
    let mut members = vec![Vec::new(); bodies];
    for p in (0..count).filter(|&p| !sheet[p]) {
        members[of[p] as usize].extend_from_slice(&patches.faces[p]);
    }
    let settled = is_settled(mesh, &boxes, patches, &of, &sheet, &members);
    let bodies: Vec<Option<Body>> = members
        .into_iter()
        .map(|faces| {
            let bounds = faces.iter().map(|&f| boxes[f as usize]);
            let bounds = bounds.reduce(|a, b| join(&a, &b))?;
            let volume = volume(mesh, &patches.flip, &faces);
            let agree = |&f: &u32| {
                area(mesh, f as usize) * if came[f as usize] == patches.flip[f as usize] { 1.0 } else { -1.0 }
            };
            let outward = faces.iter().map(agree).sum::<f64>() >= 0.0;
            Some(Body { faces, bounds, volume, outward })
        })
        .collect();
    let inside = nest(mesh, &boxes, &patches.flip, &bodies);
    for p in (0..count).filter(|&p| !sheet[p]) {
        let outward = |b: u32| bodies[b as usize].as_ref().is_none_or(|b| b.outward);
        let mut root = of[p];
        while let Some(outer) = inside[root as usize] {
            root = outer;
        }
        if outward(of[p]) != outward(root) {
            patches.turn(p);
        }
    }
    Bodies { of, sheet, inside, settled }
}

/// Calls walls inside solids sheets: patches that end only where the other solid faces are closed without them. A flat
/// wall is smaller than either side of the solid that it parts, so smaller patches go first.
fn drop_walls(patches: &Patches, edges: &Edges, sheet: &mut [bool]) {
    let mut boundary: Vec<Vec<u32>> = vec![Vec::new(); patches.faces.len()];
    for (edge, group) in (0u32..).zip(edges.groups()).filter(|(_, g)| g.len() > 2) {
        let mut here: Vec<u32> = group.iter().map(|u| patches.of[u.face as usize]).collect();
        here.sort_unstable();
        here.dedup();
        here.iter().for_each(|&p| boundary[p as usize].push(edge));
    }
    let net = |edge: u32, wanted: &dyn Fn(usize) -> bool| -> i32 {
        let uses = edges.group(edge as usize).iter().filter(|u| wanted(patches.of[u.face as usize] as usize));
        uses.map(|u| u.sign(&patches.flip)).sum()
    };
    let mut open = vec![false; patches.faces.len()];
    for u in edges.groups().filter(|g| g.len() == 1).flatten() {
        open[patches.of[u.face as usize] as usize] = true;
    }
    let candidate = |p: &usize| !patches.closed[*p] && !open[*p] && !boundary[*p].is_empty();
    let mut order: Vec<usize> = (0..patches.faces.len()).filter(candidate).collect();
    order.sort_by(|&a, &b| patches.area[a].total_cmp(&patches.area[b]).then(a.cmp(&b)));
    for p in order {
        let without = |edge: &u32| net(*edge, &|q| q == p) == 0 || net(*edge, &|q| q != p && !sheet[q]) == 0;
        if !sheet[p] && boundary[p].iter().all(without) {
            sheet[p] = true;
        }
    }
}

/// Whether just behind faces of solid patches with a boundary the winding number of their body is near a whole number.
fn is_settled(
    mesh: &Mesh,
    boxes: &[Aabb],
    patches: &Patches,
    of: &[u32],
    sheet: &[bool],
    members: &[Vec<u32>],
) -> bool {
    let open: Vec<usize> = (0..patches.faces.len()).filter(|&p| !patches.closed[p] && !sheet[p]).collect();
    let most = samples(open.len());
    let all: Vec<u32> = {
        let mut bodies: Vec<u32> = open.iter().map(|&p| of[p]).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies.iter().flat_map(|&b| members[b as usize].clone()).collect()
    };
    let winding = Winding::new(mesh, &patches.flip, boxes, all);
    let (off, asked) = open
        .par_iter()
        .map(|&p| {
            let faces = spread(mesh, &patches.faces[p], most);
            let off = faces.iter().filter(|&&(f, _)| {
                let [a, b, c] = mesh.triangle(f as usize);
                let twice = (b - a).cross(&(c - a)) * if patches.flip[f as usize] { -1.0 } else { 1.0 };
                let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
                let w = winding.at((a + b + c) / 3.0 - 1e-3 * twice / longest);
                (w - w.round()).abs() > 0.25
            });
            (off.count(), faces.len())
        })
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    4 * off <= asked
}

/// For every body the smallest around it: its box is within the other's, and points spread over it are inside.
fn nest(mesh: &Mesh, boxes: &[Aabb], flip: &[bool], bodies: &[Option<Body>]) -> Vec<Option<u32>> {
    let within = |a: &Aabb, b: &Aabb| (0..3).all(|k| a.min[k] >= b.min[k] && a.max[k] <= b.max[k]) && a != b;
    let mut inside: Vec<Option<u32>> = vec![None; bodies.len()];
    let nowhere = Aabb { min: Vec3::zeros(), max: Vec3::zeros() };
    let bounds: Vec<Aabb> = bodies.iter().map(|b| b.as_ref().map_or(nowhere, |b| b.bounds)).collect();
    let tree = Bvh::new(&bounds, (0u32..).zip(bodies).filter(|(_, b)| b.is_some()).map(|(i, _)| i).collect());
    for (outer, o) in bodies.iter().enumerate() {
        let Some(o) = o else { continue };
        let mut held = Vec::new();
        tree.near(&o.bounds, |i| {
            if bodies[i as usize].as_ref().is_some_and(|b| i as usize != outer && within(&b.bounds, &o.bounds)) {
                held.push(i as usize);
            }
        });
        if held.is_empty() {
            continue;
        }
        let winding = Winding::new(mesh, flip, boxes, o.faces.clone());
        let is_in = |&i: &usize| {
            let points: Vec<Vec3> = bodies[i]
                .iter()
                .flat_map(|b| b.faces.iter().step_by(1 + b.faces.len() / 16))
                .map(|&f| mesh.triangle(f as usize)[0])
                .collect();
            points.iter().all(|&p| winding.at(p).abs() > 0.5)
        };
        let held: Vec<usize> = held.into_par_iter().filter(is_in).collect();
        for i in held {
            let size = |b: u32| bodies[b as usize].as_ref().map_or(0.0, |b| b.volume.abs());
            if inside[i].is_none_or(|other| size(outer as u32) < size(other)) {
                inside[i] = Some(outer as u32);
            }
        }
    }
    inside
}
