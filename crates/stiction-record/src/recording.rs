//! Reads recordings, also such as were cut off.

use crate::fields::{Topic, WORDS};
use crate::mcap::{MAGIC, op};
use crate::opening::HEADER_NAME;
use crate::proto;
use crate::records::{Place, Step, attachment, take_sized, take16, take32, take64, unpack};
use crate::summary::CHANNELS;
use crate::{Entry, Header, RecordError};
use crc32fast::Hasher;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Where a recording ends that was never finished: the program was ended, or the disk was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutOff {
    /// All is read up to this byte; from there on something is missing.
    pub byte: u64,
    /// Entries before that.
    pub entries: u64,
}

/// A recording that can be read.
pub struct Recording<R> {
    from: R,
    header: Header,
    /// After the header.
    start: Place,
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
        let mut place = Place { at: 0, end, sum: Hasher::new() };
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
        Ok(Entries {
            from: &mut self.from,
            place: self.start.clone(),
            closed: self.closed,
            parts: self.header.parts,
            content: Vec::new(),
            chunk: Vec::new(),
            cursor: 0,
            chunk_at: 0,
            words: [0; WORDS],
            stage: 0,
            entries: 0,
            done: false,
            cut_off: None,
        })
    }
}

/// First bytes, first record, and our header after it.
fn header(place: &mut Place, from: &mut impl Read) -> Result<Header, RecordError> {
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
    let mut next = |place: &mut Place, content: &mut Vec<u8>| match place.record(from, content)? {
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
    Header::parse(json)
}

/// The entries of a recording. After an error there are no more.
pub struct Entries<'a, R> {
    from: &'a mut R,
    place: Place,
    closed: bool,
    parts: u8,
    content: Vec<u8>,
    /// Messages of the chunk in work, how far they are read, and where it is in the file.
    chunk: Vec<u8>,
    cursor: usize,
    chunk_at: u64,
    /// The entry in work, and how many of its messages were there.
    words: [u64; WORDS],
    stage: usize,
    entries: u64,
    done: bool,
    cut_off: Option<CutOff>,
}

impl<R: Read> Iterator for Entries<'_, R> {
    type Item = Result<Entry, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            match self.in_chunk().transpose().or_else(|| self.record().err().map(Err)) {
                Some(Ok(entry)) => {
                    self.entries += 1;
                    return Some(Ok(entry));
                }
                Some(Err(error)) => {
                    self.done = true;
                    return Some(Err(error));
                }
                None => {}
            }
        }
        None
    }
}

impl<R> Entries<'_, R> {
    /// Where the recording was cut off, once all entries were read; none where it is complete.
    pub fn cut_off(&self) -> Option<CutOff> {
        self.cut_off
    }

    /// The next entry of the chunk.
    fn in_chunk(&mut self) -> Result<Option<Entry>, RecordError> {
        let corrupt = |what| RecordError::Corrupt { byte: self.chunk_at, what };
        while self.cursor < self.chunk.len() {
            let mut rest = &self.chunk[self.cursor..];
            let mut parse = || {
                let [kind] = proto::take(&mut rest)?;
                let length = take64(&mut rest)?;
                Some((kind, crate::records::take_bytes(&mut rest, length)?))
            };
            let (kind, mut data) = parse().ok_or(corrupt("a message is too short"))?;
            self.cursor = self.chunk.len() - rest.len();
            if kind != op::MESSAGE {
                continue;
            }
            let mut parse = || {
                let (channel, sequence) = (take16(&mut data)?.checked_sub(1)?, take32(&mut data)?);
                let _times = [take64(&mut data)?, take64(&mut data)?];
                Some((channel / CHANNELS, usize::from(channel % CHANNELS), sequence))
            };
            let (part, which, sequence) = parse().ok_or(corrupt("a message is too short"))?;
            let Some(topic) = Topic::ALL.get(which) else { continue };
            if sequence != self.entries as u32 || which != self.stage {
                return Err(corrupt("messages are missing before it"));
            }
            let from: usize = Topic::ALL[..which].iter().map(|t| t.fields().len()).sum();
            let words = &mut self.words[from..from + topic.fields().len()];
            proto::decode(topic.fields(), data, words).ok_or(corrupt("a message is not as it should be"))?;
            self.stage = (which + 1) % Topic::ALL.len();
            if self.stage == 0 {
                let entry = Entry::from_words(&self.words).filter(|e| e.part < self.parts && u16::from(e.part) == part);
                return entry.map(Some).ok_or(corrupt("a message is not as it should be"));
            }
        }
        if self.stage != 0 { Err(corrupt("messages are missing at its end")) } else { Ok(None) }
    }

    /// The file ends at a place where it should not.
    fn short(&mut self) -> Result<(), RecordError> {
        if self.closed {
            return Err(RecordError::Corrupt { byte: self.place.at, what: "a record has a wrong length" });
        }
        self.cut_off = Some(CutOff { byte: self.place.at, entries: self.entries });
        self.done = true;
        Ok(())
    }
}

impl<R: Read> Entries<'_, R> {
    /// Reads the next record of the data.
    fn record(&mut self) -> Result<(), RecordError> {
        let before = self.place.clone();
        let corrupt = |what| RecordError::Corrupt { byte: before.at, what };
        let Step::Record(kind) = self.place.record(self.from, &mut self.content)? else {
            return self.short();
        };
        match kind {
            op::CHUNK => {
                (self.chunk_at, self.cursor) = (before.at, 0);
                unpack(&self.content, &mut self.chunk).map_err(corrupt)
            }
            op::MESSAGE_INDEX | op::SCHEMA | op::CHANNEL | op::METADATA => Ok(()),
            op::DATA_END => {
                let sum = take32(&mut &self.content[..]).ok_or(corrupt("a record is too short"))?;
                // Zero: none was made, by a tool that rewrote the file.
                if sum != 0 && sum != before.sum.clone().finalize() {
                    return Err(corrupt("the checksum of all data differs: something between the chunks changed"));
                }
                self.ending()
            }
            _ => Err(corrupt("a record of unknown kind")),
        }
    }

    /// Checks the summary: nothing in it is needed here.
    fn ending(&mut self) -> Result<(), RecordError> {
        self.place.fresh();
        loop {
            let before = self.place.clone();
            let corrupt = |what| RecordError::Corrupt { byte: before.at, what };
            let Step::Record(kind) = self.place.record(self.from, &mut self.content)? else {
                return self.short();
            };
            if kind != op::FOOTER {
                continue;
            }
            let (summed, sum) = self.content.split_last_chunk().ok_or(corrupt("a record is too short"))?;
            let mut all = before.sum.clone();
            all.update(&[kind]);
            all.update(&(self.content.len() as u64).to_le_bytes());
            all.update(summed);
            if *sum != [0; 4] && u32::from_le_bytes(*sum) != all.finalize() {
                return Err(corrupt("the checksum of the summary differs"));
            }
            if self.place.left() < MAGIC.len() as u64 {
                return self.short();
            }
            let at = self.place.at;
            if self.place.bytes(self.from)? != MAGIC || self.place.left() > 0 {
                return Err(RecordError::Corrupt { byte: at, what: "the last bytes are not as they should be" });
            }
            self.done = true;
            return Ok(());
        }
    }
}
