//! Wavefront OBJ, by the `tobj` crate.
//!
//! The crate is given only positions and the position indices of faces. So groups stay one mesh with shared points;
//! damaged texture and normal indices, on which its arithmetic overflows, do no harm; lines continued by a backslash
//! are whole; and every message has a line number.

use super::{ImportCause, MeshFormat, Soup, guarded};
use std::fmt::Write;
use stiction::spatial::Vec3;

/// Reads OBJ. Polygons become fans.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, ImportCause> {
    let Tidy { text, has_faces } = tidy(bytes)?;
    if !has_faces {
        return Err(ImportCause::NoTriangles);
    }
    let options =
        tobj::LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, ..Default::default() };
    let (models, _) = guarded(MeshFormat::Obj, || {
        tobj::load_obj_buf(&mut text.as_bytes(), &options, |_| Err(tobj::LoadError::OpenFileFailed))
            .map_err(|e| ImportCause::malformed(MeshFormat::Obj, e))
    })?;
    let mut points: Vec<Vec3> = Vec::new();
    let mut faces: Vec<[u32; 3]> = Vec::new();
    for mesh in models.iter().map(|m| &m.mesh) {
        let offset = points.len() as u32;
        points.extend(mesh.positions.chunks_exact(3).map(Vec3::from_column_slice));
        faces.extend(mesh.indices.chunks_exact(3).map(|f| [f[0] + offset, f[1] + offset, f[2] + offset]));
    }
    Ok(Soup {
        points,
        faces,
        name_vertex: Box::new(move |i, _| format!("vertex {} (counted from 1)", number(&text, i))),
    })
}

/// The number in the file of the point that was the i-th to be used by a face.
fn number(text: &str, i: usize) -> String {
    let mut seen = std::collections::HashSet::new();
    let corners = text.lines().filter(|l| l.starts_with('f')).flat_map(|l| l.split_whitespace().skip(1));
    corners.filter(|c| seen.insert(*c)).nth(i).unwrap_or("?").to_string()
}

/// The lines that matter: `v x y z [w]`, and `f` with absolute position indices that are known to be in range.
struct Tidy {
    text: String,
    has_faces: bool,
}

fn tidy(bytes: &[u8]) -> Result<Tidy, ImportCause> {
    let mut text = String::with_capacity(bytes.len());
    let mut vertices = 0u64;
    let mut furthest = (0u64, 0usize);
    let mut has_faces = false;
    let mut joined = Vec::new();
    for (i, line) in bytes.split(|&c| c == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(begin) = line.strip_suffix(b"\\") {
            joined.extend_from_slice(begin);
            joined.push(b' ');
            continue;
        }
        joined.extend_from_slice(line);
        let end = joined.iter().position(|&c| c == b'#').unwrap_or(joined.len());
        let mut words = joined[..end].split(|c| c.is_ascii_whitespace()).filter(|w| !w.is_empty());
        match words.next() {
            Some(b"v") => {
                vertices += 1;
                position(&mut text, words, vertices).map_err(|e| at(i, e))?;
            }
            Some(b"f") => {
                let largest = face(&mut text, words, vertices).map_err(|e| at(i, e))?;
                has_faces = true;
                if largest > furthest.0 {
                    furthest = (largest, i);
                }
            }
            _ => {}
        }
        joined.clear();
    }
    // Only now, because a face may come before its vertices.
    if furthest.0 > vertices {
        let (index, line) = furthest;
        return Err(at(
            line,
            format!("a face refers to vertex {index} (counted from 1), but there are only {vertices}"),
        ));
    }
    Ok(Tidy { text, has_faces })
}

fn at(line: usize, reason: String) -> ImportCause {
    ImportCause::malformed(MeshFormat::Obj, format!("line {}: {reason}", line + 1))
}

/// Copies a position, and its weight if there is one; colours are left out.
fn position<'a>(text: &mut String, words: impl Iterator<Item = &'a [u8]>, number: u64) -> Result<(), String> {
    let words: Vec<&[u8]> = words.collect();
    if words.len() < 3 {
        return Err(format!("vertex {number} has {} coordinates instead of three", words.len()));
    }
    text.push('v');
    for &word in &words[..if words.len() == 4 { 4 } else { 3 }] {
        let value = std::str::from_utf8(word).ok().and_then(|w| Some((w, w.parse::<f64>().ok()?)));
        match value {
            Some((word, x)) if x.is_finite() => {
                text.push(' ');
                text.push_str(word);
            }
            _ => {
                let word = String::from_utf8_lossy(word);
                return Err(format!("vertex {number} has a coordinate that is no finite number: `{word}`"));
            }
        }
    }
    text.push('\n');
    Ok(())
}

/// Copies a face's position indices, made absolute, and gives the largest.
fn face<'a>(text: &mut String, words: impl Iterator<Item = &'a [u8]>, vertices: u64) -> Result<u64, String> {
    let mut largest = 0;
    let mut corners = 0;
    text.push('f');
    for word in words {
        let head = word.split(|&c| c == b'/').next().unwrap_or_default();
        let index = std::str::from_utf8(head).ok().and_then(|w| w.parse::<i64>().ok());
        let absolute = match index {
            Some(i) if i > 0 => i as u64,
            Some(i) if i < 0 && i.unsigned_abs() <= vertices => vertices + 1 - i.unsigned_abs(),
            _ => {
                let word = String::from_utf8_lossy(head);
                return Err(format!("a face refers to vertex `{word}`, and {vertices} vertices precede it"));
            }
        };
        largest = largest.max(absolute);
        corners += 1;
        let _ = write!(text, " {absolute}");
    }
    text.push('\n');
    if corners < 3 {
        return Err(format!("a face with {corners} corners"));
    }
    Ok(largest)
}
