//! What is asked of a general solver: a contact problem, the friction limits L_i and the cone.

use nalgebra::Cholesky;
use stiction::contact::ContactProblem;
use stiction::friction::{Cone, Metric};
use stiction::spatial::Mat6;

/// A contact problem with the limits that hold in this tick. The caller decides static or kinetic.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// f, K, M̃ and the contacts.
    pub problem: &'a ContactProblem,
    /// L_i = µ_i F_n per contact, in the order of the problem (N). Ignored for separated contacts.
    pub limits: &'a [f64],
    /// The set of admissible friction forces.
    pub cone: Cone,
}

/// Why a question cannot be put to a general solver.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// A slice per contact has the wrong length.
    #[error("{what}: {found} entries for {contacts} contacts")]
    Count {
        /// "limits" or "slips".
        what: &'static str,
        /// Entries found.
        found: usize,
        /// Contacts of the problem.
        contacts: usize,
    },
    /// A limit is negative, or a number is not finite.
    #[error("contact {index}: the {what} {value} must be finite, and a limit at least zero")]
    BadNumber {
        /// Position in the order of the problem.
        index: usize,
        /// "limit" or "slip".
        what: &'static str,
        /// The value found.
        value: f64,
    },
    /// The linear program has no disk.
    #[error("the linear program needs a polygon, not a disk")]
    NeedsPolygon,
    /// A polygon with fewer than three sides, or more than `Cone::MAX_SIDES`.
    #[error("a polygon needs 3 to {} sides, not {sides}", Cone::MAX_SIDES)]
    BadSides {
        /// ℓ as found.
        sides: usize,
    },
    /// -sym(K) is not positive definite: the program is not convex and the general solver would mislead.
    #[error("-sym(K) is not positive definite: the stiffness metric and hold are not convex")]
    NotConvex,
}

/// µ_s F_n per contact, in the order of the problem: the limits while nothing slides.
pub fn static_limits(problem: &ContactProblem) -> Vec<f64> {
    problem.contacts().iter().map(|c| c.mu_static * c.normal_force).collect()
}

impl Question<'_> {
    pub(crate) fn check(&self) -> Result<(), ReferenceError> {
        let contacts = self.problem.len();
        if self.limits.len() != contacts {
            return Err(ReferenceError::Count { what: "limits", found: self.limits.len(), contacts });
        }
        for (index, &value) in self.limits.iter().enumerate() {
            if !(value.is_finite() && value >= 0.0) {
                return Err(ReferenceError::BadNumber { index, what: "limit", value });
            }
        }
        match self.cone {
            Cone::Polygon { sides, .. } if !(3..=Cone::MAX_SIDES).contains(&sides) => {
                Err(ReferenceError::BadSides { sides })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn check_slips(&self, slips: &[[f64; 2]]) -> Result<(), ReferenceError> {
        let contacts = self.problem.len();
        if slips.len() != contacts {
            return Err(ReferenceError::Count { what: "slips", found: slips.len(), contacts });
        }
        for (index, slip) in slips.iter().enumerate() {
            if let Some(&value) = slip.iter().find(|s| !s.is_finite()) {
                return Err(ReferenceError::BadNumber { index, what: "slip", value });
            }
        }
        Ok(())
    }

    /// M̃ of (28) for either metric.
    pub(crate) fn metric(&self, metric: Metric) -> Result<Mat6, ReferenceError> {
        match metric {
            Metric::Mass => Ok(self.problem.load().mass),
            Metric::Stiffness => self.energy(),
        }
    }

    /// A = -sym(K), which must be positive definite.
    pub(crate) fn energy(&self) -> Result<Mat6, ReferenceError> {
        let k = &self.problem.load().stiffness;
        let a = (k + k.transpose()) * -0.5;
        // Judged after scaling to a unit diagonal, so that units do not decide.
        let scale = a.diagonal().map(|d| d.abs().sqrt().recip());
        let unit = Mat6::from_fn(|i, j| a[(i, j)] * scale[i] * scale[j]);
        Cholesky::new(unit).map(|_| a).ok_or(ReferenceError::NotConvex)
    }
}
