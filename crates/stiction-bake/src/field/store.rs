//! From computed nodes to the field that the engine samples.

use super::grid::{GridLayout, SIDE, node};
use super::nodes::{NONE, Nodes};
use rayon::prelude::*;
use stiction::shape::{Aabb, Dense, DistanceField, Lattice, ShapeError, Sparse};

/// Every node.
pub fn dense(nodes: Nodes, lattice: Lattice, part: Aabb) -> Result<DistanceField, ShapeError> {
    let [nx, ny, nz] = lattice.nodes();
    let h = lattice.spacing;
    let mut values = vec![0f32; nx * ny * nz];
    values.par_chunks_mut(nx * ny).enumerate().for_each(|(z, plane)| {
        for y in 0..ny {
            for (x, run) in plane[y * nx..(y + 1) * nx].chunks_mut(SIDE).enumerate() {
                let block = nodes.block[nodes.layout.slot([x, y / SIDE, z / SIDE])];
                let first = super::grid::owned([0, y % SIDE, z % SIDE]);
                let computed = &nodes.values[block as usize][first..first + SIDE];
                run.iter_mut().zip(computed).for_each(|(value, d)| *value = (f64::from(*d) * h) as f32);
            }
        }
    });
    Ok(DistanceField::Dense(Dense::new(lattice, part, values)?))
}

/// Blocks with a node in the band, which is in voxels; a bound at every eighth node.
pub fn sparse(nodes: Nodes, lattice: Lattice, part: Aabb, band: f64) -> Result<DistanceField, ShapeError> {
    let h = lattice.spacing;
    let counts = lattice.cells.map(|n| n as usize / SIDE);
    let coarse = nodes.coarse.par_iter().map(|&d| Sparse::coarse_value(f64::from(d) * h, h)).collect();
    let active = active_slots(&nodes, counts, band as f32);
    let mut slots = vec![Sparse::EMPTY; counts.iter().product()];
    for (i, at) in active.iter().enumerate() {
        slots[(at[2] * counts[1] + at[1]) * counts[0] + at[0]] = i as u32;
    }
    let mut blocks = vec![0i16; active.len() * Sparse::BLOCK];
    blocks.par_chunks_mut(Sparse::BLOCK).zip(&active).for_each(|(block, &at)| {
        for (i, value) in block.iter_mut().enumerate() {
            let n = Sparse::NODES;
            let node = [i % n, i / n % n, i / (n * n)];
            let d = nodes.value(at, node).expect("blocks lie within the lattice");
            *value = Sparse::quantise(f64::from(d), band);
        }
    });
    drop(nodes);
    Ok(DistanceField::Sparse(Sparse::new(lattice, part, band * h, coarse, slots, blocks)?))
}

/// Blocks that have a node of their 9³ within the band, or corners of both signs; in the order of slots.
fn active_slots(nodes: &Nodes, counts: [usize; 3], band: f32) -> Vec<[usize; 3]> {
    let mut active = vec![false; nodes.layout.count()];
    for (block, &slot) in nodes.slots.iter().enumerate() {
        let at = nodes.layout.at(slot as usize);
        for (index, value) in nodes.values[block].iter().enumerate() {
            // What the store keeps apart from the edge of the band is in the band.
            if Sparse::quantise(f64::from(*value), f64::from(band)).unsigned_abs() < Sparse::FULL as u16 {
                mark(&nodes.layout, &mut active, at, node(index));
            }
        }
    }
    let inside = |at: &[usize; 3]| (0..3).all(|k| at[k] < counts[k]);
    let slots = (0..active.len()).map(|slot| (slot, nodes.layout.at(slot))).filter(|(_, at)| inside(at));
    slots.filter(|(slot, at)| active[*slot] || mixed(nodes, *at)).map(|(_, at)| at).collect()
}

/// Slots without a block whose corners differ in sign.
pub fn mixed_slots(nodes: &Nodes) -> Vec<u32> {
    let layout = &nodes.layout;
    let inside = |at: [usize; 3]| (0..3).all(|k| at[k] + 1 < layout.slots[k]);
    let slots = (0..layout.count()).filter(|&slot| nodes.block[slot] == NONE && inside(layout.at(slot)));
    slots.filter(|&slot| mixed(nodes, layout.at(slot))).map(|slot| slot as u32).collect()
}

/// Marks the blocks whose closed box has this node.
fn mark(layout: &GridLayout, active: &mut [bool], at: [usize; 3], node: [usize; 3]) {
    for corner in 0..8 {
        let back = [corner & 1, corner >> 1 & 1, corner >> 2];
        if (0..3).all(|k| back[k] == 0 || (node[k] == 0 && at[k] > 0)) {
            active[layout.slot([at[0] - back[0], at[1] - back[1], at[2] - back[2]])] = true;
        }
    }
}

/// Whether the corners of a block differ in sign.
fn mixed(nodes: &Nodes, at: [usize; 3]) -> bool {
    let sign = |c: usize| {
        let slot = nodes.layout.slot([at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)]);
        nodes.coarse[slot] < 0.0
    };
    (1..8).any(|c| sign(c) != sign(0))
}
