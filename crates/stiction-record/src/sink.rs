//! Where recordings go, and how.

use std::fs::File;
use std::io::{self, Write};

/// Where a recording goes.
pub trait Sink: Write {
    /// Returns when all that was written survives a loss of power. Does nothing where there is no such thing.
    ///
    /// # Errors
    /// Where the disk says so.
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

impl Sink for Vec<u8> {}
impl Sink for io::Sink {}
impl<S: Sink + ?Sized> Sink for &mut S {
    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}

/// How a recording is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Compresses chunks by LZ4: half the size for half as much time again (`cargo run --release --example cost`).
    pub compress: bool,
    /// Entries that wait for the writer's thread at most, for each feed: 4096 are 4 s at 1 kHz and 6 MB.
    pub ring: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { compress: true, ring: 4096 }
    }
}
