//! Wolfe's nearest-point algorithm in six dimensions.
//!
//! P. Wolfe, *Finding the nearest point in a polytope*, Mathematical Programming 11 (1976). The set is
//!
//! ```text
//! C = { B (f + Σ_i G_i β_i) : β_i ∈ P_i } ⊂ R⁶
//! ```
//!
//! a Minkowski sum of k polygons or disks, seen through B. Its support map costs one pass over the contacts. A
//! *corral* is a set of at most seven affinely independent points of C whose nearest point to the origin, x,
//! is a convex combination of them with positive weights. Each major cycle adds the point of C extreme
//! for -x; minor cycles drop points until the corral is one again. ‖x‖ falls in every major cycle.
//!
//! Deviations: it starts from β = 0, which need not be a vertex, so that no iterate is worse than no friction and
//! any iterate is admissible; the affine minimiser is taken from an orthogonal factorisation of the differences
//! instead of from the Gram matrix, whose condition would be squared; the asked question decides when to stop:
//!
//! - [`Question::Contains`] (the linear program): the origin is in C, or xᵀc > 0 for all c ∈ C;
//! - [`Question::Nearest`] (the quadratic program): the duality gap ‖x‖² - min_{c ∈ C} xᵀc is at rounding.

use super::cone::Shape;
use super::passes::{self, Pair};
use crate::contact::{Block, Lane};
use crate::spatial::{Mat6, Vec6};

/// Most points in a corral: seven span six dimensions, and one is about to be dropped.
const POINTS: usize = 8;

/// The gap, relative to ‖x‖ times the size of the set, that counts as rounding.
const GAP_TOLERANCE: f64 = 1e-13;
/// ‖x‖, relative to the size of the load, below which the origin is contained.
const CONTAINED: f64 = 1e-12;

/// What is asked of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Is the origin in C?
    Contains,
    /// Which point is nearest to the origin?
    Nearest,
}

/// How the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The origin is a convex combination of the corral, to rounding.
    Contained,
    /// xᵀc > 0 on all of C: x separates it from the origin.
    Separated,
    /// x is the nearest point, to rounding.
    Nearest,
    /// Rounding stopped the descent before the gap closed.
    Stalled,
    /// The budget ran out.
    Budget,
}

/// Where the search stands.
#[derive(Clone, Debug)]
pub(super) struct Corral {
    points: [Vec6; POINTS],
    weights: [f64; POINTS],
    slots: [usize; POINTS],
    len: usize,
    /// The directions that found the points of the corral, to start the next tick from.
    directions: [Vec6; POINTS],
    /// Friction of each point of the corral, by its slot.
    friction: [Vec<Pair>; POINTS],
    /// The directions of the last warm search, and how many there are.
    warm: [Vec6; POINTS],
    warm_count: usize,
    pub x: Vec6,
    pub gap: f64,
    pub iterations: u32,
}

/// What stays the same during a search.
pub(super) struct Set<'a, S: Shape> {
    pub blocks: &'a [Block],
    pub limits: &'a [Lane],
    pub shape: S,
    pub b: &'a Mat6,
    pub f: &'a Vec6,
}

impl Corral {
    /// For so many blocks of contacts.
    pub fn with_capacity(blocks: usize) -> Self {
        Self {
            points: [Vec6::zeros(); POINTS],
            weights: [0.0; POINTS],
            slots: [0; POINTS],
            len: 0,
            directions: [Vec6::zeros(); POINTS],
            friction: std::array::from_fn(|_| vec![[Lane::ZERO; 2]; blocks]),
            warm: [Vec6::zeros(); POINTS],
            warm_count: 0,
            x: Vec6::zeros(),
            gap: f64::INFINITY,
            iterations: 0,
        }
    }

    /// Forgets what the last search found: the next one starts cold.
    pub fn forget(&mut self) {
        self.warm_count = 0;
    }

    /// Searches C from what the last such search found.
    pub fn search_warm<S: Shape>(&mut self, set: &Set<S>, question: Question, budget: u32) -> Ending {
        let (warm, count) = (self.warm, self.warm_count);
        let ending = self.search(set, question, &warm[..count], budget);
        self.warm_count = 0;
        // Without the frictionless point.
        for direction in self.directions[..self.len].iter().filter(|d| **d != Vec6::zeros()) {
            self.warm[self.warm_count] = *direction;
            self.warm_count += 1;
        }
        ending
    }

    /// A point of C that separates it from the origin, starting cold; zero where C contains the origin.
    pub fn separating<S: Shape>(&mut self, set: &Set<S>, budget: u32) -> Vec6 {
        match self.search(set, Question::Contains, &[], budget) {
            Ending::Contained => Vec6::zeros(),
            _ => self.x,
        }
    }

