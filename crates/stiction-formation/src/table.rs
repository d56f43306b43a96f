//! Which principal contacts can exist together: the table of valid formations, built once for a pair of polyhedra.
//!
//! The table is by features, not by types (section 8.3 of the notes): an edge of a cube on a wall, together with the cube's bottom on the floor, is impossible for an edge that is parallel to
//! the wall whenever the bottom is flush (the whole side face would touch: figure 3), and possible for an upright edge. A face on a face fixes the rotation R of A up to an angle φ about
//! the contact normal, R n_A = −n_B. What a second contact asks of R is then an equation for φ:
//!
//! - a second face on a face: the dihedral angles must be the same, n_A · n_A' = n_B · n_B';
//! - an edge e on a face with normal n: (R e) · n = 0, with the two faces at the edge on the free side of the plane, and not in it (else it is a face that touches, and not the edge);
//! - a face on an edge: the same with the parts exchanged.
//!
//! Point contacts ask nothing of R. What the positions must fulfil is asked at run time, by `identify`, since it depends on how far apart the features are.

//!
//! The last two depend on the faces of the other part by the angle between them alone: turning about the contact normal takes care of the rest. So the table has a row for each face and edge of a part, and a
//! column for each angle between faces of the other: 32 faces on both sides make some ten thousand answers instead of seven million, within milliseconds, whenever an engine is made. Two faces on two faces need
//! only the angles.

use crate::contact::{ContactKind, PrincipalContact};
use crate::placed::Solids;
use crate::polyhedron::{Edge, Polyhedron};
use std::sync::Arc;
use stiction::spatial::Vec3;

/// Angles that differ by less are the same (rad). The faces at an edge must be further than this from the plane that the edge touches.
const SAME_ANGLE: f64 = 2e-3;
/// Most answers that are stored for the edges of a part; for parts whose faces have more different angles the same questions are answered when they come.
const MOST_ANSWERS: usize = 1 << 20;

/// The answers for all pairs of a plane contact and a plane or line contact.
#[derive(Clone, Debug)]
pub struct FormationTable {
    /// Edges of the held part on faces of the fixed one, and the reverse.
    edges: Arc<[EdgeAnswers; 2]>,
}

/// Whether edges of one part can touch faces of the other while a face lies on a face.
#[derive(Clone, Debug, Default)]
struct EdgeAnswers {
    /// For each face of the part, each of its edges and each angle: a bit. Empty if there are too many.
    bits: Vec<u64>,
    /// The number of edges of the part.
    edges: usize,
    /// The number of the angle between each two faces of the other part.
    angles: Vec<u32>,
    /// The number of faces of the other part, and that of different angles between them.
    faces: usize,
    different: usize,
}

impl EdgeAnswers {
    fn new(part: &Polyhedron, other: &Polyhedron) -> EdgeAnswers {
        let faces = other.faces.len();
        let normal = |face: usize| other.faces[face].normal;
        // Angles in steps far below what counts as the same, each with two faces that have it.
        let mut steps = std::collections::BTreeMap::new();
        let step = |g: usize, b: usize| (angle(&normal(g), &normal(b)) / (1e-3 * SAME_ANGLE)).round() as i64;
        for (g, b) in (0..faces).flat_map(|g| (0..faces).map(move |b| (g, b))) {
            steps.entry(step(g, b)).or_insert((g, b));
        }
        let (edges, different) = (part.edges.len(), steps.len());
        let answers = part.faces.len() * edges * different;
        if answers > MOST_ANSWERS {
            return EdgeAnswers::default();
        }
        let number = |g: usize, b: usize| steps.range(..step(g, b)).count() as u32;
        let mut bits = vec![0_u64; answers.div_ceil(64)];
        let mut at = 0;
        for own in &part.faces {
            for edge in 0..edges as u32 {
                for &(g, b) in steps.values() {
                    bits[at / 64] |=
                        u64::from(edge_on_face(part, edge, &own.normal, &normal(g), &normal(b))) << (at % 64);
                    at += 1;
                }
            }
        }
        let angles = (0..faces * faces).map(|i| number(i / faces, i % faces)).collect();
        EdgeAnswers { bits, edges, angles, faces, different }
    }

