//! Files that are cut off, damaged, or something else: never a panic, never other entries than were written.

mod support;

use std::io::Cursor;
use stiction::columns::{Column, ColumnKind};
use stiction_record::{Entry, Header, RecordError, Recording, WriteOptions};
use stiction_testing::mcap;
use support::{BOTH, Random, attachment, header, read, same, wild, write};

/// Twenty ticks in four chunks: the clock leaps more than half a second after each five.
fn small(options: WriteOptions) -> (Vec<Entry>, Vec<u8>) {
    let mut random = Random(3);
    let entries: Vec<Entry> = (0..20)
        .map(|i| {
            let mut entry = wild(i, &mut random);
            entry.input.now_ns += i / 5 * 600_000_000;
            // Some compressible ones as well.
            if i % 3 == 0 { Entry { row: support::entry(i).row, ..entry } } else { entry }
        })
        .collect();
    let bytes = write(&header(), options, entries.iter().copied());
    (entries, bytes)
}

#[test]
fn cut_off_anywhere_loses_at_most_the_last_chunk() {
    for options in BOTH {
        let (entries, bytes) = small(options);
        // Where the readable entries grow: the end of each chunk.
        let mut last = 0;
        let mut ends = Vec::new();
        for length in 0..bytes.len() {
            match read(&bytes[..length]) {
                Ok((found, cut_off, error)) => {
                    assert!(error.is_none(), "{length}: {error:?}");
                    let cut_off = cut_off.unwrap();
                    assert!(cut_off.byte <= length as u64 && cut_off.entries == found.len() as u64);
                    assert!(same(&found, &entries[..found.len()]) && found.len() >= last, "{length}");
                    if found.len() > last {
                        ends.push(length);
                    }
                    last = found.len();
                }
                Err(RecordError::Empty) => assert_eq!(length, 0),
                Err(RecordError::CutBeforeHeader(byte)) => assert_eq!(byte, length as u64),
                Err(other) => panic!("{length}: {other}"),
            }
        }
        assert_eq!((last, ends.len()), (20, 4));
    }
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    for options in BOTH {
        let (entries, mut bytes) = small(options);
        for at in 0..bytes.len() {
            let bit = 1 << (at * 5 % 8);
            bytes[at] ^= bit;
            if let Ok((found, cut_off, error)) = read(&bytes) {
                assert!(same(&found, &entries[..found.len()]), "{at}: other entries");
                let error = error.unwrap_or_else(|| panic!("{at}: not noticed, {} entries, {cut_off:?}", found.len()));
                assert!(matches!(error, RecordError::Corrupt { byte, .. } if byte <= bytes.len() as u64), "{error}");
            }
            bytes[at] ^= bit;
        }
    }
}

/// Not one bit but many, and files that are cut off on top: no more than that nothing else comes out and nothing panics.
#[test]
fn rubbish_is_not_read_as_entries() {
    let mut random = Random(9);
    for options in BOTH {
        let (entries, bytes) = small(options);
        for _ in 0..3000 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random.next() % 20 {
                let at = random.next() as usize % bytes.len();
                bytes[at] = random.next() as u8;
            }
            bytes.truncate(random.next() as usize % bytes.len() * 2);
            if let Ok((found, ..)) = read(&bytes) {
                assert!(same(&found, &entries[..found.len()]));
            }
        }
    }
}

#[test]
fn damage_is_named_with_its_place() {
    let (_, mut bytes) = small(BOTH[1]);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    let (found, _, error) = read(&bytes).unwrap();
    let text = error.unwrap().to_string();
    assert!(text.contains("damaged at byte ") && text.contains("checksum"), "{text}");
    assert!(!found.is_empty() && found.len() < 20);
    let survey = Recording::new(Cursor::new(&bytes)).unwrap().survey();
    assert!(matches!(survey, Err(RecordError::Corrupt { .. })));
}

