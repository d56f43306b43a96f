//! `stiction-lab results`: keeps the files of results that were measured and makes `docs/results.md` from all that are kept.

use clap::Args;
use std::io;
use std::path::{Path, PathBuf};
use stiction_cli::{Failure, output};
use stiction_results::{folder, read, render};

/// Make docs/results.md from what was measured; run it at the root of the source tree
#[derive(Args)]
pub struct Results {}

impl Results {
    /// Keeps what was measured and writes the page.
    pub fn run(&self) -> Result<(), Failure> {
        Ok(output::line(&keep(Path::new("docs"))?)?)
    }
}

/// Copies what was measured to `docs/results` and writes `docs/results.md`. Nothing is changed where a file is bad.
fn keep(docs: &Path) -> Result<String, Failure> {
    let kept = docs.join("results");
    let fresh = match folder() {
        Some(folder) if folder.is_dir() => files(&folder)?,
        _ => Vec::new(),
    };
    for path in &fresh {
        read(path)?;
    }
    std::fs::create_dir_all(&kept)?;
    for path in &fresh {
        std::fs::copy(path, kept.join(path.file_name().unwrap_or_default()))?;
    }
    let all = files(&kept)?.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    if all.is_empty() {
        return Err(Failure::Other(
            "there are no results: run a bench or a study first, such as `make bench-wall`".into(),
        ));
    }
    let page = docs.join("results.md");
    std::fs::write(&page, render(&all))?;
    Ok(format!("{}: {} files, {} of them new", page.display(), all.len(), fresh.len()))
}

/// The files of results in a folder, by name.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "jsonl"));
    paths.sort();
    Ok(paths)
}
