//! Convex polyhedra: distance, contact plane and intersection.
//!
//! | stage of the paper | here |
//! |---|---|
//! | 4.1 contact detection | [`proximity`] |
//! | 4.2 contact plane | [`first_normal`], [`contact_plane`] |
//! | 4.3 geometry of the contact volume | [`IntersectionWorkspace`] |
//!
//! Nothing here allocates but what makes a [`Convex`] or an [`IntersectionWorkspace`].

mod cell;
mod convex;
mod gjk;
mod intersection;
mod plane;

pub use convex::{Convex, ConvexError, Plane};
pub use gjk::{GjkMemory, Proximity, proximity};
pub use intersection::{IntersectionFace, IntersectionWorkspace, Owner};
pub use plane::{ContactPlane, contact_plane, first_normal};
