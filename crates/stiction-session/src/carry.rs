//! What a recording carries besides its ticks, so that it replays elsewhere; and where a replay finds the files that it does not carry.

use crate::{Session, SessionError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction::named;
use stiction::shape::{Shape, file};
use stiction_bake::import::read_file;
use stiction_record::{Attachment, FileFacts, Header, LONGEST_ATTACHMENT};
use stiction_scene::FileContents;
use xxhash_rust::xxh3::xxh3_128;

/// Files of this size together are carried without being asked for (bytes).
const SMALL: usize = 32 << 20;
/// Attachments with this before their names are files of the scene.
const FILES: &str = "files/";
/// Attachments that are the baked shapes of the held and of the fixed part.
const SHAPES: [&str; 2] = ["held.shape", "fixed.shape"];

named! {
    /// What a recording carries besides its ticks. Parts by parameters need nothing: the scene's text has them.
    pub enum Carry {
        /// The files that the scene names, if they have no more than 32 MiB together.
        Auto = "auto",
        /// Nothing: a replay looks for files where they were, beside the recording and in folders that it is told.
        None = "none",
        /// The files that the scene names: meshes and recorded motions.
        Meshes = "meshes",
        /// Those files and the baked shapes, so that a replay bakes nothing, whichever version it is.
        Shapes = "shapes",
    }
}

impl Session {
    /// The header of a recording that carries what `carry` says, with sentences about what it does not carry; `started` in ns since 1970, `build`
    /// as the program tells it. Every file that the scene names is in it by its content.
    ///
    /// # Errors
    /// [`SessionError`] if a file cannot be read any more, or has more bytes than an attachment may have.
    pub fn carrying_header(
        &self,
        build: &str,
        started: u64,
        carry: Carry,
    ) -> Result<(Header, Vec<String>), SessionError> {
        let mut header = self.header(build, started);
        let contents = self.world.scene.files()?;
        header.files = contents.iter().map(|(name, bytes)| facts(name, bytes)).collect();
        let all: usize = contents.values().map(|bytes| bytes.len()).sum();
        let mut notes = Vec::new();
        if carry == Carry::Auto && all > SMALL {
            notes.push(format!(
                "the meshes have {}, so the recording does not carry them: keep them beside it, or record with --carry meshes",
                stiction_bake::bytes(all as u64)
            ));
        } else if carry != Carry::None {
            let attached = |(name, bytes): (String, Arc<[u8]>)| attachment(format!("{FILES}{name}"), bytes);
            header.attachments = contents.into_iter().map(attached).collect::<Result<_, _>>()?;
        }
        if carry == Carry::Shapes {
            for (name, shape) in SHAPES.into_iter().zip([&self.world.held, &self.world.fixed]) {
                let mut bytes = Vec::new();
                // Writing into memory cannot fail.
                let _ = file::encode(shape, &mut bytes);
                header.attachments.push(attachment(name.into(), bytes.into())?);
            }
        }
        Ok((header, notes))
    }
}

fn facts(name: &str, bytes: &[u8]) -> FileFacts {
    FileFacts { name: name.into(), bytes: bytes.len() as u64, hash: format!("{:032x}", xxh3_128(bytes)) }
}

fn attachment(name: String, bytes: Arc<[u8]>) -> Result<Attachment, SessionError> {
    if bytes.len() > LONGEST_ATTACHMENT {
        return Err(SessionError::TooLong { name, bytes: bytes.len() as u64, most: LONGEST_ATTACHMENT as u64 });
    }
    let ending = Path::new(&name).extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let media_type = match &*ending {
        "stl" => "model/stl",
        "obj" => "model/obj",
        "gltf" => "model/gltf+json",
        "glb" => "model/gltf-binary",
        "csv" => "text/csv",
        _ => "application/octet-stream",
    };
    Ok(Attachment { name, media_type: media_type.into(), bytes })
}

/// The files that a recording carries, by the scene's names for them.
///
/// # Errors
/// [`SessionError::OtherFile`] if the content of one is not what the header says.
pub(crate) fn carried(header: &Header) -> Result<FileContents, SessionError> {
    let mut out = FileContents::new();
    for Attachment { name, bytes, .. } in &header.attachments {
        let Some(name) = name.strip_prefix(FILES) else { continue };
        let known = header.files.iter().find(|facts| facts.name == name);
        if let Some(recorded) = known.filter(|recorded| facts(name, bytes) != **recorded) {
            return Err(other(recorded, Path::new(name), &facts(name, bytes)));
        }
        out.insert(name.into(), Arc::clone(bytes));
    }
    Ok(out)
}

/// Adds the files that a recording does not carry. They are looked for by name and content in `folders`, each by its whole name and by its last part alone,
/// then where they were.
///
/// # Errors
/// [`SessionError::NoFile`], or [`SessionError::OtherFile`] if there are files of that name, but with other contents.
pub(crate) fn find_others(
    header: &Header,
    folders: &[PathBuf],
    contents: &mut FileContents,
) -> Result<(), SessionError> {
    let own = Path::new(&header.scene_path).parent().unwrap_or(Path::new(""));
    for recorded in &header.files {
        if contents.contains_key(&recorded.name) {
            continue;
        }
        let name = Path::new(&recorded.name);
        let last = Path::new(name.file_name().unwrap_or(name.as_os_str()));
        let beside = folders.iter().flat_map(|folder| [folder.join(name), folder.join(last)]);
        let mut places: Vec<PathBuf> = Vec::new();
        for place in beside.chain([own.join(name), name.into()]) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let mut differs = None;
        let found = places.iter().find_map(|place| {
            let bytes = read_file(place).ok()?;
            let now = facts(&recorded.name, &bytes);
            if now != *recorded {
                differs.get_or_insert(other(recorded, place, &now));
                return None;
            }
            Some(bytes)
        });
        match (found, differs) {
            (Some(bytes), _) => contents.insert(recorded.name.clone(), bytes.into()),
            (None, Some(other)) => return Err(other),
            (None, None) => {
                let places = places.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
                return Err(SessionError::NoFile { name: recorded.name.clone(), places });
            }
        };
    }
    Ok(())
}

fn other(recorded: &FileFacts, path: &Path, now: &FileFacts) -> SessionError {
    SessionError::OtherFile { path: path.into(), recorded: Box::new(recorded.clone()), now: Box::new(now.clone()) }
}

/// The baked shapes that a recording carries; `None` if it carries none.
///
/// # Errors
/// [`SessionError::CarriedShape`] if one of them is missing or is no shape.
pub(crate) fn shapes(header: &Header) -> Result<Option<[Arc<Shape>; 2]>, SessionError> {
    let found = SHAPES.map(|name| header.attachments.iter().find(|a| a.name == name));
    if found.iter().all(Option::is_none) {
        return Ok(None);
    }
    let shape = |i: usize| {
        let wrong = |why: String| SessionError::CarriedShape { name: SHAPES[i], why };
        let bytes = &found[i].ok_or_else(|| wrong("it is missing".into()))?.bytes;
        let decoded = file::decode(&mut &bytes[..], bytes.len() as u64);
        decoded.map(Arc::new).map_err(|e| wrong(e.to_string()))
    };
    Ok(Some([shape(0)?, shape(1)?]))
}
