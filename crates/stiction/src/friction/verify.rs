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

mod range;
#[cfg(test)]
mod tests;

use super::{Certificate, Cone, ContactAnswer, Fit, Method, Metric, SlipState, Solution, Verdict};
use crate::contact::{Contact, ContactProblem};
use crate::spatial::{Mat6, Vec3, Vec6};
use range::Range;

/// A claim that an answer makes. Its error is in [`Verification`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Claim {
    /// One answer per contact, in a cone that exists.
    Shape,
    /// Each limit is µ_s F_n or µ_k F_n, and zero at a separated contact.
    Limit,
    /// β_i ∈ P_i.
    Admissible,
    /// The total friction is Σ G_i β_i.
    FrictionSum,
    /// The slip is G_iᵀ q, zero at a separated contact.
    Slip,
    /// The power is β_i·slip.
    Power,
    /// Separated, stuck or sliding, as accumulated slip says.
    State,
    /// The verdict fits the certificate, the states and the limits.
    Verdict,
    /// The stiffness metric is positive definite, or was shifted because it is not.
    Metric,
    /// f + K q + Gβ = 0.
    Equilibrium,
    /// Gᵀλ = 0.
    Multiplier,
    /// M̃ q + Kᵀλ = 0.
    Stationarity,
    /// The rank of G.
    Rank,
    /// f + K q* lies in the range of G.
    Range,
    /// The direction separates the load from all admissible friction, strictly.
    Separation,
    /// The duality gap is small.
    Gap,
    /// The duality gap is the one claimed.
    ClaimedGap,
}

/// A claim that does not hold to the tolerance asked for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the claim {claim:?} is off by {error:e}, more than {tolerance:e}")]
pub struct VerifyError {
    /// What was claimed.
    pub claim: Claim,
    /// Its relative error; infinite where a claim can only be true or false, or a number is not finite.
    pub error: f64,
    /// What was asked for.
    pub tolerance: f64,
}

/// How far each claim of an answer is from being true: relative errors, 0 for a claim that was not made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verification {
    /// False when the number of contacts or the cone is wrong; nothing else was looked at then.
    pub shape: bool,
    /// Largest relative distance of a limit from both µ_s F_n and µ_k F_n.
    pub limit_error: f64,
    /// Largest violation of β_i ∈ P_i relative to the limit; infinite for friction at a limit of zero.
    pub limit_excess: f64,
    /// Error of the total friction relative to Σ |G_i||β_i|.
    pub friction_sum: f64,
    /// Largest error of a slip relative to ‖Δx‖ + ‖r_i‖‖Δω‖.
    pub slip: f64,
    /// Largest error of a power relative to ‖β_i‖‖slip‖.
    pub power: f64,
    /// Largest distance of a contact from the state it is said to be in, relative to ε + ‖s_i‖ + ‖slip‖.
    pub state: f64,
    /// Verdict, certificate, states and limits go together; friction is zero where the linear program slips.
    pub verdict: bool,
    /// The stiffness metric, where used, is positive definite, or shifted for a reason.
    pub metric: bool,
    /// ‖f + K q + Gβ‖, relative.
    pub equilibrium: f64,
    /// Largest ‖G_iᵀλ‖, relative.
    pub multiplier: f64,
    /// ‖M̃ q + Kᵀλ‖, relative.
    pub stationarity: f64,
    /// Largest singular value of G that the claimed rank ignores, relative to the largest of all; infinite when a
    /// certificate rests on a singular value that is only rounding.
    pub rank: f64,
    /// Part of f + K q* outside of the range of G, relative.
    pub range: f64,
    /// Separation proved by `Unstoppable`, less a bound of all rounding, relative to the terms it is made of.
    /// Positive when the proof is good.
    pub separation: Option<f64>,
    /// Duality gap of β, recomputed, relative.
    pub gap: f64,
    /// Difference between that gap and the claimed one, relative.
    pub gap_claimed: f64,
    /// False when something was claimed that cannot be checked from outside: a shifted metric is not published.
    pub complete: bool,
}

