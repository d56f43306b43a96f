//! Distance of two convex polyhedra (section 4.1 of the paper: the algorithm of Gilbert, Johnson and Keerthi, 1988).
//!
//! The polyhedra are apart by the distance of the origin from the set of differences A − B = { a − b }. A simplex of up to four of its corners is improved: v is the simplex' point nearest to
//! the origin, w the corner furthest towards the origin, against v; it joins the corners that v is a mean of. v is the answer when w is no nearer than v: v·v − v·w ≤ ε v·v. The simplex is
//! remembered by the numbers of its corners: at the next step, where little has moved, it is almost always the answer, or one corner away from it.
//!
//! Deviations:
//! * All is computed in the axes of A, so that common motion changes nothing but the answer's axes.
//! * The nearest point of a triangle or tetrahedron is found by the regions of its corners, edges and faces, not by Johnson's recursion, whose determinants cancel where a simplex is flat.
//! * Where the nearest simplex is a triangle that is higher than the distance is long, the normal is that of the triangle: v/|v| loses digits as the distance goes to zero.
//! * The search also ends if a step does not come nearer: rounding is all that is left then.

use super::convex::Convex;
use stiction::spatial::{Mat3, Pose, Vec3};

/// Most corners that are added; a few are usual.
const MOST_STEPS: usize = 128;
/// Relative error of the squared distance at which the search ends.
const ACCURACY: f64 = 1e-14;
/// Distance in units of the polyhedra's size and place that is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// What a search for the distance of two polyhedra leaves for the next one. Belongs to one pair of polyhedra, in one order; the default begins anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GjkMemory {
    /// Numbers of the corners of A and B whose differences are the simplex.
    corners: [(u32, u32); 4],
    count: u8,
}

/// How two convex polyhedra are to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proximity {
    /// They have no point in common.
    Apart {
        /// Their distance (m).
        distance: f64,
        /// The point of A nearest to B, in the world (m).
        on_a: Vec3,
        /// The point of B nearest to A, in the world (m).
        on_b: Vec3,
        /// Unit vector from A to B, in the world.
        normal: Vec3,
    },
    /// They have a point in common.
    Together {
        /// A point that is in both, in the world (m).
        common: Vec3,
    },
}

/// A corner of A − B.
#[derive(Clone, Copy, Debug, Default)]
struct Difference {
    place: Vec3,
    corners: (u32, u32),
}

/// Corners of A − B, and the weights of the point of their hull that is nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
struct Simplex {
    corners: [Difference; 4],
    weights: [f64; 4],
    count: usize,
}

struct Pair<'a> {
    a: &'a Convex,
    b: &'a Convex,
    /// From the axes of B to those of A.
    rotation: Mat3,
    shift: Vec3,
}

impl Pair<'_> {
    fn difference(&self, corners: (u32, u32)) -> Option<Difference> {
        let (p, q) = (self.a.points().get(corners.0 as usize)?, self.b.points().get(corners.1 as usize)?);
        Some(Difference { place: p - (self.rotation * q + self.shift), corners })
    }

    /// The corner of A − B that is furthest in a direction.
    fn support(&self, direction: &Vec3, near: (u32, u32)) -> Option<Difference> {
        let p = self.a.support(direction, near.0);
        let q = self.b.support(&-self.rotation.tr_mul(direction), near.1);
        self.difference((p, q))
    }
}

