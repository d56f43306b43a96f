//! The records of a file, one after the other, with checksum and place.

use crate::mcap::PREFIX;
use crate::proto::take;
use crate::{LONGEST_ATTACHMENT, RecordError};
use crc32fast::Hasher;
use std::io::{self, Read};

/// No record of ours is longer: an attachment with its names.
const LONGEST: u64 = LONGEST_ATTACHMENT as u64 + (1 << 20);
/// No chunk of ours is longer when unpacked.
const LONGEST_CHUNK: u64 = 16 << 20;

/// A record, or why there is none.
pub enum Step {
    /// Of this kind; its content was read.
    Record(u8),
    /// The file ends within it, or before it.
    Short,
}

/// Where a reader is in a file.
#[derive(Clone)]
pub struct RecordPlace {
    /// The next byte.
    pub at: u64,
    /// Where the file ends.
    pub end: u64,
    /// Checksum of all bytes before `at`, since the start or since [`fresh`](Self::fresh).
    pub sum: Hasher,
}

impl RecordPlace {
    pub fn left(&self) -> u64 {
        self.end.saturating_sub(self.at)
    }

    /// Begins a new checksum.
    pub fn fresh(&mut self) {
        self.sum = Hasher::new();
    }

    /// Reads bytes that are there.
    pub fn bytes<const N: usize>(&mut self, from: &mut impl Read) -> Result<[u8; N], RecordError> {
        let mut bytes = [0; N];
        self.fill(from, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads a record. The place is only past it where there was one.
    pub fn record(&mut self, from: &mut impl Read, content: &mut Vec<u8>) -> Result<Step, RecordError> {
        content.clear();
        let start = self.at;
        if self.left() < PREFIX as u64 {
            return Ok(Step::Short);
        }
        let [kind, length @ ..] = self.bytes::<PREFIX>(from)?;
        let length = u64::from_le_bytes(length);
        if length > self.left() {
            self.at = start;
            return Ok(Step::Short);
        }
        if length > LONGEST {
            return Err(RecordError::Corrupt { byte: start, what: "a record is too long" });
        }
        content.resize(length as usize, 0);
        self.fill(from, content)?;
        Ok(Step::Record(kind))
    }

    fn fill(&mut self, from: &mut impl Read, bytes: &mut [u8]) -> Result<(), RecordError> {
        from.read_exact(bytes).map_err(|cause| RecordError::Read { byte: self.at, cause })?;
        self.sum.update(bytes);
        self.at += bytes.len() as u64;
        Ok(())
    }
}

pub fn take16(bytes: &mut &[u8]) -> Option<u16> {
    take(bytes).map(u16::from_le_bytes)
}

pub fn take32(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes).map(u32::from_le_bytes)
}

pub fn take64(bytes: &mut &[u8]) -> Option<u64> {
    take(bytes).map(u64::from_le_bytes)
}

/// As many bytes as that.
pub fn take_bytes<'a>(bytes: &mut &'a [u8], length: u64) -> Option<&'a [u8]> {
    let (head, tail) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    *bytes = tail;
    Some(head)
}

/// A text or a map after its 32-bit length.
pub fn take_sized<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = take32(bytes)?;
    take_bytes(bytes, length.into())
}

/// The name and the data of an attachment; the error says what does not fit.
pub fn attachment(content: &[u8]) -> Result<(&[u8], &[u8]), &'static str> {
    let (checked, sum) = content.split_last_chunk().ok_or("an attachment is too short")?;
    if crc32fast::hash(checked) != u32::from_le_bytes(*sum) {
        return Err("an attachment's checksum differs");
    }
    let mut rest = checked;
    let mut parse = || {
        let _times = [take64(&mut rest)?, take64(&mut rest)?];
        let (name, _media_type) = (take_sized(&mut rest)?, take_sized(&mut rest)?);
        let length = take64(&mut rest)?;
        Some((name, take_bytes(&mut rest, length)?))
    };
    parse().ok_or("an attachment is too short")
}

/// Unpacks a chunk; the error says what does not fit.
pub fn unpack(mut content: &[u8], plain: &mut Vec<u8>) -> Result<(), &'static str> {
    plain.clear();
    let mut parse = || {
        let _times = [take64(&mut content)?, take64(&mut content)?];
        let (length, sum) = (take64(&mut content)?, take32(&mut content)?);
        let compression = take_sized(&mut content)?;
        let packed = take64(&mut content)?;
        Some((length, sum, compression, take_bytes(&mut content, packed)?))
    };
    let (length, sum, compression, data) = parse().ok_or("a chunk is too short")?;
    if length > LONGEST_CHUNK || !content.is_empty() {
        return Err("a chunk has a wrong length");
    }
    plain.reserve(length as usize + 1);
    match compression {
        b"" => plain.extend_from_slice(data),
        b"lz4" => unpack_lz4(data, length, plain).map_err(|_| "a chunk cannot be unpacked")?,
        _ => return Err("a chunk is compressed in a way that Stiction does not use"),
    }
    if plain.len() as u64 != length || crc32fast::hash(plain) != sum {
        return Err("a chunk's checksum differs");
    }
    Ok(())
}

fn unpack_lz4(data: &[u8], length: u64, plain: &mut Vec<u8>) -> io::Result<()> {
    lz4_flex::frame::FrameDecoder::new(data).take(length + 1).read_to_end(plain).map(|_| ())
}
