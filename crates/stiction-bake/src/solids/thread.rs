//! Bolts and nuts with an ISO metric screw thread.
//!
//! Source: ISO 68-1 (basic profile) and ISO 261 (coarse pitches).
//!
//! ```text
//!   D, P         nominal diameter, pitch
//!   H = P √3/2   height of the fundamental triangle: flanks at 60 degrees to each other
//!   5/8 H        depth of the basic profile, from D/2 down to D/2 − 5/8 H
//!   P/8, P/4     flats at D/2 (crest of the bolt) and at D/2 − 5/8 H (root of the bolt); each flank is 5/16 P long along z
//!   c            clearance: the bolt's surface lies c inside the basic profile, measured along the radius, the nut's c outside
//!
//!   The thread is right-handed. At the polar angle θ a crest of the bolt is centred at z = P (θ/2π + k), k any integer, so that in the
//!   half plane through the x axis crests are at multiples of P.
//! ```
//!
//! Nut and bolt are made in the same frame: at equal poses, and where the nut is turned by α and moved by P α/2π along z, the surfaces are
//! c₁ + c₂ apart along the radius, (c₁ + c₂)/2 along the normal of the flanks and (c₁ + c₂)/√3 along z. Facets take up to r (1 − cos(π/n)) of that
//! (n facets a turn), because the chords of the nut reach into its hole.
//!
//! Deviations: roots are flat, not rounded; instead of a conical chamfer, the height of the thread grows linearly from zero at each end to its whole
//! in the length `lead_in`, which only takes material away; corners of hexagons are not chamfered.
//!
//! Mesh: one chain of points for each of the n half planes through z, with a point where the profile has a corner. A corner keeps its number along its
//! helix, so that two neighbouring chains are joined corner by corner.

use super::revolve::sin_cos;
use super::{MAX_SEGMENTS, SolidError};
use crate::Mesh;
use std::collections::HashMap;
use stiction::spatial::Vec3;

/// An ISO metric screw thread, right-handed around z; lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub struct ScrewThread {
    /// Nominal diameter: 0.012 for M12.
    pub diameter: f64,
    /// Distance of neighbouring crests along z.
    pub pitch: f64,
    /// Distance from the basic profile along the radius: inwards for a bolt, outwards for a nut.
    pub clearance: f64,
    /// Length along z in which the thread rises from nothing at each of its ends.
    pub lead_in: f64,
    /// Facets per turn.
    pub segments: u32,
}

/// The head of a bolt; lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BoltHead {
    /// No head: a threaded rod.
    None,
    /// A hexagonal prism with two of its faces across the x axis.
    Hexagon {
        /// Width across flats.
        width: f64,
        /// Length along z.
        height: f64,
    },
    /// A cylinder.
    Cylinder {
        /// Its diameter.
        width: f64,
        /// Length along z.
        height: f64,
    },
}

/// A bolt along z: its thread from z = 0 to its length, its head above that.
#[derive(Clone, Debug, PartialEq)]
pub struct Bolt {
    /// Its thread.
    pub thread: ScrewThread,
    /// Length of the thread along z (m), without the head.
    pub length: f64,
    /// Its head.
    pub head: BoltHead,
}

/// A hexagonal nut along z, from z = 0 to its height, with two of its faces across the x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Nut {
    /// Its thread.
    pub thread: ScrewThread,
    /// Width across flats (m).
    pub width: f64,
    /// Length along z (m).
    pub height: f64,
}

/// Nominal diameters and pitches of ISO 261's coarse series (mm), first choice.
const COARSE: [(f64, f64); 18] = [
    (1.6, 0.35),
    (2.0, 0.4),
    (2.5, 0.45),
    (3.0, 0.5),
    (4.0, 0.7),
    (5.0, 0.8),
    (6.0, 1.0),
    (8.0, 1.25),
    (10.0, 1.5),
    (12.0, 1.75),
    (16.0, 2.0),
    (20.0, 2.5),
    (24.0, 3.0),
    (30.0, 3.5),
    (36.0, 4.0),
    (42.0, 4.5),
    (48.0, 5.0),
    (56.0, 5.5),
];

/// Corners of the basic profile in one pitch, from the crest's middle: z in pitches, and height as a share of the depth.
const CORNERS: [(f64, f64); 4] = [(-0.375, 0.0), (-0.0625, 1.0), (0.0625, 1.0), (0.375, 0.0)];
/// Corners nearer than this to an end, in pitches, are left out: the thread has no height there.
const NEAR_END: f64 = 1e-3;
/// More points than this are refused.
const MAX_POINTS: f64 = (1u32 << 26) as f64;

