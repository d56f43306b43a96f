//! PLY, by the `ply-rs-bw` crate.
//!
//! The header's counts are compared with the bytes that follow before an element is read: the crate loops as often as
//! the header says, also over elements that take no bytes. Elements other than `vertex` and `face` are read and dropped.

use super::{ImportCause, MeshFormat, Soup, guarded};
use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType,
};
use std::borrow::Cow;
use std::io::BufRead;
use stiction::spatial::Vec3;

/// Reads PLY. Polygons become fans.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, ImportCause> {
    let malformed = |reason: String| ImportCause::malformed(MeshFormat::Ply, reason);
    let parser = Parser::<Element>::new();
    let mut reader = Reader::new(bytes);
    let header = guarded(MeshFormat::Ply, || parser.read_header(&mut reader).map_err(|e| malformed(e.to_string())))?;
    let body: &[u8] = reader.into_inner();
    let heading = &bytes[..bytes.len() - body.len()];
    check(&header, heading, body.len()).map_err(malformed)?;
    let mut soup = Elements::default();
    let mut rest = body;
    for element in header.elements.values() {
        for i in 0..element.count {
            let value = guarded(MeshFormat::Ply, || {
                next(&parser, header.encoding, &mut rest, element)
                    .map_err(|e| malformed(format!("{} {i} (counted from 0): {e}", element.name)))
            })?;
            soup.take(&element.name, i, value).map_err(malformed)?;
        }
    }
    let vertices = soup.points.len();
    if let Some(face) = soup.faces.iter().position(|f| f.iter().any(|&v| v as usize >= vertices)) {
        let index = soup.faces[face].iter().max().copied().unwrap_or_default();
        return Err(ImportCause::BadIndex { index: index.into(), vertices });
    }
    let name_vertex = Box::new(|i: usize, _: &[[u32; 3]]| format!("vertex {i} (counted from 0)"));
    Ok(Soup { points: soup.points, faces: soup.faces, name_vertex })
}

/// Compares what the header claims with what is there.
fn check(header: &Header, heading: &[u8], body: usize) -> Result<(), String> {
    let lines = heading.split(|&c| c == b'\n').map(|l| l.trim_ascii());
    let declared = lines.filter(|l| l.starts_with(b"element") && l.get(7).is_some_and(u8::is_ascii_whitespace)).count();
    if declared != header.elements.len() {
        return Err("two elements have the same name".into());
    }
    let Some(vertex) = header.elements.get("vertex") else { return Err("it has no element `vertex`".into()) };
    for axis in ["x", "y", "z"] {
        match vertex.properties.get(axis).map(|p| &p.data_type) {
            Some(PropertyType::Scalar(_)) => {}
            _ => return Err(format!("its vertices have no coordinate `{axis}`")),
        }
    }
    if let Some(face) = header.elements.get("face").filter(|f| f.count > 0) {
        let is_list = |p: &str| matches!(face.properties.get(p).map(|p| &p.data_type), Some(PropertyType::List(..)));
        if !LISTS.iter().any(|p| is_list(p)) {
            return Err("its faces have no list `vertex_indices`".into());
        }
    }
    let mut least = 0u128;
    for element in header.elements.values() {
        let bytes: usize = match header.encoding {
            // A digit and a separator each; the last line may lack its end.
            Encoding::Ascii => 2 * element.properties.len(),
            _ => element.properties.values().map(|p| least_bytes(&p.data_type)).sum(),
        };
        if bytes == 0 && element.count > 0 {
            return Err(format!("its element `{}` has no properties", element.name));
        }
        least += bytes as u128 * element.count as u128;
        if least > body as u128 + 1 {
            let Header { encoding, .. } = header;
            return Err(format!(
                "its header claims {} of element `{}`, for which {body} bytes of {encoding} data are too few",
                element.count, element.name
            ));
        }
    }
    Ok(())
}

const LISTS: [&str; 2] = ["vertex_indices", "vertex_index"];

fn least_bytes(kind: &PropertyType) -> usize {
    let (PropertyType::Scalar(scalar) | PropertyType::List(scalar, _)) = kind;
    match scalar {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    }
}

