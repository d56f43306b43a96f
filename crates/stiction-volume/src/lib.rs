//! Rigid bodies whose contact forces and friction are integrated over the volume in which convex parts overlap.
//!
//! Source: *Real-time Rigid Body Simulation for Haptic Interactions Based on Contact Volume of Polygonal Objects* (Hasegawa and Sato): "the paper" in this crate.
#![forbid(unsafe_code)]

pub mod geometry;
