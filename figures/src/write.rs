//! Runs figures and writes what they return.

use crate::figure::{Context, Figure, FigureError, FigureReport};
use crate::page::{PageEntry, page, section};
use crate::registry::ALL;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

/// Runs one figure. An error is part of the report, unless the user stopped it.
///
/// # Errors
/// [`FigureError::Stopped`] only.
pub fn run(figure: &Figure, context: &Context) -> Result<FigureReport, FigureError> {
    let start = Instant::now();
    let outcome = (figure.run)(context);
    if let Err(FigureError::Stopped) = outcome {
        return Err(FigureError::Stopped);
    }
    context.go_on()?;
    Ok(FigureReport { figure: *figure, outcome, seconds: start.elapsed().as_secs_f64(), quick: context.quick })
}

/// A figure's report as data, in its folder.
const REPORT: &str = "report.json";
/// A figure's part of the page, in its folder.
const SECTION: &str = "section.html";

/// Writes a figure's data, pictures, report and part of the page into `dir/<name>`, which is made if need be.
///
/// # Errors
/// Where a file cannot be written.
pub fn write(dir: &Path, report: &FigureReport) -> io::Result<()> {
    let folder = dir.join(report.figure.name);
    fs::create_dir_all(&folder)?;
    if let Ok(outcome) = &report.outcome {
        for table in &outcome.tables {
            whole(&folder.join(table.file()), table.csv())?;
        }
        for picture in &outcome.pictures {
            whole(&folder.join(picture.file()), &picture.svg)?;
        }
    }
    whole(&folder.join(REPORT), &format!("{:#}\n", report.row()))?;
    whole(&folder.join(SECTION), &section(report))
}

/// Writes the page of all figures that were ever written into `dir` to `dir/index.html`, whichever were run now.
///
/// # Errors
/// Where it cannot be written.
pub fn write_page(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let entries: Vec<PageEntry> = ALL.iter().filter_map(|figure| entry(dir, figure)).collect();
    whole(&dir.join("index.html"), &page(&entries))
}

/// What an earlier run or this one left of a figure; `None` where there is nothing that can be read.
fn entry(dir: &Path, figure: &Figure) -> Option<PageEntry> {
    let folder = dir.join(figure.name);
    let report = serde_json::from_str(&fs::read_to_string(folder.join(REPORT)).ok()?).ok()?;
    let section = fs::read_to_string(folder.join(SECTION)).ok()?;
    Some(PageEntry { figure: *figure, report, section })
}

/// A file is there as a whole or as it was.
fn whole(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension(format!("{}.part", std::process::id()));
    let written = fs::write(&draft, text).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}
