//! Sheet metal: a plate of any outline with holes, flat or bent along lines parallel to y.
//!
//! Pattern and lengths are those of the middle surface, which a bend neither stretches nor shortens. A bend of radius R by θ takes R |θ| of the pattern; its n facets
//! are chords of the arc, 2 R sin(|θ|/2n) long, and turned by θ/n against each other. Where facets meet, the plate ends in the plane that halves their angle, so its
//! volume is thickness times middle surface, facets or not.

use super::contours::{self, Contour, arc_pieces};
use super::parts::upright;
use super::{MAX_SEGMENTS, SolidError, extrude, prism};
use crate::Mesh;
use std::f64::consts::TAU;
use stiction::spatial::Vec3;

/// What messages call it.
const NAME: &str = "sheet metal";
/// More holes than this are refused: each is compared with all others.
const MOST_HOLES: usize = 400;

/// A plate of any outline with holes; its middle surface is in the x-y plane up to its first bend. Lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetMetal {
    /// Corners (x, y) of the flat pattern's outline, in order, turning either way.
    pub outline: Vec<[f64; 2]>,
    /// Radius of the outline's corners; 0 for sharp ones.
    pub rounding: f64,
    /// Round holes: x and y of the middle, radius.
    pub holes: Vec<[f64; 3]>,
    /// Windows: x and y of the middle, lengths along x and y, radius of the corners.
    pub windows: Vec<[f64; 5]>,
    /// Thickness of the plate, half of it on either side.
    pub thickness: f64,
    /// Bends, in any order.
    pub bends: Vec<SheetBend>,
    /// Points around a whole turn of holes, corners and bends.
    pub segments: u32,
}

/// A bend of a plate along a line parallel to y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetBend {
    /// Where it begins on the flat pattern (m along x).
    pub at: f64,
    /// By how much the rest of the plate turns (rad), upwards if positive.
    pub angle: f64,
    /// Radius of the middle surface (m).
    pub radius: f64,
}

impl SheetMetal {
    fn wrong<T>(reason: impl Into<String>) -> Result<T, SolidError> {
        Err(SolidError::new(NAME, reason))
    }

    /// Whether the parameters describe a plate that does not meet itself.
    pub(super) fn check(&self) -> Result<(), SolidError> {
        let t = self.thickness;
        if !(t > 1e-12 && t < 1e9) {
            return Self::wrong(format!("thickness is {t} m, not between 1e-12 and 1e9"));
        }
        if !(3..=MAX_SEGMENTS).contains(&self.segments) {
            return Self::wrong(format!("segments is {}, not from 3 to {MAX_SEGMENTS}", self.segments));
        }
        if self.holes.len() + self.windows.len() > MOST_HOLES {
            return Self::wrong(format!("it has more than {MOST_HOLES} holes"));
        }
        if !(self.rounding >= 0.0 && self.rounding < 1e9) {
            return Self::wrong(format!("rounding is {} m, not from 0 to 1e9", self.rounding));
        }
        prism::check(&self.outline).or_else(Self::wrong)?;
        if let Some([x, y, r]) =
            self.holes.iter().find(|[x, y, r]| !(x.abs() < 1e9 && y.abs() < 1e9 && *r > 1e-12 && *r < 1e9))
        {
            return Self::wrong(format!("there is no hole of radius {r} m at ({x}, {y})"));
        }
        let no_window = |[x, y, a, b, r]: &&[f64; 5]| {
            !(x.abs() < 1e9 && y.abs() < 1e9 && *a > 1e-12 && *a < 1e9 && *b > 1e-12 && *b < 1e9 && *r >= 0.0)
        };
        if let Some([x, y, a, b, r]) = self.windows.iter().find(no_window) {
            return Self::wrong(format!("there is no window of {a} m × {b} m with corners of {r} m at ({x}, {y})"));
        }
        let (outline, holes) = self.contours()?;
        if holes.iter().map(Vec::len).sum::<usize>() + outline.len() > 8 * MOST_HOLES {
            return Self::wrong("its holes have too many points together: give fewer segments");
        }
        contours::check(&outline, &holes).or_else(Self::wrong)?;
        for bend in &self.bends {
            let SheetBend { at, angle, radius } = *bend;
            if !(at.abs() < 1e9 && angle.abs() > 1e-9 && angle.abs() < TAU && radius < 1e9) {
                return Self::wrong(format!("there is no bend of {angle} rad with radius {radius} m at {at} m"));
            }
            if !(radius > 0.5 * t) {
                return Self::wrong(format!("a bend of radius {radius} m is too tight for a thickness of {t} m"));
            }
        }
        let bends = self.sorted_bends();
        if let Some(pair) = bends.windows(2).find(|b| b[0].at + b[0].radius * b[0].angle.abs() > b[1].at) {
            return Self::wrong(format!("the bends at {} m and {} m overlap", pair[0].at, pair[1].at));
        }
        if !bends.is_empty() {
            self.check_folds(&outline, &holes)?;
        }
        Ok(())
    }

