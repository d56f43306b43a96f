//! A contact area: integrals over the intersection of two convex parts, projected on the contact plane. The paper's 4.4 to 4.6, equations (5) to (29).
//!
//! Symbols: n unit normal of the contact plane, from part a to part b; p a point of the plane; h height of a vertex of the intersection above the plane (along n); s area of a projected
//! triangle, negative where its face looks against n; S_c the contact area; d(p) the depth, the length of the intersection along n through p.
//!
//! The faces of a convex intersection that look along n cover the contact area once, and those that look against n once more. With signed areas the sums over *all* faces of s h and of
//! s h p are the integrals of d and of p d (the divergence theorem), wherever the plane is: that is the paper's division of depths into two sides without a case. Sums over the faces that look along n alone are the
//! integrals over the area, counted once.
//!
//! With barycentric means ⟨Li²⟩ = 1/6, ⟨Li Lj⟩ = 1/12, the mean of a product of two linear functions over a triangle is 3/4 of the product of their means plus 1/12 of the sum of their products at the
//! corners. This gives (8), (12), (22) in closed form.
//!
//! Deviations. (12), (22), (24) and (29) are used as corrected: see the tests, where the printed ones fail. 1/S_c stands once in (15) to (17). All moments are taken about the centre of the contact area,
//! where first moments vanish; there (21) to (29) are `r` and `θ` times the area's radius of gyration squared. The directions of (13) and of the maximum static friction come from the displacement
//! of the static springs: it is the velocity's direction after the last µ N / k_S of travel, and it exists at rest. (13) is integrated exactly, face by face, where the paper interpolates directions from
//! three corners ((14) to (16)): that is short of the torque of a plate that spins by a third and more.

use crate::buffer::Buffer;
use crate::geometry::IntersectionWorkspace;
use stiction::spatial::Vec3;

/// A vector in the contact plane.
pub type Vec2 = nalgebra::Vector2<f64>;

/// Axes of a contact plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneAxes {
    /// A point of the plane (m, world).
    pub origin: Vec3,
    /// Unit normal, from part a to part b.
    pub n: Vec3,
    /// Unit vector in the plane.
    pub u: Vec3,
    /// n × u.
    pub v: Vec3,
}

impl PlaneAxes {
    /// Axes with a normal; u is the part of the world axis that is least along n.
    pub fn new(origin: Vec3, n: Vec3) -> PlaneAxes {
        let least = if n.x.abs() <= n.y.abs() && n.x.abs() <= n.z.abs() {
            Vec3::x()
        } else if n.y.abs() <= n.z.abs() {
            Vec3::y()
        } else {
            Vec3::z()
        };
        let u = (least - n * n.dot(&least)).normalize();
        PlaneAxes { origin, n, u, v: n.cross(&u) }
    }

    /// The components of a vector in the plane.
    pub fn flat(&self, v: &Vec3) -> Vec2 {
        Vec2::new(self.u.dot(v), self.v.dot(v))
    }

    /// The vector of components in the plane.
    pub fn lift(&self, v: &Vec2) -> Vec3 {
        self.u * v.x + self.v * v.y
    }
}

/// Corner of a triangle: its place in the plane, and its height over it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Projected on the plane (m, from its origin).
    pub p: Vec2,
    /// Height over the plane (m).
    pub h: f64,
}

/// x y' - y x'.
pub fn cross(a: &Vec2, b: &Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Integrals of the depth and over the contact area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// S_c: the contact area (m²).
    pub area: f64,
    /// Its first moment (m³), about the plane's origin; after [`centred`](Self::centred) its centre (m).
    pub first: Vec2,
    /// Its second moments xx, xy, yy (m⁴); after [`centred`](Self::centred) about its centre and by area (m²).
    pub second: [f64; 3],
    /// Integral of the depth: the volume (m³).
    pub volume: f64,
    /// Integral of the depth times the place (m⁴); after [`centred`](Self::centred) the centre of the depth (m).
    pub pressed: Vec2,
}