    /// Searches C; the first tries are the `warm` directions.
    fn search<S: Shape>(&mut self, set: &Set<S>, question: Question, warm: &[Vec6], budget: u32) -> Ending {
        let blocks = set.blocks.len();
        self.friction[0][..blocks].fill([Lane::ZERO; 2]);
        self.points[0] = set.b * set.f;
        self.weights[0] = 1.0;
        self.slots[0] = 0;
        self.directions[0] = Vec6::zeros();
        self.len = 1;
        self.x = self.points[0];
        self.iterations = 0;
        self.gap = f64::INFINITY;
        let load = self.x.norm();
        let mut size = load;
        // What rounding in f + G β amounts to, seen through B.
        let noise_of = |wrench: &Vec6| 4.0 * f64::EPSILON * (set.b.abs() * (set.f.abs() + wrench.abs())).norm();
        let mut noise = noise_of(&Vec6::zeros());
        let mut warm = warm.iter();
        loop {
            let distance = self.x.norm();
            if distance <= CONTAINED * load || distance <= noise {
                self.gap = 0.0;
                return Ending::Contained;
            }
            if self.iterations >= budget {
                return Ending::Budget;
            }
            self.iterations += 1;
            let hint = warm.next();
            let direction = match hint {
                Some(direction) => *direction,
                None => -(set.b.transpose() * (self.x / distance)),
            };
            let slot = (0..POINTS).find(|s| !self.slots[..self.len].contains(s)).unwrap_or(0);
            let friction = &mut self.friction[slot][..blocks];
            let wrench = passes::support(set.blocks, set.limits, set.shape, &direction, friction);
            let point = set.b * (set.f + wrench);
            size = size.max(point.norm());
            noise = noise.max(noise_of(&wrench));
            let along = self.x.dot(&point);
            let gap = distance * distance - along;
            if hint.is_none() {
                self.gap = gap.max(0.0);
                if question == Question::Contains && along > (1e-14 * size).max(noise) * distance {
                    return Ending::Separated;
                }
                if gap <= GAP_TOLERANCE * distance * size {
                    return Ending::Nearest;
                }
            } else if gap <= 1e-9 * distance * size {
                continue;
            }
            if !self.insert(point, slot, direction) || !(self.x.norm() < distance) {
                return Ending::Stalled;
            }
        }
    }

    /// Adds a point and restores the corral; false if rounding does not let it.
    fn insert(&mut self, point: Vec6, slot: usize, direction: Vec6) -> bool {
        let n = self.len;
        (self.points[n], self.weights[n], self.slots[n], self.directions[n]) = (point, 0.0, slot, direction);
        self.len += 1;
        for _minor in 0..POINTS {
            let Some((affine, x)) = affine_minimiser(&self.points[..self.len]) else {
                self.drop_points(|weight| weight <= 0.0);
                return false;
            };
            let n = self.len;
            if affine[..n].iter().all(|&w| w > 0.0) {
                self.weights[..n].copy_from_slice(&affine[..n]);
                self.x = x;
                return true;
            }
            // The last admissible point on the way to the affine minimiser.
            let mut theta = 1.0f64;
            for i in 0..n {
                if affine[i] <= 0.0 {
                    theta = theta.min(self.weights[i] / (self.weights[i] - affine[i]));
                }
            }
            let mut smallest = f64::INFINITY;
            for i in 0..n {
                self.weights[i] += theta * (affine[i] - self.weights[i]);
                if affine[i] <= 0.0 {
                    smallest = smallest.min(self.weights[i]);
                }
            }
            let threshold = smallest.max(1e-15);
            self.drop_points(|weight| weight <= threshold);
            if self.len == 0 {
                return false;
            }
            if self.len == 1 {
                self.weights[0] = 1.0;
            }
            self.x = (0..self.len).fold(Vec6::zeros(), |x, i| x + self.points[i] * self.weights[i]);
        }
        false
    }

    fn drop_points(&mut self, dropped: impl Fn(f64) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            if !dropped(self.weights[i]) {
                self.points[kept] = self.points[i];
                self.weights[kept] = self.weights[i];
                self.slots[kept] = self.slots[i];
                self.directions[kept] = self.directions[i];
                kept += 1;
            }
        }
        self.len = kept;
        let sum: f64 = self.weights[..kept].iter().sum();
        for weight in &mut self.weights[..kept] {
            *weight /= sum;
        }
    }

    /// β = Σ w_j β⁽ʲ⁾: the friction that x stands for.
    pub fn friction(&self, out: &mut [Pair]) {
        out.fill([Lane::ZERO; 2]);
        for j in 0..self.len {
            if self.slots[j] == 0 && self.directions[j] == Vec6::zeros() {
                continue;
            }
            let weight = Lane::splat(self.weights[j]);
            for (sum, b) in out.iter_mut().zip(&self.friction[self.slots[j]]) {
                sum[0] += b[0] * weight;
                sum[1] += b[1] * weight;
            }
        }
    }
}

/// Weights (sum 1) and position of the point nearest to the origin in the affine hull, by orthogonalising the
/// differences to the first point. `None` when they are dependent to rounding.
fn affine_minimiser(points: &[Vec6]) -> Option<([f64; POINTS], Vec6)> {
    let m = points.len() - 1;
    if m > 6 {
        return None;
    }
    let mut q = [Vec6::zeros(); 6];
    let mut r = [[0.0; 6]; 6];
    let mut c = [0.0; 6];
    let mut x = points[0];
    for j in 0..m {
        let difference = points[j + 1] - points[0];
        let mut v = difference;
        for _ in 0..2 {
            for i in 0..j {
                let along = q[i].dot(&v);
                r[i][j] += along;
                v -= q[i] * along;
            }
        }
        let length = v.norm();
        if !(length > 1e-14 * difference.norm()) {
            return None;
        }
        r[j][j] = length;
        q[j] = v / length;
        c[j] = -q[j].dot(&x);
        x += q[j] * c[j];
    }
    let mut weights = [0.0; POINTS];
    let mut sum = 0.0;
    for i in (0..m).rev() {
        for k in i + 1..m {
            c[i] -= r[i][k] * weights[k + 1];
        }
        weights[i + 1] = c[i] / r[i][i];
        sum += weights[i + 1];
    }
    weights[0] = 1.0 - sum;
    Some((weights, x))
}
