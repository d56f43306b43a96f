//! What is wrong with a mesh, in numbers; and the mesh mended as far as that is safe.

mod bodies;
mod bvh;
mod cracks;
mod edges;
mod holes;
mod mend;
mod parity;
mod patches;
mod union;
mod weld;
mod winding;

pub use holes::Hole;
pub use mend::{Mended, mend};
