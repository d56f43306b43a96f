//! The body-centred cubic lattice: corners and centres of cubes, the function at them, and the cuts of its edges by the surface.
//!
//! Nodes have integer coordinates in half cells, all even (corners) or all odd (centres). Long edges join neighbours of one kind along an axis, short ones a corner with a centre. Each
//! tetrahedron has one long edge of each kind, at right angles, and four short edges.

use super::{SolidRegion, StuffingError};
use stiction::spatial::Vec3;

/// How close a cut of a long edge may be to its node, as a share of the edge.
const ALPHA_LONG: f64 = 0.24999;
/// How close a cut of a short edge may be to its node, as a share of the edge.
const ALPHA_SHORT: f64 = 0.41189;

/// Steps of the search for a cut: each at least halves the interval in the mean.
const ROOT_STEPS: u32 = 60;

/// Where a node is, in half cells.
pub(super) type Site = [i32; 3];

/// A cut of an edge by the surface.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// The two nodes, in ascending order.
    nodes: [u32; 2],
    point: Vec3,
}

/// The lattice around a solid.
#[derive(Debug)]
pub(super) struct Lattice {
    cell: f64,
    origin: Vec3,
    /// Corners along each axis; centres are one fewer.
    corners: [i32; 3],
    /// Positive inside, zero on the surface.
    value: Vec<f64>,
    /// Where nodes have moved to, ascending by node.
    warped: Vec<(u32, Vec3)>,
    /// In ascending order of their nodes.
    cuts: Vec<Cut>,
}

impl Lattice {
    /// The lattice over the box of a solid and one cell around it.
    pub(super) fn over(solid: &SolidRegion, cell: f64) -> Result<Lattice, StuffingError> {
        let size = solid.upper - solid.lower;
        let cells = [0, 1, 2].map(|a| (size[a] / cell).ceil() as i32 + 2);
        // The solid is in the middle, so that symmetric solids have symmetric meshes.
        let origin = Vec3::from_fn(|a, _| 0.5 * (solid.lower[a] + solid.upper[a] - cells[a] as f64 * cell));
        let corners = cells.map(|n| n + 1);
        let mut lattice = Lattice { cell, origin, corners, value: Vec::new(), warped: Vec::new(), cuts: Vec::new() };
        let count = lattice.count();
        lattice.value.reserve(count);
        for node in 0..count as u32 {
            let site = lattice.site(node);
            let point = lattice.place(&site);
            // What is outside of the box is outside of the solid, whatever the function says.
            let rim = [0, 1, 2].iter().any(|&a| site[a] <= 0 || site[a] >= 2 * (corners[a] - 1));
            let distance = (solid.distance)(point);
            if distance.is_nan() {
                return Err(StuffingError::NotANumber(point.into()));
            }
            lattice.value.push(if rim { -cell } else { -distance });
        }
        let mut cuts = Vec::new();
        for node in 0..count as u32 {
            for other in lattice.neighbours(node) {
                let signs = lattice.value[node as usize].signum() * lattice.value[other as usize];
                if other > node && signs < 0.0 {
                    let point = lattice.root(solid, node, other);
                    cuts.push(Cut { nodes: [node, other], point });
                }
            }
        }
        cuts.sort_unstable_by_key(|cut| cut.nodes);
        lattice.cuts = cuts;
        Ok(lattice)
    }

    /// The number of nodes.
    pub(super) fn count(&self) -> usize {
        let all = |less: i32| self.corners.iter().map(|n| (n - less) as usize).product::<usize>();
        all(0) + all(1)
    }

