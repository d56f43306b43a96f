//! Files and buffers that recordings are written to, and options of writing.

use std::fs::File;
use std::io::{self, Write};

/// A file or buffer that a recording is written to.
pub trait RecordOutput: Write {
    /// Returns when all that was written survives a loss of power. Does nothing for memory.
    ///
    /// # Errors
    /// If the disk reports an error.
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RecordOutput for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

impl RecordOutput for Vec<u8> {}
impl RecordOutput for io::Sink {}
impl<S: RecordOutput + ?Sized> RecordOutput for &mut S {
    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}

/// Options of writing a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// Compresses chunks by LZ4: half the size for half as much time again (`cargo run --release --example cost`).
    pub compress: bool,
    /// Entries that wait for the writer's thread at most, for each feed: 4096 are 4 s at 1 kHz and 6 MB.
    pub ring: usize,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions { compress: true, ring: 4096 }
    }
}
