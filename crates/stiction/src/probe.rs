//! How far a part is from slipping, asked away from the loop: a copy of what a tick's friction was solved with.
//!
//! Margins take many solves, so no tick has time for them. [`Engine::copy_to`](crate::tick::Engine::copy_to) copies the contact problem and what its contacts remember into memory that
//! was made before, without allocating; whoever has the [`Probe`] then may take its time. See `friction/margin.rs` for what margins are, and `hard/margin.rs` for those of hard contacts.

use crate::contact::ContactProblem;
use crate::friction::{FrictionSolver, Method};
use crate::hard::HardLimit;
use crate::spatial::Vec6;

/// A tick's contact problem with the slip that its contacts remember.
#[derive(Clone, Debug)]
pub struct Probe {
    pub(crate) problem: ContactProblem,
    pub(crate) solver: FrictionSolver,
    /// The problem of the tick with its normal forces as unknowns, for hard contacts.
    pub(crate) hard: Option<HardLimit>,
}

/// How far µ could fall before a part slips, as shares of the static coefficient: times that they are the least µ that would hold the part. So they tell it of a part that
/// slides, too, from the load on it as its last step began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// To this share, as the linear program tells it with the normal forces of the tick: below 1 it holds. Of hard contacts that squeeze a part it tells what friction carries, not what it must. NaN
    /// where it cannot be told.
    pub ray: f64,
    /// To this share as the engine's own contacts and method tell it: with hard contacts, whose normal forces follow, before a contact slips further than the tick reached for points; with
    /// penalty contacts and the normal forces of the tick, with every contact within micro-slip. NaN where it cannot be told.
    pub robust: f64,
    /// The motion (m, rad; about the part's centre, of no particular length) that would begin, or has begun, where friction does not suffice; zero without load. For
    /// `lp` by the ray margin, which looks at every contact's normal exactly; for others by the robust one.
    pub weakest: Vec6,
}

impl Probe {
    /// A probe with memory for so many contacts.
    pub(crate) fn new(solver: FrictionSolver, contacts: usize, hard: bool) -> Self {
        Probe {
            problem: ContactProblem::with_capacity(contacts),
            solver,
            hard: hard.then(|| HardLimit::with_capacity(contacts)),
        }
    }

    /// The margins of the tick. Takes some dozens of solves; the probe can be asked again.
    pub fn margins(&mut self) -> Margins {
        let ray = self.solver.ray_margin(&self.problem).unwrap_or(f64::NAN);
        let by_ray = *self.solver.weakest();
        if let Some(hard) = &mut self.hard {
            let (robust, weakest) = hard.margin();
            return Margins { ray, robust, weakest };
        }
        let robust = self.solver.robust_margin(&self.problem).unwrap_or(f64::NAN);
        let weakest = match self.solver.settings().method {
            Method::Lp => by_ray,
            _ => self.solver.gives_way(&self.problem, robust).unwrap_or_default(),
        };
        Margins { ray, robust, weakest }
    }
}
