//! The haptic cycle with hard contacts: see `hard/mod.rs` for the problem of a tick.
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

use super::ahead::{Gap, Meeting, UNSEEN};
use super::defaults::{self, ELASTIC, LEAST_MICRO_SLIP};
use super::rolling::Rolling;
use super::work::Ration;
use super::{Engine, matrix};
use crate::collide::{BATCH, Query, Traversal, Walk};
use crate::contact::penalty::{self, ShellOn};
use crate::contact::{Contact, ContactId, ContactProblem, Load};
use crate::coupling::Pull;
use crate::friction::{SlipState, Verdict};
use crate::hard::verify::{AnsweredContact, Certificate, certify};
use crate::hard::{Answer, Budget, Ending, HardContact, HardProblem, Memory, Newton, Recalled};
use crate::shape::{Edges, PointShell};
use crate::small;
use crate::spatial::{Frame, Mat3, Mat6, Vec3, Vec6, cross_matrix, halves, join};
use crate::trace::{ContactTrace, Flags};
use std::sync::Arc;

/// Reach as a multiple of ε, within which contacts keep their memory.
const REACH: f64 = 1.5;
/// The share of the longest step by which parts come apart that are deep in each other.
const APART: f64 = 0.5;
/// Most solves in a tick.
const SOLVES: u32 = 8;
/// With both shells, a point on a face counts where the other part's surface is parallel to it, in these limits of the cosine: what touches a face
/// otherwise is an edge of the other part, which has points of its own with the face's normal.
const FACE_AGREEMENT: [f64; 2] = [0.9, 0.97];
/// Share of the thinnest wall beyond which a point is deep.
const DEEP: f64 = 0.25;
/// The place of a point within reach that is not in the problem, because the other part's edges have points of their own there.
pub(super) const LEFT_OUT: u32 = u32::MAX;
/// A share of their limit beyond which contacts count as being at it.
const AT_LIMIT: f64 = 0.999;

/// A point in the problem of the last solve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Its number among the points of both shells in the order of walks.
    pub point: u32,
    /// It is a point of the held part.
    pub moves: bool,
    pub arm: Vec3,
    pub normal: Vec3,
    pub tangents: [Vec3; 2],
    pub depth: f64,
    pub stiffness: f64,
    pub mu: f64,
    /// F and β after the solve, and what the step did.
    pub force: f64,
    pub friction: Vec3,
    pub slip: Vec3,
    /// s before the step (m).
    pub remembered: Vec3,
    pub state: SlipState,
    /// Depth after the step, by the linear model (m).
    pub after: f64,
}

/// One of the two ways that the parts can be tested against each other: the shell of one, the field of the other.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// The held part carries the shell.
    pub held: bool,
    /// The number of its first point.
    pub first: u32,
    /// The shell, its points in the order of walks: what is kept of points that are near each other lies side by side.
    pub shell: Arc<PointShell>,
    /// Walks of the shell through the other part's field.
    pub traversal: Traversal,
    /// Shell points without a normal of their own.
    edges: Edges,
    /// The other part has a shell in use, too.
    both: bool,
    /// Cosines between shell normal and field gradient at which a point on a face begins to count and counts in full.
    agreement: [f64; 2],
}

/// What hard contacts need from tick to tick. All memory is made at the beginning.
#[derive(Clone, Debug)]
pub(super) struct HardCycle {
    pub sides: Vec<Side>,
    pub candidates: Vec<Candidate>,
    /// Of every point, the number that it has outside: that among the points of both parts' shells.
    numbers: Vec<u32>,
    problem: HardProblem,
    newton: Newton,
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
    pub answer: Answer,
    opposed: usize,
    /// Points that pushed in the last solve, and the mark that a point has been reported in this one.
    last: Vec<u32>,
    seen: Vec<u64>,
    pub stamp: u64,
    /// The work of the tick.
    pub ration: Ration,
    /// Tells a part that rolls from one that is still.
    rolling: Rolling,
}

