//! Deformable parts: clips, seals and cables that bend when they are mounted.
//!
//! Source: *Realistic Haptic Rendering of Interacting Deformable Objects in Virtual Environments* (Duriez, Dubois, Kheddar, Andriot, 2006): "the paper" in this crate.
//!
//! | stage | here | of the paper |
//! |---|---|---|
//! | tetrahedra, their surface and their quality | [`mesh`] | – |
//! | from a distance field to tetrahedra | [`stuffing`] | – |
//! | meshes of other programs | [`read`] | – |
//! | stiffness, mass, and bodies whose deformation has inertia | [`elastic`] | (1), (27) |
//! | corotated bodies, their condensed compliance, W | [`condensed`] | (3), (16), (17), (28) to (30) |
//! | which points may touch | [`contact`] | 3.2, (4) to (15) |
//! | a step of bodies, hands and contacts | [`world`] | 3.4, 4, 5, 7.1 |
//! | the same behind the seam | [`engine`], [`tick`] | – |
#![forbid(unsafe_code)]

pub mod condensed;
pub mod contact;
pub mod elastic;
pub mod engine;
pub mod mesh;
pub mod read;
pub mod stuffing;
pub mod tick;
pub mod world;

pub use engine::DeformableEngine;
pub use mesh::{BoundarySurface, MeshQuality, TetMesh, TetMeshError};
pub use stuffing::{SolidRegion, StuffingError, StuffingSettings, stuff};
pub use tick::DeformableTick;
