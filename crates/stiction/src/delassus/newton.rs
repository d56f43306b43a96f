//! Newton's method on Signorini's condition and Coulomb's law, between sweeps of Gauss-Seidel.
//!
//! Gauss-Seidel finds quickly which contacts are open, stick or slide, and then converges slowly where a rigid motion or a stiff part couples all contacts; Newton's method does the opposite. So a few sweeps are made, then
//! Newton steps as long as each lowers the residual, then more sweeps. Every answer is one that Gauss-Seidel could have given; Newton's steps only skip sweeps.
//!
//! The function is that of P. Alart and A. Curnier, *A mixed formulation for frictional contact problems prone to Newton like solution methods* (1991), with ρ_n = 1/W_nn and ρ_t = 2/(W_tt + W_ss):
//!
//! ```text
//! y_n = r_n - ρ_n u_n,   y_t = r_t - ρ_t u_t,   d = y_t/‖y_t‖,   D = (I - d dᵀ)/‖y_t‖
//! open   y_n ≤ 0              r = 0
//! stick  ‖y_t‖ ≤ µ y_n        W δr = -u
//! slide                       W_n δr = -u_n,   ((I - a D) δr_t - µ d δr_n)/ρ_t + a D W_t δr = -(r_t - µ r_n d)/ρ_t,   a = min(µ r_n, ‖y_t‖)
//! ```
//!
//! Deviations: a is bounded by ‖y_t‖, where the exact derivative would let a contact that begins to slide grow (as in S. Hüeber, G. Stadler, B. Wohlmuth, 2008). W has a small multiple of the identity added on the left side
//! alone, so that redundant contacts leave the system solvable: it slows the steps and does not move the solution.

use super::answer::{ConeAnswer, ConeVerdict, SolveLimits};
use super::gauss_seidel::{GaussSeidel, GaussSeidelSettings};
use super::operator::Delassus;
use super::problem::{ConeError, ConeProblem};
use super::verify;
use crate::spatial::Vec3;

/// What is added to the diagonal of W, as a share of its mean.
const SHIFT: f64 = 1e-11;
/// Newton steps in a row, at most.
const STEPS: u32 = 12;
/// A step that leaves more of the residual than this is not worth its price.
const ENOUGH: f64 = 0.7;
/// How often a step is halved.
const HALVINGS: u32 = 2;

/// How [`ConeNewton`] works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConeNewtonSettings {
    /// The sweeps; their limits count for the whole.
    pub sweeps: GaussSeidelSettings,
    /// Sweeps before the first Newton step; twice as many before each further attempt.
    pub first_sweeps: u32,
    /// The most contacts in a Newton step: with more, sweeps alone go on, since a step takes the cube of them.
    pub most_contacts: usize,
}

impl Default for ConeNewtonSettings {
    fn default() -> Self {
        ConeNewtonSettings { sweeps: GaussSeidelSettings::default(), first_sweeps: 8, most_contacts: 400 }
    }
}

/// Newton's method with sweeps, and all its memory.
#[derive(Clone, Debug)]
pub struct ConeNewton {
    settings: ConeNewtonSettings,
    capacity: usize,
    sweeps: GaussSeidel,
    limits: SolveLimits,
    active: Vec<u32>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    velocities: Vec<Vec3>,
    step: Vec<Vec3>,
    trial: Vec<Vec3>,
    motion: Vec<f64>,
    answer: ConeAnswer,
    newton_steps: u32,
}

impl ConeNewton {
    /// A solver for problems on operators with as much room as this one.
    ///
    /// # Errors
    /// A setting out of its range.
    pub fn new<W: Delassus>(settings: ConeNewtonSettings, like: &W) -> Result<Self, ConeError> {
        if settings.first_sweeps == 0 {
            return Err(ConeError::BadSetting { setting: "the number of first sweeps", range: "at least 1" });
        }
        let capacity = like.capacity();
        let most = 3 * capacity.min(settings.most_contacts);
        Ok(ConeNewton {
            settings,
            capacity,
            sweeps: GaussSeidel::new(settings.sweeps, like)?,
            limits: settings.sweeps.limits,
            active: Vec::with_capacity(capacity),
            matrix: Vec::with_capacity(most * most),
            right: Vec::with_capacity(most),
            velocities: Vec::with_capacity(capacity),
            step: Vec::with_capacity(capacity),
            trial: Vec::with_capacity(capacity),
            motion: Vec::with_capacity(like.motion_capacity()),
            answer: ConeAnswer::with_capacity(capacity),
            newton_steps: 0,
        })
    }

