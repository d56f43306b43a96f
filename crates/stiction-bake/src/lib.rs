//! Bake: from any real mesh to the contact shapes of the engine.
//!
//! A triangle soup is imported ([`import`]), diagnosed and mended ([`diagnose`]), and turned into a
//! signed distance field ([`field`]) and a nested point shell ([`shell`]). How far the facets of its mesh reach into the true surface is
//! measured too ([`faceting`]): contacts are allowed that much depth.

pub mod bake;
pub mod cache;
pub mod convex;
pub mod diagnose;
pub mod export;
pub mod expose;
pub mod faceting;
pub mod field;
pub mod file;
pub mod import;
pub mod mass;
pub mod mesh;
pub mod progress;
pub mod shell;
pub mod solids;
mod words;

pub use bake::{BakeOptions, Baked, bake};
pub use mesh::Mesh;
pub use progress::{Progress, Silent};
pub use words::bytes;
