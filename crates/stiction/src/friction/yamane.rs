//! Frictional springs with anchors, for comparison: the state of the art at haptic rates before the friction paper.
//!
//! K. Yamane, Y. Nakamura, *Stable penalty-based model of frictional contacts* (ICRA 2006), which we know from implementations that
//! cite it, in the implicit quasi-static form that the friction paper compares with in its section 5.6, and in the explicit one that it
//! says to be unstable. A contact that forms sets an anchor; a spring of stiffness k_f pulls its point back there, and past the
//! friction limit the anchor is dragged along. Implicitly:
//!
//! ```text
//! β_i = -k_f (s_i + G_iᵀq)                       while |β_i| ≤ L_i, sticking
//! β_i = -L_i (s_i + G_iᵀq)/|s_i + G_iᵀq|          else, and s_i is cut back to L_i/k_f          (return mapping)
//! f + K q + G β = 0
//! ```
//!
//! All contacts share the stiffness, k_f = (Σ k_f)/k, so that it does not depend on their number. Both laws are solved at the end of the
//! step, by Newton's method with their exact derivatives, -k_f I and -(L/|u|)(I - ûûᵀ), u = s + Gᵀq. A part held this way follows the
//! hand by k_vc/(k_vc + Σ k_f): it creeps, which is the point of the comparison.
//!
//! Explicitly β_i is that of the stretch s_i before the step, cut to L_i, and the step is the frictionless one under it:
//!
//! ```text
//! β_i = -k_f s_i,     q = -K⁻¹ (f + G β)
//! ```
//!
//! **Stability.** Let A = -K and K_f = G k_f Gᵀ, all contacts sticking, and x the way from the equilibrium, where f + G β = -(A + K_f) x. A
//! step of which static damping leaves 1 - α takes x to
//!
//! ```text
//! implicit:  x - (1 - α) (A + K_f)⁻¹ (A + K_f) x = α x
//! explicit:  x - (1 - α) A⁻¹ (A + K_f) x         = (α - (1 - α) A⁻¹ K_f) x
//! ```
//!
//! so that the implicit form settles by α in a tick whatever k_f, and the explicit one if and only if
//!
//! ```text
//! λ_max(A⁻¹ K_f) < (1 + α)/(1 - α)
//! ```
//!
//! which for a part that only translates along its contacts is Σ k_f < k_vc (1 + α)/(1 - α): 1, 4 and 19 times the coupling for α = 0, 0.6
//! and 0.9. Beyond, the part shakes, and what bounds it is the friction limit. The implicit form leaves the linear case where springs slip:
//! limits L_i are those before the step, and Newton's method has to find who slips (`figures/lp-yamane` measures both).
//!
//! Deviations: no velocity terms (the coupling is static); µ_s and µ_k as in every other method here; the disk, whatever the cone.

use super::common::Common;
use super::memory;
use super::nearest::Nearest;
use super::passes::Pair;
use super::solution::{Certificate, Verdict};
use super::{FrictionSettings, SpringForm};
use crate::contact::{ContactProblem, LANES};
use crate::friction::SlipState;
use crate::small;
use crate::spatial::{Vec6, join};

/// Newton's method settles in three to six passes.
const PASSES: u32 = 40;

/// The memory for the margins of what friction could do.
#[derive(Clone, Debug)]
pub(super) struct Yamane {
    pub nearest: Nearest,
}

/// k_f of each contact of a problem (N/m).
pub(super) fn spring(settings: &FrictionSettings, problem: &ContactProblem) -> f64 {
    let touching: u32 = problem.lanes().touching.iter().map(|bits| bits.count_ones()).sum();
    settings.spring_stiffness / f64::from(touching.max(1))
}

