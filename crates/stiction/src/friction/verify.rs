//! An independent check of a solver's answer: O(k), no allocation, no panic, and no line shared with a solver.
//!
//! Paper: *6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming* (Zhao, Li, Barbič),
//! equations (12)-(18) (cone), (28)-(31) (quadratic program) and (32)-(37) (linear program).
//!
//! Symbols: f load, K stiffness, G_i the two columns (t, r × t) of contact i, zero when it is separated, β_i ∈ P_i
//! friction, L_i = µ_i F_n, q the step, M̃ the metric, s_i the anchor, σ_i(g) = max over P_i of g·β. The methods
//! differ only in the pair (K, M̃): `Lp` (K, mass), `Qp` (K, its metric), `Hold` (-A, A) with A = -sym(K), so that
//! one set of equations serves all:
//!
//! - equilibrium: f + K q + Gβ = 0;
//! - `Balanced`: Gᵀλ = 0 and M̃ q + Kᵀλ = 0. With the equilibrium as witness that f + K q lies in range(G), these
//!   are the Karush-Kuhn-Tucker conditions of the step without limits;
//! - `Unstoppable`: yᵀ(f + K q*) + Σ σ_i(G_iᵀy) < 0, and q* by λ as above. There is no β to witness that f + K q*
//!   lies in range(G), and without that q* = λ = 0 with y in null(Gᵀ) would "prove" anything. So null(Gᵀ) is
//!   computed here, with the rank the solution claims, f + K q* must be orthogonal to it, and whatever y gains
//!   from it is not counted;
//! - `Optimal`: with p = K⁻ᵀ M̃ q and g_i = G_iᵀp (`Hold`: g_i = -(G_iᵀq + s_i)) the objective's gradient in β_i is
//!   -g_i; by convexity no admissible β lowers it by more than Σ σ_i(g_i) - g_i·β_i. `Hold` with s ≠ 0 needs this
//!   bound also for `Balanced`: there, friction that balances the load need not be the optimum.
//!
//! Scales: every error is dimensionless. Torques are divided, rotations multiplied, by a length: the largest ‖r_i‖,
//! or the radius of gyration when there is none. Wrench residuals are relative to the sum of the absolute values
//! of their terms (‖f‖ + ‖|K||q|‖ + Σ|G_i||β_i|), the backward error of a stable solve; steps and multipliers also
//! to the frictionless step -K⁻¹f; gaps to its objective (`Hold`: plus Σ L_i ‖s_i‖).
//!
//! Deviation from the paper: it checks nothing.

mod claims;
mod model;
mod range;
#[cfg(test)]
mod tests;

use super::{Certificate, ContactAnswer, Method, SlipState, Solution, Verdict};
use crate::contact::{Contact, ContactProblem};
use crate::spatial::{Vec3, Vec6};
pub use claims::{Claim, Verification, VerifyError};
use model::{Model, Polygon};
use range::Range;

