//! The programs of the friction paper, row by row, for any solver.
//!
//! *6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming* (Zhao, Li, Barbič):
//!
//! ```text
//! LP   (32)-(34)  M̃ q + Kᵀ λ = 0,  Gᵀ λ = 0          stationarity of (28)-(30), λ the multiplier of (29), (30)
//!      (35)-(36)  f + K q + G β = 0                   balance, forces and torques
//!      (37)       β_i · (cos θ_j, sin θ_j) ≤ L_i      θ_j = (2j + 1)π/ℓ; inscribed: ≤ L_i cos(π/ℓ)
//! QP   (28)-(31)  min ½ qᵀ M̃ q subject to balance and β_i ∈ P_i
//! hold            min ½ qᵀAq + Σ_i s_iᵀβ_i subject to f - Aq + Gβ = 0 and β_i ∈ P_i,   A = -sym(K)
//! ```
//!
//! `hold` is not the paper's; it is the stiffness metric with remembered slip s_i, see `hold.rs`.
//!
//! Deviations: units (`scaled.rs`), among them β_i = L_i β̂_i. A contact with L_i = 0 keeps its rows β_i ≤ 0 in
//! the LP (Clarabel cannot tell that equations alone have no solution) and is left out of QP and hold, β_i = 0. Separated contacts are no part of G.
//!
//! Form: min ½ xᵀPx + cᵀx with b - Ax in a product of cones, the rows in the order of `cones`.

mod hold;
mod readback;

use crate::polygon::Directions;
use crate::question::{Question, ReferenceError};
use crate::scaled::Scaled;
use stiction::friction::{Cone, Metric};
use stiction::spatial::{Mat6, Vec6};

/// What a group of rows of b - Ax must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Zero: that many equations.
    Zero(usize),
    /// At least zero: that many inequalities.
    NonNegative(usize),
    /// (t, v) with t ≥ ‖v‖: one cone of that dimension.
    SecondOrder(usize),
}

/// A literal program, ready to be translated for a solver.
#[derive(Clone, Debug)]
pub struct Program {
    /// Number of unknowns: q first, then λ (LP), then β̂.
    pub unknowns: usize,
    /// P on q; it is zero elsewhere.
    pub quadratic: Mat6,
    /// c.
    pub linear: Vec<f64>,
    /// Entries (row, column, value) of A, by rows.
    pub entries: Vec<(usize, usize, f64)>,
    /// b.
    pub rhs: Vec<f64>,
    /// The cones of the rows, in order.
    pub cones: Vec<Rows>,
    kind: Kind,
    scaled: Scaled,
    cone: Cone,
    /// SI value of one unit of the objective.
    objective_unit: f64,
    /// λ = lambda_unit D⁻¹ λ̂.
    lambda_unit: f64,
}

/// A contact of G with its unknown β̂_i = β_i / (unit force), in a polygon or disk of that radius.
struct Unknown {
    index: usize,
    columns: [Vec6; 2],
    unit: f64,
    radius: f64,
}

/// `hold` has the unknowns of the QP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Lp,
    Qp,
}

impl Program {
    /// The feasibility problem (32)-(37), in the paper's metric diag(M, I). Polygons only.
    pub fn lp(question: &Question) -> Result<Self, ReferenceError> {
        question.check()?;
        if question.cone == Cone::Disk {
            return Err(ReferenceError::NeedsPolygon);
        }
        let mut p = Self::empty(question, Kind::Lp, 0.0);
        let (m, unit) = p.scaled.metric(&question.problem.load().mass);
        p.lambda_unit = unit * p.scaled.step() / p.scaled.stiffness;
        p.unknowns = 12;
        let k = p.scaled.k;
        for i in 0..6 {
            let row = p.row(0.0);
            for j in 0..6 {
                p.entry(row, j, m[(i, j)]);
                p.entry(row, 6 + j, k[(j, i)]);
            }
        }
        for c in 0..p.scaled.touching.len() {
            for column in p.scaled.touching[c].columns {
                let row = p.row(0.0);
                (0..6).for_each(|j| p.entry(row, 6 + j, column[j]));
            }
        }
        p.balance();
        p.cones.push(Rows::Zero(p.rhs.len()));
        p.friction_limits();
        Ok(p.finished())
    }

