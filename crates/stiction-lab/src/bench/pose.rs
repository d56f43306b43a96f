//! Problems for the benchmark, made of the families' samples.
//!
//! A sample says: friction is w = Σ G_i β_i at its limit, λ is in null(Gᵀ), t is the load's part of the limit. Its
//! own load suits the mass metric. For a metric M̃ the load
//!
//! ```text
//! f = -t w - K q,   q = -M̃⁻¹ Kᵀ λ
//! ```
//!
//! holds exactly when t ≤ 1, whatever λ is: q is the step that friction does not have to stop. `hold` is the
//! stiffness metric with K = -A, A = -sym(K); there q = λ. So each method gets a load of the kind asked for.
//!
//! Static and kinetic friction are made equal, so that what is true of t stays true in a scene that slides.

use stiction::contact::{Contact, Load};
use stiction::friction::{Method, Metric};
use stiction::spatial::{Vec6, join};
use stiction_reference::families::SampleProblem;

/// How far normals are off on noisy surfaces (rad).
const NOISE: f64 = 1e-3;

/// Problem that a solver is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The linear program's verdict.
    Lp,
    /// The quadratic program.
    Qp,
    /// Holding.
    Hold,
}

impl ProblemKind {
    pub const ALL: [Self; 3] = [Self::Lp, Self::Qp, Self::Hold];

    /// The engine's method.
    pub fn method(self, metric: Metric) -> Method {
        match self {
            Self::Lp => Method::Lp,
            Self::Qp => Method::Qp(metric),
            Self::Hold => Method::Hold,
        }
    }
}

/// A sample's load in its parts, f = -t w - K q, for one method.
#[derive(Clone, Copy, Debug)]
pub struct LoadParts {
    /// w: friction's wrench at its limit.
    friction: Vec6,
    /// K q: what the part settles under, beside friction.
    settling: Vec6,
    /// t.
    fraction: f64,
    rest: Load,
}

impl LoadParts {
    /// Takes a sample's load apart for a method.
    pub fn of(sample: &SampleProblem, method: Method) -> Self {
        let friction = sample.contacts.iter().zip(&sample.truth.extreme).fold(Vec6::zeros(), |sum, (c, b)| {
            let force = c.tangent * b[0] + c.tangent_v() * b[1];
            sum + join(force, c.point.cross(&force))
        });
        let stiffness = sample.load.stiffness;
        let energy = (stiffness + stiffness.transpose()) * -0.5;
        let (lambda, own) = (sample.truth.lambda, stiffness * sample.truth.held_step);
        let settling = match method {
            Method::Lp
            | Method::Qp(Metric::Mass)
            | Method::Yamane
            | Method::Frictionless
            | Method::Staggered
            | Method::GaussSeidel(_) => own,
            Method::Qp(Metric::Stiffness) => {
                -stiffness * energy.lu().solve(&(stiffness.transpose() * lambda)).unwrap_or_default()
            }
            Method::Hold => -energy * lambda,
        };
        // As large as the sample's own, whatever the metric; torques by half the cube's edge.
        let size = |w: Vec6| Vec6::from_fn(|i, _| if i < 3 { w[i] } else { w[i] / 0.05 }).norm();
        let scale = if size(settling) > 0.0 { size(own) / size(settling) } else { 0.0 };
        Self { friction, settling: settling * scale, fraction: sample.truth.fraction, rest: sample.load }
    }

    /// The load as it is.
    pub fn load(&self) -> Load {
        self.tick(1.0, &self.settling)
    }

    /// A load with friction's share scaled, and what the part has yet to settle under.
    pub fn tick(&self, scale: f64, settling: &Vec6) -> Load {
        Load { wrench: self.friction * (-scale * self.fraction) - settling, ..self.rest }
    }

    /// A load that friction cannot hold by 2 %, so that contacts slip a little.
    pub fn overload(&self) -> Load {
        self.tick(1.02f64.max(self.fraction) / self.fraction, &self.settling)
    }

    /// K q.
    pub fn settling(&self) -> Vec6 {
        self.settling
    }
}

/// Contacts for which static and kinetic friction are the same.
pub fn plain(c: &Contact) -> Contact {
    Contact { mu_kinetic: c.mu_static, ..*c }
}

/// Contact `c` of a surface whose normals are noisy; `turn` turns the error slowly from tick to tick.
pub fn noisy(c: &Contact, turn: f64) -> Contact {
    let hash = (c.id.0 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let part = |bits: u64| (bits & 0xffff) as f64 / 65536.0;
    let (size, angle) = (NOISE * part(hash >> 16), turn + std::f64::consts::TAU * part(hash >> 40));
    let normal = (c.normal + (c.tangent * angle.cos() + c.tangent_v() * angle.sin()) * size).normalize();
    let tangent = (c.tangent - normal * normal.dot(&c.tangent)).normalize();
    Contact { normal, tangent, ..plain(c) }
}
