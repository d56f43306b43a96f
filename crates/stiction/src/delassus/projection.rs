//! Convex quadratic programs on a Delassus operator: the projections of staggered methods.
//!
//! ```text
//! min ½ xᵀW x + cᵀx   over  x_i ∈ X_i:   normal forces, x_n ≥ 0;  or friction, x_t in a disk or regular polygon of radius R_i                    (1)
//! ```
//!
//! **Method**: the augmented Lagrangian method with a semismooth Newton method inside. X. Li, D. Sun, K.-C. Toh, *A highly efficient semismooth Newton augmented Lagrangian method for solving Lasso problems*, SIAM J. Optim. 28 (2018),
//! applied to (1). Why this one: it takes any W that is positive semidefinite, by products and by [`Delassus::solve_shifted`] alone, so that the product J C Jᵀ costs O(m) an iteration; it starts warm, which
//! interior-point methods do not; it takes disks as they are, which active-set methods (Kaufman's authors used QL, one of these) do not; and for normal forces and polygons its last iterations are those of an active-set method that
//! exchanges any number of constraints at a time.
//!
//! | symbol | meaning |
//! |---|---|
//! | b | the centre: the last forces. σ, ρ_i = σ/w_i: how far the next may be from them; w_i is the contact's own compliance |
//! | y | forces that need not be in X; v = W y + c |
//! | p = P_X(b - ρ v) | forces in X. Where W y = W p, p minimises (1) plus Σ ‖x_i - b_i‖²/(2ρ_i) |
//!
//! ```text
//! φ(y) = ½ yᵀW y + Σ (‖z_i‖² - ‖z_i - P z_i‖²)/(2ρ_i),  z = b - ρ v:   convex, ∇φ = W (y - p)                                              (2)
//! d = p - y - x,   (I + S W) x = -S W (y - p),   S = ρ P'(z)                    Newton's direction; a step along it where φ falls       (3)
//! b ← p              where what is left of (2) is small against what is left of (1); σ grows tenfold where (1) fell slowly, and shrinks where it did not fall (4)
//! ```
//!
//! What is left of (1) is its natural map: the size of w_i (p_i - P_X(p_i - v_i/w_i)), a velocity. Where forces without bound lower (1), as where gaps cannot all be closed to zero, it does not fall, and the answer says so.

use super::operator::{Delassus, moved_by};
use crate::friction::{Cone, Fit};
use crate::spatial::{Mat3, Vec3};

/// The forces that a program is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProjectionPart {
    /// Normal forces, at least zero.
    Normals,
    /// Friction, within a cone's cross-section of the given radius.
    Friction(Cone),
}

/// One convex program (1).
#[derive(Clone, Copy, Debug)]
pub struct ProjectionProgram<'a, W> {
    /// W.
    pub operator: &'a W,
    /// Which forces it is about; components of the others are left alone and not read.
    pub part: ProjectionPart,
    /// c.
    pub linear: &'a [Vec3],
    /// R_i of friction; not read for normal forces.
    pub radius: &'a [f64],
    /// The residual at which it counts as solved (a velocity).
    pub tolerance: f64,
    /// The most passes over the contacts.
    pub passes: u32,
}

/// How a projection ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProjectionEnd {
    /// What is left of (1): a velocity.
    pub residual: f64,
    /// Newton steps.
    pub steps: u32,
    /// Passes over the contacts.
    pub passes: u32,
}

/// σ at the beginning, at most, and by how much it grows.
const FIRST: f64 = 1e2;
const LARGEST: f64 = 1e8;
const GROWTH: f64 = 10.0;
/// What may be left of (2) as a share of what is left of (1), and the most Newton steps between two centres.
const INNER: f64 = 0.3;
const STEPS: u32 = 30;
/// Centres after which no progress is the end.
const PATIENCE: u32 = 6;
/// The share of its slope at the beginning that a step may end with, and trials of its length.
const SLOPE: f64 = 0.5;
const TRIALS: u32 = 20;

/// A solver of such programs, with all its memory.
#[derive(Clone, Debug)]
pub struct QuadraticProjection<F> {
    factor: F,
    weights: Vec<f64>,
    polygon: Vec<[f64; 2]>,
    centre: Vec<Vec3>,
    y: Vec<Vec3>,
    p: Vec<Vec3>,
    best: Vec<Vec3>,
    roots: Vec<Mat3>,
    left: Vec<Vec3>,
    x: Vec<Vec3>,
    d: Vec<Vec3>,
    y_motion: Vec<f64>,
    p_motion: Vec<f64>,
    d_motion: Vec<f64>,
}

