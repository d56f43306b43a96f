//! Shapes on disk: written whole or not at all.

use crate::progress::Progress;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use stiction::shape::{Shape, file};

/// Errors from reading or writing a shape's file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub cause: String,
    /// Whether the user stopped it.
    pub cancelled: bool,
}

impl FileError {
    /// A failure with a file.
    pub fn new(path: &Path, cause: impl ToString) -> Self {
        FileError { path: path.into(), cause: cause.to_string(), cancelled: false }
    }
}

/// A file that is removed again unless it is kept.
struct Draft {
    path: PathBuf,
    kept: bool,
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes through, until the user wants to stop.
struct Stoppable<'a, W> {
    inner: W,
    progress: &'a dyn Progress,
}

impl<W: Write> Write for Stoppable<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.progress.cancelled() {
            return Err(io::Error::other("stopped"));
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Writes a file beside its place and moves it there when it is complete: whatever happens, there is the old file, the
/// new one or none, but never a part of it.
pub fn write_whole(
    path: &Path,
    progress: &dyn Progress,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    let name = path.file_name().ok_or_else(|| FileError::new(path, "cannot write: not the name of a file"))?;
    let draft = format!(".{}.{}.part", name.to_string_lossy(), std::process::id());
    let mut draft = Draft { path: path.with_file_name(draft), kept: false };
    let result = File::create(&draft.path).and_then(|file| {
        let mut writer = BufWriter::with_capacity(1 << 20, Stoppable { inner: file, progress });
        write(&mut writer)?;
        writer.flush()?;
        fs::rename(&draft.path, path)
    });
    match result {
        Ok(()) => draft.kept = true,
        Err(_) if progress.cancelled() => {
            return Err(FileError { path: path.into(), cause: "stopped".into(), cancelled: true });
        }
        Err(error) => return Err(FileError::new(path, format!("cannot write: {error}"))),
    }
    Ok(())
}

/// Writes a shape.
pub fn save(path: &Path, shape: &Shape, progress: &dyn Progress) -> Result<(), FileError> {
    write_whole(path, progress, |mut writer| file::encode(shape, &mut writer))
}

/// Opens a file and tells its length.
fn open(path: &Path) -> Result<(BufReader<File>, u64), FileError> {
    let cannot = |error: io::Error| FileError::new(path, format!("cannot read: {error}"));
    let file = File::open(path).map_err(cannot)?;
    let data = file.metadata().map_err(cannot)?;
    if !data.is_file() {
        return Err(FileError::new(path, "cannot read: not a file"));
    }
    Ok((BufReader::with_capacity(1 << 20, file), data.len()))
}

/// Reads a shape.
pub fn load(path: &Path) -> Result<Shape, FileError> {
    let (mut reader, length) = open(path)?;
    file::decode(&mut reader, length).map_err(|error| FileError::new(path, error))
}

/// Whether a file starts like a baked shape, whatever follows.
pub fn is_shape(path: &Path) -> bool {
    let Ok((mut reader, length)) = open(path) else { return false };
    !matches!(file::peek(&mut reader, length), Err(file::DecodeError::NotAShape))
}

/// Reads where a shape comes from, without the rest of it.
pub fn provenance(path: &Path) -> Result<String, FileError> {
    let (mut reader, length) = open(path)?;
    file::peek(&mut reader, length).map(|p| p.provenance).map_err(|error| FileError::new(path, error))
}
