//! Shapes that were baked before, by the content of the mesh, the settings and the version.

use crate::bake::{BakeOptions, REVISION};
use crate::file::{self, FileError};
use crate::import::{ImportOptions, Imported};
use crate::solids::Solid;
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
pub struct CacheEntry {
    /// File of the shape.
    pub path: PathBuf,
    /// Size of the file (bytes).
    pub bytes: u64,
    /// When it was last written or used.
    pub used: SystemTime,
    /// Origin of the shape, or the reason for which it cannot be read.
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

    /// Folder of the cache.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the shape of a mesh with these settings is kept, whether it is there or not.
    pub fn path(&self, imported: &Imported, import: &ImportOptions, options: &BakeOptions) -> PathBuf {
        self.path_of(&format!("{:032x} {import:?}", imported.bytes_hash), options)
    }

    /// The same for a solid by its parameters.
    pub fn path_of_solid(&self, solid: &Solid, options: &BakeOptions) -> PathBuf {
        // Debug tells every field, and numbers to the last bit.
        self.path_of(&format!("solid {solid:?}"), options)
    }

    /// The same for any surface that a text tells to the last bit.
    pub fn path_of(&self, source: &str, options: &BakeOptions) -> PathBuf {
        let version = env!("CARGO_PKG_VERSION");
        let key = format!("{source} {} format={FORMAT} revision={REVISION} version={version}", options.line());
        self.folder.join(format!("{:032x}.{ENDING}", xxh3_128(key.as_bytes())))
    }

    /// Files that a bake left unfinished in the cache, because the machine or the program was stopped hard; also those of a bake that still runs.
    pub fn unfinished(&self) -> Vec<PathBuf> {
        let listing = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        listing.filter(|item| is_draft(&item.file_name().to_string_lossy())).map(|item| item.path()).collect()
    }

    /// All shapes, the last used first. Files with other names than the cache gives are somebody else's.
    pub fn entries(&self) -> Result<Vec<CacheEntry>, FileError> {
        let listing = match fs::read_dir(&self.folder) {
            Ok(listing) => listing,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(FileError::new(&self.folder, format!("cannot read: {error}"))),
        };
        let mut entries: Vec<CacheEntry> = listing
            .flatten()
            .filter(|item| is_entry(&item.file_name().to_string_lossy()))
            .filter_map(|item| {
                let data = item.metadata().ok().filter(|d| d.is_file())?;
                let provenance = file::provenance(&item.path()).map_err(|e| e.cause);
                let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                Some(CacheEntry { path: item.path(), bytes: data.len(), used, provenance })
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

/// Whether a file has a name that the cache gives to its shapes.
fn is_entry(name: &str) -> bool {
    let hash = name.strip_suffix(ENDING).and_then(|rest| rest.strip_suffix('.'));
    hash.is_some_and(|hash| hash.len() == 32 && hash.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')))
}

/// Whether a file has a name that [`file::write_whole`] gives to a shape of the cache before it is complete.
fn is_draft(name: &str) -> bool {
    let inner = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".part"));
    // Older versions did not name the program.
    let inner = inner.map(|inner| inner.strip_suffix(".stiction").unwrap_or(inner));
    inner.and_then(|inner| inner.rsplit_once('.')).is_some_and(|(entry, process)| {
        is_entry(entry) && !process.is_empty() && process.bytes().all(|c| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solids::SpurGear;

    #[test]
    fn every_parameter_of_a_solid_and_every_option_has_a_place_of_its_own() {
        let cache = Cache::new("cache".into());
        let gear = SpurGear::standard(0.001, 24, 0.01);
        let solids = [
            Solid::Box { size: [1.0, 2.0, 3.0] },
            Solid::Box { size: [1.0, 2.0, 3.0 + 4.0 * f64::EPSILON] },
            Solid::Plate { size: [1.0, 2.0], thickness: 3.0 },
            Solid::Gear(gear.clone()),
            Solid::Gear(SpurGear { bore: 0.003, ..gear.clone() }),
            Solid::Gear(SpurGear { rings: 2, ..gear }),
        ];
        let mut options = vec![BakeOptions::default(); 3];
        options[1].shell_points += 1;
        options[2].field.thicken = Some(1e-3);
        let mut paths: Vec<PathBuf> = Vec::new();
        for solid in &solids {
            paths.extend(options.iter().map(|o| cache.path_of_solid(solid, o)));
        }
        let all = paths.len();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), all);
        assert!(paths.iter().all(|path| is_entry(&path.file_name().unwrap().to_string_lossy())));
    }

    #[test]
    fn files_with_other_names_are_somebody_elses() {
        let hash = "0123456789abcdef0123456789abcdef";
        let (entry, draft) = (format!("{hash}.shape"), format!(".{hash}.shape.77.part"));
        assert!(is_entry(&entry) && is_draft(&draft) && !is_entry(&draft) && !is_draft(&entry));
        assert!(is_draft(&file::draft_path(Path::new(&entry)).to_string_lossy()));
        let names = ["part.shape", ".shape", "notes.txt", ".part.shape.77.part", ".x.part", &hash[1..], hash];
        let upper = entry.to_uppercase();
        for name in names.iter().copied().chain([upper.as_str()]) {
            assert!(!is_entry(name) && !is_draft(name), "{name}");
        }
        assert!(!is_draft(&format!(".{hash}.shape.x.part")) && !is_draft(&format!(".{hash}.shape.part")));
    }
}
