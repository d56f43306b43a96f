//! The chunk in work: messages that wait to be written together.

use crate::foxglove_pose::{FoxglovePose, PoseColumns, RATE, pose_columns};
use crate::mcap::{message, op, put_sized, put_text, put16, put32, put64, record};
use crate::proto::encode;
use crate::summary::{FRAMES, FileSummary, HAND, Listed, PART, channel_id};
use crate::tables::tables;
use crate::{Entry, Header, MAX_HANDS};
use std::io::{self, Write};
use std::time::{Duration, Instant};
use stiction::columns::Column;

/// A chunk is finished after so much recorded time (ns), or in the recorder after so much real time.
const SPAN_NS: u64 = 500_000_000;
/// And as soon as it has so many bytes.
const BYTES: usize = 1 << 20;

pub struct Chunk {
    /// The messages, their first and last time, and where they are, by channel.
    data: Vec<u8>,
    times: [u64; 2],
    index: Vec<Vec<u8>>,
    /// Since when it is in work.
    began: Instant,
    entries: u64,
    /// The columns of ticks, and those of the poses that viewers draw: of the hand and of the part.
    columns: Vec<Column>,
    poses: [Option<PoseColumns>; 2],
    /// When the viewer gets its next picture, by hand.
    next_view: [u64; MAX_HANDS as usize],
}

impl Chunk {
    pub fn new(header: &Header) -> Self {
        Chunk {
            data: Vec::with_capacity(BYTES + 4096),
            times: [0; 2],
            index: vec![Vec::new(); usize::from(channel_id(header.hands, 0))],
            began: Instant::now(),
            entries: 0,
            columns: header.columns.clone(),
            poses: ["hand", "part"].map(|name| pose_columns(&header.columns, name)),
            next_view: [0; MAX_HANDS as usize],
        }
    }

    /// Entries in it.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Whether it is to be finished before an entry of that time.
    pub fn is_full(&self, time: u64) -> bool {
        self.entries > 0 && (time >= self.times[0].saturating_add(SPAN_NS) || self.data.len() >= BYTES)
    }

    /// Whether it has been in work for too long, by the clock on the wall.
    pub fn is_old(&self) -> bool {
        self.entries > 0 && self.began.elapsed() >= Duration::from_nanos(SPAN_NS)
    }

    /// Adds an entry, which is the `number`th of the file.
    pub fn add(&mut self, entry: &Entry, number: u64, time: u64, summary: &mut FileSummary) {
        if self.entries == 0 {
            self.times = [time; 2];
            self.began = Instant::now();
        }
        self.times = [self.times[0].min(time), self.times[1].max(time)];
        self.entries += 1;
        let mut put = |which: u16, fill: &dyn Fn(&mut Vec<u8>)| {
            let channel = channel_id(entry.hand, which);
            let index = &mut self.index[usize::from(channel)];
            put64(index, time);
            put64(index, self.data.len() as u64);
            summary.count(channel);
            // The number of the entry: where one is missing, a chunk is.
            message(&mut self.data, channel, number as u32, time, fill);
        };
        let words = entry.words();
        let mut rest = &words[..];
        for (table, which) in tables(&self.columns).into_iter().zip(0..) {
            let (mine, others) = rest.split_at(table.columns.len());
            rest = others;
            put(which, &|out| encode(table.columns, mine, out));
        }
        const STEP: u64 = 1_000_000_000 / RATE;
        let next = &mut self.next_view[usize::from(entry.hand)];
        // A clock that was set back must not blind the viewer until it has caught up.
        if time < *next && *next - time <= STEP {
            return;
        }
        *next = time.saturating_add(STEP) / STEP * STEP;
        for (columns, (name, which)) in self.poses.iter().zip([("hand", HAND), ("part", PART)]) {
            let Some(seen) = columns.as_ref().and_then(|columns| FoxglovePose::of(&entry.row, columns)) else {
                continue;
            };
            let name = if entry.hand == 0 { name.to_string() } else { format!("{name}/{}", entry.hand) };
            put(which, &|out| seen.in_frame(time, out));
            put(FRAMES, &|out| seen.transform(&name, time, out));
        }
    }

    /// Adds its records to `out`, which goes to byte `at` of the file, lists it, and begins anew. Gives its entries.
    pub fn finish(&mut self, compress: bool, at: u64, out: &mut Vec<u8>, summary: &mut FileSummary) -> io::Result<u64> {
        let (packed, compression) = if compress { (Some(pack(&self.data)?), "lz4") } else { (None, "") };
        let content = packed.as_ref().unwrap_or(&self.data);
        record(out, op::CHUNK, |out| {
            [self.times[0], self.times[1], self.data.len() as u64].into_iter().for_each(|n| put64(out, n));
            put32(out, crc32fast::hash(&self.data));
            put_text(out, compression);
            put64(out, content.len() as u64);
            out.extend_from_slice(content);
        });
        let length = out.len();
        let mut indexes = Vec::with_capacity(self.index.len());
        for (index, channel) in self.index.iter_mut().zip(0..).filter(|(index, _)| !index.is_empty()) {
            indexes.push((channel, at + out.len() as u64));
            record(out, op::MESSAGE_INDEX, |out| {
                put16(out, channel);
                put_sized(out, index);
            });
            index.clear();
        }
        summary.chunk(&Listed {
            times: self.times,
            at,
            length: length as u64,
            indexes: &indexes,
            indexes_length: (out.len() - length) as u64,
            compression,
            packed: content.len() as u64,
            plain: self.data.len() as u64,
        });
        self.data.clear();
        Ok(std::mem::take(&mut self.entries))
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