    /// Whether the plate meets itself where it is bent, and whether edges are clear of the lines at which bends begin.
    fn check_folds(&self, outline: &Contour, holes: &[Contour]) -> Result<(), SolidError> {
        let folds = Folds::new(&self.sorted_bends(), self.segments);
        let [low, high] = reach(outline);
        let mut along = vec![low];
        along.extend(folds.lines().filter(|x| *x > low && *x < high));
        along.push(high);
        let at = |z: f64| along.iter().map(move |x| (*x, z));
        let half = 0.5 * self.thickness;
        let around = at(half).chain(at(-half).rev());
        let section: Vec<[f64; 2]> = around.map(|(x, z)| folds.place(x, z)).collect();
        prism::check(&section).or_else(|reason| Self::wrong(format!("bent like this it meets itself: {reason}")))?;
        let tolerance = self.tolerance();
        for x in outline.iter().chain(holes.iter().flatten()).map(|p| p[0]) {
            if let Some(line) = folds.too_near(x, half, tolerance) {
                return Self::wrong(format!("an edge at x = {x} m is too near the end of a bend at {line} m"));
            }
        }
        Ok(())
    }

    fn sorted_bends(&self) -> Vec<SheetBend> {
        let mut bends = self.bends.clone();
        bends.sort_by(|a, b| a.at.total_cmp(&b.at));
        bends
    }

    /// The outline with its corners, and all holes.
    fn contours(&self) -> Result<(Contour, Vec<Contour>), SolidError> {
        let Some(outline) = contours::rounded(&self.outline, self.rounding, self.segments) else {
            return Self::wrong(format!("a side of its outline is too short for corners of {} m", self.rounding));
        };
        let mut holes: Vec<Contour> = self.holes.iter().map(|hole| contours::circle(*hole, self.segments)).collect();
        for window in &self.windows {
            match contours::window(*window, self.segments) {
                Some(contour) => holes.push(contour),
                None => {
                    return Self::wrong(format!(
                        "corners of {} m do not fit in a window of {} m × {} m",
                        window[4], window[2], window[3]
                    ));
                }
            }
        }
        Ok((outline, holes))
    }

    /// Points nearer than this to a line are on it (m).
    fn tolerance(&self) -> f64 {
        let [low, high] = reach(&self.outline);
        1e-9 * (high - low)
    }

    fn region(&self) -> Result<super::Planar, SolidError> {
        let (outline, holes) = self.contours()?;
        let region = contours::region(&outline, &holes);
        region.ok_or_else(|| SolidError::new(NAME, "its outline cannot be cut into triangles"))
    }

    pub(super) fn mesh(&self) -> Result<Mesh, SolidError> {
        let folds = Folds::new(&self.sorted_bends(), self.segments);
        let lines: Vec<f64> = folds.lines().collect();
        let region = self.region()?.cut_across(&lines, self.tolerance());
        let half = 0.5 * self.thickness;
        let mut mesh = extrude(&region, -half, half, 1);
        if !lines.is_empty() {
            for p in &mut mesh.points {
                let [x, z] = folds.place(p.x, p.z);
                (p.x, p.z) = (x, z);
            }
        }
        Ok(mesh)
    }

    /// The convex parts of a flat plate; of a bent one, whose facets end at a slant, there are none.
    pub(super) fn convex_parts(&self) -> Result<Option<Vec<Vec<Vec3>>>, SolidError> {
        if !self.bends.is_empty() {
            return Ok(None);
        }
        let half = 0.5 * self.thickness;
        Ok(Some(upright(&self.region()?.convex_polygons(), -half, half)))
    }
}

