//! Staggered projections: normal forces with friction held, then friction with normal forces held, in turn.
//!
//! D. Kaufman, S. Sueda, D. James, D. Pai, *Staggered projections for frictional contact in multibody systems* (ACM Trans. Graph. 27, 2008). The paper could not be read here; as a published implementation has it (physics notes, 6).
//!
//! ```text
//! α = argmin ½ αᵀ W_nn α + αᵀ(q_n + W_nt β),   α ≥ 0                                                              (1)
//! β = argmin ½ βᵀ W_tt β + βᵀ(q_t + W_tn α),   β_i in the disk of radius µ_i α_i, or in a polygon in it            (2)
//! ```
//!
//! until the residual of (α, β) is what was asked. Start from the last friction of the same contacts; progress is not monotone, so that the best pair is kept; and (1) is solved once more for its friction, which guarantees that nothing
//! penetrates (to the accuracy of that projection). Each of (1) and (2) is a convex program, solved by [`QuadraticProjection`], which says why. Both together are not: a fixed point solves Signorini's condition and Coulomb's law, but there may be none, and
//! the rounds need not converge to one.
//!
//! Deviations: disks as they are by default, where Kaufman samples them (the inscribed regular polygon with any number of samples is a setting); each projection is solved to a tenth of the residual that is left, no better than the rounds need.

use super::answer::{ConeAnswer, SolveLimits};
use super::memory::ForceMemory;
use super::operator::{Delassus, moved_by};
use super::problem::{ConeError, ConeProblem};
use super::projection::{ProjectionPart, ProjectionProgram, QuadraticProjection};
use super::verify;
use crate::friction::Cone;
use crate::spatial::Vec3;

/// How far a projection is solved, as a share of the residual that is left, and of the one that was asked.
const SHARE: f64 = 0.1;
/// Rounds without a better residual after which the method gives up.
const PATIENCE: u32 = 200;

/// How [`Staggered`] works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaggeredSettings {
    /// The disk itself, or a polygon: Kaufman's own is the inscribed one, whose corners are the samples of the disk.
    pub cone: Cone,
    /// When to end: a pass is one over all contacts, those of the projections counted.
    pub limits: SolveLimits,
    /// Start from the friction that the same contacts had in the last answer.
    pub warm_start: bool,
}

impl Default for StaggeredSettings {
    fn default() -> Self {
        StaggeredSettings { cone: Cone::Disk, limits: SolveLimits::default(), warm_start: true }
    }
}

/// The solver of staggered projections, with all its memory; `F` is that of the operator's factorisations.
#[derive(Clone, Debug)]
pub struct Staggered<F> {
    settings: StaggeredSettings,
    capacity: usize,
    projection: QuadraticProjection<F>,
    normals: Vec<Vec3>,
    friction: Vec<Vec3>,
    forces: Vec<Vec3>,
    linear: Vec<Vec3>,
    radius: Vec<f64>,
    motion: Vec<f64>,
    memory: ForceMemory,
    answer: ConeAnswer,
}

impl<F> Staggered<F> {
    /// A solver for problems on operators with as much room as this one.
    ///
    /// # Errors
    /// A setting out of its range.
    pub fn new<W: Delassus<Factor = F>>(settings: StaggeredSettings, like: &W) -> Result<Self, ConeError> {
        settings.limits.check()?;
        if matches!(settings.cone, Cone::Polygon { sides, .. } if !(3..=Cone::MAX_SIDES).contains(&sides)) {
            return Err(ConeError::BadSetting { setting: "the number of sides", range: "from 3 to 64" });
        }
        let capacity = like.capacity();
        let vector = || Vec::with_capacity(capacity);
        Ok(Staggered {
            settings,
            capacity,
            projection: QuadraticProjection::new(like),
            normals: vector(),
            friction: vector(),
            forces: vector(),
            linear: vector(),
            radius: Vec::with_capacity(capacity),
            motion: Vec::with_capacity(like.motion_capacity()),
            memory: ForceMemory::with_capacity(capacity),
            answer: ConeAnswer::with_capacity(capacity),
        })
    }

    /// Forgets the last answer: the next solve starts cold.
    pub fn forget(&mut self) {
        self.memory.clear();
    }

