//! What is wrong with a mesh, in numbers and in words; and the mesh mended as far as that is safe.

mod advice;
mod bodies;
pub(crate) mod bvh;
mod cracks;
mod diagnosis;
pub(crate) mod edges;
mod holes;
pub(crate) mod intersect;
mod mend;
mod open;
mod parity;
mod patches;
mod thickness;
pub(crate) mod union;
mod unit;
pub(crate) mod weld;
pub(crate) mod winding;
mod words;

pub use advice::{Advice, SignAdvice, advise};
pub use diagnosis::{Component, DiagnoseOptions, Diagnosis, Mass, diagnose, diagnose_and_mend};
pub use holes::Hole;
pub use intersect::Intersections;
pub use mend::{Mended, mend};
pub use thickness::ThicknessSpread;
pub use unit::{UnitGuess, guess as guess_unit};
pub use words::{faceting, grouped, length, number, quoted, report, wrapped};
