//! Meshes read from files: STL, OBJ, PLY and glTF, as one triangle soup in metres.
//!
//! Files lie. Every count a file claims is compared with the bytes that are there before anything is reserved for it;
//! what the format's crate could stumble over is refused or tidied before the crate sees it; and the crate is called
//! under `catch_unwind`, as a last line that no test has reached. Whatever the bytes, the answer is a valid [`Mesh`]
//! or one [`ImportError`] that names the file and the cause.

#![forbid(unsafe_code)]

mod error;
mod format;
mod gltf;
mod obj;
mod options;
mod ply;
mod stl;

pub use error::{ImportCause, ImportError};
pub use format::MeshFormat;
pub use options::{ImportOptions, Placement, Unit, UpAxis};

use crate::Mesh;
use std::io;
use std::path::Path;
use stiction::spatial::Vec3;
use xxhash_rust::xxh3::Xxh3;

/// Coordinates beyond this, in m, are taken for damage: squares and products of them would lose all meaning.
pub const MAX_COORDINATE: f64 = 1e12;

/// A mesh and where it came from.
#[derive(Clone, Debug)]
pub struct Imported {
    /// All triangles of the file, in metres. Degenerate ones are kept, and so are repeated points.
    pub mesh: Mesh,
    /// What the file was found to be.
    pub format: MeshFormat,
    /// 128-bit XXH3 of the file's bytes, followed, for a glTF with buffers beside it, by those buffers' bytes.
    pub bytes_hash: u128,
    /// How many bytes were hashed.
    pub bytes: u64,
}

/// What an importer hands over, before units and placement.
struct Soup {
    points: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    /// What to call a point in a message, from its number and the faces: as this format counts its vertices.
    name_vertex: NameVertex,
}

type NameVertex = Box<dyn Fn(usize, &[[u32; 3]]) -> String>;

/// Where the buffers beside a glTF file come from: the decoded relative address in, the bytes out.
pub type BufferSource<'a> = &'a dyn Fn(&str) -> io::Result<Vec<u8>>;

/// Reads a mesh file. The format is recognised by content first and by the name's ending where content does not tell.
pub fn read(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let name = path.display().to_string();
    let bytes = read_file(path).map_err(|e| ImportError::unreadable(path, &e))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read_bytes(&bytes, &name, hint(path), options, &|address| read_file(&folder.join(address)))
}

/// The format that a file's name tells, for files whose content does not.
pub fn hint(path: &Path) -> Option<MeshFormat> {
    path.extension().and_then(|e| e.to_str()).and_then(MeshFormat::from_extension)
}

/// Reads a mesh from memory. `name` is what messages call it; `hint` decides where content does not tell the format;
/// `buffers` is asked for what a glTF keeps beside it.
pub fn read_bytes(
    bytes: &[u8],
    name: &str,
    hint: Option<MeshFormat>,
    options: &ImportOptions,
    buffers: BufferSource,
) -> Result<Imported, ImportError> {
    let mut hash = Xxh3::new();
    hash.update(bytes);
    let mut hashed = bytes.len() as u64;
    let outcome = (|| {
        options.check()?;
        if bytes.is_empty() {
            return Err(ImportCause::Empty);
        }
        let format = format::detect(bytes, hint).ok_or(ImportCause::UnknownFormat)?;
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let soup = match format {
            MeshFormat::StlBinary => stl::read_binary(bytes)?,
            MeshFormat::StlAscii => stl::read_ascii(text)?,
            MeshFormat::Obj => obj::read(text)?,
            MeshFormat::Ply => ply::read(text)?,
            MeshFormat::Gltf | MeshFormat::Glb => {
                let (soup, external) = gltf::read(text, format, buffers)?;
                for buffer in &external {
                    hash.update(buffer);
                    hashed += buffer.len() as u64;
                }
                soup
            }
        };
        Ok((format, finish(soup, options)?))
    })();
    let (format, mesh) = outcome.map_err(|cause| ImportError::new(name, cause))?;
    Ok(Imported { mesh, format, bytes_hash: hash.digest128(), bytes: hashed })
}

/// Units, placement, and the promises of [`Mesh`].
fn finish(soup: Soup, options: &ImportOptions) -> Result<Mesh, ImportCause> {
    let Soup { mut points, mut faces, name_vertex } = soup;
    if faces.is_empty() {
        return Err(ImportCause::NoTriangles);
    }
    if u32::try_from(points.len()).is_err() {
        return Err(ImportCause::TooLarge(format!("{} vertices; at most {} can be indexed", points.len(), u32::MAX)));
    }
    let whole = options.whole();
    for (i, point) in points.iter_mut().enumerate() {
        let bad = |reason: &str| ImportCause::BadVertex { vertex: name_vertex(i, &faces), reason: reason.into() };
        if point.iter().any(|x| !x.is_finite()) {
            return Err(bad("has a coordinate that is no finite number"));
        }
        *point = whole.apply(point);
        if point.iter().any(|x| !(x.abs() <= MAX_COORDINATE)) {
            return Err(bad("lies further than 1e12 m from the origin; is the unit right?"));
        }
    }
    for face in &faces {
        if let Some(&i) = face.iter().find(|&&i| i as usize >= points.len()) {
            return Err(ImportCause::BadIndex { index: i.into(), vertices: points.len() });
        }
    }
    if whole.mirrors() {
        faces.iter_mut().for_each(|f| f.swap(1, 2));
    }
    Ok(Mesh { points, faces })
}

/// All bytes of a regular file; anything else, such as a directory or a pipe, is refused without being opened.
///
/// # Errors
/// If it cannot be read, or is no regular file.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let kind = std::fs::metadata(path)?;
    if kind.is_dir() {
        return Err(io::Error::other("is a directory"));
    }
    if !kind.is_file() {
        return Err(io::Error::other("is not a regular file"));
    }
    std::fs::read(path)
}

/// Calls a format's crate; a panic in it becomes a message.
fn guarded<T>(format: MeshFormat, call: impl FnOnce() -> Result<T, ImportCause>) -> Result<T, ImportCause> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_or_else(|_| {
        Err(ImportCause::malformed(format, "its reader gave up on it; please report this file".to_string()))
    })
}