impl Moments {
    /// Adds a triangle of the intersection's surface, counter-clockwise from outside. (7), (8), (21), (22).
    pub fn add(&mut self, t: &[Corner; 3]) {
        let s = 0.5 * cross(&(t[1].p - t[0].p), &(t[2].p - t[0].p));
        let mean_p = (t[0].p + t[1].p + t[2].p) / 3.0;
        let mean_h = (t[0].h + t[1].h + t[2].h) / 3.0;
        self.volume += s * mean_h;
        self.pressed += (mean_p * (0.75 * mean_h) + (t[0].p * t[0].h + t[1].p * t[1].h + t[2].p * t[2].h) / 12.0) * s;
        if s > 0.0 {
            self.area += s;
            self.first += mean_p * s;
            let mean = |f: &dyn Fn(&Vec2) -> f64, g: &dyn Fn(&Vec2) -> f64| {
                0.75 * f(&mean_p) * g(&mean_p)
                    + (f(&t[0].p) * g(&t[0].p) + f(&t[1].p) * g(&t[1].p) + f(&t[2].p) * g(&t[2].p)) / 12.0
            };
            self.second[0] += s * mean(&|p| p.x, &|p| p.x);
            self.second[1] += s * mean(&|p| p.x, &|p| p.y);
            self.second[2] += s * mean(&|p| p.y, &|p| p.y);
        }
    }

    /// By area and about the area's centre; `None` if there is no area or no volume.
    pub fn centred(&self) -> Option<Moments> {
        if !(self.area > 0.0 && self.volume > 0.0) {
            return None;
        }
        let centre = self.first / self.area;
        let by = |second: f64, of_centre: f64| second / self.area - of_centre;
        let second = [
            by(self.second[0], centre.x * centre.x).max(0.0),
            by(self.second[1], centre.x * centre.y),
            by(self.second[2], centre.y * centre.y).max(0.0),
        ];
        let moments = Moments { first: centre, second, pressed: self.pressed / self.volume, ..*self };
        (moments.area.is_finite() && moments.volume.is_finite()).then_some(moments)
    }

    /// Of centred moments: the square of the radius of gyration about the normal (m²), `tr(M)` of the corrected (22).
    pub fn gyration(&self) -> f64 {
        self.second[0] + self.second[2]
    }
}

/// Displacement of the springs of static friction over an area: l(p) = r + θ n × p, with p from the area's centre. (20)
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Displacement {
    /// Translation (m).
    pub r: Vec2,
    /// Rotation about the normal (rad).
    pub theta: f64,
}

impl Displacement {
    /// The displacement at a place, from the area's centre.
    pub fn at(&self, p: &Vec2) -> Vec2 {
        Vec2::new(self.r.x - self.theta * p.y, self.r.y + self.theta * p.x)
    }
}

/// Integral of the depth times the direction of a displacement, and its moment about the area's centre: friction is µ N / volume times this. (13) to (16)
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Directed {
    /// Of the force (m³).
    pub force: Vec2,
    /// Of the moment (m⁴).
    pub moment: f64,
}

/// Cubature of degree 4 on a triangle with six points (Cowper 1973): weight, and the barycentric coordinate that is different.
const CUBATURE: [(f64, f64, f64); 2] = [
    (0.223_381_589_678_011_47, 0.445_948_490_915_965, 0.108_103_018_168_070_23),
    (0.109_951_743_655_321_87, 0.091_576_213_509_770_74, 0.816_847_572_980_458_5),
];

impl Directed {
    /// Adds a triangle whose corners are relative to the area's centre, where the direction varies little.
    fn add_smooth(&mut self, t: &[Corner; 3], displacement: &Displacement) {
        let s = 0.5 * cross(&(t[1].p - t[0].p), &(t[2].p - t[0].p));
        if s == 0.0 {
            return;
        }
        for (weight, two, one) in CUBATURE {
            for i in 0..3 {
                let (a, b, c) = (&t[i], &t[(i + 1) % 3], &t[(i + 2) % 3]);
                let p = a.p * one + (b.p + c.p) * two;
                let h = a.h * one + (b.h + c.h) * two;
                let l = displacement.at(&p);
                let length = l.norm();
                if length > 0.0 {
                    let f = l * (s * weight * h / length);
                    self.force += f;
                    self.moment += cross(&p, &f);
                }
            }
        }
    }

