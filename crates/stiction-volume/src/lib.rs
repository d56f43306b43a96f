//! Rigid bodies whose contact forces and friction are integrated over the volume in which convex parts overlap.
//!
//! Source: *Real-time Rigid Body Simulation for Haptic Interactions Based on Contact Volume of Polygonal Objects* (Hasegawa and Sato): "the paper" in this crate.
//!
//! | stage | here | of the paper |
//! |---|---|---|
//! | bodies, their convex parts and what covers what | `model` | 4, 4.1 |
//! | pairs whose boxes overlap | `broad` | – |
//! | distance, contact plane, intersection of two convex parts | [`geometry`] | 4.1 to 4.3 |
//! | contacts of all pairs, seams between parts | `detect` | 4.2 to 4.4 |
//! | integrals over a contact area | [`patch`] | (5) to (29) |
//! | forces and states of friction | [`contact`] | 4.5, 4.6, figure 8 |
//! | coefficients and what the period allows | `coefficients` | – |
//! | joints, implicitly | `rows`, `system` | – |
//! | hands, devices as bodies | `hand` | 3.2 |
//! | a step | [`engine`] | (1), (2) |
#![forbid(unsafe_code)]

pub mod body;
mod broad;
mod buffer;
mod coefficients;
pub mod contact;
mod detect;
pub mod engine;
pub mod error;
pub mod geometry;
mod hand;
pub mod joint;
mod model;
pub mod patch;
mod rows;
pub mod settings;
mod simulation;
mod system;
pub mod tick;

pub use body::{Body, BodyMotion, BodyState};
pub use contact::{Coefficients, Contact, FrictionState};
pub use engine::VolumeEngine;
pub use error::VolumeError;
pub use geometry::{Convex, ConvexError};
pub use joint::{Drive, Joint, JointKind};
pub use settings::{ContactCoefficients, ContactMethod, Grip, VolumeHand, VolumeSettings};
pub use tick::VolumeTick;
