//! Where a part that comes straight down meets another one: by heights over a grid of vertical lines.
//!
//! Both meshes are cut by the same vertical lines, a two-hundredth of the smaller one's length apart, or nearer where a part is thinner than four of them, as a sheet that stands on its edge is. On each line the lowest point of the upper mesh
//! and the highest of the lower one tell how far the one can come down; the line that allows least decides. Between lines a surface is not seen, so that
//! the answer is off by at most its slope times half a step.

use stiction::shape::Aabb;
use stiction::spatial::{Pose, Vec3};
use stiction_bake::Mesh;

/// Lines across the smaller part, unless that makes too many across the larger one.
const ACROSS: f64 = 200.0;
/// Least lines across the thinnest part.
const THIN: f64 = 4.0;
/// Most lines across the larger part.
const MOST: f64 = 2000.0;
/// Least share of the smaller part's lines that both parts should be on.
const SHARED: f64 = 0.2;
/// Furthest that the place of touch should be from the middle of the held part, as a share of its width: it is not tipped over from there.
const AWAY: f64 = 0.1;
/// Rings about the first place where a better one is looked for, and places on each.
const RINGS: u32 = 24;
const DIRECTIONS: u32 = 16;
/// Most steps from the fixed part's corner to a line.
const FAR: i64 = 1 << 20;

/// Where the held part first touches the fixed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Where the held part's origin is then (m).
    pub origin: Vec3,
    /// The middle of the places where they touch (m).
    pub at: Vec3,
}

/// The lines that a mesh is on, with its height on each; NaN where it is not.
struct HeightMap {
    /// The first line along x and y.
    first: [i64; 2],
    counts: [i64; 2],
    heights: Vec<f64>,
}

impl HeightMap {
    fn at(&self, x: i64, y: i64) -> f64 {
        let (i, j) = (x - self.first[0], y - self.first[1]);
        let inside = (0..self.counts[0]).contains(&i) && (0..self.counts[1]).contains(&j);
        if inside { self.heights[(j * self.counts[0] + i) as usize] } else { f64::NAN }
    }

    fn lines(&self) -> usize {
        self.heights.iter().filter(|h| !h.is_nan()).count()
    }
}

/// Vertical lines at equal steps.
#[derive(Clone, Copy)]
struct Lines {
    corner: Vec3,
    step: f64,
}

impl Lines {
    /// The number of the line behind a place, along x (0) or y (1).
    fn index(&self, axis: usize, x: f64) -> i64 {
        ((x - self.corner[axis]) / self.step).floor() as i64
    }

    fn place(&self, axis: usize, index: i64) -> f64 {
        self.corner[axis] + (index as f64 + 0.5) * self.step
    }
}

/// The lowest (`lowest`) or highest points of triangles on lines; nothing where they are so far off that no line is near.
fn height_map(triangles: impl Iterator<Item = [Vec3; 3]>, around: &Aabb, lines: &Lines, lowest: bool) -> HeightMap {
    let first = [0, 1].map(|axis| lines.index(axis, around.min[axis]));
    let last = [0, 1].map(|axis| lines.index(axis, around.max[axis]));
    if first.into_iter().chain(last).any(|i| !(-FAR..=FAR).contains(&i)) {
        return HeightMap { first: [0; 2], counts: [0; 2], heights: Vec::new() };
    }
    let counts = [last[0] - first[0] + 1, last[1] - first[1] + 1];
    let mut heights = vec![f64::NAN; (counts[0] * counts[1]) as usize];
    for [a, b, c] in triangles {
        let (ab, ac) = (b - a, c - a);
        let area = ab.x * ac.y - ab.y * ac.x;
        if area == 0.0 || !area.is_finite() {
            continue;
        }
        let low = |axis: usize| lines.index(axis, a[axis].min(b[axis]).min(c[axis])).max(first[axis]);
        let high = |axis: usize| lines.index(axis, a[axis].max(b[axis]).max(c[axis])).min(last[axis]);
        for y in low(1)..=high(1) {
            for x in low(0)..=high(0) {
                let (px, py) = (lines.place(0, x) - a.x, lines.place(1, y) - a.y);
                let (u, v) = ((px * ac.y - py * ac.x) / area, (ab.x * py - ab.y * px) / area);
                if u < 0.0 || v < 0.0 || u + v > 1.0 {
                    continue;
                }
                let z = a.z + u * ab.z + v * ac.z;
                let cell = &mut heights[((y - first[1]) * counts[0] + x - first[0]) as usize];
                // The first height replaces NaN, which both give way to.
                *cell = if lowest { cell.min(z) } else { cell.max(z) };
            }
        }
    }
    HeightMap { first, counts, heights }
}