impl Verification {
    /// Every claim with its error: 0 is perfect, infinity is a lie.
    pub fn errors(&self) -> [(Claim, f64); 17] {
        let flag = |ok: bool| if ok { 0.0 } else { f64::INFINITY };
        [
            (Claim::Shape, flag(self.shape)),
            (Claim::Limit, self.limit_error),
            (Claim::Admissible, self.limit_excess),
            (Claim::FrictionSum, self.friction_sum),
            (Claim::Slip, self.slip),
            (Claim::Power, self.power),
            (Claim::State, self.state),
            (Claim::Verdict, flag(self.verdict)),
            (Claim::Metric, flag(self.metric)),
            (Claim::Equilibrium, self.equilibrium),
            (Claim::Multiplier, self.multiplier),
            (Claim::Stationarity, self.stationarity),
            (Claim::Rank, self.rank),
            (Claim::Range, self.range),
            (Claim::Separation, flag(self.separation.is_none_or(|s| s > 0.0))),
            (Claim::Gap, self.gap),
            (Claim::ClaimedGap, self.gap_claimed),
        ]
    }

    /// The first claim that is off by more than `epsilon`, as an error.
    pub fn check(&self, epsilon: f64) -> Result<(), VerifyError> {
        for (claim, error) in self.errors() {
            // Not `error > epsilon`: NaN must fail.
            let within = error <= epsilon;
            if !within {
                return Err(VerifyError { claim, error, tolerance: epsilon });
            }
        }
        Ok(())
    }

    /// True when every claim made holds to the relative tolerance `epsilon`.
    pub fn holds_to(&self, epsilon: f64) -> bool {
        self.check(epsilon).is_ok()
    }
}

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

/// K and M̃ as the method sees them, and what follows from them.
struct Model {
    /// K, or -A for `Hold`.
    stiffness: Mat6,
    metric: Mat6,
    /// False when the metric was shifted by an amount that is not published.
    known: bool,
    metric_ok: bool,
    /// `Hold`: the objective contains the anchors.
    remembers: bool,
    /// -K⁻¹f.
    free_step: Vec6,
    /// -K⁻ᵀ M̃ (-K⁻¹f): what a multiplier would be like without friction.
    free_lambda: Vec6,
    /// p = K⁻ᵀ M̃ q.
    pull: Vec6,
    /// What torques are divided by.
    length: f64,
}

impl Model {
    fn of(problem: &ContactProblem, solution: &Solution) -> Self {
        let load = problem.load();
        let a = (load.stiffness + load.stiffness.transpose()) * -0.5;
        let (stiffness, metric, uses_a) = match solution.method {
            Method::Lp | Method::Qp(Metric::Mass) | Method::Yamane | Method::Frictionless => {
                (load.stiffness, load.mass, false)
            }
            Method::Qp(Metric::Stiffness) => (load.stiffness, a, true),
            Method::Hold => (-a, a, true),
        };
        let shifted = uses_a && solution.metric_shifted;
        // Far from singular, a shift has no excuse; not even positive definite, its absence has none.
        let pivot = smallest_pivot(&a);
        let metric_ok = if shifted { pivot < 1e-3 } else { !uses_a || pivot > 0.0 };
        // K is invertible by the problem's own check. Where -sym(K) is not, `metric_ok` or `known` says so.
        let free_step = solve(&stiffness, &-load.wrench);
        let transposed = stiffness.transpose();
        let free_lambda = solve(&transposed, &-(metric * free_step));
        let pull = solve(&transposed, &(metric * solution.step));
        let farthest = problem.contacts().iter().map(|c| c.point.norm()).fold(0.0, f64::max);
        let trace = |m: &Mat6, from: usize| (from..from + 3).map(|i| m[(i, i)]).sum::<f64>();
        let gyration = (trace(&load.mass, 3) / trace(&load.mass, 0)).sqrt();
        Self {
            stiffness,
            metric,
            known: !shifted,
            metric_ok,
            remembers: solution.method == Method::Hold,
            free_step,
            free_lambda,
            pull,
            length: if farthest > 0.0 { farthest } else { gyration },
        }
    }

