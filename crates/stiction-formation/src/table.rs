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

use crate::contact::{ContactKind, PrincipalContact};
use crate::placed::Solids;
use crate::polyhedron::{Edge, Polyhedron};
use stiction::spatial::Vec3;

/// Angles that differ by less are the same (rad). The faces at an edge must be further than this from the plane that the edge touches.
const SAME_ANGLE: f64 = 2e-3;
/// Largest table (bits); for pairs of larger polyhedra the same questions are answered when they come.
const MOST_BITS: usize = 1 << 24;

/// The answers for all pairs of a plane contact and a plane or line contact.
#[derive(Clone, Debug)]
pub struct FormationTable {
    bits: Vec<u64>,
    /// Numbers of faces and edges of both parts.
    faces: [usize; 2],
    edges: [usize; 2],
}

impl FormationTable {
    /// Builds the table of two polyhedra.
    pub fn new(solids: &Solids) -> FormationTable {
        let faces = [solids.held.faces.len(), solids.fixed.faces.len()];
        let edges = [solids.held.edges.len(), solids.fixed.edges.len()];
        let mut table = FormationTable { bits: Vec::new(), faces, edges };
        let planes = faces[0].saturating_mul(faces[1]);
        let others = table.others();
        if planes.saturating_mul(others) > MOST_BITS {
            return table;
        }
        table.bits = vec![0; (planes * others).div_ceil(64)];
        for f in 0..faces[0] as u32 {
            for g in 0..faces[1] as u32 {
                let plane = PrincipalContact { kind: ContactKind::FaceFace, a: f, b: g };
                let mut decide = |kind, a, b| {
                    let other = PrincipalContact { kind, a, b };
                    if possible(solids, &plane, &other) {
                        let at = table.place(&plane, &other);
                        table.bits[at / 64] |= 1 << (at % 64);
                    }
                };
                for b in 0..faces[1] as u32 {
                    (0..faces[0] as u32).for_each(|a| decide(ContactKind::FaceFace, a, b));
                    (0..edges[0] as u32).for_each(|a| decide(ContactKind::EdgeFace, a, b));
                }
                for b in 0..edges[1] as u32 {
                    (0..faces[0] as u32).for_each(|a| decide(ContactKind::FaceEdge, a, b));
                }
            }
        }
        table
    }

    /// The number of plane and line contacts that two parts can have.
    fn others(&self) -> usize {
        let ([f, g], [e, k]) = (self.faces, self.edges);
        f * g + e * g + f * k
    }

    fn place(&self, plane: &PrincipalContact, other: &PrincipalContact) -> usize {
        let ([f, g], [e, _]) = (self.faces, self.edges);
        let (a, b) = (other.a as usize, other.b as usize);
        let column = match other.kind {
            ContactKind::FaceFace => b * f + a,
            ContactKind::EdgeFace => f * g + b * e + a,
            _ => f * g + e * g + b * f + a,
        };
        (plane.b as usize * f + plane.a as usize) * self.others() + column
    }

    /// The number of answers that are stored.
    pub fn entries(&self) -> usize {
        if self.bits.is_empty() { 0 } else { self.faces[0] * self.faces[1] * self.others() }
    }

    /// Whether two contacts can exist together, as far as the rotation of A is concerned.
    pub fn possible(&self, solids: &Solids, one: &PrincipalContact, two: &PrincipalContact) -> bool {
        let (plane, other) = if one.kind == ContactKind::FaceFace { (one, two) } else { (two, one) };
        if plane.kind != ContactKind::FaceFace || other.kind.dimension() == 0 {
            return true;
        }
        if self.bits.is_empty() {
            return possible(solids, plane, other);
        }
        let at = self.place(plane, other);
        self.bits[at / 64] >> (at % 64) & 1 == 1
    }
}

/// The answer of the table, computed.
pub fn possible(solids: &Solids, plane: &PrincipalContact, other: &PrincipalContact) -> bool {
    let Solids { held, fixed, .. } = solids;
    let (n_a, n_b) = (held.faces[plane.a as usize].normal, fixed.faces[plane.b as usize].normal);
    match other.kind {
        ContactKind::FaceFace => {
            let (m_a, m_b) = (held.faces[other.a as usize].normal, fixed.faces[other.b as usize].normal);
            // acos flattens near parallel normals: sines and cosines together are the angle's.
            let angle = |x: &Vec3, y: &Vec3| libm::atan2(x.cross(y).norm(), x.dot(y));
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
