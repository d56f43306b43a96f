//! Opens recordings.

use crate::entries::Entries;
use crate::mcap::{MAGIC, op};
use crate::opening::HEADER_NAME;
use crate::records::{RecordPlace, Step, attachment, take_sized};
use crate::{Header, RecordError};
use crc32fast::Hasher;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// A recording that can be read.
pub struct Recording<R> {
    from: R,
    header: Header,
    /// After the header.
    start: RecordPlace,
    closed: bool,
}

impl Recording<BufReader<File>> {
    /// Opens a recording and reads its header.
    ///
    /// # Errors
    /// [`RecordError`] where there is no such file, or it is no recording that this version can read.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(|cause| RecordError::Open { path: path.into(), cause })?;
        Self::new(BufReader::with_capacity(1 << 16, file))
    }
}

impl<R: Read + Seek> Recording<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// As [`open`](Recording::open).
    pub fn new(mut from: R) -> Result<Self, RecordError> {
        let read = |cause| RecordError::Read { byte: 0, cause };
        let end = from.seek(SeekFrom::End(0)).map_err(read)?;
        let mut place = RecordPlace { at: 0, end, sum: Hasher::new() };
        let mut last = [0; MAGIC.len()];
        if end >= MAGIC.len() as u64 {
            from.seek(SeekFrom::End(-(MAGIC.len() as i64))).map_err(read)?;
            from.read_exact(&mut last).map_err(read)?;
        }
        from.seek(SeekFrom::Start(0)).map_err(read)?;
        let header = header(&mut place, &mut from)?;
        Ok(Recording { from, header, start: place, closed: last == MAGIC })
    }

    /// What was known before the first tick.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.start.end
    }

    /// Whether the file has its end; where it has not, [`Entries::cut_off`] tells more.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// All entries from the first, in the order in which they were written. One chunk is in memory at a time.
    ///
    /// # Errors
    /// [`RecordError::Read`].
    pub fn entries(&mut self) -> Result<Entries<'_, R>, RecordError> {
        let byte = self.start.at;
        self.from.seek(SeekFrom::Start(byte)).map_err(|cause| RecordError::Read { byte, cause })?;
        Ok(Entries::new(&mut self.from, self.start.clone(), self.closed, &self.header))
    }
}

/// First bytes, first record, our header after it, and what is attached.
fn header(place: &mut RecordPlace, from: &mut impl Read) -> Result<Header, RecordError> {
    let have = place.left().min(MAGIC.len() as u64) as usize;
    let mut magic = [0; MAGIC.len()];
    if have == 0 {
        return Err(RecordError::Empty);
    }
    for byte in &mut magic[..have] {
        [*byte] = place.bytes(from)?;
    }
    if magic[..have] != MAGIC[..have] {
        return Err(RecordError::NotMcap);
    }
    let mut content = Vec::new();
    let mut next = |place: &mut RecordPlace, content: &mut Vec<u8>| match place.record(from, content)? {
        Step::Record(kind) => Ok(kind),
        Step::Short => Err(RecordError::CutBeforeHeader(place.end)),
    };
    let kind = next(place, &mut content)?;
    if kind != op::HEADER || take_sized(&mut &content[..]) != Some(b"stiction") {
        return Err(RecordError::NotOurs("its profile is another"));
    }
    let byte = place.at;
    if next(place, &mut content)? != op::ATTACHMENT {
        return Err(RecordError::NotOurs("its first attachment is not our header"));
    }
    let (name, json) = attachment(&content).map_err(|what| RecordError::Corrupt { byte, what })?;
    if name != HEADER_NAME.as_bytes() {
        return Err(RecordError::NotOurs("its first attachment is not our header"));
    }
    let mut header = Header::parse(json)?;
    for announced in &mut header.attachments {
        let byte = place.at;
        let corrupt = |what| RecordError::Corrupt { byte, what };
        if next(place, &mut content)? != op::ATTACHMENT {
            return Err(corrupt("an attachment is missing that the header has"));
        }
        let (name, bytes) = attachment(&content).map_err(corrupt)?;
        if name != announced.name.as_bytes() {
            return Err(corrupt("an attachment has another name than in the header"));
        }
        announced.bytes = bytes.into();
    }
    header.check()?;
    Ok(header)
}
