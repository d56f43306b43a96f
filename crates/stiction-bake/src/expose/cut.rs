//! A convex polygon cut along segments into convex pieces, of which some are kept.
//!
//! A binary space partition in the plane (Fuchs, Kedem and Naylor 1980): the line of one segment cuts the polygon and the
//! other segments in two, and so on in both halves. Every segment ends up along sides of pieces; lines are longer than
//! their segments only within the piece at hand. Deviation: many segments are first halved by a line across their
//! longer extent, so that a polygon met along a circle does not become a chain as deep as the circle has sides. Pieces
//! that are all kept, or all not, become one again.

/// A point of the plane.
pub type Point = [f64; 2];

/// More segments than this are halved first.
const MANY: usize = 16;

/// A line: points with u·x = c, where |u| = 1.
#[derive(Clone, Copy)]
struct Line {
    u: Point,
    c: f64,
}

impl Line {
    /// The line of a segment.
    fn through([p, q]: [Point; 2]) -> Option<Line> {
        let (x, y) = (q[0] - p[0], q[1] - p[1]);
        let length = (x * x + y * y).sqrt();
        let u = [-y / length, x / length];
        (length > 0.0).then(|| Line { u, c: u[0] * p[0] + u[1] * p[1] })
    }

    fn distance(&self, p: Point) -> f64 {
        self.u[0] * p[0] + self.u[1] * p[1] - self.c
    }
}

/// What cutting needs besides the polygon.
pub struct Cut<'a> {
    /// Lines closer than this to the rim of a piece do not cut it.
    pub tolerance: f64,
    /// Whether the piece with this point in its middle is kept.
    pub keep: &'a dyn Fn(Point) -> bool,
    /// Pieces that are kept, when not all are.
    pub pieces: Vec<Vec<Point>>,
}

impl Cut<'_> {
    /// Cuts a polygon. If all pieces have one answer, that; else the pieces are listed.
    pub fn run(&mut self, polygon: &[Point], mut segments: Vec<[Point; 2]>) -> Option<bool> {
        while let Some((line, used)) = self.choose(polygon, &segments) {
            if let Some(used) = used {
                segments.swap_remove(used);
            }
            let Some(halves) = self.halves(polygon, line) else { continue };
            let sides = [-1.0, 1.0].map(|side| self.on_side(&segments, line, side));
            drop(segments);
            let [first, second] = sides;
            let answers = [self.run(&halves[0], first), self.run(&halves[1], second)];
            if answers[0].is_some() && answers[0] == answers[1] {
                return answers[0];
            }
            for (half, answer) in halves.into_iter().zip(answers) {
                if answer == Some(true) {
                    self.pieces.push(half);
                }
            }
            return None;
        }
        Some((self.keep)(middle(polygon)))
    }

    /// The next line, and the segment that it is of.
    fn choose(&self, polygon: &[Point], segments: &[[Point; 2]]) -> Option<(Line, Option<usize>)> {
        if segments.len() > MANY {
            let middles = |k: usize| -> Vec<f64> {
                let mut all: Vec<f64> = segments.iter().map(|[p, q]| 0.5 * (p[k] + q[k])).collect();
                all.sort_unstable_by(f64::total_cmp);
                all
            };
            let all = [middles(0), middles(1)];
            let extent = |k: usize| all[k][all[k].len() - 1] - all[k][0];
            let k = usize::from(extent(1) > extent(0));
            let line = Line { u: [1.0 - k as f64, k as f64], c: all[k][all[k].len() / 2] };
            let fewer = |side| 8 * self.on_side(segments, line, side).len() <= 7 * segments.len();
            if fewer(-1.0) && fewer(1.0) && self.halves(polygon, line).is_some() {
                return Some((line, None));
            }
        }
        let used = segments.len() / 2;
        let line = segments.get(used).map(|&s| Line::through(s));
        // A segment without length cuts nothing: a line far away stands for it.
        line.map(|line| (line.unwrap_or(Line { u: [1.0, 0.0], c: f64::MAX }), Some(used)))
    }

    /// The polygon before and behind a line, if it is on both sides.
    fn halves(&self, polygon: &[Point], line: Line) -> Option<[Vec<Point>; 2]> {
        let d: Vec<f64> = polygon.iter().map(|&p| line.distance(p)).collect();
        let beyond = |side: f64| d.iter().any(|&d| side * d > self.tolerance);
        if !(beyond(-1.0) && beyond(1.0)) {
            return None;
        }
        let half = |side: f64| {
            let mut out = Vec::with_capacity(polygon.len() + 1);
            for i in 0..polygon.len() {
                let j = (i + 1) % polygon.len();
                if side * d[i] >= 0.0 {
                    out.push(polygon[i]);
                }
                if d[i] * d[j] < 0.0 {
                    // Computed from the same end for both halves, so that they share the point to the bit.
                    let (a, b) = if d[i] < 0.0 { (i, j) } else { (j, i) };
                    out.push(between(polygon[a], polygon[b], d[a] / (d[a] - d[b])));
                }
            }
            out
        };
        Some([half(-1.0), half(1.0)])
    }

    /// The parts of segments on one side of a line; those along it are done with.
    fn on_side(&self, segments: &[[Point; 2]], line: Line, side: f64) -> Vec<[Point; 2]> {
        let part = |&[p, q]: &[Point; 2]| {
            let (a, b) = (side * line.distance(p), side * line.distance(q));
            if a.max(b) <= self.tolerance {
                return None;
            }
            let cut = || between(p, q, a / (a - b));
            Some(if a < -self.tolerance {
                [cut(), q]
            } else if b < -self.tolerance {
                [p, cut()]
            } else {
                [p, q]
            })
        };
        segments.iter().filter_map(part).collect()
    }
}

fn between(p: Point, q: Point, t: f64) -> Point {
    [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]
}

/// The centroid of a convex polygon; the mean of its corners if it has no area.
fn middle(polygon: &[Point]) -> Point {
    let (first, mut sum, mut area) = (polygon[0], [0.0; 2], 0.0);
    for pair in polygon.windows(2) {
        let [a, b] = [0, 1].map(|i| [pair[i][0] - first[0], pair[i][1] - first[1]]);
        let twice = a[0] * b[1] - a[1] * b[0];
        area += twice;
        [0, 1].into_iter().for_each(|k| sum[k] += twice * (a[k] + b[k]) / 3.0);
    }
    if area > 0.0 {
        return [0, 1].map(|k| first[k] + sum[k] / area);
    }
    [0, 1].map(|k| polygon.iter().map(|p| p[k]).sum::<f64>() / polygon.len() as f64)
}
