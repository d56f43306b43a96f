//! The friction programs of *6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming* (Zhao,
//! Li, Barbič), written down literally and handed to general solvers: an oracle for the engine's tests and the
//! other side of its benchmarks. Nothing of the engine's six-dimensional reduction is used here.
//!
//! [`Question`] → [`Program`] (the rows, in [`literal`]) → [`Clarabel`] or [`Microlp`] (a solver's own arrays; not
//! timed) → [`Answer`] (`solve()`: what a benchmark times). The functions `clarabel_lp`, … do all of it at once.

mod answer;
mod clarabel;
mod cone_file;
mod cone_program;
pub mod families;
pub mod literal;
mod microlp;
mod polygon;
mod question;
mod scaled;

pub use answer::{Answer, Status};
pub use clarabel::{Clarabel, clarabel_hold, clarabel_lp, clarabel_qp};
pub use cone_file::{ConeFile, ConeFileError, cone_file_text};
pub use cone_program::{cone_fixed_point, cone_program, projection_program, sliding};
pub use literal::Program;
pub use microlp::{Microlp, microlp_lp};
pub use question::{Question, ReferenceError, static_limits};
