//! What is written comes back to the bit, here and in another reader.

mod support;

use std::collections::BTreeMap;
use std::io::Cursor;
use stiction_record::{Entry, Header, RecordError, Recording, WriteOptions};
use stiction_testing::mcap;
use support::{BOTH, Random, attachment, entry, header, read, same, wild, write};

#[test]
fn every_bit_comes_back() {
    let mut random = Random(1);
    let entries: Vec<Entry> = (0..2000).map(|i| wild(i, &mut random)).collect();
    for options in BOTH {
        let bytes = write(&header(), options, entries.iter().copied());
        let (found, cut_off, error) = read(&bytes).unwrap();
        assert!(same(&found, &entries) && cut_off.is_none() && error.is_none(), "{cut_off:?}, {error:?}");
        let recording = Recording::new(Cursor::new(&bytes)).unwrap();
        assert_eq!(*recording.header(), header());
        assert!(recording.closed());
    }
}

#[test]
fn one_bit_of_the_input_makes_another_entry() {
    let one = entry(5);
    let mut other = one;
    other.input.pose[2] = f64::from_bits(one.input.pose[2].to_bits() ^ 1);
    let bytes = write(&header(), WriteOptions::default(), [one, other]);
    let (found, ..) = read(&bytes).unwrap();
    let [one, other] = [found[0].words(), found[1].words()];
    let differing: Vec<_> = (0..one.len()).filter(|i| one[*i] != other[*i]).map(|i| (i, one[i] ^ other[i])).collect();
    assert_eq!(differing, [(6, 1)]);
}

#[test]
fn nothing_recorded_is_a_recording_too() {
    let bytes = write(&header(), WriteOptions::default(), []);
    let (found, cut_off, error) = read(&bytes).unwrap();
    assert!(found.is_empty() && cut_off.is_none() && error.is_none());
}

/// Each hand counts its own ticks.
#[test]
fn two_hands_and_gaps() {
    let two = Header { hands: 2, shapes: vec![[1, 2], [3, 4]], ..header() };
    let mut entries = Vec::new();
    for tick in 0..3000 {
        entries.push(entry(tick));
        if !(1000..1010).contains(&tick) {
            entries.push(Entry { hand: 1, ..entry(tick + 50) });
        }
    }
    let bytes = write(&two, WriteOptions::default(), entries.iter().copied());
    assert!(same(&read(&bytes).unwrap().0, &entries));
    let survey = Recording::new(Cursor::new(&bytes)).unwrap().survey().unwrap();
    assert_eq!((survey.entries, survey.missing, survey.gap_count), (5990, 10, 1));
    assert_eq!((survey.gaps[0].hand, survey.gaps[0].after, survey.gaps[0].before), (1, 1049, 1060));
    assert_eq!(survey.ticks, [Some([0, 2999]), Some([50, 3049])]);
}

/// The crate `mcap` checks every checksum, finds all by the summary, and counts as we do.
#[test]
fn another_reader_reads_it() {
    let plain = WriteOptions { compress: false, ..WriteOptions::default() };
    let bytes = write(&header(), plain, (0..3000).map(entry));
    let mut counts = BTreeMap::new();
    for message in mcap::MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        let schema = message.channel.schema.clone().unwrap();
        assert_eq!((&*message.channel.message_encoding, &*schema.encoding), ("protobuf", "protobuf"));
        *counts.entry((message.channel.topic.clone(), schema.name.clone())).or_insert(0u64) += 1;
    }
    let key = |topic: &str, name: &str| (topic.to_string(), name.to_string());
    for (topic, name) in [("device", "Device"), ("wrench", "Wrench"), ("notes", "Notes"), ("tick", "Tick")] {
        assert_eq!(counts[&key(&format!("/{topic}"), &format!("stiction.{name}"))], 3000);
    }
    // 60 Hz, give or take the last one.
    let poses = counts[&key("/part", "foxglove.PoseInFrame")];
    assert!((178..=181).contains(&poses), "{poses}");
    assert_eq!(poses, counts[&key("/hand", "foxglove.PoseInFrame")]);
    assert_eq!(2 * poses, counts[&key("/tf", "foxglove.FrameTransform")]);

    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    let statistics = summary.stats.clone().unwrap();
    assert_eq!(statistics.message_count, counts.values().sum::<u64>());
    assert_eq!(statistics.message_end_time - statistics.message_start_time, 2_999_000_000);
    assert_eq!(statistics.message_start_time, header().started_unix_ns);
    assert_eq!((statistics.chunk_count as usize, statistics.channel_count), (summary.chunk_indexes.len(), 7));
    let mut indexed = 0;
    for chunk in &summary.chunk_indexes {
        for (channel, entries) in summary.read_message_indexes(&bytes, chunk).unwrap() {
            for at in [entries.first().unwrap(), entries.last().unwrap()] {
                let message = summary.seek_message(&bytes, chunk, at).unwrap();
                assert_eq!((message.channel.id, message.log_time), (channel.id, at.log_time));
            }
            indexed += entries.len() as u64;
        }
    }
    assert_eq!(indexed, statistics.message_count);
    let attached = mcap::read::attachment(&bytes, &summary.attachment_indexes[0]).unwrap();
    assert_eq!((&*attached.name, &*attached.media_type), ("stiction.json", "application/json"));
    assert!(std::str::from_utf8(&attached.data).unwrap().contains("\"fedcba9876543210\""));
    let facts = mcap::read::metadata(&bytes, &summary.metadata_indexes[0]).unwrap();
    assert_eq!(facts.metadata["scene"], "peg");
}

