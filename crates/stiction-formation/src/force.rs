//! Normal forces (section 4.3 of the paper, equation (1)) and where they act.
//!
//! F_cy = K (ε − d), not below zero, with d the distance at the hand's pose: that of the proxy less how deep the hand carries the contact point beyond it. K is divided among contacts that push the same
//! way, K_j = K / max(1, Σ_i |n_i · n_j|): the sum is then never stiffer than K in any direction (section 1 of the notes), which is what the device can render. With
//! [`MomentModel::Area`] the same stiffness is spread evenly over the contact region: the pressure is K_j/A (ε − d(x)) where that is positive, and force and centre of pressure are its integrals.

use crate::contact::{ContactKind, Touch};
use crate::placed::{Placed, Solids, moved};
use crate::region::{RegionMoments, overlap};
use crate::settings::MomentModel;
use stiction::spatial::{Pose, Vec3};

/// A normal force, where it acts, and how far it is spread.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressure {
    /// Normal force F_cy (N).
    pub force: f64,
    /// The contact point, the centroid of the contact region, or the centre of pressure, at the proxy's pose, in B's frame (m).
    pub point: Vec3,
    /// Mean distance of the pressure's points from its centre (m): the lever of torsional friction. Zero in the paper's model.
    pub lever: f64,
    /// Mean square of that distance (m²).
    pub spread: f64,
}

/// Mean distance of a region's points from its centroid, as a share of the root of the mean square: 2√2/3 for a disk; a square has 0.937.
const AREA_LEVER: f64 = 0.942_809_041_582_063_4;
/// The same for a line: √3/2.
const LINE_LEVER: f64 = 0.866_025_403_784_438_6;

/// How the hand's pose and the stiffness enter the pressure of a contact.
#[derive(Clone, Copy, Debug)]
pub struct HandPush<'a> {
    /// The motion from the proxy's pose to the hand's, in B's frame.
    pub beyond: &'a Pose,
    /// K_j (N/m).
    pub stiffness: f64,
    /// ε (m).
    pub epsilon: f64,
    /// How moments are computed.
    pub moments: MomentModel,
}

impl HandPush<'_> {
    /// ε − d at a point of a contact whose distance at the proxy is `gap`.
    fn depth(&self, touch: &Touch, point: &Vec3, gap: f64) -> f64 {
        self.epsilon - gap - touch.normal.dot(&(moved(self.beyond, point) - point))
    }

    /// The pressure of a contact.
    pub fn pressure(&self, solids: &Solids, placed: &Placed, touch: &Touch) -> Pressure {
        let at_point = Pressure {
            force: self.stiffness * self.depth(touch, &touch.point, touch.gap).max(0.0),
            point: touch.point,
            ..Pressure::default()
        };
        match (self.moments, touch.contact.kind) {
            (MomentModel::Area, ContactKind::FaceFace) => self.over_area(solids, placed, touch),
            (MomentModel::Area, ContactKind::EdgeFace | ContactKind::FaceEdge) => self.over_line(touch),
            _ => at_point,
        }
    }

    fn over_area(&self, solids: &Solids, placed: &Placed, touch: &Touch) -> Pressure {
        // The depth is linear over the plane: its value at the centroid, and its slopes towards the points that span the region.
        let at = |i: usize| self.depth(touch, &touch.span[i], touch.gaps[i]);
        let here = self.depth(touch, &touch.point, touch.gap);
        let (u, v) = (touch.span[0] - touch.point, touch.span[1] - touch.span[2]);
        let slope = u * ((at(0) - here) / u.norm_squared()) + v * ((at(1) - at(2)) / v.norm_squared());
        let depth = |p: &Vec3| here + slope.dot(&(p - touch.point));
        let mut pressed = RegionMoments::default();
        overlap(solids, placed, touch.contact.a, touch.contact.b, &mut |polygon| {
            pressed.add(polygon.clipped(depth).corners(), &touch.point);
        });
        let area = pressed.area;
        let (first, about_centroid) = (pressed.centroid() * area, pressed.spread());
        let second = (about_centroid + pressed.centroid() * pressed.centroid().transpose()) * area;
        let total = here * area + slope.dot(&first);
        if !(total > 0.0 && touch.measure > 0.0) {
            return Pressure { point: touch.point, ..Pressure::default() };
        }
        let centre = (first * here + second * slope) / total;
        let spread = about_centroid.trace();
        let force = self.stiffness * total / touch.measure;
        Pressure { force, point: touch.point + centre, lever: AREA_LEVER * spread.sqrt(), spread }
    }

    fn over_line(&self, touch: &Touch) -> Pressure {
        let [p, q] = [touch.span[0], touch.span[1]];
        let [d, e] = [0, 1].map(|i| self.depth(touch, &touch.span[i], touch.gaps[i]));
        // The pressed part, as shares of the line.
        let zero = d / (d - e);
        let (low, high) = match (d > 0.0, e > 0.0) {
            (true, true) => (0.0, 1.0),
            (true, false) => (0.0, zero),
            (false, true) => (zero, 1.0),
            (false, false) => return Pressure { point: touch.point, ..Pressure::default() },
        };
        let depth = |t: f64| d + (e - d) * t;
        let (a, b, width) = (depth(low), depth(high), high - low);
        let total = 0.5 * (a + b) * width;
        let middle = low + width * (a + 2.0 * b) / (3.0 * (a + b));
        let length = width * (q - p).norm();
        let spread = length * length / 12.0;
        Pressure {
            force: self.stiffness * total,
            point: p + (q - p) * middle,
            lever: LINE_LEVER * spread.sqrt(),
            spread,
        }
    }
}

/// K_j of each contact: K by how many others push the same way.
pub fn shared_stiffness(stiffness: f64, touches: &[Touch], touch: &Touch) -> f64 {
    let same: f64 = touches.iter().map(|t| t.normal.dot(&touch.normal).abs()).sum();
    stiffness / same.max(1.0)
}
