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
//! corners. This gives (8), (12), (16), (22) in closed form.
//!
//! Deviations. (12), (22), (24) and (29) are used as corrected: see the tests, where the printed ones fail. 1/S_c stands once in (15) to (17). All moments are taken about the centre of the contact area,
//! where first moments vanish; there (21) to (29) are `r` and `θ` times the area's radius of gyration squared. The directions of (13) and of the maximum static friction come from the displacement
//! of the static springs: it is the velocity's direction after the last µ N / k_S of travel, and it exists at rest. Triangles over which that direction varies are cut in four, twice, before (14)
//! interpolates.

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
                0.75 * f(&mean_p) * g(&mean_p) + (f(&t[0].p) * g(&t[0].p) + f(&t[1].p) * g(&t[1].p) + f(&t[2].p) * g(&t[2].p)) / 12.0
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

impl Directed {
    /// Adds a triangle whose corners are relative to the area's centre, cut in four so many times.
    pub fn add(&mut self, t: &[Corner; 3], displacement: &Displacement, cuts: u32) {
        if cuts > 0 {
            let middle = |a: &Corner, b: &Corner| Corner { p: (a.p + b.p) * 0.5, h: (a.h + b.h) * 0.5 };
            let [ab, bc, ca] = [middle(&t[0], &t[1]), middle(&t[1], &t[2]), middle(&t[2], &t[0])];
            for part in [[t[0], ab, ca], [ab, t[1], bc], [ca, bc, t[2]], [ab, bc, ca]] {
                self.add(&part, displacement, cuts - 1);
            }
            return;
        }
        let s = 0.5 * cross(&(t[1].p - t[0].p), &(t[2].p - t[0].p));
        let l = t.map(|corner| displacement.at(&corner.p));
        // Where the area turns on the spot there is no direction, and what rounding leaves is none.
        let least = AT_REST * l.iter().map(Vec2::norm).fold(0.0, f64::max);
        let f = [0, 1, 2].map(|i| {
            let length = l[i].norm();
            if length > least { l[i] * (t[i].h / length) } else { Vec2::zeros() }
        });
        let (mean_f, mean_p) = ((f[0] + f[1] + f[2]) / 3.0, (t[0].p + t[1].p + t[2].p) / 3.0);
        let corners = cross(&t[0].p, &f[0]) + cross(&t[1].p, &f[1]) + cross(&t[2].p, &f[2]);
        self.force += mean_f * s;
        self.moment += s * (0.75 * cross(&mean_p, &mean_f) + corners / 12.0);
    }
}

/// Share of the largest displacement in a triangle below which a displacement has no direction.
const AT_REST: f64 = 1e-9;

/// Most corners of an outline that is kept to be drawn.
pub const MOST_OUTLINE: usize = 24;

/// Most vertices of an intersection that are looked at; what is beyond is left out, and flagged.
pub const MOST_VERTICES: usize = 512;

/// Vertices of an intersection in the axes of a contact plane.
#[derive(Clone, Debug)]
pub struct FlatIntersection {
    corners: Vec<Corner>,
    /// Of the outline: corners from left to right, and the hull.
    sorted: Vec<Vec2>,
    hull: Vec<Vec2>,
}

impl Default for FlatIntersection {
    fn default() -> Self {
        FlatIntersection {
            corners: Vec::with_capacity(MOST_VERTICES),
            sorted: Vec::with_capacity(MOST_VERTICES),
            // The upper side is begun before the lower one's last corner is known to be its first.
            hull: Vec::with_capacity(2 * MOST_VERTICES),
        }
    }
}

impl FlatIntersection {
    /// Projects an intersection on a plane. Allocates nothing.
    pub fn project(&mut self, intersection: &IntersectionWorkspace, axes: &PlaneAxes) {
        self.corners.clear();
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

    /// The integral of directed friction for a displacement.
    pub fn directed(&self, intersection: &IntersectionWorkspace, moments: &Moments, displacement: &Displacement) -> Directed {
        let mut directed = Directed::default();
        // Over an area that hardly turns the direction is everywhere the same, and (14) is exact.
        let turning = displacement.theta * displacement.theta * moments.gyration();
        let cuts = if turning > 1e-4 * displacement.r.norm_squared() { 2 } else { 0 };
        self.triangles(intersection, |t| {
            directed.add(&t.map(|c| Corner { p: c.p - moments.first, h: c.h }), displacement, cuts);
        });
        directed
    }

    /// The outline of the projected intersection, counter-clockwise: the convex hull of its corners, thinned evenly where it has more than there is room for. Returns how many corners it has.
    /// Allocates nothing.
    pub fn outline(&mut self, out: &mut [Vec2; MOST_OUTLINE]) -> usize {
        let FlatIntersection { corners, sorted, hull } = self;
        sorted.clear();
        sorted.extend(corners.iter().map(|corner| corner.p));
        sorted.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        hull.clear();
        // Andrew's monotone chain: the lower side, then the upper one.
        for side in 0..2 {
            let floor = hull.len();
            for i in 0..sorted.len() {
                let p = if side == 0 { sorted[i] } else { sorted[sorted.len() - 1 - i] };
                while hull.len() >= floor + 2 && cross(&(hull[hull.len() - 1] - hull[hull.len() - 2]), &(p - hull[hull.len() - 2])) <= 0.0 {
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
