//! W for the contacts of a step: (30) of the paper with the mass counted once.
//!
//! With the rows F of a contact's frame (normal, tangent, tangent), body rotation R, arm r from the centre of mass to the contact, weights w of three nodes, and sides that count + and -:
//!
//! ```text
//! W_αβ = Σ_bodies ± (F_α R) (Σ_kl w_k w_l C_kl) (F_β R)ᵀ / (1 + β/Δt) + Δt² (F_α F_βᵀ/m + (F_α [r_α]×) I⁻¹ (F_β [r_β]×)ᵀ)
//! ```
//!
//! Blocks below the diagonal are found, and given to the other side transposed, so that W is symmetric to the bit. It is positive semidefinite as the sum of H C Hᵀ with C so.

use super::Compliance;
use stiction::spatial::{Mat3, Rotation, Vec3, cross_matrix};

/// What W needs of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyResponse<'a> {
    /// From the body's axes to the world's.
    pub rotation: Rotation,
    /// The centre of mass (m, world).
    pub centre: Vec3,
    /// The inverse of its mass; zero for a body that does not move as a whole, or whose compliance holds its mass.
    pub inverse_mass: f64,
    /// The inverse of its inertia in the world's axes; zero likewise.
    pub inverse_inertia: Mat3,
    /// How it deforms, if it does.
    pub compliance: Option<&'a Compliance>,
    /// What multiplies the compliance: 1/(1 + β/Δt).
    pub share: f64,
}

impl BodyResponse<'_> {
    /// A body that does not move.
    pub fn fixed() -> Self {
        BodyResponse {
            rotation: Rotation::identity(),
            centre: Vec3::zeros(),
            inverse_mass: 0.0,
            inverse_inertia: Mat3::zeros(),
            compliance: None,
            share: 0.0,
        }
    }
}

/// A point of a body's surface at a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// The number of the body.
    pub body: usize,
    /// Where it is (m, world).
    pub point: Vec3,
    /// The nodes between which it is, as places in the compliance; of no meaning for rigid bodies.
    pub nodes: [u32; 3],
    /// Their weights: barycentric coordinates (8), (9).
    pub weights: [f64; 3],
}

/// A contact: a point P of one body and a point Q of another, and the frame between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// P and Q: the force acts on the first, its opposite on the second.
    pub sides: [Side; 2],
    /// Rows: the normal, towards the inside of the first body, and two tangents.
    pub frame: Mat3,
}

/// One side of a contact, made ready.
#[derive(Clone, Copy, Debug)]
struct Ready {
    body: u32,
    sign: f64,
    nodes: [u32; 3],
    weights: [f64; 3],
    /// F R.
    turned: Mat3,
    /// -F [r]×, and the same times I⁻¹.
    moment: Mat3,
    turning: Mat3,
}

/// Memory for making W.
#[derive(Clone, Debug)]
pub struct DelassusAssembly {
    most: usize,
    ready: Vec<[Ready; 2]>,
    frames: Vec<Mat3>,
}

impl DelassusAssembly {
    /// With room for so many contacts.
    pub fn with_capacity(contacts: usize) -> Self {
        DelassusAssembly { most: contacts, ready: Vec::with_capacity(contacts), frames: Vec::with_capacity(contacts) }
    }

    /// Makes room again, which a copy has not.
    pub(crate) fn reserve(&mut self) {
        self.ready.clear();
        self.frames.clear();
        self.ready.reserve(self.most);
        self.frames.reserve(self.most);
    }

    /// Makes W and gives each block once with its row and column, those above the diagonal as transposes of those below. Contacts beyond the capacity are left out; their number is returned. Does
    /// not allocate.
    pub fn assemble(
        &mut self,
        bodies: &[BodyResponse],
        contacts: &[ContactPoint],
        period: f64,
        mut give: impl FnMut(usize, usize, &Mat3),
    ) -> usize {
        let count = contacts.len().min(self.most);
        self.ready.clear();
        self.frames.clear();
        for contact in &contacts[..count] {
            let ready = |k: usize| {
                let side = &contact.sides[k];
                let body = &bodies[side.body];
                let moment = -contact.frame * cross_matrix(side.point - body.centre);
                Ready {
                    body: side.body as u32,
                    sign: if k == 0 { 1.0 } else { -1.0 },
                    nodes: side.nodes,
                    weights: side.weights,
                    turned: contact.frame * body.rotation.to_rotation_matrix().into_inner(),
                    moment,
                    turning: moment * body.inverse_inertia,
                }
            };
            self.ready.push([ready(0), ready(1)]);
            self.frames.push(contact.frame);
        }
        let square = period * period;
        for i in 0..count {
            for j in 0..=i {
                let mut block = Mat3::zeros();
                for one in &self.ready[i] {
                    for other in self.ready[j].iter().filter(|other| other.body == one.body) {
                        let body = &bodies[one.body as usize];
                        let sign = one.sign * other.sign;
                        if body.inverse_mass > 0.0 {
                            let arms = one.turning * other.moment.transpose();
                            let straight = self.frames[i] * self.frames[j].transpose() * body.inverse_mass;
                            block += sign * square * (straight + arms);
                        }
                        if let Some(compliance) = body.compliance {
                            let inner = between(compliance, one, other);
                            block += sign * body.share * (one.turned * inner * other.turned.transpose());
                        }
                    }
                }
                if i == j {
                    block = 0.5 * (block + block.transpose());
                    give(i, i, &block);
                } else {
                    give(i, j, &block);
                    give(j, i, &block.transpose());
                }
            }
        }
        contacts.len() - count
    }
}

/// Σ_kl w_k w_l C_kl.
#[inline]
fn between(compliance: &Compliance, one: &Ready, other: &Ready) -> Mat3 {
    let mut sum = Mat3::zeros();
    for (node, weight) in one.nodes.iter().zip(one.weights) {
        if weight == 0.0 {
            continue;
        }
        for (force_node, force_weight) in other.nodes.iter().zip(other.weights) {
            if force_weight != 0.0 {
                sum += (weight * force_weight) * compliance.block(*node as usize, *force_node as usize);
            }
        }
    }
    sum
}
