//! Signs by the offset surface, without any orientation.
//!
//! After Xu and Barbič, *Signed distance fields for polygon soup meshes* (2014), as far as it is known from their library: the
//! surface at distance σ from the mesh is closed whatever the mesh is like. What can be reached from outside without
//! coming nearer than σ is outside; S is the part of the offset surface that bounds it. A point p nearer than σ to
//! the mesh is σ − dist(p, S) outside of the mesh:
//!
//! ```text
//! u outside by u: dist(p, S) = σ − u        inside by u: dist(p, S) = σ + u
//! ```
//!
//! so its sign is that of σ − dist(p, S), and its magnitude the exact unsigned distance. Deviations: S is not extracted as a
//! mesh but taken as the points where lattice edges cross it, linearly interpolated. The distance to those points
//! exceeds that to S by at most 0.2 voxels or so, which is split evenly ([`BIAS`]). Nodes within [`UNSURE`] of the mesh then
//! take the sign of a neighbour across no surface, a + b > h. Gaps narrower than 2σ are closed, and cavities that cannot be reached from
//! outside are solid.

use super::grid::{SIDE, node, owned};
use super::nodes::{FAR, NONE, Nodes, for_blocks};
use super::sign::neighbours;
use crate::progress::{Cancelled, Progress};
use rayon::prelude::*;

const BIAS: f32 = 0.1;
const UNSURE: f32 = 0.4;
/// A node nearer than σ, or beyond the lattice.
const CLOSED: u16 = u16::MAX;

/// For every slot, which of its nodes hang together, numbered over all slots.
struct Open {
    /// For every block and node: its group within the block, or [`CLOSED`].
    label: Vec<[u16; super::grid::OWNED]>,
    /// For every slot its first group; a slot without a block is one group.
    first: Vec<u32>,
    /// Union-find over groups.
    parent: Vec<u32>,
}

/// Gives all blocks, and the first nodes of all slots, their signs.
pub fn sign(nodes: &mut Nodes, sigma: f32, progress: &dyn Progress) -> Result<(), Cancelled> {
    let mut open = Open::new(nodes, sigma);
    open.join(nodes);
    // The lattice is padded by more than σ, so all of its boundary is open and hangs together.
    let outside = open.root(open.first[0] + open.label_at(nodes, 0, 0).map_or(0, u32::from));
    let reached: Vec<bool> = (0..open.parent.len() as u32).map(|g| open.root(g) == outside).collect();
    for slot in 0..nodes.layout.count() {
        if nodes.block[slot] == NONE && !reached[open.first[slot] as usize] {
            nodes.coarse[slot] = -nodes.coarse[slot];
        }
    }
    let view = View { nodes, open: &open, reached: &reached, sigma };
    let signs: Vec<Vec<bool>> = (0..nodes.slots.len())
        .into_par_iter()
        .map(|block| if progress.cancelled() { Vec::new() } else { view.negative(block) })
        .collect();
    if progress.cancelled() {
        return Err(Cancelled);
    }
    let layout = nodes.layout;
    let of_slot = &nodes.block;
    for_blocks(&nodes.slots, &mut nodes.values, progress, |slots, values| {
        for (&slot, values) in slots.iter().zip(values) {
            debug_assert!((slot as usize) < layout.count());
            let negative = &signs[of_slot[slot as usize] as usize];
            values.iter_mut().zip(negative).filter(|(_, n)| **n).for_each(|(v, _)| *v = -*v);
        }
    })?;
    settle(nodes);
    Ok(())
}

