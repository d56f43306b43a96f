//! Exact unsigned distances: at the nodes of blocks, and at every eighth node and every block's centre.
//!
//! Everything is in voxels: triangles are moved and scaled so that node (i, j, k) lies at (i, j, k).

use super::bvh::{Bvh, Cube, Hints};
use super::grid::{GridLayout, OWNED, SIDE, owned};
use super::lanes::{F8, LANES, P8};

/// The nodes owned by a block.
pub type Block = [f32; OWNED];

/// Unsigned distances at the nodes of a block, in packets of 2³ that follow each other like a snake.
pub fn block(bvh: &Bvh, layout: &GridLayout, at: [usize; 3], hints: &mut Hints) -> Block {
    let mut out = [f32::INFINITY; OWNED];
    if bvh.is_empty() {
        return out;
    }
    let half = SIDE / 2;
    for z in 0..half {
        for y in 0..half {
            let y = if z % 2 == 1 { half - 1 - y } else { y };
            for x in 0..half {
                let x = if (y + z) % 2 == 1 { half - 1 - x } else { x };
                let base = [2 * x, 2 * y, 2 * z];
                if !layout.inside(at, base) {
                    continue;
                }
                let nodes: [[usize; 3]; LANES] =
                    std::array::from_fn(|i| [base[0] + (i & 1), base[1] + (i >> 1 & 1), base[2] + (i >> 2)]);
                let mut best = F8::splat(f32::INFINITY);
                bvh.nearest(&Cube::new([0, 1, 2].map(|k| (at[k] * SIDE + base[k]) as f32)), &mut best, hints);
                nodes.iter().zip(best.sqrt().to_array()).for_each(|(n, d)| out[owned(*n)] = d);
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
