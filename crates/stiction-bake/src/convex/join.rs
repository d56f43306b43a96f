//! Fewer and simpler parts.

use super::stop;
use crate::progress::{Cancelled, Progress};
use rayon::prelude::*;
use stiction::spatial::{Pose, Vec3};
use stiction_volume::Convex;
use stiction_volume::geometry::IntersectionWorkspace;

/// Volume that a joint part may have beyond its two parts, as a share of the whole, whatever the number of parts.
const NOTHING: f64 = 1e-4;

/// Joins those two parts whose hull has the least volume more than they have, until there are few enough, and as long as next to nothing is added.
pub(super) fn join(
    parts: Vec<Convex>,
    volume: f64,
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Convex>, Cancelled> {
    let mut parts: Vec<Option<Convex>> = parts.into_iter().map(Some).collect();
    let all: Vec<(usize, usize)> = (0..parts.len()).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
    let mut costs: Vec<(f64, usize, usize)> =
        all.par_iter().map(|&(i, j)| (cost(&parts[i], &parts[j]), i, j)).collect();
    let mut left = parts.len();
    while left > 1 {
        stop(progress)?;
        let least = costs.iter().copied().reduce(|a, b| if (b.0, b.1, b.2) < (a.0, a.1, a.2) { b } else { a });
        let Some((cost_of, i, j)) = least.filter(|l| l.0.is_finite()) else { break };
        if left <= most && cost_of > NOTHING * volume {
            break;
        }
        let (Some(a), Some(b)) = (parts[i].take(), parts[j].take()) else { break };
        parts[i] = both(&a, &b);
        left -= 1;
        costs.retain(|c| ![i, j].contains(&c.1) && ![i, j].contains(&c.2));
        let others: Vec<usize> = (0..parts.len()).filter(|k| *k != i && parts[*k].is_some()).collect();
        costs.par_extend(others.par_iter().map(|&k| (cost(&parts[k], &parts[i]), k.min(i), k.max(i))));
    }
    Ok(parts.into_iter().flatten().collect())
}

/// The hull of two parts.
fn both(a: &Convex, b: &Convex) -> Option<Convex> {
    let points: Vec<Vec3> = a.points().iter().chain(b.points()).copied().collect();
    Convex::of_points(&points).ok()
}

/// How much more volume the hull of two parts has than they have together, what they have in common counted once.
fn cost(a: &Option<Convex>, b: &Option<Convex>) -> f64 {
    let (Some(a), Some(b)) = (a, b) else { return f64::INFINITY };
    let here = Pose::identity();
    let mut common = IntersectionWorkspace::new(a.planes().len() + b.planes().len());
    common.intersect(a, &here, b, &here);
    both(a, b).map_or(f64::INFINITY, |hull| hull.volume() - a.volume() - b.volume() + common.volume())
}

/// A part with fewer corners: from the ends along 13 axes on, the corner that is furthest outside joins, again and again. What is left out is never further outside than what is in was when it joined.
pub(super) fn with_few_corners(part: &Convex, most: usize) -> Convex {
    let points = part.points();
    if points.len() <= most {
        return part.clone();
    }
    let sides = [-1.0, 0.0, 1.0];
    let directions = sides.iter().flat_map(|x| sides.iter().flat_map(move |y| sides.map(|z| Vec3::new(*x, *y, z))));
    let mut kept: Vec<u32> = directions.filter(|d| d.norm() > 0.0).map(|d| part.support(&d, 0)).collect();
    kept.sort_unstable();
    kept.dedup();
    kept.truncate(most);
    let hull_of = |kept: &[u32]| Convex::of_points(&kept.iter().map(|i| points[*i as usize]).collect::<Vec<_>>());
    let Ok(mut hull) = hull_of(&kept) else { return part.clone() };
    while kept.len() < most {
        let outside =
            |p: &Vec3| hull.planes().iter().map(|f| f.normal.dot(p) - f.offset).fold(f64::NEG_INFINITY, f64::max);
        let furthest = points.iter().enumerate().map(|(i, p)| (outside(p), i as u32));
        let furthest = furthest.reduce(|a, b| if b.0 > a.0 { b } else { a });
        let Some((_, i)) = furthest.filter(|f| f.0 > 1e-9 * part.radius()) else { break };
        kept.push(i);
        let Ok(next) = hull_of(&kept) else { break };
        hull = next;
    }
    hull
}
