//! The nodes that are computed: every one for a dense field, those of blocks near the surface for a sparse one.

use super::bvh::Bvh;
use super::front::Front;
use super::grid::{GridLayout, HALF_DIAGONAL, SIDE, owned};
use super::rows::FieldRows;
use super::sign;
use super::unsigned::{self, Block};
use super::winding::Winding;
use crate::progress::{Cancelled, Progress};
use rayon::prelude::*;

/// No block in a slot.
pub const NONE: u32 = u32::MAX;
/// The distance of a node that was not computed: further than any that was.
pub const FAR: f32 = f32::MAX;
/// Blocks between two looks at whether the user wants to stop.
pub const STRIDE: usize = 64;

/// Signed distances, in voxels, at the nodes of some blocks; and at the first node of every block.
pub struct Nodes {
    /// Where the blocks are.
    pub layout: GridLayout,
    /// For every slot its block, or [`NONE`].
    pub block: Vec<u32>,
    /// For every block its slot.
    pub slots: Vec<u32>,
    /// For every block the distances at its nodes.
    pub values: Vec<Block>,
    /// For every slot the distance at its first node.
    pub coarse: Vec<f32>,
}

impl Nodes {
    /// No blocks yet; the first nodes unsigned.
    pub fn new(layout: GridLayout, bvh: &Bvh) -> Nodes {
        let [x, y, z] = layout.slots;
        let row = |row: usize| {
            let (j, k) = (row % y, row / y);
            unsigned::all(bvh, (0..x).map(|i| [(i * SIDE) as f32, (j * SIDE) as f32, (k * SIDE) as f32]))
        };
        let rows: Vec<Vec<f32>> = (0..y * z).into_par_iter().map(row).collect();
        Nodes { coarse: rows.concat(), ..Nodes::without_coarse(layout) }
    }

    /// No blocks yet, and nothing known of the first nodes: for those who add every block.
    pub fn without_coarse(layout: GridLayout) -> Nodes {
        let count = layout.count();
        Nodes { layout, block: vec![NONE; count], slots: Vec::new(), values: Vec::new(), coarse: vec![FAR; count] }
    }

    /// Slots without a block that may hold a node with a value of at most `band`: `value` gives it at any points, and
    /// `first` at the first nodes of all slots. It is 1-Lipschitz.
    pub fn candidates(&self, band: f32, first: &[f32], value: impl Fn(&[[f32; 3]]) -> Vec<f32> + Sync) -> Vec<u32> {
        let reach = band + HALF_DIAGONAL as f32;
        let [x, y, z] = self.layout.slots;
        let rows: Vec<Vec<u32>> = (0..y * z)
            .into_par_iter()
            .map(|row| {
                let near = |&i: &usize| {
                    let slot = row * x + i;
                    self.block[slot] == NONE && first[slot].abs() <= reach + HALF_DIAGONAL as f32
                };
                let slots: Vec<usize> = (0..x).filter(near).collect();
                let (j, k) = (row % y, row / y);
                let centre = |n: usize| (n * SIDE + SIDE / 2) as f32;
                let points: Vec<[f32; 3]> = slots.iter().map(|&i| [centre(i), centre(j), centre(k)]).collect();
                let values = value(&points);
                slots.iter().zip(values).filter(|(_, v)| *v <= reach).map(|(i, _)| (row * x + i) as u32).collect()
            })
            .collect();
        rows.concat()
    }

    /// Adds blocks with their unsigned distances; returns the first of the new ones.
    pub fn add(&mut self, slots: Vec<u32>, bvh: &Bvh, progress: &dyn Progress) -> Result<usize, Cancelled> {
        let first = self.values.len();
        for (i, &slot) in slots.iter().enumerate() {
            self.block[slot as usize] = (first + i) as u32;
        }
        self.slots.extend_from_slice(&slots);
        let layout = self.layout;
        self.values.resize(self.slots.len(), [FAR; _]);
        for_blocks(&slots, &mut self.values[first..], progress, |slots, values| {
            let mut front = Front::new();
            for (&slot, values) in slots.iter().zip(values) {
                *values = unsigned::block(bvh, &layout, layout.at(slot as usize), &mut front);
            }
        })?;
        Ok(first)
    }

    /// Gives blocks from `first` on their signs by winding numbers.
    pub fn sign(
        &mut self,
        first: usize,
        bvh: &Bvh,
        winding: &Winding,
        gap: f32,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        let layout = self.layout;
        for_blocks(&self.slots[first..], &mut self.values[first..], progress, |slots, values| {
            for (&slot, values) in slots.iter().zip(values) {
                sign::block(bvh, winding, &layout, layout.at(slot as usize), gap, values);
            }
        })
    }

