//! What the nodes of a block may be nearest to, found by one walk down the tree for all 512 of them.
//!
//! The eight cells of 4³ nodes of a block go down the tree together, a lane each. Let c be the middle of a cell, h its half-width, so that its
//! nodes lie at c + δ with |δ_k| ≤ h; q a point of the surface near c, d = |c − q|, g = (c − q)/d; and for a box b of the
//! tree d_b its distance from c, g_b the gradient of that distance. Then
//!
//! ```text
//! |c + δ − q|    ≤ d + g·δ + |δ|²/2d          since √(1 + x) ≤ 1 + x/2
//! d_b at c + δ   ≥ d_b + g_b·δ                since the distance to a box is convex
//! ```
//!
//! so no triangle in b is the nearest to any node of the cell where
//!
//! ```text
//! d_b − d > h ‖g_b − g‖₁ + 3h²/2d             (1)
//! d_b − d > h (‖g_b‖₁ + √3)                   (2), with |c + δ − q| ≤ d + |δ|, for cells at the surface
//! ```
//!
//! Far from the surface (1) leaves little more than what lies below the cell: directions to triangles that compete differ little.
//!
//! The same holds of a triangle with any bound d_b + g_b·δ from below (`TriangleFrame::tangent`), so leaves are taken apart for all cells at
//! once; what is left of them is asked in `cell.rs`.

use super::bvh::{Bvh, Child, Corners, Cube, Hints};
use super::cell::{self, Competitor};
use super::lanes::{F8, LANES, P8};
use super::triangle::nearest_point;
use stiction::spatial::Vec3;

/// Nodes of a cell along an axis, half of a block's.
pub const CELL: usize = 4;
/// Half-width of a cell, in voxels.
const HALF: f32 = 1.5;
/// Boxes that are no longer than this, in voxels, are not taken apart for a whole cell, but by each packet of nodes.
const SMALL: f32 = 1.5;
/// What rounding may take from an inequality: so much, and so much of the largest coordinate, in voxels.
const ROUNDING: [f32; 2] = [1e-3, 1e-6];

/// A part of the tree on the way down: its box, the distances of the cells' middles from that, and the cells that may find their nearest
/// triangle in it, a bit each.
#[derive(Clone, Copy)]
struct Entry {
    child: Child,
    bounds: Corners,
    distances: F8,
    cells: u32,
}

/// The parts of the tree that the nodes of one block may be nearest to.
pub struct Front {
    /// Parts of the tree that are not taken apart.
    entries: Vec<Entry>,
    triangles: Vec<Competitor>,
    middles: [[f32; 3]; LANES],
    /// For every cell a triangle that is nearest to its middle.
    places: [u32; LANES],
    /// Of the entries those that the nodes of the cell at hand may be nearest to, from near to far.
    parts: Vec<(f32, Child, Corners)>,
    stack: Vec<Entry>,
    hints: Hints,
}

impl Front {
    /// Nothing yet.
    pub fn new() -> Front {
        Front {
            entries: Vec::new(),
            triangles: Vec::new(),
            middles: [[0.0; 3]; LANES],
            places: [0; LANES],
            parts: Vec::new(),
            stack: Vec::new(),
            hints: Hints::new(),
        }
    }