impl ScrewThread {
    /// A thread with a clearance of a twentieth of the pitch, a lead-in of one pitch, and 96 facets a turn.
    pub fn metric(diameter: f64, pitch: f64) -> Self {
        Self { diameter, pitch, clearance: pitch / 20.0, lead_in: pitch, segments: 96 }
    }

    /// The pitch of ISO's coarse series for a nominal diameter (both in m), from M1.6 to M56; `None` for other diameters.
    pub fn coarse_pitch(diameter: f64) -> Option<f64> {
        COARSE.iter().find(|(d, _)| (1000.0 * diameter - d).abs() < 1e-6).map(|(_, pitch)| pitch / 1000.0)
    }

    /// Depth of the basic profile (m): 5/8 H.
    pub fn depth(&self) -> f64 {
        0.625 * 0.5 * 3f64.sqrt() * self.pitch
    }

    fn check(&self, solid: &'static str, length: f64) -> Result<(), SolidError> {
        let wrong = |reason: String| Err(SolidError::new(solid, reason));
        for (name, value) in [("diameter", self.diameter), ("pitch", self.pitch), ("lead-in", self.lead_in)] {
            if !(value > 1e-12 && value < 1e9) {
                return wrong(format!("{name} is {value} m, not between 1e-12 and 1e9"));
            }
        }
        if !(3..=MAX_SEGMENTS).contains(&self.segments) {
            return wrong(format!("segments is {}, not from 3 to {MAX_SEGMENTS}", self.segments));
        }
        let depth = self.depth();
        if !(self.clearance >= 0.0 && self.clearance < depth) {
            return wrong(format!("clearance is {} m, not from 0 to the thread's depth of {depth} m", self.clearance));
        }
        if !(self.diameter / 2.0 - depth - self.clearance > 0.01 * self.diameter) {
            return wrong(format!("a pitch of {} m leaves no core in a diameter of {} m", self.pitch, self.diameter));
        }
        if !(2.0 * self.lead_in <= length) {
            return wrong(format!("{length} m is shorter than two lead-ins of {} m", self.lead_in));
        }
        let points = f64::from(self.segments) * (4.0 * length / self.pitch + 8.0);
        if points > MAX_POINTS {
            return wrong(format!("its thread has {points:.0} points, too many"));
        }
        Ok(())
    }

    /// The corners of the profile in the half plane of a segment, from z = 0 to a length: number along the helix, z, and share of the whole depth.
    fn chain(&self, segment: u32, length: f64) -> Vec<(i64, f64, f64)> {
        let turn = f64::from(segment) / f64::from(self.segments);
        let (least, most) = (NEAR_END * self.pitch, length - NEAR_END * self.pitch);
        let turns = (length / self.pitch).ceil() as i64 + 2;
        let mut chain = vec![(i64::MIN, 0.0, 0.0)];
        for number in -8..4 * turns {
            let (offset, share) = CORNERS[number.rem_euclid(4) as usize];
            let z = self.pitch * (turn + number.div_euclid(4) as f64 + offset);
            if z > least && z < most {
                chain.push((number, z, share));
            }
        }
        chain.push((i64::MAX, length, 0.0));
        chain
    }

    /// The threaded wall from z = 0 to a length. `radius` gives the distance from the axis by the height of the basic profile there as a share of its
    /// depth, and by how far the thread has risen from its end, from 0 to 1. At both ends that is 0, so that the wall ends in regular polygons.
    fn wall(&self, to: &mut Builder, length: f64, out: bool, radius: impl Fn(f64, f64) -> f64) {
        let chains: Vec<Vec<(i64, u32)>> = (0..self.segments)
            .map(|j| {
                let (s, c) = sin_cos(j, self.segments);
                let point = |&(number, z, share): &(i64, f64, f64)| {
                    let risen = (z.min(length - z) / self.lead_in).clamp(0.0, 1.0);
                    let r = radius(share, risen);
                    (number, to.point(r * c, r * s, z))
                };
                self.chain(j, length).iter().map(point).collect()
            })
            .collect();
        // After a turn the same half plane comes again, its corners numbered a pitch lower.
        let next_turn = |&(number, point): &(i64, u32)| match number {
            i64::MIN | i64::MAX => (number, point),
            _ => (number - 4, point),
        };
        let last: Vec<(i64, u32)> = chains[0].iter().map(next_turn).collect();
        for pair in chains.windows(2) {
            to.zip(&pair[0], &pair[1], out);
        }
        to.zip(&chains[chains.len() - 1], &last, out);
    }
}