/// Recomputes everything that `solution` says about `problem`, from the public data of both.
pub fn verify(problem: &ContactProblem, solution: &Solution) -> Verification {
    let contacts = problem.contacts();
    let Some(polygon) = Polygon::of(solution.cone).filter(|_| contacts.len() == solution.len()) else {
        return Verification::default();
    };
    let model = Model::of(problem, solution);
    let mut out = Verification { shape: true, metric: model.metric_ok, ..Verification::default() };
    let (lambda, held_step, direction) = match solution.certificate {
        Certificate::Balanced { lambda } => (Some(lambda), solution.step, None),
        Certificate::Unstoppable { direction, held_step, lambda } => (Some(lambda), held_step, Some(direction)),
        _ => (None, solution.step, None),
    };

    let mut sums = Sums::default();
    for (contact, answer) in contacts.iter().zip(solution.contacts()) {
        let columns = columns(contact);
        check_contact(contact, &answer, &columns, solution, &polygon, &mut out);
        sums.add(contact, &answer, &columns, &model, &polygon, direction.as_ref());
        if let Some(lambda) = lambda {
            let rate = [columns[0].dot(&lambda), columns[1].dot(&lambda)];
            let scale = reach(&lambda, contact) + reach(&model.free_lambda, contact);
            out.multiplier = worst(out.multiplier, ratio(length(rate), scale));
        }
    }

    let norm = |w: Vec6| model.wrench_norm(w);
    out.friction_sum = ratio(norm(sums.friction - solution.friction), norm(sums.friction_abs));
    let f = problem.load().wrench;
    let unbalanced = f + model.stiffness * solution.step + sums.friction;
    let terms = f.abs() + model.stiffness.abs() * solution.step.abs() + sums.friction_abs;
    let stiffness_known = solution.method != Method::Hold || model.known;
    if stiffness_known {
        out.equilibrium = ratio(norm(unbalanced), norm(terms));
    }
    if let Some(lambda) = lambda.filter(|_| model.known) {
        let slope = model.metric * held_step + model.stiffness.transpose() * lambda;
        let terms = model.metric.abs() * (held_step.abs() + model.free_step.abs())
            + model.stiffness.transpose().abs() * lambda.abs();
        out.stationarity = ratio(norm(slope), norm(terms));
    }
    let range = Range::of(contacts, model.length);
    out.rank = range.rank_error(solution.rank, direction.is_some());
    if let Some(y) = direction {
        let residual = f + model.stiffness * held_step;
        let terms = f.abs() + model.stiffness.abs() * held_step.abs();
        let (outside, gained) = range.outside(solution.rank, &residual, &y);
        out.range = ratio(outside, norm(terms));
        let value = y.dot(&residual) + sums.support + (-gained).max(0.0);
        let size = y.abs().dot(&terms) + sums.support_abs;
        let rounding = (contacts.len() as f64 + 64.0) * f64::EPSILON * size;
        // NaN and 0 / 0 prove nothing.
        let margin = (-value - rounding) / size;
        out.separation = Some(if margin.is_finite() { margin } else { f64::NEG_INFINITY });
    }
    let objective = 0.5 * model.free_step.dot(&(model.metric * model.free_step)) + sums.memory;
    if model.known {
        match solution.certificate {
            Certificate::Optimal { gap } => {
                out.gap = ratio(sums.gap.abs(), objective);
                out.gap_claimed = ratio((sums.gap - gap).abs(), objective);
                if gap < 0.0 {
                    out.gap_claimed = f64::INFINITY;
                }
            }
            Certificate::Balanced { .. } => out.gap = ratio(sums.gap.abs(), objective),
            _ => {}
        }
    }
    out.complete = model.known && solution.certificate != Certificate::None;
    out.verdict = verdict_fits(solution);
    out
}

/// The verdict against certificate, states and limits. An `Lp` that slips must have dropped friction.
fn verdict_fits(solution: &Solution) -> bool {
    let free = solution.contacts().all(|c| c.limit == 0.0);
    let slides = solution.count(SlipState::Sliding) > 0;
    let frictionless = solution.contacts().all(|c| c.friction == [0.0; 2]);
    let proof = solution.certificate;
    match (solution.verdict, solution.method) {
        (Verdict::Free, _) => free && frictionless,
        (Verdict::Undecided, _) => proof == Certificate::None,
        (Verdict::Holds, Method::Lp) => matches!(proof, Certificate::Balanced { .. }),
        (Verdict::Slips, Method::Lp) => matches!(proof, Certificate::Unstoppable { .. }) && frictionless,
        (Verdict::Holds, _) => !slides && matches!(proof, Certificate::Balanced { .. } | Certificate::Optimal { .. }),
        (Verdict::Slips, _) => slides && proof != Certificate::None,
        // Only whole ticks say so.
        (Verdict::Rolls, _) => false,
    }
}

