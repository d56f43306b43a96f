//! What all methods share: the settings, the answer that is being made, and the questions that they ask first.

use super::FrictionSettings;
use super::balance::{self, Outcome};
use super::cone::{PolygonTable, Shape};
use super::corral::Corral;
use super::form::{Form, Held};
use super::passes::{self, Wide6, transposed};
use super::rank::{self, NullSpace};
use super::solution::{Certificate, Solution, Verdict};
use crate::contact::{ContactProblem, Lane};
use crate::small::{self, ScaledCholesky};
use crate::spatial::{Mat6, Vec6};

/// The settings, and the answer that is being made.
#[derive(Clone, Debug)]
pub(super) struct Common {
    pub settings: FrictionSettings,
    /// Some contact of the problem being solved remembers slip.
    pub remembers: bool,
    pub solution: Solution,
}

/// A problem with the shape of its cones.
pub(super) struct Case<'a, S: Shape> {
    pub problem: &'a ContactProblem,
    pub shape: S,
    /// The polygon; none for disks.
    pub table: Option<&'a PolygonTable>,
}

/// What the tangents alone say about a problem.
pub(super) struct Ranked {
    /// The Gram matrix of G, weighted with squared limits.
    pub gram: Mat6,
    /// The null space of Gᵀ.
    pub null: NullSpace,
    /// The factor of the Gram matrix with that space filled in.
    pub factor: Option<ScaledCholesky>,
}

/// What the closed form leaves to a method.
pub(super) struct Open {
    /// The reduced form, where it was needed.
    pub form: Option<Form>,
    /// Friction cannot balance what is left of the held step, by this twist.
    pub impossible: Option<(Vec6, Held)>,
}

impl Common {
    /// The rank of G, and what was found on the way.
    pub fn rank(&mut self, problem: &ContactProblem) -> Ranked {
        let n = problem.blocks().len();
        let gram = passes::gram_by_limit(problem.blocks(), &self.solution.per_contact.limit[..n]);
        self.solution.passes += 1;
        if let Some(factor) = problem.full_rank(&gram) {
            self.solution.rank = 6;
            return Ranked { gram, null: NullSpace::EMPTY, factor: Some(factor) };
        }
        let length = problem.length();
        let (null, passes) = rank::null_space(problem.blocks(), length, &gram);
        self.solution.passes += passes;
        self.solution.rank = 6 - null.dimension() as u8;
        let factor = small::cholesky_scaled(&null.fill(&gram, length));
        Ranked { gram, null, factor }
    }

    /// Tries the closed form, for remembered slips that are one rigid motion; none if it answered.
    pub fn closed_form<S: Shape>(&mut self, case: &Case<S>, ranked: &Ranked, slip: &Vec6) -> Option<Open> {
        let Ranked { null, factor, .. } = ranked;
        let mut form = None;
        // At full rank nothing moves while friction holds, and the stiffness does not matter.
        let held = if null.dimension() == 0 && *slip == Vec6::zeros() {
            Held::still(&case.problem.load().wrench)
        } else {
            let form = form.insert(Form::new(case.problem, self.settings.method));
            form.held(null, &(form.wrench - form.stiffness * slip))
        };
        if null.dimension() == 6 {
            self.nothing_to_hold(case.problem, &held);
            return None;
        }
        let Some(factor) = factor else { return Some(Open { form, impossible: None }) };
        let n = case.problem.blocks().len();
        let out = &mut self.solution.per_contact;
        let task = balance::Task {
            blocks: case.problem.blocks(),
            limits: &out.limit[..n],
            shape: case.shape,
            inner: case.table.map_or(1.0, |t| t.inradius),
            outer: case.table.map_or(1.0, |t| t.radius),
            length: case.problem.length(),
            w: &held.w,
            null,
        };
        let (outcome, wrench, passes) = balance::balance(&task, factor, &mut out.friction[..n]);
        self.solution.passes += passes;
        let impossible = match outcome {
            Outcome::Balanced if *slip == Vec6::zeros() => {
                self.finish(case.problem, held.step, wrench, Certificate::Balanced { lambda: held.lambda });
                self.solution.metric_shifted = form.is_some_and(|form| form.shifted);
                return None;
            }
            Outcome::Balanced => {
                let step = held.step - slip;
                let gap = self.gap(case, &step, true);
                self.finish(case.problem, step, wrench, Certificate::Optimal { gap });
                self.solution.metric_shifted = form.is_some_and(|form| form.shifted);
                return None;
            }
            Outcome::Impossible(nu) => Some((nu, held)),
            _ => None,
        };
        Some(Open { form, impossible })
    }

