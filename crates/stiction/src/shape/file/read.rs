//! Reading: the header, then sections in their order.

use super::section::{Row, Section, fill, room};
use super::{
    ALLOWANCE, CHECKSUM, CONVEX, DENSE, DecodeError, EDGE_ALLOWANCE, FORMAT, MAGIC, MASS, MAX_SECTIONS, PROVENANCE,
    ROW, SHELL, SHELL_ALLOWANCE, SPARSE, START, name,
};
use crate::shape::{
    Aabb, Allowance, ConvexCloseness, ConvexParts, Dense, DistanceField, EdgeAllowance, Lattice, MassProperties,
    PointShell, Shape, ShapeError, ShellNode, ShellPoint, Sparse,
};
use crate::spatial::{Mat3, Vec3};
use std::io::Read;
use xxhash_rust::xxh3::xxh3_64;

/// What [`peek`] finds out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peek {
    /// The format of the file.
    pub format: u32,
    /// Where the shape comes from.
    pub provenance: String,
}

/// Reads a shape from a file of `length` bytes. What comes in need not be trusted: no claim is believed that the
/// length does not bear out, every byte is checked.
///
/// # Errors
/// [`DecodeError`] says what is wrong with the file.
pub fn decode(reader: &mut impl Read, length: u64) -> Result<Shape, DecodeError> {
    let rows = header(reader, length)?;
    let (mut field, mut shell, mut mass, mut provenance) = (None, None, None, None);
    let (mut allowance, mut edge_allowance, mut shell_allowances, mut convex) = (None, None, None, None);
    for row in rows {
        let section = Section::new(reader, row);
        match row.tag {
            PROVENANCE => once(&mut provenance, row, read_provenance(section)?)?,
            MASS => once(&mut mass, row, read_mass(section)?)?,
            SHELL => once(&mut shell, row, read_shell(section)?)?,
            DENSE => once(&mut field, row, read_dense(section)?)?,
            SPARSE => once(&mut field, row, read_sparse(section)?)?,
            ALLOWANCE => once(&mut allowance, row, read_allowance(section)?)?,
            EDGE_ALLOWANCE => once(&mut edge_allowance, row, read_edge_allowance(section)?)?,
            SHELL_ALLOWANCE => once(&mut shell_allowances, row, read_shell_allowances(section)?)?,
            CONVEX => once(&mut convex, row, read_convex(section)?)?,
            _ => section.skip()?,
        }
    }
    let allowance = match (allowance, edge_allowance) {
        (Some(facets), edges) => Some(Allowance::with_edges(facets, edges)),
        (None, edges) => edges.map(Allowance::of_edges),
    };
    let shell: PointShell = shell.ok_or(DecodeError::Missing(name(SHELL)))?;
    Ok(Shape {
        field: field.ok_or(DecodeError::Missing("distance field"))?,
        shell: shell.with_allowances(shell_allowances.unwrap_or_default())?,
        allowance,
        convex,
        mass: mass.ok_or(DecodeError::Missing(name(MASS)))?,
        provenance: provenance.ok_or(DecodeError::Missing(name(PROVENANCE)))?,
    })
}

/// Reads as much as a listing needs; the rest is not checked.
///
/// # Errors
/// [`DecodeError`] says what is wrong with the part that was read.
pub fn peek(reader: &mut impl Read, length: u64) -> Result<Peek, DecodeError> {
    for row in header(reader, length)? {
        let section = Section::new(reader, row);
        if row.tag == PROVENANCE {
            return Ok(Peek { format: FORMAT, provenance: read_provenance(section)? });
        }
        section.skip()?;
    }
    Err(DecodeError::Missing(name(PROVENANCE)))
}

fn once<T>(place: &mut Option<T>, row: Row, value: T) -> Result<(), DecodeError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(DecodeError::Section { section: name(row.tag), reason: "there is another".into() }),
    }
}

