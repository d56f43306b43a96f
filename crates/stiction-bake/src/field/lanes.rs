//! Eight points at a time.
//!
//! `wide` maps eight lanes to the processor's vector instructions, two of SSE2 in plain builds, one of AVX in wider ones.
//! Sums, products and comparisons are single IEEE operations, so distances have the same bits on every processor.

pub use wide::{f32x4 as F4, f32x8 as F8};

/// Lanes of a packet.
pub const LANES: usize = 8;

/// Whether any lane is below its partner.
#[inline(always)]
pub fn any_below(a: F8, b: F8) -> bool {
    a.simd_lt(b).any()
}

/// Whether a lower bound of squared distances is below what was found, or so little above that rounding may hide a nearer triangle: distances are
/// good to 2e-4 voxels, and (d + 2e-4)² ≤ 1.0001 d² + 1e-3. So the least of all computed distances is found, whatever the way down a tree.
#[inline(always)]
pub fn may_be_below(bound: F8, best: F8) -> bool {
    any_below(bound, best * F8::splat(1.0001) + F8::splat(1e-3))
}

/// Where `x` is not below zero: `yes`, elsewhere `no`.
#[inline(always)]
pub fn select_nonnegative(x: F8, yes: F8, no: F8) -> F8 {
    x.simd_ge(F8::ZERO).bitselect(yes, no)
}

/// Eight points.
#[derive(Clone, Copy, Debug)]
pub struct P8 {
    /// Their x.
    pub x: F8,
    /// Their y.
    pub y: F8,
    /// Their z.
    pub z: F8,
}

impl P8 {
    /// From one to eight points; the last one fills the rest.
    pub fn gather(points: &[[f32; 3]]) -> P8 {
        let lane = |axis: usize| {
            let mut out = [points[points.len() - 1][axis]; LANES];
            for (o, p) in out.iter_mut().zip(points) {
                *o = p[axis];
            }
            F8::new(out)
        };
        P8 { x: lane(0), y: lane(1), z: lane(2) }
    }

    /// Relative to a point.
    #[inline(always)]
    pub fn from(self, p: [f32; 3]) -> P8 {
        P8 { x: self.x - F8::splat(p[0]), y: self.y - F8::splat(p[1]), z: self.z - F8::splat(p[2]) }
    }

    /// Scalar product with a vector.
    #[inline(always)]
    pub fn dot_one(self, v: [f32; 3]) -> F8 {
        self.x * F8::splat(v[0]) + self.y * F8::splat(v[1]) + self.z * F8::splat(v[2])
    }

    /// Scalar product, lane by lane.
    #[inline(always)]
    pub fn dot(self, v: P8) -> F8 {
        self.x * v.x + self.y * v.y + self.z * v.z
    }
}
