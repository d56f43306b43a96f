//! The literal programs in Clarabel, an interior-point solver for linear, quadratic and second-order cone programs.
//!
//! [`Clarabel::new`] builds the sparse arrays (O(nnz)); [`Clarabel::solve`] is Clarabel's own work from there:
//! checks, equilibration, symbolic and numeric factorisation, iterations. A benchmark times `solve`.
//!
//! Settings: defaults but for tolerances of 1e-9 on gap and feasibility (the units make all quantities near 1), no
//! output, one thread, and no presolve (it only looks for infinite bounds; there are none). A certificate of
//! infeasibility z needs ‖Aᵀz‖ ≤ 1e-7 |bᵀz|, which excludes every solution with ‖x‖₁ < 1e7: they are all near 1.
//! Clarabel looks for certificates only once κ/τ exceeds 1000 / `tol_ktratio`, 1e9 by default: close to the limit it
//! had a perfect certificate in iteration 8 (κ/τ = 70) but never got there, and ended undecided after 167 iterations.
//! It is 1e5 here. The gap of a feasibility problem means nothing and has 1e-4: the rows still hold to 1e-9. Nor does the length of z mean anything: `tol_infeas_abs` is 1e-12.

use crate::answer::{Answer, Status};
use crate::literal::{Program, Rows};
use crate::question::{Question, ReferenceError};
use ::clarabel::algebra::CscMatrix;
use ::clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use stiction::friction::Metric;

/// Gap and feasibility tolerance.
const TOLERANCE: f64 = 1e-9;
/// Gap tolerance where nothing is minimised.
const FEASIBILITY_GAP: f64 = 1e-4;
/// ‖Aᵀz‖ / |bᵀz| of a certificate of infeasibility.
const INFEASIBILITY: f64 = 1e-7;

/// A literal program in Clarabel's arrays.
#[derive(Clone, Debug)]
pub struct Clarabel {
    program: Program,
    quadratic: CscMatrix<f64>,
    constraints: CscMatrix<f64>,
    cones: Vec<SupportedConeT<f64>>,
    settings: DefaultSettings<f64>,
}

impl Clarabel {
    /// Builds the sparse arrays.
    pub fn new(program: Program) -> Self {
        let n = program.unknowns;
        let upper = (0..6).flat_map(|j| (0..=j).map(move |i| (i, j)));
        let quadratic: Vec<_> = upper
            .map(|(i, j)| (i, j, 0.5 * (program.quadratic[(i, j)] + program.quadratic[(j, i)])))
            .filter(|e| e.2 != 0.0)
            .collect();
        let cones = program.cones.iter().filter_map(|rows| match *rows {
            Rows::Zero(0) | Rows::NonNegative(0) => None,
            Rows::Zero(n) => Some(SupportedConeT::ZeroConeT(n)),
            Rows::NonNegative(n) => Some(SupportedConeT::NonnegativeConeT(n)),
            Rows::SecondOrder(n) => Some(SupportedConeT::SecondOrderConeT(n)),
        });
        let gap = if program.is_feasibility() { FEASIBILITY_GAP } else { TOLERANCE };
        Self {
            quadratic: columns(n, n, &quadratic),
            constraints: columns(program.rhs.len(), n, &program.entries),
            cones: cones.collect(),
            settings: DefaultSettings {
                verbose: false,
                max_threads: 1,
                presolve_enable: false,
                tol_gap_abs: gap,
                tol_gap_rel: gap,
                tol_feas: TOLERANCE,
                tol_infeas_abs: 1e-12,
                tol_ktratio: 1e-2,
                tol_infeas_rel: INFEASIBILITY,
                ..DefaultSettings::default()
            },
            program,
        }
    }

    /// Solves from nothing: equilibration, factorisation, iterations.
    pub fn solve(&self) -> Answer {
        let p = &self.program;
        let (q, b) = (&p.linear, &p.rhs);
        let made = DefaultSolver::new(&self.quadratic, q, &self.constraints, b, &self.cones, self.settings.clone());
        let Ok(mut solver) = made else { return p.unanswered(Status::Failed, 0) };
        solver.solve();
        let s = &solver.solution;
        match s.status {
            SolverStatus::Solved => p.answer(Status::Solved, &s.x, s.obj_val, s.iterations),
            SolverStatus::AlmostSolved => p.answer(Status::AlmostSolved, &s.x, s.obj_val, s.iterations),
            SolverStatus::PrimalInfeasible => p.unanswered(Status::Infeasible, s.iterations),
            _ => p.unanswered(Status::Failed, s.iterations),
        }
    }
}

/// The feasibility problem (32)-(37). Polygons only.
pub fn clarabel_lp(question: &Question) -> Result<Answer, ReferenceError> {
    Ok(Clarabel::new(Program::lp(question)?).solve())
}

/// The quadratic program (28)-(31) in either metric; with a disk, the second-order cone program.
pub fn clarabel_qp(question: &Question, metric: Metric) -> Result<Answer, ReferenceError> {
    Ok(Clarabel::new(Program::qp(question, metric)?).solve())
}

/// The stiffness metric with remembered slips (m), per contact in the order of the problem.
pub fn clarabel_hold(question: &Question, slips: &[[f64; 2]]) -> Result<Answer, ReferenceError> {
    Ok(Clarabel::new(Program::hold(question, slips)?).solve())
}

/// Compressed columns by counting; entries given by rows come out sorted within each column.
pub(crate) fn columns(rows: usize, columns: usize, entries: &[(usize, usize, f64)]) -> CscMatrix<f64> {
    let mut start = vec![0; columns + 1];
    entries.iter().for_each(|e| start[e.1 + 1] += 1);
    (0..columns).for_each(|j| start[j + 1] += start[j]);
    let mut next = start.clone();
    let (mut row_of, mut value_of) = (vec![0; entries.len()], vec![0.0; entries.len()]);
    for &(row, column, value) in entries {
        row_of[next[column]] = row;
        value_of[next[column]] = value;
        next[column] += 1;
    }
    CscMatrix::new(rows, columns, start, row_of, value_of)
}
