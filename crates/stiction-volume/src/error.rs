//! Errors from building an engine.

/// Why an engine was not built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VolumeError {
    /// There is nothing to simulate.
    #[error("there are no bodies: give at least one")]
    NoBodies,
    /// A number that must be positive and finite is not.
    #[error("{what} is {value}: it must be a positive number")]
    NotPositive {
        /// What it is, with its body or setting.
        what: String,
        /// The number.
        value: f64,
    },
    /// A number is infinite or not a number.
    #[error("{what} is not finite: check the file or the computation that it comes from")]
    NotFinite {
        /// What it is.
        what: String,
    },
    /// A body has no convex parts.
    #[error("body {0} has no convex parts: bake it with convex parts, or give it a solid")]
    NoPieces(usize),
    /// A coefficient of friction is negative or not finite, or the kinetic one is larger than the static one.
    #[error(
        "friction {mu_static} static, {mu_kinetic} kinetic: both must be 0 or more, and the kinetic one not larger than the static one"
    )]
    Friction {
        /// µ0.
        mu_static: f64,
        /// µ.
        mu_kinetic: f64,
    },
    /// A hand or joint names a body that is not there, or is not free.
    #[error("{what} names body {body}: {why}")]
    BadBody {
        /// Which hand or joint.
        what: String,
        /// The number of the body.
        body: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Coefficients that the integrator cannot take at this period.
    #[error(
        "{what} {value} {unit} is beyond what a period of {period} s can take for bodies {bodies:?}: at most {most:.4e} {unit}, or a period of at most {shorter:.3e} s"
    )]
    Unstable {
        /// Which coefficient.
        what: &'static str,
        /// Its value.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// The period (s).
        period: f64,
        /// The two bodies whose contact is stiffest for their masses.
        bodies: [usize; 2],
        /// The largest value that works.
        most: f64,
        /// The longest period that works with the value (s).
        shorter: f64,
    },
    /// Bodies that begin deep in each other.
    #[error(
        "bodies {0} and {1} begin {2:.3e} m in each other, which is over a tenth of the smaller one: move one of them by that much"
    )]
    BeginTogether(usize, usize, f64),
}
