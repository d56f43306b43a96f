//! The signed distance field of a mesh.

mod build;
mod lanes;
mod tree;
mod triangle;
pub use tree::*;
pub use lanes::*;
mod bvh;
pub mod old { pub use super::bvh::Bvh; }
