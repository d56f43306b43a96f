//! Unilateral contacts without stiffness in the cycle: the solvers of other schools, with normal forces of their own, on the operator that the coupling gives a rigid part.
//!
//! ```text
//! q₀ = A⁻¹ f                 the step to where the hand and the loads want the part, without contacts; A is the coupling's stiffness
//! W = J A⁻¹ Jᵀ,  q = J q₀ - δ     δ the depth of a contact before the step: the normal part is the gap that the free step ends with
//! r  from  Signorini's condition and Coulomb's law: delassus/mod.rs, (1)-(3)
//! step = q₀ + A⁻¹ Jᵀ r
//! ```
//!
//! (Physics notes, 6: "use in our haptic comparison"; the quasi-static counterpart of a time step with mass.) Contacts are those of hard contacts: the same walks, the same reach, the same look at where a step ends and the same bounds of steps, so that gaps are linearised
//! anew until the step fits. Both methods have the same problem, so that they can be compared; static coefficients hold until a contact slides, then kinetic ones.
//!
//! A tick whose residual is above what was asked takes the best step that was found, and says so by its flag.

use super::hard::Candidate;
use super::settings::{EngineError, Settings};
use crate::contact::{ContactId, LANES};
use crate::delassus::{
    ConeAnswer, ConeProblem, ConeVerdict, Delassus, GaussSeidel, GaussSeidelSettings, LocalRule, RigidOperator,
    SolveLimits, Staggered, StaggeredSettings, UnilateralContact,
};
use crate::friction::Method;
use crate::hard::{Budget, Effort, Ending, HardAnswer, HardProblem};
use crate::small;
use crate::spatial::{Vec3, Vec6, join};

/// The method with its memory.
#[derive(Clone, Debug)]
enum UnilateralMethod {
    GaussSeidel(GaussSeidel),
    Staggered(Box<Staggered<()>>),
}

/// A solver for the cycle's contacts, and its problem.
#[derive(Clone, Debug)]
pub(super) struct Unilateral {
    problem: ConeProblem<RigidOperator>,
    method: UnilateralMethod,
    tolerance: f64,
    motion: Vec<f64>,
    effort: Effort,
}

impl Unilateral {
    /// For so many points.
    ///
    /// # Errors
    /// A setting out of its range.
    pub fn new(settings: &Settings, points: usize) -> Result<Self, EngineError> {
        let operator = RigidOperator::with_capacity(points);
        let limits = SolveLimits { tolerance: settings.tolerance, passes: settings.friction.budget.max(1) };
        let warm_start = settings.friction.warm_start;
        let method = match settings.friction.method {
            Method::Staggered => {
                let settings = StaggeredSettings { cone: settings.friction.cone, limits, warm_start };
                UnilateralMethod::Staggered(Box::new(Staggered::new(settings, &operator)?))
            }
            Method::GaussSeidel(rule) => {
                let settings = GaussSeidelSettings { rule, limits, warm_start };
                UnilateralMethod::GaussSeidel(GaussSeidel::new(settings, &operator)?)
            }
            // Without friction, both are the same.
            _ => {
                let settings = GaussSeidelSettings { rule: LocalRule::Exact, limits, warm_start };
                UnilateralMethod::GaussSeidel(GaussSeidel::new(settings, &operator)?)
            }
        };
        let motion = Vec::with_capacity(operator.motion_capacity());
        let problem = ConeProblem::new(operator);
        Ok(Unilateral { problem, method, tolerance: settings.tolerance, motion, effort: Effort::default() })
    }

    /// The next solve starts cold.
    pub fn forget(&mut self) {
        match &mut self.method {
            UnilateralMethod::GaussSeidel(solver) => solver.forget(),
            UnilateralMethod::Staggered(solver) => solver.forget(),
        }
    }

    /// The problem of the last solve.
    pub fn problem(&self) -> &ConeProblem<RigidOperator> {
        &self.problem
    }