    /// Forgets the last answer: the next solve starts cold.
    pub fn forget(&mut self) {
        self.sweeps.forget();
    }

    /// The last answer: `iterations` counts Newton steps and sweeps, `passes` sweeps.
    pub fn answer(&self) -> &ConeAnswer {
        &self.answer
    }

    /// Newton steps of the last answer.
    pub fn newton_steps(&self) -> u32 {
        self.newton_steps
    }

    /// Solves a problem, and remembers the forces for the next one. Allocates nothing.
    ///
    /// # Errors
    /// More contacts than the solver was made for.
    pub fn solve<W: Delassus>(&mut self, problem: &ConeProblem<W>) -> Result<&ConeAnswer, ConeError> {
        let n = problem.len();
        if n > self.capacity {
            return Err(ConeError::Capacity { contacts: n, capacity: self.capacity });
        }
        self.answer.begin(n);
        self.newton_steps = 0;
        let SolveLimits { tolerance, passes } = self.limits;
        let mut next = self.settings.first_sweeps.min(passes);
        let mut left = passes;
        loop {
            self.sweeps.limit(SolveLimits { tolerance, passes: next })?;
            let swept = self.sweeps.solve(problem)?;
            left -= swept.passes.min(left);
            self.answer.passes += swept.passes;
            let (stuck, residual) = (swept.passes < next && swept.verdict == ConeVerdict::NotConverged, swept.residual);
            self.answer.offer(&swept.forces, residual);
            if n == 0 {
                self.answer.residual = 0.0;
            }
            if self.answer.residual > tolerance {
                self.newton(problem);
            }
            // Sweeps that move nothing more will not.
            if self.answer.residual <= tolerance || left == 0 || (stuck && self.answer.residual >= residual) {
                break;
            }
            next = (2 * next).min(left).max(1);
            self.sweeps.start_from(problem, &self.answer.forces);
        }
        self.answer.iterations = self.answer.passes + self.newton_steps;
        self.answer.conclude(tolerance);
        self.sweeps.start_from(problem, &self.answer.forces);
        Ok(&self.answer)
    }

    /// Newton steps from the best answer so far, as long as they help.
    fn newton<W: Delassus>(&mut self, problem: &ConeProblem<W>) {
        for _ in 0..STEPS {
            if !self.direction(problem) {
                return;
            }
            self.newton_steps += 1;
            let before = self.answer.residual;
            let mut share = 1.0;
            for _ in 0..=HALVINGS {
                self.trial.clear();
                for ((force, step), contact) in self.answer.forces.iter().zip(&self.step).zip(problem.contacts()) {
                    self.trial.push(into_cone(force + share * step, contact.mu));
                }
                let residual = verify::residual(problem, &self.trial, &mut self.motion);
                if residual < ENOUGH * before {
                    self.answer.offer(&self.trial, residual);
                    break;
                }
                share *= 0.5;
            }
            if self.answer.residual <= self.limits.tolerance || self.answer.residual >= ENOUGH * before {
                return;
            }
        }
    }

