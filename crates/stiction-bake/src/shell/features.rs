//! Candidates on sharp edges and corners.
//!
//! ```text
//! N = Σ w_i N_i / |Σ w_i N_i|
//! ```
//!
//! over the adjacent faces i that are boundary there; N_i their normals turned outwards by the field at a point a
//! little inside the face, w_i one on an edge and the face's angle at a corner. Where that sum vanishes (a knife's edge),
//! N points away from the faces. On a thickened sheet no face is boundary: both ±N are tried with the normals aligned to
//! the first, and at its rim the direction away from the face.

use super::settle::{CandidateJudge, Fate};
use super::surface::MeshSurface;
use rayon::prelude::*;
use stiction::spatial::Vec3;

/// A face at an edge or corner: its normal, a way into it, its weight.
struct Wing {
    normal: Vec3,
    into: Vec3,
    weight: f64,
}

/// Corners, at most about `most` of them.
pub fn corners(surface: &MeshSurface, judge: &CandidateJudge, most: usize) -> Vec<Fate> {
    let is_tip: Vec<bool> = surface.tips.iter().fold(vec![false; surface.mesh.points.len()], |mut flags, &tip| {
        flags[tip as usize] = true;
        flags
    });
    let mut at: Vec<(u32, u32)> = Vec::new();
    for (face, corners) in surface.corners.iter().enumerate().filter(|&(face, _)| surface.areas[face] > 0.0) {
        at.extend(corners.iter().filter(|&&i| is_tip[i as usize]).map(|&i| (i, face as u32)));
    }
    at.sort_unstable();
    let groups: Vec<_> = at.chunk_by(|a, b| a.0 == b.0).collect();
    let step = (groups.len() / most.max(1)).max(1);
    let settled = groups.into_par_iter().step_by(step).flat_map_iter(|group| {
        let wings = group.iter().map(|&(tip, face)| {
            let corners = surface.corners[face as usize];
            let [p, a, b] = around(corners, tip).map(|i| surface.mesh.points[i as usize]);
            let (u, v) = (a - p, b - p);
            let weight = libm::atan2(u.cross(&v).norm(), u.dot(&v));
            Wing { normal: surface.normals[face as usize], into: (u + v) / 3.0, weight }
        });
        settle(judge, surface.mesh.points[group[0].0 as usize], &wings.collect::<Vec<_>>())
    });
    settled.collect()
}

/// Corners of a face starting at one of them.
fn around([a, b, c]: [u32; 3], first: u32) -> [u32; 3] {
    match first {
        _ if first == a => [a, b, c],
        _ if first == b => [b, c, a],
        _ => [c, a, b],
    }
}

/// Points every `step` along sharp edges, or fewer such that there are about `most`.
pub fn edges(surface: &MeshSurface, judge: &CandidateJudge, step: f64, most: usize) -> Vec<Fate> {
    let ends = |number: u32| surface.edges[number as usize].ends.map(|i| surface.mesh.points[i as usize]);
    let length = |number: u32| {
        let [a, b] = ends(number);
        (b - a).norm()
    };
    let lengths: Vec<f64> = surface.paths.iter().map(|path| path.iter().map(|&(edge, _)| length(edge)).sum()).collect();
    let step = step.max(lengths.iter().sum::<f64>() / most.max(1) as f64);
    let mut samples: Vec<(u32, Vec3)> = Vec::new();
    let mut behind = 0.0;
    for (path, &whole) in surface.paths.iter().zip(&lengths) {
        // Paths much shorter than a step share samples with those before them.
        behind += whole / step;
        let count = (behind as usize).min(most);
        behind -= count as f64;
        // Ends are corners, which become points themselves: nothing next to them. A closed path has none.
        let (mut k, end) = if is_closed(surface, path) { (0, count) } else { (2, count.saturating_sub(1)) };
        let mut start = 0.0;
        for &(edge, backwards) in path {
            let long = length(edge);
            let [mut a, mut b] = ends(edge);
            if backwards {
                (a, b) = (b, a);
            }
            while k < end {
                let t = (k as f64 / count as f64 * whole - start) / long;
                if t > 1.0 {
                    break;
                }
                samples.push((edge, a + (b - a) * t));
                k += 1;
            }
            start += long;
        }
    }
    let settled = samples.into_par_iter().flat_map_iter(|(number, point)| {
        let edge = &surface.edges[number as usize];
        let wings = edge.faces.iter().map(|&face| Wing {
            normal: surface.normals[face as usize],
            into: surface.way_into(edge.ends, face) / 3.0,
            weight: 1.0,
        });
        settle(judge, point, &wings.collect::<Vec<_>>())
    });
    settled.collect()
}

/// Whether a path has no corner: such a path ends where it began.
fn is_closed(surface: &MeshSurface, path: &[(u32, bool)]) -> bool {
    let (first, backwards) = path[0];
    let start = surface.edges[first as usize].ends[usize::from(backwards)];
    surface.tips.binary_search(&start).is_err()
}

fn settle(judge: &CandidateJudge, point: Vec3, wings: &[Wing]) -> Vec<Fate> {
    let (mut sum, mut away) = (Vec3::zeros(), Vec3::zeros());
    let mut boundary = false;
    for wing in wings {
        let reach = wing.into.norm();
        away -= wing.into / reach.max(f64::MIN_POSITIVE) * wing.weight;
        let inside = point + wing.into * (judge.probe / reach.max(judge.probe));
        if let Some(normal) = judge.outward(inside, wing.normal, judge.probe) {
            sum += normal * wing.weight;
            boundary = true;
        }
    }
    if boundary {
        let weight: f64 = wings.iter().map(|wing| wing.weight).sum();
        let mean = if sum.norm() > 0.05 * weight { sum } else { away };
        return match mean.try_normalize(0.0) {
            // A mean that points inwards means faces that do not belong together.
            Some(normal) => match judge.settle(point, normal, 2.0 * judge.probe) {
                Fate::Kept([Some(place), None]) if place.1.dot(&normal) > 0.0 => vec![Fate::Kept([Some(place), None])],
                _ => vec![Fate::Buried],
            },
            None => vec![Fate::Buried],
        };
    }
    let aligned = |sum: Vec3, wing: &Wing| {
        let sign = if wing.normal.dot(&wings[0].normal) < 0.0 { -1.0 } else { 1.0 };
        sum + wing.normal * (sign * wing.weight)
    };
    let Some(normal) = wings.iter().fold(Vec3::zeros(), aligned).try_normalize(0.0) else { return vec![Fate::Buried] };
    let mut fates = vec![judge.settle(point, normal, judge.probe)];
    if let Some(rim) = away.try_normalize(0.2).and_then(|away| judge.lift(point, away)) {
        fates.push(Fate::Kept([Some(rim), None]));
    }
    fates
}
