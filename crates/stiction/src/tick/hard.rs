//! The haptic cycle with hard contacts: see `hard/mod.rs` for the problem of a tick. Unilateral contacts go the same way with solvers of their own, `unilateral.rs`.
//!
//! ```text
//! every shell point that the step could bring into contact  →  δ, J, k, s         collide
//! f = f_vc + f_load,  A = -sym(∂f/∂(x, ω)) + the geometric stiffness of contacts
//! q, F, β  from  (1)-(3)                                                          one problem in R⁶
//! x ← x + q_x,  R ← exp([q_ω]×) R
//! ```
//!
//! **Reach.** Points nearer than a reach ρ are in the problem, inside or not, so a step that moves no point further than ρ cannot take a point that
//! was left out into the other part. ρ is small, some micrometres: where surfaces lie on each other, a larger one would take thousands of points into the problem that
//! touch nothing. A longer step is looked at before it is taken: the shells are walked where it would end ([`super::ahead`]), which is where the next tick
//! begins, so that little of it is done twice. If a point would be inside that was left out, the step ends where that point begins to touch, and the tick
//! collides and solves again. No step is longer than [`defaults::longest_step`] beyond the proven clearance, so none takes a point through a wall unseen.
//!
//! **Geometric stiffness.** A contact force turns with the lever arm it acts on. With F_i of the last tick, the shell on the held part gives
//! ∂τ/∂ω = [F_i]×[r_i]×, the shell on the fixed part ∂F/∂ω = -[F_i]×, ∂τ/∂x = [F_i]×, ∂τ/∂ω = -[r_i]×[F_i]×. What of it is symmetric goes into A where A stays
//! positive definite; otherwise only its part along rotations that resists. It changes how fast ticks settle, not where.
//!
//! **Rest.** The distance field has kinks at the faces of its cells. Where equilibrium lies on one, steps from both sides overshoot for ever;
//! each time that a step turns back on the last one, the share of it that is taken is halved.

use super::ahead::UNSEEN;
use super::defaults::{self, ELASTIC, LEAST_MICRO_SLIP};
use super::rolling::Rolling;
use super::stages::{Stage, Stopwatch};
use super::unilateral::Unilateral;
use super::work::Ration;
use super::{DEEP, State, cut, far};
use crate::contact::penalty::ShellOn;
use crate::coupling::Pull;
use crate::delassus::{ConeProblem, RigidOperator};
use crate::friction::{SlipState, Verdict};
use crate::hard::{Budget, HardAnswer, HardProblem, Memory, Newton};
use crate::small;
use crate::spatial::{self, Frame, Mat3, Mat6, Pose, Vec3, Vec6, cross_matrix, halves, join};
use crate::trace::Flags;

mod candidates;
mod report;
use candidates::Side;
pub(super) use candidates::{Candidate, LEFT_OUT};

/// Reach as a multiple of ε, within which contacts keep their memory.
const REACH: f64 = 1.5;
/// The share of the longest step by which parts come apart that are deep in each other.
const APART: f64 = 0.5;
/// Most solves in a tick.
const SOLVES: u32 = 8;
/// What hard contacts need from tick to tick. All memory is made at the beginning.
#[derive(Clone, Debug)]
pub(super) struct HardCycle {
    pub sides: Vec<Side>,
    pub candidates: Vec<Candidate>,
    /// Of every point, the number that it has outside: that among the points of both parts' shells.
    numbers: Vec<u32>,
    problem: HardProblem,
    newton: Newton,
    /// Solves for contacts without stiffness instead of `newton`.
    unilateral: Option<Box<Unilateral>>,
    memory: Memory,
    /// k of a contact of each point (N/m).
    stiffness: Vec<f64>,
    /// Furthest that a solve takes a point beyond the proven clearance (m).
    leap: f64,
    least_reach: f64,
    /// Depth that a point may get into unseen (m).
    pub unseen: f64,
    /// The solve in which a point was last within reach, by its stamp, and its place among the candidates or [`LEFT_OUT`].
    pub included: Vec<(u64, u32)>,
    /// Depth of a contact under the largest force (m).
    elastic: f64,
    /// Depth that contacts ignore everywhere (m).
    pub rounding: f64,
    /// ε in force (m), and the one that the user asked for.
    micro_slip: f64,
    given_micro_slip: Option<f64>,
    /// The last step before it was shortened, and the share that is taken of steps.
    last_step: Vec6,
    share: f64,
    /// How far the hand moved in this tick, at most at any point (m).
    hand_motion: f64,
    last_wrench: Vec6,
    pub answer: HardAnswer,
    /// Largest depth of a point in the last solve, and of one on the far side of something, which carries no force (m).
    deepest: f64,
    opposed: f64,
    /// Depth beyond which a point on the far side is told (m): what the largest force explains.
    told_opposed: f64,
    /// Points that pushed in the last solve, and the mark that a point has been reported in this one.
    last: Vec<u32>,
    seen: Vec<u64>,
    pub stamp: u64,
    /// The work of the tick.
    pub ration: Ration,
    /// Tells a part that rolls from one that is still.
    rolling: Rolling,
    pub stopwatch: Stopwatch,
}

