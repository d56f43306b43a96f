//! Shapes that were baked before, by the content of the mesh, the settings and the version.

use crate::bake::BakeOptions;
use crate::file::{self, FileError};
use crate::import::{ImportOptions, Imported};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use stiction::shape::file::FORMAT;
use xxhash_rust::xxh3::xxh3_128;

/// A folder of baked shapes.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// A shape in the cache.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// When it was last written or used.
    pub used: SystemTime,
    /// Where it comes from, or why that cannot be told.
    pub provenance: Result<String, String>,
}

const ENDING: &str = "shape";

impl Cache {
    /// The cache in a folder, which need not exist.
    pub fn new(folder: PathBuf) -> Cache {
        Cache { folder }
    }

    /// The folder where users expect it: `STICTION_CACHE`, or `stiction` in `XDG_CACHE_HOME` or `~/.cache`.
    pub fn default_folder() -> Option<PathBuf> {
        let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        set("STICTION_CACHE")
            .or_else(|| set("XDG_CACHE_HOME").map(|p| p.join("stiction")))
            .or_else(|| set("HOME").map(|p| p.join(".cache").join("stiction")))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the shape of a mesh with these settings is kept, whether it is there or not.
    pub fn path(&self, imported: &Imported, import: &ImportOptions, options: &BakeOptions) -> PathBuf {
        let version = env!("CARGO_PKG_VERSION");
        let key =
            format!("{:032x} {import:?} {} format={FORMAT} version={version}", imported.bytes_hash, options.line());
        self.folder.join(format!("{:032x}.{ENDING}", xxh3_128(key.as_bytes())))
    }

    /// All shapes, the last used first.
    pub fn entries(&self) -> Result<Vec<Entry>, FileError> {
        let listing = match fs::read_dir(&self.folder) {
            Ok(listing) => listing,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(FileError::new(&self.folder, format!("cannot read: {error}"))),
        };
        let mut entries: Vec<Entry> = listing
            .flatten()
            .filter(|item| item.path().extension().is_some_and(|e| e == ENDING))
            .filter_map(|item| {
                let data = item.metadata().ok().filter(|d| d.is_file())?;
                let provenance = file::provenance(&item.path()).map_err(|e| e.cause);
                let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                Some(Entry { path: item.path(), bytes: data.len(), used, provenance })
            })
            .collect();
        entries.sort_by(|a, b| b.used.cmp(&a.used).then_with(|| a.path.cmp(&b.path)));
        Ok(entries)
    }

    /// Makes the folder.
    pub fn prepare(&self) -> Result<(), FileError> {
        fs::create_dir_all(&self.folder).map_err(|e| FileError::new(&self.folder, format!("cannot make: {e}")))
    }
}