    /// Solves for a Newton step; false where there is none.
    fn direction<W: Delassus>(&mut self, problem: &ConeProblem<W>) -> bool {
        let Self { active, matrix, right, velocities, step, motion, answer, settings, .. } = self;
        let w = problem.operator();
        let forces = &answer.forces;
        velocities.clear();
        verify::velocities(problem, forces, motion, |_, u| velocities.push(*u));
        active.clear();
        let normal = |i: usize| w.diagonal(i)[(0, 0)];
        for i in 0..problem.len() {
            // Also what does not give way stays as it is.
            if normal(i) > 0.0 && forces[i].x - velocities[i].x / normal(i) > 0.0 {
                active.push(i as u32);
            }
        }
        let n = 3 * active.len();
        if active.len() > settings.most_contacts {
            return false;
        }
        matrix.clear();
        matrix.resize(n * n, 0.0);
        right.clear();
        let mean = active.iter().map(|&i| w.diagonal(i as usize).trace()).sum::<f64>() / n.max(1) as f64;
        for (row, &i) in active.iter().enumerate() {
            let (i, at) = (i as usize, 3 * row * n);
            for (column, &j) in active.iter().enumerate() {
                let block = w.block(i, j as usize);
                for a in 0..3 {
                    for b in 0..3 {
                        matrix[at + a * n + 3 * column + b] = block[(a, b)];
                    }
                }
            }
            let (r, u, mu) = (forces[i], velocities[i], problem.contacts()[i].mu);
            let block = w.diagonal(i);
            let per = 0.5 * (block[(1, 1)] + block[(2, 2)]);
            let y = if per > 0.0 { [r.y - u.y / per, r.z - u.z / per] } else { [r.y, r.z] };
            let (length, reach) = ((y[0] * y[0] + y[1] * y[1]).sqrt(), mu * (r.x - u.x / normal(i)));
            right.push(-u.x);
            if length <= reach {
                right.extend([-u.y, -u.z]);
                (0..3).for_each(|a| matrix[at + a * n + 3 * row + a] += SHIFT * mean);
                continue;
            }
            matrix[at + 3 * row] += SHIFT * mean;
            let d = [y[0] / length, y[1] / length];
            // The bounded radius, over the length.
            let a = (mu * r.x.max(0.0)).min(length) / length;
            let across = [[a * (1.0 - d[0] * d[0]), -a * d[0] * d[1]], [-a * d[0] * d[1], a * (1.0 - d[1] * d[1])]];
            for column in 0..n {
                let (first, second) = (matrix[at + n + column], matrix[at + 2 * n + column]);
                matrix[at + n + column] = across[0][0] * first + across[0][1] * second;
                matrix[at + 2 * n + column] = across[1][0] * first + across[1][1] * second;
            }
            let per = if per > 0.0 { per } else { mean };
            for k in 0..2 {
                let own = at + (k + 1) * n + 3 * row;
                matrix[own] -= per * mu * d[k];
                for l in 0..2 {
                    matrix[own + 1 + l] += per * (f64::from(u8::from(k == l)) - across[k][l]);
                }
                right.push(-per * ([r.y, r.z][k] - mu * r.x * d[k]));
            }
        }
        if !eliminate(matrix, right, n) {
            return false;
        }
        step.clear();
        step.extend(forces.iter().map(|r| -r));
        for (row, &i) in active.iter().enumerate() {
            step[i as usize] = Vec3::new(right[3 * row], right[3 * row + 1], right[3 * row + 2]);
        }
        true
    }
}

/// A force made to obey r_n ≥ 0 and ‖r_t‖ ≤ µ r_n, its normal part kept.
fn into_cone(mut r: Vec3, mu: f64) -> Vec3 {
    if !(r.x > 0.0) {
        return Vec3::zeros();
    }
    let (length, reach) = ((r.y * r.y + r.z * r.z).sqrt(), mu * r.x);
    if length > reach {
        r.y *= reach / length;
        r.z *= reach / length;
    }
    r
}

/// Gauss's elimination with row pivots, in place; false where a pivot vanishes or a number is not finite.
fn eliminate(matrix: &mut [f64], right: &mut [f64], n: usize) -> bool {
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if matrix[i * n + k].abs() > matrix[pivot * n + k].abs() {
                pivot = i;
            }
        }
        if !(matrix[pivot * n + k].abs() > 0.0) {
            return false;
        }
        if pivot != k {
            let (above, below) = matrix.split_at_mut(pivot * n);
            above[k * n + k..(k + 1) * n].swap_with_slice(&mut below[k..n]);
            right.swap(k, pivot);
        }
        let (above, below) = matrix.split_at_mut((k + 1) * n);
        let own = &above[k * n + k..(k + 1) * n];
        for (i, row) in below.chunks_exact_mut(n).enumerate() {
            let factor = row[k] / own[0];
            if factor != 0.0 {
                row[k..].iter_mut().zip(own).for_each(|(x, y)| *x -= factor * y);
                right[k + 1 + i] -= factor * right[k];
            }
        }
    }
    for k in (0..n).rev() {
        let row = &matrix[k * n..(k + 1) * n];
        let sum: f64 = row[k + 1..].iter().zip(&right[k + 1..]).map(|(a, x)| a * x).sum();
        right[k] = (right[k] - sum) / row[k];
    }
    right.iter().all(|x| x.is_finite())
}
