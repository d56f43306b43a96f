//! Entries as rows of a table: CSV here, other formats by whoever has a writer for them.

use crate::fields::{Field, Kind, Topic};
use crate::{Entry, RecordError, Recording};
use std::io::{self, Read, Seek, Write};

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// A real number.
    Real(f64),
    /// A whole number.
    Whole(u64),
}

/// Name of every column, with its unit, and whether it has real numbers: the topic, then the name in the message.
pub fn columns() -> Vec<(String, bool)> {
    let mut columns = Vec::new();
    for topic in Topic::ALL {
        for Field { name, kind } in topic.fields() {
            columns.push((format!("{}_{name}", topic.name()), *kind == Kind::Double));
            if let Kind::Halves(high) = kind {
                columns.push((format!("{}_{high}", topic.name()), false));
            }
        }
    }
    columns
}

/// Gives the cells of an entry in the order of [`columns`].
pub fn cells(entry: &Entry, mut put: impl FnMut(Cell)) {
    let words = entry.words();
    let fields = Topic::ALL.into_iter().flat_map(Topic::fields);
    for (field, word) in fields.zip(words) {
        match field.kind {
            Kind::Double => put(Cell::Real(f64::from_bits(word))),
            Kind::Fixed64 | Kind::Fixed32 => put(Cell::Whole(word)),
            Kind::Halves(_) => {
                put(Cell::Whole(word & 0xffff_ffff));
                put(Cell::Whole(word >> 32));
            }
        }
    }
}

/// Writes all entries as CSV, numbers as the shortest text that reads back as the same; returns how many. What is readable of a damaged
/// recording is written before the error.
///
/// # Errors
/// The outer one is that of `out`, the inner one that of the recording.
pub fn csv<R: Read + Seek>(recording: &mut Recording<R>, out: &mut impl Write) -> io::Result<Result<u64, RecordError>> {
    let names: Vec<String> = columns().into_iter().map(|(name, _)| name).collect();
    writeln!(out, "{}", names.join(","))?;
    let entries = match recording.entries() {
        Ok(entries) => entries,
        Err(error) => return Ok(Err(error)),
    };
    let mut line = Vec::with_capacity(2048);
    let mut rows = 0;
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return Ok(Err(error)),
        };
        line.clear();
        // Writing to memory cannot fail.
        cells(&entry, |cell| {
            let _ = match cell {
                Cell::Real(x) => write!(line, "{x:?},"),
                Cell::Whole(n) => write!(line, "{n},"),
            };
        });
        if let Some(last) = line.last_mut() {
            *last = b'\n';
        }
        out.write_all(&line)?;
        rows += 1;
    }
    Ok(Ok(rows))
}
