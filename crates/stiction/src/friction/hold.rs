//! `hold`: the stiffness metric with slip memory. Coulomb's law without springs and without creep.
//!
//! *Common slip.* When all remembered slips are one rigid motion, s_i = G_iᵀq̄ (surfaces without noise), the
//! program with memory is the one without, for the load f + A q̄, with the step q + q̄ in place of q.

use super::common::{Case, Common};
use super::cone::{Disk, PolygonTable, Shape};
use super::form::Form;
use super::interior::{self, Facets, Interior};
use super::nearest::{NOTHING, Nearest};
use super::passes::{self, Pair, Wide6, WrenchSum, transposed};
use crate::contact::{ContactProblem, Lane};
use crate::small::ScaledCholesky;
use crate::spatial::Vec6;

/// The memory of holding.
#[derive(Clone, Debug)]
pub(super) struct Hold {
    /// Remembered slips without what they have in common.
    apart: Vec<Pair>,
    pub nearest: Nearest,
    /// For polygons with slip memory.
    interior: Option<Box<Interior>>,
}

/// What remembered slips have in common.
struct CommonSlip {
    /// q̄.
    motion: Vec6,
    /// It is all there is to them.
    is_all: bool,
    /// Work of friction over what is left, and over all of them (J).
    rest: f64,
    all: f64,
}

impl Default for CommonSlip {
    /// No slip at all.
    fn default() -> Self {
        CommonSlip { motion: Vec6::zeros(), is_all: true, rest: 0.0, all: 0.0 }
    }
}

impl Hold {
    /// For so many blocks of contacts.
    pub fn new(table: Option<&PolygonTable>, blocks: usize) -> Self {
        Hold {
            apart: vec![[Lane::ZERO; 2]; blocks],
            nearest: Nearest::new(table, blocks),
            interior: table.map(|table| Box::new(Interior::with_capacity(blocks, table.sides))),
        }
    }

    /// Answers a problem.
    pub fn solve<S: Shape>(&mut self, common: &mut Common, case: &Case<S>) {
        let &Case { problem, shape, table } = case;
        let ranked = common.rank(problem);
        // Without a common slip it must be solved for.
        let remembers = common.remembers;
        let slip = match remembers {
            true => self.common_slip(common, problem, ranked.factor.as_ref()),
            false => CommonSlip::default(),
        };
        let mut form = None;
        if slip.is_all {
            let Some(open) = common.closed_form(case, &ranked, &slip.motion) else { return };
            form = open.form;
        }
        let form = common.form(form, problem);
        if !remembers {
            return self.nearest.solve(common, case, &form, None);
        }
        let n = problem.blocks().len();
        let slip = self.worth_it(common, &form, &slip, n);
        match (table, &mut self.interior) {
            (Some(table), Some(interior)) => {
                let out = &mut common.solution.per_contact;
                let (limits, anchors) = (&out.limit[..n], &self.apart[..n]);
                let (cone, f) = (Facets { table, shape }, form.wrench - form.stiffness * slip);
                let program = interior::Program { blocks: problem.blocks(), limits, anchors, cone, b: &form.b, f: &f };
                let best = interior.solve(&program, common.settings.budget);
                out.friction[..n].copy_from_slice(best);
                let Interior { iterations, passes, stalled, converged, gap, .. } = **interior;
                common.finish_program(problem, &form, [iterations, passes], stalled, converged.then_some(gap));
            }
            _ => self.nearest.solve(common, case, &form, Some((slip, &self.apart))),
        }
    }

    /// The rigid motion q̄ nearest to the remembered slips, and whether every one of them is G_iᵀq̄ to rounding, or to a [`NOTHING`] of the
    /// micro-slip tolerance. `apart` gets what is left of them.
    fn common_slip(
        &mut self,
        common: &mut Common,
        problem: &ContactProblem,
        factor: Option<&ScaledCholesky>,
    ) -> CommonSlip {
        let out = &common.solution.per_contact;
        let data = || problem.blocks().iter().zip(&out.limit).zip(&out.anchor);
        let slip = factor.map_or_else(Vec6::zeros, |factor| {
            let mut sum = WrenchSum::default();
            for ((block, &limit), s) in data() {
                let weight = limit * limit;
                sum.add(block, &[s[0] * weight, s[1] * weight]);
            }
            factor.solve(&sum.total())
        });
        let q = Wide6::splat(&slip);
        let (mut rest, mut all, mut limits) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
        for (((block, &limit), s), apart) in data().zip(&mut self.apart) {
            let d = transposed(block, &q);
            *apart = [s[0] - d[0], s[1] - d[1]];
            limits += limit;
            rest += limit * Disk.gauge(*apart);
            all += limit * Disk.gauge(*s);
        }
        common.solution.passes += 2;
        let nothing = NOTHING * common.settings.micro_slip * passes::total(limits);
        let (rest, all) = (passes::total(rest), passes::total(all));
        CommonSlip { motion: slip, is_all: rest <= (1e-13 * all).max(nothing), rest, all }
    }

    /// The common slip, if setting it apart makes the program smaller. It does not where it was hard to tell: normals nearly parallel. And
    /// where it is all there is, the part slides (or the closed form had answered), and slips at a kink of the program are no start.
    fn worth_it(&mut self, common: &Common, form: &Form, slip: &CommonSlip, blocks: usize) -> Vec6 {
        let energy = |f: &Vec6| 0.5 * (form.b * f).norm_squared();
        let shifted = form.wrench - form.stiffness * slip.motion;
        if !slip.is_all && energy(&shifted) + slip.rest < energy(&form.wrench) + slip.all {
            return slip.motion;
        }
        self.apart[..blocks].copy_from_slice(&common.solution.per_contact.anchor[..blocks]);
        Vec6::zeros()
    }
}
