//! A spur gear with true involute teeth.
//!
//! Source: the definition of the involute, the curve drawn by the end of a string that is unwound from the base circle;
//! any textbook on gears, for instance Litvin and Fuentes, *Gear Geometry and Applied Theory*.
//!
//! ```text
//!   m, z, α      module, number of teeth, pressure angle
//!   r = m z / 2          pitch radius              rb = r cos α         base radius
//!   ra = r + ha m        tip radius                rf = r − hf m        root radius
//!
//!   A string unwound by the roll angle t (rad) ends at radius ρ = rb √(1 + t²), at the polar angle t − atan t from
//!   where it began. With cos φ = rb/ρ this is t = tan φ and inv φ = tan φ − φ.
//!
//!   Half the angle that a tooth takes at ρ:  ψ(ρ) = π/(2z) + inv α − inv φ(ρ),   so 2 r ψ(r) = π m / 2.
//! ```
//!
//! Deviations: no profile shift, no backlash, no rounding. Where the root lies below the base circle the flank goes on
//! along the radius, and the trochoid that a rack cutter would leave is not made: below `2 ha / sin² α` teeth (17.1 at
//! 20 degrees) a cut gear is undercut and this one is not, so that the tip of a large mate can interfere with its root.

use super::extrude::{Planar, extrude};
use super::{MAX_SEGMENTS, SolidError};
use crate::Mesh;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A spur gear around z, centred; the middle of a tooth lies on the x axis. Lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub struct SpurGear {
    /// Pitch diameter by teeth.
    pub module: f64,
    /// Number of teeth.
    pub teeth: u32,
    /// Pressure angle in rad.
    pub pressure_angle: f64,
    /// Length along z.
    pub width: f64,
    /// Radius of the bore; zero for none.
    pub bore: f64,
    /// Height of the teeth above the pitch circle, in modules.
    pub addendum: f64,
    /// Depth of the gaps below the pitch circle, in modules.
    pub dedendum: f64,
    /// Pieces of each involute flank.
    pub flank_pieces: u32,
    /// Pieces of each arc at tip and root.
    pub arc_pieces: u32,
    /// Layers of the walls along z.
    pub layers: u32,
    /// Rings of the faces between bore and root.
    pub rings: u32,
}

impl SpurGear {
    /// A gear as standards have it: 20 degrees, addendum 1, dedendum 1.25, no bore.
    pub fn standard(module: f64, teeth: u32, width: f64) -> Self {
        Self {
            module,
            teeth,
            pressure_angle: 20.0 * PI / 180.0,
            width,
            bore: 0.0,
            addendum: 1.0,
            dedendum: 1.25,
            flank_pieces: 12,
            arc_pieces: 4,
            layers: 1,
            rings: 1,
        }
    }

    /// Radius of the pitch circle.
    pub fn pitch_radius(&self) -> f64 {
        self.module * f64::from(self.teeth) / 2.0
    }

    /// Radius of the base circle.
    pub fn base_radius(&self) -> f64 {
        self.pitch_radius() * libm::cos(self.pressure_angle)
    }

    /// Radius of the circle through the tips.
    pub fn tip_radius(&self) -> f64 {
        self.pitch_radius() + self.addendum * self.module
    }

    /// Radius of the circle at the bottom of the gaps.
    pub fn root_radius(&self) -> f64 {
        self.pitch_radius() - self.dedendum * self.module
    }

    /// ψ: half the angle that a tooth takes at a radius; below the base circle, that at the base circle.
    pub fn half_tooth_angle(&self, radius: f64) -> f64 {
        let rolled = roll(self.base_radius(), radius);
        PI / (2.0 * f64::from(self.teeth)) + involute(libm::tan(self.pressure_angle)) - involute(rolled)
    }