/// Gives nodes next to the mesh the sign of the furthest neighbour that no surface parts them from.
fn settle(nodes: &mut Nodes) {
    let turned: Vec<Vec<usize>> = (0..nodes.slots.len())
        .into_par_iter()
        .map(|block| {
            let at = nodes.layout.at(nodes.slots[block] as usize);
            let unsure = (0..super::grid::OWNED).filter(|&i| nodes.values[block][i].abs() < UNSURE);
            let wrong = unsure.filter(|&i| {
                let here = nodes.values[block][i];
                let sure = around(nodes, at, node(i)).filter(|b| b.abs() > UNSURE && here.abs() + b.abs() > 1.001);
                let furthest = sure.max_by(|a, b| a.abs().total_cmp(&b.abs()));
                furthest.is_some_and(|b| (b < 0.0) != (here < 0.0))
            });
            wrong.collect()
        })
        .collect();
    for (block, turned) in turned.into_iter().enumerate() {
        turned.into_iter().for_each(|i| nodes.values[block][i] = -nodes.values[block][i]);
    }
}

/// The values at the six neighbours of a node.
fn around(nodes: &Nodes, at: [usize; 3], from: [usize; 3]) -> impl Iterator<Item = f32> {
    (0..6).filter_map(move |side| {
        let (axis, up) = (side / 2, side % 2 == 1);
        let (mut at, mut to) = (at, from);
        if up {
            to[axis] += 1;
        } else if to[axis] > 0 {
            to[axis] -= 1;
        } else {
            at[axis] = at[axis].checked_sub(1)?;
            to[axis] = SIDE - 1;
        }
        nodes.value(at, to)
    })
}

impl Open {
    fn new(nodes: &Nodes, sigma: f32) -> Open {
        let layout = nodes.layout;
        let labelled: Vec<_> = nodes
            .slots
            .par_iter()
            .zip(&nodes.values)
            .map(|(&slot, values)| {
                let at = layout.at(slot as usize);
                label_block(|i| values[i] >= sigma && layout.inside(at, node(i)))
            })
            .collect();
        let mut first = Vec::with_capacity(layout.count());
        let mut groups = 0u32;
        for slot in 0..layout.count() {
            first.push(groups);
            groups += match nodes.block[slot] {
                NONE => 1,
                block => u32::from(labelled[block as usize].1),
            };
        }
        Open { label: labelled.into_iter().map(|l| l.0).collect(), first, parent: (0..groups).collect() }
    }

    /// The group of a node within its slot, or nothing where it is closed.
    fn label_at(&self, nodes: &Nodes, slot: usize, index: usize) -> Option<u16> {
        match nodes.block[slot] {
            NONE => nodes.layout.inside(nodes.layout.at(slot), node(index)).then_some(0),
            block => Some(self.label[block as usize][index]).filter(|&l| l != CLOSED),
        }
    }

    fn root(&self, mut group: u32) -> u32 {
        while self.parent[group as usize] != group {
            group = self.parent[group as usize];
        }
        group
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        // The smaller number wins: the result does not depend on the order.
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
    }

    /// Joins groups over the faces between slots.
    fn join(&mut self, nodes: &Nodes) {
        for slot in 0..nodes.layout.count() {
            for axis in 0..3 {
                let Some(next) = nodes.layout.neighbour(slot, axis, true) else { continue };
                if nodes.block[slot] == NONE && nodes.block[next] == NONE {
                    self.unite(self.first[slot], self.first[next]);
                    continue;
                }
                for face in 0..SIDE * SIDE {
                    let mut here = [0; 3];
                    here[(axis + 1) % 3] = face % SIDE;
                    here[(axis + 2) % 3] = face / SIDE;
                    let there = owned(here);
                    here[axis] = SIDE - 1;
                    let labels = (self.label_at(nodes, slot, owned(here)), self.label_at(nodes, next, there));
                    if let (Some(a), Some(b)) = labels {
                        self.unite(self.first[slot] + u32::from(a), self.first[next] + u32::from(b));
                    }
                }
            }
        }
        // Paths become short, so that the many look-ups that follow are quick.
        for group in 0..self.parent.len() as u32 {
            let root = self.root(group);
            self.parent[group as usize] = root;
        }
    }
}