    /// The answer for an edge of the part, of whose faces one lies on a face of the other, and a further face of that; `None` if it is not stored.
    fn get(&self, own: u32, edge: u32, others: u32, touched: u32) -> Option<bool> {
        let angle = *self.angles.get(others as usize * self.faces + touched as usize)?;
        let at = (own as usize * self.edges + edge as usize) * self.different + angle as usize;
        Some(self.bits.get(at / 64)? >> (at % 64) & 1 == 1)
    }
}

impl FormationTable {
    /// Builds the table of two polyhedra.
    pub fn new(solids: &Solids) -> FormationTable {
        let Solids { held, fixed, .. } = solids;
        FormationTable { edges: Arc::new([EdgeAnswers::new(held, fixed), EdgeAnswers::new(fixed, held)]) }
    }

    /// The number of answers that are stored.
    pub fn entries(&self) -> usize {
        self.edges.iter().map(|answers| answers.bits.len() * 64).sum()
    }

    /// Whether two contacts can exist together, as far as the rotation of A is concerned.
    pub fn possible(&self, solids: &Solids, one: &PrincipalContact, two: &PrincipalContact) -> bool {
        let (plane, other) = if one.kind == ContactKind::FaceFace { (one, two) } else { (two, one) };
        if plane.kind != ContactKind::FaceFace {
            return true;
        }
        let stored = match other.kind {
            ContactKind::EdgeFace => self.edges[0].get(plane.a, other.a, plane.b, other.b),
            ContactKind::FaceEdge => self.edges[1].get(plane.b, other.b, plane.a, other.a),
            _ => None,
        };
        stored.unwrap_or_else(|| possible(solids, plane, other))
    }
}

/// The angle between two unit vectors. (The arc cosine flattens near parallel ones: sine and cosine together are the angle's.)
fn angle(x: &Vec3, y: &Vec3) -> f64 {
    libm::atan2(x.cross(y).norm(), x.dot(y))
}

/// The answer of the table, computed.
pub fn possible(solids: &Solids, plane: &PrincipalContact, other: &PrincipalContact) -> bool {
    let Solids { held, fixed, .. } = solids;
    let (n_a, n_b) = (held.faces[plane.a as usize].normal, fixed.faces[plane.b as usize].normal);
    match other.kind {
        ContactKind::FaceFace => {
            let (m_a, m_b) = (held.faces[other.a as usize].normal, fixed.faces[other.b as usize].normal);
            (angle(&n_a, &m_a) - angle(&n_b, &m_b)).abs() <= SAME_ANGLE
        }
        ContactKind::EdgeFace => edge_on_face(held, other.a, &n_a, &n_b, &fixed.faces[other.b as usize].normal),
        ContactKind::FaceEdge => edge_on_face(fixed, other.b, &n_b, &n_a, &held.faces[other.a as usize].normal),
        _ => true,
    }
}