    /// Gives the first nodes of all blocks their signs by winding numbers: one for all nodes that are joined by edges
    /// which no surface, nor a hole of width `gap`, can cross (see `sign.rs`; these edges are eight voxels long).
    pub fn sign_coarse(
        &mut self,
        bvh: &Bvh,
        winding: &Winding,
        gap: f32,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        let clear = SIDE as f32 + gap + sign::ROUNDING;
        let mut group = vec![NONE; self.coarse.len()];
        let mut furthest: Vec<usize> = Vec::new();
        let mut queue = Vec::new();
        for start in 0..group.len() {
            if group[start] != NONE {
                continue;
            }
            let number = furthest.len() as u32;
            furthest.push(start);
            group[start] = number;
            queue.push(start);
            while let Some(here) = queue.pop() {
                let best = &mut furthest[number as usize];
                if self.coarse[here].abs() > self.coarse[*best].abs() {
                    *best = here;
                }
                for side in 0..6 {
                    let Some(next) = self.layout.neighbour(here, side / 2, side % 2 == 1) else { continue };
                    if group[next] == NONE && self.coarse[here].abs() + self.coarse[next].abs() > clear {
                        group[next] = number;
                        queue.push(next);
                    }
                }
            }
        }
        let parts: Vec<Vec<bool>> = furthest
            .par_chunks(STRIDE)
            .map(|slots| {
                if progress.cancelled() {
                    return Err(Cancelled);
                }
                let points: Vec<[f32; 3]> =
                    slots.iter().map(|&slot| self.layout.at(slot).map(|n| (n * SIDE) as f32)).collect();
                Ok(sign::inside(bvh, winding, &points))
            })
            .collect::<Result<_, _>>()?;
        let inside = parts.concat();
        for (value, group) in self.coarse.iter_mut().zip(group) {
            *value = if inside[group as usize] { -value.abs() } else { value.abs() };
        }
        Ok(())
    }

    /// Gives blocks from `first` on their signs by counted crossings.
    pub fn sign_by_rows(&mut self, first: usize, rows: &FieldRows, progress: &dyn Progress) -> Result<(), Cancelled> {
        let layout = self.layout;
        for_blocks(&self.slots[first..], &mut self.values[first..], progress, |slots, values| {
            for (&slot, values) in slots.iter().zip(values) {
                let at = layout.at(slot as usize);
                for (i, row) in values.chunks_exact_mut(SIDE).enumerate() {
                    let n = [0, i % SIDE, i / SIDE];
                    if layout.inside(at, n) {
                        let first = [0, 1, 2].map(|k| at[k] * SIDE + n[k]);
                        for run in rows.inside(first, SIDE) {
                            row[run].iter_mut().for_each(|v| *v = -*v);
                        }
                    }
                }
            }
        })
    }

    /// Gives the first nodes of all blocks their signs by counted crossings.
    pub fn sign_coarse_by_rows(&mut self, rows: &FieldRows) {
        let layout = self.layout;
        self.coarse.par_iter_mut().enumerate().for_each(|(slot, value)| {
            let inside = rows.inside(layout.at(slot).map(|n| n * SIDE), 1).any(|run| !run.is_empty());
            *value = if inside { -value.abs() } else { value.abs() };
        });
    }

    /// The first nodes of computed blocks have the value of the block.
    pub fn update_coarse(&mut self) {
        for (&slot, values) in self.slots.iter().zip(&self.values) {
            self.coarse[slot as usize] = values[0];
        }
    }

    /// The value at a node, from 0 to 8 along each axis of a block; nothing beyond the lattice. Nodes that were not
    /// computed are far, with the sign of their block's first node.
    pub fn value(&self, at: [usize; 3], mut node: [usize; 3]) -> Option<f32> {
        let mut owner = at;
        for k in 0..3 {
            if node[k] == SIDE {
                owner[k] += 1;
                node[k] = 0;
            }
            if owner[k] >= self.layout.slots[k] {
                return None;
            }
        }
        if !self.layout.inside(owner, node) {
            return None;
        }
        let slot = self.layout.slot(owner);
        Some(match self.block[slot] {
            NONE => FAR.copysign(self.coarse[slot]),
            block => self.values[block as usize][owned(node)],
        })
    }
}

/// Runs something over blocks in parallel, a few at a time, telling how far it is.
pub fn for_blocks(
    slots: &[u32],
    values: &mut [Block],
    progress: &dyn Progress,
    work: impl Fn(&[u32], &mut [Block]) + Sync,
) -> Result<(), Cancelled> {
    slots.par_chunks(STRIDE).zip(values.par_chunks_mut(STRIDE)).try_for_each(|(slots, values)| {
        if progress.cancelled() {
            return Err(Cancelled);
        }
        work(slots, values);
        progress.advance(slots.len() as u64);
        Ok(())
    })
}
