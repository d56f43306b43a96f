//! Meshes written to files that every other tool reads.

#![forbid(unsafe_code)]

use crate::Mesh;
use std::io::{self, Write};

/// Writes binary STL: single precision, no units, points repeated for every triangle. A mesh with more triangles than
/// the format can count is an error of kind `InvalidInput`.
pub fn write_stl(mesh: &Mesh, mut writer: impl Write) -> io::Result<()> {
    let count = u32::try_from(mesh.faces.len())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "more triangles than an STL file can count"))?;
    // Not "solid": some readers take that word for the start of the ASCII format.
    let mut header = [b' '; 80];
    header[..15].copy_from_slice(b"stiction binary");
    writer.write_all(&header)?;
    writer.write_all(&count.to_le_bytes())?;
    for [a, b, c] in mesh.triangles() {
        let cross = (b - a).cross(&(c - a));
        let length = cross.norm();
        let normal = if length > 0.0 { cross / length } else { cross * 0.0 };
        let mut record = [0u8; 50];
        for (slot, value) in record.chunks_exact_mut(4).zip([normal, a, b, c].iter().flat_map(|v| v.iter())) {
            slot.copy_from_slice(&(*value as f32).to_le_bytes());
        }
        writer.write_all(&record)?;
    }
    writer.flush()
}

/// Writes OBJ: text, double precision without loss, shared points stay shared.
pub fn write_obj(mesh: &Mesh, mut writer: impl Write) -> io::Result<()> {
    writeln!(writer, "# {} points, {} triangles", mesh.points.len(), mesh.faces.len())?;
    for p in &mesh.points {
        writeln!(writer, "v {:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    for [a, b, c] in &mesh.faces {
        writeln!(writer, "f {} {} {}", u64::from(*a) + 1, u64::from(*b) + 1, u64::from(*c) + 1)?;
    }
    writer.flush()
}