    pub(super) fn check(&self) -> Result<(), SolidError> {
        let wrong = |reason: String| Err(SolidError::new("spur gear", reason));
        for (name, value) in [("module", self.module), ("width", self.width)] {
            if !(value > 1e-12 && value < 1e9) {
                return wrong(format!("{name} is {value} m, not between 1e-12 and 1e9"));
            }
        }
        for (name, value) in [("addendum", self.addendum), ("dedendum", self.dedendum)] {
            if !(value > 0.0 && value < 100.0) {
                return wrong(format!("{name} is {value} modules, not between 0 and 100"));
            }
        }
        for (name, value) in [("teeth", self.teeth), ("flank pieces + 2", self.flank_pieces.saturating_add(2))] {
            if !(3..=100_000).contains(&value) {
                return wrong(format!("{name} is {value}, not from 3 to 100000"));
            }
        }
        let pieces = [("arc pieces", self.arc_pieces), ("layers", self.layers), ("rings", self.rings)];
        if let Some((name, value)) = pieces.iter().find(|p| !(1..=100_000).contains(&p.1)) {
            return wrong(format!("{name} is {value}, not from 1 to 100000"));
        }
        let around = f64::from(self.teeth) * 2.0 * (f64::from(self.flank_pieces) + f64::from(self.arc_pieces));
        if around * (f64::from(self.layers) + f64::from(self.rings)) > f64::from(MAX_SEGMENTS) * 64.0 {
            return wrong(format!("its outline has {around} points, too many for its layers and rings"));
        }
        if !(self.pressure_angle > 0.0 && self.pressure_angle < FRAC_PI_2) {
            return wrong(format!("its pressure angle is {} rad", self.pressure_angle));
        }
        let (tip, root) = (self.tip_radius(), self.root_radius());
        if !(self.half_tooth_angle(tip) > 0.0) {
            return wrong("its teeth come to a point below their tips".into());
        }
        if !(root > 0.0 && self.bore >= 0.0 && self.bore < root) {
            return wrong(format!("its root radius is {root} m and its bore radius {} m", self.bore));
        }
        if !(self.half_tooth_angle(root) < PI / f64::from(self.teeth)) {
            return wrong("its teeth overlap at the root".into());
        }
        if !(tip > self.base_radius()) {
            return wrong("its tips lie below the base circle".into());
        }
        // The facets between two points of the root circle must not cut the bore.
        let chord = PI / f64::from(self.teeth);
        if self.bore > 0.0 && !(self.bore < root * libm::cos(chord)) {
            return wrong(format!("a bore of radius {} m leaves no rim", self.bore));
        }
        Ok(())
    }

    pub(super) fn mesh(&self) -> Result<Mesh, SolidError> {
        self.check()?;
        Ok(extrude(&self.section(), -self.width / 2.0, self.width / 2.0, self.layers))
    }

    /// Radii of the points of a flank, from the root up.
    fn flank(&self) -> Vec<f64> {
        let (base, root, tip) = (self.base_radius(), self.root_radius(), self.tip_radius());
        let from = roll(base, root);
        let to = roll(base, tip);
        let mut radii = if root < base { vec![root] } else { vec![] };
        radii.extend((0..=self.flank_pieces).map(|i| {
            let t = from + (to - from) * f64::from(i) / f64::from(self.flank_pieces);
            match i {
                0 => root.max(base),
                _ if i == self.flank_pieces => tip,
                _ => base * (1.0 + t * t).sqrt(),
            }
        }));
        radii
    }

    /// The gear's cross section: teeth as ladders between their two flanks, on a rim.
    fn section(&self) -> Planar {
        let (mut plane, rim) = self.teeth();
        plane.fill(rim, self.root_radius(), self.bore, self.rings);
        plane
    }

