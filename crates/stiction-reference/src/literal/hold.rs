//! Holding with remembered slip s_i: min_q ½ qᵀAq - fᵀq + Σ_i max_{β ∈ P_i} -βᵀ(G_iᵀq + s_i), A = -sym(K).
//!
//! Not in the friction paper (Zhao, Li, Barbič); its disk and polygon (12)-(18) are. Handed over in the form of its
//! dual, which has the unknowns and rows of the quadratic program (28)-(31):
//!
//! ```text
//! min ½ qᵀAq + Σ_i s_iᵀβ_i   subject to   f - Aq + Gβ = 0,  β_i ∈ P_i
//! ```
//!
//! Of the three forms tried at 98 contacts this is the one Clarabel solves fastest. In 2026-11, p50 with slip: 2.7 ms
//! for octagons, against 4.0 ms for the primal with an epigraph variable per contact and 3.9 ms for that with slips as
//! unknowns; for disks 1.5 ms against 2.0 ms and 2.1 ms.

use super::{Kind, Program, Rows};
use crate::question::{Question, ReferenceError};
use stiction::spatial::Mat6;

impl Program {
    /// The stiffness metric with remembered slips s_i (m), per contact in the order of the problem.
    pub fn hold(question: &Question, slips: &[[f64; 2]]) -> Result<Self, ReferenceError> {
        question.check()?;
        question.check_slips(slips)?;
        let a = question.energy()?;
        let longest = slips.iter().flatten().fold(0.0, |m: f64, s| m.max(s.abs()));
        let mut p = Self::empty(question, Kind::Qp, longest);
        let (d, unit) = (p.scaled.d, p.scaled.stiffness);
        p.quadratic = Mat6::from_fn(|i, j| a[(i, j)] / (d[i] * d[j] * unit));
        p.scaled.k = -p.quadratic;
        p.objective_unit = p.scaled.force * p.scaled.step();
        p.unknowns = 6;
        p.linear.resize(6, 0.0);
        for t in p.unknown() {
            p.linear.extend(slips[t.index].map(|s| s / p.scaled.step() * t.unit));
        }
        p.balance();
        p.cones.push(Rows::Zero(p.rhs.len()));
        p.friction_limits();
        Ok(p.finished())
    }
}