    fn wrench_norm(&self, w: Vec6) -> f64 {
        let (force, torque) = halves(&w);
        force.norm().hypot(torque.norm() / self.length)
    }
}

/// P_i by its facets and vertices. A disk has neither.
struct Polygon {
    sides: usize,
    /// Directions at jπ/ℓ: vertices are the even ones, facet normals the odd ones.
    directions: [[f64; 2]; 2 * Cone::MAX_SIDES],
    /// Distance of a facet and of a vertex from the centre, over L.
    facet_distance: f64,
    vertex_radius: f64,
}

impl Polygon {
    fn of(cone: Cone) -> Option<Self> {
        let mut directions = [[0.0; 2]; 2 * Cone::MAX_SIDES];
        let (sides, fit) = match cone {
            Cone::Disk => return Some(Self { sides: 0, directions, facet_distance: 1.0, vertex_radius: 1.0 }),
            Cone::Polygon { sides, fit } => (sides, fit),
        };
        if !(3..=Cone::MAX_SIDES).contains(&sides) {
            return None;
        }
        for (j, direction) in directions.iter_mut().enumerate().take(2 * sides) {
            let angle = j as f64 * std::f64::consts::PI / sides as f64;
            *direction = [libm::cos(angle), libm::sin(angle)];
        }
        let cosine = directions[1][0];
        let (facet_distance, vertex_radius) = match fit {
            Fit::Circumscribed => (1.0, 1.0 / cosine),
            Fit::Inscribed => (cosine, 1.0),
        };
        Some(Self { sides, directions, facet_distance, vertex_radius })
    }

    /// The largest g·d over the even (0) or odd (1) directions d.
    fn largest(&self, parity: usize, g: [f64; 2]) -> f64 {
        let ds = self.directions.iter().take(2 * self.sides).skip(parity).step_by(2);
        ds.map(|d| g[0] * d[0] + g[1] * d[1]).fold(f64::NEG_INFINITY, f64::max)
    }

    /// σ(g) = max g·β over the polygon or disk of limit L.
    fn support(&self, g: [f64; 2], limit: f64) -> f64 {
        if limit == 0.0 {
            return 0.0;
        }
        limit * self.vertex_radius * if self.sides == 0 { length(g) } else { self.largest(0, g) }
    }

    /// How far β is outside (N); at most zero inside.
    fn excess(&self, beta: [f64; 2], limit: f64) -> f64 {
        // `f64::max` skips NaN, so it is looked for first.
        if !(beta[0].is_finite() && beta[1].is_finite() && limit.is_finite()) {
            return f64::INFINITY;
        }
        let outward = if self.sides == 0 { length(beta) } else { self.largest(1, beta) };
        if limit == 0.0 { length(beta) } else { (outward - self.facet_distance * limit).max(0.0) }
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

/// Solves a x = b by LU with one step of refinement; rows are scaled first, since forces and torques differ in unit.
/// Zero when `a` is singular.
fn solve(a: &Mat6, b: &Vec6) -> Vec6 {
    let rows = Vec6::from_fn(|i, _| 1.0 / a.row(i).amax());
    let lu = Mat6::from_fn(|i, j| a[(i, j)] * rows[i]).lu();
    let once = |b: &Vec6| lu.solve(&b.component_mul(&rows)).unwrap_or_default();
    let x = once(b);
    x + once(&(b - a * x))
}

/// The smallest pivot of Cholesky's factorisation after scaling to unit diagonal: positive when `a` is positive definite.
fn smallest_pivot(a: &Mat6) -> f64 {
    let mut m = Mat6::from_fn(|i, j| a[(i, j)] / (a[(i, i)] * a[(j, j)]).abs().sqrt());
    let mut smallest = f64::INFINITY;
    for k in 0..6 {
        let pivot = m[(k, k)];
        if pivot.is_nan() || pivot <= 0.0 {
            return f64::NEG_INFINITY;
        }
        smallest = smallest.min(pivot);
        for i in k + 1..6 {
            let factor = m[(i, k)] / pivot;
            for j in k + 1..6 {
                m[(i, j)] -= factor * m[(k, j)];
            }
        }
    }
    smallest
}
