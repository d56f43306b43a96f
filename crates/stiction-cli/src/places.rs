//! Whether a file can be written where it is wanted: asked before minutes of work, not after.

use crate::{Failure, stop};
use std::fs::{self, File};
use std::path::Path;
use stiction_bake::file;

/// What may be replaced without asking.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    /// A baked shape only.
    Shape,
    /// Anything but a baked shape.
    Other,
}

/// Makes sure that a file can be written, that its folder is there, and that nothing precious is in its place.
pub fn check(path: &Path, replace: Replace, sources: &[&Path]) -> Result<(), Failure> {
    let wrong = |cause: String| Err(Failure::Other(format!("{}: cannot write: {cause}", path.display())));
    if path.file_name().is_none() {
        return wrong("not the name of a file".into());
    }
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return wrong(format!("there is no folder {}", folder.display()));
    }
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => return wrong("it is a folder; name a file in it".into()),
        Ok(data) if !data.is_file() => return wrong("it is not a regular file".into()),
        Ok(_) if sources.iter().any(|s| same(s, path)) => return wrong("it is the file that is read".into()),
        Ok(data) if data.len() > 0 && file::is_shape(path) != (replace == Replace::Shape) => {
            let what = if replace == Replace::Shape { "is not a baked shape" } else { "is a baked shape" };
            return wrong(format!("the file that is there {what}; remove it or give another name"));
        }
        _ => {}
    }
    file::remove_stale_drafts(folder);
    let probe = file::draft_path(path);
    stop::draft(probe.clone());
    match File::create(&probe).and_then(|_| fs::remove_file(&probe)) {
        Ok(()) => Ok(()),
        Err(error) => wrong(error.to_string()),
    }
}

/// Makes the folder for pictures, if need be.
pub fn check_pictures(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|e| Failure::Other(format!("{}: cannot make a folder for pictures: {e}", folder.display())))?;
    check(&folder.join("slices.svg"), Replace::Other, &[])
}

fn same(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
