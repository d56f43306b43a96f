//! Which format a file has.

use stiction::named;

named! {
    /// A mesh file format.
    pub enum MeshFormat {
        /// Stereolithography, binary.
        StlBinary = "binary STL",
        /// Stereolithography, text.
        StlAscii = "ASCII STL",
        /// Wavefront OBJ.
        Obj = "OBJ",
        /// Polygon file format, text or binary of either byte order.
        Ply = "PLY",
        /// glTF 2.0 as JSON.
        Gltf = "glTF",
        /// glTF 2.0 in one binary file.
        Glb = "GLB",
    }
}

impl std::fmt::Display for MeshFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl MeshFormat {
    /// The format that a file name's ending promises; `stl` promises the binary one.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let promised = [
            ("stl", Self::StlBinary),
            ("obj", Self::Obj),
            ("ply", Self::Ply),
            ("gltf", Self::Gltf),
            ("glb", Self::Glb),
        ];
        promised.iter().find(|(e, _)| extension.eq_ignore_ascii_case(e)).map(|&(_, format)| format)
    }
}

/// The format by content, or the hint where content does not tell.
///
/// A file that is exactly as long as its binary STL count says is binary STL, whatever its header begins with: many
/// exporters write "solid" there.
pub(super) fn detect(bytes: &[u8], hint: Option<MeshFormat>) -> Option<MeshFormat> {
    if bytes.starts_with(b"glTF") {
        return Some(MeshFormat::Glb);
    }
    if bytes.starts_with(b"ply") && bytes.get(3).is_some_and(|c| c.is_ascii_whitespace()) {
        return Some(MeshFormat::Ply);
    }
    if super::stl::binary_count(bytes).is_some_and(|n| bytes.len() as u64 == super::stl::binary_length(n)) {
        return Some(MeshFormat::StlBinary);
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if text.starts_with(b"{") {
        return Some(MeshFormat::Gltf);
    }
    if text.get(..5).is_some_and(|w| w.eq_ignore_ascii_case(b"solid")) && is_text(text) {
        return Some(MeshFormat::StlAscii);
    }
    if begins_like_obj(text) {
        return Some(MeshFormat::Obj);
    }
    hint
}

/// Whether the beginning holds no control characters other than white space.
fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().take(512).all(|c| !c.is_ascii_control() || c.is_ascii_whitespace())
}

/// Whether the first line that is no comment begins with one of the words an OBJ file begins with.
fn begins_like_obj(text: &[u8]) -> bool {
    let words: [&[u8]; 9] = [b"v", b"vn", b"vt", b"f", b"o", b"g", b"s", b"mtllib", b"usemtl"];
    let first = text
        .split(|&c| c == b'\n' || c == b'\r')
        .map(|line| line.trim_ascii())
        .find(|line| !line.is_empty() && !line.starts_with(b"#"));
    let Some(line) = first else { return false };
    let word = line.split(|c| c.is_ascii_whitespace()).next().unwrap_or_default();
    is_text(text) && words.contains(&word)
}