/// What one contact's answer claims about that contact alone.
fn check_contact(
    contact: &Contact,
    answer: &ContactAnswer,
    columns: &[Vec6; 2],
    solution: &Solution,
    polygon: &Polygon,
    out: &mut Verification,
) {
    let separated = contact.is_separated();
    let limit_error = |mu: f64| {
        let expected = if separated { 0.0 } else { mu * contact.normal_force };
        ratio((answer.limit - expected).abs(), expected)
    };
    out.limit_error = worst(out.limit_error, limit_error(contact.mu_static).min(limit_error(contact.mu_kinetic)));
    let limit = if separated { 0.0 } else { answer.limit };
    out.limit_excess = worst(out.limit_excess, ratio(polygon.excess(answer.friction, limit), limit));

    let q = &solution.step;
    let slip_error = [answer.slip[0] - columns[0].dot(q), answer.slip[1] - columns[1].dot(q)];
    out.slip = worst(out.slip, ratio(length(slip_error), if separated { 0.0 } else { reach(q, contact) }));
    let power = answer.friction[0] * answer.slip[0] + answer.friction[1] * answer.slip[1];
    out.power = worst(out.power, ratio((answer.power - power).abs(), length(answer.friction) * length(answer.slip)));

    let moved = length([answer.anchor[0] + answer.slip[0], answer.anchor[1] + answer.slip[1]]);
    let tolerance = solution.micro_slip;
    let beyond = match answer.state {
        SlipState::Separated if separated => 0.0,
        SlipState::Stuck if !separated => beyond(moved, tolerance),
        SlipState::Sliding if !separated => beyond(tolerance, moved),
        _ => f64::INFINITY,
    };
    let scale = tolerance + length(answer.anchor) + length(answer.slip);
    out.state = worst(out.state, ratio(beyond, scale));
}

/// Sums over the contacts that the claims about the whole answer need.
#[derive(Default)]
struct Sums {
    /// Σ G_i β_i, and the same of absolute values.
    friction: Vec6,
    friction_abs: Vec6,
    /// Σ σ_i(G_iᵀy), and a bound of it whose rounding is known.
    support: f64,
    support_abs: f64,
    /// Σ σ_i(g_i) - g_i·β_i.
    gap: f64,
    /// Σ L_i ‖s_i‖ (`Hold`).
    memory: f64,
}

impl Sums {
    fn add(
        &mut self,
        contact: &Contact,
        answer: &ContactAnswer,
        columns: &[Vec6; 2],
        model: &Model,
        polygon: &Polygon,
        direction: Option<&Vec6>,
    ) {
        let limit = if contact.is_separated() { 0.0 } else { answer.limit };
        for (column, beta) in columns.iter().zip(answer.friction) {
            self.friction += column * beta;
            self.friction_abs += (column * beta).abs();
        }
        if let Some(y) = direction {
            self.support += polygon.support([columns[0].dot(y), columns[1].dot(y)], limit);
            let size = columns[0].abs().dot(&y.abs()) + columns[1].abs().dot(&y.abs());
            self.support_abs += size * limit * polygon.vertex_radius;
        }
        let anchor = if model.remembers { answer.anchor } else { [0.0; 2] };
        let g = [columns[0].dot(&model.pull) - anchor[0], columns[1].dot(&model.pull) - anchor[1]];
        self.gap += polygon.support(g, limit) - (g[0] * answer.friction[0] + g[1] * answer.friction[1]);
        self.memory += limit * length(anchor);
    }
}

/// The columns (t, r × t) of a contact, zero when it is separated.
fn columns(contact: &Contact) -> [Vec6; 2] {
    if contact.is_separated() {
        return [Vec6::zeros(); 2];
    }
    let (n, t, r) = (contact.normal, contact.tangent, contact.point);
    [t, n.cross(&t)].map(|t| {
        let m = r.cross(&t);
        Vec6::new(t.x, t.y, t.z, m.x, m.y, m.z)
    })
}

fn halves(w: &Vec6) -> (Vec3, Vec3) {
    (Vec3::new(w[0], w[1], w[2]), Vec3::new(w[3], w[4], w[5]))
}

/// The farthest a twist can move the point of a contact.
fn reach(twist: &Vec6, contact: &Contact) -> f64 {
    let (translation, rotation) = halves(twist);
    translation.norm() + contact.point.norm() * rotation.norm()
}

fn length(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

/// By how much `a` exceeds `b`; NaN stays NaN.
fn beyond(a: f64, b: f64) -> f64 {
    if a <= b { 0.0 } else { a - b }
}

/// `error / scale`, where no error is no error on any scale, and what is not a number is infinitely wrong.
fn ratio(error: f64, scale: f64) -> f64 {
    let r = error / scale;
    if error == 0.0 && !scale.is_nan() {
        0.0
    } else if r >= 0.0 {
        r
    } else {
        f64::INFINITY
    }
}

fn worst(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
