//! `stiction export`: a recording as a table.

use crate::bars::Bars;
use crate::places::{self, Replace};
use crate::run::sink::{self, TableFormat};
use crate::{Failure, output};
use clap::Args;
use serde_json::json;
use std::io;
use std::path::PathBuf;
use stiction_bake::{Progress, file};
use stiction_record::Recording;

/// Write a recording as a table, CSV or Parquet
///
/// A row for each tick; numbers read back as the same bits. Columns have their units in their names; those of ticks are the same as in
/// `stiction run --trace`.
#[derive(Args)]
pub struct Export {
    /// The recording
    file: PathBuf,
    /// The table, ending in .csv or .parquet
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// One JSON object instead of the sentence
    #[arg(long)]
    json: bool,
}

impl Export {
    /// Exports.
    pub fn run(&self) -> Result<(), Failure> {
        let format = TableFormat::of(&self.output).ok_or_else(|| {
            Failure::Usage(format!("-o {}: the name must end in .csv or .parquet", self.output.display()))
        })?;
        places::check(&self.output, Replace::Other, &[&self.file])?;
        let bars = Bars::new(false);
        let named = |e: stiction_record::RecordError| Failure::Other(format!("{}: {e}", self.file.display()));
        let mut recording = Recording::open(&self.file).map_err(named)?;
        let header = recording.header().clone();
        let columns = header.entry_columns();
        let facts = [("scene", header.scene.clone()), ("device", header.device), ("stiction", header.stiction)];
        bars.stage("exporting", recording.bytes() / 1024);
        let (mut rows, mut failed, mut cut_off) = (0_u64, None, None);
        let result = file::write_whole(&self.output, &bars, |out| {
            let mut sink = sink::open(format, out, &columns, &facts)?;
            match recording.entries() {
                Ok(mut entries) => {
                    for entry in entries.by_ref() {
                        let entry = match entry {
                            Ok(entry) => entry,
                            Err(error) => {
                                failed = Some(error);
                                break;
                            }
                        };
                        sink.put(&entry.words())?;
                        rows += 1;
                        if rows.is_multiple_of(64) {
                            bars.advance(32);
                        }
                        if bars.cancelled() {
                            return Err(io::Error::other("stopped"));
                        }
                    }
                    cut_off = entries.cut_off();
                }
                Err(error) => failed = Some(error),
            }
            sink.finish()
        });
        drop(bars);
        result.map_err(|e| Failure::from(e).or_stopped("stopped; no file was written"))?;
        if let Some(cut) = &cut_off {
            output::complain(&format!("note: {}: {cut}", self.file.display()));
        }
        if self.json {
            output::json(&json!({
                "file": self.file.display().to_string(),
                "scene": header.scene,
                "output": self.output.display().to_string(),
                "rows": rows,
                "cut_off_at_byte": cut_off.map(|c| c.byte),
                "error": failed.as_ref().map(ToString::to_string),
            }))?;
        } else {
            let whole = if cut_off.is_some() || failed.is_some() { ", all that can be read of it" } else { "" };
            output::line(&format!("{rows} rows of {} in {}{whole}", header.scene, self.output.display()))?;
        }
        failed.map_or(Ok(()), |error| Err(named(error)))
    }
}
