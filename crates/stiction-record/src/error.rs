//! What can be wrong with a recording: the cause, and what to do about it.

use std::path::PathBuf;

/// Errors from writing or reading a recording.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file could not be opened.
    #[error("{}: {cause}: check the path", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// A file of that name is there.
    #[error("{} is already there: give another name, or remove it first", .0.display())]
    Exists(PathBuf),
    /// Reading failed.
    #[error("reading failed at byte {byte}: {cause}: try again, or copy the file to another disk")]
    Read {
        /// Position in the file (bytes).
        byte: u64,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file is empty.
    #[error("the file is empty: the recording never began; record again")]
    Empty,
    /// No MCAP file.
    #[error("this is no MCAP file: give a file that `stiction record` wrote")]
    NotMcap,
    /// An MCAP file of another program.
    #[error("this is an MCAP file, but no recording of Stiction ({0}): give a file that `stiction record` wrote")]
    NotOurs(&'static str),
    /// A newer version wrote it.
    #[error(
        "the recording has format {found} (by Stiction {stiction}), and this program reads format {}: use that version or a newer one",
        crate::FORMAT
    )]
    Newer {
        /// Format of the file.
        found: u32,
        /// The version that wrote it.
        stiction: String,
    },
    /// A version before format 3 wrote it.
    #[error(
        "the recording has format {found}, and this program reads format {}: use the version that wrote it, which is {stiction} ({build})",
        crate::FORMAT
    )]
    Older {
        /// Format of the file.
        found: u32,
        /// The version that wrote it.
        stiction: String,
        /// How that was built.
        build: String,
    },
    /// The header makes no sense.
    #[error("the recording's header is wrong: {0}: record again")]
    Header(String),
    /// Cut off before the first tick.
    #[error("the recording is cut off at byte {0}, before its first tick: nothing can be read; record again")]
    CutBeforeHeader(u64),
    /// The file is damaged.
    #[error(
        "the recording is damaged at byte {byte} ({what}): what comes before is good; use another copy of the file, or record again"
    )]
    Corrupt {
        /// Where the damaged record begins.
        byte: u64,
        /// What does not fit.
        what: &'static str,
    },
    /// Writing failed.
    #[error(
        "the recording ended early ({cause}); {}: free some space and record again",
        if *written > 0 { format!("its first {written} ticks are kept in the file and can be read") } else { "nothing of it was kept".into() }
    )]
    Write {
        /// Entries in the file.
        written: u64,
        /// What the system says.
        cause: String,
    },
    /// An entry of a hand that the header does not have.
    #[error("an entry of hand {hand} in a recording of {hands} hands, which count from 0: say so in the header")]
    NoSuchHand {
        /// Number of the hand.
        hand: u8,
        /// Hands by the header.
        hands: u8,
    },
    /// An entry whose row does not fit the header's columns.
    #[error("a row of {found} words in a recording of {columns} columns: put the engine's columns into the header")]
    RowLength {
        /// Words of its row.
        found: usize,
        /// Columns by the header.
        columns: usize,
    },
    /// Made under other circumstances.
    #[error("the recording was made with another {what} (recorded: {recorded}; now: {now}): {remedy}")]
    Differs {
        /// What differs.
        what: &'static str,
        /// As it was.
        recorded: String,
        /// As it is.
        now: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The writer's thread could not be started.
    #[error("the recorder's thread could not be started: {0}")]
    Thread(std::io::Error),
}
