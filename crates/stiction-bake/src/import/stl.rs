//! STL, binary and text, by the `stl_io` crate.
//!
//! Tidied before the crate sees it: a binary header that says "solid" (the crate would read it as text); in text, more
//! than one solid (it would stop after the first), keywords in capitals, and normals that are NaN (it would refuse
//! both; normals are not used here at all).

use super::{ImportCause, MeshFormat, Soup, guarded};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use stiction::spatial::Vec3;

const HEADER: usize = 84;
const RECORD: u64 = 50;

/// The number of triangles that a binary file claims.
pub(super) fn binary_count(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(80..HEADER)?;
    Some(u32::from_le_bytes(count.try_into().ok()?))
}

/// The length of a binary file with so many triangles.
pub(super) fn binary_length(triangles: u32) -> u64 {
    HEADER as u64 + RECORD * u64::from(triangles)
}

/// Reads binary STL.
pub(super) fn read_binary(bytes: &[u8]) -> Result<Soup, ImportCause> {
    let malformed = |reason: String| ImportCause::malformed(MeshFormat::StlBinary, reason);
    let claimed = binary_count(bytes).ok_or_else(|| malformed(format!("{} bytes are too short", bytes.len())))?;
    let room = (bytes.len() - HEADER) as u64 / RECORD;
    if room != u64::from(claimed) {
        return Err(malformed(format!("its header claims {claimed} triangles, its {} bytes hold {room}", bytes.len())));
    }
    parse(MeshFormat::StlBinary, &mut Headless { bytes, position: 0 })
}

/// Reads text STL.
pub(super) fn read_ascii(bytes: &[u8]) -> Result<Soup, ImportCause> {
    let malformed = |reason: String| ImportCause::malformed(MeshFormat::StlAscii, reason);
    let mut tidy = String::with_capacity(bytes.len() + 32);
    tidy.push_str("solid s\n");
    let mut open = false;
    for (number, line) in bytes.split(|&c| c == b'\n' || c == b'\r').enumerate() {
        let line = line.trim_ascii();
        let word = line.split(|c| c.is_ascii_whitespace()).next().unwrap_or_default().to_ascii_lowercase();
        match word.as_slice() {
            b"" => {}
            // Names follow these words, in any encoding.
            b"solid" => open = true,
            b"endsolid" => open = false,
            b"facet" => tidy.push_str("facet normal 0 0 0\n"),
            _ => {
                let text =
                    std::str::from_utf8(line).map_err(|_| malformed(format!("line {} is no text", number + 1)))?;
                tidy.push_str(&text.to_ascii_lowercase());
                tidy.push('\n');
            }
        }
    }
    if open {
        return Err(malformed("it ends before its `endsolid`; is it truncated?".into()));
    }
    tidy.push_str("endsolid s\n");
    parse(MeshFormat::StlAscii, &mut Cursor::new(tidy.as_bytes()))
}

fn parse<R: Read + Seek>(format: MeshFormat, reader: &mut R) -> Result<Soup, ImportCause> {
    let mesh = guarded(format, || stl_io::read_stl(reader).map_err(|e| ImportCause::malformed(format, e)))?;
    let points: Vec<Vec3> = mesh.vertices.iter().map(|v| Vec3::from(v.0.map(f64::from))).collect();
    if u32::try_from(points.len()).is_err() {
        return Err(ImportCause::TooLarge(format!("{} different vertices", points.len())));
    }
    let faces: Vec<[u32; 3]> = mesh.faces.iter().map(|f| f.vertices.map(|i| i as u32)).collect();
    let name_vertex = Box::new(|i: usize, faces: &[[u32; 3]]| {
        let owner = faces.iter().position(|f| f.contains(&(i as u32))).unwrap_or_default();
        format!("a corner of triangle {} (counted from 1)", owner + 1)
    });
    Ok(Soup { points, faces, name_vertex })
}

/// A binary file whose first byte reads as a line break, so that nobody takes its header for text.
struct Headless<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Read for Headless<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        let n = rest.len().min(target.len());
        target[..n].copy_from_slice(&rest[..n]);
        if self.position == 0 && n > 0 {
            target[0] = b'\n';
        }
        self.position += n;
        Ok(n)
    }
}

impl Seek for Headless<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(n) => self.position = usize::try_from(n).unwrap_or(usize::MAX).min(self.bytes.len()),
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.position as u64)
    }
}
