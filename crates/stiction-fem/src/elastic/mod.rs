//! Linear elasticity of one part: stiffness, mass, and how both are solved with.
//!
//! Equations (1), (27) and (28) of the paper. Written for finite elements from their definitions (for example O. C. Zienkiewicz and R. L. Taylor, *The Finite Element Method*).
//!
//! | symbol | meaning | where |
//! |---|---|---|
//! | E, ν, ρ | Young's modulus, Poisson's ratio, density | [`Material`] |
//! | λ, µ | Lamé's constants, λ = Eν/((1+ν)(1-2ν)), µ = E/(2(1+ν)) | [`Material::lame`] |
//! | K | stiffness: K_ij = ∫ λ g_i g_jᵀ + µ g_j g_iᵀ + µ (g_i · g_j) I, g = gradients of shape functions | [`ElasticModel`] |
//! | M | mass, consistent: M_ij = ρ ∫ N_i N_j I | [`ElasticModel`] |
//! | Φ | the six rigid motions of the nodes: translations, and rotations about the centre of mass | [`ElasticModel::rigid_motion`] |
//!
//! **Which elements.** Linear tetrahedra, as in the paper, are far too stiff in bending with few layers through a wall; quadratic ones with straight edges are not (`tests/cantilever.rs` measures
//! both). Since all that a step needs is condensed offline, the elements cost nothing in a step, so that [`ElementOrder::Quadratic`] is what engines take.

mod dynamic;
mod elements;
mod factor;
mod frame;
mod material;
mod model;
mod pattern;
mod shape;

pub use dynamic::{DynamicBody, DynamicSettings};
pub use elements::{ElementOrder, ElementSurface, Elements};
pub use factor::{SolveMemory, StiffnessFactor};
pub use frame::best_rotation;
pub use material::Material;
pub use model::{ElasticModel, RigidMass};

/// Errors from making an elastic model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ElasticError {
    /// A number that must be positive and finite is not.
    #[error("{what} is {value}: it must be a positive number")]
    NotPositive {
        /// Which number.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// Poisson's ratio is out of its range.
    #[error(
        "Poisson's ratio is {0}: it must be above -1 and at most {MOST_POISSON}. At 0.5 a material keeps its volume, and elements of displacements alone lock: take 0.45 for rubber"
    )]
    Poisson(f64),
    /// The stiffness cannot be factorised.
    #[error("the stiffness matrix cannot be factorised: {0}; check Young's modulus, and the mesh for slivers")]
    NotDefinite(String),
    /// What holds the part does not hold it.
    #[error("{nodes} fixed nodes do not hold the part: fix at least three that are not in a line")]
    NotHeld {
        /// How many were given.
        nodes: usize,
    },
    /// A fixed node is not there.
    #[error("node {node} is fixed, but there are {nodes}")]
    NoSuchNode {
        /// What was given.
        node: u32,
        /// How many there are.
        nodes: usize,
    },
    /// A compliance would take more memory than allowed.
    #[error(
        "the compliance of {nodes} nodes takes {bytes} bytes, more than the {limit} that are allowed: choose fewer nodes that can touch (at most {works}), or larger cells"
    )]
    TooLarge {
        /// Nodes asked for.
        nodes: usize,
        /// What they would take.
        bytes: usize,
        /// What is allowed.
        limit: usize,
        /// The most nodes that work.
        works: usize,
    },
}

/// The largest Poisson's ratio that is taken: the bulk modulus is 17 times the shear modulus there.
pub const MOST_POISSON: f64 = 0.47;
