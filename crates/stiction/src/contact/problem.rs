//! The contact problem of one tick: what every friction solver is given.
//!
//! Notation of *6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming* (Zhao, Li,
//! Barbič), equations (9), (12), (29), (30):
//!
//! | symbol | here |
//! |---|---|
//! | f = (F, τ) | `wrench`: everything but friction, on the held part, about its centre of mass |
//! | K = ∂(F, τ)/∂(x, ω) | `stiffness`: negative definite in ordinary cases, not symmetric in general |
//! | M̃ = diag(M, I) | `mass`: the paper's metric of the step, inertia in the world frame |
//! | G = [T; R] | the tangent columns (t, r × t), two per contact |
//!
//! Layout: the columns of G are stored in blocks of `LANES` contacts, each row of a block contiguous, so that
//! one pass over the contacts is a stream of vector loads. Blocks are padded with zero columns, and a
//! separated contact is a zero column too: neither can carry friction or add rank.

use crate::small::{self, ScaledCholesky};
use crate::spatial::{Mat6, Vec3, Vec6};
pub use validate::ProblemError;
use validate::{MAX_MAGNITUDE, validated};

mod validate;

/// One number of each contact of a block.
pub(crate) type Lane = wide::f64x4;
/// Contacts per block: two SSE2 registers or one AVX2 register of `f64`.
pub(crate) const LANES: usize = 4;

/// The tangent columns of `LANES` contacts: `u[row]`, `v[row]`, rows (force, torque).
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Block {
    pub u: [Lane; 6],
    pub v: [Lane; 6],
}

/// What a solver needs of each contact besides its columns, block by block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    /// µ_s F_n and µ_k F_n, zero where separated.
    pub static_limit: Vec<Lane>,
    pub kinetic_limit: Vec<Lane>,
    /// One bit per lane: not separated.
    pub touching: Vec<u8>,
    pub ids: Vec<[ContactId; LANES]>,
}

/// A name for a contact that lasts as long as the contact does: memory of slip is keyed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContactId(pub u64);

/// One contact, as the collision stage hands it over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Its identity from tick to tick. Must be unique within a problem.
    pub id: ContactId,
    /// Position relative to the held part's centre of mass, in world axes (m).
    pub point: Vec3,
    /// Unit direction of the normal force on the held part.
    pub normal: Vec3,
    /// Unit tangent T_u, perpendicular to the normal; T_v = N × T_u completes the basis.
    pub tangent: Vec3,
    /// Signed distance between the surfaces (m): negative when they overlap; above zero the contact is separated.
    pub gap: f64,
    /// Magnitude of the normal force (N), at least zero.
    pub normal_force: f64,
    /// Static friction coefficient, at least zero.
    pub mu_static: f64,
    /// Kinetic friction coefficient, between zero and `mu_static`.
    pub mu_kinetic: f64,
}

impl Contact {
    /// The second tangent, T_v = N × T_u.
    pub fn tangent_v(&self) -> Vec3 {
        self.normal.cross(&self.tangent)
    }

    /// A contact without a gap but with a normal force can carry friction; any other is separated.
    pub fn is_separated(&self) -> bool {
        self.gap > 0.0 || self.normal_force == 0.0
    }
}

/// What acts on the held part besides friction, and how it changes with the part's pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// f = (F, τ): total wrench without friction (N, N m).
    pub wrench: Vec6,
    /// K = ∂(F, τ)/∂(x, ω). Must be invertible.
    pub stiffness: Mat6,
    /// M̃ = diag(M, I): symmetric positive definite; only its proportions matter.
    pub mass: Mat6,
}

/// Reciprocal condition, after scaling, below which K counts as singular.
const MIN_RCOND: f64 = 1e-14;

/// Whether a number may stand in a problem.
fn in_range(x: &f64) -> bool {
    x.is_finite() && x.abs() <= MAX_MAGNITUDE
}

