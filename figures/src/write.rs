//! Runs figures and writes what they return.

use crate::figure::{Context, Figure, FigureError, FigureReport};
use crate::page::page;
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

/// Writes a figure's data and pictures into `dir/<name>`, which is made if need be.
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
    Ok(())
}

/// Writes the page of all figures to `dir/index.html`.
///
/// # Errors
/// Where it cannot be written.
pub fn write_page(dir: &Path, reports: &[FigureReport]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    whole(&dir.join("index.html"), &page(reports))
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