    /// How it works.
    pub fn settings(&self) -> &StaggeredSettings {
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
    pub fn solve<W: Delassus<Factor = F>>(&mut self, problem: &ConeProblem<W>) -> Result<&ConeAnswer, ConeError> {
        let n = problem.len();
        if n > self.capacity {
            return Err(ConeError::Capacity { contacts: n, capacity: self.capacity });
        }
        self.answer.begin(n);
        for vector in [&mut self.normals, &mut self.friction, &mut self.forces, &mut self.linear] {
            vector.clear();
            vector.resize(n, Vec3::zeros());
        }
        self.radius.clear();
        self.radius.resize(n, 0.0);
        if self.settings.warm_start {
            for (i, contact) in problem.contacts().iter().enumerate() {
                let known = self.memory.recall(contact.id);
                self.normals[i].x = known.x;
                self.friction[i] = Vec3::new(0.0, known.y, known.z);
            }
        }
        self.rounds(problem);
        let tolerance = self.settings.limits.tolerance;
        if n == 0 {
            self.answer.residual = 0.0;
        }
        self.answer.conclude(tolerance);
        self.memory.remember(problem.contacts(), &self.answer.forces);
        Ok(&self.answer)
    }

    /// Rounds of (1) and (2), and the last contact solve.
    fn rounds<W: Delassus<Factor = F>>(&mut self, problem: &ConeProblem<W>) {
        let SolveLimits { tolerance, passes } = self.settings.limits;
        let cone = self.settings.cone;
        let size = problem.contacts().iter().map(|c| c.free.norm_squared()).sum::<f64>().sqrt();
        if !(size > 0.0) {
            self.answer.residual = 0.0;
            return;
        }
        let (mut last, mut idle) = (0.1f64, 0);
        loop {
            let aim = SHARE * last.min(0.1).max(tolerance) * size;
            self.project_normals(problem, aim);
            // After the contacts, so that every pair that is kept is one that nothing penetrates.
            last = self.look(problem, cone);
            idle = if last <= self.answer.residual { 0 } else { idle + 1 };
            if last <= tolerance || self.answer.passes >= passes || idle >= PATIENCE {
                return;
            }
            for (radius, (contact, normal)) in self.radius.iter_mut().zip(problem.contacts().iter().zip(&self.normals))
            {
                *radius = contact.mu * normal.x;
            }
            load(problem, &self.normals, &mut self.motion, &mut self.linear);
            let program = ProjectionProgram {
                operator: problem.operator(),
                part: ProjectionPart::Friction(cone),
                linear: &self.linear,
                radius: &self.radius,
                tolerance: SHARE * last.min(0.1).max(tolerance) * size,
                passes: passes - self.answer.passes,
            };
            self.answer.passes += self.projection.solve(&program, &mut self.friction).passes;
            self.answer.iterations += 1;
        }
    }

    /// (1).
    fn project_normals<W: Delassus<Factor = F>>(&mut self, problem: &ConeProblem<W>, aim: f64) {
        load(problem, &self.friction, &mut self.motion, &mut self.linear);
        let program = ProjectionProgram {
            operator: problem.operator(),
            part: ProjectionPart::Normals,
            linear: &self.linear,
            radius: &[],
            tolerance: aim,
            passes: self.settings.limits.passes,
        };
        self.answer.passes += self.projection.solve(&program, &mut self.normals).passes;
    }

    /// The residual of the present pair, which is kept where it is the best.
    fn look<W: Delassus<Factor = F>>(&mut self, problem: &ConeProblem<W>, cone: Cone) -> f64 {
        for (force, (normal, friction)) in self.forces.iter_mut().zip(self.normals.iter().zip(&self.friction)) {
            *force = normal + friction;
        }
        let residual = verify::residual_of(problem, &self.forces, cone, &mut self.motion);
        self.answer.offer(&self.forces, residual);
        residual
    }
}

/// c = q + W r for the forces that are held.
fn load<W: Delassus>(problem: &ConeProblem<W>, held: &[Vec3], motion: &mut Vec<f64>, linear: &mut [Vec3]) {
    moved_by(problem.operator(), held, motion);
    for (i, (c, contact)) in linear.iter_mut().zip(problem.contacts()).enumerate() {
        *c = problem.operator().velocity(motion, i) + contact.free;
    }
}