impl HardCycle {
    pub fn new(engine: &Engine) -> Self {
        let (settings, wall) = (&engine.settings, engine.wall);
        let [held, fixed] = [&engine.held, &engine.fixed];
        let count = held.shell.points().len() as u32;
        let orders = [held, fixed].map(|part| part.shell.walk_order());
        let side = |held_carries: bool| {
            let (part, order) = if held_carries { (held, &orders[0]) } else { (fixed, &orders[1]) };
            let shell = part.shell.reordered(order);
            Side {
                held: held_carries,
                first: if held_carries { 0 } else { count },
                traversal: Traversal::remembering(&shell),
                shell: Arc::new(shell),
                edges: part.edges().reordered(order),
                both: settings.shell_on == ShellOn::Both,
                agreement: if settings.shell_on == ShellOn::Both { FACE_AGREEMENT } else { [0.0, penalty::AGREEMENT] },
            }
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
            answer: Answer::default(),
            opposed: 0,
            last: Vec::with_capacity(points),
            seen: vec![0; points],
            stamp: 0,
            rolling: Rolling::default(),
        }
    }

    fn id(&self, c: &Candidate) -> ContactId {
        ContactId(u64::from(self.numbers[c.point as usize]))
    }

    /// The contacts that push, for a part whose centre was there.
    pub fn contacts(&self, centre: Vec3) -> impl Iterator<Item = ContactTrace> + '_ {
        self.candidates.iter().filter(|c| c.force > 0.0).map(move |c| ContactTrace {
            id: self.id(c),
            position: centre + c.arm,
            normal: c.normal,
            depth: c.force / c.stiffness,
            normal_force: c.force,
            friction: c.friction,
            limit: c.mu * c.force,
            slip: c.slip,
            work: c.friction.dot(&c.slip),
            state: c.state,
        })
    }

    /// The last solve as a contact problem with given normal forces, for margins: at the end of the step, where only friction is left to ask for.
    pub fn pose(&self, mass: Mat6, into: &mut ContactProblem) {
        let (f, step) = (&self.problem.wrench, &self.answer.step);
        let mut stiffness = -self.problem.stiffness;
        for c in self.candidates.iter().filter(|c| c.force > 0.0) {
            let n = join(c.normal, c.arm.cross(&c.normal));
            stiffness -= n * (n * c.stiffness).transpose();
        }
        let load = Load { wrench: f - self.problem.stiffness * step + self.answer.normal, stiffness, mass };
        let contacts = self.candidates.iter().filter(|c| c.force > 0.0).map(|c| Contact {
            id: self.id(c),
            point: c.arm,
            normal: c.normal,
            tangent: c.tangents[0],
            gap: -c.force / c.stiffness,
            normal_force: c.force,
            mu_static: c.mu,
            mu_kinetic: c.mu,
        });
        // A problem that cannot be posed is left empty, and has no margins.
        let _ = into.rebuild(&load, contacts);
    }

    /// The certificate of the last solve, checked by [`verify`](crate::hard::verify).
    pub fn certificate(&self) -> Certificate {
        let answered = self.candidates.iter().map(|c| AnsweredContact {
            contact: HardContact {
                point: self.numbers[c.point as usize],
                arm: c.arm,
                normal: c.normal,
                depth: c.depth,
                stiffness: c.stiffness,
                mu: c.mu,
                slip: c.remembered,
            },
            force: c.force,
            friction: c.friction,
        });
        certify(&self.problem.wrench, &self.problem.stiffness, &self.answer.step, answered)
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

    pub fn reset(&mut self) {
        self.candidates.clear();
        self.problem.clear();
        self.memory.clear();
        self.sides.iter_mut().for_each(|side| side.traversal.forget());
        (self.last_step, self.share) = (Vec6::zeros(), 1.0);
        self.answer = Answer::default();
        self.ration.reset();
        self.rolling.forget();
    }
}

