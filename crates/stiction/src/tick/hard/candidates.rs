//! The points within reach of the other part, as the problem of a solve.

use super::HardCycle;
use crate::collide::{BATCH, Query, Traversal, Walk};
use crate::contact::Axes;
use crate::contact::penalty::{self, ShellOn};
use crate::friction::{Method, SlipState};
use crate::hard::{HardContact, Recalled};
use crate::shape::{Edges, PointShell, Shape};
use crate::spatial::Vec3;
use crate::tick::State;
use crate::tick::ahead::{Gap, Meeting};
use crate::tick::stages::Stage;
use std::sync::Arc;

/// With both shells, a point on a face counts where the other part's surface is parallel to it, in these limits of the cosine: what touches a face
/// otherwise is an edge of the other part, which has points of its own with the face's normal.
const FACE_AGREEMENT: [f64; 2] = [0.9, 0.97];
/// The place of a point within reach that is not in the problem, because the other part's edges have points of their own there.
pub(in crate::tick) const LEFT_OUT: u32 = u32::MAX;

/// A point in the problem of the last solve.
#[derive(Clone, Copy, Debug)]
pub(in crate::tick) struct Candidate {
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
pub(in crate::tick) struct Side {
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

impl Side {
    /// The shell of a part, which is the held one or not, with its points in this order and from this number on.
    pub fn new(part: &Shape, order: &[u32], held: bool, first: u32, shell_on: ShellOn) -> Self {
        let shell = part.shell.reordered(order);
        let both = shell_on == ShellOn::Both;
        Side {
            held,
            first,
            traversal: Traversal::remembering(&shell),
            shell: Arc::new(shell),
            edges: part.edges().reordered(order),
            both,
            agreement: if both { FACE_AGREEMENT } else { [0.0, penalty::AGREEMENT] },
        }
    }
}

impl HardCycle {
    /// The points within reach, with what they remember, as the problem of the solve.
    pub(super) fn collide(&mut self, state: &mut State, reach: f64) -> Walk {
        let part = state.part.pose(&state.held.mass.centre);
        self.last.clear();
        self.last.extend(self.candidates.iter().filter(|c| c.force > 0.0).map(|c| c.point));
        self.candidates.clear();
        self.problem.clear();
        (self.deepest, self.opposed) = (0.0, 0.0);
        self.stamp += 1;
        self.stopwatch.end(Stage::Rest);
        self.ration.begin_solve();
        let HardCycle {
            sides,
            candidates,
            problem,
            newton,
            unilateral,
            memory,
            stiffness,
            rounding,
            included,
            deepest,
            opposed,
            last,
            seen,
            stamp,
            ration,
            stopwatch,
            ..
        } = self;
        let least = if unilateral.is_some() { 0.5 } else { 0.0 };
        let (mu_static, mu_kinetic) = match state.settings.friction.method {
            Method::Frictionless => (0.0, 0.0),
            _ => (state.settings.mu_static, state.settings.mu_kinetic),
        };
        let mut whole = Walk { clearance: f64::INFINITY, ..Walk::default() };
        for (which, side) in sides.iter_mut().enumerate() {
            let Side { held, first, shell, traversal, edges, both, agreement: face } = side;
            let (held, first, both, face) = (*held, *first, *both, *face);
            let meeting = Meeting::new(state, shell, held, &part, *rounding);
            let Meeting { shell, field, world_from_shell, world_from_field, .. } = meeting;
            let axes = Axes::new(held, &world_from_shell, &world_from_field, &state.part.centre);
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
                let normal = axes.field * gradient * (axes.sign / slope);
                let edge = edges.at(point);
                let cosine = axes.along(&normal, &(axes.shell * points[point as usize].normal), edge);
                let [none, full] = if edge.is_some() { penalty::EDGE_AGREEMENT } else { face };
                let agreement = penalty::smoothstep((cosine - none) / (full - none));
                // What a face only comes near to is an edge's matter, too: as a plane, the rounded edge would bar the way past it.
                let near_edge = edge.is_none() && cosine < face[1] && distance > 0.0;
                // A contact without stiffness is there or not.
                if !(agreement > least) || near_edge && both {
                    // An edge of the other part, or a face that is flush with one, is no far side.
                    *opposed = if cosine < 0.0 { opposed.max(-distance) } else { *opposed };
                    included[(first + point) as usize] = (*stamp, LEFT_OUT);
                    return false;
                }
                *deepest = deepest.max(-distance);
                let number = first + point;
                let known = memory.recall(number);
                let Recalled { slip, friction, force, sliding } = known.unwrap_or_default();
                let contact = HardContact {
                    point: number,
                    arm: axes.arm(position),
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
            let query = Query { margin: reach, max_samples: state.settings.max_samples };
            let mut left = ration.share(which, shell, first, last);
            let dearest = ration.dearest();
            let mut gaps = [Gap::NONE; BATCH];
            let walk = traversal.touching_within(shell, field, &field_from_shell, query, &mut left, dearest, |hits| {
                stopwatch.end(Stage::Walk);
                meeting.gaps(hits, &mut gaps);
                let mut price = 0;
                for (hit, gap) in hits.iter().zip(&gaps) {
                    seen[(first + hit.point) as usize] = *stamp;
                    let built = take(hit.point, &hit.position, gap);
                    price += if built { ration.build(first + hit.point, hit.sample.distance < 0.0) } else { 1 };
                }
                stopwatch.end(Stage::Contacts);
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
            stopwatch.end(Stage::Walk);
            ration.walked(&walk);
            whole.clearance = whole.clearance.min(walk.clearance);
            whole.samples += walk.samples;
            whole.remembered += walk.remembered;
            whole.nodes += walk.nodes;
            whole.hits += walk.hits;
            whole.levels = whole.levels.max(walk.levels);
            whole.stopped |= walk.stopped;
        }
        state.posed_at = state.part.centre;
        whole
    }
}
