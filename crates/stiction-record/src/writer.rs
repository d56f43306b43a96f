//! Entries into a file, chunk by chunk. What is in a finished chunk is safe; nothing that was written is ever touched again.

use crate::chunk::Chunk;
use crate::mcap::{op, put32, record};
use crate::opening::opening;
use crate::summary::FileSummary;
use crate::{Entry, Header, RecordError, RecordOutput, WriteOptions};
use crc32fast::Hasher;
use std::io;
use std::time::{Duration, Instant};

/// The disk is asked to keep what it has no more often than this: a bit less than a chunk's time, so that each chunk gets its turn.
const SYNC_EVERY: Duration = Duration::from_millis(450);

/// Writes entries as they come, without a thread: for runs that need not keep time. See [`Recorder`](crate::Recorder) for loops.
///
/// Dropping it ends the file as [`finish`](Self::finish) does.
pub struct Writer<S: RecordOutput> {
    sink: S,
    compress: bool,
    hands: u8,
    columns: usize,
    started: u64,
    /// The loop's clock at the first entry.
    first_ns: Option<u64>,
    chunk: Chunk,
    summary: FileSummary,
    /// On its way out.
    out: Vec<u8>,
    /// How far the file is, and the checksum up to there.
    position: u64,
    sum: Hasher,
    entries: u64,
    written: u64,
    synced: Instant,
    ended: bool,
    failure: Option<String>,
}

impl<S: RecordOutput> Writer<S> {
    /// Begins a recording: the header is written at once.
    ///
    /// # Errors
    /// [`RecordError`] where the header makes no sense or cannot be written.
    pub fn new(sink: S, header: &Header, options: WriteOptions) -> Result<Self, RecordError> {
        let json = header.json()?;
        let (out, summary) = opening(header, &json);
        let mut writer = Writer {
            sink,
            compress: options.compress,
            hands: header.hands,
            columns: header.columns.len(),
            started: header.started_unix_ns,
            first_ns: None,
            chunk: Chunk::new(header),
            summary,
            out,
            position: 0,
            sum: Hasher::new(),
            entries: 0,
            written: 0,
            synced: Instant::now(),
            ended: false,
            failure: None,
        };
        writer.attempt(|w| {
            w.send()?;
            w.sink.sync()
        })?;
        Ok(writer)
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// [`RecordError::NoSuchHand`]; [`RecordError::RowLength`]; [`RecordError::Write`]: what was written before stays, and nothing more can be added.
    pub fn add(&mut self, entry: &Entry) -> Result<(), RecordError> {
        if entry.hand >= self.hands {
            return Err(RecordError::NoSuchHand { hand: entry.hand, hands: self.hands });
        }
        let (found, columns) = (entry.row.words().len(), self.columns);
        if found != columns {
            return Err(RecordError::RowLength { found, columns });
        }
        let now = entry.input.now_ns;
        let since = now.saturating_sub(*self.first_ns.get_or_insert(now));
        let time = self.started.saturating_add(since);
        self.attempt(|w| {
            if w.ended {
                return Err(io::Error::other("it was finished before"));
            }
            if w.chunk.is_full(time) {
                w.end_chunk()?;
            }
            w.chunk.add(entry, w.entries, time, &mut w.summary);
            w.entries += 1;
            Ok(())
        })
    }

    /// Finishes the chunk in work if it is older than half a second of real time.
    pub(crate) fn flush_old(&mut self) -> Result<(), RecordError> {
        self.attempt(|w| if w.chunk.is_old() { w.end_chunk() } else { Ok(()) })
    }

    /// Writes what is left and the summary, and ends the file. Again, it does nothing.
    ///
    /// # Errors
    /// [`RecordError::Write`], also where it failed before: what was written stays.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        self.attempt(|w| if w.ended { Ok(()) } else { w.end() })
    }

    /// Entries in finished chunks.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Bytes handed to the sink.
    pub fn bytes(&self) -> u64 {
        self.position
    }

    /// After a failure nothing more is written: what comes after a torn record could not be read.
    fn attempt(&mut self, what: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), RecordError> {
        if self.failure.is_none() {
            self.failure = what(self).err().map(|cause| cause.to_string());
        }
        match &self.failure {
            None => Ok(()),
            Some(cause) => Err(RecordError::Write { written: self.written, cause: cause.clone() }),
        }
    }

    /// Hands the chunk in work to the disk, if there is anything in it.
    fn end_chunk(&mut self) -> io::Result<()> {
        if self.chunk.entries() == 0 {
            return Ok(());
        }
        self.out.clear();
        let entries = self.chunk.finish(self.compress, self.position, &mut self.out, &mut self.summary)?;
        self.send()?;
        self.written += entries;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sink.sync()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.end_chunk()?;
        self.out.clear();
        let sum = self.sum.clone().finalize();
        record(&mut self.out, op::DATA_END, |out| put32(out, sum));
        let ending = self.summary.ending(self.position + self.out.len() as u64);
        self.out.extend_from_slice(&ending);
        self.send()?;
        self.sink.sync()?;
        self.ended = true;
        Ok(())
    }

    fn send(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.out)?;
        self.sum.update(&self.out);
        self.position += self.out.len() as u64;
        self.sink.flush()
    }
}

impl<S: RecordOutput> Drop for Writer<S> {
    fn drop(&mut self) {
        // Who wants to know calls `finish`.
        let _ = self.finish();
    }
}
