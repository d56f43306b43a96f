//! The problem in units of its own, so that general solvers meet numbers near 1.
//!
//! Length `lever`: root mean square distance of the contacts that touch. Rows of torque are divided by it and
//! rotations multiplied by it; D = diag(1, 1, 1, lever, lever, lever). Force `force`: the wrench's size.
//! Stiffness `stiffness`: the largest entry of D⁻¹KD⁻¹. Step: force / stiffness. With hats for scaled quantities
//!
//! ```text
//! f = force D f̂      K = stiffness D K̂ D      D q = step q̂      M̃ = metric D M̂ D
//! G = D Ĝ            β_i = L_i β̂_i            D λ = (metric step / stiffness) λ̂
//! ```
//!
//! so that f + Kq + Gβ = 0 becomes f̂ + K̂q̂ + Σ (L_i/force) Ĝ_i β̂_i = 0 and every friction polygon or disk has unit
//! size, whatever its limit. This is a change of units only: no row is combined with another.

use crate::question::Question;
use stiction::spatial::{Mat6, Vec6};

/// Units and scaled data of a question.
#[derive(Clone, Debug)]
pub(crate) struct Scaled {
    pub d: Vec6,
    pub force: f64,
    pub stiffness: f64,
    /// f̂.
    pub wrench: Vec6,
    /// K̂.
    pub k: Mat6,
    /// Contacts that touch: position in the problem, columns Ĝ_i, and L_i / force.
    pub touching: Vec<Touching>,
    /// Number of contacts, separated ones included.
    pub contacts: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Touching {
    pub index: usize,
    pub columns: [Vec6; 2],
    pub limit: f64,
}

impl Scaled {
    /// `least_step` (m): a motion that must not be small in the new units, such as a remembered slip.
    pub fn new(question: &Question, least_step: f64) -> Self {
        let load = question.problem.load();
        let contacts = question.problem.contacts();
        let touching = || contacts.iter().enumerate().filter(|(_, c)| !c.is_separated());
        let squares: f64 = touching().map(|(_, c)| c.point.norm_squared()).sum();
        let lever = positive((squares / touching().count().max(1) as f64).sqrt());
        let d = Vec6::new(1.0, 1.0, 1.0, lever, lever, lever);
        let divided = load.wrench.component_div(&d);
        let k = divide_both(&load.stiffness, &d);
        let stiffness = positive(k.amax());
        let force = positive(divided.amax().max(stiffness * least_step));
        let touching = touching().map(|(index, c)| Touching {
            index,
            columns: [c.tangent, c.tangent_v()].map(|t| {
                let r = c.point.cross(&t) / lever;
                Vec6::new(t.x, t.y, t.z, r.x, r.y, r.z)
            }),
            limit: question.limits[index] / force,
        });
        Self {
            d,
            force,
            stiffness,
            wrench: divided / force,
            k: k / stiffness,
            touching: touching.collect(),
            contacts: contacts.len(),
        }
    }

    /// Unit of a step (m).
    pub fn step(&self) -> f64 {
        self.force / self.stiffness
    }

    /// M̂ with its unit, so that M̃ = unit D M̂ D.
    pub fn metric(&self, m: &Mat6) -> (Mat6, f64) {
        let divided = divide_both(m, &self.d);
        let unit = positive(divided.amax());
        (divided / unit, unit)
    }
}

fn divide_both(m: &Mat6, d: &Vec6) -> Mat6 {
    Mat6::from_fn(|i, j| m[(i, j)] / (d[i] * d[j]))
}

/// A unit must not vanish: 1 where the quantity is zero.
fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 1.0 }
}