    /// The sites of all centres.
    pub(super) fn centres(&self) -> impl Iterator<Item = Site> + '_ {
        let first = self.corners.iter().map(|n| *n as usize).product::<usize>();
        (first..self.count()).map(|node| self.site(node as u32))
    }

    /// Where a node is.
    pub(super) fn site(&self, node: u32) -> Site {
        let corners = self.corners.iter().map(|n| *n as usize).product::<usize>();
        let (mut rest, less) =
            if (node as usize) < corners { (node as usize, 0) } else { (node as usize - corners, 1) };
        let mut site = [0; 3];
        for a in 0..3 {
            let along = (self.corners[a] - less) as usize;
            site[a] = 2 * (rest % along) as i32 + less;
            rest /= along;
        }
        site
    }

    /// The node at a site, if the lattice has it.
    pub(super) fn node(&self, site: &Site) -> Option<u32> {
        let odd = site[0] & 1;
        let mut index = 0;
        for a in [2, 1, 0] {
            let (along, at) = (self.corners[a] - odd, (site[a] - odd) >> 1);
            if at < 0 || at >= along {
                return None;
            }
            index = index * along as usize + at as usize;
        }
        let corners = self.corners.iter().map(|n| *n as usize).product::<usize>();
        Some((if odd == 1 { corners + index } else { index }) as u32)
    }

    fn place(&self, site: &Site) -> Vec3 {
        self.origin + Vec3::from_fn(|a, _| 0.5 * self.cell * f64::from(site[a]))
    }

    /// Where a node is now.
    pub(super) fn point(&self, node: u32) -> Vec3 {
        match self.warped.binary_search_by_key(&node, |w| w.0) {
            Ok(k) => self.warped[k].1,
            Err(_) => self.place(&self.site(node)),
        }
    }

    /// The sign of the function at a node now: 1 inside, 0 on the surface, -1 outside.
    pub(super) fn sign(&self, node: u32) -> i8 {
        let value = self.value[node as usize];
        i8::from(value > 0.0) - i8::from(value < 0.0)
    }

    /// The number of the cut between two nodes, and where it is.
    pub(super) fn cut(&self, a: u32, b: u32) -> Option<(u32, Vec3)> {
        let k = self.cuts.binary_search_by_key(&[a.min(b), a.max(b)], |cut| cut.nodes).ok()?;
        Some((k as u32, self.cuts[k].point))
    }

    /// Where a cut is.
    pub(super) fn cut_point(&self, cut: u32) -> Vec3 {
        self.cuts[cut as usize].point
    }

    /// The nodes at the other ends of the edges of a node.
    fn neighbours(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let site = self.site(node);
        let long = (0..6).map(|k| {
            let mut step = [0; 3];
            step[k / 2] = if k % 2 == 0 { -2 } else { 2 };
            step
        });
        let short = (0..8).map(|k| [0, 1, 2].map(|a| if k >> a & 1 == 0 { -1 } else { 1 }));
        long.chain(short).filter_map(move |step| self.node(&[0, 1, 2].map(|a| site[a] + step[a])))
    }

    /// Where the function is zero on an edge whose ends have different signs: regula falsi (Illinois), which keeps the root between its ends.
    fn root(&self, solid: &SolidRegion, a: u32, b: u32) -> Vec3 {
        let (start, end) = (self.place(&self.site(a)), self.place(&self.site(b)));
        let along = |t: f64| start + (end - start) * t;
        let (mut low, mut high) = ((0.0, self.value[a as usize]), (1.0, self.value[b as usize]));
        let mut last = 0;
        for _ in 0..ROOT_STEPS {
            let t = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            // Values of very different size, or infinite ones, are halved instead.
            let t = if t > low.0 && t < high.0 { t } else { 0.5 * (low.0 + high.0) };
            let f = -(solid.distance)(along(t));
            if !(f.abs() > 1e-12 * self.cell) || high.0 - low.0 < 1e-13 {
                return along(t);
            }
            if (f > 0.0) == (low.1 > 0.0) {
                low = (t, f);
                high.1 *= if last == 1 { 0.5 } else { 1.0 };
                last = 1;
            } else {
                high = (t, f);
                low.1 *= if last == 2 { 0.5 } else { 1.0 };
                last = 2;
            }
        }
        along(0.5 * (low.0 + high.0))
    }

    /// Moves nodes to cuts that are too close to them, the closest first; the edges of a node that has moved are cut no more.
    pub(super) fn warp(&mut self) {
        let mut close: Vec<(f64, u32, u32)> = Vec::new();
        for (number, cut) in self.cuts.iter().enumerate() {
            let [a, b] = cut.nodes;
            let long = (self.site(a)[0] ^ self.site(b)[0]) & 1 == 0;
            let reach = if long { ALPHA_LONG * self.cell } else { ALPHA_SHORT * 0.75f64.sqrt() * self.cell };
            for node in cut.nodes {
                let share = (cut.point - self.place(&self.site(node))).norm() / reach;
                if share < 1.0 {
                    close.push((share, node, number as u32));
                }
            }
        }
        close.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut gone = vec![false; self.cuts.len()];
        for (_, node, cut) in close {
            // Where a node has moved, all its cuts are gone.
            if gone[cut as usize] {
                continue;
            }
            let edges = self.neighbours(node).filter_map(|other| self.cut(node, other));
            edges.for_each(|(cut, _)| gone[cut as usize] = true);
            self.value[node as usize] = 0.0;
            self.warped.push((node, self.cuts[cut as usize].point));
        }
        self.warped.sort_unstable_by_key(|w| w.0);
    }
}