#[test]
fn other_files_are_told_apart() {
    let text = |bytes: &[u8]| read(bytes).map(|_| ()).unwrap_err().to_string();
    assert!(text(b"").contains("empty"));
    assert!(text(b"tick,x,y\n1,2,3\n").contains("no MCAP file"));
    assert!(text(b"\x89MC").contains("cut off"));
    let mut other = Cursor::new(Vec::new());
    mcap::Writer::new(&mut other).unwrap().finish().unwrap();
    assert!(text(other.get_ref()).contains("no recording of Stiction"));
    let missing = Recording::open(std::path::Path::new("/no/such.mcap")).map(|_| ()).unwrap_err();
    assert!(missing.to_string().contains("check the path"));
}

#[test]
fn a_newer_format_is_refused_by_name() {
    let newer = Header { format: 99, stiction: "7.1.0".into(), ..header() };
    let bytes = write(&newer, WriteOptions::default(), []);
    let error = read(&bytes).map(|_| ()).unwrap_err();
    assert!(matches!(&error, RecordError::Newer { found: 99, stiction } if stiction == "7.1.0"));
    assert!(error.to_string().contains("format 99 (by Stiction 7.1.0)"), "{error}");
}

#[test]
fn formats_without_columns_are_refused_with_the_version_that_replays_them() {
    for format in [1, 2] {
        let bytes = write(&Header { format, stiction: "0.1.0".into(), ..header() }, WriteOptions::default(), []);
        let text = read(&bytes).map(|_| ()).unwrap_err().to_string();
        let expected = format!(
            "has format {format}, and this program reads format 3: use the version that wrote it, which is 0.1.0 (0123abc, "
        );
        assert!(text.contains(&expected), "{text}");
    }
}

/// A row of another engine is never written under this one's names.
#[test]
fn rows_that_do_not_fit_the_columns_are_refused() {
    let mut bytes = Vec::new();
    let mut writer = stiction_record::Writer::new(&mut bytes, &header(), WriteOptions::default()).unwrap();
    let short = Entry { row: stiction::columns::Row::of(&[1, 2, 3]).unwrap(), ..support::entry(0) };
    assert!(matches!(writer.add(&short), Err(RecordError::RowLength { found: 3, columns: 69 })));
    assert!(writer.add(&support::entry(0)).is_ok());
}

#[test]
fn another_scene_or_version_is_named() {
    let differs = |now: &Header| header().difference(now).map(|e| e.to_string());
    assert_eq!(differs(&Header { device: "other".into(), started_unix_ns: 1, ..header() }), None);
    let cases = [
        (Header { scene: "ring".into(), ..header() }, "another scene (recorded: peg; now: ring): replay with"),
        (Header { scene_text: "x".into(), ..header() }, "(recorded: name = \"peg\" …; now: x)"),
        (Header { overrides: vec![], ..header() }, "give the same ones"),
        (Header { rate_hz: 1000.0, ..header() }, "333.3333333333333 Hz; now: 1000.0 Hz"),
        (Header { shapes: vec![[7, 1]], ..header() }, "[[fedcba9876543210, 0000000000000001]]"),
        (
            Header { columns: header().columns[1..].to_vec(), ..header() },
            "another set of columns (recorded: tick Count",
        ),
        (Header { stiction: "9.0.0".into(), ..header() }, "now: 9.0.0): replay with that version"),
    ];
    for (now, expected) in cases {
        let text = differs(&now).unwrap();
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_header_that_makes_no_sense_is_refused() {
    let wrong = [
        Header { rate_hz: f64::NAN, ..header() },
        Header { hands: 0, shapes: vec![], ..header() },
        Header { hands: 9, shapes: vec![[0; 2]; 9], ..header() },
        Header { shapes: vec![], ..header() },
        Header { columns: vec![], ..header() },
        Header { columns: vec![Column::new("x m", ColumnKind::Real)], ..header() },
        Header { columns: vec![Column::new("sent_fx_n", ColumnKind::Real)], ..header() },
        Header { columns: vec![Column::new("x_m", ColumnKind::Real); 2], ..header() },
        Header { attachments: vec![attachment("stiction.json", b"")], ..header() },
    ];
    for header in wrong {
        let mut bytes = Vec::new();
        let result = stiction_record::Writer::new(&mut bytes, &header, WriteOptions::default());
        assert!(matches!(result.map(|_| ()), Err(RecordError::Header(_))));
        assert!(bytes.is_empty());
    }
}
