//! A primal-dual Newton method in six dimensions for hard contacts.
//!
//! Unknowns are q and the friction β of every contact; normal forces follow from q by (2). (3), written as θ_i β_i + L_i u_i = 0 with θ_i = √(‖u_i‖² + η²)
//! and L_i = µ_i F_i(q), is linearised in both, as in T. Chan, G. Golub, P. Mulet, *A nonlinear primal-dual method for total variation-based
//! image restoration*, SIAM J. Sci. Comput. 20 (1999), which keeps Newton's method convergent where a contact goes over from sticking to sliding.
//! With b_i = -L_i u_i/θ_i, W_i = (L_i I + sym(β_i u_iᵀ)/θ_i)/θ_i and k_i only where the contact pushes,
//!
//! ```text
//! (A + Σ k_i J_i J_iᵀ + Σ G_i W_i G_iᵀ - Σ µ_i k_i G_i (u_i/θ_i) J_iᵀ) dq = f - A q + Σ J_i F_i + Σ G_i b_i =: r       (5)
//! β_i ← the point of the disk L_i(q + dq) nearest to  b_i - W_i G_iᵀdq - (u_i/θ_i) dL_i
//! ```
//!
//! The last sum of (5) couples friction to the normal forces; it makes the matrix unsymmetric. Steps are taken in full: contacts come and go by the hundred in the first
//! few, and with the right ones the rest is a step or two. (A search along each step for where r does no more work, which for fixed limits is the exact line search
//! of (4), was measured to be the worst that one can do: it stops at every contact that comes off. On 125 dumped ticks, of exact fits that slide at 0.5 m/s, a nut that is turned and
//! random hands, full steps solve 120 with a median of 10 to 15 passes; with the search, the same ticks took 35 to 400 passes, and a third was not solved.)
//!
//! A start that ends nowhere is followed by one from q = 0 with smoothing: η is a share of the part's size, and each time that its problem is nearly solved it falls to a
//! thousandth, until it is at its final value. The last start searches along its steps after all, and takes the symmetric part of (5) where that gives no direction along which r
//! does work.
//!
//! Every β that is returned is admissible: ‖β_i‖ ≤ µ_i F_i. When the budget is spent, the best step so far is returned, and the answer says so.

use super::problem::HardProblem;
use crate::contact::{LANES, Lane};
use crate::friction::passes::{Pair, total};
use crate::small;
use crate::spatial::{Vec6, halves};
use pass::{From, Local, Sums, dot, splat};

mod pass;

/// What is left of the balance (1), relative to its largest forces, at which an answer is final.
const BALANCED: f64 = 1e-12;
/// The same where rounding lets it fall no further.
const ROUNDING: f64 = 1e-9;
/// The same at which a part that rests is left where it is, to the bit, and the rounding of its contacts' places, relative to its size.
const RESTING: f64 = 1e-11;
const PLACES: f64 = 8.0 * f64::EPSILON;
/// Iterations in which the error may fail to halve before rounding is blamed.
const PATIENCE: u32 = 4;
/// η at the beginning of starts after the first, as a share of the part's size. The last one is careful.
const STARTS: [f64; 3] = [3e-6, 3e-2, 3e-4];
/// What is left of the balance at which η falls, by what, and the iterations with one η after which a start is given up.
const NEARLY: f64 = 0.1;
const FALL: f64 = 1e-3;
const TIRED: u32 = 25;
/// The final η as a share of ε.
pub(super) const SHARPNESS: f64 = 1e-6;
/// Smallest η (m): far above the rounding of slips, far below everything else.
const FINEST: f64 = 1e-15;
/// Share of the work at a step's beginning that it may overshoot by.
const OVERSHOOT: f64 = 0.25;
/// Trials of a step's length.
const TRIALS: u32 = 12;
/// Passes that may follow one another before the budget is looked at.
const MOST_PASSES: u32 = 4;

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ending {
    /// (1)-(3) hold to rounding.
    #[default]
    Solved,
    /// The budget of passes was spent first.
    Budget,
    /// The error fell no further, for another reason than rounding.
    Stalled,
}

/// An answer in sums.
#[derive(Clone, Copy, Debug, Default)]
pub struct HardAnswer {
    /// q (m, rad).
    pub step: Vec6,
    /// Σ J_i F_i (N, N m).
    pub normal: Vec6,
    /// Σ G_i β_i (N, N m).
    pub friction: Vec6,
    /// Σ F_i (N).
    pub pressure: f64,
    /// Σ µ_i F_i (N).
    pub limit: f64,
    /// Σ (L_i‖u_i‖ + β_iᵀu_i) (J): not negative, and zero where friction is Coulomb's exactly.
    pub gap: f64,
    /// What is left of the balance (1), relative to the largest forces in it.
    pub balance: f64,
    /// Newton steps.
    pub iterations: u32,
    /// Passes over the contacts.
    pub passes: u32,
    /// How it ended.
    pub ending: Ending,
}