impl Engine {
    /// The cycle between the hand's pose and the wrench.
    pub(super) fn hard_cycle(&mut self, hand: &Frame, load: &Vec6, moved: f64) {
        let Some(mut hard) = self.hard.take() else { return };
        hard.hand_motion = moved;
        let mut solves = SOLVES;
        hard.ration.begin(self.settings.work);
        for solve in 1..=SOLVES {
            let reach = hard.least_reach.max(REACH * hard.micro_slip);
            let pull = self.settings.coupling.pull(hand, &self.part);
            let walk = self.collide_hard(&mut hard, reach);
            hard.problem.wrench = pull.wrench + load;
            hard.problem.length = self.radius;
            hard.problem.micro_slip = hard.micro_slip;
            let geometric = hard.geometric();
            hard.problem.stiffness = stiffness(&pull, &geometric, &mut self.trace.flags);
            let budget = Budget { passes: self.settings.friction.budget, cost: hard.ration.for_passes() };
            hard.answer = hard.newton.solve(&hard.problem, budget);
            hard.ration.solved(&hard.answer, &hard.newton.effort(), self.settings.friction.budget);
            let step = hard.shortened(self.radius);
            if solve == 1 {
                let deepest = hard.candidates.iter().map(|c| c.depth).fold(0.0, f64::max);
                let deep = deepest > DEEP * self.wall;
                self.trace.flags.set(Flags::DEEP, deep);
                // Parts that start in each other come apart by little in a tick, so that the hand feels no jump.
                solves = if deep { 1 } else { SOLVES };
            }
            let longest = if solves == 1 { APART * hard.leap } else { hard.leap };
            let (mut step, mut bounded) = cut(step, longest.max(walk.clearance), self.radius);
            let mut off = false;
            if far(&step, self.radius) > reach.max(walk.clearance) {
                let ahead = self.look_ahead(&mut hard, &step, reach);
                step *= ahead.share;
                bounded |= ahead.share < 1.0;
                off = ahead.off;
            }
            hard.commit(&step, solve > 1);
            self.part = self.part.moved(&step);
            self.note_hard(&hard, &walk, &pull, bounded);
            if !((bounded || off) && solve < solves && hard.another()) {
                break;
            }
        }
        self.trace.flags.set(Flags::COARSE, hard.ration.binds);
        hard.ration.bound += u64::from(hard.ration.binds);
        self.note_rolling(&mut hard);
        self.hard = Some(hard);
    }

