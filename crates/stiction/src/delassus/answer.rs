//! What a solver is allowed to do, and what it answers.

use super::problem::ConeError;
use crate::named;
use crate::spatial::Vec3;

named! {
    /// Whether an answer satisfies Signorini's condition and Coulomb's law to what was asked.
    pub enum ConeVerdict {
        /// The residual is at most what was asked.
        Solved = "solved",
        /// The residual is above what was asked, the budget being spent or the method making no progress. Where the problem has no solution, this is the only honest answer.
        NotConverged = "not-converged",
    }
}

/// How far and how long a solver works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveLimits {
    /// The residual at which an answer counts as solved: see [`verify::residual`](super::verify::residual).
    pub tolerance: f64,
    /// The most passes over the contacts.
    pub passes: u32,
}

impl Default for SolveLimits {
    fn default() -> Self {
        SolveLimits { tolerance: 1e-8, passes: 10_000 }
    }
}

impl SolveLimits {
    /// # Errors
    /// A tolerance that is not positive and finite, or no pass.
    pub(super) fn check(&self) -> Result<(), ConeError> {
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            return Err(ConeError::BadSetting { setting: "the tolerance", range: "above zero and finite" });
        }
        if self.passes == 0 {
            return Err(ConeError::BadSetting { setting: "the budget of passes", range: "at least 1" });
        }
        Ok(())
    }
}

/// The answer of a solver: the best iterate that it found.
#[derive(Clone, Debug)]
pub struct ConeAnswer {
    /// Whether the residual is what was asked for.
    pub verdict: ConeVerdict,
    /// The residual of `forces`, by [`verify`](super::verify); of polygons, by that of polygons.
    pub residual: f64,
    /// Sweeps of Gauss-Seidel; rounds of staggered projections.
    pub iterations: u32,
    /// Passes over all contacts, those of inner solvers included.
    pub passes: u32,
    /// r, in the order of the problem (N): normal, tangent, tangent.
    pub forces: Vec<Vec3>,
}

impl ConeAnswer {
    pub(super) fn with_capacity(contacts: usize) -> Self {
        let verdict = ConeVerdict::Solved;
        ConeAnswer { verdict, residual: 0.0, iterations: 0, passes: 0, forces: Vec::with_capacity(contacts) }
    }

    /// Starts with no force at all.
    pub(super) fn begin(&mut self, contacts: usize) {
        self.forces.clear();
        self.forces.resize(contacts, Vec3::zeros());
        (self.verdict, self.residual) = (ConeVerdict::NotConverged, f64::INFINITY);
        (self.iterations, self.passes) = (0, 0);
    }

    /// Takes over an iterate where it is better.
    pub(super) fn offer(&mut self, forces: &[Vec3], residual: f64) {
        if residual < self.residual {
            self.residual = residual;
            self.forces.copy_from_slice(forces);
        }
    }

    /// Says whether the residual is what was asked for.
    pub(super) fn conclude(&mut self, tolerance: f64) {
        self.verdict = match self.residual <= tolerance {
            true => ConeVerdict::Solved,
            false => ConeVerdict::NotConverged,
        };
    }
}
