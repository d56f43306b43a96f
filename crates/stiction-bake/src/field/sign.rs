//! Signs by the generalised winding number.
//!
//! Between two neighbouring nodes with unsigned distances a and b there is no surface if a + b > h: a point of the
//! surface on the edge would be within a of one and b of the other. In a mesh with holes up to a width g the edge may pass
//! through one, whose middle is within g/2 of its rim: then a + b > h + g is asked. Nodes of a block that are joined by
//! such edges have one sign, that of the winding number at the node furthest from the surface; so nearly all nodes are
//! decided by a few numbers a block, and every block is decided by itself.

use super::bvh::Bvh;
use super::grid::{GridLayout, OWNED, SIDE, node, owned};
use super::lanes::{LANES, P8};
use super::unsigned::Block;
use super::winding::Winding;

/// Distances are good to some 1e-4 voxels; two of them are added.
pub const ROUNDING: f32 = 1e-3;

/// Whether points are inside: their winding number is above one half.
pub fn inside(bvh: &Bvh, winding: &Winding, points: &[[f32; 3]]) -> Vec<bool> {
    let packets = points.chunks(LANES).flat_map(|packet| {
        let numbers = winding.number(bvh, P8::gather(packet)).to_array();
        numbers.into_iter().take(packet.len())
    });
    packets.map(|number| number > 0.5).collect()
}

/// Gives the nodes of a block their signs. `gap` is the width of the widest hole, in voxels.
pub fn block(bvh: &Bvh, winding: &Winding, layout: &GridLayout, at: [usize; 3], gap: f32, values: &mut Block) {
    let mut label = [u16::MAX; OWNED];
    let mut furthest: Vec<usize> = Vec::new();
    let mut queue = Vec::with_capacity(OWNED);
    for start in 0..OWNED {
        if label[start] != u16::MAX || !layout.inside(at, node(start)) {
            continue;
        }
        let group = furthest.len() as u16;
        furthest.push(start);
        label[start] = group;
        queue.push(start);
        while let Some(here) = queue.pop() {
            if values[here] > values[furthest[group as usize]] {
                furthest[group as usize] = here;
            }
            for next in neighbours(here) {
                let clear = values[here] + values[next] > 1.0 + gap + ROUNDING;
                if clear && label[next] == u16::MAX && layout.inside(at, node(next)) {
                    label[next] = group;
                    queue.push(next);
                }
            }
        }
    }
    let points: Vec<[f32; 3]> = furthest
        .iter()
        .map(|&i| {
            let n = node(i);
            [0, 1, 2].map(|k| (at[k] * SIDE + n[k]) as f32)
        })
        .collect();
    let negative = inside(bvh, winding, &points);
    for (value, label) in values.iter_mut().zip(label) {
        if label != u16::MAX && negative[label as usize] {
            *value = -*value;
        }
    }
}

/// The neighbours of a node within its block.
pub fn neighbours(index: usize) -> impl Iterator<Item = usize> {
    let here = node(index);
    (0..6).filter_map(move |side| {
        let mut there = here;
        let axis = side / 2;
        there[axis] = if side % 2 == 0 { there[axis].checked_sub(1)? } else { there[axis] + 1 };
        (there[axis] < SIDE).then(|| owned(there))
    })
}
