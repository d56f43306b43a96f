//! The virtual proxy: the pose nearest to the hand's at which the parts do not penetrate.
//!
//! The hand goes where it wants; identification needs poses at which parts touch (sections 4.1 and 4.3 of the paper: "the constraint-based idea of a virtual proxy can also be used").
//! The proxy moves towards the hand in steps. Each step is the nearest point, in the metric of the hand's spring (k translation² + k_t rotation²), of the motions that no near pair of features
//! forbids: n·(v + ω × r) ≥ −gap. No point moves further in a step than pairs were looked for, so that nothing can be passed through. The proxy knows no friction: a part that sticks is
//! the friction's matter, which measures how far the proxy has moved from where sticking began.

use crate::placed::{Placed, Solids};
use crate::projection::{HalfSpace, nearest};
use crate::proximity::{MOST_PAIRS, NearFeatures, NearPair};
use stiction::spatial::{Frame, Pose, Vec3, Vec6, halves, join, log};

/// Most steps of a tick: a hand that is further away is followed in later ticks.
pub const MOST_STEPS: usize = 8;
/// Longest step, in units of ε: its second-order error is then below ε/3 for parts of radius 400 ε.
pub const LONGEST: f64 = 16.0;

/// The proxy and its memory.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// The held part at the proxy's pose.
    pub placed: Placed,
    /// Features near each other about there.
    pub near: NearFeatures,
    pairs: Vec<NearPair>,
    rows: Vec<HalfSpace>,
    /// How far it went in the last tick (m).
    went: f64,
    /// Normals of the contacts that keep it from the hand, and how many they are.
    pub(crate) pressing: [Vec3; 6],
    pub(crate) pressed: usize,
}

/// What happened on the way to the hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProxyOutcome {
    /// The steps did not suffice: the proxy follows in later ticks.
    pub behind: bool,
    /// There were more near features than fit, or a step had no solution.
    pub coarse: bool,
}

/// What the proxy measures by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProxyMetric {
    /// ε (m).
    pub epsilon: f64,
    /// √(k_t/k): the lever by which a rotation counts as a way (m).
    pub lever: f64,
}

impl Proxy {
    /// A proxy at a pose (B from A).
    pub fn new(solids: &Solids, pose: &Pose) -> Proxy {
        let (pairs, rows) = (Vec::with_capacity(MOST_PAIRS), Vec::with_capacity(MOST_PAIRS));
        Proxy {
            placed: Placed::new(solids, pose),
            near: NearFeatures::default(),
            pairs,
            rows,
            went: 0.0,
            pressing: [Vec3::zeros(); 6],
            pressed: 0,
        }
    }

    /// Unit normals, towards A, of the contacts that kept it from the hand in its last step.
    pub fn pressing(&self) -> &[Vec3] {
        &self.pressing[..self.pressed]
    }

    /// Moves towards the hand's pose (B from A). Allocates nothing.
    pub fn follow(&mut self, solids: &Solids, hand: &Pose, metric: &ProxyMetric) -> ProxyOutcome {
        let mut outcome = ProxyOutcome::default();
        let centre = solids.held.centre;
        let (radius, longest) = (solids.held.radius, LONGEST * metric.epsilon);
        let target = Frame::of(hand, &centre);
        // It will hardly go much further than in the last tick: a part that is held in place stays, wherever the hand goes.
        let expected = (2.0 * self.went).max(4.0 * metric.epsilon).min(longest);
        self.went = 0.0;
        for step in 0.. {
            let frame = Frame::of(&self.placed.pose, &centre);
            let error = join(target.centre - frame.centre, log(&(target.rotation * frame.rotation.inverse())));
            let (way, angle) = halves(&error);
            let length = way.norm() + radius * angle.norm();
            // Nearer than a hand can tell: bits shall rest when the hand does.
            if !(length > 1e-9 * radius) {
                return outcome;
            }
            if step == MOST_STEPS {
                outcome.behind = true;
                return outcome;
            }
            // The step goes for the whole way and is cut to what was looked for: what a step may do, a shorter one may.
            let farthest = if step == 0 { expected } else { longest };
            let reach = (1.2 * length).min(farthest);
            let (margin, depth) = ((1.01 * reach).max(2.0 * metric.epsilon), 2.0 * metric.epsilon);
            outcome.coarse |= !self.near.find(solids, &self.placed, margin, depth, &mut self.pairs);
            self.pressed = 0;
            let moved = self.step(&error, metric.lever);
            outcome.coarse |= moved.is_none();
            let Some(moved) = moved else { return outcome };
            let (way, angle) = halves(&moved);
            let went = way.norm() + radius * angle.norm();
            let share = (reach / went).min(1.0);
            let arrived = moved == error && share == 1.0;
            let pose = if arrived { *hand } else { frame.moved(&(moved * share)).pose(&centre) };
            self.placed.put(solids, &pose);
            self.went += went * share;
            // What is left is of second order, and the next tick's.
            if arrived || share == 1.0 && went < 0.25 * longest {
                return outcome;
            }
        }
        outcome
    }

    /// The admissible step nearest to a wished one; `None` if there is none.
    fn step(&mut self, wish: &Vec6, lever: f64) -> Option<Vec6> {
        let scaled = |v: &Vec6, by: f64| {
            let (first, second) = halves(v);
            join(first, second * by)
        };
        self.rows.clear();
        let centre = self.placed.centre;
        for pair in &self.pairs {
            let turn = (pair.point - centre).cross(&pair.normal);
            self.rows.push(HalfSpace { normal: scaled(&join(pair.normal, turn), 1.0 / lever), bound: -pair.gap });
        }
        if self.rows.iter().all(|row| row.normal.dot(&scaled(wish, lever)) >= row.bound) {
            return Some(*wish);
        }
        let tolerance = 1e-12;
        let wish = scaled(wish, lever);
        let found = nearest(&wish, &self.rows, tolerance).or_else(|| {
            // Parts that are in each other from both sides cannot be freed in one step: at least they go no deeper.
            self.rows.iter_mut().for_each(|row| row.bound = row.bound.min(0.0));
            nearest(&wish, &self.rows, tolerance)
        });
        let found = found?;
        for (to, row) in self.pressing.iter_mut().zip(found.active()) {
            *to = self.pairs[*row].normal;
        }
        self.pressed = found.active().len();
        Some(scaled(&found.point, 1.0 / lever))
    }
}