/// Numbers the groups of open nodes of a block.
fn label_block(open: impl Fn(usize) -> bool) -> ([u16; super::grid::OWNED], u16) {
    let mut label = [CLOSED; super::grid::OWNED];
    let mut groups = 0;
    let mut queue = Vec::new();
    for start in 0..label.len() {
        if label[start] != CLOSED || !open(start) {
            continue;
        }
        label[start] = groups;
        queue.push(start);
        while let Some(here) = queue.pop() {
            for next in neighbours(here) {
                if label[next] == CLOSED && open(next) {
                    label[next] = groups;
                    queue.push(next);
                }
            }
        }
        groups += 1;
    }
    (label, groups)
}

/// What a block sees of itself and its neighbours.
struct View<'a> {
    nodes: &'a Nodes,
    open: &'a Open,
    reached: &'a [bool],
    sigma: f32,
}

impl View<'_> {
    /// Unsigned distance and whether outside, at a node given by its place on the whole lattice.
    fn look(&self, place: [isize; 3]) -> Option<(f32, bool)> {
        let layout = &self.nodes.layout;
        let inside = (0..3).all(|k| place[k] >= 0 && (place[k] as usize) < layout.nodes[k]);
        if !inside {
            return None;
        }
        let place = place.map(|p| p as usize);
        let slot = layout.slot(place.map(|p| p / SIDE));
        let index = owned(place.map(|p| p % SIDE));
        let value = match self.nodes.block[slot] {
            NONE => FAR,
            block => self.nodes.values[block as usize][index],
        };
        let group = self.open.label_at(self.nodes, slot, index);
        Some((value, group.is_some_and(|g| self.reached[(self.open.first[slot] + u32::from(g)) as usize])))
    }

    /// For every node of a block whether it is inside.
    fn negative(&self, block: usize) -> Vec<bool> {
        let slot = self.nodes.slots[block] as usize;
        let values = &self.nodes.values[block];
        let origin = self.nodes.layout.at(slot).map(|c| (c * SIDE) as isize);
        let crossings = if values.iter().any(|v| *v < self.sigma) { self.crossings(origin) } else { Vec::new() };
        let limit = (self.sigma + BIAS) * (self.sigma + BIAS);
        let decide = |(index, value): (usize, &f32)| {
            if *value >= self.sigma {
                let group = self.open.label_at(self.nodes, slot, index);
                return group.is_some_and(|g| !self.reached[(self.open.first[slot] + u32::from(g)) as usize]);
            }
            let p = node(index).map(|n| n as f32);
            let near = |c: &[f32; 3]| (0..3).map(|k| (c[k] - p[k]) * (c[k] - p[k])).sum::<f32>() <= limit;
            !crossings.iter().any(near)
        };
        values.iter().enumerate().map(decide).collect()
    }

    /// Points of S around a block, relative to its first node.
    fn crossings(&self, origin: [isize; 3]) -> Vec<[f32; 3]> {
        let reach = self.sigma.ceil() as isize + 1;
        let side = SIDE as isize + 2 * reach + 1;
        let at = |i: isize| [i % side - reach, i / side % side - reach, i / (side * side) - reach];
        let seen: Vec<_> =
            (0..side * side * side).map(|i| self.look([0, 1, 2].map(|k| origin[k] + at(i)[k]))).collect();
        let mut points = Vec::new();
        for i in 0..side * side * side {
            for (axis, step) in [1, side, side * side].into_iter().enumerate() {
                if at(i)[axis] + 1 > SIDE as isize + reach {
                    continue;
                }
                let (Some((a, out_a)), Some((b, out_b))) = (seen[i as usize], seen[(i + step) as usize]) else {
                    continue;
                };
                // From outside to nearer than σ, in either direction.
                let crosses = (out_a && b < self.sigma) || (out_b && a < self.sigma);
                if crosses {
                    let mut point = at(i).map(|x| x as f32);
                    point[axis] += if a >= FAR || b >= FAR { 0.5 } else { (a - self.sigma) / (a - b) };
                    points.push(point);
                }
            }
        }
        points
    }
}