    /// The quadratic program (28)-(31) in either metric; with a disk, the second-order cone program.
    pub fn qp(question: &Question, metric: Metric) -> Result<Self, ReferenceError> {
        question.check()?;
        let m = question.metric(metric)?;
        let mut p = Self::empty(question, Kind::Qp, 0.0);
        let (quadratic, unit) = p.scaled.metric(&m);
        p.quadratic = quadratic;
        p.objective_unit = unit * p.scaled.step().powi(2);
        p.unknowns = 6;
        p.balance();
        p.cones.push(Rows::Zero(p.rhs.len()));
        p.friction_limits();
        Ok(p.finished())
    }

    fn empty(question: &Question, kind: Kind, least_step: f64) -> Self {
        Self {
            unknowns: 0,
            quadratic: Mat6::zeros(),
            linear: Vec::new(),
            entries: Vec::new(),
            rhs: Vec::new(),
            cones: Vec::new(),
            kind,
            scaled: Scaled::new(question, least_step),
            cone: question.cone,
            objective_unit: 0.0,
            lambda_unit: 0.0,
        }
    }

    fn finished(mut self) -> Self {
        self.linear.resize(self.unknowns, 0.0);
        self
    }

    /// Contacts with unknowns. Without a limit there are none but in the LP.
    fn unknown(&self) -> Vec<Unknown> {
        let kept = self.scaled.touching.iter().filter(|t| t.limit > 0.0 || self.kind == Kind::Lp);
        kept.map(|t| {
            let (unit, radius) = if t.limit > 0.0 { (t.limit, 1.0) } else { (1.0, 0.0) };
            Unknown { index: t.index, columns: t.columns, unit, radius }
        })
        .collect()
    }

    fn row(&mut self, rhs: f64) -> usize {
        self.rhs.push(rhs);
        self.rhs.len() - 1
    }

    fn entry(&mut self, row: usize, column: usize, value: f64) {
        if value != 0.0 {
            self.entries.push((row, column, value));
        }
    }

    /// (35), (36), or (29), (30): K q + G β = -f. Adds the unknowns β̂.
    fn balance(&mut self) {
        let (first, touching, k) = (self.unknowns, self.unknown(), self.scaled.k);
        for i in 0..6 {
            let row = self.row(-self.scaled.wrench[i]);
            (0..6).for_each(|j| self.entry(row, j, k[(i, j)]));
            for (c, t) in touching.iter().enumerate() {
                for axis in 0..2 {
                    self.entry(row, first + 2 * c + axis, t.columns[axis][i] * t.unit);
                }
            }
        }
        self.unknowns += 2 * touching.len();
    }

    /// (37), or (31): every β̂_i in the unit polygon or disk.
    fn friction_limits(&mut self) {
        let first = if self.kind == Kind::Lp { 12 } else { 6 };
        let facets = Directions::facets(self.cone);
        for (u, contact) in (first..self.unknowns).step_by(2).zip(self.unknown()) {
            match &facets {
                None => {
                    self.row(contact.radius);
                    for axis in 0..2 {
                        let row = self.row(0.0);
                        self.entry(row, u + axis, -1.0);
                    }
                    self.cones.push(Rows::SecondOrder(3));
                }
                Some(Directions(normals, reach)) => {
                    for n in normals {
                        let row = self.row(reach * contact.radius);
                        self.entry(row, u, n[0]);
                        self.entry(row, u + 1, n[1]);
                    }
                    self.cones.push(Rows::NonNegative(normals.len()));
                }
            }
        }
    }
}
