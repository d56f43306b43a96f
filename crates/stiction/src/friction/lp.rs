//! `lp`: the paper's verdict, equations (32)-(37). All contacts hold, or friction is dropped.

use super::common::{Case, Common};
use super::cone::Shape;
use super::corral::{Corral, Ending, Question, Set};
use super::rank::{self, NullSpace};
use super::solution::Certificate;
use crate::small;
use crate::spatial::{Mat6, Vec6};

/// The memory of the linear program.
#[derive(Clone, Debug)]
pub(super) struct Lp {
    pub corral: Box<Corral>,
}

impl Lp {
    /// For so many blocks of contacts.
    pub fn new(blocks: usize) -> Self {
        Lp { corral: Box::new(Corral::with_capacity(blocks)) }
    }

    /// Answers a problem.
    pub fn solve<S: Shape>(&mut self, common: &mut Common, case: &Case<S>) {
        let &Case { problem, shape, .. } = case;
        let ranked = common.rank(problem);
        let Some(open) = common.closed_form(case, &ranked, &Vec6::zeros()) else { return };
        if let Some((nu, held)) = open.impossible {
            let direction = nu / nu.norm();
            if common.proves_slipping(case, &direction, &held) {
                let (held_step, lambda) = (held.step, held.lambda);
                return common.let_go(problem, Certificate::Unstoppable { direction, held_step, lambda });
            }
        }
        let form = common.form(open.form, problem);
        let held = form.held(&ranked.null, &form.wrench);
        let (held_step, lambda) = (held.step, held.lambda);
        let length = problem.length();
        let plain = Mat6::from_diagonal(&rank::row_scale(1.0 / length));
        for b in &[plain, whitening(&ranked.gram, &ranked.null, length)] {
            let limits = &common.solution.per_contact.limit[..problem.blocks().len()];
            let set = Set { blocks: problem.blocks(), limits, shape, b, f: &-held.w };
            let ending = self.corral.search_warm(&set, Question::Contains, common.settings.budget);
            common.solution.iterations += self.corral.iterations;
            common.solution.passes += self.corral.iterations;
            let y = -(b.transpose() * self.corral.x);
            let direction = y / y.norm();
            let negligible = self.corral.x.norm() <= 1e-10 * (b * held.w).norm();
            if ending == Ending::Contained || (ending != Ending::Budget && negligible) {
                let friction = common.take_friction(problem, &self.corral);
                common.solution.stalled = false;
                return common.finish(problem, held_step, friction, Certificate::Balanced { lambda });
            }
            if ending == Ending::Separated && common.proves_slipping(case, &direction, &held) {
                common.solution.stalled = false;
                return common.let_go(problem, Certificate::Unstoppable { direction, held_step, lambda });
            }
            // Rounding stands in the way: try again in other coordinates.
            common.solution.stalled = ending != Ending::Budget;
            if ending == Ending::Budget {
                break;
            }
        }
        let friction = common.take_friction(problem, &self.corral);
        common.finish(problem, form.step(&friction), friction, Certificate::None);
    }
}

/// Coordinates in which Σ G_i P_i is about as thick in every direction. The linear program's question does not depend on
/// coordinates, but the accuracy of the answer does where normals are nearly parallel or limits very different.
pub(super) fn whitening(gram: &Mat6, null: &NullSpace, length: f64) -> Mat6 {
    let filled = null.fill(gram, length);
    small::cholesky_scaled(&filled)
        .or_else(|| small::cholesky_scaled(&small::lifted(&filled)))
        .map_or_else(|| Mat6::from_diagonal(&rank::row_scale(1.0 / length)), |factor| factor.whitening())
}
