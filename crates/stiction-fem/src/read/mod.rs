//! Meshes that other programs made: Gmsh (.msh 2.2 and 4.1, text and binary) and legacy VTK unstructured grids (text and binary).
//!
//! Tetrahedra are taken; triangles, lines and points beside them are left out. Tetrahedra of ten nodes are taken with straight edges: their corners alone. Files are read as what they
//! are, not by their names. No claim of a file about its own size is believed before that many bytes are there.

mod gmsh;
mod tokens;
mod vtk;

use crate::mesh::{TetMesh, TetMeshError};
use stiction::spatial::Vec3;

/// Errors from reading a mesh of tetrahedra.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TetReadError {
    /// The file begins like none of the formats.
    #[error(
        "this is neither a Gmsh file ($MeshFormat) nor a legacy VTK file (# vtk DataFile): export as .msh 2.2 or 4.1, or as legacy .vtk"
    )]
    UnknownFormat,
    /// A version or variant that is not read.
    #[error("{what} is not read: {remedy}")]
    Unsupported {
        /// What the file is.
        what: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The file ends too early.
    #[error("the file ends in the middle of {within}: it is cut off; export or copy it again")]
    CutOff {
        /// What was being read.
        within: &'static str,
    },
    /// Something else was expected.
    #[error("{place}: expected {expected}, found `{found}`")]
    Unexpected {
        /// Line or byte.
        place: String,
        /// What belongs there.
        expected: &'static str,
        /// What is there, its beginning.
        found: String,
    },
    /// A section is missing.
    #[error("the file has no {0}: it is cut off, or was exported without it")]
    Missing(&'static str),
    /// An element names a node that the file does not have.
    #[error("element {element} names node {node}, which the file does not have")]
    NoSuchNode {
        /// Number of the element in the file.
        element: u64,
        /// The node that it names.
        node: u64,
    },
    /// A node is there twice.
    #[error("node {0} is there twice")]
    NodeTwice(u64),
    /// The volume has elements that are no tetrahedra.
    #[error(
        "element {element} is of type {kind}, which is a volume but no tetrahedron: mesh the part with tetrahedra alone"
    )]
    NotTetrahedron {
        /// Number of the element in the file.
        element: u64,
        /// The format's number for the type.
        kind: u64,
    },
    /// The tetrahedra are at fault.
    #[error("the mesh of the file cannot be used: {0}")]
    Mesh(#[from] TetMeshError),
}

/// What was read from a file, before it is checked.
#[derive(Debug, Default)]
struct Raw {
    nodes: Vec<Vec3>,
    tetrahedra: Vec<[u32; 4]>,
    straightened: usize,
}

/// A mesh that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct TetFile {
    /// The tetrahedra.
    pub mesh: TetMesh,
    /// How many of them had ten nodes in the file, whose edges are straight now.
    pub straightened: usize,
}

/// Reads the bytes of a file, whose coordinates are in units of `metre_per_unit`.
///
/// # Errors
/// [`TetReadError`]: what is wrong, and where.
pub fn read_tetrahedra(bytes: &[u8], metre_per_unit: f64) -> Result<TetFile, TetReadError> {
    let begins = |with: &[u8]| bytes.trim_ascii_start().starts_with(with);
    let raw = if begins(b"$") {
        gmsh::read(bytes)?
    } else if begins(b"# vtk DataFile") {
        vtk::read(bytes)?
    } else {
        return Err(TetReadError::UnknownFormat);
    };
    let nodes = raw.nodes.into_iter().map(|p| p * metre_per_unit).collect();
    Ok(TetFile { mesh: TetMesh::new(nodes, raw.tetrahedra)?, straightened: raw.straightened })
}

/// Writes a mesh as a legacy VTK file in text, which ParaView and Gmsh open, with numbers that read back as the same bits.
pub fn write_vtk(mesh: &TetMesh, title: &str) -> String {
    use std::fmt::Write;
    let title: String = title.chars().filter(|c| !c.is_control()).take(200).collect();
    let (nodes, tetrahedra) = (mesh.nodes(), mesh.tetrahedra());
    let mut out = format!("# vtk DataFile Version 3.0\n{title}\nASCII\nDATASET UNSTRUCTURED_GRID\n");
    // Writing to a string cannot fail.
    let _ = writeln!(out, "POINTS {} double", nodes.len());
    for p in nodes {
        let _ = writeln!(out, "{:e} {:e} {:e}", p.x, p.y, p.z);
    }
    let _ = writeln!(out, "CELLS {} {}", tetrahedra.len(), 5 * tetrahedra.len());
    for [a, b, c, d] in tetrahedra {
        let _ = writeln!(out, "4 {a} {b} {c} {d}");
    }
    let _ = writeln!(out, "CELL_TYPES {}", tetrahedra.len());
    tetrahedra.iter().for_each(|_| out.push_str("10\n"));
    out
}
