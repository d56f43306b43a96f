//! The nearest of some triangles to the 4³ nodes of a cell, which are eight packets of 2³.
//!
//! All packets are looked at together, a lane each. Around the middle of a packet every triangle has a bound from below, l + g·ε
//! (`TriangleFrame::tangent`), where the nodes lie at ε = (±½, ±½, ±½). The triangle with the least l is asked first, which gives every node a
//! distance. With b the mean slope of these and a the least number such that all are at most a + b·ε, no node can be nearer to a triangle with
//!
//! ```text
//! l − a > ½ ‖g − b‖₁          since the greatest of (b − g)·ε over the nodes is ½ ‖g − b‖₁
//! ```
//!
//! so only the others are asked, each by the packets that may be nearer to it.

use super::bvh::Bvh;
use super::lanes::{F8, LANES, P8};

/// A triangle that some of the cells of a block may be nearest to, by its place, with the bound from below around each cell's middle.
pub struct Competitor {
    /// Place of the triangle in the tree.
    pub place: u32,
    /// The cells, a bit each.
    pub cells: u32,
    /// The bound at the cells' middles, without what rounding may take.
    pub least: F8,
    /// Its gradient.
    pub gradient: P8,
}

impl Competitor {
    /// The bound at the middles of the packets of a cell, and the gradient, in all lanes.
    #[inline(always)]
    fn around(&self, cell: usize) -> (F8, P8) {
        let lane = |v: &F8| F8::splat(v.as_array()[cell]);
        let g = P8 { x: lane(&self.gradient.x), y: lane(&self.gradient.y), z: lane(&self.gradient.z) };
        (lane(&self.least) + g.dot(corners()), g)
    }
}

/// The corners of a cube with an edge of two around the origin, x fastest: the middles of packets in a cell, and twice the nodes in a packet.
#[inline(always)]
fn corners() -> P8 {
    let sign = |bit: usize| F8::new(std::array::from_fn(|i| if i >> bit & 1 == 1 { 1.0 } else { -1.0 }));
    P8 { x: sign(0), y: sign(1), z: sign(2) }
}

/// Lowers the squared distances of the nodes of those packets of a cell that are wanted, a bit each; tells whether there was any triangle.
pub fn lower(
    bvh: &Bvh,
    all: &[Competitor],
    cell: usize,
    middle: [f32; 3],
    packets: u32,
    best: &mut [F8; LANES],
) -> bool {
    let own = || all.iter().enumerate().filter(|(_, t)| t.cells >> cell & 1 == 1);
    let (mut least, mut first) = (F8::splat(f32::INFINITY), F8::splat(-1.0));
    for (i, triangle) in own() {
        let (bound, _) = triangle.around(cell);
        first = bound.simd_lt(least).bitselect(F8::splat(i as f32), first);
        least = least.fast_min(bound);
    }
    let firsts = first.to_array();
    if firsts[0] < 0.0 {
        return false;
    }
    let corners = corners();
    let half = F8::splat(0.5);
    let nodes = P8 { x: corners.x * half, y: corners.y * half, z: corners.z * half };
    let points: [P8; LANES] = std::array::from_fn(|packet| {
        let at = |k: usize, axis: &F8| F8::splat(middle[k] + axis.as_array()[packet]);
        let (x, y, z) = (at(0, &corners.x), at(1, &corners.y), at(2, &corners.z));
        P8 { x: x + nodes.x, y: y + nodes.y, z: z + nodes.z }
    });
    for packet in lanes_of(packets) {
        bvh.lower_at(all[firsts[packet] as usize].place, points[packet], &mut best[packet]);
    }
    let (a, b) = upper_bound(best);
    for (i, triangle) in own() {
        let (bound, g) = triangle.around(cell);
        let apart = (g.x - b.x).abs() + (g.y - b.y).abs() + (g.z - b.z).abs();
        let near = (bound - a).simd_le(half * apart).to_bitmask();
        let asked = first.simd_eq(F8::splat(i as f32)).to_bitmask();
        for packet in lanes_of(near & !asked & packets) {
            bvh.lower_at(triangle.place, points[packet], &mut best[packet]);
        }
    }
    true
}

/// The lanes whose bits are set.
#[inline(always)]
fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

/// For each packet a and b such that the distances of its nodes are at most a + b·ε.
#[inline(always)]
fn upper_bound(squared: &[F8; LANES]) -> (F8, P8) {
    let d = F8::transpose(squared.map(F8::sqrt));
    let quarter = F8::splat(0.25);
    let slope = |bit: usize| {
        let mut sum = F8::ZERO;
        for low in (0..LANES).filter(|i| i >> bit & 1 == 0) {
            sum += d[low | 1 << bit] - d[low];
        }
        sum * quarter
    };
    let b = P8 { x: slope(0), y: slope(1), z: slope(2) };
    let half = F8::splat(0.5);
    let (x, y, z) = (b.x * half, b.y * half, b.z * half);
    let along = |sum: F8, part: F8, up: bool| if up { sum + part } else { sum - part };
    let a = (0..LANES).fold(F8::splat(f32::NEG_INFINITY), |most, i| {
        most.fast_max(along(along(along(d[i], x, i & 1 == 0), y, i >> 1 & 1 == 0), z, i >> 2 == 0))
    });
    (a, b)
}