/// The box around a mesh that stands in a pose.
pub fn posed_bounds(mesh: &Mesh, pose: &Pose) -> Aabb {
    let mut out = Aabb { min: Vec3::repeat(f64::INFINITY), max: Vec3::repeat(f64::NEG_INFINITY) };
    for p in mesh.triangles().flatten() {
        let p = pose.transform_point(&p.into()).coords;
        (out.min, out.max) = (out.min.inf(&p), out.max.sup(&p));
    }
    out
}

/// A held part over a fixed one.
pub struct Descent {
    held: HeightMap,
    fixed: HeightMap,
    lines: Lines,
    /// Where the held part's origin is before it comes down.
    origin: Vec3,
    /// The middle of the held part there, and its width.
    middle: Vec3,
    width: f64,
    /// Furthest that the held part can be shifted and still be over the fixed one.
    reach: f64,
}

/// One try: how far down, and where.
struct Try {
    touch: Touch,
    /// Lines that both parts are on.
    shared: usize,
    /// Lines on which they touch.
    touching: usize,
}

impl Descent {
    /// The held part in a pose (world from held part), anywhere over the fixed one.
    pub fn new(held: &Mesh, fixed: &Mesh, world_from_held: &Pose) -> Descent {
        let (around, ground) = (posed_bounds(held, world_from_held), posed_bounds(fixed, &Pose::identity()));
        let size = |b: &Aabb| (b.max - b.min).xy().amax();
        let (small, large) = (size(&around).min(size(&ground)), size(&around).max(size(&ground)));
        let thin = |b: &Aabb| (b.max - b.min).xy().min();
        let step = (small / ACROSS).min(thin(&around).min(thin(&ground)) / THIN).max(large / MOST).max(1e-9);
        let lines = Lines { corner: ground.min, step };
        let posed = held.triangles().map(|t| t.map(|p| world_from_held.transform_point(&p.into()).coords));
        Descent {
            held: height_map(posed, &around, &lines, true),
            fixed: height_map(fixed.triangles(), &ground, &lines, false),
            lines,
            origin: world_from_held.translation.vector,
            middle: (around.min + around.max) * 0.5,
            width: size(&around),
            reach: 0.5 * (small + large),
        }
    }

    /// The touch right below; `None` where the parts pass each other.
    pub fn below(&self) -> Option<Touch> {
        self.shifted([0, 0]).map(|found| found.touch)
    }

    /// The touch below, or else at the nearest place beside it where much of the held part is over the fixed one and its middle over the touch; where
    /// there is no such place, where they touch on most lines.
    pub fn near(&self) -> Option<Touch> {
        let enough = (SHARED * self.held.lines().min(self.fixed.lines()) as f64) as usize;
        let mut most: Option<Try> = None;
        for ring in 0..=RINGS {
            let radius = self.reach / self.lines.step * f64::from(ring) / f64::from(RINGS);
            for direction in 0..if ring == 0 { 1 } else { DIRECTIONS } {
                let angle = std::f64::consts::TAU * f64::from(direction) / f64::from(DIRECTIONS);
                let shift = [libm::cos(angle), libm::sin(angle)].map(|x| (radius * x).round() as i64);
                let Some(found) = self.shifted(shift) else { continue };
                let middle = self.middle + found.touch.origin - self.origin;
                if found.shared >= enough && (found.touch.at - middle).xy().norm() <= AWAY * self.width {
                    return Some(found.touch);
                }
                if most.as_ref().is_none_or(|best| found.touching > best.touching) {
                    most = Some(found);
                }
            }
        }
        most.map(|found| found.touch)
    }

    fn shifted(&self, [dx, dy]: [i64; 2]) -> Option<Try> {
        let (held, fixed) = (&self.held, &self.fixed);
        let both = |axis: usize, shift: i64| {
            let low = (held.first[axis] + shift).max(fixed.first[axis]);
            low..(held.first[axis] + shift + held.counts[axis]).min(fixed.first[axis] + fixed.counts[axis])
        };
        let lines = || both(1, dy).flat_map(|y| both(0, dx).map(move |x| (x, y)));
        // How far the held part must be raised on a line for the two to touch there.
        let raised = |x: i64, y: i64| fixed.at(x, y) - held.at(x - dx, y - dy);
        let (mut least, mut shared) = (f64::NEG_INFINITY, 0);
        for (x, y) in lines() {
            let raise = raised(x, y);
            if !raise.is_nan() {
                (least, shared) = (least.max(raise), shared + 1);
            }
        }
        if shared == 0 {
            return None;
        }
        let (mut sum, mut touching) = (Vec3::zeros(), 0);
        for (x, y) in lines().filter(|&(x, y)| raised(x, y) > least - 0.5 * self.lines.step) {
            sum += Vec3::new(self.lines.place(0, x), self.lines.place(1, y), fixed.at(x, y));
            touching += 1;
        }
        let shift = Vec3::new(dx as f64 * self.lines.step, dy as f64 * self.lines.step, least);
        let touch = Touch { origin: self.origin + shift, at: sum / f64::from(touching) };
        Some(Try { touch, shared, touching: touching as usize })
    }
}