    /// Finds the parts for the block with this first node. `cells` has a bit for each cell that is wanted, x fastest. The tree must not be empty.
    pub fn find(&mut self, bvh: &Bvh, first: [f32; 3], cells: u32) {
        self.middles = std::array::from_fn(|i| {
            let offset = |bit: usize| (CELL * (i >> bit & 1)) as f32 + HALF;
            [first[0] + offset(0), first[1] + offset(1), first[2] + offset(2)]
        });
        let largest = self.middles.iter().flatten().fold(0.0f32, |most, x| most.max(x.abs()));
        let rounding = ROUNDING[0] + ROUNDING[1] * largest;
        let points = P8::gather(&self.middles);
        self.places = bvh.nearest_places(points, &mut self.hints);
        let nearest = std::array::from_fn(|i| bvh.triangles[self.places[i] as usize]);
        let known = Known::new(&self.middles, &nearest, rounding);
        self.entries.clear();
        self.triangles.clear();
        self.stack.clear();
        self.stack.push(Entry { child: bvh.root(), bounds: Corners::EVERYWHERE, distances: F8::ZERO, cells });
        while let Some(entry) = self.stack.pop() {
            match entry.child {
                Child::BvhNode(index) if entry.bounds.longest() > SMALL => {
                    let node = &bvh.nodes[index as usize];
                    for (child, bounds) in node.children.into_iter().zip(node.boxes) {
                        let (distances, near) = known.near_box(&bounds, points);
                        let cells = entry.cells & near;
                        if cells != 0 {
                            self.stack.push(Entry { child, bounds, distances, cells });
                        }
                    }
                }
                Child::BvhNode(_) => self.entries.push(entry),
                Child::Leaf(first, count) => {
                    for place in first..first + count {
                        let (least, gradient) = bvh.tangent(place, points);
                        let cells = entry.cells & known.may_be_nearest(least, gradient);
                        if cells != 0 {
                            let least = least - F8::splat(rounding);
                            self.triangles.push(Competitor { place, cells, least, gradient });
                        }
                    }
                }
            }
        }
    }

    /// Squared distances of the nodes of a cell, in packets of 2³, x fastest; of those packets that are wanted, a bit each.
    pub fn nearest(&mut self, bvh: &Bvh, cell: usize, packets: u32) -> [F8; LANES] {
        let mut best = [F8::splat(f32::INFINITY); LANES];
        let middle = self.middles[cell];
        let lowered = cell::lower(bvh, &self.triangles, cell, middle, packets, &mut best);
        self.parts.clear();
        let wanted = |entry: &&Entry| entry.cells >> cell & 1 == 1;
        let listed = |entry: &Entry| (entry.distances.as_array()[cell], entry.child, entry.bounds);
        self.parts.extend(self.entries.iter().filter(wanted).map(listed));
        if self.parts.is_empty() {
            return best;
        }
        self.parts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        // The triangle nearest to the middle is likely near to the nodes.
        self.hints.guess = self.places[cell];
        for packet in (0..LANES).filter(|packet| packets >> packet & 1 == 1) {
            let corner = |k: usize| middle[k] - HALF + (2 * (packet >> k & 1)) as f32;
            let cube = Cube::new([corner(0), corner(1), corner(2)]);
            if !lowered {
                bvh.lower_by_guess(&cube, &mut best[packet], &self.hints);
            }
            for (_, child, bounds) in &self.parts {
                bvh.nearest_within(*child, bounds, &cube, &mut best[packet], &mut self.hints);
            }
        }
        best
    }
}

/// What is known of the middles of cells: a point of the surface near each.
struct Known {
    /// Its distance d.
    distance: F8,
    /// Direction g from it.
    direction: P8,
    /// The last terms of (1) and (2), with what rounding may take.
    curved: F8,
    close: F8,
}

impl Known {
    fn new(middles: &[[f32; 3]; LANES], triangles: &[[Vec3; 3]; LANES], rounding: f32) -> Known {
        let (mut distance, mut curved, mut close) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let mut direction = [[0.0; 3]; LANES];
        for i in 0..LANES {
            let c = Vec3::from(middles[i].map(f64::from));
            let away = c - nearest_point(&triangles[i], &c);
            let d = away.norm();
            distance[i] = d as f32;
            close[i] = rounding + HALF * 3.0f32.sqrt();
            // At the surface (1) says nothing, and there is no direction.
            curved[i] = if d > 1e-3 { rounding + 1.5 * HALF * HALF / d as f32 } else { f32::INFINITY };
            direction[i] = if d > 1e-3 { [0, 1, 2].map(|k| (away[k] / d) as f32) } else { [0.0; 3] };
        }
        Known {
            distance: F8::new(distance),
            direction: P8::gather(&direction),
            curved: F8::new(curved),
            close: F8::new(close),
        }
    }

