//! Wavefront OBJ: positions and the position indices of faces, and nothing else.
//!
//! Groups stay one mesh with shared points; damaged texture and normal indices do no harm; lines continued by a backslash are whole; and every
//! message has a line number. The tests compare what is read with the `tobj` crate.

use super::{ImportCause, MeshFormat, Soup};
use stiction::spatial::Vec3;

/// Reads OBJ. Polygons become fans; points that no face uses are left out.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, ImportCause> {
    let (mut positions, mut corners): (Vec<Vec3>, Vec<[usize; 3]>) = Default::default();
    let (mut furthest, mut joined) = ((0, 0), Vec::new());
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
            Some(b"v") => positions.push(position(words.collect(), positions.len() + 1).map_err(|e| at(i, e))?),
            Some(b"f") => {
                let polygon = polygon(words, positions.len()).map_err(|e| at(i, e))?;
                let largest = polygon.iter().copied().max().unwrap_or(0);
                furthest = if largest > furthest.0 { (largest, i) } else { furthest };
                corners.extend(polygon.windows(2).skip(1).map(|w| [polygon[0], w[0], w[1]]));
            }
            _ => {}
        }
        joined.clear();
    }
    let (index, line) = furthest;
    if index > positions.len() {
        let count = positions.len();
        return Err(at(line, format!("a face refers to vertex {index} (counted from 1), but there are only {count}")));
    }
    let mut name = vec![u32::MAX; positions.len()];
    let mut used = Vec::new();
    let mut point = |number: usize| {
        let slot = &mut name[number - 1];
        if *slot == u32::MAX {
            *slot = used.len() as u32;
            used.push(number);
        }
        *slot
    };
    let faces = corners.into_iter().map(|face| face.map(&mut point)).collect();
    let points = used.iter().map(|number| positions[number - 1]).collect();
    Ok(Soup { points, faces, name_vertex: Box::new(move |i, _| format!("vertex {} (counted from 1)", used[i])) })
}

/// A message with its line.
fn at(line: usize, reason: String) -> ImportCause {
    ImportCause::malformed(MeshFormat::Obj, format!("line {}: {reason}", line + 1))
}

/// Reads a position, divided by its weight if there is one.
fn position(words: Vec<&[u8]>, number: usize) -> Result<Vec3, String> {
    if words.len() < 3 {
        return Err(format!("vertex {number} has {} coordinates instead of three", words.len()));
    }
    let coordinate = |word: &&[u8]| {
        let value = std::str::from_utf8(word).ok().and_then(|w| w.parse::<f64>().ok()).filter(|x| x.is_finite());
        value.ok_or_else(|| {
            let word = String::from_utf8_lossy(word);
            format!("vertex {number} has a coordinate that is no finite number: `{word}`")
        })
    };
    let own = &words[..if words.len() == 4 { 4 } else { 3 }];
    let values = own.iter().map(coordinate).collect::<Result<Vec<f64>, _>>()?;
    match values.get(3) {
        Some(0.0) => Err(format!("vertex {number} has a weight of zero")),
        weight => Ok(Vec3::from_column_slice(&values[..3]) / weight.copied().unwrap_or(1.0)),
    }
}

/// Reads the numbers of a face's corners, counted from 1; negative ones count back from the last vertex before it.
fn polygon<'a>(words: impl Iterator<Item = &'a [u8]>, vertices: usize) -> Result<Vec<usize>, String> {
    let corner = |word: &[u8]| {
        let head = word.split(|&c| c == b'/').next().unwrap_or_default();
        match std::str::from_utf8(head).ok().and_then(|w| w.parse::<i64>().ok()) {
            Some(i) if i > 0 => Ok(i as usize),
            Some(i) if i < 0 && i.unsigned_abs() <= vertices as u64 => Ok(vertices + 1 - i.unsigned_abs() as usize),
            _ => {
                let word = String::from_utf8_lossy(head);
                Err(format!("a face refers to vertex `{word}`, and {vertices} vertices precede it"))
            }
        }
    };
    let corners = words.map(corner).collect::<Result<Vec<usize>, _>>()?;
    if corners.len() < 3 { Err(format!("a face with {} corners", corners.len())) } else { Ok(corners) }
}