/// Whether an edge of a solid whose face with normal `own` lies on the other solid's face with normal `others` can touch the face with this normal there, without a face touching it.
fn edge_on_face(solid: &Polyhedron, edge: u32, own: &Vec3, others: &Vec3, normal: &Vec3) -> bool {
    let edge: &Edge = &solid.edges[edge as usize];
    // e = α n + β u with u ⊥ n; turned, it is −α n_B + β (cos φ x + sin φ (−n_B × x)), with x the direction of the other normal in the contact plane.
    let (along, beside) = (edge.direction.dot(own), edge.direction - own * edge.direction.dot(own));
    let across = normal - others * normal.dot(others);
    let reach = beside.norm() * across.norm();
    let needed = along * normal.dot(others);
    if reach <= SAME_ANGLE {
        // Any angle serves, if one does: an edge along the normal, or a face parallel to the first.
        return needed.abs() <= SAME_ANGLE
            && (0..32).any(|i| free(edge, own, others, normal, f64::from(i) * 0.19634954084936207));
    }
    if needed.abs() > reach * (1.0 + SAME_ANGLE) {
        return false;
    }
    let (x, u) = (across / across.norm(), beside / beside.norm());
    let turn = libm::acos((needed / reach).clamp(-1.0, 1.0));
    // The angle by which `free` turns, from where u falls at angle zero to where it must be.
    let [first, second] = frame(own, others, &u);
    let at = libm::atan2(x.dot(&second), x.dot(&first));
    [at + turn, at - turn].iter().any(|angle| free(edge, own, others, normal, *angle))
}

/// For the rotation that takes `own` to −`others`: where a direction u ⊥ `own` falls at angle zero, and at a quarter of a turn about `others`.
fn frame(own: &Vec3, others: &Vec3, u: &Vec3) -> [Vec3; 2] {
    let zero = least_turn(own, &-others) * u;
    [zero, others.cross(&zero)]
}

/// A rotation that takes one unit vector to another.
fn least_turn(from: &Vec3, to: &Vec3) -> stiction::spatial::Rotation {
    let axis = from.cross(to);
    let sine = axis.norm();
    if sine < 1e-12 {
        let any = from.cross(&if from.x.abs() < 0.8 { Vec3::x() } else { Vec3::y() }).normalize();
        let angle = if from.dot(to) > 0.0 { 0.0 } else { std::f64::consts::PI };
        return stiction::spatial::exp(&(any * angle));
    }
    stiction::spatial::exp(&(axis * (libm::atan2(sine, from.dot(to)) / sine)))
}

/// Whether both faces at the edge are on the free side of the plane, away from it, when the solid is turned to lie on the other with this angle about the contact normal.
fn free(edge: &Edge, own: &Vec3, others: &Vec3, normal: &Vec3, angle: f64) -> bool {
    let turn = stiction::spatial::exp(&(others * angle)) * least_turn(own, &-others);
    edge.into.iter().all(|into| (turn * into).dot(normal) > SAME_ANGLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stored answers are those of the faces and edges themselves, for solids without any symmetry.
    #[test]
    fn the_table_says_what_is_computed() {
        let points = |shift: f64| {
            let base = [[0.0, 0.0, 0.0], [0.1, 0.01, 0.0], [0.02, 0.09, 0.01], [0.03, 0.02, 0.08 + shift]];
            base.map(|[x, y, z]| Vec3::new(x, y, z))
        };
        let part = |shift: f64| {
            Arc::new(Polyhedron::new(&points(shift), &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap())
        };
        let solids = Solids::new(part(0.0), part(0.02));
        let table = FormationTable::new(&solids);
        assert!(table.entries() > 0);
        let (mut yes, mut all) = (0, 0);
        for (f, g, e, b) in (0..4 * 4 * 6 * 4).map(|i| (i / 96, i / 24 % 4, i / 4 % 6, i % 4)) {
            let plane = PrincipalContact { kind: ContactKind::FaceFace, a: f, b: g };
            for other in [
                PrincipalContact { kind: ContactKind::EdgeFace, a: e, b },
                PrincipalContact { kind: ContactKind::FaceEdge, a: b, b: e },
            ] {
                let answer = possible(&solids, &plane, &other);
                assert_eq!(table.possible(&solids, &plane, &other), answer, "{plane:?} {other:?}");
                assert_eq!(table.possible(&solids, &other, &plane), answer);
                (yes, all) = (yes + usize::from(answer), all + 1);
            }
        }
        assert!(yes > all / 20 && yes < all * 19 / 20, "{yes} of {all}");
    }
}