/// The table, its rows one after the other and to the end of the file.
fn header(reader: &mut impl Read, length: u64) -> Result<Vec<Row>, DecodeError> {
    let mut start = [0; START];
    let known = length.min(MAGIC.len() as u64) as usize;
    fill(reader, &mut start[..known])?;
    if start[..known] != MAGIC[..known] || known == 0 {
        return Err(DecodeError::NotAShape);
    }
    if length < START as u64 {
        return Err(DecodeError::Truncated);
    }
    fill(reader, &mut start[known..])?;
    let format = u32::from_le_bytes([start[8], start[9], start[10], start[11]]);
    let count = u32::from_le_bytes([start[12], start[13], start[14], start[15]]);
    if format > FORMAT {
        return Err(DecodeError::Newer { found: format });
    }
    if format == 0 || count > MAX_SECTIONS {
        return Err(DecodeError::Header(format!("format {format} with {count} sections")));
    }
    let end = START + count as usize * ROW + CHECKSUM;
    if length < end as u64 {
        return Err(DecodeError::Truncated);
    }
    let mut bytes = room(end)?;
    bytes.extend(start);
    bytes.resize(end, 0);
    fill(reader, &mut bytes[START..])?;
    let (content, checksum) = bytes.split_at(end - CHECKSUM);
    // A fuzzer cannot guess checksums; what lies behind them must stand all the same.
    if !cfg!(fuzzing) && checksum != xxh3_64(content).to_le_bytes() {
        return Err(DecodeError::Checksum("header"));
    }
    rows(&content[START..], end as u64, length)
}

fn rows(table: &[u8], end: u64, length: u64) -> Result<Vec<Row>, DecodeError> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    let mut rows = Vec::new();
    let mut offset = end;
    for row in table.as_chunks::<ROW>().0 {
        let tag = [row[0], row[1], row[2], row[3]];
        if number(&row[4..8]) != 0 || number(&row[8..16]) != offset {
            return Err(DecodeError::Header(format!("the {} is not where it should be", name(tag))));
        }
        let row = Row { tag, length: number(&row[16..24]), checksum: number(&row[24..32]) };
        offset = offset.checked_add(row.length).filter(|&end| end <= length).ok_or(DecodeError::Truncated)?;
        rows.push(row);
    }
    if offset != length {
        return Err(DecodeError::Header(format!("{} bytes after the last section", length - offset)));
    }
    Ok(rows)
}

fn read_provenance(section: Section<impl Read>) -> Result<String, DecodeError> {
    let bad = section.error("it is not text");
    String::from_utf8(section.rest()?).map_err(|_| bad)
}

fn read_mass(mut section: Section<impl Read>) -> Result<MassProperties, DecodeError> {
    let volume = section.f64()?;
    let centre = Vec3::from(section.f64s::<3>()?);
    let inertia = Mat3::from_row_slice(&section.f64s::<9>()?);
    section.finish()?;
    let mass = MassProperties { volume, centre, inertia };
    mass.check()?;
    Ok(mass)
}

fn read_shell(mut section: Section<impl Read>) -> Result<PointShell, DecodeError> {
    let (points, levels) = (section.u32()?, section.u32()?);
    let levels = section.array(levels.into(), u32::from_le_bytes)?;
    let points = section.array(points.into(), |bytes: [u8; 48]| {
        let n: [f64; 6] = std::array::from_fn(|i| f64::from_le_bytes(bytes.as_chunks::<8>().0[i]));
        ShellPoint { position: Vec3::new(n[0], n[1], n[2]), normal: Vec3::new(n[3], n[4], n[5]) }
    })?;
    let nodes = levels.iter().map(|&n| u64::from(n)).sum();
    let nodes = section.array(nodes, |bytes: [u8; 16]| {
        let words = bytes.as_chunks::<4>().0;
        let [point, first_child, children] = [words[0], words[1], words[2]].map(u32::from_le_bytes);
        ShellNode { point, first_child, children, radius: f32::from_le_bytes(words[3]) }
    })?;
    section.finish()?;
    Ok(PointShell::new(points, nodes, levels)?)
}

fn read_shell_allowances(mut section: Section<impl Read>) -> Result<Vec<f32>, DecodeError> {
    let points = section.u32()?;
    section.zero()?;
    let values = section.array(points.into(), f32::from_le_bytes)?;
    section.finish()?;
    Ok(values)
}