    /// Adds what an edge from a to b of a face gives for a rotation about the origin: integrals of h x/|x| and h |x| over the triangle of the edge with the origin, for the height h = h0 + g·x over the face.
    /// Positive where the edge runs counter-clockwise about the origin.
    fn add_edge(&mut self, a: &Vec2, b: &Vec2, h0: f64, g: &Vec2) {
        let length = (b - a).norm();
        if !(length > 0.0) {
            return;
        }
        let t = (b - a) / length;
        // x = d m + s t along the edge.
        let (m, d) = (Vec2::new(t.y, -t.x), cross(a, &t));
        if d == 0.0 {
            return;
        }
        let (gm, gt) = (g.dot(&m), g.dot(&t));
        let along = |s: f64| {
            let q = (d * d + s * s).sqrt();
            // ∫ 1/q ds, ∫ s²/q ds, ∫ q ds; ∫ s/q ds is q.
            let inverse = libm::asinh(s / d.abs());
            let (square, arc) = (0.5 * (s * q - d * d * inverse), 0.5 * (s * q + d * d * inverse));
            let across = 0.5 * h0 * d * inverse + d * (gm * d * inverse + gt * q) / 3.0;
            let forth = 0.5 * h0 * q + (gm * d * q + gt * square) / 3.0;
            let length = h0 * arc / 3.0 + 0.25 * (gm * d * arc + gt * q * q * q / 3.0);
            (across, forth, length)
        };
        let (from, to) = (along(a.dot(&t)), along(b.dot(&t)));
        self.force += (m * (to.0 - from.0) + t * (to.1 - from.1)) * d;
        self.moment += (to.2 - from.2) * d;
    }
}

/// Most corners of an outline that is kept to be drawn.
pub const MOST_OUTLINE: usize = 24;

/// Most vertices of an intersection that are looked at; what is beyond is left out, and flagged.
pub const MOST_VERTICES: usize = 512;

/// Vertices of an intersection in the axes of a contact plane.
#[derive(Clone, Debug)]
pub struct FlatIntersection {
    corners: Buffer<Corner>,
    /// Of the outline: corners from left to right, and the hull.
    sorted: Buffer<Vec2>,
    hull: Buffer<Vec2>,
    n: Vec3,
    u: Vec3,
    v: Vec3,
}

/// Radius of gyration over the distance of a rotation's centre, up to which a displacement counts as straight: friction is off by this share at most.
const STRAIGHT: f64 = 1e-7;
/// The same up to which directions are smooth enough for quadrature by cubature of degree 4, whose error is of the fifth order in this; the closed form would lose digits there, of fourth order in its inverse.
const FAR: f64 = 0.05;
/// Cosine of the angle between a face and the normal up to which the face is upright: it covers nothing of the area.
const UPRIGHT: f64 = 1e-9;

impl Default for FlatIntersection {
    fn default() -> Self {
        let zero = Vec3::zeros();
        FlatIntersection {
            corners: Buffer::with_capacity(MOST_VERTICES),
            sorted: Buffer::with_capacity(MOST_VERTICES),
            // The upper side is begun before the lower one's last corner is known to be its first.
            hull: Buffer::with_capacity(2 * MOST_VERTICES),
            n: zero,
            u: zero,
            v: zero,
        }
    }
}

impl FlatIntersection {
    /// Projects an intersection on a plane. Allocates nothing.
    pub fn project(&mut self, intersection: &IntersectionWorkspace, axes: &PlaneAxes) {
        self.corners.clear();
        (self.n, self.u, self.v) = (axes.n, axes.u, axes.v);
        for vertex in intersection.vertices().iter().take(MOST_VERTICES) {
            let from = vertex - axes.origin;
            self.corners.push(Corner { p: axes.flat(&from), h: axes.n.dot(&from) });
        }
    }

