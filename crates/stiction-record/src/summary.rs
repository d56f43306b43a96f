//! Schemas and channels, and the summary at the end of a file, from which viewers find their way.

use crate::Header;
use crate::descriptor;
use crate::mcap::{MAGIC, channel, op, put_sized, put_text, put16, put32, put64, record, schema};
use crate::tables::tables;
use crc32fast::hash;

/// Channels of one hand: the exact ones in the order of [`tables`], then these.
pub const HAND: u16 = 4;
pub const PART: u16 = 5;
pub const FRAMES: u16 = 6;
pub const CHANNELS: u16 = 7;

/// Number of a hand's channel.
pub fn channel_id(hand: u8, which: u16) -> u16 {
    1 + CHANNELS * u16::from(hand) + which
}

fn schemas(header: &Header) -> Vec<u8> {
    let mut out = Vec::new();
    let foxglove = ["PoseInFrame", "FrameTransform"].map(descriptor::foxglove);
    let exact = tables(&header.columns).map(descriptor::exact);
    for ((name, data), id) in exact.into_iter().chain(foxglove).zip(1..) {
        schema(&mut out, id, &name, &data);
    }
    out
}

fn channels(header: &Header) -> Vec<u8> {
    let mut out = Vec::new();
    let exact = tables(&header.columns).map(|table| table.topic);
    for hand in 0..header.hands {
        for (name, which) in exact.iter().chain(&["hand", "part", "tf"]).zip(0..) {
            let topic = if hand == 0 { format!("/{name}") } else { format!("/{name}/{hand}") };
            let schema = [1, 2, 3, 4, 5, 5, 6][usize::from(which)];
            channel(&mut out, channel_id(hand, which), schema, &topic);
        }
    }
    out
}

/// A chunk as its index has it.
pub struct Listed<'a> {
    pub times: [u64; 2],
    pub at: u64,
    pub length: u64,
    /// Channel, and where its message index is.
    pub indexes: &'a [(u16, u64)],
    pub indexes_length: u64,
    pub compression: &'static str,
    pub packed: u64,
    pub plain: u64,
}

/// Chunks that are listed at most: nine hours. A longer recording has no summary, and viewers read it from the start.
const MAX_CHUNKS: u32 = 1 << 16;

/// What the summary says, gathered on the way.
#[derive(Default)]
pub struct FileSummary {
    hands: u8,
    attachments: u32,
    /// The schemas and channels of all messages.
    pub schemas: Vec<u8>,
    pub channels: Vec<u8>,
    /// Records that tell where those of the header are.
    pub attachment_index: Vec<u8>,
    pub metadata_index: Vec<u8>,
    counts: Vec<u64>,
    times: Option<[u64; 2]>,
    chunks: u32,
    chunk_indexes: Vec<u8>,
}

impl FileSummary {
    pub fn new(header: &Header) -> Self {
        FileSummary {
            hands: header.hands,
            attachments: 1 + header.attachments.len() as u32,
            schemas: schemas(header),
            channels: channels(header),
            ..FileSummary::default()
        }
    }

    /// Counts a message.
    pub fn count(&mut self, channel: u16) {
        let at = usize::from(channel);
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
    }

    /// Lists a chunk.
    pub fn chunk(&mut self, chunk: &Listed) {
        let [start, end] = chunk.times;
        let seen = self.times.unwrap_or(chunk.times);
        self.times = Some([seen[0].min(start), seen[1].max(end)]);
        self.chunks = self.chunks.saturating_add(1);
        if self.chunks > MAX_CHUNKS {
            self.chunk_indexes = Vec::new();
            return;
        }
        let mut map = Vec::with_capacity(10 * chunk.indexes.len());
        for (channel, at) in chunk.indexes {
            put16(&mut map, *channel);
            put64(&mut map, *at);
        }
        record(&mut self.chunk_indexes, op::CHUNK_INDEX, |out| {
            [start, end, chunk.at, chunk.length].into_iter().for_each(|n| put64(out, n));
            put_sized(out, &map);
            put64(out, chunk.indexes_length);
            put_text(out, chunk.compression);
            put64(out, chunk.packed);
            put64(out, chunk.plain);
        });
    }

    fn statistics(&self, out: &mut Vec<u8>) {
        let mut map = Vec::new();
        for (channel, count) in (0..).zip(&self.counts).filter(|(_, count)| **count > 0) {
            put16(&mut map, channel);
            put64(&mut map, *count);
        }
        record(out, op::STATISTICS, |out| {
            put64(out, self.counts.iter().sum());
            put16(out, 6);
            put32(out, u32::from(self.hands) * u32::from(CHANNELS));
            put32(out, self.attachments);
            put32(out, 1);
            put32(out, self.chunks);
            self.times.unwrap_or_default().into_iter().for_each(|t| put64(out, t));
            put_sized(out, &map);
        });
    }

    /// All that comes after the data, which end at byte `at`.
    pub fn ending(&self, at: u64) -> Vec<u8> {
        let mut out = Vec::new();
        let mut offsets = Vec::new();
        let (mut start, mut offsets_start) = (0, 0);
        if self.chunks <= MAX_CHUNKS {
            let mut group = |kind: u8, fill: &dyn Fn(&mut Vec<u8>)| {
                let before = out.len();
                fill(&mut out);
                if out.len() > before {
                    record(&mut offsets, op::SUMMARY_OFFSET, |o| {
                        o.push(kind);
                        put64(o, at + before as u64);
                        put64(o, (out.len() - before) as u64);
                    });
                }
            };
            group(op::SCHEMA, &|out| out.extend_from_slice(&self.schemas));
            group(op::CHANNEL, &|out| out.extend_from_slice(&self.channels));
            group(op::STATISTICS, &|out| self.statistics(out));
            group(op::CHUNK_INDEX, &|out| out.extend_from_slice(&self.chunk_indexes));
            group(op::ATTACHMENT_INDEX, &|out| out.extend_from_slice(&self.attachment_index));
            group(op::METADATA_INDEX, &|out| out.extend_from_slice(&self.metadata_index));
            (start, offsets_start) = (at, at + out.len() as u64);
            out.extend_from_slice(&offsets);
        }
        record(&mut out, op::FOOTER, |_| {});
        let footer = out.len();
        out[footer - 8..].copy_from_slice(&20u64.to_le_bytes());
        put64(&mut out, start);
        put64(&mut out, offsets_start);
        let sum = hash(&out);
        put32(&mut out, sum);
        out.extend_from_slice(&MAGIC);
        out
    }
}
