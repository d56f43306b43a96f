//! The pose nearest to a given one at which all contacts of a set are exact: whether the set can exist (section 8.3 of the notes, step 4).
//!
//! Candidates are within a tolerance; whether some of them can exist together is a question about exact poses. Every point that spans a contact gives an equation, distance = 0, whose derivative with
//! respect to a twist (v, ω) of A about its centre c is (n, (p − c) × n): for a point of A over a face of B, for a point of B under a face of A, and for the nearest points of two edges (their distance has
//! no first-order change by the turning of n). Gauss-Newton steps of least length, rotations counted by the part's radius, converge quadratically from gaps of ε. A set exists if the equations have a
//! solution, if contact points move by no more than a few ε to get there, and if none of the contacts is a larger one there: no edge of a touching vertex lies in the face, and so on.

use crate::contact::{Element, PrincipalContact, Touch};
use crate::freedom::{AddedRow, RowSpace, row};
use crate::placed::{Placed, Solids, moved};
use stiction::spatial::{Frame, Pose, Vec3, halves, join};

/// Most Gauss-Newton steps; each squares the error in units of the part's size.
const MOST_STEPS: usize = 6;
/// Rows of which a smaller share is independent of the others say the same as those.
const DEPENDENT: f64 = 1e-6;
/// Rows of which a share between the two is independent have no solution nearby but one at which some face lies in another: an edge along x on the floor and one along y on the wall of a corner fix the rotation
/// about z twice, up to the product of the two tilts, which must then be zero. (Where that product is below what may be left, one of the tilts is below `FLAT`: `LEFT` ε / (`INDEPENDENT` half the part's size).)
const INDEPENDENT: f64 = 5e-3;
/// The farthest that a point of a contact may move until all are exact, in units of ε.
const FARTHEST: f64 = 3.0;
/// What may be left of the equations, in units of ε, where faces lie on faces: the angles between faces of real parts agree only nearly. And where they do not.
const LEFT_ON_FACES: f64 = 0.01;
const LEFT: f64 = 5e-7;
/// Sine of the angle below which an edge lies in a face, or a face in a face.
const FLAT: f64 = 1e-6;

/// A set of contacts that can exist together, at the pose nearest to a given one at which all of them are exact.
#[derive(Clone, Copy, Debug)]
pub struct Closed {
    frame: Frame,
    /// B from A.
    pose: Pose,
    rows: RowSpace,
}

/// The equations of contacts at a pose, taken together.
struct Equations {
    rows: RowSpace,
    /// The largest distance that is left (m), and the largest that contradicts others.
    left: f64,
    contradiction: f64,
    /// Whether some are neither independent of the others nor the same.
    singular: bool,
}

impl Closed {
    /// No contacts, at a pose.
    pub fn empty(solids: &Solids, placed: &Placed) -> Closed {
        let frame = Frame::of(&placed.pose, &solids.held.centre);
        Closed { frame, pose: placed.pose, rows: RowSpace::default() }
    }

    /// Whether it is plain that a further contact cannot join: the set leaves no motion free, and at its pose the contact is not exact.
    pub fn excludes(&self, solids: &Solids, placed: &Placed, touch: &Touch, epsilon: f64) -> bool {
        let mut left = 0.0_f64;
        if self.rows.rank == 6 {
            each_equation(solids, placed, touch, &self.pose, &mut |_, _, gap| left = left.max(gap.abs()));
        }
        left > LEFT_ON_FACES * epsilon
    }

    /// The set with further contacts, each of which is within ε (m) by itself at the given pose; `all` are the contacts of this set, then the further ones from number `from` on. `None` if they cannot exist
    /// together. Allocates nothing.
    pub fn with(&self, solids: &Solids, placed: &Placed, all: &[Touch], from: usize, epsilon: f64) -> Option<Closed> {
        let centre = solids.held.centre;
        let faces = all.iter().any(|t| t.contact.kind.dimension() == 2);
        let enough = epsilon * if faces { LEFT_ON_FACES } else { LEFT };
        let mut frame = self.frame;
        // At the pose of this set its own equations hold already, so that only the further ones are to be looked at.
        let mut found = equations(solids, placed, &all[from..], &frame, self.rows);
        for _ in 0..MOST_STEPS {
            let solved =
                found.left <= LEFT * epsilon || found.left <= enough && found.contradiction >= 0.5 * found.left;
            if solved {
                let pose = frame.pose(&centre);
                let changed = if frame == self.frame { &all[from..] } else { all };
                let distinct = !found.singular && changed.iter().all(|t| is_distinct(solids, &pose, &t.contact));
                return distinct.then_some(Closed { frame, pose, rows: found.rows });
            }
            if found.contradiction > enough.max(0.5 * found.left) {
                return None;
            }
            let (way, angle) = halves(&found.rows.closing_twist());
            frame = frame.moved(&join(way, angle / solids.held.radius));
            let pose = frame.pose(&centre);
            let far = |p: &Vec3| (moved(&pose, &moved(&placed.inverse, p)) - p).norm() > FARTHEST * epsilon;
            if all.iter().flat_map(Touch::spanned).any(|(p, _)| far(&p)) {
                return None;
            }
            found = equations(solids, placed, all, &frame, RowSpace::default());
        }
        None
    }
}