/// Finds the distance of two convex polyhedra and their nearest points, or a common point. The memory of the step before makes it fast; what it says does not change the answer, beyond rounding.
/// Allocates nothing.
pub fn proximity(
    a: &Convex,
    world_from_a: &Pose,
    b: &Convex,
    world_from_b: &Pose,
    memory: &mut GjkMemory,
) -> Proximity {
    let world = world_from_a.rotation.to_rotation_matrix().into_inner();
    let pair = Pair {
        a,
        b,
        rotation: world.tr_mul(&world_from_b.rotation.to_rotation_matrix().into_inner()),
        shift: world.tr_mul(&(world_from_b.translation.vector - world_from_a.translation.vector)),
    };
    let extent = a.radius() + a.centre().amax() + b.radius() + b.centre().amax() + pair.shift.amax();
    let (simplex, nearest) = search(&pair, memory, ROUNDING * extent);
    memory.count = simplex.count as u8;
    for (to, from) in memory.corners.iter_mut().zip(&simplex.corners) {
        *to = from.corners;
    }
    let mean = |of: &dyn Fn(&Difference) -> Vec3| {
        (0..simplex.count).fold(Vec3::zeros(), |sum, i| sum + of(&simplex.corners[i]) * simplex.weights[i])
    };
    let on_a = mean(&|d| a.points()[d.corners.0 as usize]);
    let in_world = |p: &Vec3| world * p + world_from_a.translation.vector;
    match nearest {
        None => Proximity::Together { common: in_world(&on_a) },
        Some(v) => {
            let normal = -normal(&simplex, &v);
            let distance = v.norm();
            let on_b = mean(&|d| pair.rotation * b.points()[d.corners.1 as usize] + pair.shift);
            Proximity::Apart { distance, on_a: in_world(&on_a), on_b: in_world(&on_b), normal: world * normal }
        }
    }
}

/// The simplex whose hull is nearest to the origin, and its nearest point; `None` if that is the origin.
fn search(pair: &Pair, memory: &GjkMemory, rounding: f64) -> (Simplex, Option<Vec3>) {
    let mut simplex = Simplex::default();
    for corners in memory.corners.iter().take(usize::from(memory.count.min(4))) {
        if let Some(d) = pair.difference(*corners) {
            simplex.push(d);
        }
    }
    if simplex.count == 0 {
        let towards = pair.rotation * pair.b.centre() + pair.shift - pair.a.centre();
        if let Some(d) = pair.support(&towards, (0, 0)) {
            simplex.push(d);
        }
    }
    let mut v = simplex.reduce();
    for _ in 0..MOST_STEPS {
        let square = v.norm_squared();
        // Also ends what is not a number.
        if !(square > rounding * rounding) {
            return (simplex, None);
        }
        let Some(w) = pair.support(&-v, simplex.corners[0].corners) else { break };
        let gain = square - v.dot(&w.place);
        if gain <= ACCURACY * square || gain <= 0.5 * rounding * square.sqrt() || simplex.has(w.corners) {
            break;
        }
        let before = simplex;
        simplex.push(w);
        let next = simplex.reduce();
        if !(next.norm_squared() < square) {
            simplex = before;
            break;
        }
        v = next;
    }
    (simplex, Some(v))
}

/// The unit vector of v, which is on the simplex.
fn normal(simplex: &Simplex, v: &Vec3) -> Vec3 {
    let length = v.norm();
    if simplex.count == 3 {
        let [p, q, r] = [0, 1, 2].map(|i| simplex.corners[i].place);
        let (e, f, g) = (q - p, r - p, r - q);
        let cross = e.cross(&f);
        let double = cross.norm();
        let longest = e.norm_squared().max(f.norm_squared()).max(g.norm_squared()).sqrt();
        if double > longest * length {
            return if cross.dot(v) < 0.0 { cross / -double } else { cross / double };
        }
    }
    v / length
}

impl Simplex {
    fn push(&mut self, d: Difference) {
        if self.count < 4 && !self.has(d.corners) {
            self.corners[self.count] = d;
            self.weights[self.count] = 0.0;
            self.count += 1;
        }
    }

    fn has(&self, corners: (u32, u32)) -> bool {
        self.corners[..self.count].iter().any(|d| d.corners == corners)
    }

    /// Leaves only the corners that the nearest point is a mean of, and returns that point.
    fn reduce(&mut self) -> Vec3 {
        let p = self.corners.map(|d| d.place);
        let weights = match self.count {
            0 => return Vec3::zeros(),
            1 => [1.0, 0.0, 0.0, 0.0],
            2 => {
                let w = of_segment(&p[0], &p[1]);
                [w[0], w[1], 0.0, 0.0]
            }
            3 => {
                let w = of_triangle(&p[0], &p[1], &p[2]);
                [w[0], w[1], w[2], 0.0]
            }
            _ => of_tetrahedron(&p),
        };
        let mut kept = Simplex::default();
        let mut v = Vec3::zeros();
        for (i, weight) in weights.into_iter().enumerate() {
            if weight > 0.0 {
                kept.corners[kept.count] = self.corners[i];
                kept.weights[kept.count] = weight;
                kept.count += 1;
                v += p[i] * weight;
            }
        }
        if kept.count == 4 {
            v = Vec3::zeros();
        }
        *self = kept;
        v
    }
}

