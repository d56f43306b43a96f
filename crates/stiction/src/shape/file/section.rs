//! Reading a section: everything that is read is counted and goes into its checksum.

use super::{CHUNK, DecodeError, name};
use std::io::{ErrorKind, Read};
use xxhash_rust::xxh3::Xxh3;

/// A row of the table.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub tag: [u8; 4],
    pub length: u64,
    pub checksum: u64,
}

pub(super) struct Section<'r, R> {
    reader: &'r mut R,
    row: Row,
    left: u64,
    hash: Xxh3,
    buffer: Vec<u8>,
}

/// `read_exact` with our errors.
pub(super) fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> Result<(), DecodeError> {
    reader.read_exact(bytes).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => DecodeError::Truncated,
        _ => DecodeError::Read(error),
    })
}

/// Room for so many elements; an error where there is none.
pub(super) fn room<T>(count: usize) -> Result<Vec<T>, DecodeError> {
    let mut all = Vec::new();
    let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
    all.try_reserve_exact(count).map_err(|_| DecodeError::Memory(bytes))?;
    Ok(all)
}

impl<'r, R: Read> Section<'r, R> {
    pub fn new(reader: &'r mut R, row: Row) -> Self {
        Section { reader, row, left: row.length, hash: Xxh3::new(), buffer: Vec::new() }
    }

    pub fn error(&self, reason: impl Into<String>) -> DecodeError {
        DecodeError::Section { section: name(self.row.tag), reason: reason.into() }
    }

    /// The next `N` bytes.
    pub fn bytes<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        if self.left < N as u64 {
            return Err(self.error("it is too short"));
        }
        let mut bytes = [0; N];
        fill(self.reader, &mut bytes)?;
        self.hash.update(&bytes);
        self.left -= N as u64;
        Ok(bytes)
    }

    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        self.bytes().map(u32::from_le_bytes)
    }

    pub fn f64(&mut self) -> Result<f64, DecodeError> {
        self.bytes().map(f64::from_le_bytes)
    }

    pub fn f64s<const N: usize>(&mut self) -> Result<[f64; N], DecodeError> {
        let mut all = [0.0; N];
        for x in &mut all {
            *x = self.f64()?;
        }
        Ok(all)
    }

    /// A field that this version writes as zero.
    pub fn zero(&mut self) -> Result<(), DecodeError> {
        if self.u32()? == 0 { Ok(()) } else { Err(self.error("a reserved number is not zero")) }
    }

    /// An array of `count` elements of `N` bytes each, which the section must have.
    pub fn array<T, const N: usize>(&mut self, count: u64, read: impl Fn([u8; N]) -> T) -> Result<Vec<T>, DecodeError> {
        if count.checked_mul(N as u64).is_none_or(|bytes| bytes > self.left) {
            return Err(self.error(format!("{count} entries of {N} bytes in {} bytes", self.left)));
        }
        let count = usize::try_from(count).map_err(|_| DecodeError::Memory(count))?;
        let mut all = room(count)?;
        self.chunks(count * N, CHUNK / N * N, |bytes| {
            let (elements, _) = bytes.as_chunks::<N>();
            all.extend(elements.iter().map(|element| read(*element)));
        })?;
        Ok(all)
    }

    /// What is left, and the checksum.
    pub fn rest(mut self) -> Result<Vec<u8>, DecodeError> {
        let count = self.left;
        let bytes = self.array(count, |[byte]: [u8; 1]| byte)?;
        self.finish()?;
        Ok(bytes)
    }

    /// Passes over what is left, and checks it.
    pub fn skip(mut self) -> Result<(), DecodeError> {
        while self.left > 0 {
            self.chunks(self.left.min(CHUNK as u64) as usize, CHUNK, |_| ())?;
        }
        self.finish()
    }

    /// Everything has been read, and as it was written.
    pub fn finish(self) -> Result<(), DecodeError> {
        if self.left > 0 {
            return Err(self.error(format!("{} bytes too many", self.left)));
        }
        let same = cfg!(fuzzing) || self.hash.digest() == self.row.checksum;
        if same { Ok(()) } else { Err(DecodeError::Checksum(name(self.row.tag))) }
    }

    fn chunks(&mut self, mut count: usize, most: usize, mut take: impl FnMut(&[u8])) -> Result<(), DecodeError> {
        self.buffer.resize(most.min(count), 0);
        while count > 0 {
            let bytes = &mut self.buffer[..most.min(count)];
            fill(self.reader, bytes)?;
            self.hash.update(bytes);
            take(bytes);
            count -= bytes.len();
            self.left -= bytes.len() as u64;
        }
        Ok(())
    }
}