impl Bolt {
    pub(super) fn check(&self) -> Result<(), SolidError> {
        let wrong = |reason: String| Err(SolidError::new("bolt", reason));
        if !(self.length > 1e-12 && self.length < 1e9) {
            return wrong(format!("length is {} m, not between 1e-12 and 1e9", self.length));
        }
        self.thread.check("bolt", self.length)?;
        let (BoltHead::Hexagon { width, height } | BoltHead::Cylinder { width, height }) = self.head else {
            return Ok(());
        };
        for (name, value) in [("head width", width), ("head height", height)] {
            if !(value > 1e-12 && value < 1e9) {
                return wrong(format!("{name} is {value} m, not between 1e-12 and 1e9"));
            }
        }
        if !(width > self.thread.diameter) {
            return wrong(format!("a head {width} m wide is not wider than the thread"));
        }
        Ok(())
    }

    pub(super) fn mesh(&self) -> Result<Mesh, SolidError> {
        self.check()?;
        let (t, n, top) = (&self.thread, self.thread.segments, self.length);
        let crest = t.diameter / 2.0 - t.clearance;
        let root = crest - t.depth();
        let mut to = Builder::default();
        t.wall(&mut to, top, true, |share, risen| root + (crest - root) * share * risen);
        let core = Outline::circle(root, n);
        to.disk(&core, 0.0, false);
        let (outline, height) = match self.head {
            BoltHead::None => {
                to.disk(&core, top, true);
                return Ok(to.mesh);
            }
            BoltHead::Hexagon { width, height } => (Outline::hexagon(width, n), height),
            BoltHead::Cylinder { width, height } => (Outline::circle(width / 2.0, n), height),
        };
        to.ring(&core, &outline, top, false);
        to.prism(&outline, top, top + height);
        to.disk(&outline, top + height, true);
        Ok(to.mesh)
    }
}

impl Nut {
    pub(super) fn check(&self) -> Result<(), SolidError> {
        let wrong = |reason: String| Err(SolidError::new("nut", reason));
        for (name, value) in [("width", self.width), ("height", self.height)] {
            if !(value > 1e-12 && value < 1e9) {
                return wrong(format!("{name} is {value} m, not between 1e-12 and 1e9"));
            }
        }
        self.thread.check("nut", self.height)?;
        let hole = self.thread.diameter + 2.0 * self.thread.clearance;
        if !(self.width > 1.01 * hole) {
            return wrong(format!("a thread of {hole} m does not fit in a width across flats of {} m", self.width));
        }
        Ok(())
    }

    pub(super) fn mesh(&self) -> Result<Mesh, SolidError> {
        self.check()?;
        let (t, n, top) = (&self.thread, self.thread.segments, self.height);
        let groove = t.diameter / 2.0 + t.clearance;
        let mut to = Builder::default();
        t.wall(&mut to, top, false, |share, risen| groove - t.depth() * (1.0 - share) * risen);
        let (hole, outline) = (Outline::circle(groove, n), Outline::hexagon(self.width, n));
        to.ring(&hole, &outline, 0.0, false);
        to.prism(&outline, 0.0, top);
        to.ring(&hole, &outline, top, true);
        Ok(to.mesh)
    }
}

/// A convex outline around z, counter-clockwise, cut by the rays of the segments: for every segment its points from its ray on, before the next ray.
struct Outline(Vec<Vec<[f64; 2]>>);

impl Outline {
    fn circle(radius: f64, segments: u32) -> Outline {
        let at = |j: u32| {
            let (s, c) = sin_cos(j, segments);
            vec![[radius * c, radius * s]]
        };
        Outline((0..segments).map(at).collect())
    }

