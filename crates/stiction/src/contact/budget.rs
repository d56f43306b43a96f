//! The stiffness budget: a face that touches with ten points or ten thousand feels equally stiff.
//!
//! After the idea of H. Xu and J. Barbič, *Adaptive 6-DoF Haptic Contact Stiffness Using the Gauss Map* (2016), whose text we
//! could not read; law and proof are our own. Contacts whose forces point the same way share one budget k₀, contacts at right
//! angles do not. With depths δ_i, their largest δ, and unit force directions N_i:
//!
//! ```text
//! w_i = S(δ_i/(η δ)) a_i                      S(x) = 3x² - 2x³ between 0 and 1                (1)
//! Q   = Σ w_j N_j N_jᵀ                        3 × 3
//! κ_i = k₀ w_i/(N_iᵀ Q N_i)
//! k_i = κ_i k₀/λ,   λ = λ_max(Σ κ_i N_i N_iᵀ)                                                (2)
//! ```
//!
//! **Bound.** By (2) the stiffness Σ k_i N_i N_iᵀ is k₀ in its stiffest direction and at most k₀ in any other. λ ≥ k₀, since
//! k₀ Σw = tr(Q Σκ_iN_iN_iᵀ) ≤ λ tr Q = λ Σw: (2) never stiffens. A flat face has k₀ along its normal, a corner of two or three
//! walls k₀ along each, a bore k₀ in every radial direction.
//!
//! **No jumps.** A point enters with w = 0: it carries nothing and takes nothing from the others. While all depths are above
//! η times the largest, all weights are equal, whatever the depth: a flat face is a linear spring from the first touch on.
//! a_i fades out points where the shell's normal and the field's gradient disagree: [`agreement`](super::penalty::agreement).
//!
//! **Slope.** For frozen N_iᵀQN_i and λ, ∂(k_i δ_i)/∂δ_i = k_i (1 + δ_i w_i'/w_i) = k_i (1 + (6 - 6x)/(3 - 2x)), x = δ_i/(ηδ) < 1,
//! and k_i for the deeper ones. What is frozen would only soften: steps fall short rather than overshoot.
//!
//! Deviation from our own notes (k_i = k₀/max(1, Σ_j s_j |N_i·N_j|)): there a point's own share does not fade with its weight s_i, so
//! that a face that touches lightly with n points is n times too stiff and softens as it is pressed.

use super::penalty::{Touch, smoothstep};
use crate::spatial::Mat3;

/// How contact stiffness is shared out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// k₀ (N/m): what the part feels in the stiffest direction.
    pub stiffness: f64,
    /// η: points shallower than this share of the largest depth count less, down to nothing at the surface.
    pub blend: f64,
}

/// What became of the touching points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shared {
    /// The largest depth (m).
    pub depth: f64,
    /// The largest depth of a point whose normal is against the field: it is on the far side of something thin and carries no force (m).
    pub opposed: f64,
}

impl Budget {
    /// Sets stiffness and slope of every touch.
    pub fn share(&self, touches: &mut [Touch]) -> Shared {
        let depth = touches.iter().fold(0.0, |most: f64, t| most.max(t.depth));
        let scale = 1.0 / (self.blend * depth).max(f64::MIN_POSITIVE);
        let mut opposed = 0.0f64;
        let mut q = Symmetric3::default();
        for touch in touches.iter_mut() {
            // At right angles is an edge's side, which is no far side.
            let far = !(touch.agreement > 0.0) && touch.easing.dot(&touch.normal) < 0.0;
            opposed = if far { opposed.max(touch.depth) } else { opposed };
            let x = (touch.depth * scale).min(1.0);
            let w = smoothstep(x) * touch.agreement;
            touch.stiffness = w;
            touch.slope = 1.0 + (6.0 - 6.0 * x) / (3.0 - 2.0 * x);
            q.add(w, touch);
        }
        let mut total = Symmetric3::default();
        for touch in touches.iter_mut() {
            let crowd = q.along(touch);
            // Where the quotient is 0/0 the point carries nothing.
            touch.stiffness = if crowd > 0.0 { self.stiffness * touch.stiffness / crowd } else { 0.0 };
            total.add(touch.stiffness, touch);
        }
        let stiffest = total.largest_eigenvalue();
        let cut = if stiffest > self.stiffness { self.stiffness / stiffest } else { 1.0 };
        for touch in touches.iter_mut() {
            touch.stiffness *= cut;
            touch.slope *= touch.stiffness;
        }
        Shared { depth, opposed }
    }
}

/// Σ w N Nᵀ: xx, yy, zz, xy, xz, yz.
#[derive(Default)]
struct Symmetric3([f64; 6]);

impl Symmetric3 {
    #[inline(always)]
    fn add(&mut self, w: f64, touch: &Touch) {
        let n = &touch.normal;
        let (x, y, z) = (w * n.x, w * n.y, w * n.z);
        let [xx, yy, zz, xy, xz, yz] = &mut self.0;
        *xx += x * n.x;
        *yy += y * n.y;
        *zz += z * n.z;
        *xy += x * n.y;
        *xz += x * n.z;
        *yz += y * n.z;
    }

