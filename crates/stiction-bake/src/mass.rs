//! Mass properties of a closed mesh.
