//! Legacy VTK files with an unstructured grid (*VTK File Formats*, "Simple legacy formats"): versions up to 4.2, and 5.1 with offsets and connectivity.

use super::tokens::Tokens;
use super::{Raw, TetReadError};
use stiction::spatial::Vec3;

const POINTS: &str = "POINTS";
const CELLS: &str = "CELLS";
const CELL_TYPES: &str = "CELL_TYPES";

const TETRA: i64 = 10;
const QUADRATIC_TETRA: i64 = 24;
/// Types of cells without volume: vertices, lines, triangles, polygons, and their quadratic kin.
const WITHOUT_VOLUME: [i64; 15] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 21, 22, 23, 28, 34];

pub(super) fn read(bytes: &[u8]) -> Result<Raw, TetReadError> {
    let mut tokens = Tokens::new(bytes);
    let version = tokens.line().unwrap_or_default();
    let new = version.ends_with(b"5.1") || version.ends_with(b"5.0");
    tokens.line().ok_or(TetReadError::CutOff { within: "the title" })?;
    let binary = match tokens.line().unwrap_or_default().trim_ascii() {
        b"ASCII" => false,
        b"BINARY" => true,
        other => return Err(tokens.unexpected("ASCII or BINARY", other)),
    };
    let mut raw = Raw::default();
    let mut points: Option<Vec<Vec3>> = None;
    // Nodes of all cells one after another, and where each begins.
    let mut cells: Option<(Vec<i64>, Vec<usize>)> = None;
    let mut kinds: Option<Vec<i64>> = None;
    while let Some(word) = tokens.word() {
        match word {
            b"DATASET" => {
                let kind = tokens.expect_word("DATASET")?;
                if kind != b"UNSTRUCTURED_GRID" {
                    let what = format!("a dataset of kind {}", String::from_utf8_lossy(&kind[..kind.len().min(40)]));
                    return Err(TetReadError::Unsupported { what, remedy: "save an unstructured grid of tetrahedra" });
                }
            }
            b"POINTS" => points = Some(read_points(&mut tokens, binary)?),
            b"CELLS" => cells = Some(if new { cells_5(&mut tokens, binary)? } else { cells_4(&mut tokens, binary)? }),
            b"CELL_TYPES" => kinds = Some(cell_types(&mut tokens, binary)?),
            // What is told of points and cells comes last.
            b"POINT_DATA" | b"CELL_DATA" => break,
            // Descriptions of arrays, up to the next empty line.
            b"METADATA" => {
                tokens.line();
                while tokens.line().is_some_and(|line| !line.is_empty()) {}
            }
            b"FIELD" => {
                return Err(TetReadError::Unsupported {
                    what: "a file with FIELD data before its points".into(),
                    remedy: "save the grid without field data",
                });
            }
            other => return Err(tokens.unexpected("POINTS, CELLS or CELL_TYPES", other)),
        }
        if points.is_some() && cells.is_some() && kinds.is_some() {
            break;
        }
    }
    let points = points.ok_or(TetReadError::Missing(POINTS))?;
    let (nodes, starts) = cells.ok_or(TetReadError::Missing(CELLS))?;
    let kinds = kinds.ok_or(TetReadError::Missing(CELL_TYPES))?;
    if kinds.len() + 1 != starts.len() {
        return Err(tokens.unexpected("as many cell types as cells", kinds.len().to_string().as_bytes()));
    }
    for (cell, kind) in kinds.iter().enumerate() {
        let own = &nodes[starts[cell]..starts[cell + 1]];
        let least = match *kind {
            TETRA => 4,
            QUADRATIC_TETRA => 10,
            kind if WITHOUT_VOLUME.contains(&kind) => continue,
            kind => return Err(TetReadError::NotTetrahedron { element: cell as u64, kind: kind as u64 }),
        };
        if own.len() != least {
            return Err(tokens.unexpected("tetrahedra with 4 or 10 nodes", own.len().to_string().as_bytes()));
        }
        let mut corners = [0; 4];
        for (corner, &node) in corners.iter_mut().zip(own) {
            let known = usize::try_from(node).is_ok_and(|n| n < points.len());
            *corner = if known {
                node as u32
            } else {
                return Err(TetReadError::NoSuchNode { element: cell as u64, node: node as u64 });
            };
        }
        raw.tetrahedra.push(corners);
        raw.straightened += usize::from(*kind == QUADRATIC_TETRA);
    }
    raw.nodes = points;
    Ok(raw)
}

