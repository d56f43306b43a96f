//! Reads the entries of a recording, also of such as were cut off.

use crate::mcap::{MAGIC, op};
use crate::proto;
use crate::records::{RecordPlace, Step, take_bytes, take16, take32, take64, unpack};
use crate::summary::CHANNELS;
use crate::tables::tables;
use crate::{Entry, Header, RecordError};
use std::io::Read;
use stiction::columns::Column;

/// Where a recording ends that was never finished: the program was ended, or the disk was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutOff {
    /// All is read up to this byte; from there on something is missing.
    pub byte: u64,
    /// Entries before that.
    pub entries: u64,
}

impl std::fmt::Display for CutOff {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let CutOff { byte, entries } = self;
        write!(
            f,
            "the recording is cut off at byte {byte}, after {entries} ticks: the program was ended or the disk was full; "
        )?;
        write!(f, "what comes before is good, and ticks after that are lost")
    }
}

/// The entries of a recording. After an error there are no more.
pub struct Entries<'a, R> {
    from: &'a mut R,
    place: RecordPlace,
    closed: bool,
    hands: u8,
    columns: &'a [Column],
    content: Vec<u8>,
    /// Messages of the chunk in work, how far they are read, and where it is in the file.
    chunk: Vec<u8>,
    cursor: usize,
    chunk_at: u64,
    /// The entry in work, and how many of its messages were there.
    words: Vec<u64>,
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

impl<'a, R> Entries<'a, R> {
    pub(crate) fn new(from: &'a mut R, place: RecordPlace, closed: bool, header: &'a Header) -> Self {
        Entries {
            from,
            place,
            closed,
            hands: header.hands,
            columns: &header.columns,
            content: Vec::new(),
            chunk: Vec::new(),
            cursor: 0,
            chunk_at: 0,
            words: vec![0; header.entry_columns().len()],
            stage: 0,
            entries: 0,
            done: false,
            cut_off: None,
        }
    }

    /// How far the file was read (bytes).
    pub fn byte(&self) -> u64 {
        self.place.at
    }

    /// Where the recording was cut off, once all entries were read; `None` if it is complete.
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
                Some((kind, take_bytes(&mut rest, length)?))
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
            let (hand, which, sequence) = parse().ok_or(corrupt("a message is too short"))?;
            let tables = tables(self.columns);
            let Some(table) = tables.get(which) else { continue };
            if sequence != self.entries as u32 || which != self.stage {
                return Err(corrupt("messages are missing before it"));
            }
            let from: usize = tables[..which].iter().map(|t| t.columns.len()).sum();
            let words = &mut self.words[from..from + table.columns.len()];
            proto::decode(table.columns, data, words).ok_or(corrupt("a message is not as it should be"))?;
            self.stage = (which + 1) % tables.len();
            if self.stage == 0 {
                let entry = Entry::from_words(&self.words).filter(|e| e.hand < self.hands && u16::from(e.hand) == hand);
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
