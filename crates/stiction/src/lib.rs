//! Stiction: a 6-DoF haptic rendering engine in which static Coulomb friction holds exactly.
//!
//! This crate is the engine. It does no I/O, reads no clock, starts no thread and, once its objects are
//! built, allocates nothing. Today it holds the friction core: a [`ContactProblem`](contact::ContactProblem)
//! goes in, a certified [`Solution`](friction::Solution) comes out.
//!
//! ```
//! use stiction::contact::{Contact, ContactId, ContactProblem, Load};
//! use stiction::friction::{FrictionSolver, Settings, Verdict};
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
//! let mut solver = FrictionSolver::new(Settings::default(), 64)?;
//! let answer = solver.solve(&problem)?;
//! assert_eq!(answer.verdict, Verdict::Holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod collide;
pub mod contact;
pub mod coupling;
pub mod friction;
pub mod shape;
mod small;
pub mod spatial;
pub mod tick;
pub mod trace;