/// The least and the largest x of a contour.
fn reach(contour: &[[f64; 2]]) -> [f64; 2] {
    contour.iter().fold([f64::MAX, f64::MIN], |[low, high], p| [low.min(p[0]), high.max(p[0])])
}

/// The facets of the middle surface, seen along y.
struct Folds(Vec<Fold>);

/// A line at which two facets meet.
#[derive(Clone, Copy)]
struct Fold {
    /// Where it is on the flat pattern.
    flat: f64,
    /// Where it is when bent: x and z.
    at: [f64; 2],
    /// Direction of the facet before it (rad).
    before: f64,
    /// Direction of the facet after it (rad).
    after: f64,
    /// Whether the facet after it belongs to a bend.
    bent: bool,
}

impl Fold {
    /// Where a point above the line by z is: in the plane that halves the angle.
    fn above(&self, z: f64) -> [f64; 2] {
        let (middle, half) = (0.5 * (self.before + self.after), 0.5 * (self.after - self.before));
        let reach = z / libm::cos(half);
        [self.at[0] - reach * libm::sin(middle), self.at[1] + reach * libm::cos(middle)]
    }
}

impl Folds {
    fn new(bends: &[SheetBend], segments: u32) -> Folds {
        let mut folds: Vec<Fold> = Vec::new();
        let (mut flat, mut at, mut direction) = (0.0, [0.0; 2], 0.0);
        let go = |at: [f64; 2], by: f64, direction: f64| {
            [at[0] + by * libm::cos(direction), at[1] + by * libm::sin(direction)]
        };
        for bend in bends {
            at = go(at, bend.at - flat, direction);
            flat = bend.at;
            let count = arc_pieces(bend.angle, segments);
            let turn = bend.angle / f64::from(count);
            let (length, chord) = (bend.radius * turn.abs(), 2.0 * bend.radius * libm::sin(0.5 * turn.abs()));
            for k in 0..=count {
                let before = if k == 0 { direction } else { direction + (f64::from(k) - 0.5) * turn };
                let after = if k == count { direction + bend.angle } else { direction + (f64::from(k) + 0.5) * turn };
                folds.push(Fold { flat: flat + f64::from(k) * length, at, before, after, bent: k < count });
                if k < count {
                    at = go(at, chord, after);
                }
            }
            flat += f64::from(count) * length;
            direction += bend.angle;
        }
        Folds(folds)
    }

    /// Where the lines are on the flat pattern.
    fn lines(&self) -> impl Iterator<Item = f64> {
        self.0.iter().map(|fold| fold.flat)
    }

    /// Where a point of the flat plate is when bent. Within a bend it keeps its share of the way between the slanting ends of its facet; elsewhere it is straight above
    /// the middle surface.
    fn place(&self, x: f64, z: f64) -> [f64; 2] {
        if let Some(on) = self.0.iter().find(|fold| fold.flat == x) {
            return on.above(z);
        }
        let next = self.0.partition_point(|fold| fold.flat < x);
        let Some(last) = next.checked_sub(1).map(|i| self.0[i]) else { return [x, z] };
        match self.0.get(next) {
            Some(next) if last.bent => {
                let share = (x - last.flat) / (next.flat - last.flat);
                let (a, b) = (last.above(z), next.above(z));
                [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]
            }
            _ => {
                let (s, c) = (libm::sin(last.after), libm::cos(last.after));
                let along = x - last.flat;
                [last.at[0] + along * c - z * s, last.at[1] + along * s + z * c]
            }
        }
    }

    /// The end of a bend to which x is so near, on the flat side, that the slanting end there would pass it.
    fn too_near(&self, x: f64, half: f64, tolerance: f64) -> Option<f64> {
        let slanting = |(i, fold): (usize, &Fold)| {
            let slant = half * libm::tan(0.5 * (fold.after - fold.before)).abs() + tolerance;
            let begins = i == 0 || !self.0[i - 1].bent;
            let off = if begins { fold.flat - x } else { x - fold.flat };
            let ends = begins || !fold.bent;
            (ends && off > tolerance && off <= slant).then_some(fold.flat)
        };
        self.0.iter().enumerate().find_map(slanting)
    }
}
