//! Convex programs on a Delassus operator in Clarabel: an oracle for the solvers of unilateral contacts with Coulomb friction.
//!
//! V. Acary, F. Cadoux, *Applications of an existence result for the Coulomb friction problem* (2013): with s_i = µ_i‖u_t,i‖ of a last answer,
//!
//! ```text
//! r(s) = argmin ½ rᵀW r + (q + s n)ᵀr,   r_i ∈ K_i = {‖r_t‖ ≤ µ r_n}          a cone program                  (1)
//! s ← µ‖u_t‖,  u = W r(s) + q                                                a fixed point is a solution      (2)
//! ```
//!
//! Signorini's condition with Coulomb's law is no cone program itself, since s follows from the answer; each step of (2) is one. The iteration (2) need not converge; where it does, it has found a solution, and there may be others.

use crate::clarabel::columns;
use ::clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use stiction::delassus::{ConeProblem, Delassus, ProjectionPart};
use stiction::friction::{Cone, Fit};
use stiction::spatial::Vec3;

/// Gap and feasibility that Clarabel is asked for, and what it may end with where rounding stops it.
const TOLERANCE: f64 = 1e-11;
const REDUCED: f64 = 1e-8;

/// (1) for given s; `None` where Clarabel finds no solution.
pub fn cone_program<W: Delassus>(problem: &ConeProblem<W>, shift: &[f64]) -> Option<Vec<Vec3>> {
    let n = problem.len();
    let linear: Vec<f64> =
        problem.contacts().iter().zip(shift).flat_map(|(c, shift)| [c.free.x + shift, c.free.y, c.free.z]).collect();
    let mut rows = Rows::default();
    for (i, c) in problem.contacts().iter().enumerate() {
        if c.mu > 0.0 {
            rows.add(&[(3 * i, -c.mu)], 0.0);
            rows.add(&[(3 * i + 1, -1.0)], 0.0);
            rows.add(&[(3 * i + 2, -1.0)], 0.0);
            rows.cones.push(SupportedConeT::SecondOrderConeT(3));
        } else {
            rows.at_least_zero(3 * i);
            rows.zero(3 * i + 1);
            rows.zero(3 * i + 2);
        }
    }
    let x = solve(&dense(problem.operator(), 3 * n, |k| k), &linear, rows)?;
    Some(x.chunks_exact(3).map(|r| Vec3::new(r[0], r[1], r[2])).collect())
}

/// (2) from s = 0: the fixed point and how many cone programs it took; `None` where a program has no solution or s still changes by more than `tolerance` times ‖q‖ after `most` programs.
pub fn cone_fixed_point<W: Delassus>(
    problem: &ConeProblem<W>,
    tolerance: f64,
    most: usize,
) -> Option<(Vec<Vec3>, usize)> {
    let size = problem.contacts().iter().map(|c| c.free.norm_squared()).sum::<f64>().sqrt();
    let mut shift = vec![0.0; problem.len()];
    for number in 1..=most {
        let forces = cone_program(problem, &shift)?;
        let next = sliding(problem, &forces);
        let change: f64 = next.iter().zip(&shift).map(|(a, b)| (a - b) * (a - b)).sum();
        shift = next;
        if change.sqrt() <= tolerance * size {
            return Some((forces, number));
        }
    }
    None
}

/// s_i = µ_i‖u_t,i‖ of forces.
pub fn sliding<W: Delassus>(problem: &ConeProblem<W>, forces: &[Vec3]) -> Vec<f64> {
    let u = |i: usize| forces.iter().enumerate().map(|(j, r)| problem.operator().block(i, j) * r).sum::<Vec3>();
    let contacts = problem.contacts().iter().enumerate();
    contacts.map(|(i, c)| c.mu * (u(i) + c.free).fixed_rows::<2>(1).norm()).collect()
}

