//! Exact unsigned distances: at the nodes of blocks, and at every eighth node and every block's centre.
//!
//! Everything is in voxels: triangles are moved and scaled so that node (i, j, k) lies at (i, j, k).

use super::bvh::{Bvh, Cube, Hints};
use super::front::{CELL, Front};
use super::grid::{GridLayout, OWNED, SIDE, owned};
use super::lanes::{F8, LANES, P8};

/// The nodes owned by a block.
pub type Block = [f32; OWNED];

/// Unsigned distances at the nodes of a block: what its cells may be nearest to is found once, then packets of 2³ nodes follow each other.
pub fn block(bvh: &Bvh, layout: &GridLayout, at: [usize; 3], front: &mut Front) -> Block {
    let mut out = [f32::INFINITY; OWNED];
    if bvh.is_empty() {
        return out;
    }
    let place = |i: usize, edge: usize| [edge * (i & 1), edge * (i >> 1 & 1), edge * (i >> 2)];
    let wanted = |cell: &usize| layout.inside(at, place(*cell, CELL));
    let cells = (0..LANES).filter(wanted).fold(0, |cells, cell| cells | 1 << cell);
    let first = at.map(|n| (n * SIDE) as f32);
    front.find(bvh, first, cells);
    for cell in (0..LANES).filter(wanted) {
        front.enter(cell);
        let corner = place(cell, CELL);
        for packet in 0..LANES {
            let within = place(packet, 2);
            let base = [0, 1, 2].map(|k| corner[k] + within[k]);
            if !layout.inside(at, base) {
                continue;
            }
            let mut best = F8::splat(f32::INFINITY);
            let cube = Cube::new([0, 1, 2].map(|k| first[k] + base[k] as f32));
            front.nearest(bvh, &cube, &mut best);
            for (i, d) in best.sqrt().to_array().into_iter().enumerate() {
                let node = place(i, 1);
                out[owned([0, 1, 2].map(|k| base[k] + node[k]))] = d;
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
