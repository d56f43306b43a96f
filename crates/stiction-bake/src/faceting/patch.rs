//! How much a surface turns over a patch of the size of a voxel.
//!
//! The lattice error (1) is of the scale of a voxel, and takes the curvature of one facet for that of its surroundings. Where facets are smaller than a voxel, their surroundings can be looked at: on a
//! surface that is curved, they are curved as well; on one that is rough, creases that are hollow and creases that stand out cancel each other. The sum of angle times
//! length over all creases of a patch, with its sign and divided by the patch's area, is the curvature of the patch, summed over both directions: t/w on a cylinder, 2/R on a sphere.

use super::FaceError;
use super::facet::{Facet, Facets};
use super::link::Link;

/// A patch is smaller than the whole surface and cut off by chance: its curvature may be this many times too small.
const SAFETY: f64 = 2.0;

/// The facets of a mesh and how the surface turns between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Patches {
    of: Vec<u32>,
    errors: Vec<FaceError>,
    areas: Vec<f64>,
    /// Lengths: at least the largest distance of two corners (m).
    lengths: Vec<f64>,
    turning: Vec<Vec<(u32, f64)>>,
}

impl Patches {
    pub fn new(facets: &Facets, links: &[Link], errors: Vec<FaceError>) -> Self {
        let areas = facets.all.iter().map(|f| f.area).collect();
        let length = |f: &Facet| 2.0 * f.corners.iter().map(|c| (c - f.middle).norm()).fold(0.0, f64::max);
        let lengths = facets.all.iter().map(length).collect();
        Patches { of: facets.of.clone(), errors, areas, lengths, turning: facets.turning(links) }
    }

    /// The allowance of every face (m), for a field of this voxel.
    pub fn allowances(&self, voxel: f64) -> Vec<f64> {
        let mut seen = vec![u32::MAX; self.areas.len()];
        let facets: Vec<f64> =
            (0..self.areas.len()).map(|f| self.limited(f, voxel, &mut seen).allowance(voxel)).collect();
        self.of.iter().map(|&f| facets.get(f as usize).copied().unwrap_or(0.0)).collect()
    }

    /// Whether a facet is a voxel wide all along, so that it is a surface of its own at the scale of the field.
    fn is_wide(&self, facet: usize, voxel: f64) -> bool {
        self.areas[facet] >= voxel * self.lengths[facet]
    }

    /// The error of a facet that is not wide, with no more curvature and no sharper creases than the patch around it has: as long as the facet and a voxel wide, if wide facets leave so much room.
    fn limited(&self, facet: usize, voxel: f64, seen: &mut [u32]) -> FaceError {
        let error = self.errors[facet];
        if !(error.sagitta > 0.0) || self.is_wide(facet, voxel) {
            return error;
        }
        let enough = voxel * self.lengths[facet].max(voxel);
        let mut patch = vec![facet as u32];
        seen[facet] = facet as u32;
        let (mut area, mut turns, mut next) = (0.0, 0.0, 0);
        while next < patch.len() && area < enough {
            let now = patch[next] as usize;
            next += 1;
            area += self.areas[now];
            for &(other, turning) in &self.turning[now] {
                let wide = self.is_wide(other as usize, voxel);
                // Half of a crease belongs to either side; what the surface turns beside a wide facet belongs to the patch.
                turns += if wide { turning } else { 0.5 * turning };
                if !wide && seen[other as usize] != facet as u32 {
                    seen[other as usize] = facet as u32;
                    patch.push(other);
                }
            }
        }
        let curvature = SAFETY * (turns / area.max(enough)).max(0.0);
        let angle = curvature * voxel;
        FaceError { curvature: error.curvature.min(curvature), angle: error.angle.min(angle), ..error }
    }
}
