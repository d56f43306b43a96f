//! Cracks: open edges that lie along others, as T-junctions and surfaces tessellated apart leave them.
//!
//! An open edge is sealed if at each of four points along it another open edge runs beside it: at most 18 degrees
//! askew, opposite the point (its foot lies within the other), and no further away than a twentieth of the longer
//! edge (two polygons with n sides inscribed in one circle part by π/2n of a side). The greatest distance is the
//! width of the crack. A long slit between parallel rims is a crack too, as wide as it is.

use super::bvh::Bvh;
use super::edges::Edges;
use super::patches::Patches;
use crate::Mesh;
use rayon::prelude::*;
use stiction::shape::Aabb;
use stiction::spatial::Vec3;

const REACH: f64 = 0.05;
const ASKEW: f64 = 0.95;
const SAMPLES: usize = 4;

/// Open edges that have another along them.
pub(super) struct Cracks {
    /// For every edge the width of its crack in m, or infinity where nothing seals it.
    pub width: Vec<f64>,
    /// Pairs of patches with a crack between them.
    pub links: Vec<(u32, u32)>,
}

/// An open edge: where it runs.
struct Rim {
    edge: u32,
    patch: u32,
    from: Vec3,
    along: Vec3,
    length: f64,
}

/// Finds the cracks.
pub(super) fn find(mesh: &Mesh, edges: &Edges, patches: &Patches) -> Cracks {
    let rims: Vec<Rim> = (0u32..)
        .zip(edges.groups())
        .filter(|(_, group)| group.len() == 1)
        .map(|(edge, group)| {
            let (from, to) = (mesh.points[group[0].lo as usize], mesh.points[group[0].hi as usize]);
            let length = (to - from).norm();
            Rim { edge, patch: patches.of[group[0].face as usize], from, along: (to - from) / length, length }
        })
        .collect();
    let boxes: Vec<Aabb> = rims
        .iter()
        .map(|r| {
            let (to, margin) = (r.from + r.length * r.along, Vec3::repeat(REACH * r.length));
            Aabb { min: r.from.inf(&to) - margin, max: r.from.sup(&to) + margin }
        })
        .collect();
    let bvh = Bvh::new(&boxes, (0..rims.len() as u32).collect());
    let found: Vec<[Option<(f64, u32)>; SAMPLES]> =
        (0..rims.len()).into_par_iter().map(|i| beside(&rims, &bvh, i)).collect();
    let mut width = vec![f64::INFINITY; edges.len()];
    let mut links = Vec::new();
    for (rim, samples) in rims.iter().zip(&found) {
        if samples.iter().all(Option::is_some) {
            width[rim.edge as usize] = samples.iter().flatten().fold(0.0, |w: f64, s| w.max(s.0));
        }
        for other in samples.iter().flatten().map(|s| &rims[s.1 as usize]).filter(|o| o.patch != rim.patch) {
            links.push((rim.patch.min(other.patch), rim.patch.max(other.patch)));
        }
    }
    links.sort_unstable();
    links.dedup();
    Cracks { width, links }
}

/// For points along an open edge, the nearest other that runs beside it: how far, and which.
fn beside(rims: &[Rim], bvh: &Bvh, i: usize) -> [Option<(f64, u32)>; SAMPLES] {
    let rim = &rims[i];
    let mut best = [None::<(f64, u32)>; SAMPLES];
    for k in 0..SAMPLES {
        let point = rim.from + (k as f64 + 0.5) / SAMPLES as f64 * rim.length * rim.along;
        let margin = Vec3::repeat(REACH * rim.length);
        bvh.near(&Aabb { min: point - margin, max: point + margin }, |j| {
            let other = &rims[j as usize];
            let foot = (point - other.from).dot(&other.along);
            let distance = (other.from + foot * other.along - point).norm();
            let beside = j as usize != i
                && rim.along.dot(&other.along).abs() > ASKEW
                && (0.0..=other.length).contains(&foot)
                && distance <= REACH * rim.length.max(other.length);
            if beside && best[k].is_none_or(|b| (distance, j) < b) {
                best[k] = Some((distance, j));
            }
        });
    }
    best
}