impl HardCycle {
    /// For the parts and settings of an engine.
    pub fn new(state: &State, unilateral: Option<Unilateral>) -> Self {
        let (settings, wall) = (&state.settings, state.wall);
        let [held, fixed] = [&state.held, &state.fixed];
        let count = held.shell.points().len() as u32;
        let orders = [held, fixed].map(|part| part.shell.walk_order());
        let side = |of_held: bool| match of_held {
            true => Side::new(held, &orders[0], true, 0, settings.shell_on),
            false => Side::new(fixed, &orders[1], false, count, settings.shell_on),
        };
        let sides = match settings.shell_on {
            ShellOn::Held => vec![side(true)],
            ShellOn::Fixed => vec![side(false)],
            ShellOn::Both => vec![side(true), side(false)],
        };
        let points = count as usize + fixed.shell.points().len();
        let [size, other] = [held, fixed].map(|part| defaults::size(part));
        let force = defaults::force(&settings.coupling, &size);
        let elastic = settings.stiffness.map_or(defaults::elastic_depth(wall), |stiffness| force / stiffness);
        let ration = Ration::new(sides.iter().map(|side| &*side.shell), points);
        let [ours, others] = &orders;
        let numbers: Vec<u32> = ours.iter().copied().chain(others.iter().map(|i| count + i)).collect();
        let stiffness = match settings.modulus {
            None => vec![force / elastic; points],
            Some(modulus) => {
                // Where both parts have points, each place is counted twice.
                let share = if settings.shell_on == ShellOn::Both { 0.5 } else { 1.0 };
                let areas: Vec<f64> = held.point_areas().into_iter().chain(fixed.point_areas()).collect();
                numbers.iter().map(|&i| share * modulus * areas[i as usize]).collect()
            }
        };
        HardCycle {
            ration,
            unilateral: unilateral.map(Box::new),
            sides,
            numbers,
            candidates: Vec::with_capacity(points),
            problem: HardProblem::with_capacity(points),
            newton: Newton::with_capacity(points),
            memory: Memory::with_capacity(points),
            stiffness,
            elastic: if settings.modulus.is_some() { f64::INFINITY } else { elastic },
            leap: defaults::longest_step(wall),
            least_reach: defaults::least_reach([held, fixed].map(|part| part.field.lattice().spacing)),
            unseen: UNSEEN * elastic.min(defaults::elastic_depth(wall)),
            included: vec![(0, 0); points],
            rounding: defaults::rounding(&size, &other),
            micro_slip: settings.micro_slip.unwrap_or(LEAST_MICRO_SLIP),
            given_micro_slip: settings.micro_slip,
            last_step: Vec6::zeros(),
            share: 1.0,
            hand_motion: 0.0,
            last_wrench: Vec6::zeros(),
            answer: HardAnswer::default(),
            deepest: 0.0,
            opposed: 0.0,
            told_opposed: elastic.min(DEEP * wall),
            last: Vec::with_capacity(points),
            seen: vec![0; points],
            stamp: 0,
            rolling: Rolling::default(),
            stopwatch: Stopwatch::default(),
        }
    }

    /// How far a solve reaches for points with this ε (m).
    fn reach(&self, micro_slip: f64) -> f64 {
        self.least_reach.max(REACH * micro_slip)
    }

    /// Furthest that a solve takes a point beyond the proven clearance (m).
    pub fn step_bound(&self) -> f64 {
        self.leap
    }

    /// Takes over what the contacts of another cycle with the same shapes remember.
    pub fn remember_as(&mut self, other: &HardCycle) {
        self.memory.copy_from(&other.memory);
        if self.given_micro_slip.is_none() {
            self.micro_slip = other.micro_slip;
        }
    }