impl<F> QuadraticProjection<F> {
    /// A solver for programs on operators with as much room as this one.
    pub fn new<W: Delassus<Factor = F>>(like: &W) -> Self {
        let n = like.capacity();
        let vector = || Vec::with_capacity(n);
        let motion = || Vec::with_capacity(like.motion_capacity());
        QuadraticProjection {
            factor: like.factor(),
            weights: Vec::with_capacity(n),
            polygon: Vec::with_capacity(Cone::MAX_SIDES),
            centre: vector(),
            y: vector(),
            p: vector(),
            best: vector(),
            roots: Vec::with_capacity(n),
            left: vector(),
            x: vector(),
            d: vector(),
            y_motion: motion(),
            p_motion: motion(),
            d_motion: motion(),
        }
    }

    /// Solves a program from the forces given, and puts its own in their place. Allocates nothing where there is room for the contacts.
    pub fn solve<W: Delassus<Factor = F>>(
        &mut self,
        program: &ProjectionProgram<W>,
        forces: &mut [Vec3],
    ) -> ProjectionEnd {
        let ProjectionProgram { operator: w, part, linear, radius, tolerance, passes } = *program;
        let n = w.len().min(forces.len()).min(linear.len());
        let Self { factor, weights, polygon, centre, y, p, best, roots, left, x, d, .. } = self;
        let Self { y_motion, p_motion, d_motion, .. } = self;
        let mask = match part {
            ProjectionPart::Normals => Vec3::x(),
            ProjectionPart::Friction(_) => Vec3::new(0.0, 1.0, 1.0),
        };
        let within = |v: Vec3| v.component_mul(&mask);
        weigh(w, n, part, weights);
        corners(part, polygon);
        let admissible = Admissible { part, polygon, radius };
        for vector in [&mut *y, p, best, left, x, d, centre] {
            vector.clear();
            vector.resize(n, Vec3::zeros());
        }
        roots.clear();
        roots.resize(n, Mat3::zeros());
        for i in 0..n {
            centre[i] = admissible.nearest(i, &within(forces[i]));
            best[i] = centre[i];
        }
        y.copy_from_slice(centre);
        moved_by(w, y, y_motion);
        let (mut sigma, mut largest) = (FIRST, LARGEST);
        let mut end = ProjectionEnd { residual: f64::INFINITY, steps: 0, passes: 1 };
        let (mut inner, mut idle) = (0, 0);
        // The best residual when the centre was last moved, and the one of that moment.
        let (mut before, mut last) = (f64::INFINITY, f64::INFINITY);
        while end.passes < passes {
            for i in 0..n {
                let z = centre[i] - within(w.velocity(y_motion, i) + linear[i]) * (sigma / weights[i]);
                p[i] = admissible.nearest(i, &z);
            }
            moved_by(w, p, p_motion);
            end.passes += 2;
            let (mut residual, mut off) = (0.0, 0.0);
            for i in 0..n {
                let v = within(w.velocity(p_motion, i) + linear[i]);
                let there = admissible.nearest(i, &(p[i] - v / weights[i]));
                residual += ((p[i] - there) * weights[i]).norm_squared();
                left[i] = within(w.velocity(y_motion, i) - w.velocity(p_motion, i));
                off += left[i].norm_squared();
            }
            let (residual, off): (f64, f64) = (f64::sqrt(residual), f64::sqrt(off));
            if residual < end.residual {
                end.residual = residual;
                best.copy_from_slice(p);
            }
            if end.residual <= tolerance || !residual.is_finite() {
                break;
            }
            if off <= INNER * residual || inner >= STEPS {
                idle = if end.residual < 0.5 * before { 0 } else { idle + 1 };
                before = before.min(end.residual);
                if idle >= PATIENCE {
                    break;
                }
                centre.copy_from_slice(p);
                y.copy_from_slice(p);
                std::mem::swap(y_motion, p_motion);
                // Newton's method finds a smaller step from a nearer centre; and far from it, rounding counts σ times.
                let slow = inner >= STEPS || !(residual < last);
                sigma = match (slow, residual < 0.1 * last) {
                    (true, _) => (sigma / GROWTH).max(1.0),
                    (_, true) => sigma,
                    _ => (sigma * GROWTH).min(largest),
                };
                last = residual;
                inner = 0;
                continue;
            }
            (inner, end.steps) = (inner + 1, end.steps + 1);
            for i in 0..n {
                let rho = sigma / weights[i];
                let z = centre[i] - within(w.velocity(y_motion, i) + linear[i]) * rho;
                roots[i] = admissible.slope(i, &z) * rho.sqrt();
                left[i] = -left[i];
            }
            end.passes += 2;
            if !w.solve_shifted(factor, roots, left, x) {
                // W is not semidefinite to the last digit, as where it was printed with few: the centre stays nearer from here on.
                largest = sigma / (GROWTH * GROWTH);
                if largest < 1.0 {
                    break;
                }
                (sigma, inner) = (largest, 0);
                continue;
            }
            for i in 0..n {
                d[i] = p[i] - y[i] - x[i];
            }
            moved_by(w, d, d_motion);
            end.passes += 1;
            // ∇φᵀd at a share t of the step.
            let mut slope = |t: f64| {
                let mut sum = 0.0;
                for i in 0..n {
                    let (v, dv) = (within(w.velocity(y_motion, i)), within(w.velocity(d_motion, i)));
                    let at = v + dv * t;
                    let z = centre[i] - (at + within(linear[i])) * (sigma / weights[i]);
                    sum += d[i].dot(&at) - admissible.nearest(i, &z).dot(&dv);
                }
                end.passes += 1;
                sum
            };
            let t = length(slope(0.0), &mut slope);
            for i in 0..n {
                y[i] += d[i] * t;
            }
            for (a, b) in y_motion.iter_mut().zip(d_motion.iter()) {
                *a += b * t;
            }
        }
        for i in 0..n {
            forces[i] += best[i] - within(forces[i]);
        }
        end
    }
}

