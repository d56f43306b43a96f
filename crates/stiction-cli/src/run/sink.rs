//! A table on its way into a file, row by row in bounded memory.

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
use stiction::columns::{Column, ColumnKind};

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Text, a line a tick.
    Csv,
    /// Apache Parquet, for data frames.
    Parquet,
}

impl TableFormat {
    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Option<TableFormat> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*ending {
            "csv" => Some(TableFormat::Csv),
            "parquet" => Some(TableFormat::Parquet),
            _ => None,
        }
    }
}

/// Takes rows.
pub trait RowSink {
    /// Adds a row: a word for each column.
    fn put(&mut self, row: &[u64]) -> io::Result<()>;
    /// Writes what is left. Nothing may be added any more.
    fn finish(&mut self) -> io::Result<()>;
}

/// A sink of the format; `facts` go into files that have a place for them.
pub fn open<'a>(
    format: TableFormat,
    out: &'a mut dyn Write,
    columns: &'a [Column],
    facts: &[(&str, String)],
) -> io::Result<Box<dyn RowSink + 'a>> {
    Ok(match format {
        TableFormat::Csv => Box::new(Csv::new(out, columns)?),
        TableFormat::Parquet => Box::new(Parquet::new(out, columns, facts)?),
    })
}

/// Numbers as the shortest text that reads back as the same bits.
struct Csv<'a> {
    out: &'a mut dyn Write,
    columns: &'a [Column],
    line: Vec<u8>,
}

impl<'a> Csv<'a> {
    fn new(out: &'a mut dyn Write, columns: &'a [Column]) -> io::Result<Self> {
        let names: Vec<&str> = columns.iter().map(|c| &*c.name).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Csv { out, columns, line: Vec::with_capacity(2048) })
    }
}

/// Appends a row of a CSV table.
pub fn csv_row(line: &mut Vec<u8>, columns: &[Column], row: &[u64]) -> io::Result<()> {
    for (column, word) in columns.iter().zip(row) {
        write!(line, "{},", column.value(*word))?;
    }
    if let Some(last) = line.last_mut() {
        *last = b'\n';
    }
    Ok(())
}

impl RowSink for Csv<'_> {
    fn put(&mut self, row: &[u64]) -> io::Result<()> {
        self.line.clear();
        csv_row(&mut self.line, self.columns, row)?;
        self.out.write_all(&self.line)
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
    Counts(Vec<i64>),
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
    columns: &'a [Column],
    pipe: Pipe,
    writer: SerializedFileWriter<Pipe>,
    waiting: Vec<Waiting>,
    rows: usize,
}

impl<'a> Parquet<'a> {
    fn new(out: &'a mut dyn Write, columns: &'a [Column], facts: &[(&str, String)]) -> io::Result<Self> {
        let pipe = Pipe::default();
        let facts = facts.iter().map(|(key, value)| KeyValue::new(key.to_string(), value.clone())).collect();
        let mut properties = WriterProperties::builder()
            .set_created_by(format!("stiction version {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(facts))
            .set_dictionary_enabled(false);
        // Words repeat themselves, numbers do not.
        for column in columns.iter().filter(|c| has_words(c)) {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(&*column.name), true);
        }
        let writer =
            schema(columns).and_then(|s| SerializedFileWriter::new(pipe.clone(), s, Arc::new(properties.build())));
        let waiting = columns.iter().map(|column| match column.kind {
            ColumnKind::Real => Waiting::Reals(Vec::with_capacity(GROUP)),
            ColumnKind::Count => Waiting::Counts(Vec::with_capacity(GROUP)),
            ColumnKind::Choice(_) | ColumnKind::Flags(_) => Waiting::Words(Vec::with_capacity(GROUP)),
        });
        let (writer, waiting) = (writer.map_err(io::Error::other)?, waiting.collect());
        Ok(Parquet { out, columns, pipe, writer, waiting, rows: 0 })
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
                Waiting::Counts(values) => {
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

impl RowSink for Parquet<'_> {
    fn put(&mut self, row: &[u64]) -> io::Result<()> {
        for ((waiting, column), word) in self.waiting.iter_mut().zip(self.columns).zip(row) {
            match waiting {
                Waiting::Reals(values) => values.push(f64::from_bits(*word)),
                Waiting::Counts(values) => values.push(*word as i64),
                Waiting::Words(values) => values.push(ByteArray::from(column.value(*word).to_string().into_bytes())),
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

fn has_words(column: &Column) -> bool {
    matches!(column.kind, ColumnKind::Choice(_) | ColumnKind::Flags(_))
}

fn schema(columns: &[Column]) -> Result<Arc<Type>, ParquetError> {
    let field = |column: &Column| {
        let (physical, converted) = match column.kind {
            ColumnKind::Real => (Physical::DOUBLE, ConvertedType::NONE),
            ColumnKind::Count => (Physical::INT64, ConvertedType::NONE),
            ColumnKind::Choice(_) | ColumnKind::Flags(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        };
        let column = Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(converted);
        column.build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("run").with_fields(fields).build().map(Arc::new)
}

#[cfg(test)]
mod tests;