/// Reads one element from the front of `rest`.
fn next(
    parser: &Parser<Element>,
    encoding: Encoding,
    rest: &mut &[u8],
    element: &ElementDef,
) -> Result<Element, String> {
    let outcome = match encoding {
        Encoding::BinaryBigEndian => parser.read_big_endian_element(rest, element),
        Encoding::BinaryLittleEndian => parser.read_little_endian_element(rest, element),
        Encoding::Ascii => {
            let mut line = String::new();
            while line.trim().is_empty() {
                line.clear();
                if rest.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
                    return Err("the file ends before it".into());
                }
            }
            parser.read_ascii_element(&whole_decimals(&line), element)
        }
    };
    outcome.map_err(|e| e.to_string())
}

/// The line with a digit on both sides of every decimal point: the crate's grammar knows neither `.5` nor `1.`.
fn whole_decimals(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    let is_digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    let bare = |i: usize| bytes[i] == b'.' && !(is_digit(i.checked_sub(1)) && is_digit(Some(i + 1)));
    if !(0..bytes.len()).any(bare) {
        return line.into();
    }
    let mut whole = String::with_capacity(line.len() + 16);
    for (i, c) in line.char_indices() {
        if c == '.' && !is_digit(i.checked_sub(1)) {
            whole.push('0');
        }
        whole.push(c);
        if c == '.' && !is_digit(Some(i + 1)) {
            whole.push('0');
        }
    }
    whole.into()
}

/// One vertex or face as it comes from the parser.
struct Element {
    position: [f64; 3],
    corners: Vec<i64>,
}

impl PropertyAccess for Element {
    fn new() -> Self {
        Self { position: [0.0; 3], corners: Vec::new() }
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        fn all<T: Copy + Into<i64>>(list: &[T]) -> Vec<i64> {
            list.iter().map(|&i| i.into()).collect()
        }
        let axis = ["x", "y", "z"].iter().position(|a| *a == name);
        match (axis, &value) {
            (Some(axis), Property::Double(x)) => self.position[axis] = *x,
            (Some(axis), Property::Float(x)) => self.position[axis] = f64::from(*x),
            (Some(axis), Property::Char(x)) => self.position[axis] = f64::from(*x),
            (Some(axis), Property::UChar(x)) => self.position[axis] = f64::from(*x),
            (Some(axis), Property::Short(x)) => self.position[axis] = f64::from(*x),
            (Some(axis), Property::UShort(x)) => self.position[axis] = f64::from(*x),
            (Some(axis), Property::Int(x)) => self.position[axis] = f64::from(*x),
            (Some(axis), Property::UInt(x)) => self.position[axis] = f64::from(*x),
            (None, list) if LISTS.contains(&name) => {
                self.corners = match list {
                    Property::ListChar(l) => all(l),
                    Property::ListUChar(l) => all(l),
                    Property::ListShort(l) => all(l),
                    Property::ListUShort(l) => all(l),
                    Property::ListInt(l) => all(l),
                    Property::ListUInt(l) => all(l),
                    _ => return PropertyAccessResult::UnsupportedType,
                }
            }
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

/// What is kept of all elements.
#[derive(Default)]
struct Elements {
    points: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
}

impl Elements {
    fn take(&mut self, name: &str, number: usize, element: Element) -> Result<(), String> {
        match name {
            "vertex" => self.points.push(Vec3::from(element.position)),
            "face" => {
                let index = |i: i64| {
                    u32::try_from(i).map_err(|_| format!("face {number} (counted from 0) refers to vertex {i}"))
                };
                let corners = element.corners.iter().map(|&i| index(i)).collect::<Result<Vec<u32>, _>>()?;
                if corners.len() < 3 {
                    return Err(format!("face {number} (counted from 0) has {} corners", corners.len()));
                }
                self.faces.extend(corners.windows(2).skip(1).map(|w| [corners[0], w[0], w[1]]));
            }
            _ => {}
        }
        Ok(())
    }
}
