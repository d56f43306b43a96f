//! Linear complementarity problems by Lemke's method, and contacts as such: without friction, or with Coulomb's cone cut to a pyramid.
//!
//! C. Duriez et al., *Realistic haptic rendering of interacting deformable objects in virtual environments* (2006), (18) and (22)-(24); R. W. Cottle, J.-S. Pang, R. E. Stone, *The linear complementarity problem* (1992), 4.4 and
//! 4.9 for the method and its lexicographic rule.
//!
//! ```text
//! w = M z + q,   0 ≤ w ⟂ z ≥ 0
//! without friction   z = f_n of all contacts,  M = W_nn
//! pyramid            z = (f_n, f_1 … f_k, λ) of each contact, with unit tangents d_r at angles 2πr/k:
//!                    w_n = u_n,   w_r = u_t · d_r + λ,   w_λ = µ f_n - Σ f_r
//! ```
//!
//! Two misprints of the paper are corrected: the last diagonal entry of (24) is W_tk,tk, and beside δ_tk in (23) stands f_tk. Deviation: forces and velocities are scaled to be of order one, since λ is a velocity among forces.
//!
//! Lemke's method adds a variable z_0 to all rows, and exchanges variables one for one until z_0 is gone. Among rows that would leave together the lexicographically first one does, so that it cannot cycle. M of contacts
//! is copositive, and then it ends in a solution unless the problem has none (a secondary ray).

use super::answer::ConeAnswer;
use super::operator::Delassus;
use super::problem::{ConeError, ConeProblem};
use super::verify;
use crate::friction::{Cone, Fit};
use crate::spatial::Vec3;

/// How Lemke's method ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LemkeEnd {
    /// With a solution.
    Solved,
    /// On a ray: the problem has no solution, or M is not of a kind for which the method always finds one.
    Ray,
    /// The budget of pivots was spent, or a number was not finite.
    Stopped,
}

/// Lemke's method with the lexicographic rule, and its memory: the tableau \[B⁻¹ | B⁻¹ q | …\].
#[derive(Clone, Debug)]
pub struct LexicographicLemke {
    capacity: usize,
    /// Rows of 2 n + 2 numbers: w, z, z_0, right side.
    tableau: Vec<f64>,
    basis: Vec<usize>,
    /// Pivots of the last problem.
    pub pivots: u32,
}

/// Entries smaller than this are no pivots; problems are scaled to order one.
const SMALLEST_PIVOT: f64 = 1e-11;

/// Ratios that differ by less count as equal where z_0 is one of them.
const TIE: f64 = 1e-10;

impl LexicographicLemke {
    /// With room for so many variables: 16 bytes times their square.
    pub fn with_capacity(variables: usize) -> Self {
        LexicographicLemke {
            capacity: variables,
            tableau: Vec::with_capacity(variables * (2 * variables + 2)),
            basis: Vec::with_capacity(variables),
            pivots: 0,
        }
    }

