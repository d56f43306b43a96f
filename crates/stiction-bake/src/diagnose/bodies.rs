//! Bodies: which patches make a solid, which are sheets, and which way is out.
//!
//! A patch without a boundary is a body by itself. Patches with a boundary make one body if they share a point or
//! a crack (see `cracks`). Which of their patches are solid, and which side is out, is told by ray parity within
//! the body (see `parity`); if that says sheet, the crossings of all patches with a boundary are asked, for surfaces
//! tessellated apart with gaps too wide for cracks.
//!
//! Every solid body is then wound outwards, unless it lies inside another one and most of its area was wound the other
//! way than that one's: then it is a cavity and stays one. So a soup of overlapping solids is their union, and a mesh
//! that is inside out as a whole keeps its cavities.

use super::bvh::{Bvh, around, join};
use super::cracks::Cracks;
use super::parity::{Crossings, spread};
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
/// Faces asked in all, and of one patch at most and at least.
const BUDGET: usize = 8192;
const MOST: usize = 65;
const LEAST: usize = 3;

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
pub(super) fn settle(mesh: &Mesh, patches: &mut Patches, cracks: &Cracks) -> Bodies {
    let count = patches.faces.len();
    let mut union = Union::new(count);
    cracks.links.iter().for_each(|&(a, b)| {
        union.join(a, b);
    });
    let mut owner = vec![u32::MAX; mesh.points.len()];
    for p in (0..count).filter(|&p| !patches.closed[p]) {
        for i in patches.faces[p].iter().flat_map(|&f| mesh.faces[f as usize]) {
            match owner[i as usize] {
                u32::MAX => owner[i as usize] = p as u32,
                other => {
                    union.join(other, p as u32);
                }
            }
        }
    }
    let (mut of, mut bodies) = union.number();
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
    let apart = turn_open(mesh, &boxes, patches, &of, &mut sheet);
    if apart.len() > 1 {
        apart.windows(2).for_each(|pair| {
            union.join(pair[0], pair[1]);
        });
        (of, bodies) = union.number();
    }
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

/// Settles patches with a boundary by ray parity: sheets are found, the others turned outwards. Gives the solid ones
/// that are so only together with patches of other bodies.
fn turn_open(mesh: &Mesh, boxes: &[Aabb], patches: &mut Patches, of: &[u32], sheet: &mut [bool]) -> Vec<u32> {
    let open: Vec<usize> = (0..patches.faces.len()).filter(|&p| !patches.closed[p]).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let most = (BUDGET / open.len()).clamp(LEAST, MOST);
    let crossings = Crossings::new(mesh, boxes, open.iter().flat_map(|&p| patches.faces[p].clone()).collect());
    let body = |face: u32| of[patches.of[face as usize] as usize];
    let score = |p: usize, alone: bool| {
        let mut scores: Vec<f64> = spread(mesh, &patches.faces[p], most)
            .par_iter()
            .filter_map(|&f| {
                let s = crossings.score(f as usize, |other| !alone || body(other) == of[p])?;
                Some(if patches.flip[f as usize] { -s } else { s })
            })
            .collect();
        scores.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let median = scores.get(scores.len() / 2).map_or(0.0, |s| s.abs());
        (median, scores.iter().sum::<f64>())
    };
    let found: Vec<(bool, bool, bool)> = open
        .par_iter()
        .map(|&p| {
            let (mut median, mut side) = score(p, true);
            let apart = median <= 0.5;
            if apart {
                (median, side) = score(p, false);
            }
            (median <= 0.5, side < 0.0, apart)
        })
        .collect();
    let mut together = Vec::new();
    for (&p, (is_sheet, inward, apart)) in open.iter().zip(found) {
        sheet[p] = is_sheet;
        if !is_sheet && inward {
            patches.turn(p);
        }
        if !is_sheet && apart {
            together.push(p as u32);
        }
    }
    together
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
    let most = (BUDGET / open.len().max(1)).clamp(LEAST, MOST);
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
            let off = faces.iter().filter(|&&f| {
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
