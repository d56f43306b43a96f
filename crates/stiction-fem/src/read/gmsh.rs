//! Gmsh's own format, versions 2.2 and 4.1 (Gmsh reference manual, "MSH file format").

use super::tokens::Tokens;
use super::{Raw, TetReadError};
use stiction::spatial::Vec3;

/// Nodes of each element type by its number, and its dimension; 0 nodes where there is no such type.
const TYPES: [(u8, u8); 32] = [
    (0, 0),
    (2, 1),
    (3, 2),
    (4, 2),
    (4, 3),
    (8, 3),
    (6, 3),
    (5, 3),
    (3, 1),
    (6, 2),
    (9, 2),
    (10, 3),
    (27, 3),
    (18, 3),
    (14, 3),
    (1, 0),
    (8, 2),
    (20, 3),
    (15, 3),
    (13, 3),
    (9, 2),
    (10, 2),
    (12, 2),
    (15, 2),
    (15, 2),
    (21, 2),
    (4, 1),
    (5, 1),
    (6, 1),
    (20, 3),
    (35, 3),
    (56, 3),
];
const TETRAHEDRON: u64 = 4;
const TETRAHEDRON_OF_TEN: u64 = 11;

const NODES: &str = "$Nodes";
const ELEMENTS: &str = "$Elements";

/// Nodes by the file's numbers.
#[derive(Default)]
struct Numbered {
    numbers: Vec<(u64, u32)>,
}

impl Numbered {
    fn sort(&mut self) -> Result<(), TetReadError> {
        self.numbers.sort_unstable();
        match self.numbers.windows(2).find(|w| w[0].0 == w[1].0) {
            Some(w) => Err(TetReadError::NodeTwice(w[0].0)),
            None => Ok(()),
        }
    }

