//! The quadratic programs evaluated in plain arithmetic: what an answer is worth, whoever gave it.
//!
//! Symbols: f load, K stiffness (`Hold`: -A, A = -sym(K)), M̃ metric (`Hold`: A), G_i the columns (t, r × t) of contact i,
//! β_i ∈ P_i friction, s_i remembered slip (`Hold` only). For any β, admissible or not,
//!
//! ```text
//! q(β) = -K⁻¹(f + Gβ)      J(β) = ½ qᵀM̃q + Σ s_iᵀβ_i      gap(β) = Σ max_{b ∈ P_i} g_iᵀ(b - β_i),   g_i = G_iᵀK⁻ᵀM̃q - s_i
//! ```
//!
//! J is convex in β, with gradient -g_i, so that J(β) - min J ≤ gap(β) for admissible β. It is a quadratic in q plus a
//! linear term, so that ½ ‖q(β) - q*‖² ≤ gap(β) in the norm of M̃: two answers are no further apart than their gaps allow.
#![allow(dead_code)] // Every test uses some of it.

use stiction::contact::{Contact, ContactProblem};
use stiction::friction::{Cone, Fit, Method, Metric, Solution};
use stiction::spatial::{Mat6, Vec6, join};

/// A contact problem with a method's objective.
#[derive(Clone, Debug)]
pub struct Plain {
    wrench: Vec6,
    stiffness: Mat6,
    metric: Mat6,
    cone: Cone,
    columns: Vec<[Vec6; 2]>,
    limits: Vec<f64>,
    anchors: Vec<[f64; 2]>,
}

impl Plain {
    /// The program that a solution answers, with its limits and remembered slips.
    pub fn of(problem: &ContactProblem, solution: &Solution) -> Self {
        let load = problem.load();
        let a = (load.stiffness + load.stiffness.transpose()) * -0.5;
        let (stiffness, metric) = match solution.method {
            Method::Lp
            | Method::Qp(Metric::Mass)
            | Method::Yamane
            | Method::Frictionless
            | Method::Staggered
            | Method::GaussSeidel(_) => (load.stiffness, load.mass),
            Method::Qp(Metric::Stiffness) => (load.stiffness, a),
            Method::Hold => (-a, a),
        };
        let remembers = solution.method == Method::Hold;
        Self {
            wrench: load.wrench,
            stiffness,
            metric,
            cone: solution.cone,
            columns: problem.contacts().iter().map(columns).collect(),
            limits: solution.contacts().map(|c| c.limit).collect(),
            anchors: solution.contacts().map(|c| if remembers { c.anchor } else { [0.0; 2] }).collect(),
        }
    }

    /// Friction limits L_i (N).
    pub fn limits(&self) -> &[f64] {
        &self.limits
    }

    /// Remembered slips s_i (m); zero but for `Hold`.
    pub fn anchors(&self) -> &[[f64; 2]] {
        &self.anchors
    }

    /// q(β).
    pub fn step(&self, friction: &[[f64; 2]]) -> Vec6 {
        let total =
            self.columns.iter().zip(friction).fold(Vec6::zeros(), |sum, (g, b)| sum + g[0] * b[0] + g[1] * b[1]);
        solve(&self.stiffness, &-(self.wrench + total))
    }

    /// -K⁻¹f: the step without friction, refined once because K may be stiff in one direction and soft in another.
    pub fn free_step(&self) -> Vec6 {
        let step = solve(&self.stiffness, &-self.wrench);
        step - solve(&self.stiffness, &(self.wrench + self.stiffness * step))
    }

    /// J(β).
    pub fn objective(&self, friction: &[[f64; 2]]) -> f64 {
        let q = self.step(friction);
        let memory: f64 = self.anchors.iter().zip(friction).map(|(s, b)| s[0] * b[0] + s[1] * b[1]).sum();
        0.5 * q.dot(&(self.metric * q)) + memory
    }