/// A projection of staggered methods: min ½ xᵀW x + cᵀx over normal forces, or over friction within cones' cross-sections of the given radii.
pub fn projection_program<W: Delassus>(
    operator: &W,
    part: ProjectionPart,
    linear: &[Vec3],
    radius: &[f64],
) -> Option<Vec<Vec3>> {
    let n = operator.len();
    let mut rows = Rows::default();
    match part {
        ProjectionPart::Normals => {
            (0..n).for_each(|i| rows.at_least_zero(i));
            let c: Vec<f64> = linear.iter().map(|c| c.x).collect();
            let x = solve(&dense(operator, n, |k| 3 * k), &c, rows)?;
            Some(x.iter().map(|x| Vec3::new(*x, 0.0, 0.0)).collect())
        }
        ProjectionPart::Friction(cone) => {
            for (i, radius) in radius.iter().enumerate() {
                match cone {
                    Cone::Disk => {
                        rows.add(&[], *radius);
                        rows.add(&[(2 * i, -1.0)], 0.0);
                        rows.add(&[(2 * i + 1, -1.0)], 0.0);
                        rows.cones.push(SupportedConeT::SecondOrderConeT(3));
                    }
                    Cone::Polygon { sides, fit } => {
                        let turn = std::f64::consts::PI / sides as f64;
                        let inner = if fit == Fit::Inscribed { radius * libm::cos(turn) } else { *radius };
                        for k in 0..sides {
                            let angle = turn * (2 * k + 1) as f64;
                            rows.add(&[(2 * i, libm::cos(angle)), (2 * i + 1, libm::sin(angle))], inner);
                        }
                        rows.cones.push(SupportedConeT::NonnegativeConeT(sides));
                    }
                }
            }
            let c: Vec<f64> = linear.iter().flat_map(|c| [c.y, c.z]).collect();
            let x = solve(&dense(operator, 2 * n, |k| 3 * (k / 2) + 1 + k % 2), &c, rows)?;
            Some(x.chunks_exact(2).map(|t| Vec3::new(0.0, t[0], t[1])).collect())
        }
    }
}

/// Rows s = b - A x in cones.
#[derive(Default)]
struct Rows {
    entries: Vec<(usize, usize, f64)>,
    right: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

impl Rows {
    fn add(&mut self, entries: &[(usize, f64)], right: f64) {
        let row = self.right.len();
        self.entries.extend(entries.iter().map(|(column, x)| (row, *column, *x)));
        self.right.push(right);
    }

    fn at_least_zero(&mut self, unknown: usize) {
        self.add(&[(unknown, -1.0)], 0.0);
        self.cones.push(SupportedConeT::NonnegativeConeT(1));
    }

    fn zero(&mut self, unknown: usize) {
        self.add(&[(unknown, 1.0)], 0.0);
        self.cones.push(SupportedConeT::ZeroConeT(1));
    }
}

/// The upper triangle of the part of W whose rows and columns `pick` names.
fn dense<W: Delassus>(w: &W, size: usize, pick: impl Fn(usize) -> usize) -> Vec<(usize, usize, f64)> {
    let entry = |a: usize, b: usize| w.block(a / 3, b / 3)[(a % 3, b % 3)];
    let upper = (0..size).flat_map(|j| (0..=j).map(move |i| (i, j)));
    upper.map(|(i, j)| (i, j, entry(pick(i), pick(j)))).filter(|(_, _, x)| *x != 0.0).collect()
}

fn solve(quadratic: &[(usize, usize, f64)], linear: &[f64], rows: Rows) -> Option<Vec<f64>> {
    let n = linear.len();
    let settings = DefaultSettings {
        verbose: false,
        max_threads: 1,
        presolve_enable: false,
        tol_gap_abs: TOLERANCE,
        tol_gap_rel: TOLERANCE,
        tol_feas: TOLERANCE,
        reduced_tol_gap_abs: REDUCED,
        reduced_tol_gap_rel: REDUCED,
        reduced_tol_feas: REDUCED,
        ..DefaultSettings::default()
    };
    let (p, a) = (columns(n, n, quadratic), columns(rows.right.len(), n, &rows.entries));
    let mut solver = DefaultSolver::new(&p, linear, &a, &rows.right, &rows.cones, settings).ok()?;
    solver.solve();
    let good = matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
    good.then(|| std::mem::take(&mut solver.solution.x))
}
