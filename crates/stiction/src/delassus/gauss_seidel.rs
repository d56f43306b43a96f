//! Gauss-Seidel: contact after contact, each made to obey Signorini's condition and Coulomb's law while all others stand still.
//!
//! C. Duriez, F. Dubois, A. Kheddar, C. Andriot, *Realistic haptic rendering of interacting deformable objects in virtual environments* (IEEE TVCG 12, 2006), section 5, equation (25); before it J. Moreau and
//! M. Jean in granular mechanics. What is done at a contact is a [`LocalRule`].
//!
//! ```text
//! u_i = Σ_j W_ij f_j + q_i,  all j with their newest forces;   f_i ← rule(u_i, f_i);   until the residual is what was asked or the budget is spent
//! ```
//!
//! Deviations: sweeps end by the residual of the natural map, which [`verify`] finds, and not by how little the last sweep moved, which says nothing where convergence is slow (it is where a rigid part couples all contacts: then
//! W_ii does not dominate). The best iterate is returned, which is not always the last. A start from the last answer goes by the identity of contacts, not by their places. The paper's "guaranteed convergence" is no theorem in three dimensions.

use super::answer::{ConeAnswer, SolveLimits};
use super::local::{LocalContact, LocalRule};
use super::memory::ForceMemory;
use super::operator::{Delassus, moved_by};
use super::problem::{ConeError, ConeProblem};
use super::verify;
use crate::spatial::Vec3;

/// Sweeps between two looks at the residual, at most.
const LOOK: u32 = 16;

/// How [`GaussSeidel`] works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussSeidelSettings {
    /// What is done at a contact.
    pub rule: LocalRule,
    /// When to end: a pass is a sweep over all contacts.
    pub limits: SolveLimits,
    /// Start from the forces that the same contacts had in the last answer.
    pub warm_start: bool,
}

impl Default for GaussSeidelSettings {
    fn default() -> Self {
        GaussSeidelSettings { rule: LocalRule::GraphIntersection, limits: SolveLimits::default(), warm_start: true }
    }
}

/// The Gauss-Seidel solver, with all its memory.
#[derive(Clone, Debug)]
pub struct GaussSeidel {
    settings: GaussSeidelSettings,
    capacity: usize,
    contacts: Vec<LocalContact>,
    forces: Vec<Vec3>,
    motion: Vec<f64>,
    check: Vec<f64>,
    memory: ForceMemory,
    answer: ConeAnswer,
}

impl GaussSeidel {
    /// A solver for problems on operators with as much room as this one.
    ///
    /// # Errors
    /// A setting out of its range.
    pub fn new<W: Delassus>(settings: GaussSeidelSettings, like: &W) -> Result<Self, ConeError> {
        settings.limits.check()?;
        let capacity = like.capacity();
        let motion = || Vec::with_capacity(like.motion_capacity());
        Ok(GaussSeidel {
            settings,
            capacity,
            contacts: Vec::with_capacity(capacity),
            forces: Vec::with_capacity(capacity),
            motion: motion(),
            check: motion(),
            memory: ForceMemory::with_capacity(capacity),
            answer: ConeAnswer::with_capacity(capacity),
        })
    }

    /// Forgets the last answer: the next solve starts cold.
    pub fn forget(&mut self) {
        self.memory.clear();
    }

    /// Makes the next solve start from these forces.
    pub(super) fn start_from<W: Delassus>(&mut self, problem: &ConeProblem<W>, forces: &[Vec3]) {
        self.memory.remember(problem.contacts(), forces);
    }

    /// How it works.
    pub fn settings(&self) -> &GaussSeidelSettings {
        &self.settings
    }

    /// Changes when it ends.
    ///
    /// # Errors
    /// A limit out of its range; the old ones stay.
    pub fn limit(&mut self, limits: SolveLimits) -> Result<(), ConeError> {
        limits.check()?;
        self.settings.limits = limits;
        Ok(())
    }

    /// The last answer.
    pub fn answer(&self) -> &ConeAnswer {
        &self.answer
    }

    /// Solves a problem, and remembers the forces for the next one. Allocates nothing.
    ///
    /// # Errors
    /// More contacts than the solver was made for.
    pub fn solve<W: Delassus>(&mut self, problem: &ConeProblem<W>) -> Result<&ConeAnswer, ConeError> {
        let n = problem.len();
        if n > self.capacity {
            return Err(ConeError::Capacity { contacts: n, capacity: self.capacity });
        }
        let Self { settings, contacts, forces, motion, check, memory, answer, .. } = self;
        let GaussSeidelSettings { rule, limits, warm_start } = *settings;
        let w = problem.operator();
        answer.begin(n);
        let mean = (0..n).map(|i| w.diagonal(i).trace()).sum::<f64>() / (3 * n).max(1) as f64;
        let listed = problem.contacts();
        contacts.clear();
        contacts.extend(listed.iter().enumerate().map(|(i, c)| LocalContact::new(&w.diagonal(i), c.mu, mean)));
        forces.clear();
        let start = |id| if warm_start { memory.recall(id) } else { Vec3::zeros() };
        forces.extend(listed.iter().map(|c| start(c.id)));
        moved_by(w, forces, motion);
        let size = listed.iter().map(|c| c.free.norm_squared()).sum::<f64>().sqrt();
        // How little a sweep moves when it is worth a look at the residual.
        let mut still = limits.tolerance * size;
        for sweep in 1..=limits.passes {
            let mut moved = 0.0;
            for (i, (contact, force)) in contacts.iter().zip(forces.iter_mut()).enumerate() {
                let u = w.velocity(motion, i) + listed[i].free;
                let new = contact.update(rule, &u, force);
                let change = new - *force;
                if change != Vec3::zeros() {
                    w.change(motion, i, &change);
                    *force = new;
                    moved += (contact.block * change).norm_squared();
                }
            }
            (answer.iterations, answer.passes) = (sweep, sweep);
            let moved: f64 = moved.sqrt();
            if !moved.is_finite() {
                break;
            }
            let rests = moved <= still;
            if rests || sweep % LOOK == 0 || sweep == limits.passes {
                let residual = verify::residual(problem, forces, check);
                answer.offer(forces, residual);
                // The motion without what has been rounded off in the sweeps.
                std::mem::swap(motion, check);
                if residual <= limits.tolerance || moved == 0.0 {
                    break;
                }
                if rests {
                    still = 0.5 * moved * (limits.tolerance / residual).min(1.0);
                }
            }
        }
        if n == 0 {
            answer.residual = 0.0;
        }
        answer.conclude(limits.tolerance);
        memory.remember(listed, &answer.forces);
        Ok(&self.answer)
    }
}