    /// Forgets all contacts.
    pub fn reset(&mut self) {
        self.candidates.clear();
        self.problem.clear();
        self.memory.clear();
        self.sides.iter_mut().for_each(|side| side.traversal.forget());
        (self.last_step, self.share) = (Vec6::zeros(), 1.0);
        self.answer = HardAnswer::default();
        self.ration.reset();
        self.rolling.forget();
        if let Some(unilateral) = &mut self.unilateral {
            unilateral.forget();
        }
    }

    /// The problem of the last solve of unilateral contacts.
    pub fn cone_problem(&self) -> Option<&ConeProblem<RigidOperator>> {
        self.unilateral.as_ref().map(|unilateral| unilateral.problem())
    }

    /// Whether contacts have no stiffness.
    pub fn is_unilateral(&self) -> bool {
        self.unilateral.is_some()
    }

    /// The cycle between the hand's pose and the wrench.
    pub fn run(&mut self, state: &mut State, hand: &Frame, last_hand: &Pose, load: &Vec6) {
        self.stopwatch.begin();
        let last = Frame::of(last_hand, &state.held.mass.centre);
        let turned = spatial::log(&(hand.rotation * last.rotation.inverse())).norm();
        self.hand_motion = (hand.centre - last.centre).norm() + turned * state.radius;
        let mut solves = SOLVES;
        self.ration.begin(state.settings.work);
        for solve in 1..=SOLVES {
            let reach = self.reach(self.micro_slip);
            let pull = state.settings.coupling.pull(hand, &state.part);
            let walk = self.collide(state, reach);
            self.problem.wrench = pull.wrench + load;
            self.problem.length = state.radius;
            self.problem.micro_slip = self.micro_slip;
            // The operator of unilateral contacts is that of the coupling alone.
            let geometric = if self.unilateral.is_some() { Mat6::zeros() } else { self.geometric() };
            self.problem.stiffness = stiffness(&pull, &geometric, &mut state.trace.flags);
            let budget = Budget { passes: state.settings.friction.budget, cost: self.ration.for_passes() };
            self.stopwatch.end(Stage::Rest);
            let effort = match &mut self.unilateral {
                None => {
                    self.answer = self.newton.solve(&self.problem, budget);
                    self.newton.effort()
                }
                Some(unilateral) => {
                    self.answer = unilateral.solve(&self.problem, &self.candidates, budget);
                    unilateral.effort()
                }
            };
            self.stopwatch.end(Stage::Solve);
            self.ration.solved(&self.answer, &effort, state.settings.friction.budget);
            let step = self.shortened(state.radius);
            if solve == 1 {
                let deepest = self.candidates.iter().map(|c| c.depth).fold(0.0, f64::max);
                let deep = deepest > DEEP * state.wall;
                state.trace.flags.set(Flags::DEEP, self.deepest > DEEP * state.wall);
                // Parts that start in each other come apart by little in a tick, so that the hand feels no jump.
                solves = if deep { 1 } else { SOLVES };
            }
            let longest = if solves == 1 { APART * self.leap } else { self.leap };
            let (mut step, mut bounded) = cut(step, longest.max(walk.clearance), state.radius);
            let mut off = false;
            if far(&step, state.radius) > reach.max(walk.clearance) {
                self.stopwatch.end(Stage::Rest);
                let ahead = self.look_ahead(state, &step, reach);
                self.stopwatch.end(Stage::Ahead);
                step *= ahead.share;
                bounded |= ahead.share < 1.0;
                off = ahead.off;
            }
            self.commit(&step, solve > 1);
            state.part = state.part.moved(&step);
            self.note(state, &walk, &pull, bounded);
            if !((bounded || off) && solve < solves && self.another()) {
                break;
            }
        }
        state.trace.flags.set(Flags::COARSE, self.ration.binds);
        self.ration.bound += u64::from(self.ration.binds);
        self.note_rolling(state);
        self.stopwatch.end(Stage::Rest);
    }

    /// Tells a part that rolls from one that is still: once in a tick, after its last solve.
    fn note_rolling(&mut self, state: &mut State) {
        match state.trace.verdict {
            Verdict::Holds => {
                let arms = self.candidates.iter().filter(|c| c.force > 0.0).map(|c| c.arm);
                if self.rolling.rolls(&state.part, arms, self.micro_slip, state.radius) {
                    state.trace.verdict = Verdict::Rolls;
                }
            }
            // A tick without an answer says nothing about the motion.
            Verdict::Undecided => {}
            _ => self.rolling.forget(),
        }
    }

