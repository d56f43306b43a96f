//! Holding with remembered slip s_i: min_q ½ qᵀAq - fᵀq + Σ_i max_{β ∈ P_i} -βᵀ(G_iᵀq + s_i), A = -sym(K).
//!
//! Not in the friction paper (Zhao, Li, Barbič); its disk and polygon (12)-(18) are. The maximum is L_i ‖G_iᵀq + s_i‖
//! for a disk; for a polygon with an odd number of sides the minus sign matters. One epigraph variable t_i per contact
//! that has a limit, with cost L_i. By stationarity A q = f + G β, where β are the multipliers of the rows.

use super::{Kind, Program, Rows};
use crate::polygon::Directions;
use crate::question::{Question, ReferenceError};
use stiction::spatial::Mat6;

impl Program {
    /// The stiffness metric with remembered slips s_i (m), per contact in the order of the problem.
    pub fn hold(question: &Question, slips: &[[f64; 2]]) -> Result<Self, ReferenceError> {
        question.check()?;
        question.check_slips(slips)?;
        let a = question.energy()?;
        let longest = slips.iter().flatten().fold(0.0, |m: f64, s| m.max(s.abs()));
        let mut p = Self::empty(question, Kind::Hold, longest);
        let unit = p.scaled.stiffness;
        let d = p.scaled.d;
        p.quadratic = Mat6::from_fn(|i, j| a[(i, j)] / (d[i] * d[j] * unit));
        p.objective_unit = p.scaled.force * p.scaled.step();
        p.linear.extend(p.scaled.wrench.iter().map(|f| -f));
        p.unknowns = 6;
        let directions = Directions::vertices(question.cone);
        for t in p.unknown() {
            let s = slips[t.index].map(|s| s / p.scaled.step());
            let epigraph = p.unknowns;
            p.unknowns += 1;
            p.linear.push(t.unit);
            match &directions {
                // (t, Gᵀq + s) in the second-order cone.
                None => {
                    let row = p.row(0.0);
                    p.entry(row, epigraph, -1.0);
                    for axis in 0..2 {
                        let row = p.row(s[axis]);
                        (0..6).for_each(|j| p.entry(row, j, -t.columns[axis][j]));
                    }
                    p.cones.push(Rows::SecondOrder(3));
                }
                // t ≥ -v_jᵀ(Gᵀq + s) for every vertex v_j.
                Some(vertices) => {
                    for v in &vertices.0 {
                        let row = p.row(v[0] * s[0] + v[1] * s[1]);
                        let g = t.columns[0] * v[0] + t.columns[1] * v[1];
                        (0..6).for_each(|j| p.entry(row, j, -g[j]));
                        p.entry(row, epigraph, -1.0);
                    }
                    p.cones.push(Rows::NonNegative(vertices.0.len()));
                }
            }
        }
        Ok(p.finished())
    }
}
