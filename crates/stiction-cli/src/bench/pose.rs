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
use stiction::spatial::{Mat6, Vec6, join};
use stiction_reference::families::Sample;

/// How far normals are off on noisy surfaces (rad).
const NOISE: f64 = 1e-3;

/// What is asked of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The linear program's verdict.
    Lp,
    /// The quadratic program.
    Qp,
    /// Holding.
    Hold,
}

impl Ask {
    pub const ALL: [Self; 3] = [Self::Lp, Self::Qp, Self::Hold];

    /// The engine's method.
    pub fn method(self, metric: Metric) -> Method {
        match self {
            Self::Lp => Method::Lp,
            Self::Qp => Method::Qp(metric),
            Self::Hold => Method::Hold,
        }
    }

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lp => "stiction-lp",
            Self::Qp => "stiction-qp",
            Self::Hold => "stiction-hold",
        }
    }
}

/// The parts of a sample's load: friction's share w at its limit, and the step q that friction leaves alone.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    friction: Vec6,
    step: Vec6,
    stiffness: Mat6,
    mass: Mat6,
    /// t.
    pub fraction: f64,
}

impl Parts {
    /// Takes a sample's load apart for a method.
    pub fn of(sample: &Sample, method: Method) -> Self {
        let friction = sample.contacts.iter().zip(&sample.truth.extreme).fold(Vec6::zeros(), |sum, (c, b)| {
            let force = c.tangent * b[0] + c.tangent_v() * b[1];
            sum + join(force, c.point.cross(&force))
        });
        let Load { stiffness, mass, .. } = sample.load;
        let energy = (stiffness + stiffness.transpose()) * -0.5;
        let lambda = sample.truth.lambda;
        let (stiffness_used, step) = match method {
            Method::Lp | Method::Qp(Metric::Mass) => (stiffness, sample.truth.held_step),
            Method::Qp(Metric::Stiffness) => {
                (stiffness, -energy.lu().solve(&(stiffness.transpose() * lambda)).unwrap_or_default())
            }
            Method::Hold => (-energy, lambda),
        };
        // As much load beside friction as the sample has, whatever the metric.
        let size = |w: Vec6| w.component_mul(&Vec6::from_fn(|i, _| if i < 3 { 1.0 } else { 20.0 })).norm();
        let (wanted, found) = (size(stiffness * sample.truth.held_step), size(stiffness_used * step));
        let step = if found > 0.0 { step * (wanted / found) } else { step };
        Self { friction, step: step.map(|x| -(stiffness_used * Vec6::zeros())[0] + x), stiffness, mass, fraction: sample.truth.fraction }
            .with_pull(stiffness_used)
    }

    fn with_pull(self, _used: Mat6) -> Self {
        self
    }
}

/// Contact `c` of a surface whose normals are noisy; `turn` turns the error slowly from tick to tick.
pub fn noisy(c: &Contact, turn: f64) -> Contact {
    let hash = (c.id.0 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let part = |bits: u64| (bits & 0xffff) as f64 / 65536.0;
    let (size, angle) = (NOISE * part(hash >> 16), turn + std::f64::consts::TAU * part(hash >> 40));
    let normal = (c.normal + (c.tangent * angle.cos() + c.tangent_v() * angle.sin()) * size).normalize();
    let tangent = (c.tangent - normal * normal.dot(&c.tangent)).normalize();
    Contact { normal, tangent, ..*c }
}
