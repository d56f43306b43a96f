//! Candidates for the shell: many more points than are wanted, spread by area, along sharp edges and on corners.
//!
//! - Faces: one candidate for every 1/M of the whole area, counted through the faces in the order of a Z-curve, so that
//!   tiny faces share candidates with their neighbours. In a face they follow the additive sequence
//!   frac(u + k (1/g, 1/g²)) with g³ = g + 1 (M. Roberts, "The unreasonable effectiveness of quasirandom sequences",
//!   2018), u shifted at random by face and seed, and the unit square folded onto the triangle.
//! - Sharp edges: every s/4 along paths of edges, s = √(area / n); corners: all of them. The normal is the mean of the
//!   adjacent faces' normals, each turned outwards by the field a little way into its face, weighted by the face's angle
//!   at a corner.
//! - Pieces of the mesh with fewer than four candidates: the middles of their four largest faces.
//!
//! Symbols: n points wanted, M = 14 n.

use super::features;
use super::settle::{CandidateJudge, Fate};
use super::surface::MeshSurface;
use rayon::prelude::*;
use std::collections::HashMap;
use stiction::spatial::Vec3;

/// A possible point of the shell.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// On the wanted level of the distance.
    pub position: Vec3,
    /// Unit, outwards.
    pub normal: Vec3,
    /// Where on the surface.
    pub kind: CandidateKind,
}

/// Where a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    /// On a face.
    Face,
    /// On a sharp edge, or on a piece that would else have too few.
    Edge,
    /// On a corner.
    Corner,
}

/// Candidates, and what was left out.
#[derive(Default)]
pub struct Candidates {
    /// All valid ones.
    pub list: Vec<Candidate>,
    /// How many samples were buried in the solid.
    pub buried: usize,
    /// How many were off the solid.
    pub off: usize,
    /// Number of samples on faces alone. `placed` divided by this is the part of the mesh that is boundary.
    pub sampled: usize,
    /// Number of places that were found from the samples on faces.
    pub placed: usize,
}

impl Candidates {
    fn take(&mut self, fates: Vec<Fate>, kind: CandidateKind) {
        for fate in fates {
            match fate {
                Fate::Kept(places) => {
                    self.list.extend(places.into_iter().flatten().map(|(position, normal)| Candidate {
                        position,
                        normal,
                        kind,
                    }))
                }
                Fate::Buried => self.buried += 1,
                Fate::Off => self.off += 1,
            }
        }
    }
}

/// All candidates for `wanted` points.
pub fn gather(surface: &MeshSurface, judge: &CandidateJudge, wanted: usize, seed: u64) -> Candidates {
    let area: f64 = surface.areas.iter().sum();
    let mut found = Candidates::default();
    let samples = face_samples(surface, (14 * wanted).max(2000), area, seed);
    let settle = |&(face, point): &(u32, Vec3)| judge.settle(point, surface.normals[face as usize], judge.probe);
    found.take(samples.par_iter().map(settle).collect(), CandidateKind::Face);
    (found.sampled, found.placed) = (samples.len(), found.list.len());
    let spacing = (area / wanted as f64).sqrt();
    found.take(features::corners(surface, judge, 4 * wanted), CandidateKind::Corner);
    found.take(features::edges(surface, judge, 0.25 * spacing, 8 * wanted), CandidateKind::Edge);
    thin(&mut found.list, found.placed, CROWDED * spacing);
    let extra = small_pieces(surface, &samples, wanted);
    found.take(extra.par_iter().map(settle).collect(), CandidateKind::Edge);
    found
}

/// Corners and edges nearer to each other than this part of the spacing, on the same side, are one.
const CROWDED: f64 = 0.1;

/// Drops candidates from `first` on that are within `reach` of an earlier one of them with a normal to the same side.
/// Files of real parts have corners a few nanometres apart.
fn thin(list: &mut Vec<Candidate>, first: usize, reach: f64) {
    let cell = |p: &Vec3| [p.x, p.y, p.z].map(|x| (x / reach).floor() as i64);
    let mut kept: HashMap<[i64; 3], Vec<Candidate>> = HashMap::new();
    let mut place = 0;
    list.retain(|candidate| {
        place += 1;
        if place <= first {
            return true;
        }
        let [x, y, z] = cell(&candidate.position);
        let around = (0..27).map(|i| [x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1]);
        let near = |other: &Candidate| {
            (other.position - candidate.position).norm() < reach && other.normal.dot(&candidate.normal) > 0.0
        };
        if around.filter_map(|c| kept.get(&c)).flatten().any(near) {
            return false;
        }
        kept.entry([x, y, z]).or_default().push(*candidate);
        true
    });
}