    /// What objectives and gaps compare with: J(0) + Σ L_i ‖s_i‖.
    pub fn scale(&self) -> f64 {
        let q = self.free_step();
        let memory: f64 = self.anchors.iter().zip(&self.limits).map(|(s, l)| l * s[0].hypot(s[1])).sum();
        0.5 * q.dot(&(self.metric * q)) + memory
    }

    /// gap(β).
    pub fn gap(&self, friction: &[[f64; 2]]) -> f64 {
        let pull = solve(&self.stiffness.transpose(), &(self.metric * self.step(friction)));
        let contacts = self.columns.iter().zip(&self.limits).zip(&self.anchors).zip(friction);
        contacts
            .map(|(((g, &limit), s), b)| {
                let slope = [g[0].dot(&pull) - s[0], g[1].dot(&pull) - s[1]];
                support(self.cone, slope, limit) - (slope[0] * b[0] + slope[1] * b[1])
            })
            .sum()
    }

    /// ‖a - b‖ in the metric.
    pub fn distance(&self, a: &Vec6, b: &Vec6) -> f64 {
        let d = a - b;
        d.dot(&(self.metric * d)).max(0.0).sqrt()
    }

    /// The same friction pulled back into the limits where it is beyond.
    pub fn repaired(&self, friction: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let pull_back = |(b, &limit): (&[f64; 2], &f64)| {
            let needed = gauge(self.cone, *b);
            if needed <= limit { *b } else { b.map(|x| x * (limit / needed)) }
        };
        friction.iter().zip(&self.limits).map(pull_back).collect()
    }

    /// Slip G_iᵀq of every contact.
    pub fn slips(&self, step: &Vec6) -> Vec<[f64; 2]> {
        self.columns.iter().map(|g| [g[0].dot(step), g[1].dot(step)]).collect()
    }
}

/// The columns (t, r × t) of a contact; zero when it is separated.
pub fn columns(contact: &Contact) -> [Vec6; 2] {
    if contact.is_separated() {
        return [Vec6::zeros(); 2];
    }
    [contact.tangent, contact.tangent_v()].map(|t| join(t, contact.point.cross(&t)))
}

/// The largest gᵀβ over the friction forces that a limit admits.
pub fn support(cone: Cone, g: [f64; 2], limit: f64) -> f64 {
    match cone {
        Cone::Disk => limit * g[0].hypot(g[1]),
        Cone::Polygon { sides, fit } => {
            let half = std::f64::consts::PI / sides as f64;
            let radius = if fit == Fit::Inscribed { limit } else { limit / half.cos() };
            (0..sides)
                .map(|j| {
                    let (sin, cos) = (2.0 * half * j as f64).sin_cos();
                    radius * (g[0] * cos + g[1] * sin)
                })
                .fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

/// The smallest limit that admits a friction force.
pub fn gauge(cone: Cone, b: [f64; 2]) -> f64 {
    match cone {
        Cone::Disk => b[0].hypot(b[1]),
        Cone::Polygon { sides, fit } => {
            let half = std::f64::consts::PI / sides as f64;
            let distance = if fit == Fit::Inscribed { half.cos() } else { 1.0 };
            (0..sides)
                .map(|j| {
                    let (sin, cos) = ((2 * j + 1) as f64 * half).sin_cos();
                    (b[0] * cos + b[1] * sin) / distance
                })
                .fold(0.0, f64::max)
        }
    }
}

/// a⁻¹b with one step of refinement, rows scaled first: forces and torques differ in unit. Zero when `a` is singular.
fn solve(a: &Mat6, b: &Vec6) -> Vec6 {
    let rows = Vec6::from_fn(|i, _| 1.0 / a.row(i).amax());
    let lu = Mat6::from_fn(|i, j| a[(i, j)] * rows[i]).lu();
    let once = |b: &Vec6| lu.solve(&b.component_mul(&rows)).unwrap_or_default();
    let x = once(b);
    x + once(&(b - a * x))
}
