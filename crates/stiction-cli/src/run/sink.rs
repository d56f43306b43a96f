//! A table on its way into a file, row by row in bounded memory.

use super::columns::{Cell, Kind};
use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text, a line a tick.
    Csv,
    /// Apache Parquet, for data frames.
    Parquet,
}

impl Format {
    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*ending {
            "csv" => Some(Format::Csv),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }
}

/// Takes rows.
pub trait Sink {
    /// Adds a row, in the order of the columns.
    fn put(&mut self, row: &[Cell]) -> io::Result<()>;
    /// Writes what is left. Nothing may be added any more.
    fn finish(&mut self) -> io::Result<()>;
}

/// A column's name and what is in it.
pub type Column<'a> = (&'a str, Kind);

/// A sink of the format; `facts` go into files that have a place for them.
pub fn open<'a>(
    format: Format,
    out: &'a mut dyn Write,
    columns: &[Column],
    facts: &[(&str, String)],
) -> io::Result<Box<dyn Sink + 'a>> {
    Ok(match format {
        Format::Csv => Box::new(Csv::new(out, columns)?),
        Format::Parquet => Box::new(Parquet::new(out, columns, facts)?),
    })
}

/// Numbers as the shortest text that reads back as the same bits.
struct Csv<'a> {
    out: &'a mut dyn Write,
    line: Vec<u8>,
}

impl<'a> Csv<'a> {
    fn new(out: &'a mut dyn Write, columns: &[Column]) -> io::Result<Self> {
        let names: Vec<&str> = columns.iter().map(|c| c.0).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Csv { out, line: Vec::with_capacity(2048) })
    }
}

impl Sink for Csv<'_> {
    fn put(&mut self, row: &[Cell]) -> io::Result<()> {
        self.line.clear();
        let line = &mut self.line;
        // Writing to memory cannot fail.
        for cell in row {
            let _ = match cell {
                Cell::Real(x) => write!(line, "{x:?},"),
                Cell::Whole(n) => write!(line, "{n},"),
                Cell::Word(word) => write!(line, "{word},"),
                Cell::Flags(flags) => {
                    let _ = flags
                        .names()
                        .enumerate()
                        .try_for_each(|(i, name)| write!(line, "{}{name}", if i > 0 { " " } else { "" }));
                    line.write_all(b",")
                }
            };
        }
        if let Some(last) = line.last_mut() {
            *last = b'\n';
        }
        self.out.write_all(line)
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Rows of a row group: some 8 MB in memory.
const GROUP: usize = 16_384;

/// Values of a column that wait for their row group.
enum Waiting {
    Reals(Vec<f64>),
    Wholes(Vec<i64>),
    Words(Vec<ByteArray>),
}

/// Memory that the Parquet writer fills and that is emptied into the file. (The writer wants an output that can go to another
/// thread, which the file here cannot.)
#[derive(Clone, Default)]
struct Pipe(Arc<Mutex<Vec<u8>>>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Parquet<'a> {
    out: &'a mut dyn Write,
    pipe: Pipe,
    writer: SerializedFileWriter<Pipe>,
    waiting: Vec<Waiting>,
    rows: usize,
}

impl<'a> Parquet<'a> {
    fn new(out: &'a mut dyn Write, columns: &[Column], facts: &[(&str, String)]) -> io::Result<Self> {
        let pipe = Pipe::default();
        let facts = facts.iter().map(|(key, value)| KeyValue::new(key.to_string(), value.clone())).collect();
        let mut properties = WriterProperties::builder()
            .set_created_by(format!("stiction version {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(facts))
            .set_dictionary_enabled(false);
        // Words repeat themselves, numbers do not.
        for (name, _) in columns.iter().filter(|c| c.1 == Kind::Words) {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(*name), true);
        }
        let writer =
            schema(columns).and_then(|s| SerializedFileWriter::new(pipe.clone(), s, Arc::new(properties.build())));
        let waiting = columns.iter().map(|(_, kind)| match kind {
            Kind::Real => Waiting::Reals(Vec::with_capacity(GROUP)),
            Kind::Whole => Waiting::Wholes(Vec::with_capacity(GROUP)),
            Kind::Words => Waiting::Words(Vec::with_capacity(GROUP)),
        });
        Ok(Parquet { out, pipe, writer: writer.map_err(io::Error::other)?, waiting: waiting.collect(), rows: 0 })
    }

    /// Writes the rows that wait as a group.
    fn group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for waiting in &mut self.waiting {
            let Some(mut column) = group.next_column()? else { break };
            match waiting {
                Waiting::Reals(values) => {
                    column.typed::<DoubleType>().write_batch(values, None, None)?;
                    values.clear();
                }
                Waiting::Wholes(values) => {
                    column.typed::<Int64Type>().write_batch(values, None, None)?;
                    values.clear();
                }
                Waiting::Words(values) => {
                    column.typed::<ByteArrayType>().write_batch(values, None, None)?;
                    values.clear();
                }
            }
            column.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }

    /// Empties the pipe into the file.
    fn drain(&mut self) -> io::Result<()> {
        let mut bytes = self.pipe.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.out.write_all(&bytes)?;
        bytes.clear();
        Ok(())
    }
}

impl Sink for Parquet<'_> {
    fn put(&mut self, row: &[Cell]) -> io::Result<()> {
        for pair in self.waiting.iter_mut().zip(row) {
            match pair {
                (Waiting::Reals(values), Cell::Real(x)) => values.push(*x),
                (Waiting::Wholes(values), Cell::Whole(n)) => values.push(*n as i64),
                (Waiting::Words(values), Cell::Word(word)) => values.push(ByteArray::from(*word)),
                (Waiting::Words(values), Cell::Flags(flags)) => {
                    let words: Vec<&str> = flags.names().collect();
                    values.push(ByteArray::from(words.join(" ").into_bytes()));
                }
                // The table of columns and the cells agree: `rows_fit_their_columns`.
                _ => {}
            }
        }
        self.rows += 1;
        if self.rows == GROUP {
            self.group().map_err(io::Error::other)?;
            self.drain()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.group().map_err(io::Error::other)?;
        }
        self.writer.finish().map_err(io::Error::other)?;
        self.drain()
    }
}

fn schema(columns: &[Column]) -> Result<Arc<Type>, ParquetError> {
    let field = |(name, kind): &(&str, Kind)| {
        let (physical, converted) = match kind {
            Kind::Real => (Physical::DOUBLE, ConvertedType::NONE),
            Kind::Whole => (Physical::INT64, ConvertedType::NONE),
            Kind::Words => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        };
        let column = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(converted);
        column.build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("run").with_fields(fields).build().map(Arc::new)
}

#[cfg(test)]
mod tests;