    /// The reduced form of a problem that the closed form did not answer.
    pub fn form(&mut self, known: Option<Form>, problem: &ContactProblem) -> Form {
        let form = known.unwrap_or_else(|| Form::new(problem, self.settings.method));
        self.solution.metric_shifted = form.shifted;
        form
    }

    /// Takes over the friction of the corral's nearest point.
    pub fn take_friction(&mut self, problem: &ContactProblem, corral: &Corral) -> Vec6 {
        corral.friction(&mut self.solution.per_contact.friction[..problem.blocks().len()]);
        self.total_friction(problem)
    }

    /// The end of a program of which the answer has the friction: with its work (iterations, passes), and the gap that proves it.
    pub fn finish_program(
        &mut self,
        problem: &ContactProblem,
        form: &Form,
        work: [u32; 2],
        stalled: bool,
        gap: Option<f64>,
    ) {
        self.solution.iterations = work[0];
        self.solution.passes += work[1];
        self.solution.stalled = stalled;
        let friction = self.total_friction(problem);
        let certificate = gap.map_or(Certificate::None, |gap| Certificate::Optimal { gap });
        self.finish(problem, form.step(&friction), friction, certificate);
    }

    /// Σ (σ_i(-u_i) + β_iᵀu_i) with u_i = G_iᵀp, plus s_i if slip is remembered, for the friction of the answer.
    pub fn gap<S: Shape>(&mut self, case: &Case<S>, p: &Vec6, remembers: bool) -> f64 {
        let p = Wide6::splat(p);
        let keep = if remembers { Lane::ONE } else { Lane::ZERO };
        let out = &self.solution.per_contact;
        let mut gap = Lane::ZERO;
        let data = case.problem.blocks().iter().zip(&out.limit).zip(&out.anchor).zip(&out.friction);
        for (((block, &limit), s), b) in data {
            let d = transposed(block, &p);
            let u = [d[0] + s[0] * keep, d[1] + s[1] * keep];
            let most = case.shape.extreme([-u[0], -u[1]], limit);
            gap += u[0] * (b[0] - most[0]) + u[1] * (b[1] - most[1]);
        }
        self.solution.passes += 1;
        passes::total(gap).max(0.0)
    }

    /// True when yᵀ(f + K q*) + Σ max yᵀG_iβ_i < 0 beyond rounding.
    pub fn proves_slipping<S: Shape>(&mut self, case: &Case<S>, y: &Vec6, held: &Held) -> bool {
        let n = case.problem.blocks().len();
        let out = &mut self.solution.per_contact;
        let most = passes::support(case.problem.blocks(), &out.limit[..n], case.shape, y, &mut out.friction[..n]);
        self.solution.passes += 1;
        // Beyond what rounding may do to the sums.
        let doubt = 3e-14 * (y.abs().dot(&most.abs()) + y.abs().dot(&held.w.abs()));
        y.dot(&held.w) - y.dot(&most) > doubt
    }

    /// No contact can carry friction: the frictionless step.
    fn nothing_to_hold(&mut self, problem: &ContactProblem, held: &Held) {
        let n = problem.blocks().len();
        self.solution.per_contact.friction[..n].fill([Lane::ZERO; 2]);
        self.finish(problem, held.step, Vec6::zeros(), Certificate::Balanced { lambda: held.lambda });
        self.solution.verdict = Verdict::Free;
    }

    /// No friction: the frictionless step, as in the paper.
    pub fn let_go(&mut self, problem: &ContactProblem, certificate: Certificate) {
        let n = problem.blocks().len();
        self.solution.per_contact.friction[..n].fill([Lane::ZERO; 2]);
        let step = -(problem.stiffness_inverse() * problem.load().wrench);
        self.finish(problem, step, Vec6::zeros(), certificate);
    }
}
