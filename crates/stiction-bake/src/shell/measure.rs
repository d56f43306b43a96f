//! How well points are spread: distances to neighbours, and how far the surface is from its nearest point.
//!
//! Only points of the same side count, those with N · N' > 0: the far side of a thin wall is near in space but not a
//! neighbour on the surface.

use super::candidates::{Candidate, CandidateKind};
use super::tree::PointTree;
use rayon::prelude::*;
use serde::Serialize;
use stiction::shape::ShellPoint;
use stiction::spatial::Vec3;

/// Bins of a histogram.
const BINS: usize = 40;

/// Statistics of some distances in m.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointSpacing {
    /// The least.
    pub min: f64,
    /// The one in the middle.
    pub median: f64,
    /// The largest.
    pub max: f64,
    /// Width of a bin of the histogram; the first begins at zero.
    pub bin: f64,
    /// How many distances are in each bin.
    pub counts: Vec<u32>,
}

impl PointSpacing {
    /// Statistics of distances, infinite ones left out; all zero without any.
    pub fn new(distances: &[f64]) -> Self {
        let mut sorted: Vec<f64> = distances.iter().copied().filter(|d| d.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            return PointSpacing { min: 0.0, median: 0.0, max: 0.0, bin: 0.0, counts: Vec::new() };
        };
        let bin = max / BINS as f64;
        let mut counts = vec![0; BINS];
        for d in &sorted {
            counts[((d / bin) as usize).min(BINS - 1)] += 1;
        }
        PointSpacing { min, median: sorted[sorted.len() / 2], max, bin, counts }
    }
}

/// Points with their nearest ones at hand.
pub struct Neighbours<'a> {
    points: &'a [ShellPoint],
    tree: PointTree<3>,
}

impl<'a> Neighbours<'a> {
    /// Over at least one point.
    pub fn new(points: &'a [ShellPoint]) -> Self {
        Neighbours { points, tree: PointTree::new(&points.iter().map(|p| p.position.into()).collect::<Vec<_>>()) }
    }

    /// Distance to the nearest point of the same side, one left out; infinite if there is none.
    fn nearest(&self, position: Vec3, normal: Vec3, without: Option<u32>) -> f64 {
        let refused = |i: u32| Some(i) == without || !(self.points[i as usize].normal.dot(&normal) > 0.0);
        let cost = |i: u32, square: f64| if refused(i) { f64::INFINITY } else { square };
        self.tree.nearest(&position.into(), cost).map_or(f64::INFINITY, |best| best.0.sqrt())
    }

    /// Of every point, the distance to its nearest neighbour on the same side.
    pub fn spacing(&self) -> Vec<f64> {
        let one = |(i, p): (usize, &ShellPoint)| self.nearest(p.position, p.normal, Some(i as u32));
        self.points.par_iter().enumerate().map(one).collect()
    }

    /// The largest distance of a candidate to its nearest point on the same side: (anywhere, on features).
    pub(super) fn covering(&self, candidates: &[Candidate]) -> (f64, f64) {
        let one = |c: &Candidate| {
            let same_side = self.nearest(c.position, c.normal, None);
            // A shell of very few points has sides without any; then the others count.
            let any = || self.tree.nearest(&c.position.into(), |_, square| square).map_or(0.0, |best| best.0.sqrt());
            let far = if same_side.is_finite() { same_side } else { any() };
            (far, if c.kind == CandidateKind::Face { 0.0 } else { far })
        };
        candidates.par_iter().map(one).reduce(|| (0.0, 0.0), |a, b| (a.0.max(b.0), a.1.max(b.1)))
    }
}

/// Statistics of the distance from each point to its nearest neighbour on the same side.
pub fn spacing(points: &[ShellPoint]) -> PointSpacing {
    if points.is_empty() { PointSpacing::new(&[]) } else { PointSpacing::new(&Neighbours::new(points).spacing()) }
}
