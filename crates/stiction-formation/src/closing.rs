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
/// about z twice, up to the product of the two tilts, which must then be zero.
const INDEPENDENT: f64 = 1e-3;
/// The farthest that a point of a contact may move until all are exact, in units of ε.
const FARTHEST: f64 = 3.0;
/// What may be left of the equations, in units of ε, where faces lie on faces: the angles between faces of real parts agree only nearly. And where they do not.
const LEFT_ON_FACES: f64 = 0.01;
const LEFT: f64 = 1e-6;
/// Sine of the angle below which an edge lies in a face, or a face in a face.
const FLAT: f64 = 1e-5;

/// Whether contacts, each of which is within ε (m) by itself, can exist together. Allocates nothing.
pub fn exists(solids: &Solids, placed: &Placed, touches: &[Touch], epsilon: f64) -> bool {
    let (centre, lever) = (solids.held.centre, solids.held.radius);
    let mut frame = Frame::of(&placed.pose, &centre);
    let faces = touches.iter().any(|t| t.contact.kind.dimension() == 2);
    let enough = epsilon * if faces { LEFT_ON_FACES } else { LEFT };
    for _ in 0..MOST_STEPS {
        let pose = frame.pose(&centre);
        let mut rows = RowSpace::default();
        let (mut left, mut dependent, mut singular) = (0.0_f64, 0.0_f64, false);
        for touch in touches {
            equations(solids, placed, touch, &pose, &mut |point, normal, gap| {
                left = left.max(gap.abs());
                match rows.add_row(&row(&point, &normal, &frame.centre, lever), gap, DEPENDENT) {
                    AddedRow::Dependent { contradiction } => dependent = dependent.max(contradiction),
                    AddedRow::Independent { share } => singular |= share < INDEPENDENT,
                }
            });
        }
        if left <= LEFT * epsilon || left <= enough && dependent >= 0.5 * left {
            return !singular && touches.iter().all(|t| is_distinct(solids, &pose, &t.contact));
        }
        let (way, angle) = halves(&rows.closing_twist());
        frame = frame.moved(&join(way, angle / lever));
        let pose = frame.pose(&centre);
        let far = |p: &Vec3| (moved(&pose, &moved(&placed.inverse, p)) - p).norm() > FARTHEST * epsilon;
        if touches.iter().flat_map(Touch::spanned).any(|(p, _)| far(&p)) {
            return false;
        }
    }
    false
}

/// Shows the equations of a contact at a pose: where, the normal towards A, and the distance.
fn equations(solids: &Solids, placed: &Placed, touch: &Touch, pose: &Pose, each: &mut impl FnMut(Vec3, Vec3, f64)) {
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
