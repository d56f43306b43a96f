//! Entries into a file, chunk by chunk. What is in a finished chunk is safe; nothing that was written is ever touched again.

use crate::fields::Topic;
use crate::mcap::{message, op, put_sized, put_text, put16, put32, put64, record};
use crate::opening::opening;
use crate::summary::{CHANNELS, Chunk, FRAMES, HAND, PART, Summary, channel_id};
use crate::view::{RATE, Seen};
use crate::{Entry, Header, MAX_PARTS, Options, RecordError, Sink};
use crc32fast::Hasher;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// A chunk is finished after so much recorded time (ns), or in the recorder after so much real time.
pub const SPAN_NS: u64 = 500_000_000;
/// And as soon as it has so many bytes.
pub const CHUNK_BYTES: usize = 1 << 20;
/// The disk is asked to keep what it has no more often than this: a bit less than a chunk's time, so that each chunk gets its turn.
const SYNC_EVERY: Duration = Duration::from_millis(450);

/// Writes entries as they come, without a thread: for runs that need not keep time. See [`Recorder`](crate::Recorder) for loops.
///
/// Dropping it ends the file as [`finish`](Self::finish) does.
pub struct Writer<S: Sink> {
    sink: S,
    compress: bool,
    parts: u8,
    started: u64,
    position: u64,
    sum: Hasher,
    /// Messages of the chunk in work, their times, and where they are, by channel.
    chunk: Vec<u8>,
    times: [u64; 2],
    began: Instant,
    index: Vec<Vec<u8>>,
    pending: u64,
    /// The finished chunk with its indexes, on its way out.
    packed: Vec<u8>,
    summary: Summary,
    entries: u64,
    written: u64,
    first_ns: Option<u64>,
    next_view: [u64; MAX_PARTS as usize],
    synced: Instant,
    ended: bool,
}

