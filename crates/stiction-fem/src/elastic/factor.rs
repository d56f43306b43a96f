//! Cholesky factors of a K + b M over the degrees of freedom that are not fixed, by faer.
//!
//! faer takes the widest vector instructions that the processor has, fused ones too, so that the last digits of a factor depend on the processor. What is made of factors offline is stored;
//! a step that solves with a factor ([`DynamicBody`](super::DynamicBody)) has equal bits only on equal processors.

use super::{ElasticError, ElasticModel};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{CholeskySymbolicParams, LltRef, SymbolicCholesky, factorize_symbolic_cholesky};
use faer::sparse::{SparseColMat, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side};
use std::sync::Arc;
use stiction::spatial::Vec3;

/// A factor of a K + b M.
#[derive(Clone, Debug)]
pub struct StiffnessFactor {
    symbolic: Arc<SymbolicCholesky<usize>>,
    values: Arc<Vec<f64>>,
    /// The unknown that each degree of freedom is, or none where it is fixed.
    unknown: Vec<Option<u32>>,
    unknowns: usize,
}

/// Memory that a solution needs, made once.
pub struct SolveMemory {
    stack: MemBuffer,
    columns: usize,
    values: Vec<f64>,
}

impl std::fmt::Debug for SolveMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SolveMemory").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl StiffnessFactor {
    /// Factorises a K + b M, where `fixed` says which degrees of freedom (three for each node) stay zero.
    ///
    /// # Errors
    /// [`ElasticError::NotDefinite`] where the matrix is not positive definite.
    pub fn new(
        model: &ElasticModel,
        stiffness: f64,
        mass: f64,
        fixed: impl Fn(usize) -> bool,
    ) -> Result<StiffnessFactor, ElasticError> {
        let freedoms = 3 * model.pattern.nodes();
        let mut unknown = vec![None; freedoms];
        let mut unknowns = 0;
        for (freedom, unknown) in unknown.iter_mut().enumerate() {
            if !fixed(freedom) {
                *unknown = Some(unknowns as u32);
                unknowns += 1;
            }
        }
        // Lower triangle, column by column; the pattern is symmetric.
        let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for node in 0..model.pattern.nodes() {
            for a in 0..3 {
                let Some(column) = unknown[3 * node + a] else { continue };
                for (at, other) in model.pattern.row(node) {
                    for b in 0..3 {
                        if let Some(row) = unknown[3 * other as usize + b].filter(|&row| row >= column) {
                            rows.push(row as usize);
                            let diagonal = if a == b { mass * model.mass[at] } else { 0.0 };
                            values.push(stiffness * model.stiffness[at][(a, b)] + diagonal);
                        }
                    }
                }
                starts.push(rows.len());
            }
        }
        let failed = |told: String| ElasticError::NotDefinite(told);
        let pattern = SymbolicSparseColMat::new_checked(unknowns, unknowns, starts, None, rows);
        let matrix = SparseColMat::new(pattern, values);
        let symbolic = factorize_symbolic_cholesky(
            matrix.symbolic(),
            Side::Lower,
            Default::default(),
            CholeskySymbolicParams::default(),
        )
        .map_err(|e| failed(format!("{e:?}")))?;
        let mut values = vec![0.0; symbolic.len_val()];
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut stack = MemBuffer::try_new(scratch).map_err(|_| failed("there is not enough memory".into()))?;
        symbolic
            .factorize_numeric_llt::<f64>(
                &mut values,
                matrix.as_ref(),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut stack),
                Default::default(),
            )
            .map_err(|e| failed(format!("{e:?}")))?;
        if !values.iter().all(|x| x.is_finite()) {
            return Err(failed("its factor is not finite".into()));
        }
        Ok(StiffnessFactor { symbolic: Arc::new(symbolic), values: Arc::new(values), unknown, unknowns })
    }

    /// Numbers in the factor: 8 bytes each.
    pub fn numbers(&self) -> usize {
        self.values.len()
    }

    /// Memory for solutions with up to so many right sides at a time.
    pub fn memory(&self, columns: usize) -> SolveMemory {
        let scratch = self.symbolic.solve_in_place_scratch::<f64>(columns, Par::Seq);
        SolveMemory { stack: MemBuffer::new(scratch), columns, values: vec![0.0; self.unknowns * columns] }
    }

    /// Solves for several right sides at once, given as forces at all nodes one after another; fixed degrees of freedom come out as zero. Columns beyond the memory's are left alone. Does not
    /// allocate.
    pub fn solve(&self, sides: &mut [Vec3], memory: &mut SolveMemory) {
        let nodes = self.unknown.len() / 3;
        let columns = (sides.len() / nodes.max(1)).min(memory.columns);
        let n = self.unknowns;
        for column in 0..columns {
            for (freedom, unknown) in self.unknown.iter().enumerate() {
                if let Some(unknown) = unknown {
                    memory.values[column * n + *unknown as usize] = sides[column * nodes + freedom / 3][freedom % 3];
                }
            }
        }
        let right = MatMut::from_column_major_slice_mut(&mut memory.values[..n * columns], n, columns);
        LltRef::<'_, usize, f64>::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            right,
            Par::Seq,
            MemStack::new(&mut memory.stack),
        );
        for column in 0..columns {
            for (freedom, unknown) in self.unknown.iter().enumerate() {
                sides[column * nodes + freedom / 3][freedom % 3] =
                    unknown.map_or(0.0, |unknown| memory.values[column * n + unknown as usize]);
            }
        }
    }
}