    /// The points within reach, with what they remember, as the problem of the solve.
    fn collide_hard(&mut self, hard: &mut HardCycle, reach: f64) -> Walk {
        let part = self.part.pose(&self.held.mass.centre);
        hard.last.clear();
        hard.last.extend(hard.candidates.iter().filter(|c| c.force > 0.0).map(|c| c.point));
        hard.candidates.clear();
        hard.problem.clear();
        hard.opposed = 0;
        hard.stamp += 1;
        hard.ration.begin_solve();
        let HardCycle {
            sides,
            candidates,
            problem,
            newton,
            memory,
            stiffness,
            rounding,
            included,
            opposed,
            last,
            seen,
            stamp,
            ration,
            ..
        } = hard;
        let (mu_static, mu_kinetic) = match self.settings.friction.method {
            crate::friction::Method::Frictionless => (0.0, 0.0),
            _ => (self.settings.mu_static, self.settings.mu_kinetic),
        };
        let mut whole = Walk { clearance: f64::INFINITY, ..Walk::default() };
        for (which, side) in sides.iter_mut().enumerate() {
            let Side { held, first, shell, traversal, edges, both, agreement: face } = side;
            let (held, first, both, face) = (*held, *first, *both, *face);
            let meeting = Meeting::new(self, shell, held, &part, *rounding);
            let Meeting { shell, field, world_from_shell, world_from_field, .. } = meeting;
            // The way out for the held part is along the field's gradient, or against it where the held part carries the field.
            let sign = if held { 1.0 } else { -1.0 };
            let (field_rotation, shell_rotation) = (matrix(&world_from_field), matrix(&world_from_shell) * -sign);
            let shift = world_from_field.translation.vector - self.part.centre;
            let points = shell.points();
            // Whether a point is in the problem then.
            let mut take = |point: u32, position: &Vec3, gap: &Gap| {
                let Gap { distance, gradient } = *gap;
                if distance > reach {
                    return false;
                }
                let slope = gradient.norm();
                if !(slope > 0.05) {
                    return false;
                }
                let normal = field_rotation * gradient * (sign / slope);
                let edge = edges.at(point);
                let cosine = normal.dot(&(shell_rotation * points[point as usize].normal)).max(edge.map_or(
                    f64::NEG_INFINITY,
                    |normals| {
                        let out = shell_rotation.tr_mul(&normal);
                        normals.iter().map(|n| n.dot(&out)).fold(f64::NEG_INFINITY, f64::max)
                    },
                ));
                let [none, full] = if edge.is_some() { penalty::EDGE_AGREEMENT } else { face };
                let agreement = penalty::smoothstep((cosine - none) / (full - none));
                // What a face only comes near to is an edge's matter, too: as a plane, the rounded edge would bar the way past it.
                let near_edge = edge.is_none() && cosine < face[1] && distance > 0.0;
                if !(agreement > 0.0) || near_edge && both {
                    *opposed += usize::from(distance < 0.0);
                    included[(first + point) as usize] = (*stamp, LEFT_OUT);
                    return false;
                }
                let number = first + point;
                let known = memory.recall(number);
                let Recalled { slip, friction, force, sliding } = known.unwrap_or_default();
                let contact = HardContact {
                    point: number,
                    arm: field_rotation * position + shift,
                    normal,
                    // The same spring, told along a unit normal.
                    depth: -distance / slope,
                    stiffness: stiffness[number as usize] * agreement * slope * slope,
                    mu: if sliding { mu_kinetic } else { mu_static },
                    slip,
                };
                included[number as usize] = (*stamp, candidates.len() as u32);
                let tangents = problem.push(&contact);
                newton.begin_with(candidates.len(), [friction.dot(&tangents[0]), friction.dot(&tangents[1])]);
                candidates.push(Candidate {
                    point: number,
                    moves: held,
                    arm: contact.arm,
                    normal,
                    tangents,
                    depth: contact.depth,
                    stiffness: contact.stiffness,
                    mu: contact.mu,
                    force,
                    friction,
                    slip: Vec3::zeros(),
                    remembered: slip,
                    state: SlipState::Separated,
                    after: contact.depth,
                });
                true
            };
            let field_from_shell = meeting.field_from_shell();
            let query = Query { margin: reach, max_samples: self.settings.max_samples };
            let mut left = ration.share(which, shell, first, last);
            let dearest = ration.dearest();
            let mut gaps = [Gap::NONE; BATCH];
            let walk = traversal.touching_within(shell, field, &field_from_shell, query, &mut left, dearest, |hits| {
                meeting.gaps(hits, &mut gaps);
                let mut price = 0;
                for (hit, gap) in hits.iter().zip(&gaps) {
                    seen[(first + hit.point) as usize] = *stamp;
                    let built = take(hit.point, &hit.position, gap);
                    price += if built { ration.build(first + hit.point, hit.sample.distance < 0.0) } else { 1 };
                }
                price
            });
            let Ok(mut walk) = walk else { continue };
            if walk.stopped {
                // Whatever the budget, contacts of the last tick are looked at: no loaded region loses all its points.
                for i in 0..ration.kept().len() {
                    let number = ration.kept()[i];
                    if seen[number as usize] == *stamp {
                        continue;
                    }
                    let point = number - first;
                    let position = field_from_shell * nalgebra::Point3::from(points[point as usize].position);
                    let sample = field.sample(position.coords);
                    walk.samples += 1;
                    if sample.distance < reach {
                        walk.hits += 1;
                        if take(point, &position.coords, &meeting.gap(point, &position.coords, &sample)) {
                            ration.build(number, true);
                        }
                    }
                }
            }
            ration.walked(&walk);
            whole.clearance = whole.clearance.min(walk.clearance);
            whole.samples += walk.samples;
            whole.remembered += walk.remembered;
            whole.nodes += walk.nodes;
            whole.hits += walk.hits;
            whole.levels = whole.levels.max(walk.levels);
            whole.stopped |= walk.stopped;
        }
        self.posed_at = self.part.centre;
        whole
    }