/// The share of a step along which a convex function falls: all of it, if its slope at the end is small or still negative; else by regula falsi with the Illinois rule.
fn length(begins: f64, slope: &mut impl FnMut(f64) -> f64) -> f64 {
    if !(begins < 0.0) {
        return 1.0;
    }
    let bound = SLOPE * -begins;
    let ends = slope(1.0);
    if ends <= bound {
        return 1.0;
    }
    let (mut low, mut high, mut side) = ((0.0, begins), (1.0, ends), 0);
    let mut t = 1.0;
    for _ in 0..TRIALS {
        t = low.0 + (high.0 - low.0) * (-low.1 / (high.1 - low.1)).clamp(0.01, 0.99);
        let at = slope(t);
        if at.abs() <= bound {
            break;
        }
        if at > 0.0 {
            high = (t, at);
            if side == 1 {
                low.1 *= 0.5;
            }
            side = 1;
        } else {
            low = (t, at);
            if side == -1 {
                high.1 *= 0.5;
            }
            side = -1;
        }
    }
    t
}

/// w_i: the compliance of a contact along the forces in question; the mean of all, where that is zero.
fn weigh<W: Delassus>(w: &W, n: usize, part: ProjectionPart, weights: &mut Vec<f64>) {
    weights.clear();
    weights.extend((0..n).map(|i| {
        let block = w.diagonal(i);
        match part {
            ProjectionPart::Normals => block[(0, 0)],
            ProjectionPart::Friction(_) => 0.5 * (block[(1, 1)] + block[(2, 2)]),
        }
    }));
    let mean = weights.iter().sum::<f64>() / n.max(1) as f64;
    let mean = if mean > 0.0 { mean } else { 1.0 };
    weights.iter_mut().filter(|w| !(**w > 1e-12 * mean)).for_each(|w| *w = mean);
}

/// The corners of the polygon of radius one, from the first tangent on.
fn corners(part: ProjectionPart, polygon: &mut Vec<[f64; 2]>) {
    polygon.clear();
    let ProjectionPart::Friction(Cone::Polygon { sides, fit }) = part else { return };
    let sides = sides.clamp(3, Cone::MAX_SIDES);
    let turn = std::f64::consts::TAU / sides as f64;
    let reach = if fit == Fit::Inscribed { 1.0 } else { 1.0 / libm::cos(0.5 * turn) };
    let corner = |i: usize| [reach * libm::cos(turn * i as f64), reach * libm::sin(turn * i as f64)];
    polygon.extend((0..sides).map(corner));
}