    /// Solves w = M z + q, 0 ≤ w ⟂ z ≥ 0 for M row by row. `z` is zero unless it is solved.
    pub fn solve(&mut self, m: impl Fn(usize, usize) -> f64, q: &[f64], z: &mut [f64], most_pivots: u32) -> LemkeEnd {
        let n = q.len();
        z.fill(0.0);
        self.pivots = 0;
        if n > self.capacity || z.len() != n {
            return LemkeEnd::Stopped;
        }
        if q.iter().all(|x| *x >= 0.0) {
            return LemkeEnd::Solved;
        }
        let width = 2 * n + 2;
        let (artificial, side) = (2 * n, 2 * n + 1);
        self.tableau.clear();
        for i in 0..n {
            self.tableau.extend((0..n).map(|j| f64::from(u8::from(i == j))));
            self.tableau.extend((0..n).map(|j| -m(i, j)));
            self.tableau.extend([-1.0, q[i]]);
        }
        if !self.tableau.iter().all(|x| x.is_finite()) {
            return LemkeEnd::Stopped;
        }
        self.basis.clear();
        self.basis.extend(0..n);
        // z_0 comes in where the right side is most negative, lexicographically.
        let row = |t: &[f64], i: usize, k: usize| if k == 0 { t[i * width + side] } else { t[i * width + k - 1] };
        let mut leaving = 0;
        for i in 1..n {
            let first = (0..=n).map(|k| row(&self.tableau, i, k) - row(&self.tableau, leaving, k)).find(|x| *x != 0.0);
            if first.is_some_and(|x| x < 0.0) {
                leaving = i;
            }
        }
        let mut entering = artificial;
        while self.pivots < most_pivots {
            self.pivots += 1;
            let left = self.basis[leaving];
            self.pivot(leaving, entering, width);
            self.basis[leaving] = entering;
            if left == artificial {
                self.take(z, n, artificial, side, width);
                return LemkeEnd::Solved;
            }
            entering = if left < n { left + n } else { left - n };
            // The row whose ratio is the lexicographically least.
            let mut best: Option<usize> = None;
            let mut last: Option<usize> = None;
            for i in 0..n {
                let own = self.tableau[i * width + entering];
                if !(own > SMALLEST_PIVOT) {
                    continue;
                }
                if self.basis[i] == artificial {
                    last = Some(i);
                }
                best = Some(match best {
                    None => i,
                    Some(other) => {
                        let with = self.tableau[other * width + entering];
                        let differ = |k: usize| row(&self.tableau, i, k) / own - row(&self.tableau, other, k) / with;
                        match (0..=n).map(differ).find(|x| *x != 0.0) {
                            Some(x) if x < 0.0 => i,
                            _ => other,
                        }
                    }
                });
            }
            let ratio = |i: usize| self.tableau[i * width + side] / self.tableau[i * width + entering];
            match (best, last) {
                // Where z_0 may leave as well, but for rounding, it does: that is the end.
                (Some(row), Some(last)) if ratio(last) <= ratio(row) + TIE => leaving = last,
                (Some(row), _) => leaving = row,
                (None, _) => {
                    // All but a rest of z_0 that is rounding: degenerate problems end so.
                    let rest = self.basis.iter().position(|&v| v == artificial);
                    if rest.is_some_and(|i| self.tableau[i * width + side] < TIE) {
                        self.take(z, n, artificial, side, width);
                        return LemkeEnd::Solved;
                    }
                    return LemkeEnd::Ray;
                }
            }
        }
        LemkeEnd::Stopped
    }

    /// Reads the answer.
    fn take(&self, z: &mut [f64], n: usize, artificial: usize, side: usize, width: usize) {
        for (i, &variable) in self.basis.iter().enumerate() {
            if variable >= n && variable < artificial {
                z[variable - n] = self.tableau[i * width + side].max(0.0);
            }
        }
    }

    fn pivot(&mut self, row: usize, column: usize, width: usize) {
        let start = row * width;
        let inverse = 1.0 / self.tableau[start + column];
        self.tableau[start..start + width].iter_mut().for_each(|x| *x *= inverse);
        let (before, rest) = self.tableau.split_at_mut(start);
        let (own, after) = rest.split_at_mut(width);
        for other in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
            let factor = other[column];
            if factor != 0.0 {
                other.iter_mut().zip(own.iter()).for_each(|(x, y)| *x -= factor * y);
                other[column] = 0.0;
            }
        }
    }
}

/// How [`PyramidLemke`] works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PyramidSettings {
    /// k, the sides of the pyramid: 3 to [`Cone::MAX_SIDES`], or 0 for contacts without friction.
    pub sides: usize,
    /// The residual at which an answer counts as solved: that of the pyramid.
    pub tolerance: f64,
    /// The most pivots.
    pub pivots: u32,
}

/// Contacts as a linear complementarity problem, with all its memory.
#[derive(Clone, Debug)]
pub struct PyramidLemke {
    settings: PyramidSettings,
    capacity: usize,
    lemke: LexicographicLemke,
    tangents: Vec<[f64; 2]>,
    matrix: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
    motion: Vec<f64>,
    answer: ConeAnswer,
    end: LemkeEnd,
}

impl PyramidLemke {
    /// A solver for problems on operators with as much room as this one.
    ///
    /// # Errors
    /// A number of sides out of its range.
    pub fn new<W: Delassus>(settings: PyramidSettings, like: &W) -> Result<Self, ConeError> {
        let PyramidSettings { sides, .. } = settings;
        if sides != 0 && !(3..=Cone::MAX_SIDES).contains(&sides) {
            return Err(ConeError::BadSetting { setting: "the number of sides", range: "0, or 3 to 64" });
        }
        let capacity = like.capacity();
        let n = capacity * if sides == 0 { 1 } else { sides + 2 };
        let angle = |r: usize| std::f64::consts::TAU * r as f64 / sides as f64;
        Ok(PyramidLemke {
            settings,
            capacity,
            lemke: LexicographicLemke::with_capacity(n),
            tangents: (0..sides).map(|r| [libm::cos(angle(r)), libm::sin(angle(r))]).collect(),
            matrix: Vec::with_capacity(n * n),
            q: Vec::with_capacity(n),
            z: Vec::with_capacity(n),
            motion: Vec::with_capacity(like.motion_capacity()),
            answer: ConeAnswer::with_capacity(capacity),
            end: LemkeEnd::Solved,
        })
    }