    /// A hexagon of a width across flats, its corners at odd multiples of 30 degrees.
    fn hexagon(width: f64, segments: u32) -> Outline {
        let apothem = width / 2.0;
        let corner = |k: u32| {
            let (s, c) = sin_cos(2 * k + 1, 12);
            let r = width / 3f64.sqrt();
            [r * c, r * s]
        };
        let sector = |j: u32| {
            // In twelfths of a turn times segments: whole numbers tell whether a corner is on the ray or behind it.
            let (begin, end) = (12 * u64::from(j), 12 * u64::from(j + 1));
            let place = |k: u32| u64::from(2 * k + 1) * u64::from(segments);
            let mut points = match (0..6).find(|&k| place(k) == begin) {
                Some(k) => vec![corner(k)],
                None => {
                    let (s, c) = sin_cos(j, segments);
                    let along = (0..6).map(|k| sin_cos(k, 6)).map(|(ns, nc)| c * nc + s * ns).fold(0.0, f64::max);
                    vec![[apothem / along * c, apothem / along * s]]
                }
            };
            points.extend((0..6).filter(|&k| place(k) > begin && place(k) < end).map(corner));
            points
        };
        Outline((0..segments).map(sector).collect())
    }

    /// The points of a segment and the first of the next.
    fn sector(&self, j: usize) -> Vec<[f64; 2]> {
        let mut points = self.0[j].clone();
        points.push(self.0[(j + 1) % self.0.len()][0]);
        points
    }
}

/// A mesh in which equal points are one point.
#[derive(Default)]
struct Builder {
    mesh: Mesh,
    known: HashMap<[u64; 3], u32>,
}

impl Builder {
    fn point(&mut self, x: f64, y: f64, z: f64) -> u32 {
        // Adding 0 makes −0 the same as 0.
        let key = [x, y, z].map(|x| (x + 0.0).to_bits());
        *self.known.entry(key).or_insert_with(|| {
            self.mesh.points.push(Vec3::new(x, y, z));
            self.mesh.points.len() as u32 - 1
        })
    }

    /// A face, or the same face seen from its other side.
    fn face(&mut self, [a, b, c]: [u32; 3], front: bool) {
        self.mesh.faces.push(if front { [a, b, c] } else { [a, c, b] });
    }

    /// Joins two neighbouring chains of numbered points, both from below: equal numbers to each other, other points to what is opposite.
    fn zip(&mut self, a: &[(i64, u32)], b: &[(i64, u32)], out: bool) {
        let (mut i, mut j) = (0, 0);
        while i + 1 < a.len() || j + 1 < b.len() {
            let number = |chain: &[(i64, u32)], at: usize| chain.get(at + 1).map_or(i64::MAX, |next| next.0);
            let (na, nb) = (number(a, i), number(b, j));
            let (up_a, up_b) = (na <= nb && i + 1 < a.len(), nb <= na && j + 1 < b.len());
            if up_b {
                self.face([a[i].1, b[j].1, b[j + 1].1], out);
                j += 1;
            }
            if up_a {
                self.face([a[i].1, b[j].1, a[i + 1].1], out);
                i += 1;
            }
        }
    }

    /// A flat face over an outline, seen from above or from below.
    fn disk(&mut self, outline: &Outline, z: f64, up: bool) {
        let centre = self.point(0.0, 0.0, z);
        for j in 0..outline.0.len() {
            let points: Vec<u32> = outline.sector(j).iter().map(|&[x, y]| self.point(x, y, z)).collect();
            points.windows(2).for_each(|p| self.face([centre, p[0], p[1]], up));
        }
    }

    /// A flat face between a circle and an outline around it.
    fn ring(&mut self, inner: &Outline, outer: &Outline, z: f64, up: bool) {
        for j in 0..outer.0.len() {
            let [a, b] = [inner.sector(j)[0], inner.sector(j)[1]].map(|[x, y]| self.point(x, y, z));
            let points: Vec<u32> = outer.sector(j).iter().map(|&[x, y]| self.point(x, y, z)).collect();
            points.windows(2).for_each(|p| self.face([a, p[0], p[1]], up));
            self.face([a, points[points.len() - 1], b], up);
        }
    }

    /// The walls over an outline.
    fn prism(&mut self, outline: &Outline, bottom: f64, top: f64) {
        for j in 0..outline.0.len() {
            for pair in outline.sector(j).windows(2) {
                let [[px, py], [qx, qy]] = [pair[0], pair[1]];
                let [p, q] = [self.point(px, py, bottom), self.point(qx, qy, bottom)];
                let [r, s] = [self.point(qx, qy, top), self.point(px, py, top)];
                self.face([p, q, r], true);
                self.face([p, r, s], true);
            }
        }
    }
}