/// `count` samples by area, as (face, point).
fn face_samples(surface: &MeshSurface, count: usize, area: f64, seed: u64) -> Vec<(u32, Vec3)> {
    let mut faces: Vec<(u64, u32)> = z_order(surface);
    faces.par_sort_unstable();
    let rate = count as f64 / area;
    let (mut sum, mut done) = (0.5, 0u64);
    let shares: Vec<(u32, u64)> = faces
        .into_iter()
        .map(|(_, face)| {
            sum += surface.areas[face as usize] * rate;
            let share = (sum as u64).saturating_sub(done);
            done += share;
            (face, share)
        })
        .collect();
    let in_face = |(face, share): (u32, u64)| {
        let [a, b, c] = surface.mesh.triangle(face as usize);
        let shift = [mix(seed ^ (2 * u64::from(face))), mix(seed ^ (2 * u64::from(face) + 1))];
        (0..share).map(move |k| {
            let [mut u, mut v] = [0, 1].map(|axis| unit(shift[axis].wrapping_add(k.wrapping_mul(STEPS[axis]))));
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            (face, a + (b - a) * u + (c - a) * v)
        })
    };
    shares.into_par_iter().flat_map_iter(in_face).collect()
}

/// 1/g and 1/g² of the additive sequence, as fractions of 2⁶⁴.
const STEPS: [u64; 2] = [0xC13F_A9A9_02A6_328F, 0x91E1_0DA5_C79E_7B1C];

/// A number of \[0, 1) from its leading 53 bits.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// Well-mixed bits: two rounds of xor-shift and odd multiplication.
fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x632B_E59B_D9B4_E019);
    for _ in 0..2 {
        x = (x ^ (x >> 31)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    }
    x ^ (x >> 32)
}

/// Faces with area, each with its place on a Z-curve through the box of the mesh.
fn z_order(surface: &MeshSurface) -> Vec<(u64, u32)> {
    let Some(bounds) = surface.mesh.bounds() else { return Vec::new() };
    let scale = f64::from(1 << 20) / (bounds.max - bounds.min).max().max(f64::MIN_POSITIVE);
    let spread = |x: f64| (0..21).fold(0u64, |z, bit| z | (((x * scale) as u64 >> bit) & 1) << (3 * bit));
    let faces = (0..surface.areas.len()).into_par_iter().filter(|&face| surface.areas[face] > 0.0);
    let place = |face: usize| {
        let [a, b, c] = surface.mesh.triangle(face);
        let middle = (a + b + c) / 3.0 - bounds.min;
        (spread(middle.x) | spread(middle.y) << 1 | spread(middle.z) << 2, face as u32)
    };
    faces.map(place).collect()
}

/// Samples for pieces that got fewer than four; none when there are so many pieces that they cannot all have points.
fn small_pieces(surface: &MeshSurface, samples: &[(u32, Vec3)], wanted: usize) -> Vec<(u32, Vec3)> {
    let mut counts = vec![0usize; surface.areas.len()];
    samples.iter().for_each(|&(face, _)| counts[face as usize] += 1);
    let pieces = surface.pieces();
    if pieces.len() > wanted {
        return Vec::new();
    }
    let mut extra = Vec::new();
    for mut piece in pieces {
        if piece.iter().map(|&face| counts[face as usize]).sum::<usize>() < 4 {
            let area = |face: u32| surface.areas[face as usize];
            piece.sort_by(|&a, &b| area(b).total_cmp(&area(a)).then(a.cmp(&b)));
            extra.extend(piece.into_iter().take(4).map(|face| {
                let [a, b, c] = surface.mesh.triangle(face as usize);
                (face, (a + b + c) / 3.0)
            }));
        }
    }
    extra
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_solve_their_equation() {
        // x = 1/g solves x³ + x² = 1, and the second step is its square.
        let x = STEPS[0] as f64 / 2f64.powi(64);
        assert!((x * x * x + x * x - 1.0).abs() < 1e-15);
        assert!((STEPS[1] as f64 / 2f64.powi(64) - x * x).abs() < 1e-15);
    }

    /// Guards: corners of slivers, nanometres apart, gave shell points in one place.
    #[test]
    fn crowded_features_are_one_but_two_sides_stay_two() {
        let at =
            |x: f64, normal: Vec3| Candidate { position: Vec3::new(x, 0.0, 0.0), normal, kind: CandidateKind::Corner };
        let mut list = vec![
            at(0.0, Vec3::z()),
            at(0.0, Vec3::z()),
            at(1e-9, Vec3::new(0.0, 0.6, 0.8)),
            at(1e-9, -Vec3::z()),
            at(0.09, Vec3::z()),
            at(0.15, Vec3::z()),
        ];
        thin(&mut list, 1, 0.1);
        let left: Vec<_> = list.iter().map(|c| (c.position.x, c.normal.z)).collect();
        assert_eq!(left, [(0.0, 1.0), (0.0, 1.0), (1e-9, -1.0), (0.15, 1.0)]);
    }
}
