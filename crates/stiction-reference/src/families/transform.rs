//! The same problem, written differently: nothing physical may depend on these.

use super::{Random, SampleProblem};
use stiction::spatial::{Mat3, Mat6, Vec6};

fn diagonal(first: f64, second: f64) -> Mat6 {
    Mat6::from_diagonal(&Vec6::new(first, first, first, second, second, second))
}

impl SampleProblem {
    /// The sample in another unit of length, `per_metre` of them in a metre (1000: mm, N, N mm). With D_q =
    /// diag(s, 1) for steps and D_w = diag(1, s) for wrenches: K' = D_w K D_q⁻¹ and M̃' = D_q⁻¹ M̃ D_q⁻¹, which leaves
    /// the objective as it was; λ' = D_w⁻¹ λ and y' = D_w⁻¹ y.
    pub fn rescaled(&self, per_metre: f64) -> Self {
        let mut out = self.clone();
        let (step, wrench) = (diagonal(per_metre, 1.0), diagonal(1.0, per_metre));
        let (step_inverse, wrench_inverse) = (diagonal(1.0 / per_metre, 1.0), diagonal(1.0, 1.0 / per_metre));
        out.load.wrench = wrench * self.load.wrench;
        out.load.stiffness = wrench * self.load.stiffness * step_inverse;
        out.load.mass = step_inverse * self.load.mass * step_inverse;
        for c in &mut out.contacts {
            c.point *= per_metre;
            c.gap *= per_metre;
        }
        out.truth.direction = wrench_inverse * self.truth.direction;
        out.truth.lambda = wrench_inverse * self.truth.lambda;
        out.truth.held_step = step * self.truth.held_step;
        out
    }

    /// The whole problem moved rigidly. Everything is relative to the part's centre, so a translation of the world
    /// changes nothing, and `rotation` is all there is to a motion.
    pub fn moved(&self, rotation: &Mat3) -> Self {
        let mut r = Mat6::zeros();
        r.fixed_view_mut::<3, 3>(0, 0).copy_from(rotation);
        r.fixed_view_mut::<3, 3>(3, 3).copy_from(rotation);
        let mut out = self.clone();
        out.load.wrench = r * self.load.wrench;
        out.load.stiffness = r * self.load.stiffness * r.transpose();
        let mass = r * self.load.mass * r.transpose();
        out.load.mass = (mass + mass.transpose()) * 0.5;
        for c in &mut out.contacts {
            c.point = rotation * c.point;
            c.normal = rotation * c.normal;
            c.tangent = rotation * c.tangent;
        }
        out.truth.direction = r * self.truth.direction;
        out.truth.lambda = r * self.truth.lambda;
        out.truth.held_step = r * self.truth.held_step;
        out
    }

    /// The contacts in another order, each with its identity.
    pub fn permuted(&self, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut out = self.clone();
        for i in (1..out.contacts.len()).rev() {
            let j = random.below(i + 1);
            out.contacts.swap(i, j);
            out.truth.extreme.swap(i, j);
        }
        out
    }
}
