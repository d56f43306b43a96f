//! Where two faces, or an edge and a face, lie over each other.

use crate::placed::{Placed, Solids, moved};
use crate::polyhedron::{Face, corners};
use stiction::spatial::{Mat3, Vec3};

/// Most corners of a convex piece of a face after clipping.
const MOST_CORNERS: usize = 64;

/// A convex polygon on the stack.
#[derive(Clone, Copy)]
pub struct Polygon {
    corners: [Vec3; MOST_CORNERS],
    count: usize,
}

impl Polygon {
    fn new() -> Polygon {
        Polygon { corners: [Vec3::zeros(); MOST_CORNERS], count: 0 }
    }

    /// Its corners.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    fn push(&mut self, corner: Vec3) {
        if self.count < MOST_CORNERS {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// What lies where a function that is linear over the polygon is not negative (Sutherland and Hodgman).
    pub fn clipped(&self, inside: impl Fn(&Vec3) -> f64) -> Polygon {
        let mut out = Polygon::new();
        for (p, q) in corners(self.corners()) {
            let (hp, hq) = (inside(&p), inside(&q));
            if hp >= 0.0 {
                out.push(p);
            }
            if (hp >= 0.0) != (hq >= 0.0) {
                out.push(p + (q - p) * (hp / (hp - hq)));
            }
        }
        out
    }
}

/// Shows the convex pieces of the region in which a face of A lies over a face of B, on B's plane.
pub fn overlap(solids: &Solids, placed: &Placed, f: u32, g: u32, each: &mut dyn FnMut(&Polygon)) {
    let (above, below) = (&solids.held.faces[f as usize], &solids.fixed.faces[g as usize]);
    let onto = |p: &Vec3| {
        let p = moved(&placed.pose, p);
        p - below.normal * below.height(&p)
    };
    for (piece, (centre, radius)) in above.pieces.iter().zip(&above.circles) {
        let centre = onto(centre);
        let mut start: Option<Polygon> = None;
        for (window, (other, reach)) in below.pieces.iter().zip(&below.circles) {
            if (centre - other).norm_squared() > (radius + reach) * (radius + reach) * (1.0 + 1e-9) {
                continue;
            }
            let start = start.get_or_insert_with(|| {
                let mut polygon = Polygon::new();
                piece.iter().for_each(|corner| polygon.push(onto(corner)));
                polygon
            });
            let mut part = *start;
            for (a, b) in corners(window) {
                let inward = below.normal.cross(&(b - a));
                part = part.clipped(|p| (p - a).dot(&inward));
                if part.count < 3 {
                    break;
                }
            }
            if part.count >= 3 {
                each(&part);
            }
        }
    }
}

/// Area, centroid and second moments of convex polygons that add up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionMoments {
    /// Area (m²).
    pub area: f64,
    first: Vec3,
    second: Mat3,
}

impl RegionMoments {
    /// Adds a polygon, by triangles; moments are taken about `origin` (m), which must be the same for all.
    pub fn add(&mut self, polygon: &[Vec3], origin: &Vec3) {
        for i in 1..polygon.len().saturating_sub(1) {
            let [a, b, c] = [0, i, i + 1].map(|k| polygon[k] - origin);
            let area = 0.5 * (b - a).cross(&(c - a)).norm();
            let sum = a + b + c;
            self.area += area;
            self.first += sum * (area / 3.0);
            // ∫ x xᵀ over a triangle = A/12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c.
            let squares = a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose();
            self.second += squares * (area / 12.0);
        }
    }

    /// The area's centroid about the origin (m): not the mean of the corners.
    pub fn centroid(&self) -> Vec3 {
        if self.area > 0.0 { self.first / self.area } else { Vec3::zeros() }
    }

    /// ∫ (x − c)(x − c)ᵀ / area about the centroid c (m²).
    pub fn spread(&self) -> Mat3 {
        let c = self.centroid();
        if self.area > 0.0 { self.second / self.area - c * c.transpose() } else { Mat3::zeros() }
    }
}

/// Where a segment lies over a face: the ends of the part from the first to the last point inside (as shares of the segment), and length and middle of what is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The first and the last point inside, as shares of the segment.
    pub ends: [f64; 2],
    /// The covered share.
    pub covered: f64,
    /// The centroid of what is covered, as a share.
    pub middle: f64,
}

/// Where a segment lies over a face, both in the face's frame; up to `outside` (m) beyond the border counts as inside.
pub fn segment_over(face: &Face, [p, q]: [Vec3; 2], outside: f64) -> Option<Overlap> {
    let mut out = Overlap { ends: [1.0, 0.0], covered: 0.0, middle: 0.0 };
    for piece in &face.pieces {
        let (mut low, mut high) = (0.0, 1.0);
        for (a, b) in corners(piece) {
            let inward = face.normal.cross(&(b - a)).normalize();
            let (hp, hq) = ((p - a).dot(&inward) + outside, (q - a).dot(&inward) + outside);
            match (hp >= 0.0, hq >= 0.0) {
                (true, true) => {}
                (false, false) => high = -1.0,
                (false, true) => low = f64::max(low, hp / (hp - hq)),
                (true, false) => high = f64::min(high, hp / (hp - hq)),
            }
        }
        if high > low {
            out.ends = [out.ends[0].min(low), out.ends[1].max(high)];
            out.covered += high - low;
            out.middle += (high - low) * (low + high) * 0.5;
        }
    }
    (out.covered > 0.0).then(|| Overlap { middle: out.middle / out.covered, ..out })
}
