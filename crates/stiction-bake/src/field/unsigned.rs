//! Exact unsigned distances: at the nodes of blocks, and at every eighth node and every block's centre.
//!
//! Everything is in voxels: triangles are moved and scaled so that node (i, j, k) lies at (i, j, k).

use super::bvh::{Bvh, Hints};
use super::front::{CELL, Front};
use super::grid::{GridLayout, OWNED, SIDE, owned};
use super::lanes::{F8, LANES, P8};

/// The nodes owned by a block.
pub type Block = [f32; OWNED];

/// Unsigned distances at the nodes of a block: what its cells may be nearest to is found once, then cell follows cell.
pub fn block(bvh: &Bvh, layout: &GridLayout, at: [usize; 3], front: &mut Front) -> Block {
    let mut out = [f32::INFINITY; OWNED];
    if bvh.is_empty() {
        return out;
    }
    let place = |i: usize, edge: usize| [edge * (i & 1), edge * (i >> 1 & 1), edge * (i >> 2)];
    let bits = |wanted: &dyn Fn(usize) -> bool| (0..LANES).filter(|i| wanted(*i)).fold(0, |bits, i| bits | 1 << i);
    let cells = bits(&|cell| layout.inside(at, place(cell, CELL)));
    front.find(bvh, at.map(|n| (n * SIDE) as f32), cells);
    for cell in (0..LANES).filter(|cell| cells >> cell & 1 == 1) {
        let corner = place(cell, CELL);
        let base = |packet: usize| [0, 1, 2].map(|k| corner[k] + place(packet, 2)[k]);
        let packets = bits(&|packet| layout.inside(at, base(packet)));
        for (packet, best) in front.nearest(bvh, cell, packets).into_iter().enumerate() {
            let first = owned(base(packet));
            for (i, d) in best.sqrt().to_array().into_iter().enumerate() {
                out[first + owned(place(i, 1))] = d;
            }
        }
    }
    out
}

/// Unsigned distances of one to eight points.
pub fn nearest(bvh: &Bvh, points: &[[f32; 3]], hints: &mut Hints) -> [f32; LANES] {
    let mut best = F8::splat(f32::INFINITY);
    if !bvh.is_empty() {
        bvh.nearest(&P8::gather(points), &mut best, hints);
    }
    best.sqrt().to_array()
}

/// Unsigned distances of any number of points, in the order given; neighbours should follow each other.
pub fn all(bvh: &Bvh, points: impl Iterator<Item = [f32; 3]>) -> Vec<f32> {
    let mut hints = Hints::new();
    let mut out = Vec::with_capacity(points.size_hint().0);
    let mut packet = Vec::with_capacity(LANES);
    let mut flush = |packet: &mut Vec<[f32; 3]>, out: &mut Vec<f32>| {
        if !packet.is_empty() {
            out.extend_from_slice(&nearest(bvh, packet, &mut hints)[..packet.len()]);
            packet.clear();
        }
    };
    for point in points {
        packet.push(point);
        if packet.len() == LANES {
            flush(&mut packet, &mut out);
        }
    }
    flush(&mut packet, &mut out);
    out
}