    /// Whether there is work left for another solve with the contacts that push in the last answer.
    fn another(&mut self) -> bool {
        let pushing = (0..self.candidates.len()).filter(|&i| self.force(i).0 > 0.0).count();
        self.ration.another(pushing)
    }

    /// Normal force and friction (N) of a candidate in the last answer.
    #[inline]
    fn force(&self, candidate: usize) -> (f64, [f64; 2]) {
        match &self.unilateral {
            None => self.newton.contact(candidate),
            Some(unilateral) => unilateral.contact(candidate),
        }
    }

    /// The geometric stiffness of the contacts of the last tick.
    fn geometric(&self) -> Mat6 {
        let (mut block, mut off) = (Mat3::zeros(), Vec3::zeros());
        for c in &self.candidates {
            if !(c.force > 0.0) {
                continue;
            }
            let f = c.normal * c.force;
            let outer = c.arm * f.transpose();
            let held = Mat3::identity() * c.arm.dot(&f) - (outer + outer.transpose()) * 0.5;
            if c.moves {
                block += held;
            } else {
                block -= held;
                off += f;
            }
        }
        let mut k = Mat6::zeros();
        k.fixed_view_mut::<3, 3>(3, 3).copy_from(&block);
        k.fixed_view_mut::<3, 3>(0, 3).copy_from(&cross_matrix(off));
        k.fixed_view_mut::<3, 3>(3, 0).copy_from(&-cross_matrix(off));
        k
    }

    /// The step of the answer, shortened where steps turn back on each other while nothing else changes.
    fn shortened(&mut self, radius: f64) -> Vec6 {
        let step = self.answer.step;
        let weigh = |v: &Vec6| {
            let (x, w) = halves(v);
            join(x, w * radius)
        };
        let (now, last) = (weigh(&step), weigh(&self.last_step));
        let changed = (self.problem.wrench - self.last_wrench).norm() > 1e-3 * self.problem.wrench.norm();
        let back = now.dot(&last) < -0.25 * now.norm() * last.norm();
        self.share = match (changed || self.hand_motion > 0.0, back) {
            (true, _) => 1.0,
            (_, true) => 0.5 * self.share,
            _ => (1.2 * self.share).min(1.0),
        };
        (self.last_step, self.last_wrench) = (step, self.problem.wrench);
        step * self.share
    }

    /// Takes a step into account: what contacts remember, and what they did.
    fn commit(&mut self, step: &Vec6, again: bool) {
        let mut deepest = 0.0f64;
        let mut commit = self.memory.commit(step, self.micro_slip, again);
        for (i, c) in self.candidates.iter_mut().enumerate() {
            let (force, friction) = match &self.unilateral {
                None => self.newton.contact(i),
                Some(unilateral) => unilateral.contact(i),
            };
            c.force = force;
            c.friction = c.tangents[0] * friction[0] + c.tangents[1] * friction[1];
            deepest = deepest.max(force / c.stiffness);
            let along = join(c.normal, c.arm.cross(&c.normal)).dot(step);
            c.after = c.depth - along;
            let slipped = commit.contact(c.point, [&c.arm, &c.normal], c.moves, along - c.depth, force, c.friction);
            c.slip = slipped.slip;
            c.state = match (force > 0.0, slipped.sliding) {
                (true, true) => SlipState::Sliding,
                (true, false) => SlipState::Stuck,
                _ => SlipState::Separated,
            };
        }
        // Parts that start in each other are deeper than any force presses them.
        let wanted = (ELASTIC * deepest.min(self.elastic)).max(LEAST_MICRO_SLIP);
        self.micro_slip = self.given_micro_slip.unwrap_or(wanted.max(0.99 * self.micro_slip));
    }
}

/// A: the coupling's stiffness with the contacts' geometric one, as much of it as leaves A positive definite.
fn stiffness(pull: &Pull, geometric: &Mat6, flags: &mut Flags) -> Mat6 {
    let base = -(pull.stiffness + pull.stiffness.transpose()) * 0.5;
    let whole = base + geometric;
    let definite = small::cholesky(&whole).is_some();
    flags.set(Flags::PLAIN_STIFFNESS, !definite);
    if definite {
        return whole;
    }
    let mut out = base;
    let block = geometric.fixed_view::<3, 3>(3, 3).into_owned();
    let mut rotations = out.fixed_view_mut::<3, 3>(3, 3);
    rotations += small::positive_part(&block);
    out
}