/// What a solve may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Most passes over the contacts.
    pub passes: u32,
    /// Most of [`Effort::cost`].
    pub cost: u64,
}

/// What passes over the contacts did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Passes.
    pub passes: u32,
    /// Blocks in which a contact pushed.
    pub pushing: u64,
    /// Blocks in which none did.
    pub idle: u64,
}

/// The method with its memory, made once.
#[derive(Clone, Debug)]
pub(crate) struct Newton {
    local: [Vec<Local>; 2],
    current: usize,
    /// Friction of the last tick, in the order of the problem's contacts.
    start: Vec<Pair>,
    /// Whether a block of `local` is anything but zero.
    busy: [Vec<bool>; 2],
    budget: Budget,
    effort: Effort,
}

impl Newton {
    pub fn with_capacity(contacts: usize) -> Self {
        let blocks = contacts.div_ceil(LANES);
        let locals = || vec![Local::default(); blocks];
        Newton {
            local: [locals(), locals()],
            current: 0,
            start: vec![[Lane::ZERO; 2]; blocks],
            busy: [vec![false; blocks], vec![false; blocks]],
            budget: Budget { passes: 0, cost: 0 },
            effort: Effort::default(),
        }
    }

    /// Friction of the last tick of a contact, along its tangents (N).
    #[inline]
    pub fn begin_with(&mut self, contact: usize, friction: [f64; 2]) {
        let start = &mut self.start[contact / LANES];
        start[0].as_mut_array()[contact % LANES] = friction[0];
        start[1].as_mut_array()[contact % LANES] = friction[1];
    }

    /// Normal force and friction (N) of a contact in the last answer.
    #[inline]
    pub fn contact(&self, contact: usize) -> (f64, [f64; 2]) {
        let (local, lane) = (&self.local[self.current][contact / LANES], contact % LANES);
        let at = |x: &Lane| x.as_array()[lane];
        (at(&local.force), [at(&local.friction[0]), at(&local.friction[1])])
    }

    /// What the last solve did.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Whether there may be too little left of the budget for the passes of another step.
    fn spent(&self, problem: &HardProblem) -> bool {
        let budget = &self.budget;
        let all =
            Effort { passes: MOST_PASSES, pushing: u64::from(MOST_PASSES) * problem.blocks.len() as u64, idle: 0 };
        self.effort.passes + 2 > budget.passes || self.effort.cost() + all.cost() > budget.cost
    }

    /// Solves a problem. Does not allocate.
    pub fn solve(&mut self, problem: &HardProblem, budget: Budget) -> HardAnswer {
        (self.effort, self.budget) = (Effort::default(), budget);
        let finest = (SHARPNESS * problem.micro_slip).max(FINEST);
        let (f, a) = (&problem.wrench, &problem.stiffness);
        let torque = 1.0 / problem.length;
        let size = |w: &Vec6| size(w, torque);
        let mut q = Vec6::zeros();
        let mut eta = finest;
        let mut sums = self.pass(problem, &q, eta, From::LastTick, true);
        // Iterations of all starts, and of the last value of η.
        let (mut iterations, mut starts, mut since) = (0, 0, 0);
        let (mut best, mut best_step, mut least, mut idle) = (f64::INFINITY, q, f64::INFINITY, 0);
        loop {
            let pull = f - a * q;
            let left = pull + sums.normal + sums.friction;
            let scale = size(&pull).max(size(f)).max(sums.pressure).max(f64::MIN_POSITIVE);
            let balance = size(&left) / scale;
            let slack = if sums.limit > 0.0 { sums.gap / (sums.limit * problem.micro_slip) } else { 0.0 };
            let exact = sums.gap <= 4.0 * finest * sums.limit;
            let error = balance + slack;
            let rests =
                iterations == 0 && balance * scale <= RESTING * scale + PLACES * problem.length * sums.stiffness;
            idle = if error < 0.5 * least { 0 } else { idle + 1 };
            least = least.min(error);
            if error < best {
                (best, best_step) = (error, q);
            }
            // Slips of a long step are known to its rounding, and so is where friction points.
            let (way, turn) = halves(&q);
            let rounding = ROUNDING.max(PLACES * (way.norm() + turn.norm() * problem.length) / finest);
            let rounded = idle >= PATIENCE && balance <= rounding;
            let solved = eta <= finest && exact && (balance <= BALANCED || rests || rounded);
            let (spent, tired) = (self.spent(problem), since > TIRED);
            if solved || spent || tired && starts >= STARTS.len() {
                if !solved && (best_step != q || eta > finest) {
                    q = best_step;
                    sums = self.pass(problem, &q, finest, From::Law, true);
                }
                let left = f - a * q + sums.normal + sums.friction;
                return HardAnswer {
                    step: q,
                    normal: sums.normal,
                    friction: sums.friction,
                    pressure: sums.pressure,
                    limit: sums.limit,
                    gap: sums.gap,
                    balance: size(&left) / scale,
                    iterations,
                    passes: self.effort.passes,
                    ending: match (solved, spent) {
                        (true, _) => Ending::Solved,
                        (_, true) => Ending::Budget,
                        _ => Ending::Stalled,
                    },
                };
            }
            let nearly = eta > finest && balance <= NEARLY && sums.gap <= 4.0 * eta * sums.limit;
            if tired || nearly {
                if tired {
                    q = Vec6::zeros();
                    eta = STARTS[starts] * problem.length;
                    starts += 1;
                } else {
                    eta *= FALL;
                }
                eta = eta.max(finest);
                (since, idle, least) = (0, 0, f64::INFINITY);
                sums = self.pass(problem, &q, eta, From::Law, true);
                continue;
            }
            (iterations, since) = (iterations + 1, since + 1);
            // (5).
            let r = pull + sums.normal + sums.base;
            let dq = small::solve(&(a + sums.matrix), &r).unwrap_or_default();
            (q, sums) = if starts == STARTS.len() {
                self.careful(problem, &q, dq, &r, eta)
            } else {
                let next = q + dq;
                (next, self.pass(problem, &next, eta, From::LastPass, true))
            };
        }
    }

