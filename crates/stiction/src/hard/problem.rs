//! The contact problem of one tick with hard contacts, in blocks of lanes.

use crate::contact::{LANES, Lane};
use crate::friction::passes::Pair;
use crate::spatial::{Mat6, Vec3, Vec6};

/// A shell point within reach of the other part's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HardContact {
    /// The number of its shell point: its identity from tick to tick.
    pub point: u32,
    /// Where it is relative to the held part's centre, in world axes (m).
    pub arm: Vec3,
    /// n: the unit direction in which a motion of the held part lowers the depth.
    pub normal: Vec3,
    /// δ (m), negative for a point outside.
    pub depth: f64,
    /// k (N/m).
    pub stiffness: f64,
    /// µ in force: static, or kinetic where the contact slides.
    pub mu: f64,
    /// s: the slip that the contact remembers, in world axes (m).
    pub slip: Vec3,
}

/// Columns and numbers of [`LANES`] contacts; lanes without a contact have no stiffness.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Block {
    pub n: [Lane; 6],
    pub u: [Lane; 6],
    pub v: [Lane; 6],
    pub depth: Lane,
    pub stiffness: Lane,
    pub mu: Lane,
    pub slip: Pair,
}

/// (1)-(3) of the module: what Newton's method is given.
#[derive(Clone, Debug)]
pub struct HardProblem {
    /// f: the wrench on the held part without contacts (N, N m).
    pub wrench: Vec6,
    /// A: symmetric and positive definite (N/m, N m/rad).
    pub stiffness: Mat6,
    /// A length by which torques are compared with forces (m).
    pub length: f64,
    /// ε: the longest slip that a contact remembers (m).
    pub micro_slip: f64,
    pub(super) blocks: Vec<Block>,
    len: usize,
}

impl HardProblem {
    /// A problem without contacts that can hold up to `capacity` of them without allocating.
    pub fn with_capacity(capacity: usize) -> Self {
        HardProblem {
            wrench: Vec6::zeros(),
            stiffness: Mat6::identity(),
            length: 1.0,
            micro_slip: 1e-6,
            blocks: Vec::with_capacity(capacity.div_ceil(LANES)),
            len: 0,
        }
    }

    /// Takes over another problem. Does not allocate where there is room for its contacts.
    pub(super) fn copy_from(&mut self, other: &HardProblem) {
        let HardProblem { wrench, stiffness, length, micro_slip, blocks, len } = other;
        (self.wrench, self.stiffness) = (*wrench, *stiffness);
        (self.length, self.micro_slip, self.len) = (*length, *micro_slip, *len);
        self.blocks.clone_from(blocks);
    }

    /// Removes all contacts.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    /// The number of contacts.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no contact.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a contact. Returns the tangents that its friction is told along.
    #[inline]
    pub fn push(&mut self, contact: &HardContact) -> [Vec3; 2] {
        let lane = self.len % LANES;
        if lane == 0 {
            self.blocks.push(Block::default());
        }
        self.len += 1;
        let [u, v] = tangents(&contact.normal);
        let Some(block) = self.blocks.last_mut() else { return [u, v] };
        let columns = [(&mut block.n, &contact.normal), (&mut block.u, &u), (&mut block.v, &v)];
        for (column, direction) in columns {
            let turn = contact.arm.cross(direction);
            for i in 0..3 {
                column[i].as_mut_array()[lane] = direction[i];
                column[i + 3].as_mut_array()[lane] = turn[i];
            }
        }
        block.depth.as_mut_array()[lane] = contact.depth;
        block.stiffness.as_mut_array()[lane] = contact.stiffness;
        block.mu.as_mut_array()[lane] = contact.mu;
        let slip = carried_over(&contact.slip, &u, &v);
        block.slip[0].as_mut_array()[lane] = slip[0];
        block.slip[1].as_mut_array()[lane] = slip[1];
        [u, v]
    }
}

/// A slip of an earlier tick in this tick's tangents, its length kept, so that a slowly turning normal neither makes nor loses slip.
#[inline]
fn carried_over(slip: &Vec3, u: &Vec3, v: &Vec3) -> [f64; 2] {
    let (a, b) = (slip.dot(u), slip.dot(v));
    let square = a * a + b * b;
    if square > 0.0 {
        let scale = (slip.norm_squared() / square).sqrt();
        // A normal that turned by more than 60 degrees in a tick leaves no direction to keep.
        if scale < 2.0 { [a * scale, b * scale] } else { [0.0, 0.0] }
    } else {
        [0.0, 0.0]
    }
}

/// Two unit tangents: T. Duff et al., *Building an Orthonormal Basis, Revisited* (JCGT 6, 2017), equation (1).
#[inline]
pub(super) fn tangents(n: &Vec3) -> [Vec3; 2] {
    let sign = 1.0f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vec3::new(b, sign + n.y * n.y * a, -n.y)]
}
