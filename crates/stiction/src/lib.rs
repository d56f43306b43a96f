//! Stiction: a 6-DoF haptic rendering engine in which static Coulomb friction holds exactly.
//!
//! This crate is the engine. It does no I/O, reads no clock, starts no thread and, once its objects are
//! built, allocates nothing. [`tick::Engine`] is the haptic cycle: two [`Shape`](shape::Shape)s, one of them held by a
//! hand; the hand's pose goes in, the wrench that it feels comes out, a thousand times a second and beyond.
//!
//! ```no_run
//! use std::sync::Arc;
//! use stiction::shape::file::decode;
//! use stiction::spatial::{Pose, Vec6};
//! use stiction::tick::{Engine, Settings};
//!
//! // Made by `stiction bake`.
//! let [peg, plate] = ["peg.shape", "plate.shape"].map(|path| {
//!     let bytes = std::fs::read(path).unwrap();
//!     decode(&mut bytes.as_slice(), bytes.len() as u64).unwrap()
//! });
//! let start = Pose::translation(0.0, 0.0, 0.05);
//! let mut engine = Engine::new(Settings::default(), Arc::new(peg), Arc::new(plate), Pose::identity(), start)?;
//! loop {
//!     let hand = Pose::translation(0.0, 0.0, 0.02); // from the device
//!     let tick = engine.tick(&hand, &Vec6::zeros());
//!     let _force_and_torque = tick.wrench; // to the device
//!     # break;
//! }
//! # Ok::<(), stiction::tick::EngineError>(())
//! ```
//!
//! The friction core can be used by itself: a [`ContactProblem`](contact::ContactProblem) goes in, a certified
//! [`Solution`](friction::Solution) comes out.
//!
//! ```
//! use stiction::contact::{Contact, ContactId, ContactProblem, Load};
//! use stiction::friction::{FrictionSettings, FrictionSolver, Verdict};
//! use stiction::spatial::{Mat6, Vec3, Vec6};
//!
//! // A part pressed on the floor with 4 x 5 N and pulled sideways with 3 N, held by a 1 kN/m coupling.
//! let corners = [(-0.05, -0.05), (0.05, -0.05), (-0.05, 0.05), (0.05, 0.05)];
//! let contacts = corners.iter().enumerate().map(|(i, &(x, y))| Contact {
//!     id: ContactId(i as u64),
//!     point: Vec3::new(x, y, -0.05),
//!     normal: Vec3::z(),
//!     tangent: Vec3::x(),
//!     gap: -1e-4,
//!     normal_force: 5.0,
//!     mu_static: 0.5,
//!     mu_kinetic: 0.4,
//! });
//! let load = Load {
//!     wrench: Vec6::new(3.0, 0.0, 0.0, 0.0, 0.0, 0.0),
//!     stiffness: -Mat6::from_diagonal(&Vec6::new(1e3, 1e3, 2e5, 5e2, 5e2, 1e1)),
//!     mass: Mat6::from_diagonal(&Vec6::new(1.0, 1.0, 1.0, 2e-3, 2e-3, 2e-3)),
//! };
//! let mut problem = ContactProblem::with_capacity(64);
//! problem.rebuild(&load, contacts)?;
//!
//! let mut solver = FrictionSolver::new(FrictionSettings::default(), 64)?;
//! let answer = solver.solve(&problem)?;
//! assert_eq!(answer.verdict, Verdict::Holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Build it with AVX2
//!
//! A program that depends on this crate, by path or from a registry, does not inherit the flags of this repository (`.cargo/config.toml`), and is built
//! without AVX2 unless it asks for it: on x86-64, put this into `.cargo/config.toml` of *your* workspace, or set `RUSTFLAGS` to the same. Answers have the
//! same bits either way. [`vector_instructions`] tells what a build uses, and [`build_notice`] has a sentence for the start of your program.
//!
//! ```toml
//! [target.'cfg(target_arch = "x86_64")']
//! rustflags = ["-C", "target-cpu=x86-64-v3"]
//! ```
//!
//! | where | what |
//! |---|---|
//! | [`spatial`], `small` | vectors, poses, wrenches; matrices of six rows |
//! | [`shape`] | parts: point shell, distance field, mass; the shape file |
//! | [`coupling`] | the spring between hand and part |
//! | [`collide`] | walks of a shell through a field |
//! | [`contact`] | touching points, their penalty forces, and the contact problem |
//! | [`friction`] | the friction methods, a file for each; `verify` checks their answers |
//! | [`delassus`] | unilateral contacts with Coulomb friction on any Delassus operator: the solvers of other schools |
//! | [`hard`] | hard contacts and friction as one problem in six dimensions |
//! | [`tick`] | the engine. `tick.rs` is the algorithm; `tick/penalty.rs` and `tick/hard.rs` are the cycles of the two contact models, `tick/build.rs` makes an engine, `tick/queries.rs` answers for it |
//! | [`probe`] | how far a part is from slipping, away from the loop |
//! | [`pair`] | two hands: two engines on each other |
//! | [`named!`] | enumerations whose values have names |
//! | [`simulation`], [`columns`](mod@columns), [`trace`] | what every engine takes and tells |
//! | `vector` | the vector instructions of this build |
#![forbid(unsafe_code)]

pub mod collide;
pub mod columns;
pub mod contact;
pub mod coupling;
pub mod delassus;
pub mod friction;
pub mod hard;
mod named;
pub mod pair;
pub mod probe;
pub mod shape;
pub mod simulation;
mod small;
pub mod spatial;
pub mod tick;
pub mod trace;
mod vector;

pub use vector::{VectorInstructions, build_notice, vector_instructions};
