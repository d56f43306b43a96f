//! Holes: the loops in which the boundary of a surface runs.
//!
//! The boundary of consistently wound faces enters every point as often as it leaves it, so walking along it always
//! closes. A walk that comes back to a point it has passed has found a loop, which is cut off: surfaces that touch in
//! a point have two holes there, not one.
//!
//! The width of a loop is its smallest extent in its plane, so that a crack along a long edge is as wide as it gapes,
//! not as it is long. With p, q the ends of the longest direction and p' the point furthest from their line:
//!
//! ```text
//! u = (q - p)/|q - p|,   v along (p' - p) - u u·(p' - p),   width = min over d of (max d·x - min d·x)
//! ```
//!
//! over d = v and the normals, within the plane of u and v, of up to 64 edges of the loop: the smallest extent of a
//! convex polygon is across one of its edges. (p, q by two sweeps: furthest from the mean, then furthest from that.) Edges
//! of the loop that others seal (see `cracks`) add no more than the width of their crack: what counts is the widest of
//! those and of the runs of edges between them.

use super::edges::Edges;
use crate::Mesh;
use serde::Serialize;
use stiction::spatial::Vec3;

/// A hole: a loop of open edges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hole {
    /// Number of open edges around it.
    pub edges: usize,
    /// Smallest extent in its plane, in m: zero for a T-junction.
    pub width_m: f64,
    /// Length of the loop in m.
    pub length_m: f64,
    /// A place on it, in m.
    pub at_m: [f64; 3],
}

/// The loops of the boundary of some faces, each a list of edges with the point where it is entered.
fn loops(edges: &Edges, flip: &[bool], wanted: &[bool]) -> Vec<Vec<(u32, u32)>> {
    // Directed boundary edges: (from, to, edge), sorted by where they start.
    let mut steps: Vec<(u32, u32, u32)> = Vec::new();
    for (edge, group) in (0u32..).zip(edges.groups()) {
        let net: i32 = group.iter().filter(|u| wanted[u.face as usize]).map(|u| u.sign(flip)).sum();
        let (lo, hi) = (group[0].lo, group[0].hi);
        // The boundary runs as the faces do.
        let step = if net > 0 { (lo, hi, edge) } else { (hi, lo, edge) };
        steps.extend((0..net.unsigned_abs()).map(|_| step));
    }
    steps.sort_unstable();
    let start = |point: u32| steps.partition_point(|s| s.0 < point);
    let mut used = vec![false; steps.len()];
    let mut next: Vec<usize> = steps.iter().map(|s| start(s.0)).collect();
    let mut found = Vec::new();
    for first in 0..steps.len() {
        if used[first] {
            continue;
        }
        let (mut path, mut at): (Vec<(u32, u32)>, u32) = (Vec::new(), steps[first].0);
        let mut place: std::collections::BTreeMap<u32, usize> = [(at, 0)].into();
        loop {
            // The next unused step from here; the pointer of the first step from here remembers how far we are.
            let head = start(at);
            let mut step = next.get(head).copied().unwrap_or(head);
            while step < steps.len() && steps[step].0 == at && used[step] {
                step += 1;
            }
            if step >= steps.len() || steps[step].0 != at {
                break;
            }
            next[head] = step + 1;
            used[step] = true;
            path.push((at, steps[step].2));
            at = steps[step].1;
            if let Some(&from) = place.get(&at) {
                let closed = path.split_off(from);
                closed.iter().skip(1).for_each(|&(p, _)| {
                    place.remove(&p);
                });
                found.push(closed);
            } else {
                place.insert(at, path.len());
            }
        }
    }
    found
}

/// The holes of some faces, widest first.
pub(super) fn find(mesh: &Mesh, edges: &Edges, flip: &[bool], wanted: &[bool], cracks: &[f64]) -> Vec<Hole> {
    let mut holes: Vec<Hole> = loops(edges, flip, wanted)
        .iter()
        .map(|around| {
            let points: Vec<Vec3> = around.iter().map(|&(p, _)| mesh.points[p as usize]).collect();
            let sealed: Vec<f64> = around.iter().map(|&(_, e)| cracks[e as usize]).collect();
            let length_m = (0..points.len()).map(|i| (points[(i + 1) % points.len()] - points[i]).norm()).sum();
            let at_m = points[0].into();
            Hole { edges: around.len(), width_m: gape(&points, &sealed), length_m, at_m }
        })
        .collect();
    holes.sort_by(|a, b| b.width_m.total_cmp(&a.width_m));
    holes
}

/// Width of a loop of points: of the cracks along its edges, and of what is left between those; infinite where no crack
/// runs.
fn gape(points: &[Vec3], cracks: &[f64]) -> f64 {
    let n = points.len();
    let Some(first) = cracks.iter().position(|c| c.is_finite()) else { return width(points) };
    let mut widest = 0.0f64;
    let mut run: Vec<Vec3> = Vec::new();
    for i in (first..=first + n).map(|i| i % n) {
        if cracks[i].is_finite() {
            widest = widest.max(cracks[i]);
            if !run.is_empty() {
                run.push(points[i]);
                widest = widest.max(width(&run));
                run.clear();
            }
        } else {
            run.push(points[i]);
        }
    }
    widest.min(width(points))
}

/// Smallest extent of a loop of points in its plane.
fn width(points: &[Vec3]) -> f64 {
    let mean = points.iter().sum::<Vec3>() / points.len() as f64;
    let furthest = |from: &dyn Fn(&Vec3) -> f64| {
        points
            .iter()
            .fold((points[0], f64::NEG_INFINITY), |best, p| if from(p) > best.1 { (*p, from(p)) } else { best })
    };
    let p = furthest(&|x| (x - mean).norm()).0;
    let (q, longest) = furthest(&|x| (x - p).norm());
    if longest <= 0.0 {
        return 0.0;
    }
    let u = (q - p) / longest;
    let across = |x: &Vec3| (x - p) - u * u.dot(&(x - p));
    let (far, distance) = furthest(&|x| across(x).norm());
    if distance <= 0.0 {
        return 0.0;
    }
    let v = across(&far) / distance;
    let extent = |d: Vec3| {
        let range = points.iter().map(|x| d.dot(&(x - p))).fold((0.0f64, 0.0f64), |(l, h), t| (l.min(t), h.max(t)));
        range.1 - range.0
    };
    let edges = (0..points.len()).step_by(1 + points.len() / 64);
    edges.fold(extent(v), |least, i| {
        let e = points[(i + 1) % points.len()] - points[i];
        match (e.dot(&u) * v - e.dot(&v) * u).try_normalize(0.0) {
            Some(d) => least.min(extent(d)),
            None => least,
        }
    })
}
