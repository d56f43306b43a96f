//! What the check knows of a method and its cones: K and M̃ as the method sees them, and the polygons.

use super::{halves, length};
use crate::contact::ContactProblem;
use crate::friction::{Cone, Fit, Method, Metric, Solution};
use crate::spatial::{Mat6, Vec6};

/// K and M̃ as the method sees them, and what follows from them.
pub(super) struct Model {
    /// K, or -A for `Hold`.
    pub stiffness: Mat6,
    pub metric: Mat6,
    /// False when the metric was shifted by an amount that is not published.
    pub known: bool,
    pub metric_ok: bool,
    /// `Hold`: the objective contains the anchors.
    pub remembers: bool,
    /// -K⁻¹f.
    pub free_step: Vec6,
    /// -K⁻ᵀ M̃ (-K⁻¹f): what a multiplier would be like without friction.
    pub free_lambda: Vec6,
    /// p = K⁻ᵀ M̃ q.
    pub pull: Vec6,
    /// What torques are divided by.
    pub length: f64,
}

impl Model {
    pub fn of(problem: &ContactProblem, solution: &Solution) -> Self {
        let load = problem.load();
        let a = (load.stiffness + load.stiffness.transpose()) * -0.5;
        let (stiffness, metric, uses_a) = match solution.method {
            Method::Lp
            | Method::Qp(Metric::Mass)
            | Method::Yamane
            | Method::Frictionless
            | Method::Staggered
            | Method::GaussSeidel(_) => (load.stiffness, load.mass, false),
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

    pub fn wrench_norm(&self, w: Vec6) -> f64 {
        let (force, torque) = halves(&w);
        force.norm().hypot(torque.norm() / self.length)
    }
}

/// P_i by its facets and vertices. A disk has neither.
pub(super) struct Polygon {
    sides: usize,
    /// Directions at jπ/ℓ: vertices are the even ones, facet normals the odd ones.
    directions: [[f64; 2]; 2 * Cone::MAX_SIDES],
    /// Distance of a facet and of a vertex from the centre, over L.
    facet_distance: f64,
    pub vertex_radius: f64,
}

impl Polygon {
    pub fn of(cone: Cone) -> Option<Self> {
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
    pub fn support(&self, g: [f64; 2], limit: f64) -> f64 {
        if limit == 0.0 {
            return 0.0;
        }
        limit * self.vertex_radius * if self.sides == 0 { length(g) } else { self.largest(0, g) }
    }

    /// How far β is outside (N); at most zero inside.
    pub fn excess(&self, beta: [f64; 2], limit: f64) -> f64 {
        // `f64::max` skips NaN, so it is looked for first.
        if !(beta[0].is_finite() && beta[1].is_finite() && limit.is_finite()) {
            return f64::INFINITY;
        }
        let outward = if self.sides == 0 { length(beta) } else { self.largest(1, beta) };
        if limit == 0.0 { length(beta) } else { (outward - self.facet_distance * limit).max(0.0) }
    }
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
