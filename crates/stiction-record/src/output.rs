//! Where recordings go, and how.

use std::fs::File;
use std::io::{self, Write};

/// Where a recording goes.
pub trait RecordOutput: Write {
    /// Returns when all that was written survives a loss of power. Does nothing where there is no such thing.
    ///
    /// # Errors
    /// Where the disk says so.
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

/// How a recording is written.
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
