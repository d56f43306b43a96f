//! Files of results in, one page of Markdown out.

use crate::origin::Origin;
use crate::row::{FigureRow, Measurement, ResultRow, number};
use std::path::{Path, PathBuf};

/// Errors from reading a file of results.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The file or folder cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A line is not what it should be.
    #[error("{}, line {line}: {why}; measure it again", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// The results of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultsFile {
    /// Where the rows come from.
    pub origin: Origin,
    /// The rows.
    pub rows: Vec<ResultRow>,
}

/// Reads a file of results.
///
/// # Errors
/// [`ResultsError`] where the file cannot be read, is cut off, has no rows, or has a line that is not a row.
pub fn read(path: &Path) -> Result<ResultsFile, ResultsError> {
    let unreadable = |source| ResultsError::Unreadable { path: path.into(), source };
    parse(path, &std::fs::read_to_string(path).map_err(unreadable)?)
}

fn parse(path: &Path, text: &str) -> Result<ResultsFile, ResultsError> {
    let bad = |line: usize, why: String| ResultsError::BadLine { path: path.into(), line, why };
    let count = text.lines().count();
    if !text.ends_with('\n') {
        return Err(bad(count.max(1), "the file is cut off here".into()));
    }
    let mut lines = text.lines();
    let origin: Origin = serde_json::from_str(lines.next().unwrap_or_default())
        .map_err(|e| bad(1, format!("not a line with name, command, date, commit and machine ({e})")))?;
    if path.file_stem().is_none_or(|stem| stem != origin.name.as_str()) {
        return Err(bad(1, format!("these are results of {:?}, not of a file by this name", origin.name)));
    }
    let mut rows = Vec::new();
    for (i, line) in lines.enumerate() {
        rows.push(row(line).map_err(|why| bad(i + 2, why))?);
    }
    if rows.is_empty() {
        return Err(bad(count, "there are no rows after this".into()));
    }
    Ok(ResultsFile { origin, rows })
}

fn row(line: &str) -> Result<ResultRow, String> {
    let value: serde_json::Value = serde_json::from_str(line).map_err(|e| format!("not JSON ({e})"))?;
    if value.get("verdict").is_none() {
        let measured: Measurement = serde_json::from_value(value).map_err(|e| format!("not a measurement ({e})"))?;
        return Ok(ResultRow::Measured(measured));
    }
    let figure: FigureRow = serde_json::from_value(value).map_err(|e| format!("not the verdict of a figure ({e})"))?;
    match figure.verdict.as_str() {
        "reproduced" | "partly" | "not reproduced" => Ok(ResultRow::Figure(figure)),
        other => Err(format!("{other:?} is none of the verdicts reproduced, partly, not reproduced")),
    }
}

const HEAD: &str = "\
# Results

Made by `make results` from the files in [results/](results/), which benches, studies and figures wrote as they ran. Do not edit it: run the command that is named
with each table, then `make results`. A commit with \"+ changes\" was not clean.

";

/// The page of some files, in the order of their names.
pub fn render(files: &[ResultsFile]) -> String {
    let mut files: Vec<&ResultsFile> = files.iter().collect();
    files.sort_by(|a, b| a.origin.name.cmp(&b.origin.name));
    let mut out = String::from(HEAD);
    out += "| results | rows | targets met | date | commit |\n|---|---|---|---|---|\n";
    for ResultsFile { origin, rows } in &files {
        let name = cell(&origin.name);
        out += &format!(
            "| [{name}](#{name}) | {} | {} | {} | {} |\n",
            rows.len(),
            met(rows),
            cell(&origin.date),
            cell(&origin.commit)
        );
    }
    files.iter().for_each(|file| out += &section(file));
    out
}

/// How many targets are met, of how many.
fn met(rows: &[ResultRow]) -> String {
    let judged: Vec<bool> = rows
        .iter()
        .filter_map(|row| match row {
            ResultRow::Measured(measured) => measured.met,
            ResultRow::Figure(figure) => Some(figure.verdict == "reproduced"),
        })
        .collect();
    match judged.len() {
        0 => "no targets".into(),
        all => format!("{} of {all}", judged.iter().filter(|met| **met).count()),
    }
}

fn section(ResultsFile { origin, rows }: &ResultsFile) -> String {
    let Origin { name, command, date, commit, machine } = origin;
    let mut out = format!("\n## {name}\n\n`{command}`, {date}, commit {commit}, on {machine}.\n\n");
    let (mut measured, mut figures) = (String::new(), String::new());
    for row in rows {
        match row {
            ResultRow::Measured(m) => {
                let value = m.value.map_or("no number".into(), number);
                let met = match m.met {
                    None => "",
                    Some(true) => "yes",
                    Some(false) => "**no**",
                };
                let target = m.target.as_deref().unwrap_or_default();
                let value = format!("{value} {}", m.unit);
                measured += &format!("| {} | {} | {target} | {met} |\n", cell(&m.what), cell(value.trim()));
            }
            ResultRow::Figure(f) => figures += &format!("| {} | {} |\n", cell(&f.name), cell(&f.verdict)),
        }
    }
    if !measured.is_empty() {
        out += &format!("| what | measured | target | met |\n|---|---|---|---|\n{measured}");
    }
    if !figures.is_empty() {
        out += if measured.is_empty() { "" } else { "\n" };
        out += &format!("| figure | verdict |\n|---|---|\n{figures}");
    }
    out
}

/// Text that does not end a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
