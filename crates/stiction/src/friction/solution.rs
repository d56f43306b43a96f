//! What a friction solver answers: plain data, with the proof of it.

use super::Method;
use super::cone::Cone;
use super::memory::SlipState;
use super::passes::Pair;
use crate::contact::{LANES, Lane};
use crate::named;
use crate::spatial::Vec6;

named! {
    /// The answer in one word.
    pub enum Verdict {
        /// No contact can carry friction: the step is the frictionless one.
        Free = "free",
        /// Friction holds: by the paper's definition (`lp`), or no contact slides (`qp`, `hold`).
        Holds = "holds",
        /// Friction cannot hold the part.
        Slips = "slips",
        /// The work budget ran out before a proof was found. Friction and step are admissible all the same.
        Undecided = "undecided",
        /// The part moves though no contact slides: it rolls on its contacts or turns about them. Ticks of an
        /// [`Engine`](crate::tick::Engine) with hard contacts say so; no friction solver does.
        Rolls = "rolls",
    }
}

#[expect(clippy::derivable_impls, reason = "values of `named!` take no attributes")]
impl Default for Verdict {
    fn default() -> Self {
        Verdict::Free
    }
}

/// The proof that comes with an answer. Everything in it can be checked in one pass over the contacts by
/// [`verify`](super::verify::verify), which shares no code with the solvers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Certificate {
    /// f + K q + G β = 0 with every β_i admissible and Gᵀλ = 0, M̃ q + Kᵀλ = 0: q is the least step that the
    /// friction directions allow and friction need not be stretched for it. λ = 0 where rank G = 6.
    Balanced {
        /// The multiplier of equations (32)-(34).
        lambda: Vec6,
    },
    /// yᵀ(f + K q*) + Σ max yᵀG_iβ_i < 0: friction cannot stop the twist -y. Also proves q*, by λ as above.
    Unstoppable {
        /// y, as a wrench-space direction.
        direction: Vec6,
        /// q*, the step that would have to be held.
        held_step: Vec6,
        /// The multiplier of equations (32)-(34) for q*.
        lambda: Vec6,
    },
    /// β is admissible, q follows from it, and no admissible β lowers the objective by more than `gap` (J, in
    /// the metric of the method).
    Optimal {
        /// Duality gap claimed.
        gap: f64,
    },
    /// Nothing proved: the budget ran out. β is admissible and q follows from it.
    None,
}

/// What happened at one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactAnswer {
    /// Friction force (β_u, β_v) along the tangent basis (N).
    pub friction: [f64; 2],
    /// µ F_n in force at this contact (N), static or kinetic.
    pub limit: f64,
    /// Slip G_iᵀ q of this step along the tangent basis (m).
    pub slip: [f64; 2],
    /// Slip s_i remembered from before this step, transported to this tick's basis (m).
    pub anchor: [f64; 2],
    /// β_iᵀ G_iᵀ q: work of friction in this step (J). Never positive where friction is Coulomb's.
    pub power: f64,
    /// Separated, stuck or sliding, by accumulated slip if the step is taken in full.
    pub state: SlipState,
}

/// The answer to one [`ContactProblem`](crate::contact::ContactProblem). Its memory is made once and reused.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The answer in one word.
    pub verdict: Verdict,
    /// q = (Δx, Δω): the step of the held part (m, rad).
    pub step: Vec6,
    /// G β: total friction on the part (N, N m).
    pub friction: Vec6,
    /// The proof.
    pub certificate: Certificate,
    /// The method that answered.
    pub method: Method,
    /// The cone it used.
    pub cone: Cone,
    /// The micro-slip tolerance ε it classified by (m).
    pub micro_slip: f64,
    /// Iterations of the method's main loop; 0 when the closed form answered.
    pub iterations: u32,
    /// Passes over the contacts, set-up included: the unit of the work budget.
    pub passes: u32,
    /// True when numerical precision, not the tolerance, ended the iteration.
    pub stalled: bool,
    /// -sym(K) was not positive definite and was shifted: the stiffness metric is regularised in this tick.
    pub metric_shifted: bool,
    /// Rank of G that the solver decided on, 0 to 6 (6 is also reported when it was not needed).
    pub rank: u8,
    pub(super) per_contact: PerContact,
}

/// Per-contact results in blocks, as the problem's columns are.
#[derive(Clone, Debug, Default)]
pub(super) struct PerContact {
    pub len: usize,
    pub friction: Vec<Pair>,
    pub slip: Vec<Pair>,
    pub anchor: Vec<Pair>,
    pub limit: Vec<Lane>,
    pub power: Vec<Lane>,
    pub state: Vec<[SlipState; LANES]>,
}

impl Solution {
    /// Number of contacts answered for.
    pub fn len(&self) -> usize {
        self.per_contact.len
    }

    /// True when there was no contact.
    pub fn is_empty(&self) -> bool {
        self.per_contact.len == 0
    }

    /// The answer for contact `index`, in the order of the problem. Panics when there is no such contact.
    pub fn contact(&self, index: usize) -> ContactAnswer {
        assert!(index < self.len(), "contact {index} of {}", self.len());
        let (block, lane) = (index / LANES, index % LANES);
        let at = |x: &Lane| x.as_array()[lane];
        let pair = |x: &Pair| [at(&x[0]), at(&x[1])];
        let p = &self.per_contact;
        ContactAnswer {
            friction: pair(&p.friction[block]),
            limit: at(&p.limit[block]),
            slip: pair(&p.slip[block]),
            anchor: pair(&p.anchor[block]),
            power: at(&p.power[block]),
            state: p.state[block][lane],
        }
    }

    /// The answers of all contacts, in the order of the problem.
    pub fn contacts(&self) -> impl ExactSizeIterator<Item = ContactAnswer> + '_ {
        (0..self.len()).map(|i| self.contact(i))
    }

    /// How many contacts are in the given state.
    pub fn count(&self, state: SlipState) -> usize {
        self.contacts().filter(|c| c.state == state).count()
    }
}