impl Yamane {
    /// Answers a problem.
    pub fn solve(&self, common: &mut Common, problem: &ContactProblem) {
        let spring = spring(&common.settings, problem);
        let load = *problem.load();
        let mut step = Vec6::zeros();
        sort(common, problem, &step, spring);
        let explicit = common.settings.spring_form == SpringForm::Explicit;
        if explicit {
            step = -(problem.stiffness_inverse() * (load.wrench + common.total_friction(problem)));
        }
        let mut settled = explicit;
        while !settled && common.solution.iterations < PASSES {
            let (mut k, mut f) = (-load.stiffness, load.wrench);
            for (i, contact) in problem.contacts().iter().enumerate().filter(|(_, c)| !c.is_separated()) {
                let columns = [contact.tangent, contact.tangent_v()].map(|t| join(t, contact.point.cross(&t)));
                let out = &common.solution.per_contact;
                let friction = at(&out.friction, i);
                let stretch = stretched(contact, &step, at(&out.anchor, i));
                let slides = out.state[i / LANES][i % LANES] == SlipState::Sliding;
                let w = tangent_stiffness(spring, stretch, out.limit[i / LANES].as_array()[i % LANES], slides);
                let moved = [columns[0].dot(&step), columns[1].dot(&step)];
                for a in 0..2 {
                    // β(q) ≈ β - W Gᵀ(q - step).
                    f += columns[a] * (friction[a] + w[a][0] * moved[0] + w[a][1] * moved[1]);
                    for b in 0..2 {
                        k += columns[a] * (columns[b] * w[a][b]).transpose();
                    }
                }
            }
            let (inverse, _) = small::invert(&k);
            step = inverse * f;
            step += inverse * (f - k * step);
            settled = sort(common, problem, &step, spring);
            common.solution.iterations += 1;
            common.solution.passes += 2;
        }
        common.solution.stalled = !settled;
        let friction = common.total_friction(problem);
        let step = if step.iter().all(|x| x.is_finite()) { step } else { Vec6::zeros() };
        common.finish(problem, step, friction, Certificate::None);
        // `finish` judges by micro-slip; springs stretch further before they let go.
        let slides = mark(common, problem, &step, spring);
        let answer = &mut common.solution;
        answer.verdict = match (settled, slides) {
            (false, _) => Verdict::Undecided,
            (true, true) => Verdict::Slips,
            (true, false) => Verdict::Holds,
        };
    }
}

/// Friction of every contact for a step; true if none of it changed much.
fn sort(common: &mut Common, problem: &ContactProblem, step: &Vec6, spring: f64) -> bool {
    let out = &mut common.solution.per_contact;
    let mut settled = true;
    for (i, contact) in problem.contacts().iter().enumerate() {
        let (block, lane) = (i / LANES, i % LANES);
        let mut friction = [0.0; 2];
        let mut state = SlipState::Separated;
        if !contact.is_separated() {
            let stretch = stretched(contact, step, at(&out.anchor, i));
            let limit = out.limit[block].as_array()[lane];
            let stretched = length(stretch);
            let slides = spring * stretched > limit * memory::ROUNDING;
            let scale = if slides { limit / stretched } else { spring };
            friction = stretch.map(|x| -scale * x);
            state = if slides { SlipState::Sliding } else { SlipState::Stuck };
            let before = at(&out.friction, i);
            let change = length([friction[0] - before[0], friction[1] - before[1]]);
            settled &= change <= 1e-12 * limit;
        }
        out.state[block][lane] = state;
        for axis in 0..2 {
            out.friction[block][axis].as_mut_array()[lane] = friction[axis];
        }
    }
    settled
}

/// States of every contact for a step; true if any slides.
fn mark(common: &mut Common, problem: &ContactProblem, step: &Vec6, spring: f64) -> bool {
    let out = &mut common.solution.per_contact;
    let mut slides = false;
    for (i, contact) in problem.contacts().iter().enumerate().filter(|(_, c)| !c.is_separated()) {
        let (block, lane) = (i / LANES, i % LANES);
        let stretch = stretched(contact, step, at(&out.anchor, i));
        let beyond = spring * length(stretch) > out.limit[block].as_array()[lane] * memory::ROUNDING;
        out.state[block][lane] = if beyond { SlipState::Sliding } else { SlipState::Stuck };
        slides |= beyond;
    }
    slides
}

/// -∂β/∂u.
fn tangent_stiffness(spring: f64, u: [f64; 2], limit: f64, slides: bool) -> [[f64; 2]; 2] {
    if !slides {
        return [[spring, 0.0], [0.0, spring]];
    }
    let length = length(u);
    let (c, s, k) = (u[0] / length, u[1] / length, limit / length);
    [[k * s * s, -k * c * s], [-k * c * s, k * c * c]]
}

fn length([u, v]: [f64; 2]) -> f64 {
    (u * u + v * v).sqrt()
}

fn at(pairs: &[Pair], i: usize) -> [f64; 2] {
    pairs[i / LANES].map(|x| x.as_array()[i % LANES])
}

/// s_i + G_iᵀq.
fn stretched(contact: &crate::contact::Contact, step: &Vec6, anchor: [f64; 2]) -> [f64; 2] {
    let (translation, rotation) = crate::spatial::halves(step);
    let motion = translation + rotation.cross(&contact.point);
    [anchor[0] + contact.tangent.dot(&motion), anchor[1] + contact.tangent_v().dot(&motion)]
}
