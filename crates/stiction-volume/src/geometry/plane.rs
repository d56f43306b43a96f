//! The contact plane of two convex polyhedra (section 4.2 of the paper; section 9.2 of the notes).
//!
//! B is moved along the last normal m by s, doubled until B is apart; the nearest points p of A and q of B then give the new normal n = (q − p)/|q − p|. The plane goes through the middle of p and
//! q − s m, the nearest points at their places.
//!
//! Deviations:
//! * The depth is s (m·n) − |q − p|: how deep A and B are in each other along the new normal. The authors' code has s − |q − p|, which is not a depth along any direction while the normal turns.
//! * The first distance is a share of the smaller polyhedron's size, not 0.01 m, so that a part in other units has the same plane.
//! * The first normal has a rule where the area vectors cancel; the authors' code takes the world's y axis.

use super::convex::Convex;
use super::gjk::{GjkMemory, Proximity, proximity};
use super::intersection::{IntersectionWorkspace, Owner};
use stiction::spatial::{Pose, Vec3};

/// Least distance that B is moved, in units of the smaller polyhedron's radius.
const LEAST_MOVE: f64 = 0.02;
/// Most doublings; the last one goes all the way.
const MOST_DOUBLINGS: usize = 24;
/// Sum of area vectors, in units of the area, below which it has no direction.
const CANCELLED: f64 = 1e-9;

/// The plane in which two polyhedra touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPlane {
    /// Unit vector from A to B, in the world: the direction in which B is pushed.
    pub normal: Vec3,
    /// How deep the polyhedra are in each other along the normal (m).
    pub depth: f64,
    /// A point of the plane, in the world (m): midway between the points that are deepest in each other.
    pub point: Vec3,
    /// Those points, of A and of B (m, world).
    pub deepest: [Vec3; 2],
}

/// Finds the contact plane of two polyhedra that overlap, from the normal and the depth (m) of the step before, or from [`first_normal`] and zero. The memory is that of the search for the
/// nearest points of the parted polyhedra, and of nothing else. Allocates nothing.
pub fn contact_plane(
    a: &Convex,
    world_from_a: &Pose,
    b: &Convex,
    world_from_b: &Pose,
    last_normal: &Vec3,
    last_depth: f64,
    memory: &mut GjkMemory,
) -> ContactPlane {
    let centres = world_from_b.transform_vector(&b.centre()) + world_from_b.translation.vector
        - world_from_a.transform_vector(&a.centre())
        - world_from_a.translation.vector;
    // Moved by so much, B is apart whatever the direction.
    let far = 1.01 * (a.radius() + b.radius() + centres.norm());
    let mut moved = (2.0 * last_depth).max(LEAST_MOVE * a.radius().min(b.radius())).min(far);
    for doubling in 0..=MOST_DOUBLINGS {
        let mut there = *world_from_b;
        there.translation.vector += last_normal * moved;
        if let Proximity::Apart { distance, on_a, on_b, normal } = proximity(a, world_from_a, b, &there, memory) {
            let depth = moved * last_normal.dot(&normal) - distance;
            let deepest = [on_a, on_b - last_normal * moved];
            return ContactPlane { normal, depth, point: 0.5 * (deepest[0] + deepest[1]), deepest };
        }
        moved = if doubling + 1 >= MOST_DOUBLINGS { far } else { (2.0 * moved).min(far) };
    }
    // Only for poses that are not numbers.
    let point = world_from_a.translation.vector;
    ContactPlane { normal: *last_normal, depth: last_depth, point, deepest: [point; 2] }
}

/// The contact normal of two polyhedra that did not overlap at the step before, from A to B, in the world: the sum of the area vectors of the faces of their common part, those of B reversed. Where
/// that vanishes, as for a polyhedron inside the other or for two that coincide, it is the normal of the face along which B leaves A by the shortest way, the first one of several.
/// Allocates nothing.
pub fn first_normal(
    common: &IntersectionWorkspace,
    a: &Convex,
    world_from_a: &Pose,
    b: &Convex,
    world_from_b: &Pose,
) -> Vec3 {
    let (mut sum, mut area) = (Vec3::zeros(), 0.0);
    for face in common.faces() {
        let vector = face.normal * face.area;
        area += face.area;
        match face.owner {
            Owner::A => sum += vector,
            Owner::B => sum -= vector,
        }
    }
    let length = sum.norm();
    if length > CANCELLED * area { sum / length } else { shortest_way(a, world_from_a, b, world_from_b) }
}

/// The direction of a face of A, or against a face of B, in which B has the shortest way out of A.
fn shortest_way(a: &Convex, world_from_a: &Pose, b: &Convex, world_from_b: &Pose) -> Vec3 {
    let mut best = (f64::INFINITY, Vec3::zeros());
    let mut look = |of: &Convex, world_from_of: &Pose, other: &Convex, world_from_other: &Pose, sign: f64| {
        let mut near = 0;
        for plane in of.planes() {
            let normal = world_from_of.rotation * plane.normal;
            near = other.support(&-(world_from_other.rotation.inverse() * normal), near);
            let Some(corner) = other.points().get(near as usize) else { continue };
            let apart = world_from_other.rotation * corner + world_from_other.translation.vector
                - world_from_of.translation.vector;
            let way = plane.offset - normal.dot(&apart);
            if way < best.0 {
                best = (way, normal * sign);
            }
        }
    };
    look(a, world_from_a, b, world_from_b, 1.0);
    look(b, world_from_b, a, world_from_a, -1.0);
    best.1
}