/// The validated contact problem of one tick. Always valid: a failed [`rebuild`](Self::rebuild) leaves it empty.
#[derive(Clone, Debug)]
pub struct ContactProblem {
    capacity: usize,
    load: Load,
    stiffness_inverse: Mat6,
    mass_factor: Mat6,
    contacts: Vec<Contact>,
    blocks: Vec<Block>,
    lanes: Lanes,
    /// Σ over the contacts that are not separated of ‖t‖² and of ‖r × t‖², both tangents, and the largest limit.
    force_trace: f64,
    torque_trace: f64,
    largest_limit: f64,
}

impl ContactProblem {
    /// An empty problem that can hold up to `capacity` contacts without allocating again.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            capacity,
            load: Load { wrench: Vec6::zeros(), stiffness: -Mat6::identity(), mass: Mat6::identity() },
            stiffness_inverse: -Mat6::identity(),
            mass_factor: Mat6::identity(),
            contacts: Vec::with_capacity(capacity),
            blocks: Vec::with_capacity(capacity.div_ceil(LANES)),
            lanes: Lanes {
                static_limit: Vec::with_capacity(capacity.div_ceil(LANES)),
                kinetic_limit: Vec::with_capacity(capacity.div_ceil(LANES)),
                touching: Vec::with_capacity(capacity.div_ceil(LANES)),
                ids: Vec::with_capacity(capacity.div_ceil(LANES)),
            },
            force_trace: 0.0,
            torque_trace: 0.0,
            largest_limit: 0.0,
        }
    }

    /// Replaces the problem by a new one, checking every number once. Does not allocate.
    ///
    /// Unit vectors may be off by 1e-6; they are normalised. On an error the problem is left empty, with no load.
    pub fn rebuild(&mut self, load: &Load, contacts: impl IntoIterator<Item = Contact>) -> Result<(), ProblemError> {
        let result = self.try_rebuild(load, contacts);
        if result.is_err() {
            self.clear();
        }
        result
    }

    /// The same problem as another. Does not allocate where this one's capacity is at least the other's.
    pub fn copy_from(&mut self, other: &ContactProblem) {
        (self.load, self.stiffness_inverse, self.mass_factor) =
            (other.load, other.stiffness_inverse, other.mass_factor);
        self.contacts.clone_from(&other.contacts);
        self.blocks.clone_from(&other.blocks);
        self.lanes.static_limit.clone_from(&other.lanes.static_limit);
        self.lanes.kinetic_limit.clone_from(&other.lanes.kinetic_limit);
        self.lanes.touching.clone_from(&other.lanes.touching);
        self.lanes.ids.clone_from(&other.lanes.ids);
        (self.force_trace, self.torque_trace) = (other.force_trace, other.torque_trace);
        self.largest_limit = other.largest_limit;
    }

    /// Limits every contact by static friction, also one that slides: for margins, which are shares of that.
    pub(crate) fn limit_by_static(&mut self) {
        self.lanes.kinetic_limit.clone_from(&self.lanes.static_limit);
    }

    /// Whether a stiffness can be that of a problem: finite, and not singular.
    pub fn is_invertible(stiffness: &Mat6) -> bool {
        let (inverse, rcond) = small::invert(stiffness);
        rcond >= MIN_RCOND && stiffness.iter().chain(inverse.iter()).all(in_range)
    }

    /// No load and no contacts.
    pub fn clear(&mut self) {
        self.load = Load { wrench: Vec6::zeros(), stiffness: -Mat6::identity(), mass: Mat6::identity() };
        self.stiffness_inverse = -Mat6::identity();
        self.mass_factor = Mat6::identity();
        self.clear_contacts();
    }

    fn clear_contacts(&mut self) {
        self.contacts.clear();
        self.blocks.clear();
        self.lanes.static_limit.clear();
        self.lanes.kinetic_limit.clear();
        self.lanes.touching.clear();
        self.lanes.ids.clear();
        (self.force_trace, self.torque_trace, self.largest_limit) = (0.0, 0.0, 0.0);
    }

    fn try_rebuild(&mut self, load: &Load, contacts: impl IntoIterator<Item = Contact>) -> Result<(), ProblemError> {
        self.clear_contacts();
        for (what, ok) in [
            ("wrench", load.wrench.iter().all(in_range)),
            ("stiffness", load.stiffness.iter().all(in_range)),
            ("mass", load.mass.iter().all(in_range)),
        ] {
            if !ok {
                return Err(ProblemError::NonFiniteLoad { what });
            }
        }
        self.load = *load;
        let (inverse, rcond) = small::invert(&load.stiffness);
        if rcond < MIN_RCOND || !inverse.iter().all(in_range) {
            return Err(ProblemError::SingularStiffness { rcond });
        }
        self.stiffness_inverse = inverse;
        let asymmetry = (load.mass - load.mass.transpose()).amax();
        self.mass_factor = match small::cholesky(&load.mass) {
            Some(factor) if asymmetry <= 1e-9 * load.mass.amax() => factor,
            _ => return Err(ProblemError::BadMass),
        };
        for (index, contact) in contacts.into_iter().enumerate() {
            if index >= self.capacity {
                return Err(ProblemError::Capacity { capacity: self.capacity });
            }
            let contact = validated(index, contact)?;
            self.push(contact);
        }
        Ok(())
    }

    fn push(&mut self, contact: Contact) {
        let (index, lane) = (self.contacts.len() / LANES, self.contacts.len() % LANES);
        if lane == 0 {
            self.blocks.push(Block::default());
            self.lanes.static_limit.push(Lane::ZERO);
            self.lanes.kinetic_limit.push(Lane::ZERO);
            self.lanes.touching.push(0);
            self.lanes.ids.push([ContactId(0); LANES]);
        }
        self.lanes.ids[index][lane] = contact.id;
        if !contact.is_separated() {
            let (static_limit, kinetic_limit) =
                (contact.mu_static * contact.normal_force, contact.mu_kinetic * contact.normal_force);
            self.largest_limit = self.largest_limit.max(static_limit);
            self.lanes.static_limit[index].as_mut_array()[lane] = static_limit;
            self.lanes.kinetic_limit[index].as_mut_array()[lane] = kinetic_limit;
            self.lanes.touching[index] |= 1 << lane;
            let block = &mut self.blocks[index];
            for (column, tangent) in [(&mut block.u, contact.tangent), (&mut block.v, contact.tangent_v())] {
                let moment = contact.point.cross(&tangent);
                self.force_trace += 1.0;
                self.torque_trace += moment.norm_squared();
                for row in 0..3 {
                    column[row].as_mut_array()[lane] = tangent[row];
                    column[row + 3].as_mut_array()[lane] = moment[row];
                }
            }
        }
        self.contacts.push(contact);
    }

    /// f, K and M̃ as given.
    pub fn load(&self) -> &Load {
        &self.load
    }

    /// The contacts, directions normalised, in the order given.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Number of contacts, separated ones included.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// True without contacts.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// The most contacts it can hold.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub(crate) fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// A length of the part: torques divided by it compare with forces. 1 m when no contact tells.
    pub(crate) fn length(&self) -> f64 {
        if self.torque_trace > 0.0 { (self.torque_trace / self.force_trace).sqrt() } else { 1.0 }
    }

    /// The factor of a Gram matrix weighted with squared limits, if it alone shows that G has full rank, well above
    /// the tolerance of the rank decision, which looks at unit tangents.
    pub(crate) fn full_rank(&self, gram: &Mat6) -> Option<ScaledCholesky> {
        // Unit weights are at least the weights divided by the largest squared limit.
        let unit = 1e-8 * self.largest_limit * self.largest_limit;
        let reaches = |i: usize| gram[(i, i)] >= unit * if i < 3 { self.force_trace } else { self.torque_trace };
        if !(0..6).all(reaches) {
            return None;
        }
        small::cholesky_scaled(gram).filter(|factor| factor.smallest_pivot > 1e-6)
    }

    /// K⁻¹.
    pub(crate) fn stiffness_inverse(&self) -> &Mat6 {
        &self.stiffness_inverse
    }

    /// Lower Cholesky factor of M̃.
    pub(crate) fn mass_factor(&self) -> &Mat6 {
        &self.mass_factor
    }
}
