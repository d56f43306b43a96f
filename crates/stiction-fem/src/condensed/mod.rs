//! Bodies in a corotated frame: rigid motion plus linear deformation, of which a step needs only the compliance of the nodes that can touch.
//!
//! Equations (3), (16), (17), (28) to (30) of the paper.
//!
//! | symbol | meaning | where |
//! |---|---|---|
//! | C | compliance of the nodes that can touch, in the body's axes | [`Compliance`] |
//! | A | mass and inertia of the rigid motion | [`RigidState`] |
//! | H, J | what contacts see of nodes and of the rigid motion | [`ContactPoint`] |
//! | W | Σ_bodies H R C Rᵀ Hᵀ + Δt² J A⁻¹ Jᵀ | [`DelassusAssembly`] |
//!
//! **Mass counts once.** The rigid motion has all the inertia and deformation has none, so that C comes from K alone: (30) as printed, but not with the C of (27), which holds M/Δt² already. Of the two readings of
//! the paper this is the one that it argues for in 6.2 ("mass and stiffness are decoupled from the time step"). The other one, all nodes with inertia and no A, is
//! [`DynamicBody`](crate::elastic::DynamicBody); its C is [`ComplianceOf::Dynamic`].
//!
//! **Condensing is exact** here, since no history acts on the inner nodes. It stays so with damping D = β K: K u (1 + β/Δt) = f + (β/Δt) K u' gives u = (C f + (β/Δt) u')/(1 + β/Δt) on the nodes
//! that can touch, whatever the inner ones do.
//!
//! **A free body has a singular K.** Two ways to make it regular:
//! * [`ComplianceOf::Held`]: nodes near the grip are fixed in the body's frame, as in the paper (7.1). The frame is that of the grip.
//! * [`ComplianceOf::Free`]: the frame is the one in which deformation carries no momentum (mean axes). A load f accelerates the whole body, and what bends it is f less the inertial load of that
//!   acceleration: C = Πᵀ K⁺ Π with Π = I - M Φ (Φᵀ M Φ)⁻¹ Φᵀ, symmetric and positive semidefinite. K⁺ is any inverse with six degrees of freedom held: forces Π f are in balance, so that what is held
//!   bears nothing, and Πᵀ takes out the rigid motion that the choice adds. Gravity bends nothing in free fall, exactly.

mod assembly;
mod compliance;
mod rigid;

pub use assembly::{BodyResponse, ContactPoint, DelassusAssembly, Side};
pub use compliance::{Compliance, ComplianceOf, MOST_BYTES};
pub use rigid::RigidState;