/// Columns of another engine: what every engine has, and some of its own.
#[test]
fn an_engine_may_have_other_columns() {
    use stiction::columns::{Column, ColumnKind, Row, Words};
    let own = [
        Column::new("energy_j", ColumnKind::Real),
        Column::new("gait", ColumnKind::Choice(Words::Known(&["walk", "trot"]))),
        Column::new("feet", ColumnKind::Flags(Words::Known(&["left", "right"]))),
    ];
    let columns: Vec<Column> = stiction::simulation::HAND_COLUMNS.into_iter().chain(own).collect();
    let words: Vec<u64> = (0..columns.len() as u64).collect();
    let entry = Entry { row: Row::of(&words).unwrap(), ..entry(0) };
    let bytes = write(&Header { columns: columns.clone(), ..header() }, WriteOptions::default(), [entry]);
    let mut recording = Recording::new(Cursor::new(&bytes)).unwrap();
    assert_eq!(recording.header().columns, columns);
    let found = recording.entries().unwrap().next().unwrap().unwrap();
    assert_eq!(found.row.words(), words);
    let names = recording.header().entry_columns();
    let value = |name| {
        let at = stiction::columns::position(&names, name).unwrap();
        names[at].value(found.words()[at]).to_string()
    };
    assert_eq!([value("gait"), value("feet"), value("contacts"), value("late_ns")], ["unknown", "right", "30", "1000"]);
}

/// Meshes and shapes go along, and another reader finds them.
#[test]
fn attachments_come_back() {
    let long: Vec<u8> = (0..100_000u64).map(|i| ((i * i) >> 3) as u8).collect();
    let attachments = vec![attachment("held.stl", &long), attachment("notes.txt", b"")];
    let with = Header { attachments, ..header() };
    let bytes = write(&with, WriteOptions::default(), (0..10).map(entry));
    let recording = Recording::new(Cursor::new(&bytes)).unwrap();
    assert_eq!(*recording.header(), with);
    assert_eq!(*recording.header().attachments[0].bytes, *long);
    assert_eq!(read(&bytes).unwrap().0.len(), 10);
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    assert_eq!(summary.stats.as_ref().unwrap().attachment_count, 3);
    let found = mcap::read::attachment(&bytes, &summary.attachment_indexes[1]).unwrap();
    assert_eq!((&*found.name, &*found.media_type, &*found.data), ("held.stl", "model/stl", &*long));
    // A flipped bit in it, and a file that ends in it.
    let at = bytes.windows(8).position(|w| w == &long[5000..5008]).unwrap();
    let mut damaged = bytes.clone();
    damaged[at] ^= 1;
    assert!(matches!(read(&damaged), Err(RecordError::Corrupt { what: "an attachment's checksum differs", .. })));
    assert!(matches!(read(&bytes[..at]), Err(RecordError::CutBeforeHeader(_))));
}
