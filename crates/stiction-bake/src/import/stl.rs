//! STL, binary and text. Normals are not used; corners with the same bits are one point. The tests compare what is read with the `stl_io` crate.

use super::{ImportCause, MeshFormat, Soup};
use std::collections::HashMap;
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
    let number = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    let corners = bytes[HEADER..].chunks_exact(RECORD as usize).flat_map(|record| record[12..48].chunks_exact(12));
    Ok(soup(corners.map(|corner| [0, 4, 8].map(|at| number(&corner[at..at + 4])))))
}

/// Reads text STL, also of several solids.
pub(super) fn read_ascii(bytes: &[u8]) -> Result<Soup, ImportCause> {
    let (mut corners, mut open) = (Vec::new(), false);
    for (number, line) in bytes.split(|&c| c == b'\n' || c == b'\r').enumerate() {
        let wrong = |what: &str| ImportCause::malformed(MeshFormat::StlAscii, format!("line {} {what}", number + 1));
        let text = String::from_utf8_lossy(line).to_ascii_lowercase();
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("solid") => open = true,
            Some("endsolid") => open = false,
            Some("vertex") => {
                let values: Option<Vec<f32>> = words.map(|w| w.parse().ok().filter(|x: &f32| x.is_finite())).collect();
                let corner: Option<[f32; 3]> = values.and_then(|v| v.try_into().ok());
                corners.push(corner.ok_or_else(|| wrong("has no three finite coordinates"))?);
            }
            Some("facet" | "endfacet") if corners.len() % 3 != 0 => {
                return Err(wrong("ends a facet without three corners"));
            }
            None | Some("facet" | "endfacet" | "outer" | "endloop") => {}
            Some(_) => return Err(wrong("begins with an unknown word")),
        }
    }
    if open || corners.len() % 3 != 0 {
        let reason = "it ends before its `endsolid`; is it truncated?";
        return Err(ImportCause::malformed(MeshFormat::StlAscii, reason));
    }
    Ok(soup(corners.into_iter()))
}

/// Triangles of three corners each, with equal corners as one point.
fn soup(corners: impl Iterator<Item = [f32; 3]>) -> Soup {
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    let mut points = Vec::new();
    let numbers: Vec<u32> = corners
        .map(|corner| {
            *known.entry(corner.map(f32::to_bits)).or_insert_with(|| {
                points.push(Vec3::from(corner.map(f64::from)));
                points.len() as u32 - 1
            })
        })
        .collect();
    let faces = numbers.chunks_exact(3).map(|f| [f[0], f[1], f[2]]).collect();
    let name_vertex = Box::new(|i: usize, faces: &[[u32; 3]]| {
        let owner = faces.iter().position(|f| f.contains(&(i as u32))).unwrap_or_default();
        format!("a corner of triangle {} (counted from 1)", owner + 1)
    });
    Soup { points, faces, name_vertex }
}