    /// Calls a function with every triangle of the intersection's surface.
    fn triangles(&self, intersection: &IntersectionWorkspace, mut each: impl FnMut(&[Corner; 3])) {
        for face in 0..intersection.face_count() {
            let corners = intersection.face(face).corners;
            let at = |i: usize| corners.get(i).and_then(|c| self.corners.get(*c as usize)).copied();
            let Some(first) = at(0) else { continue };
            for i in 1..corners.len().saturating_sub(1) {
                if let (Some(b), Some(c)) = (at(i), at(i + 1)) {
                    each(&[first, b, c]);
                }
            }
        }
    }

    /// Moments of the area and of the depth, about the area's centre; `None` if there is no volume.
    pub fn moments(&self, intersection: &IntersectionWorkspace) -> Option<Moments> {
        let mut moments = Moments::default();
        self.triangles(intersection, |t| moments.add(t));
        moments.centred()
    }

    /// The integral of directed friction for a displacement. (13), in closed form: a displacement r + θ n × p is a rotation about a centre c, so that its direction is that of n × (p - c), and a face's
    /// height is linear.
    pub fn directed(
        &self,
        intersection: &IntersectionWorkspace,
        moments: &Moments,
        displacement: &Displacement,
    ) -> Directed {
        let (r, theta) = (displacement.r, displacement.theta);
        let (turning, straight) = (theta * theta * moments.gyration(), r.norm_squared());
        if turning <= STRAIGHT * STRAIGHT * straight {
            let length = r.norm();
            let force = if length > 0.0 { r * (moments.volume / length) } else { Vec2::zeros() };
            return Directed { force, moment: cross(&(moments.pressed - moments.first), &force) };
        }
        if turning <= FAR * FAR * straight {
            let mut directed = Directed::default();
            self.triangles(intersection, |t| {
                directed.add_smooth(&t.map(|c| Corner { p: c.p - moments.first, h: c.h }), displacement);
            });
            return directed;
        }
        // From the area's centre: l(c) = 0.
        let c = Vec2::new(-r.y, r.x) / theta;
        let mut about = Directed::default();
        for face in 0..intersection.face_count() {
            let (corners, normal) = (intersection.face(face).corners, intersection.face(face).normal);
            let up = normal.dot(&self.n);
            let at = |i: usize| corners.get(i % corners.len()).and_then(|k| self.corners.get(*k as usize)).copied();
            let Some(first) = at(0) else { continue };
            if up.abs() < UPRIGHT {
                continue;
            }
            let g = -Vec2::new(normal.dot(&self.u), normal.dot(&self.v)) / up;
            let h0 = first.h - g.dot(&(first.p - moments.first - c));
            for i in 0..corners.len() {
                if let (Some(a), Some(b)) = (at(i), at(i + 1)) {
                    about.add_edge(&(a.p - moments.first - c), &(b.p - moments.first - c), h0, &g);
                }
            }
        }
        let sign = if theta < 0.0 { -1.0 } else { 1.0 };
        let force = Vec2::new(-about.force.y, about.force.x) * sign;
        Directed { force, moment: cross(&c, &force) + about.moment * sign }
    }

    /// The outline of the projected intersection, counter-clockwise: the convex hull of its corners, thinned evenly where it has more than there is room for. Returns how many corners it has.
    /// Allocates nothing.
    pub fn outline(&mut self, out: &mut [Vec2; MOST_OUTLINE]) -> usize {
        let FlatIntersection { corners, sorted, hull, .. } = self;
        sorted.clear();
        sorted.extend(corners.iter().map(|corner| corner.p));
        sorted.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        hull.clear();
        // Andrew's monotone chain: the lower side, then the upper one.
        for side in 0..2 {
            let floor = hull.len();
            for i in 0..sorted.len() {
                let p = if side == 0 { sorted[i] } else { sorted[sorted.len() - 1 - i] };
                while hull.len() >= floor + 2
                    && cross(&(hull[hull.len() - 1] - hull[hull.len() - 2]), &(p - hull[hull.len() - 2])) <= 0.0
                {
                    hull.pop();
                }
                hull.push(p);
            }
            hull.pop();
        }
        let count = hull.len().min(MOST_OUTLINE);
        for (i, p) in out.iter_mut().enumerate().take(count) {
            *p = hull[i * hull.len() / count];
        }
        count
    }
}
