//! Results that can be trusted tomorrow: every bench, study and run of the figures leaves its numbers in a file, and `docs/results.md` is made from
//! such files, so that no number in it was typed by hand.
//!
//! A file `target/results/<name>.jsonl` has one JSON object a line. The first line says where the numbers come from, the others are rows:
//!
//! ```text
//! {"name":"bench-wall","command":"stiction-lab bench wall --check","date":"2026-11-17","commit":"ca2d5b7","machine":"…"}
//! {"what":"bare, 0.1 kg, 1000 Hz: |edge/bound - 1|","value":0.01,"unit":"%","target":"≤ 5","met":true}
//! {"name":"lp-12","verdict":"reproduced"}
//! ```
//!
//! A bench or study makes a [`ResultLog`] and adds its rows, before it fails for one of them:
//!
//! ```no_run
//! use stiction_results::{Measurement, ResultLog, Target};
//! let log = ResultLog::of_study("study-drift");
//! log.add(&Measurement::new("corner-cube, hold: drift in an hour", 3e-17, "m").held_to(Target::AtMost(1e-12)))?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! `make results` copies the files to `docs/results/` and makes the page ([`render`]).
#![forbid(unsafe_code)]

mod origin;
mod page;
mod row;

pub use origin::{Origin, folder, machine};
pub use page::{ResultsError, read, render};
pub use row::{FigureRow, Measurement, ResultRow, Target};

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Files that this process has begun. Tests of one study run on several threads and share a file.
static BEGUN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The results of one bench or study, on their way to a file.
#[derive(Clone, Debug)]
pub struct ResultLog {
    name: String,
    command: String,
}

impl ResultLog {
    /// The results of a command. The file is replaced when the first row of a process is added.
    pub fn new(name: &str, command: &str) -> Self {
        ResultLog { name: name.into(), command: command.into() }
    }

    /// The results of a study that is a test, run by the make target of its name; the environment says how much of it was run.
    pub fn of_study(name: &str) -> Self {
        let set = ["STICTION_STUDY", "STICTION_FITS"].into_iter().filter_map(|key| {
            let value = std::env::var(key).ok()?;
            Some(format!("{key}={value}"))
        });
        ResultLog::new(name, &format!("make {name} ({})", set.collect::<Vec<_>>().join(", ")))
    }

    /// The results of this program, as it was called.
    pub fn of_this_program(name: &str) -> Self {
        let mut arguments = std::env::args_os();
        let program = arguments.next().map(PathBuf::from);
        let program = program.as_ref().and_then(|path| path.file_stem()).unwrap_or_default();
        let words = std::iter::once(program.to_os_string()).chain(arguments);
        ResultLog::new(name, &words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" "))
    }

    /// Adds a measurement. Nothing is written outside of the source tree, unless `STICTION_RESULTS` names a folder.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn add(&self, measurement: &Measurement) -> io::Result<()> {
        self.write(&ResultRow::Measured(measurement.clone()))
    }

    /// Adds the verdict of a figure: "reproduced", "partly" or "not reproduced".
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn add_figure(&self, name: &str, verdict: &str) -> io::Result<()> {
        self.write(&ResultRow::Figure(FigureRow { name: name.into(), verdict: verdict.into() }))
    }

    fn write(&self, row: &ResultRow) -> io::Result<()> {
        let Some(folder) = folder() else { return Ok(()) };
        let path = folder.join(format!("{}.jsonl", self.name));
        let mut begun = BEGUN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        let mut file = if begun.contains(&path) {
            OpenOptions::new().append(true).open(&path)?
        } else {
            std::fs::create_dir_all(&folder)?;
            text = json(&Origin::now(&self.name, &self.command))?;
            File::create(&path)?
        };
        text += &json(row)?;
        file.write_all(text.as_bytes())?;
        begun.insert(path);
        Ok(())
    }
}

/// One line.
fn json(value: &impl serde::Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}