    /// Convex polygons whose union is the gear's cross section: the teeth, and the body within the root circle, in sectors if it has a bore.
    pub(super) fn convex_outlines(&self) -> Vec<Vec<[f64; 2]>> {
        let (teeth, rim) = self.teeth();
        let mut outlines = teeth.convex_polygons();
        if self.bore > 0.0 {
            let mut body = Planar { points: teeth.points, triangles: Vec::new() };
            body.fill(rim, self.root_radius(), self.bore, 1);
            outlines.extend(body.fans());
        } else {
            outlines.push(rim.iter().map(|(i, _)| teeth.points[*i as usize]).collect());
        }
        outlines
    }

    /// The teeth, and the points of the root circle in order, with their angles: two for each tooth, then those of the gap.
    fn teeth(&self) -> (Planar, Vec<(u32, f64)>) {
        let radii = self.flank();
        let pitch = TAU / f64::from(self.teeth);
        let (root_half, tip_half) =
            (self.half_tooth_angle(self.root_radius()), self.half_tooth_angle(self.tip_radius()));
        let mut plane = Planar::default();
        let mut rim: Vec<(u32, f64)> = Vec::new();
        for tooth in 0..self.teeth {
            let middle = pitch * f64::from(tooth);
            let rungs: Vec<[u32; 2]> = radii
                .iter()
                .map(|&radius| {
                    let half = self.half_tooth_angle(radius);
                    [plane.add(radius, middle - half), plane.add(radius, middle + half)]
                })
                .collect();
            for pair in rungs.windows(2) {
                let ([r0, l0], [r1, l1]) = (pair[0], pair[1]);
                plane.triangles.extend([[r0, r1, l1], [r0, l1, l0]]);
            }
            let [right, left] = rungs[rungs.len() - 1];
            let mut last = right;
            for i in 1..=self.arc_pieces {
                let angle = middle - tip_half + 2.0 * tip_half * f64::from(i) / f64::from(self.arc_pieces);
                let next = if i == self.arc_pieces { left } else { plane.add(self.tip_radius(), angle) };
                if last != right {
                    plane.triangles.push([right, last, next]);
                }
                last = next;
            }
            rim.push((rungs[0][0], middle - root_half));
            rim.push((rungs[0][1], middle + root_half));
            for i in 1..self.arc_pieces {
                let gap = pitch - 2.0 * root_half;
                let angle = middle + root_half + gap * f64::from(i) / f64::from(self.arc_pieces);
                rim.push((plane.add(self.root_radius(), angle), angle));
            }
        }
        (plane, rim)
    }
}

impl Planar {
    /// A point by polar coordinates.
    fn add(&mut self, radius: f64, angle: f64) -> u32 {
        self.points.push([radius * libm::cos(angle), radius * libm::sin(angle)]);
        self.points.len() as u32 - 1
    }

    /// Fills the circle inside a ring of points with known angles, down to the bore or to the centre.
    fn fill(&mut self, mut ring: Vec<(u32, f64)>, radius: f64, bore: f64, rings: u32) {
        let n = ring.len();
        for k in 1..=rings {
            let inner_radius = radius + (bore - radius) * f64::from(k) / f64::from(rings);
            if k == rings && bore == 0.0 {
                let centre = self.add(0.0, 0.0);
                self.triangles.extend((0..n).map(|i| [centre, ring[i].0, ring[(i + 1) % n].0]));
                return;
            }
            let inner: Vec<(u32, f64)> =
                ring.iter().map(|&(_, angle)| (self.add(inner_radius, angle), angle)).collect();
            for i in 0..n {
                let j = (i + 1) % n;
                self.triangles.extend([[inner[i].0, ring[i].0, ring[j].0], [inner[i].0, ring[j].0, inner[j].0]]);
            }
            ring = inner;
        }
    }
}

/// How far the string is unwound where it reaches a radius, in rad; zero below the base circle.
fn roll(base: f64, radius: f64) -> f64 {
    let ratio = (radius / base).max(1.0);
    ((ratio - 1.0) * (ratio + 1.0)).sqrt()
}

/// The polar angle of the involute from where it began.
fn involute(roll: f64) -> f64 {
    roll - libm::atan(roll)
}