    fn find(&self, element: u64, node: u64) -> Result<u32, TetReadError> {
        let found = self.numbers.binary_search_by_key(&node, |n| n.0);
        found.map(|k| self.numbers[k].1).map_err(|_| TetReadError::NoSuchNode { element, node })
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Raw, TetReadError> {
    let mut tokens = Tokens::new(bytes);
    let (mut raw, mut numbered) = (Raw::default(), Numbered::default());
    let mut version: Option<bool> = None;
    let (mut has_nodes, mut has_elements) = (false, false);
    while let Some(line) = tokens.line() {
        let line = line.trim_ascii();
        let is_new = || version.ok_or(TetReadError::Missing("$MeshFormat before its nodes and elements"));
        match line {
            b"$MeshFormat" => version = Some(format(&mut tokens)?),
            b"$Nodes" => {
                if is_new()? {
                    nodes_4(&mut tokens, &mut raw, &mut numbered)?
                } else {
                    nodes_2(&mut tokens, &mut raw, &mut numbered)?
                }
                numbered.sort()?;
                has_nodes = true;
            }
            b"$Elements" => {
                if !has_nodes {
                    return Err(TetReadError::Missing("$Nodes before its elements"));
                }
                if is_new()? {
                    elements_4(&mut tokens, &mut raw, &numbered)?
                } else {
                    elements_2(&mut tokens, &mut raw, &numbered)?
                }
                has_elements = true;
                break;
            }
            // Other sections (names, entities, partitions) have lines of no interest.
            _ => {}
        }
    }
    if !has_elements {
        return Err(TetReadError::Missing(if has_nodes { ELEMENTS } else { NODES }));
    }
    Ok(raw)
}

/// Reads the header; whether the version is 4.1.
fn format(tokens: &mut Tokens) -> Result<bool, TetReadError> {
    let within = "$MeshFormat";
    let version = tokens.expect_word(within)?;
    let new = match version {
        b"2.2" | b"2" | b"2.1" => false,
        b"4.1" => true,
        other => {
            let what = format!("version {} of Gmsh's format", String::from_utf8_lossy(&other[..other.len().min(12)]));
            return Err(TetReadError::Unsupported { what, remedy: "save as version 2.2 or 4.1 (gmsh -format msh41)" });
        }
    };
    let binary: u8 = tokens.parse("0 or 1", within)?;
    let size: u8 = tokens.parse("8", within)?;
    if size != 8 {
        let what = format!("a file with numbers of {size} bytes");
        return Err(TetReadError::Unsupported { what, remedy: "save it with 8 bytes, which is Gmsh's own setting" });
    }
    if binary == 1 {
        tokens.line();
        tokens.binary = Some(false);
        match tokens.int(within)? {
            1 => {}
            0x0100_0000 => tokens.binary = Some(true),
            other => return Err(tokens.unexpected("the integer 1 in binary", other.to_string().as_bytes())),
        }
    }
    Ok(new)
}

fn point(tokens: &mut Tokens) -> Result<Vec3, TetReadError> {
    Ok(Vec3::new(tokens.real(NODES)?, tokens.real(NODES)?, tokens.real(NODES)?))
}

fn nodes_2(tokens: &mut Tokens, raw: &mut Raw, numbered: &mut Numbered) -> Result<(), TetReadError> {
    let claimed = tokens.parse("how many nodes", NODES)?;
    if tokens.binary.is_some() {
        tokens.line();
    }
    let count = tokens.count(claimed, if tokens.binary.is_some() { 28 } else { 8 }, NODES)?;
    for _ in 0..count {
        let number = tokens.int(NODES)?;
        numbered.numbers.push((number as u64, raw.nodes.len() as u32));
        raw.nodes.push(point(tokens)?);
    }
    Ok(())
}

fn nodes_4(tokens: &mut Tokens, raw: &mut Raw, numbered: &mut Numbered) -> Result<(), TetReadError> {
    let blocks = tokens.long(NODES)?;
    for _ in 0..3 {
        tokens.long(NODES)?;
    }
    let blocks = tokens.count(blocks, 7, NODES)?;
    for _ in 0..blocks {
        let dimension = tokens.int(NODES)?;
        tokens.int(NODES)?;
        let parametric = tokens.int(NODES)? != 0;
        let claimed = tokens.long(NODES)?;
        let count = tokens.count(claimed, if tokens.binary.is_some() { 32 } else { 8 }, NODES)?;
        let start = raw.nodes.len();
        for k in 0..count {
            numbered.numbers.push((tokens.long(NODES)?, (start + k) as u32));
        }
        for _ in 0..count {
            raw.nodes.push(point(tokens)?);
            for _ in 0..if parametric { dimension.clamp(0, 3) } else { 0 } {
                tokens.real(NODES)?;
            }
        }
    }
    Ok(())
}

/// Nodes of an element of a type, once it is known to be read.
fn nodes_of(tokens: &Tokens, kind: u64) -> Result<usize, TetReadError> {
    match TYPES.get(kind as usize) {
        Some((nodes, _)) if *nodes > 0 => Ok(usize::from(*nodes)),
        _ => Err(tokens.unexpected("a type of element from 1 to 31", kind.to_string().as_bytes())),
    }
}

/// Takes an element: tetrahedra are kept, other volumes are refused.
fn take(raw: &mut Raw, numbered: &Numbered, element: u64, kind: u64, nodes: &[u64]) -> Result<(), TetReadError> {
    match kind {
        TETRAHEDRON | TETRAHEDRON_OF_TEN => {
            let mut corners = [0; 4];
            for (corner, node) in corners.iter_mut().zip(nodes) {
                *corner = numbered.find(element, *node)?;
            }
            raw.tetrahedra.push(corners);
            raw.straightened += usize::from(kind == TETRAHEDRON_OF_TEN);
            Ok(())
        }
        _ if TYPES[kind as usize].1 == 3 => Err(TetReadError::NotTetrahedron { element, kind }),
        _ => Ok(()),
    }
}

fn elements_2(tokens: &mut Tokens, raw: &mut Raw, numbered: &Numbered) -> Result<(), TetReadError> {
    let claimed = tokens.parse("how many elements", ELEMENTS)?;
    if tokens.binary.is_some() {
        tokens.line();
    }
    let mut left = tokens.count(claimed, if tokens.binary.is_some() { 8 } else { 6 }, ELEMENTS)?;
    let mut nodes = [0; 56];
    while left > 0 {
        // In binary a header stands before several elements of one type; in text each has its own.
        let (mut element, kind, many, tags);
        if tokens.binary.is_some() {
            element = 0;
            kind = tokens.int(ELEMENTS)? as u64;
            many = tokens.int(ELEMENTS)?;
            tags = tokens.int(ELEMENTS)?;
        } else {
            element = tokens.int(ELEMENTS)? as u64;
            kind = tokens.int(ELEMENTS)? as u64;
            many = 1;
            tags = tokens.int(ELEMENTS)?;
        }
        let length = nodes_of(tokens, kind)?;
        let many = match usize::try_from(many) {
            Ok(many) if many > 0 && many <= left => many,
            _ => return Err(tokens.unexpected("how many elements of this type follow", many.to_string().as_bytes())),
        };
        if !(0..=64).contains(&tags) {
            return Err(tokens.unexpected("how many tags an element has", tags.to_string().as_bytes()));
        }
        for _ in 0..many {
            if tokens.binary.is_some() {
                element = tokens.int(ELEMENTS)? as u64;
            }
            for _ in 0..tags {
                tokens.int(ELEMENTS)?;
            }
            for node in &mut nodes[..length] {
                *node = tokens.int(ELEMENTS)? as u64;
            }
            take(raw, numbered, element, kind, &nodes[..length])?;
        }
        left -= many;
    }
    Ok(())
}

fn elements_4(tokens: &mut Tokens, raw: &mut Raw, numbered: &Numbered) -> Result<(), TetReadError> {
    let blocks = tokens.long(ELEMENTS)?;
    for _ in 0..3 {
        tokens.long(ELEMENTS)?;
    }
    let blocks = tokens.count(blocks, 8, ELEMENTS)?;
    let mut nodes = [0; 56];
    for _ in 0..blocks {
        tokens.int(ELEMENTS)?;
        tokens.int(ELEMENTS)?;
        let kind = tokens.int(ELEMENTS)? as u64;
        let length = nodes_of(tokens, kind)?;
        let claimed = tokens.long(ELEMENTS)?;
        let least = (length + 1) * if tokens.binary.is_some() { 8 } else { 2 };
        for _ in 0..tokens.count(claimed, least, ELEMENTS)? {
            let element = tokens.long(ELEMENTS)?;
            for node in &mut nodes[..length] {
                *node = tokens.long(ELEMENTS)?;
            }
            take(raw, numbered, element, kind, &nodes[..length])?;
        }
    }
    Ok(())
}
