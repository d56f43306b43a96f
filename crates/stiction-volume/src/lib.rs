//! Rigid bodies whose contact forces and friction are integrated over the volume in which convex parts overlap.
//!
//! Source: *Real-time Rigid Body Simulation for Haptic Interactions Based on Contact Volume of Polygonal Objects* (Hasegawa and Sato): "the paper" in this crate.
#![forbid(unsafe_code)]

pub mod body;
pub mod engine;
pub mod error;
pub mod geometry;
pub mod joint;
pub mod patch;
pub mod settings;
mod simulation;
pub mod tick;

pub use body::{Body, BodyMotion, BodyState};
pub use engine::VolumeEngine;
pub use error::VolumeError;
pub use geometry::{Convex, ConvexError};
pub use joint::{Drive, Joint, JointKind};
pub use settings::{ContactCoefficients, ContactMethod, Grip, VolumeHand, VolumeSettings};
pub use tick::VolumeTick;
