//! Whether a candidate lies on the boundary of the solid, which way is out, and where the wanted level is.
//!
//! Symbols: d signed distance (negative inside), p point of the mesh, N unit normal up to its sign, ε the probe (about
//! half a voxel), σ the wanted level of d.
//!
//! ```text
//! out      N with d(p + ε N) > d(p − ε N)                 the sign of N
//! on       |d(p)| ≤ ε (2 ε on edges and corners)          otherwise p is buried in a union, or off the solid
//! sheet    d rises from p both ways: d(p + 2 ε N) ≥ d(p) + 0.8 ε and d(p − 2 ε N) ≥ d(p) − 0.6 ε
//! level    d(p + t N) = σ by a damped secant in t
//! ```
//!
//! An ordinary point stays where it is when σ = 0: the mesh is more exact than an interpolated field. A thickened sheet
//! has its mesh inside, where d is least; its points move to the level, on both sides and beyond the rim.
//! In a buried face, d does not rise both ways unless the face is half way between two sides of the solid, and the
//! points found on those are as good as others.

use crate::expose::Boundary;
use stiction::spatial::Vec3;

/// A place on the wanted level, and the outward normal there.
pub type Placed = (Vec3, Vec3);

/// What became of a point of the mesh.
pub enum Fate {
    /// On the boundary; two places on a sheet.
    Kept([Option<Placed>; 2]),
    /// Inside the solid, or where the field knows no boundary.
    Buried,
    /// Outside the solid.
    Off,
}

/// The field that judges candidates.
pub struct CandidateJudge<'a> {
    /// Signed distance.
    pub distance: &'a (dyn Fn(Vec3) -> f64 + Sync),
    /// ε in m.
    pub probe: f64,
    /// σ in m.
    pub level: f64,
    /// Where it is known, whether a point of the mesh is on the boundary. The field alone cannot tell within ε of it.
    pub boundary: Option<&'a Boundary>,
}

impl CandidateJudge<'_> {
    /// The outward one of ±`normal` at a point of the boundary; `None` if it is not on the boundary within `tolerance`
    /// or the field does not say.
    pub fn outward(&self, point: Vec3, normal: Vec3, tolerance: f64) -> Option<Vec3> {
        if self.is_buried(point) || !((self.distance)(point).abs() <= tolerance) {
            return None;
        }
        let (up, down) = self.around(point, normal, self.probe);
        // Through a wall thinner than the probe both are outside, and differ by its thickness only.
        let least = if up.min(down) > 0.0 { 1e-6 } else { 0.2 } * self.probe;
        ((up - down).abs() >= least).then_some(if up > down { normal } else { -normal })
    }

    /// Judges a point of the mesh.
    pub fn settle(&self, point: Vec3, normal: Vec3, tolerance: f64) -> Fate {
        if self.is_buried(point) {
            return Fate::Buried;
        }
        if let Some(normal) = self.outward(point, normal, tolerance) {
            let place = if self.level == 0.0 { Some((point, normal)) } else { self.reach(point, normal) };
            return if place.is_some() { Fate::Kept([place, None]) } else { Fate::Buried };
        }
        let sides = [self.lift(point, normal), self.lift(point, -normal)];
        match sides {
            [None, None] if (self.distance)(point) > tolerance => Fate::Off,
            [None, None] => Fate::Buried,
            _ => Fate::Kept(sides),
        }
    }

    /// From inside a sheet to its surface, in the direction of `normal`.
    pub fn lift(&self, point: Vec3, normal: Vec3) -> Option<Placed> {
        let (up, down) = self.around(point, normal, 2.0 * self.probe);
        let here = (self.distance)(point);
        let rises = up >= here + 0.8 * self.probe && down >= here - 0.6 * self.probe;
        (here < self.probe && rises).then(|| self.reach(point, normal)).flatten()
    }

    /// Whether a point of the mesh is known to be inside.
    fn is_buried(&self, point: Vec3) -> bool {
        self.boundary.is_some_and(|boundary| !boundary.has(point))
    }

    /// Moves a point along its normal to the wanted level.
    fn reach(&self, point: Vec3, normal: Vec3) -> Option<Placed> {
        let miss = |t: f64| (self.distance)(point + normal * t) - self.level;
        let (mut t, mut f) = (0.0, miss(0.0));
        let most = 3.0 * f.abs() + self.probe;
        let mut slope = 1.0;
        for _ in 0..8 {
            if f.abs() <= 1e-4 * self.probe {
                break;
            }
            let next: f64 = t - f / slope;
            if !(next.abs() <= most) {
                return None;
            }
            let new = miss(next);
            // The slope of a distance along its outward normal is at most one, and at an edge not much less.
            slope = ((new - f) / (next - t)).clamp(0.3, 1.0);
            (t, f) = (next, new);
        }
        let place = point + normal * t;
        let (up, down) = self.around(place, normal, self.probe);
        (f.abs() <= 0.25 * self.probe && up - down >= 0.5 * self.probe).then_some((place, normal))
    }

    fn around(&self, point: Vec3, normal: Vec3, probe: f64) -> (f64, f64) {
        ((self.distance)(point + normal * probe), (self.distance)(point - normal * probe))
    }
}
