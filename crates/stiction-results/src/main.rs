//! `make results`: keeps the files of results that were measured and makes `docs/results.md` from all that are kept.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stiction_results::{folder, read, render};

fn main() -> ExitCode {
    match run(Path::new("docs")) {
        Ok(told) => {
            println!("{told}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Copies what was measured to `docs/results` and writes `docs/results.md`. Nothing is changed where a file is bad.
fn run(docs: &Path) -> Result<String, Box<dyn std::error::Error>> {
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
        return Err("there are no results: run a bench or a study first, such as `make bench-wall`".into());
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
