//! Recordings of haptic runs: write and read.
//!
//! A recording has all that went into a run and all that came out, to the bit: what the device said and when, the wrench that the engine
//! asked for and the one that was sent, the [row](stiction::columns::Row) of every tick, the scene, the parameters, the versions. A
//! replay feeds the input in again and demands the same bits.
//!
//! The file is MCAP with protobuf messages whose schemas are in it, so that existing viewers and libraries open it:
//!
//! | topic | what | rate |
//! |---|---|---|
//! | `/device` | what went in: pose, twist, buttons, times | every tick |
//! | `/wrench` | what the engine asked for, what was sent, the envelope's phase and fault | every tick |
//! | `/notes` | how long things took: no part of what must be equal | every tick |
//! | `/tick` | what the tick did: the columns of the engine | every tick |
//! | `/hand`, `/part`, `/tf` | poses by Foxglove's schemas, for 3-D views | 60 Hz |
//!
//! A second hand has `/device/1` and so on. The [`Header`] is the attachment `stiction.json`; [others](Attachment) may follow. Every field of a message is a
//! [column](stiction::columns::Column), by the same name and in the same order as in tables that are made of recordings.
//!
//! [`Recorder`] writes from a thread of its own: the loop's [`Feed`] neither waits nor allocates. A crash or a full disk loses less than a
//! second. [`Recording`] reads, also what was cut off; checksums cover every byte.
#![forbid(unsafe_code)]

mod chunk;
mod column_facts;
mod descriptor;
mod entries;
mod entry;
mod error;
mod feed;
mod foxglove_pose;
mod header;
mod mcap;
mod opening;
mod output;
mod proto;
mod recorder;
mod recording;
mod records;
mod summary;
mod survey;
mod tables;
mod writer;

pub use column_facts::ColumnFacts;
pub use entries::{CutOff, Entries};
pub use entry::{Entry, EntryInput, Notes};
pub use error::RecordError;
pub use feed::{Feed, RecorderCounts, RecorderState, RecorderStatus, RecorderWatch};
pub use header::{Attachment, BodyFacts, FORMAT, FileFacts, Header, LONGEST_ATTACHMENT, MAX_HANDS};
pub use output::{RecordOutput, WriteOptions};
pub use recorder::Recorder;
pub use recording::Recording;
pub use survey::{Gap, Survey};
pub use tables::{DEVICE_COLUMNS, NOTES_COLUMNS, WRENCH_COLUMNS};
pub use writer::Writer;