/// The equations of contacts at a pose, with rows of others before them.
fn equations(solids: &Solids, placed: &Placed, touches: &[Touch], frame: &Frame, rows: RowSpace) -> Equations {
    let mut out = Equations { rows, left: 0.0, contradiction: 0.0, singular: false };
    let pose = frame.pose(&solids.held.centre);
    for touch in touches {
        each_equation(solids, placed, touch, &pose, &mut |point, normal, gap| {
            out.left = out.left.max(gap.abs());
            match out.rows.add_row(&row(&point, &normal, &frame.centre, solids.held.radius), gap, DEPENDENT) {
                AddedRow::Dependent { contradiction } => out.contradiction = out.contradiction.max(contradiction),
                AddedRow::Independent { share } => out.singular |= share < INDEPENDENT,
            }
        });
    }
    out
}

/// Shows the equations of a contact at a pose: where, the normal towards A, and the distance.
fn each_equation(solids: &Solids, placed: &Placed, touch: &Touch, pose: &Pose, each: &mut impl FnMut(Vec3, Vec3, f64)) {
    let Solids { held, fixed, .. } = solids;
    match touch.contact.elements() {
        [Element::Edge(e), Element::Edge(k)] => {
            let ([p, q], [r, _]) = (held.ends(e).map(|x| moved(pose, &x)), fixed.ends(k));
            let (u, w) = ((q - p).normalize(), fixed.edges[k as usize].direction);
            let across = u.cross(&w);
            let sine = across.norm();
            let normal = across * (touch.normal.dot(&across).signum() / sine);
            let apart = p - r;
            let s = (u.dot(&w) * apart.dot(&w) - apart.dot(&u)) / (sine * sine);
            each(p + u * s, normal, apart.dot(&normal));
        }
        [_, Element::Face(g)] => {
            let face = &fixed.faces[g as usize];
            // The span of a plane contact lies on B's face: A's points are above it.
            let lift = if touch.contact.kind.dimension() == 2 { 1.0 } else { 0.0 };
            for (point, gap) in touch.spanned() {
                let at = moved(pose, &moved(&placed.inverse, &(point + touch.normal * (lift * gap))));
                each(at, face.normal, face.height(&at));
            }
        }
        [Element::Face(f), _] => {
            let face = &held.faces[f as usize];
            let normal = -(pose.rotation * face.normal);
            for (point, gap) in touch.spanned() {
                // The span lies on A's face: B's points are below it.
                let at = point - touch.normal * gap;
                each(at, normal, face.height(&moved(&pose.inverse(), &at)));
            }
        }
        _ => {}
    }
}

/// Whether a contact is no larger one at a pose at which it is exact.
fn is_distinct(solids: &Solids, pose: &Pose, contact: &PrincipalContact) -> bool {
    let Solids { held, fixed, .. } = solids;
    let turned = |v: &Vec3| pose.rotation * v;
    // Directions of A and of B that are perpendicular: then an element lies in another.
    let apart = |of_held: Vec3, of_fixed: &Vec3| of_held.dot(of_fixed).abs() > FLAT;
    match contact.elements() {
        [Element::Vertex(v), Element::Face(g)] => held.vertices[v as usize]
            .edges
            .iter()
            .all(|e| apart(turned(&held.edges[*e as usize].direction), &fixed.faces[g as usize].normal)),
        [Element::Face(f), Element::Vertex(v)] => fixed.vertices[v as usize]
            .edges
            .iter()
            .all(|e| apart(turned(&held.faces[f as usize].normal), &fixed.edges[*e as usize].direction)),
        [Element::Edge(e), Element::Face(g)] => {
            held.edges[e as usize].into.iter().all(|d| apart(turned(d), &fixed.faces[g as usize].normal))
        }
        [Element::Face(f), Element::Edge(k)] => {
            fixed.edges[k as usize].into.iter().all(|d| apart(turned(&held.faces[f as usize].normal), d))
        }
        [Element::Edge(e), Element::Edge(k)] => {
            let across = turned(&held.edges[e as usize].direction).cross(&fixed.edges[k as usize].direction);
            let Some(normal) = across.try_normalize(FLAT) else { return false };
            let beside = |d: Vec3| d.dot(&normal).abs() > FLAT;
            held.edges[e as usize].into.iter().all(|d| beside(turned(d)))
                && fixed.edges[k as usize].into.iter().all(|d| beside(*d))
        }
        _ => true,
    }
}