    /// A step of which only as much is taken as does work, and along which r does.
    fn careful(&mut self, problem: &HardProblem, q: &Vec6, mut dq: Vec6, r: &Vec6, eta: f64) -> (Vec6, Sums) {
        let (f, a) = (&problem.wrench, &problem.stiffness);
        let before = self.current;
        if !(dq.dot(r) > 0.0) {
            let sums = self.pass(problem, q, eta, From::LastPass, false);
            self.current = before;
            let matrix = a + (sums.matrix + sums.matrix.transpose()) * 0.5;
            dq = small::solve(&matrix, r).unwrap_or_default();
        }
        let work = dq.dot(r);
        let mut next = q + dq;
        let mut trial = self.pass(problem, &next, eta, From::LastPass, true);
        let ends = -dq.dot(&(f - a * next + trial.normal + trial.base));
        if ends > OVERSHOOT * work && !self.spent(problem) {
            let t = self.length(problem, q, &dq, eta, [-work, ends]);
            self.current = before;
            next = q + dq * t;
            trial = self.pass(problem, &next, eta, From::LastPass, true);
        }
        (next, trial)
    }

    /// Where along dq, between 0 and 1, r does no more work: by regula falsi with the Illinois rule.
    fn length(&mut self, problem: &HardProblem, q: &Vec6, dq: &Vec6, eta: f64, [begins, ends]: [f64; 2]) -> f64 {
        let (mut low, mut high) = ((0.0, begins), (1.0, ends));
        let mut side = 0;
        let mut t = 1.0;
        for _ in 0..TRIALS {
            if self.spent(problem) {
                break;
            }
            t = low.0 + (high.0 - low.0) * (-low.1 / (high.1 - low.1)).clamp(0.001, 0.999);
            let slope = self.slope(problem, q, dq, t, eta);
            if slope.abs() <= OVERSHOOT * begins.abs() {
                break;
            }
            if slope > 0.0 {
                high = (t, slope);
                if side == 1 {
                    low.1 *= 0.5;
                }
                side = 1;
            } else {
                low = (t, slope);
                if side == -1 {
                    high.1 *= 0.5;
                }
                side = -1;
            }
        }
        t
    }

    /// -r(q + t dq)ᵀdq.
    fn slope(&mut self, problem: &HardProblem, q: &Vec6, dq: &Vec6, t: f64, eta: f64) -> f64 {
        let at = q + dq * t;
        let (wide, along) = (splat(&at), splat(dq));
        let smooth = Lane::splat(eta * eta);
        let (mut sum, mut swept) = (Lane::ZERO, 0);
        for block in &problem.blocks {
            let depth = block.depth - dot(&block.n, &wide);
            if depth.simd_gt(Lane::ZERO).to_bitmask() == 0 {
                continue;
            }
            swept += 1;
            let force = block.stiffness * depth.fast_max(Lane::ZERO);
            let u = [dot(&block.u, &wide) + block.slip[0], dot(&block.v, &wide) + block.slip[1]];
            let pull = block.mu * force / (u[0] * u[0] + u[1] * u[1] + smooth).sqrt();
            sum += dot(&block.n, &along) * force - pull * (u[0] * dot(&block.u, &along) + u[1] * dot(&block.v, &along));
        }
        self.swept(problem, swept);
        -dq.dot(&(problem.wrench - problem.stiffness * at)) - total(sum)
    }
}

/// A wrench's size as a force: torques count by a length.
fn size(w: &Vec6, torque: f64) -> f64 {
    let (f, t) = halves(w);
    (f.norm_squared() + t.norm_squared() * torque * torque).sqrt()
}
