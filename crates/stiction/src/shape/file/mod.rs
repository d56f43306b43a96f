//! The file of a baked shape: versioned, checksummed, little-endian, the same bytes for the same shape.
//!
//! ```text
//! magic      8 bytes  89 "STIC" 0d 0a 1a: shows what mangles line ends or strips the eighth bit
//! format     u32      1; a reader refuses larger ones
//! count      u32      sections, at most 64
//! table      32 bytes a section: tag (4 bytes), zero (u32), offset (u64), length (u64), XXH3-64 of its bytes (u64)
//! checksum   u64      XXH3-64 of everything above
//! sections            one after the other, without gaps, to the end of the file
//! ```
//!
//! | tag | contents |
//! |---|---|
//! | `PROV` | provenance, UTF-8 |
//! | `MASS` | volume, centre, inertia row by row: 13 × f64 |
//! | `SHEL` | points, levels (u32 each); points on each level (u32); points (position, normal: 6 × f64); nodes (point, first child, children: u32; radius: f32) |
//! | `DENS` | lattice, part; value of each node (f32) |
//! | `SPRS` | lattice, part; band (f64), blocks (u32), zero (u32); coarse values (f32); slots (u32); nodes of blocks (i16) |
//! | `ALLO` | allowance for contacts with the field: lattice; value of each node (f32) |
//! | `EDGE` | allowance at hollow edges: lattice; blocks (u32), zero (u32); slots (u32); nodes of blocks (f32) |
//! | `SHAL` | allowance for contacts of each point of the shell: points (u32), zero (u32); values (f32) |
//! | `CVEX` | convex parts: parts (u32), zero (u32); difference of volumes as a share, largest distance (f64 each); corners of each part (u32); corners (3 × f64) |
//!
//! Lattice: origin (3 × f64), spacing (f64), cells (3 × u32), zero (u32). Part: lowest and highest corner (6 × f64).
//! There is one of `DENS` and `SPRS`. `ALLO`, `EDGE` and `SHAL` are left out if no place
//! has such an allowance, `CVEX` if convex parts were not asked for, and files made before there were allowances have none. Sections with other tags are skipped, so that later versions can add some.
//!
//! The section a program lists first comes first: [`peek`] reads a few hundred bytes. Arrays go through one small
//! buffer in both directions, and a size is believed only if the section has that many bytes.

mod read;
mod section;
mod write;

pub use read::{Peek, decode, peek};
pub use write::encode;

use super::ShapeError;
use std::io;

/// The format that [`encode`] writes, and the newest that [`decode`] reads.
pub const FORMAT: u32 = 1;

const MAGIC: [u8; 8] = *b"\x89STIC\r\n\x1a";
/// Bytes of magic, format and count; of a row of the table; of the header's checksum.
const START: usize = 16;
const ROW: usize = 32;
const CHECKSUM: usize = 8;
const MAX_SECTIONS: u32 = 64;
/// Bytes that go through memory at once.
const CHUNK: usize = 1 << 16;

const PROVENANCE: [u8; 4] = *b"PROV";
const MASS: [u8; 4] = *b"MASS";
const SHELL: [u8; 4] = *b"SHEL";
const DENSE: [u8; 4] = *b"DENS";
const SPARSE: [u8; 4] = *b"SPRS";
const ALLOWANCE: [u8; 4] = *b"ALLO";
const EDGE_ALLOWANCE: [u8; 4] = *b"EDGE";
const SHELL_ALLOWANCE: [u8; 4] = *b"SHAL";
const CONVEX: [u8; 4] = *b"CVEX";

/// The name of a section in messages.
fn name(tag: [u8; 4]) -> &'static str {
    match tag {
        PROVENANCE => "provenance",
        MASS => "mass properties",
        SHELL => "point shell",
        DENSE => "dense field",
        SPARSE => "sparse field",
        ALLOWANCE => "allowance",
        EDGE_ALLOWANCE => "allowance at edges",
        SHELL_ALLOWANCE => "allowance of the shell",
        CONVEX => "convex parts",
        _ => "section of a later version",
    }
}

/// Why bytes are not a shape.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// It starts with other bytes.
    #[error("not a baked shape")]
    NotAShape,
    /// Its format is newer than this program.
    #[error(
        "made by a newer version (format {found}; this program reads up to {FORMAT}): update stiction or bake again"
    )]
    Newer {
        /// The format it says it has.
        found: u32,
    },
    /// It ends too early.
    #[error("truncated: it ends before its contents do")]
    Truncated,
    /// Header or table make no sense.
    #[error("damaged header: {0}")]
    Header(String),
    /// Bytes are not those that were written.
    #[error("damaged {0}: the checksum does not match")]
    Checksum(&'static str),
    /// A section cannot be what it says it is.
    #[error("damaged {section}: {reason}")]
    Section {
        /// Which section.
        section: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A part of the shape is not there.
    #[error("damaged file: no {0}")]
    Missing(&'static str),
    /// The numbers are no valid shape.
    #[error(transparent)]
    Invalid(#[from] ShapeError),
    /// It does not fit in memory.
    #[error("not enough memory: {0} bytes are needed at once")]
    Memory(u64),
    /// Reading failed.
    #[error(transparent)]
    Read(io::Error),
}
