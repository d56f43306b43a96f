//! Entries and recordings to test with.
#![allow(dead_code)]

use std::io::Cursor;
use stiction::columns::{ColumnKind, Row};
use stiction::trace::Trace;
use stiction_record::{
    Attachment, CutOff, Entry, EntryInput, Header, Notes, RecordError, Recording, WriteOptions, Writer,
};

/// Numbers that look like chance and are always the same.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// Nearly a sine, by sums and products only: the same bits on every machine.
fn swing(x: f64) -> f64 {
    let u = x / std::f64::consts::TAU;
    let u = u - u.floor();
    if u < 0.5 { 16.0 * u * (0.5 - u) } else { -16.0 * (u - 0.5) * (1.0 - u) }
}

/// A smooth motion at 1 kHz, with some contact.
pub fn entry(tick: u64) -> Entry {
    let t = tick as f64 * 1e-3;
    let wave = |k: f64| 0.05 * swing(k * t);
    let mut entry = Entry {
        tick,
        input: EntryInput {
            time: 5_000_000 + tick * 1_000_000,
            sequence: tick / 2,
            pose: [wave(1.0), wave(1.3), wave(1.7), wave(0.2), wave(0.3), wave(0.4), 0.99],
            twist: [wave(2.0), wave(2.1), wave(2.2), 0.0, 0.0, 0.0],
            buttons: 2,
            enable: 7,
            now_ns: 6_000_000 + tick * 1_000_000,
            late_ns: 1000 + tick * 7919 % 30_000,
            ..EntryInput::default()
        },
        asked: [wave(3.0), wave(3.1), wave(3.2), wave(3.3), wave(3.4), wave(3.5)],
        phase: 2,
        notes: Notes { compute_ns: 20_000 + tick * 104_729 % 9000, cycle_ns: 60_000 + tick * 7919 % 9000 },
        ..Entry::default()
    };
    entry.sent = entry.asked;
    let mut reals = entry.input.pose.iter().chain(&entry.asked).cycle().zip(0..);
    let mut row = Row::default();
    for column in Trace::columns() {
        row.put(match (&*column.name, &column.kind) {
            ("tick", _) => tick,
            ("contacts" | "stuck", _) => 30,
            (_, ColumnKind::Real) => reals.next().map_or(0, |(x, i)| (x * (1.0 + f64::from(i) * 1e-3)).to_bits()),
            _ => 0,
        });
    }
    Entry { row, ..entry }
}

/// Every word by chance: infinities, not-a-numbers of all kinds, -0.0, subnormals.
pub fn wild(tick: u64, random: &mut Random) -> Entry {
    let count = header().entry_columns().len() as u64;
    let word = |i: u64| match (i + tick) % 7 {
        0 => f64::NAN.to_bits() | random.next() >> 13,
        1 => (-0.0f64).to_bits(),
        2 => 0x7ff0_0000_0000_0001 | random.next() >> 40,
        3 => random.next() >> 52,
        4 => f64::NEG_INFINITY.to_bits(),
        5 => 0,
        _ => random.next(),
    };
    let mut words: Vec<u64> = (0..count).map(word).collect();
    words[0] = tick;
    // Fields that are shorter than a word.
    for (i, most) in [
        (1, 0),
        (17, 0xffff_ffff),
        (18, 255),
        (19, 0xffff_ffff),
        (20, 255),
        (21, 0xffff_ffff),
        (42, 255),
        (43, 0xffff_ffff),
    ] {
        words[i] &= most;
    }
    // The loop's clock goes on, as clocks do.
    words[23] = tick * 1_000_000;
    Entry::from_words(&words).unwrap()
}

pub fn header() -> Header {
    Header {
        build: "0123abc, rustc 1.95, x86_64-linux".into(),
        scene: "peg".into(),
        scene_path: "scenes/peg/scene.toml".into(),
        scene_text: "name = \"peg\"\n\n[hand]\nkind = \"press\" # µ, ü\n".into(),
        overrides: vec!["friction.static=0.4".into()],
        parameters: [("friction.static".to_string(), "0.4".to_string())].into(),
        shapes: vec![[0xfedc_ba98_7654_3210, 1]],
        rate_hz: 1000.0 / 3.0,
        device: "simulated".into(),
        method: "hold".into(),
        started_unix_ns: 1_790_000_000_123_456_789,
        ..Header::default()
    }
}

pub fn attachment(name: &str, bytes: &[u8]) -> Attachment {
    Attachment { name: name.into(), media_type: "model/stl".into(), bytes: bytes.into() }
}

pub fn write(header: &Header, options: WriteOptions, entries: impl IntoIterator<Item = Entry>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, header, options).unwrap();
    entries.into_iter().for_each(|e| writer.add(&e).unwrap());
    writer.finish().unwrap();
    drop(writer);
    bytes
}

pub type Read = (Vec<Entry>, Option<CutOff>, Option<RecordError>);

/// What could be read, where it was cut off, and what was wrong.
pub fn read(bytes: &[u8]) -> Result<Read, RecordError> {
    let mut recording = Recording::new(Cursor::new(bytes))?;
    let mut entries = recording.entries()?;
    let (mut good, mut error) = (Vec::new(), None);
    for entry in entries.by_ref() {
        match entry {
            Ok(entry) => good.push(entry),
            Err(e) => error = Some(e),
        }
    }
    assert!(entries.next().is_none());
    Ok((good, entries.cut_off(), error))
}

pub fn same(a: &[Entry], b: &[Entry]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.words() == b.words())
}

pub const BOTH: [WriteOptions; 2] =
    [WriteOptions { compress: true, ring: 4096 }, WriteOptions { compress: false, ring: 4096 }];