/// Weights of the ends of a segment for its point nearest to the origin.
fn of_segment(p: &Vec3, q: &Vec3) -> [f64; 2] {
    let e = q - p;
    let (along, square) = (-p.dot(&e), e.norm_squared());
    if !(along > 0.0) {
        [1.0, 0.0]
    } else if along >= square {
        [0.0, 1.0]
    } else {
        // The smaller weight is the one that is computed, so that both keep their digits.
        let back = q.dot(&e);
        if along < back { [1.0 - along / square, along / square] } else { [back / square, 1.0 - back / square] }
    }
}

/// Weights of the corners of a triangle for its point nearest to the origin.
fn of_triangle(p: &Vec3, q: &Vec3, r: &Vec3) -> [f64; 3] {
    let (e, f) = (q - p, r - p);
    let normal = e.cross(&f);
    let square = normal.norm_squared();
    // Area coordinates of the origin's foot, times twice the area.
    let u = normal.dot(&q.cross(r));
    let v = normal.dot(&r.cross(p));
    let w = normal.dot(&p.cross(q));
    if square > 0.0 && u > 0.0 && v > 0.0 && w > 0.0 {
        let sum = u + v + w;
        return [u / sum, v / sum, w / sum];
    }
    // On the border: the nearest of the edges that the origin is beyond, or of all where the triangle is flat.
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    let mut attempt = |beyond: bool, s: &Vec3, t: &Vec3, place: fn([f64; 2]) -> [f64; 3]| {
        if beyond || !(square > 0.0) {
            let weights = of_segment(s, t);
            let far = (s * weights[0] + t * weights[1]).norm_squared();
            if far < best.0 {
                best = (far, place(weights));
            }
        }
    };
    attempt(!(w > 0.0), p, q, |[a, b]| [a, b, 0.0]);
    attempt(!(u > 0.0), q, r, |[a, b]| [0.0, a, b]);
    attempt(!(v > 0.0), r, p, |[a, b]| [b, 0.0, a]);
    best.1
}

/// Weights of the corners of a tetrahedron for its point nearest to the origin; all four are positive if that is the origin.
fn of_tetrahedron(p: &[Vec3; 4]) -> [f64; 4] {
    // Volumes of the origin with three of the corners, by the sign of the tetrahedron's.
    let det = |i: usize, j: usize, k: usize| p[i].dot(&p[j].cross(&p[k]));
    let whole = (p[1] - p[0]).dot(&(p[2] - p[0]).cross(&(p[3] - p[0])));
    let sign = if whole < 0.0 { -1.0 } else { 1.0 };
    let parts = [sign * det(1, 2, 3), -sign * det(0, 2, 3), sign * det(0, 1, 3), -sign * det(0, 1, 2)];
    if whole != 0.0 && parts.iter().all(|d| *d > 0.0) {
        let sum = parts[0] + parts[1] + parts[2] + parts[3];
        return parts.map(|d| d / sum);
    }
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0, 0.0]);
    for (i, part) in parts.iter().enumerate() {
        if *part > 0.0 && whole != 0.0 {
            continue;
        }
        let [j, k, l] = [(i + 1) % 4, (i + 2) % 4, (i + 3) % 4];
        let w = of_triangle(&p[j], &p[k], &p[l]);
        let far = (p[j] * w[0] + p[k] * w[1] + p[l] * w[2]).norm_squared();
        if far < best.0 {
            let mut weights = [0.0; 4];
            (weights[j], weights[k], weights[l]) = (w[0], w[1], w[2]);
            best = (far, weights);
        }
    }
    best.1
}