    #[inline(always)]
    fn along(&self, touch: &Touch) -> f64 {
        let n = &touch.normal;
        let [xx, yy, zz, xy, xz, yz] = self.0;
        xx * n.x * n.x + yy * n.y * n.y + zz * n.z * n.z + 2.0 * (xy * n.x * n.y + xz * n.x * n.z + yz * n.y * n.z)
    }

    /// By O. Smith's trigonometric formula (Communications of the ACM 4, 1961).
    fn largest_eigenvalue(&self) -> f64 {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let mean = (xx + yy + zz) / 3.0;
        let (a, b, c) = (xx - mean, yy - mean, zz - mean);
        let p = ((a * a + b * b + c * c + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0).sqrt();
        if !(p > 1e-12 * mean) {
            return mean + 2.0 * p;
        }
        let half = Mat3::new(a, xy, xz, xy, b, yz, xz, yz, c).determinant() / (2.0 * p * p * p);
        mean + 2.0 * p * libm::cos(libm::acos(half.clamp(-1.0, 1.0)) / 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::penalty::agreement;
    use super::*;
    use crate::spatial::Vec3;

    fn touch(normal: Vec3, depth: f64) -> Touch {
        let normal = normal.normalize();
        Touch {
            point: 0,
            arm: Vec3::zeros(),
            normal,
            easing: normal,
            by_field: false,
            agreement: 1.0,
            depth,
            stiffness: 0.0,
            slope: 0.0,
        }
    }

    fn total(touches: &[Touch]) -> Mat3 {
        touches.iter().map(|t| t.normal * t.normal.transpose() * t.stiffness).sum()
    }

    const BUDGET: Budget = Budget { stiffness: 1000.0, blend: 0.25 };

    #[test]
    fn a_face_is_as_stiff_with_one_point_as_with_ten_thousand_at_any_depth() {
        for n in [1, 10, 100, 10_000] {
            for depth in [1e-9, 1e-6, 1e-3] {
                let mut touches = vec![touch(Vec3::z(), depth); n];
                BUDGET.share(&mut touches);
                let force: f64 = touches.iter().map(Touch::force).sum();
                assert!((force / (1000.0 * depth) - 1.0).abs() < 1e-12, "{n} points, {depth} m: {force} N");
            }
        }
    }

    #[test]
    fn the_stiffest_direction_of_any_cluster_of_normals_has_exactly_the_budget() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        for case in 0..2000 {
            let clusters = 1 + case % 5;
            let mut touches = Vec::new();
            for _ in 0..clusters {
                let axis = Vec3::new(random(), random(), random());
                for _ in 0..(1 + (case * 7) % 40) {
                    let spread = Vec3::new(random(), random(), random()) * 0.2;
                    touches.push(touch(axis + spread, 1e-4 * (1.1 + random())));
                }
            }
            BUDGET.share(&mut touches);
            // An independent eigenvalue solver.
            let most = total(&touches).symmetric_eigenvalues().max();
            assert!((most / 1000.0 - 1.0).abs() < 1e-9, "case {case}: {most}");
        }
    }

    #[test]
    fn walls_at_right_angles_keep_their_own_budget() {
        let mut touches: Vec<_> = (0..150)
            .map(|i| touch([Vec3::x(), Vec3::y(), Vec3::z()][i % 3], 1e-4))
            .chain((0..50).map(|_| touch(-Vec3::x(), 1e-4)))
            .collect();
        BUDGET.share(&mut touches);
        assert!((total(&touches) - Mat3::identity() * 1000.0).amax() < 1e-9);
    }

    #[test]
    fn a_point_that_enters_changes_no_force_at_once() {
        let force = |depth: f64| {
            let mut touches: Vec<_> = (0..9).map(|i| touch(Vec3::z(), 1e-4 + 1e-6 * f64::from(i))).collect();
            touches.extend((depth > 0.0).then(|| touch(Vec3::z(), depth)));
            BUDGET.share(&mut touches);
            touches.iter().map(Touch::force).sum::<f64>()
        };
        let before = force(0.0);
        for depth in [1e-9, 1e-8, 1e-7] {
            // Second order in the depth at which the point has come in.
            assert!((force(depth) - before).abs() < 1e-3 * before * (depth / 1e-6).powi(2) * 1.1, "{depth}");
        }
    }

    #[test]
    fn a_point_on_the_far_side_of_a_thin_plate_carries_nothing() {
        let mut near = touch(Vec3::z(), 1e-3);
        let mut far = near;
        far.easing = -far.easing;
        (near.agreement, far.agreement) = (agreement(1.0, false), agreement(-1.0, false));
        let mut touches = [near, far];
        let shared = BUDGET.share(&mut touches);
        assert_eq!((shared.opposed, touches[1].force()), (1e-3, 0.0));
        assert!((touches[0].force() - 1.0).abs() < 1e-12);
    }
}
