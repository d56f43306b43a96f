//! The polygon of a contact by its facets: slacks, multipliers, and what they weigh.

use crate::contact::Lane;
use crate::friction::cone::{PolygonTable, Shape};
use crate::friction::passes::Pair;

/// Keeps divisors from being zero.
pub(super) const TINY: f64 = 1e-300;

/// W and W g of a block. At a contact that slides, one facet's weight is so large that W, written along (T_u, T_v),
/// would lose its small entries to rounding: it is kept along that facet's normal and tangent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weights {
    pub normal: Pair,
    /// W along (normal, tangent) as [nn, tt, nt].
    pub w: [Lane; 3],
    pub centre: Pair,
}

impl Weights {
    #[inline(always)]
    pub fn apply(&self, x: &Pair) -> Pair {
        let [c, s] = self.normal;
        let (n, t) = (c * x[0] + s * x[1], c * x[1] - s * x[0]);
        let (n, t) = (self.w[0] * n + self.w[2] * t, self.w[2] * n + self.w[1] * t);
        [c * n - s * t, s * n + c * t]
    }

    /// W along (T_u, T_v) as [uu, vv, uv].
    #[inline(always)]
    pub fn in_tangents(&self) -> [Lane; 3] {
        let ([c, s], [nn, tt, nt]) = (self.normal, self.w);
        let cross = c * s * nt;
        let cross = cross + cross;
        [c * c * nn - cross + s * s * tt, s * s * nn + cross + c * c * tt, c * s * (nn - tt) + (c * c - s * s) * nt]
    }
}

/// The polygon, by its facets.
#[derive(Clone, Copy)]
pub(in crate::friction) struct Facets<'a, S: Shape> {
    pub table: &'a PolygonTable,
    pub shape: S,
}

impl<S: Shape> Facets<'_, S> {
    /// Multipliers that make `b` central for µ.
    #[inline(always)]
    pub(super) fn start(&self, b: &Pair, limit: Lane, mu: f64, z: &mut [Lane]) {
        for (z, facet) in z.iter_mut().zip(&self.table.facets) {
            let (_, slack) = self.slack(b, limit, facet);
            *z = limit.simd_gt(Lane::ZERO).select(Lane::splat(mu) / slack, Lane::ONE);
        }
    }

    /// W and W g, and Σ multiplier × slack.
    #[inline(always)]
    pub(super) fn weights(&self, b: &Pair, limit: Lane, z: &[Lane]) -> (Weights, Lane) {
        let [mut most, mut c, mut s, mut product] = [Lane::ZERO; 4];
        for (z, facet) in z.iter().zip(&self.table.facets) {
            let (a, slack) = self.slack(b, limit, facet);
            let weight = *z / slack;
            let more = weight.simd_gt(most);
            most = more.select(weight, most);
            (c, s) = (more.select(a[0], c), more.select(a[1], s));
            product += *z * slack;
        }
        let [mut h_nn, mut h_tt, mut h_nt, mut g_n, mut g_t] = [Lane::ZERO; 5];
        for (z, facet) in z.iter().zip(&self.table.facets) {
            let (a, slack) = self.slack(b, limit, facet);
            let inverse = Lane::ONE / slack;
            let weight = *z * inverse;
            let (n, t) = (c * a[0] + s * a[1], c * a[1] - s * a[0]);
            h_nn += weight * n * n;
            h_tt += weight * t * t;
            h_nt += weight * n * t;
            g_n += n * inverse;
            g_t += t * inverse;
        }
        let real = limit.simd_gt(Lane::ZERO);
        let inverse = real & (Lane::ONE / (h_nn * h_tt - h_nt * h_nt).fast_max(Lane::splat(TINY)));
        let w = [real & (h_tt * inverse), real & (h_nn * inverse), real & -(h_nt * inverse)];
        let (n, t) = (real & (w[0] * g_n + w[2] * g_t), real & (w[2] * g_n + w[1] * g_t));
        (Weights { normal: [c, s], w, centre: [c * n - s * t, s * n + c * t] }, real & product)
    }

    /// The multipliers' step `dz` for friction step `db`, and the largest step length that keeps both inside. On entry
    /// `affine` and `dz` are the predictor's steps, whose products are corrected for.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn step(
        &self,
        b: &Pair,
        db: &Pair,
        affine: &Pair,
        limit: Lane,
        mu: Lane,
        z: &[Lane],
        dz: &mut [Lane],
    ) -> Lane {
        let real = limit.simd_gt(Lane::ZERO);
        let mut longest = Lane::splat(f64::INFINITY);
        for ((z, dz), facet) in z.iter().zip(dz).zip(&self.table.facets) {
            let (a, slack) = self.slack(b, limit, facet);
            let along = a[0] * db[0] + a[1] * db[1];
            let product = *dz * (a[0] * affine[0] + a[1] * affine[1]);
            *dz = real & ((mu + product - *z * slack + *z * along) / slack);
            let inside = real.select(positive(slack, -along), Lane::splat(f64::INFINITY));
            longest = longest.fast_min(inside).fast_min(positive(*z, *dz));
        }
        longest
    }

    /// W times the second-order terms of the predictor's step `db`, `dz`, and their total in Σ multiplier × slack.
    #[inline(always)]
    pub(super) fn second_order(&self, b: &Pair, db: &Pair, limit: Lane, w: &Weights, dz: &[Lane]) -> (Pair, Lane) {
        let [mut u, mut v, mut total] = [Lane::ZERO; 3];
        for (dz, facet) in dz.iter().zip(&self.table.facets) {
            let (a, slack) = self.slack(b, limit, facet);
            let product = *dz * (a[0] * db[0] + a[1] * db[1]);
            let pull = product / slack;
            u += a[0] * pull;
            v += a[1] * pull;
            total += product;
        }
        let real = limit.simd_gt(Lane::ZERO);
        (w.apply(&[real & u, real & v]), real & total)
    }

    #[inline(always)]
    fn slack(&self, b: &Pair, limit: Lane, facet: &[f64; 2]) -> (Pair, Lane) {
        let a = facet.map(Lane::splat);
        let slack = limit * Lane::splat(self.table.inradius) - (a[0] * b[0] + a[1] * b[1]);
        (a, slack.fast_max(Lane::splat(TINY)))
    }
}

/// The largest α with x + α dx ≥ 0, for x > 0.
#[inline(always)]
fn positive(x: Lane, dx: Lane) -> Lane {
    dx.simd_lt(Lane::ZERO).select(x / (-dx).fast_max(Lane::splat(TINY)), Lane::splat(f64::INFINITY))
}
