//! Which points of surfaces may touch in a step: the input of W and of its solvers.
//!
//! Section 3.2 of the paper: for each contact two points P and Q, their barycentric weights, and the normal. Found here between meshes that move and deform, and between such a mesh and a
//! distance field.
//!
//! * **Vertex and face**: each vertex and the nearest triangle of the other body, if it is within reach. On the rim of the triangle, the pair is a vertex and an edge, or two vertices.
//! * **Edge and edge**: sharp convex edges (of more than [`SHARP_EDGE`] at rest) of both bodies, where the nearest points are inside of both. On flat and smooth surfaces vertices and faces are
//!   enough: what they miss is as small as the height of a chord's arc.
//!
//! A vertex or an edge counts only in directions in which it stands out (within 15°, or 60° where surfaces overlap): what is near its side, but not below it, touches something else first.
//!
//! Gaps have a sign: outside or inside is told by the normals of faces, edges (mean of two faces) and vertices (weighted by angles: J. A. Bærentzen and H. Aanæs, *Signed distance computation using
//! the angle weighted pseudonormal*, 2005). So a contact that one step missed is found in the next one with a negative gap, and the solver brings it back to zero (3.2).
//!
//! [`ExactDetection`] looks at all pairs through trees of boxes; [`StochasticDetection`] improves a fixed number of pairs at random, as the paper's demonstrations do.

mod closest;
mod exact;
mod stochastic;
mod surface;
mod tree;

pub use closest::{closest_on_segments, closest_on_triangle};
pub use exact::ExactDetection;
pub use stochastic::StochasticDetection;
pub use surface::{CollisionSurface, MovingSurface, SHARP_EDGE};

use crate::condensed::{ContactPoint, Side};
use stiction::contact::ContactId;
use stiction::shape::DistanceField;
use stiction::spatial::{Mat3, Pose, Vec3};

/// A contact that may act in this step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity {
    /// Its identity from step to step.
    pub id: ContactId,
    /// (P - Q) · n (m): negative where surfaces overlap.
    pub gap: f64,
    /// The two points and the frame.
    pub contact: ContactPoint,
}

/// Contacts of a step, at most a fixed number: the ones with the smallest gaps.
#[derive(Clone, Debug)]
pub struct ProximityList {
    all: Vec<Proximity>,
    most: usize,
    dropped: usize,
}

impl ProximityList {
    /// With room for so many.
    pub fn with_capacity(most: usize) -> Self {
        ProximityList { all: Vec::with_capacity(most), most, dropped: 0 }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.all.clear();
        self.dropped = 0;
    }

    /// Makes room again, which a copy has not.
    pub(crate) fn reserve(&mut self) {
        self.all.reserve(self.most - self.all.len().min(self.most));
    }

    /// Adds a contact; in a full list it takes the place of the one with the largest gap, if its own is smaller.
    pub fn add(&mut self, contact: Proximity) {
        if self.all.len() < self.most {
            self.all.push(contact);
            return;
        }
        self.dropped += 1;
        let order = |a: &&mut Proximity, b: &&mut Proximity| a.gap.total_cmp(&b.gap).then(a.id.cmp(&b.id));
        if let Some(widest) = self.all.iter_mut().max_by(order)
            && contact.gap < widest.gap
        {
            *widest = contact;
        }
    }

    /// The contacts, in the order of their identities once [`sort`](Self::sort) was called.
    pub fn all(&self) -> &[Proximity] {
        &self.all
    }

    /// How many found no room.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Puts them in the order of their identities, so that what follows does not depend on how they were found.
    pub fn sort(&mut self) {
        self.all.sort_unstable_by_key(|c| c.id);
    }
}

/// The kinds of contacts, as parts of their identities.
#[derive(Clone, Copy)]
enum Kind {
    /// A vertex of the first body.
    FirstVertex,
    /// A vertex of the second body.
    SecondVertex,
    Edges,
    Field,
}

/// The identity of a contact: its kind, its bodies, and the vertex or the edges. A vertex keeps its identity where it slides from triangle to triangle.
fn identity(kind: Kind, bodies: [usize; 2], features: [u32; 2]) -> ContactId {
    let low = |x: u64, bits: u32| x & ((1 << bits) - 1);
    ContactId(
        (kind as u64) << 62
            | low(bodies[0] as u64, 8) << 54
            | low(bodies[1] as u64, 8) << 46
            | low(u64::from(features[0]), 23) << 23
            | low(u64::from(features[1]), 23),
    )
}

/// The frame of a contact: the normal and two tangents, as rows. The first tangent is the axis most across the normal, made perpendicular.
fn frame_of(normal: &Vec3) -> Mat3 {
    let axis = normal.iamin();
    let mut along = Vec3::zeros();
    along[axis] = 1.0;
    let first = (along - normal * normal[axis]).normalize();
    let second = normal.cross(&first);
    Mat3::from_rows(&[normal.transpose(), first.transpose(), second.transpose()])
}

/// Finds contacts of a surface with a rigid body that is told by its distance field: one at each vertex within reach. The force acts on the surface's body. Vertices must be as close together as the
/// features of the field that shall be felt.
pub fn detect_field(
    bodies: [usize; 2],
    surface: &MovingSurface,
    field: &DistanceField,
    world_from_field: &Pose,
    reach: f64,
    out: &mut ProximityList,
) {
    let back = world_from_field.inverse();
    for (vertex, point) in surface.positions().iter().enumerate() {
        let sample = field.sample_smooth((back * nalgebra::Point3::from(*point)).coords);
        let steepness = sample.gradient.norm();
        if !(sample.distance < reach) || !(steepness > 1e-6) {
            continue;
        }
        let normal = world_from_field.rotation * (sample.gradient / steepness);
        let first = surface.vertex_side(bodies[0], vertex as u32);
        let second =
            Side { body: bodies[1], point: point - sample.distance * normal, nodes: [0; 3], weights: [0.0; 3] };
        out.add(Proximity {
            id: identity(Kind::Field, bodies, [vertex as u32, 0]),
            gap: sample.distance,
            contact: ContactPoint { sides: [first, second], frame: frame_of(&normal) },
        });
    }
}
