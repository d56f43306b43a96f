//! Cables, hoses and bent rods: a regular polygon swept along a path.
//!
//! The path goes straight from corner to corner, with arcs of one radius for corners, whose points are on the true arc. The section is carried along without twist: from
//! each plane that halves the angle of two pieces to the next it is moved along the piece between them. So every facet is flat, and the volume is that of the section
//! times the length of the path, facets or not.

use super::contours::arc_pieces;
use super::revolve::sin_cos;
use super::{MAX_SEGMENTS, SolidError};
use crate::Mesh;
use stiction::spatial::Vec3;

/// Most corners of a path.
const MOST_CORNERS: usize = 10_000;

/// A round cable along a path, with flat ends. Lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub struct Cable {
    /// The corners of its middle line.
    pub path: Vec<[f64; 3]>,
    /// Its radius.
    pub radius: f64,
    /// Radius of the middle line at corners.
    pub bend: f64,
    /// Points around it, and for a whole turn of its bends.
    pub segments: u32,
}

impl Cable {
    fn wrong<T>(reason: impl Into<String>) -> Result<T, SolidError> {
        Err(SolidError::new("cable", reason))
    }

    /// Whether the path leaves room for its bends, and these for the cable.
    pub(super) fn check(&self) -> Result<(), SolidError> {
        for (name, x) in [("radius", self.radius), ("bend", self.bend)] {
            if !(x > 1e-12 && x < 1e9) {
                return Self::wrong(format!("{name} is {x} m, not between 1e-12 and 1e9"));
            }
        }
        if !(3..=MAX_SEGMENTS).contains(&self.segments) {
            return Self::wrong(format!("segments is {}, not from 3 to {MAX_SEGMENTS}", self.segments));
        }
        if !(2..=MOST_CORNERS).contains(&self.path.len()) {
            return Self::wrong(format!("its path has {} corners, not from 2 to {MOST_CORNERS}", self.path.len()));
        }
        if self.path.iter().flatten().any(|x| !(x.abs() < 1e9)) {
            return Self::wrong("a corner of its path is not within 1e9 m");
        }
        if !(self.bend > self.radius) {
            return Self::wrong(format!("a bend of {} m is too tight for a radius of {} m", self.bend, self.radius));
        }
        self.line().map(drop)
    }

    /// The middle line, with its bends.
    fn line(&self) -> Result<Vec<Vec3>, SolidError> {
        let corners: Vec<Vec3> = self.path.iter().map(|p| Vec3::from(*p)).collect();
        let last = corners.len() - 1;
        let lengths: Vec<f64> = corners.windows(2).map(|w| (w[1] - w[0]).norm()).collect();
        if let Some(i) = lengths.iter().position(|l| !(*l > 1e-12)) {
            return Self::wrong(format!("corners {i} and {} of its path are the same point", i + 1));
        }
        let ways: Vec<Vec3> = corners.windows(2).zip(&lengths).map(|(w, l)| (w[1] - w[0]) / *l).collect();
        // The angle by which the path turns, and how far from the corner that begins: R tan(angle / 2).
        let angle = |i: usize| libm::atan2(ways[i - 1].cross(&ways[i]).norm(), ways[i - 1].dot(&ways[i]));
        let turns: Vec<f64> = (0..=last).map(|i| if i == 0 || i == last { 0.0 } else { angle(i) }).collect();
        if let Some(i) = turns.iter().position(|turn| *turn > 3.0) {
            return Self::wrong(format!("its path turns back on itself at corner {i}"));
        }
        let begin: Vec<f64> = turns.iter().map(|turn| self.bend * libm::tan(0.5 * turn)).collect();
        if let Some(i) = (0..last).find(|&i| begin[i] + begin[i + 1] > lengths[i] * (1.0 + 1e-12)) {
            let bend = self.bend;
            return Self::wrong(format!(
                "corners {i} and {} of its path are too near each other for bends of {bend} m",
                i + 1
            ));
        }
        let mut line = vec![corners[0]];
        for i in 1..last {
            if turns[i] < 1e-9 {
                line.push(corners[i]);
                continue;
            }
            let start = corners[i] - ways[i - 1] * begin[i];
            let inward = (ways[i] - ways[i - 1] * ways[i - 1].dot(&ways[i])).normalize();
            let pieces = arc_pieces(turns[i], self.segments);
            for k in 0..=pieces {
                let a = turns[i] * f64::from(k) / f64::from(pieces);
                let point = start + (ways[i - 1] * libm::sin(a) + inward * (1.0 - libm::cos(a))) * self.bend;
                if (point - line[line.len() - 1]).norm() > 1e-9 * self.bend {
                    line.push(point);
                }
            }
        }
        line.push(corners[last]);
        let end = line.len() - 1;
        if end > 1 && (line[end] - line[end - 1]).norm() <= 1e-9 * self.bend {
            line.remove(end - 1);
        }
        Ok(line)
    }

    pub(super) fn mesh(&self) -> Result<Mesh, SolidError> {
        let line = self.line()?;
        let way = |i: usize| (line[i + 1] - line[i]).normalize();
        let (n, last) = (self.segments, line.len() - 1);
        // Across the first piece, from the axis it is least along.
        let first = way(0);
        let least = (0..3).fold(0, |best, k| if first[k].abs() < first[best].abs() { k } else { best });
        let u = first.cross(&Vec3::from_fn(|k, _| f64::from(u8::from(k == least)))).normalize();
        let v = first.cross(&u);
        let mut section: Vec<Vec3> = (0..n)
            .map(|j| {
                let (s, c) = sin_cos(j, n);
                line[0] + (u * c + v * s) * self.radius
            })
            .collect();
        let mut mesh = Mesh { points: section.clone(), faces: Vec::new() };
        for i in 1..=last {
            let along = way(i - 1);
            let normal = if i == last { along } else { along + way(i) };
            for p in &mut section {
                *p += along * ((line[i] - *p).dot(&normal) / along.dot(&normal));
            }
            mesh.points.extend_from_slice(&section);
            let (below, above) = ((i as u32 - 1) * n, i as u32 * n);
            for j in 0..n {
                let next = (j + 1) % n;
                mesh.faces.push([below + j, below + next, above + next]);
                mesh.faces.push([below + j, above + next, above + j]);
            }
        }
        let top = last as u32 * n;
        for (middle, rim, up) in [(line[0], 0, false), (line[last], top, true)] {
            let centre = mesh.points.len() as u32;
            mesh.points.push(middle);
            for j in 0..n {
                let (a, b) = (rim + j, rim + (j + 1) % n);
                mesh.faces.push(if up { [centre, a, b] } else { [centre, b, a] });
            }
        }
        Ok(mesh)
    }
}