/// Goes to the data of a section, which begins on the next line.
fn begin(tokens: &mut Tokens, binary: bool) {
    tokens.line();
    // Binary data of legacy files have the most significant byte first.
    tokens.binary = binary.then_some(true);
}

fn read_points(tokens: &mut Tokens, binary: bool) -> Result<Vec<Vec3>, TetReadError> {
    tokens.binary = None;
    let claimed = tokens.parse("how many points", POINTS)?;
    let short = match tokens.expect_word(POINTS)? {
        b"float" => true,
        b"double" => false,
        other => return Err(tokens.unexpected("float or double", other)),
    };
    begin(tokens, binary);
    let least = if !binary {
        6
    } else if short {
        12
    } else {
        24
    };
    let count = tokens.count(claimed, least, POINTS)?;
    let mut points = Vec::with_capacity(count);
    for _ in 0..count {
        let mut p = Vec3::zeros();
        for a in 0..3 {
            p[a] = if short { tokens.short_real(POINTS)? } else { tokens.real(POINTS)? };
        }
        points.push(p);
    }
    tokens.binary = None;
    Ok(points)
}

type Cells = (Vec<i64>, Vec<usize>);

fn cells_4(tokens: &mut Tokens, binary: bool) -> Result<Cells, TetReadError> {
    let claimed = tokens.parse("how many cells", CELLS)?;
    let size: u64 = tokens.parse("how many integers", CELLS)?;
    begin(tokens, binary);
    let (count, size) = (tokens.count(claimed, 2, CELLS)?, tokens.count(size, 2, CELLS)?);
    let (mut nodes, mut starts) = (Vec::with_capacity(size), Vec::with_capacity(count + 1));
    starts.push(0);
    for _ in 0..count {
        let length = tokens.int(CELLS)?;
        // Each cell takes its length and its nodes of the announced integers.
        if length < 0 || nodes.len() + starts.len() + length as usize > size {
            return Err(tokens.unexpected("how many nodes a cell has", length.to_string().as_bytes()));
        }
        for _ in 0..length {
            nodes.push(tokens.int(CELLS)?);
        }
        starts.push(nodes.len());
    }
    tokens.binary = None;
    Ok((nodes, starts))
}

fn cells_5(tokens: &mut Tokens, binary: bool) -> Result<Cells, TetReadError> {
    let offsets: u64 = tokens.parse("how many offsets", CELLS)?;
    let size: u64 = tokens.parse("how many nodes of cells", CELLS)?;
    let starts = integers(tokens, binary, b"OFFSETS", offsets)?;
    let nodes = integers(tokens, binary, b"CONNECTIVITY", size)?;
    let ascending = starts.windows(2).all(|w| w[0] <= w[1]);
    if starts.first() != Some(&0) || starts.last() != Some(&(nodes.len() as i64)) || !ascending {
        return Err(tokens.unexpected("offsets that ascend from 0 to the number of nodes", b""));
    }
    Ok((nodes, starts.into_iter().map(|s| s as usize).collect()))
}

fn integers(tokens: &mut Tokens, binary: bool, name: &[u8], claimed: u64) -> Result<Vec<i64>, TetReadError> {
    let word = tokens.expect_word(CELLS)?;
    if word != name {
        return Err(tokens.unexpected("OFFSETS, then CONNECTIVITY", word));
    }
    let long = match tokens.expect_word(CELLS)? {
        b"vtktypeint64" => true,
        b"vtktypeint32" => false,
        other => return Err(tokens.unexpected("vtktypeint64 or vtktypeint32", other)),
    };
    begin(tokens, binary);
    let least = if !binary {
        2
    } else if long {
        8
    } else {
        4
    };
    let count = tokens.count(claimed, least, CELLS)?;
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        out.push(if long { tokens.long(CELLS)? as i64 } else { tokens.int(CELLS)? });
    }
    tokens.binary = None;
    Ok(out)
}

fn cell_types(tokens: &mut Tokens, binary: bool) -> Result<Vec<i64>, TetReadError> {
    let claimed = tokens.parse("how many cell types", CELL_TYPES)?;
    begin(tokens, binary);
    let count = tokens.count(claimed, if binary { 4 } else { 2 }, CELL_TYPES)?;
    let mut kinds = Vec::with_capacity(count);
    for _ in 0..count {
        kinds.push(tokens.int(CELL_TYPES)?);
    }
    tokens.binary = None;
    Ok(kinds)
}