/// X.
struct Admissible<'a> {
    part: ProjectionPart,
    polygon: &'a [[f64; 2]],
    radius: &'a [f64],
}

/// Where the nearest point of a polygon is.
enum Where {
    Inside,
    /// On the edge along this unit vector.
    Edge([f64; 2]),
    Corner,
}

impl Admissible<'_> {
    fn radius(&self, i: usize) -> f64 {
        self.radius.get(i).copied().unwrap_or(0.0).max(0.0)
    }

    /// The admissible force nearest to z.
    fn nearest(&self, i: usize, z: &Vec3) -> Vec3 {
        match self.part {
            ProjectionPart::Normals => Vec3::new(z.x.max(0.0), 0.0, 0.0),
            ProjectionPart::Friction(Cone::Disk) => {
                let (size, radius) = ((z.y * z.y + z.z * z.z).sqrt(), self.radius(i));
                let scale = if size > radius { radius / size } else { 1.0 };
                Vec3::new(0.0, z.y * scale, z.z * scale)
            }
            ProjectionPart::Friction(Cone::Polygon { .. }) => {
                let ([y, z], _) = self.on_polygon(i, [z.y, z.z]);
                Vec3::new(0.0, y, z)
            }
        }
    }

    /// L with L Lᵀ the derivative of the nearest force by z.
    fn slope(&self, i: usize, z: &Vec3) -> Mat3 {
        let mut root = Mat3::zeros();
        match self.part {
            ProjectionPart::Normals => root[(0, 0)] = if z.x > 0.0 { 1.0 } else { 0.0 },
            ProjectionPart::Friction(Cone::Disk) => {
                let (size, radius) = ((z.y * z.y + z.z * z.z).sqrt(), self.radius(i));
                if size <= radius {
                    (root[(1, 1)], root[(2, 2)]) = (1.0, 1.0);
                } else {
                    let share = (radius / size).sqrt() / size;
                    (root[(1, 1)], root[(2, 1)]) = (-z.z * share, z.y * share);
                }
            }
            ProjectionPart::Friction(Cone::Polygon { .. }) => match self.on_polygon(i, [z.y, z.z]).1 {
                Where::Inside => (root[(1, 1)], root[(2, 2)]) = (1.0, 1.0),
                Where::Edge([y, z]) => (root[(1, 1)], root[(2, 1)]) = (y, z),
                Where::Corner => {}
            },
        }
        root
    }

    /// The point of the polygon nearest to one: beyond the edge that it is farthest outside of, or that edge's nearer end, or the next edge's.
    fn on_polygon(&self, i: usize, z: [f64; 2]) -> ([f64; 2], Where) {
        let (radius, corners) = (self.radius(i), self.polygon);
        let n = corners.len();
        if radius == 0.0 || n == 0 {
            return ([0.0; 2], Where::Corner);
        }
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let corner = |k: usize| corners[k % n].map(|c| c * radius);
        let edge = |k: usize| {
            let [a, b] = [corner(k), corner(k + 1)];
            let e = [b[0] - a[0], b[1] - a[1]];
            let length = dot(e, e).sqrt();
            (a, e.map(|c| c / length), length)
        };
        let mut outside = (0.0, None);
        for k in 0..n {
            let (a, e, _) = edge(k);
            let off = dot([z[0] - a[0], z[1] - a[1]], [e[1], -e[0]]);
            if off > outside.0 {
                outside = (off, Some(k));
            }
        }
        let Some(k) = outside.1 else { return (z, Where::Inside) };
        let (a, e, length) = edge(k);
        let t = dot([z[0] - a[0], z[1] - a[1]], e);
        // A regular polygon has blunt corners, or, as a triangle, ones beyond which the farthest edge is still one of both at the nearest point.
        if t <= 0.0 {
            let (c, f, before) = edge(k + n - 1);
            let s = dot([z[0] - c[0], z[1] - c[1]], f);
            return if s < before { ([c[0] + f[0] * s, c[1] + f[1] * s], Where::Edge(f)) } else { (a, Where::Corner) };
        }
        if t >= length {
            let (c, f, _) = edge(k + 1);
            let s = dot([z[0] - c[0], z[1] - c[1]], f);
            return if s > 0.0 { ([c[0] + f[0] * s, c[1] + f[1] * s], Where::Edge(f)) } else { (c, Where::Corner) };
        }
        ([a[0] + e[0] * t, a[1] + e[1] * t], Where::Edge(e))
    }
}
