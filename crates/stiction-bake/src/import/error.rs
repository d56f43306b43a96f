//! What can be wrong with a mesh file.

use super::MeshFormat;

/// Errors from reading a mesh file: the file and the cause.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {cause}")]
pub struct ImportError {
    /// The file as the caller named it.
    pub file: String,
    /// Cause of the error.
    pub cause: ImportCause,
}

impl ImportError {
    pub(super) fn new(file: &str, cause: ImportCause) -> Self {
        Self { file: file.into(), cause }
    }

    /// The file system refused to read the file.
    pub fn unreadable(path: &std::path::Path, cause: &std::io::Error) -> Self {
        Self::new(&path.display().to_string(), ImportCause::Unreadable(cause.to_string()))
    }
}

/// Causes for which a mesh file cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImportCause {
    /// The file system said no.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// Neither content nor ending tell what it is.
    #[error("not a mesh format known here (STL, OBJ, PLY, glTF, GLB)")]
    UnknownFormat,
    /// The file breaks its format's rules, or claims more than it holds.
    #[error("not a valid {format} file: {reason}")]
    Malformed {
        /// What the file is meant to be.
        format: MeshFormat,
        /// Which rule it breaks, and where.
        reason: String,
    },
    /// A valid file without a single triangle.
    #[error("there are no triangles in it")]
    NoTriangles,
    /// A vertex that cannot be used.
    #[error("{vertex} {reason}")]
    BadVertex {
        /// The vertex, counted as the format counts.
        vertex: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A face that refers to a vertex that is not there.
    #[error("a face refers to vertex {index} (counted from 0), but there are only {vertices}")]
    BadIndex {
        /// The vertex it refers to.
        index: u64,
        /// How many there are.
        vertices: usize,
    },
    /// More than can be indexed, or more copies of a part than fit in memory.
    #[error("too large: {0}")]
    TooLarge(String),
    /// The options make no sense, whatever the file.
    #[error("import options: {0}")]
    Options(String),
}

impl ImportCause {
    /// A broken rule. Only the first line of a reason is kept, and not too much of that: crates quote whole files.
    pub(super) fn malformed(format: MeshFormat, reason: impl std::fmt::Display) -> Self {
        let reason = reason.to_string();
        let line = reason.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("unknown reason");
        let mut short: String = line.chars().filter(|c| !c.is_control()).take(200).collect();
        if line.chars().nth(200).is_some() {
            short.push('…');
        }
        Self::Malformed { format, reason: short }
    }
}
