//! The records of MCAP that are written: a byte for the kind, eight for the length, and the content, all little-endian. By the
//! specification of the format, version 0.

use crc32fast::hash;

/// First and last bytes of a file.
pub const MAGIC: [u8; 8] = *b"\x89MCAP0\r\n";
/// Bytes before the content of a record.
pub const PREFIX: usize = 9;

/// Kinds of records.
pub mod op {
    pub const HEADER: u8 = 0x01;
    pub const FOOTER: u8 = 0x02;
    pub const SCHEMA: u8 = 0x03;
    pub const CHANNEL: u8 = 0x04;
    pub const MESSAGE: u8 = 0x05;
    pub const CHUNK: u8 = 0x06;
    pub const MESSAGE_INDEX: u8 = 0x07;
    pub const CHUNK_INDEX: u8 = 0x08;
    pub const ATTACHMENT: u8 = 0x09;
    pub const ATTACHMENT_INDEX: u8 = 0x0a;
    pub const STATISTICS: u8 = 0x0b;
    pub const METADATA: u8 = 0x0c;
    pub const METADATA_INDEX: u8 = 0x0d;
    pub const SUMMARY_OFFSET: u8 = 0x0e;
    pub const DATA_END: u8 = 0x0f;
}

/// Adds a record whose content `fill` writes.
pub fn record(out: &mut Vec<u8>, kind: u8, fill: impl FnOnce(&mut Vec<u8>)) {
    out.push(kind);
    let at = out.len();
    out.extend_from_slice(&[0; 8]);
    fill(out);
    let length = (out.len() - at - 8) as u64;
    out[at..at + 8].copy_from_slice(&length.to_le_bytes());
}

pub fn put16(out: &mut Vec<u8>, n: u16) {
    out.extend_from_slice(&n.to_le_bytes());
}

pub fn put32(out: &mut Vec<u8>, n: u32) {
    out.extend_from_slice(&n.to_le_bytes());
}

pub fn put64(out: &mut Vec<u8>, n: u64) {
    out.extend_from_slice(&n.to_le_bytes());
}

/// Bytes after their 32-bit length: texts, maps, arrays.
pub fn put_sized(out: &mut Vec<u8>, bytes: &[u8]) {
    put32(out, bytes.len() as u32);
    out.extend_from_slice(bytes);
}

pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put_sized(out, text.as_bytes());
}

pub fn schema(out: &mut Vec<u8>, id: u16, name: &str, data: &[u8]) {
    record(out, op::SCHEMA, |out| {
        put16(out, id);
        put_text(out, name);
        put_text(out, "protobuf");
        put_sized(out, data);
    });
}

pub fn channel(out: &mut Vec<u8>, id: u16, schema: u16, topic: &str) {
    record(out, op::CHANNEL, |out| {
        put16(out, id);
        put16(out, schema);
        put_text(out, topic);
        put_text(out, "protobuf");
        put_sized(out, &[]);
    });
}

/// A message whose data `fill` writes.
pub fn message(out: &mut Vec<u8>, channel: u16, sequence: u32, time: u64, fill: impl FnOnce(&mut Vec<u8>)) {
    record(out, op::MESSAGE, |out| {
        put16(out, channel);
        put32(out, sequence);
        put64(out, time);
        put64(out, time);
        fill(out);
    });
}

pub fn attachment(out: &mut Vec<u8>, name: &str, media_type: &str, time: u64, data: &[u8]) {
    record(out, op::ATTACHMENT, |out| {
        let at = out.len();
        put64(out, time);
        put64(out, time);
        put_text(out, name);
        put_text(out, media_type);
        put64(out, data.len() as u64);
        out.extend_from_slice(data);
        let sum = hash(&out[at..]);
        put32(out, sum);
    });
}

pub fn metadata(out: &mut Vec<u8>, name: &str, pairs: &[(&str, &str)]) {
    let mut map = Vec::new();
    for (key, value) in pairs {
        put_text(&mut map, key);
        put_text(&mut map, value);
    }
    record(out, op::METADATA, |out| {
        put_text(out, name);
        put_sized(out, &map);
    });
}