    /// What the last solve did.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    fn answer(&self) -> &ConeAnswer {
        match &self.method {
            UnilateralMethod::GaussSeidel(solver) => solver.answer(),
            UnilateralMethod::Staggered(solver) => solver.answer(),
        }
    }

    /// Normal force and friction (N) of a contact in the last answer.
    pub fn contact(&self, contact: usize) -> (f64, [f64; 2]) {
        let force = self.answer().forces.get(contact).copied().unwrap_or_default();
        (force.x, [force.y, force.z])
    }

    /// Solves for the candidates of a cycle under the wrench and the coupling's stiffness of its problem. Does not allocate.
    pub fn solve(&mut self, hard: &HardProblem, candidates: &[Candidate], budget: Budget) -> HardAnswer {
        self.effort = Effort::default();
        let Some(free) = small::solve(&hard.stiffness, &hard.wrench) else { return unsolved() };
        let rows = |c: &Candidate| {
            let frame = [c.normal, c.tangents[0], c.tangents[1]];
            RigidOperator::rows_at(&c.arm, &frame)
        };
        let listed = candidates.iter().map(|c| {
            let moved = rows(c).map(|row| row.dot(&free));
            let free = Vec3::new(moved[0] - c.depth, moved[1], moved[2]);
            UnilateralContact { id: ContactId(u64::from(c.point)), mu: c.mu, free }
        });
        let fill = |w: &mut RigidOperator| {
            w.begin(&hard.stiffness)?;
            candidates.iter().try_for_each(|c| w.push(&rows(c)))
        };
        if self.problem.rebuild(fill, listed).is_err() {
            return unsolved();
        }
        let blocks = candidates.len().div_ceil(LANES) as u64;
        let pass = Effort { passes: 1, pushing: blocks, idle: 0 }.cost();
        let affordable = u32::try_from(budget.cost / pass).unwrap_or(u32::MAX);
        let limits = SolveLimits { tolerance: self.tolerance, passes: budget.passes.min(affordable).max(1) };
        let problem = &self.problem;
        let solved = match &mut self.method {
            UnilateralMethod::GaussSeidel(s) => s.limit(limits).and_then(|()| s.solve(problem).map(|_| ())),
            UnilateralMethod::Staggered(s) => s.limit(limits).and_then(|()| s.solve(problem).map(|_| ())),
        };
        if solved.is_err() {
            return unsolved();
        }
        let passes = self.answer().passes;
        self.effort = Effort { passes, pushing: u64::from(passes) * blocks, idle: 0 };
        let mut motion = std::mem::take(&mut self.motion);
        let found = self.summed(candidates, &free, limits.passes, &mut motion);
        self.motion = motion;
        found
    }

    /// The answer in sums.
    fn summed(&self, candidates: &[Candidate], free: &Vec6, most: u32, motion: &mut Vec<f64>) -> HardAnswer {
        let answer = self.answer();
        let (mut normal, mut friction, mut pressure, mut limit) = (Vec6::zeros(), Vec6::zeros(), 0.0, 0.0);
        motion.clear();
        motion.resize(6, 0.0);
        for (i, (c, r)) in candidates.iter().zip(&answer.forces).enumerate() {
            let (push, rub) = (c.normal * r.x, c.tangents[0] * r.y + c.tangents[1] * r.z);
            normal += join(push, c.arm.cross(&push));
            friction += join(rub, c.arm.cross(&rub));
            pressure += r.x;
            limit += c.mu * r.x;
            self.problem.operator().change(motion, i, r);
        }
        let step = free + self.problem.operator().twist(motion);
        if !(step.iter().all(|x| x.is_finite()) && pressure.is_finite() && limit.is_finite()) {
            return unsolved();
        }
        HardAnswer {
            step,
            normal,
            friction,
            pressure,
            limit,
            gap: 0.0,
            balance: answer.residual,
            iterations: answer.iterations,
            passes: answer.passes,
            ending: match answer.verdict {
                ConeVerdict::Solved => Ending::Solved,
                ConeVerdict::NotConverged if answer.passes >= most => Ending::Budget,
                ConeVerdict::NotConverged => Ending::Stalled,
            },
        }
    }
}

/// No answer: the part stays where it is.
fn unsolved() -> HardAnswer {
    HardAnswer { balance: f64::INFINITY, ending: Ending::Stalled, ..HardAnswer::default() }
}