fn read_allowance(mut section: Section<impl Read>) -> Result<Allowance, DecodeError> {
    let lattice = read_lattice(&mut section)?;
    let values = section.array(product(lattice.cells.map(|n| n + 1)), f32::from_le_bytes)?;
    section.finish()?;
    Ok(Allowance::new(lattice, values)?)
}

fn read_edge_allowance(mut section: Section<impl Read>) -> Result<EdgeAllowance, DecodeError> {
    let lattice = read_lattice(&mut section)?;
    let blocks = section.u32()?;
    section.zero()?;
    let slots = section.array(product(lattice.cells.map(|n| n / EdgeAllowance::CELLS as u32)), u32::from_le_bytes)?;
    let nodes = section.array(u64::from(blocks) * EdgeAllowance::BLOCK as u64, f32::from_le_bytes)?;
    section.finish()?;
    Ok(EdgeAllowance::from_blocks(lattice, slots, nodes)?)
}

fn read_convex(mut section: Section<impl Read>) -> Result<ConvexParts, DecodeError> {
    let count = section.u32()?;
    section.zero()?;
    let [volume_share, largest_distance_m] = section.f64s::<2>()?;
    let counts = section.array(count.into(), u32::from_le_bytes)?;
    let read = |n: &u32| {
        section.array(u64::from(*n), |bytes: [u8; 24]| {
            Vec3::from(std::array::from_fn::<f64, 3, _>(|i| f64::from_le_bytes(bytes.as_chunks::<8>().0[i])))
        })
    };
    let parts = counts.iter().map(read).collect::<Result<_, _>>()?;
    section.finish()?;
    let convex = ConvexParts { parts, closeness: ConvexCloseness { volume_share, largest_distance_m } };
    convex.check()?;
    Ok(convex)
}

fn read_lattice_and_part(section: &mut Section<impl Read>) -> Result<(Lattice, Aabb), DecodeError> {
    let lattice = read_lattice(section)?;
    let (min, max) = (Vec3::from(section.f64s::<3>()?), Vec3::from(section.f64s::<3>()?));
    Ok((lattice, Aabb { min, max }))
}

fn read_lattice(section: &mut Section<impl Read>) -> Result<Lattice, DecodeError> {
    let origin = Vec3::from(section.f64s::<3>()?);
    let spacing = section.f64()?;
    let cells = [section.u32()?, section.u32()?, section.u32()?];
    section.zero()?;
    if cells.iter().any(|&n| n > Lattice::MAX_CELLS) {
        return Err(section.error(format!("{cells:?} cells")));
    }
    Ok(Lattice { origin, spacing, cells })
}

/// Below 2⁵¹: [`read_lattice`] has looked at the cells.
fn product(counts: [u32; 3]) -> u64 {
    counts.into_iter().map(u64::from).product()
}

fn read_dense(mut section: Section<impl Read>) -> Result<DistanceField, DecodeError> {
    let (lattice, part) = read_lattice_and_part(&mut section)?;
    let values = section.array(product(lattice.cells.map(|n| n + 1)), f32::from_le_bytes)?;
    section.finish()?;
    Ok(Dense::new(lattice, part, values)?.into())
}

fn read_sparse(mut section: Section<impl Read>) -> Result<DistanceField, DecodeError> {
    let (lattice, part) = read_lattice_and_part(&mut section)?;
    let (band, blocks) = (section.f64()?, section.u32()?);
    section.zero()?;
    let count = lattice.cells.map(|n| n / Sparse::CELLS as u32);
    let coarse = section.array(product(count.map(|n| n + 1)), f32::from_le_bytes)?;
    let slots = section.array(product(count), u32::from_le_bytes)?;
    let blocks = section.array(u64::from(blocks) * Sparse::BLOCK as u64, i16::from_le_bytes)?;
    section.finish()?;
    let field = Sparse::new(lattice, part, band, coarse, slots, blocks);
    field.map(DistanceField::from).map_err(|error: ShapeError| error.into())
}