    fn note_hard(&mut self, hard: &HardCycle, walk: &Walk, pull: &Pull, bounded: bool) {
        let t = &mut self.trace;
        let answer = &hard.answer;
        t.substeps += 1;
        (t.normal, t.friction) = (answer.normal, answer.friction);
        (t.iterations, t.passes) = (answer.iterations, answer.passes);
        (t.pressure, t.limit) = (answer.pressure, answer.limit);
        t.residual = answer.balance;
        let slid = t.substeps > 1 && t.verdict == Verdict::Slips;
        (t.contacts, t.stuck, t.sliding, t.separating, t.limited) = (0, 0, 0, 0, 0);
        (t.work, t.depth, t.slip) = ([0.0, f64::NEG_INFINITY], 0.0, 0.0);
        for c in &hard.candidates {
            if !(c.force > 0.0) {
                continue;
            }
            t.contacts += 1;
            t.stuck += u32::from(c.state == SlipState::Stuck);
            t.sliding += u32::from(c.state == SlipState::Sliding);
            t.limited += u32::from(c.friction.norm() >= AT_LIMIT * c.mu * c.force);
            t.depth = t.depth.max(c.after);
            let work = c.friction.dot(&c.slip);
            t.work = [t.work[0] + work, t.work[1].max(work)];
            t.slip = t.slip.max(c.slip.norm());
        }
        t.verdict = match answer.ending {
            _ if t.sliding > 0 || slid => Verdict::Slips,
            Ending::Solved if !(answer.limit > 0.0) => Verdict::Free,
            Ending::Solved => Verdict::Holds,
            _ => Verdict::Undecided,
        };
        t.clearance = walk.clearance;
        t.samples = walk.samples as u32;
        t.levels = walk.levels as u32;
        t.flags.set(Flags::SATURATED, pull.saturated);
        t.flags.set(Flags::STEP_BOUNDED, bounded);
        t.flags.set(Flags::OPPOSED, hard.opposed > 0);
        t.flags.set(Flags::UNDECIDED, answer.ending != Ending::Solved);
    }

    /// Tells a part that rolls from one that is still: once in a tick, after its last solve.
    fn note_rolling(&mut self, hard: &mut HardCycle) {
        match self.trace.verdict {
            Verdict::Holds => {
                let arms = hard.candidates.iter().filter(|c| c.force > 0.0).map(|c| c.arm);
                if hard.rolling.rolls(&self.part, arms, hard.micro_slip, self.radius) {
                    self.trace.verdict = Verdict::Rolls;
                }
            }
            // A tick without an answer says nothing about the motion.
            Verdict::Undecided => {}
            _ => hard.rolling.forget(),
        }
    }
}

impl HardCycle {
    /// Whether there is work left for another solve with the contacts that push in the last answer.
    fn another(&mut self) -> bool {
        let pushing = (0..self.candidates.len()).filter(|&i| self.newton.contact(i).0 > 0.0).count();
        self.ration.another(pushing)
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
            let (force, friction) = self.newton.contact(i);
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

/// How far a step takes a point at most (m).
pub(super) fn far(step: &Vec6, radius: f64) -> f64 {
    let (translation, rotation) = halves(step);
    translation.norm() + rotation.norm() * radius
}

/// The step cut so that no point goes further than allowed.
fn cut(step: Vec6, allowed: f64, radius: f64) -> (Vec6, bool) {
    let reach = far(&step, radius);
    if reach > allowed { (step * (allowed / reach), true) } else { (step, false) }
}