impl<S: Sink> Writer<S> {
    /// Begins a recording: the header is written at once.
    ///
    /// # Errors
    /// [`RecordError`] where the header makes no sense or cannot be written.
    pub fn new(sink: S, header: &Header, options: Options) -> Result<Self, RecordError> {
        let json = header.json()?;
        let time = header.started_unix_ns;
        let (out, summary) = opening(header, &json);
        let now = Instant::now();
        let mut writer = Writer {
            sink,
            compress: options.compress,
            parts: header.parts,
            started: time,
            position: 0,
            sum: Hasher::new(),
            chunk: Vec::with_capacity(CHUNK_BYTES + 4096),
            times: [0; 2],
            began: now,
            index: vec![Vec::new(); usize::from(channel_id(header.parts, 0))],
            pending: 0,
            packed: out,
            summary,
            entries: 0,
            written: 0,
            first_ns: None,
            next_view: [0; MAX_PARTS as usize],
            synced: now,
            ended: false,
        };
        writer.send().and_then(|()| writer.sink.sync()).map_err(|e| writer.error(&e))?;
        Ok(writer)
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// [`RecordError::Write`]: what was written before stays; nothing more can be added.
    pub fn add(&mut self, entry: &Entry) -> Result<(), RecordError> {
        let wrong = |what| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        let result = match () {
            () if self.ended => wrong("it had ended before"),
            () if entry.part >= self.parts => wrong("an entry of a part that the header does not have"),
            () => self.put(entry),
        };
        result.map_err(|e| self.error(&e))
    }

    fn put(&mut self, entry: &Entry) -> io::Result<()> {
        let now = entry.input.now_ns;
        let since = now.saturating_sub(*self.first_ns.get_or_insert(now));
        let time = self.started.saturating_add(since);
        if self.pending > 0 && (time >= self.times[0].saturating_add(SPAN_NS) || self.chunk.len() >= CHUNK_BYTES) {
            self.end_chunk()?;
        }
        if self.pending == 0 {
            self.times = [time; 2];
            self.began = Instant::now();
        }
        self.times = [self.times[0].min(time), self.times[1].max(time)];
        let words = entry.words();
        let mut rest = &words[..];
        for (topic, which) in Topic::ALL.into_iter().zip(0..) {
            let (mine, others) = rest.split_at(topic.fields().len());
            rest = others;
            self.message(entry.part, which, time, |out| crate::proto::encode(topic.fields(), mine, out));
        }
        self.view(entry, time);
        self.entries += 1;
        self.pending += 1;
        Ok(())
    }

    /// Adds the poses for viewers if it is time.
    fn view(&mut self, entry: &Entry, time: u64) {
        const STEP: u64 = 1_000_000_000 / RATE;
        let next = &mut self.next_view[usize::from(entry.part)];
        // A clock that was set back must not blind the viewer until it has caught up.
        if time < *next && *next - time <= STEP {
            return;
        }
        *next = time.saturating_add(STEP) / STEP * STEP;
        let [hand, part] = Seen::of(&entry.trace);
        for (seen, name, which) in [(hand, "hand", HAND), (part, "part", PART)] {
            let Some(seen) = seen else { continue };
            let name = if entry.part == 0 { name.to_string() } else { format!("{name}/{}", entry.part) };
            self.message(entry.part, which, time, |out| seen.in_frame(time, out));
            self.message(entry.part, FRAMES, time, |out| seen.transform(&name, time, out));
        }
    }

    fn message(&mut self, part: u8, which: u16, time: u64, fill: impl FnOnce(&mut Vec<u8>)) {
        let channel = channel_id(part, which);
        let index = &mut self.index[usize::from(channel)];
        put64(index, time);
        put64(index, self.chunk.len() as u64);
        self.summary.count(channel);
        // The number of the entry: where one is missing, a chunk is.
        message(&mut self.chunk, channel, self.entries as u32, time, fill);
    }

    /// Finishes the chunk in work, if there is anything in it, and hands it to the disk.
    fn end_chunk(&mut self) -> io::Result<()> {
        if self.pending == 0 {
            return Ok(());
        }
        let sum = crc32fast::hash(&self.chunk);
        let packed = if self.compress { Some(pack(&self.chunk)?) } else { None };
        let compression = if self.compress { "lz4" } else { "" };
        let content = packed.as_ref().unwrap_or(&self.chunk);
        let mut out = std::mem::take(&mut self.packed);
        out.clear();
        record(&mut out, op::CHUNK, |out| {
            [self.times[0], self.times[1], self.chunk.len() as u64].into_iter().for_each(|n| put64(out, n));
            put32(out, sum);
            put_text(out, compression);
            put64(out, content.len() as u64);
            out.extend_from_slice(content);
        });
        let length = out.len();
        let mut indexes = Vec::with_capacity(usize::from(CHANNELS) * usize::from(self.parts));
        for (index, channel) in self.index.iter_mut().zip(0..).filter(|(index, _)| !index.is_empty()) {
            indexes.push((channel, self.position + out.len() as u64));
            record(&mut out, op::MESSAGE_INDEX, |out| {
                put16(out, channel);
                put_sized(out, index);
            });
            index.clear();
        }
        let chunk = Chunk {
            times: self.times,
            at: self.position,
            length: length as u64,
            indexes: &indexes,
            indexes_length: (out.len() - length) as u64,
            compression,
            packed: content.len() as u64,
            plain: self.chunk.len() as u64,
        };
        self.summary.chunk(&chunk);
        self.chunk.clear();
        self.packed = out;
        let pending = std::mem::take(&mut self.pending);
        self.send()?;
        self.written += pending;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sink.sync()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Writes what is packed.
    fn send(&mut self) -> io::Result<()> {
        self.sum.update(&self.packed);
        self.position += self.packed.len() as u64;
        self.sink.write_all(&self.packed)?;
        self.sink.flush()
    }

    /// Finishes the chunk in work if it is older than half a second of real time, or at once.
    pub(crate) fn flush_old(&mut self) -> Result<(), RecordError> {
        let old = self.pending > 0 && self.began.elapsed() >= Duration::from_nanos(SPAN_NS);
        if old && !self.ended { self.end_chunk().map_err(|e| self.error(&e)) } else { Ok(()) }
    }

    /// Writes what is left and the summary, and ends the file. Again, it does nothing.
    ///
    /// # Errors
    /// [`RecordError::Write`]: what was written before stays.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        if self.ended {
            return Ok(());
        }
        self.end().map_err(|e| self.error(&e))
    }

    fn end(&mut self) -> io::Result<()> {
        self.end_chunk()?;
        self.packed.clear();
        let sum = self.sum.clone().finalize();
        record(&mut self.packed, op::DATA_END, |out| put32(out, sum));
        let ending = self.summary.ending(self.position + self.packed.len() as u64);
        self.packed.extend_from_slice(&ending);
        self.send()?;
        self.sink.sync()?;
        self.ended = true;
        Ok(())
    }

    /// After an error nothing more is written: what comes after a torn record could not be read.
    fn error(&mut self, cause: &io::Error) -> RecordError {
        self.ended = true;
        RecordError::Write { written: self.written, cause: cause.to_string() }
    }

    /// Entries in finished chunks.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Bytes handed to the sink.
    pub fn bytes(&self) -> u64 {
        self.position
    }
}

impl<S: Sink> Drop for Writer<S> {
    fn drop(&mut self) {
        // Who wants to know calls `finish`.
        let _ = self.finish();
    }
}

/// Compressed as one LZ4 frame.
fn pack(plain: &[u8]) -> io::Result<Vec<u8>> {
    use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};
    let info = FrameInfo::new().block_mode(BlockMode::Linked).block_size(BlockSize::Max256KB);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::with_capacity(plain.len() / 2));
    encoder.write_all(plain)?;
    encoder.finish().map_err(io::Error::other)
}