    /// Distances of the middles from a box, and the cells that may be nearest to something in it, a bit each.
    #[inline(always)]
    fn near_box(&self, bounds: &Corners, middles: P8) -> (F8, u32) {
        let beyond = bounds.beyond(middles);
        let distance = beyond.dot(beyond).sqrt();
        let over = F8::splat(1.0) / distance.fast_max(F8::splat(1e-6));
        let gradient = P8 { x: beyond.x * over, y: beyond.y * over, z: beyond.z * over };
        (distance, self.may_be_nearest(distance, gradient))
    }

    /// The cells for which neither (1) nor (2) says that nothing with this bound from below is nearest, a bit each.
    #[inline(always)]
    fn may_be_nearest(&self, least: F8, gradient: P8) -> u32 {
        let sum = |v: P8| v.x.abs() + v.y.abs() + v.z.abs();
        let g = self.direction;
        let apart = P8 { x: gradient.x - g.x, y: gradient.y - g.y, z: gradient.z - g.z };
        let half = F8::splat(HALF);
        let reach = (half * sum(apart) + self.curved).fast_min(half * sum(gradient) + self.close);
        (least - self.distance).simd_le(reach).to_bitmask()
    }
}

#[cfg(test)]
mod tests {
    use crate::field::build;
    use crate::field::bvh::Bvh;
    use crate::field::front::Front;
    use crate::field::grid::{GridLayout, owned};
    use crate::field::lanes::{F8, P8};
    use crate::field::triangle::TriangleFrame;
    use crate::field::unsigned;
    use crate::solids::{Solid, SpurGear};
    use stiction::spatial::Vec3;

    /// The triangles of a gear that fills most of a lattice with so many voxels, and slivers and points among them.
    fn triangles(voxels: f64) -> Vec<[Vec3; 3]> {
        let gear = SpurGear { bore: 0.2 * voxels, ..SpurGear::standard(voxels / 15.0, 12, 0.3 * voxels) };
        let mesh = Solid::Gear(gear).mesh().unwrap();
        let mut all: Vec<_> = mesh.triangles().map(|t| t.map(|p| p + Vec3::repeat(0.5 * voxels))).collect();
        let at = |k: f64| Vec3::new(1.3 * k, 2.1, 0.7 * voxels + 0.1 * k);
        all.extend([[at(0.0); 3], [at(1.0), at(2.0), at(3.0)], [at(1.0), at(1.0), at(9.0)]]);
        all
    }

    /// Guards: a walk that leaves out what rounding makes the nearest gives bits that depend on the tree.
    #[test]
    fn every_node_of_every_block_has_the_least_of_all_computed_distances() {
        for (voxels, leaf) in [(40.0, 4), (24.0, 1), (72.0, 3)] {
            let triangles = triangles(voxels);
            let bvh = Bvh::of_tree(&triangles, build::build_with(&triangles, leaf));
            let frames: Vec<_> = triangles.iter().map(|&t| TriangleFrame::new(t)).collect();
            let nodes = voxels as usize + 1;
            let layout = GridLayout { slots: [voxels as usize / 8 + 1; 3], nodes: [nodes; 3] };
            let mut front = Front::new();
            for slot in (0..layout.count()).step_by(if voxels > 60.0 { 7 } else { 1 }) {
                let at = layout.at(slot);
                let block = unsigned::block(&bvh, &layout, at, &mut front);
                for z in 0..8 {
                    for y in 0..8 {
                        if !layout.inside(at, [0, y, z]) {
                            continue;
                        }
                        let node = |x: usize| [8 * at[0] + x, 8 * at[1] + y, 8 * at[2] + z].map(|n| n as f32);
                        let points: [[f32; 3]; 8] = std::array::from_fn(node);
                        let mut best = F8::splat(f32::INFINITY);
                        for frame in &frames {
                            frame.lower(P8::gather(&points), &mut best);
                        }
                        for (x, d) in best.sqrt().to_array().into_iter().enumerate() {
                            if layout.inside(at, [x, y, z]) {
                                assert_eq!(block[owned([x, y, z])], d, "{voxels} {at:?} {:?}", [x, y, z]);
                            }
                        }
                    }
                }
            }
        }
    }
}
