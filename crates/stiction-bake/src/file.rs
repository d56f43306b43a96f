//! Shapes on disk: written whole or not at all.

use crate::progress::Progress;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
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

/// What the names of unfinished files end with, after the name of the file and the number of the process.
const DRAFT: &str = ".stiction.part";
/// A file without a lock that is younger than this may be about to get one.
const FRESH: Duration = Duration::from_secs(60);

/// Where a file is written before it is complete: beside its place, with the number of this process.
pub fn draft_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}{DRAFT}", std::process::id()))
}

/// Removes unfinished files from a folder that programs left there because they were killed, and says how many there were. Their writers hold a lock on them for as long as they
/// live, so that a file that can be locked has none; files of other programs, and what cannot be judged, stay.
pub fn remove_stale_drafts(folder: &Path) -> usize {
    let items = fs::read_dir(folder).into_iter().flatten().flatten();
    let stale = items.filter(|item| {
        let name = item.file_name();
        let Some(writer) = name.to_str().and_then(draft_writer) else { return false };
        // Only a writer that is alive can be between making its file and locking it.
        let gone =
            if cfg!(target_os = "linux") { !Path::new("/proc").join(writer.to_string()).exists() } else { false };
        let old = || item.metadata().and_then(|m| m.modified()).is_ok_and(|t| t.elapsed().is_ok_and(|age| age > FRESH));
        let unlocked = || File::open(item.path()).is_ok_and(|file| file.try_lock().is_ok());
        item.file_type().is_ok_and(|kind| kind.is_file()) && (gone || old()) && unlocked()
    });
    stale.filter(|item| fs::remove_file(item.path()).is_ok()).count()
}

/// The process that writes an unfinished file, by the file's name.
fn draft_writer(name: &str) -> Option<u32> {
    let (file, process) = name.strip_prefix('.')?.strip_suffix(DRAFT)?.rsplit_once('.')?;
    process.parse().ok().filter(|_| !file.is_empty())
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
/// new one or none, but never a part of it. What killed programs left unfinished in the folder is removed.
pub fn write_whole(
    path: &Path,
    progress: &dyn Progress,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    path.file_name().ok_or_else(|| FileError::new(path, "cannot write: not the name of a file"))?;
    remove_stale_drafts(path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    let mut draft = Draft { path: draft_path(path), kept: false };
    let result = File::create(&draft.path).and_then(|file| {
        // For others to see that somebody writes it; where there are no locks, they leave it alone.
        let _ = file.try_lock();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn only_what_dead_writers_left_unfinished_is_removed() {
        let folder = std::env::temp_dir().join(format!("stiction-drafts-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        // No process has this number: Linux gives at most 2^22.
        let [dead, own] = [u32::MAX, std::process::id()];
        let stale = [format!(".run.csv.{dead}{DRAFT}"), format!(".gear.shape.{dead}{DRAFT}")];
        let others = [
            format!(".run.csv.{own}{DRAFT}"),
            ".download.part".into(),
            format!(".run.csv.{dead}.part"),
            format!("run.csv.{dead}{DRAFT}"),
            format!(".{dead}{DRAFT}"),
            format!(".run.csv.x{DRAFT}"),
        ];
        for name in stale.iter().chain(&others) {
            fs::write(folder.join(name), "rows").unwrap();
        }
        // Its writer has another number here, but lives: it holds the lock.
        let locked = format!(".locked.csv.{dead}{DRAFT}");
        let held = File::create(folder.join(&locked)).unwrap();
        held.try_lock().unwrap();
        let names = || {
            let mut names: Vec<String> =
                fs::read_dir(&folder).unwrap().map(|i| i.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        write_whole(&folder.join("new.csv"), &Silent, |out| out.write_all(b"rows")).unwrap();
        let mut left: Vec<String> = others.into_iter().chain([locked, "new.csv".into()]).collect();
        left.sort();
        assert_eq!(names(), left);
        drop(held);
        assert_eq!(remove_stale_drafts(&folder), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
