//! Contact formations: polyhedra whose contact state is known exactly, and the force and moment that follow from it.
//!
//! Source: *Haptic Rendering Involving Interaction between Two Convex or Non-convex Polyhedral Objects with Friction* (Luo and Xiao): "the paper" in this crate. Of a part that a hand holds against a fixed one, the
//! engine knows which face, edge or vertex touches which. With the motion that led there, this decides which contacts stick and which slide, and where forces act.
//!
//! | where | what |
//! |---|---|
//! | [`polyhedron`], [`tree`] | faces, edges and vertices merged from triangles; boxes around features |
//! | [`placed`], [`proximity`] | the held part at a pose; pairs of features that are near each other |
//! | [`projection`], [`proxy`] | the pose nearest to the hand's at which parts do not penetrate |
//! | [`contact`], [`region`], [`candidates`] | principal contacts, their regions, and those that may exist at a pose |
//! | [`table`], [`closing`], [`identify`] | which can exist together; the formation at a pose |
//! | [`freedom`] | motions that keep a formation |
//! | [`motion`], [`friction`], [`force`] | prior motion MT1 to MT5, friction rules, normal forces |
//! | [`verify`] | an exhaustive check of formations that shares no code with their identification |
//! | [`engine`], [`tick`], [`settings`] | the engine, what a tick tells, and its settings |
//! | [`words`], [`timeline`] | formations in words and in time |
//! | [`naming`] | names for the contacts of engines that know points only |
//!
//! ```
//! use std::sync::Arc;
//! use stiction::spatial::{Pose, Vec3, Vec6};
//! use stiction_formation::{FormationEngine, FormationSettings, Polyhedron};
//!
//! // Two tetrahedra: one stands on its base, the other comes down on it.
//! let points = [Vec3::zeros(), Vec3::x() * 0.1, Vec3::y() * 0.1, Vec3::z() * 0.1];
//! let solid = Arc::new(Polyhedron::new(&points, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
//! let start = Pose::translation(-0.01, -0.01, 0.102);
//! let mut engine = FormationEngine::new(FormationSettings::default(), solid.clone(), solid, Pose::identity(), start)?;
//! let tick = (0..50).map(|i| *engine.tick(&Pose::translation(-0.01, -0.01, 0.102 - 1e-4 * f64::from(i)), &Vec6::zeros(), 1e-3)).last().unwrap();
//! assert!(!tick.formation.is_empty() && tick.wrench[2] > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod candidates;
pub mod closing;
pub mod contact;
pub mod engine;
pub mod force;
pub mod freedom;
pub mod friction;
pub mod identify;
pub mod motion;
pub mod naming;
pub mod placed;
pub mod polyhedron;
pub mod projection;
pub mod proximity;
pub mod proxy;
pub mod region;
pub mod settings;
mod simulation;
pub mod table;
pub mod tick;
pub mod timeline;
pub mod tree;
pub mod verify;
pub mod words;

pub use engine::FormationEngine;
pub use polyhedron::{Polyhedron, PolyhedronError};
pub use settings::{FormationSettings, MomentModel};
pub use tick::FormationTick;