    /// The last answer: `iterations` counts pivots.
    pub fn answer(&self) -> &ConeAnswer {
        &self.answer
    }

    /// How the last problem ended.
    pub fn end(&self) -> LemkeEnd {
        self.end
    }

    /// Solves a problem; friction is that of the pyramid, or none. The residual is that of the pyramid's own problem. Allocates nothing.
    ///
    /// # Errors
    /// More contacts than the solver was made for.
    pub fn solve<W: Delassus>(&mut self, problem: &ConeProblem<W>) -> Result<&ConeAnswer, ConeError> {
        let m = problem.len();
        if m > self.capacity {
            return Err(ConeError::Capacity { contacts: m, capacity: self.capacity });
        }
        self.answer.begin(m);
        let Self { tangents, matrix, q, z, lemke, answer, motion, settings, .. } = self;
        let w = problem.operator();
        let per = if tangents.is_empty() { 1 } else { tangents.len() + 2 };
        let n = per * m;
        let mean = (0..m).map(|i| w.diagonal(i).trace()).sum::<f64>() / (3 * m).max(1) as f64;
        let compliance = if mean > 0.0 { mean } else { 1.0 };
        let largest = problem.contacts().iter().map(|c| c.free.amax()).fold(0.0, f64::max);
        let speed = if largest > 0.0 { largest } else { 1.0 };
        // What each variable of a contact is: a direction of force, or λ.
        let direction = |k: usize| match k {
            0 => Some(Vec3::x()),
            k if k + 1 < per => Some(Vec3::new(0.0, tangents[k - 1][0], tangents[k - 1][1])),
            _ => None,
        };
        matrix.clear();
        matrix.resize(n * n, 0.0);
        q.clear();
        for i in 0..m {
            let free = problem.contacts()[i].free;
            q.extend((0..per).map(|k| direction(k).map_or(0.0, |d| d.dot(&free) / speed)));
            for j in 0..m {
                let block = w.block(i, j) / compliance;
                for a in 0..per {
                    for b in 0..per {
                        matrix[(i * per + a) * n + j * per + b] = match (direction(a), direction(b)) {
                            (Some(a), Some(b)) => a.dot(&(block * b)),
                            (Some(_), None) if i == j && a > 0 => 1.0,
                            (None, Some(_)) if i == j && b == 0 => problem.contacts()[i].mu,
                            (None, Some(_)) if i == j => -1.0,
                            _ => 0.0,
                        };
                    }
                }
            }
        }
        z.clear();
        z.resize(n, 0.0);
        self.end = lemke.solve(|i, j| matrix[i * n + j], q, z, settings.pivots);
        let force = speed / compliance;
        for (i, answer) in answer.forces.iter_mut().enumerate() {
            let own = &z[i * per..(i + 1) * per];
            *answer = (0..per).filter_map(|k| direction(k).map(|d| d * (own[k] * force))).sum();
        }
        let sides = tangents.len();
        answer.residual = if self.end != LemkeEnd::Solved {
            f64::INFINITY
        } else if sides == 0 {
            frictionless_residual(problem, &answer.forces, motion)
        } else {
            verify::residual_of(problem, &answer.forces, Cone::Polygon { sides, fit: Fit::Inscribed }, motion)
        };
        (answer.iterations, answer.passes) = (lemke.pivots, lemke.pivots);
        answer.conclude(settings.tolerance);
        Ok(&self.answer)
    }
}

/// The residual of Signorini's condition alone: by how much velocity min(u_n, r_n W_nn) misses zero, as a share of ‖q‖.
fn frictionless_residual<W: Delassus>(problem: &ConeProblem<W>, forces: &[Vec3], motion: &mut Vec<f64>) -> f64 {
    let size = problem.contacts().iter().map(|c| c.free.norm_squared()).sum::<f64>().sqrt();
    let mut sum = 0.0;
    verify::velocities(problem, forces, motion, |i, u| {
        let scaled = forces[i].x * problem.operator().diagonal(i)[(0, 0)];
        let miss = u.x.min(scaled);
        sum += miss * miss;
    });
    if size > 0.0 { sum.sqrt() / size } else { sum.sqrt() }
}
