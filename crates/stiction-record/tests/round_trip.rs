//! What is written comes back to the bit, here and in another reader.

mod support;

use std::collections::BTreeMap;
use std::io::Cursor;
use stiction_record::{Cell, Entry, Header, Options, Recording, cells, columns, csv};
use support::{BOTH, Random, entry, header, read, same, wild, write};

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
    let bytes = write(&header(), Options::default(), [one, other]);
    let (found, ..) = read(&bytes).unwrap();
    let differing: Vec<usize> = (0..Entry::WORDS).filter(|i| found[0].words()[*i] != found[1].words()[*i]).collect();
    assert_eq!(differing, [6]);
    assert_eq!(found[0].words()[6] ^ found[1].words()[6], 1);
}

#[test]
fn nothing_recorded_is_a_recording_too() {
    let bytes = write(&header(), Options::default(), []);
    let (found, cut_off, error) = read(&bytes).unwrap();
    assert!(found.is_empty() && cut_off.is_none() && error.is_none());
}

/// Each part counts its own ticks.
#[test]
fn two_parts_and_gaps() {
    let two = Header { parts: 2, shapes: vec![[1, 2], [3, 4]], ..header() };
    let mut entries = Vec::new();
    for tick in 0..3000 {
        entries.push(entry(tick));
        if !(1000..1010).contains(&tick) {
            entries.push(Entry { part: 1, ..entry(tick + 50) });
        }
    }
    let bytes = write(&two, Options::default(), entries.iter().copied());
    assert!(same(&read(&bytes).unwrap().0, &entries));
    let survey = Recording::new(Cursor::new(&bytes)).unwrap().survey().unwrap();
    assert_eq!((survey.entries, survey.missing, survey.gap_count), (5990, 10, 1));
    assert_eq!((survey.gaps[0].part, survey.gaps[0].after, survey.gaps[0].before), (1, 1049, 1060));
    assert_eq!(survey.ticks, [Some([0, 2999]), Some([50, 3049])]);
}

/// The crate `mcap` checks every checksum, finds all by the summary, and counts as we do.
#[test]
fn another_reader_reads_it() {
    let plain = Options { compress: false, ..Options::default() };
    let bytes = write(&header(), plain, (0..3000).map(entry));
    let mut counts = BTreeMap::new();
    for message in mcap::MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        let schema = message.channel.schema.clone().unwrap();
        assert_eq!((&*message.channel.message_encoding, &*schema.encoding), ("protobuf", "protobuf"));
        *counts.entry((message.channel.topic.clone(), schema.name.clone())).or_insert(0u64) += 1;
    }
    let key = |topic: &str, name: &str| (topic.to_string(), name.to_string());
    for (topic, name) in [("device", "Device"), ("wrench", "Wrench"), ("notes", "Notes"), ("trace", "Trace")] {
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

/// Reals in a CSV read back as the same bits; whole numbers are whole.
#[test]
fn csv_reads_back() {
    let mut entries: Vec<Entry> = (0..50).map(entry).collect();
    entries[3].asked = [-0.0, f64::MIN_POSITIVE / 3.0, 0.1 + 0.2, 1e300, f64::INFINITY, f64::NAN];
    let bytes = write(&header(), Options::default(), entries.iter().copied());
    let mut text = Vec::new();
    let rows = csv(&mut Recording::new(Cursor::new(&bytes)).unwrap(), &mut text).unwrap().unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut lines = text.lines();
    let names: Vec<String> = columns().into_iter().map(|c| c.0).collect();
    assert_eq!(lines.next().unwrap(), names.join(","));
    assert_eq!(rows, 50);
    for (line, entry) in lines.by_ref().zip(&entries) {
        let mut texts = line.split(',');
        cells(entry, |cell| {
            let text = texts.next().unwrap();
            match cell {
                Cell::Real(x) if x.is_nan() => assert_eq!(text, "NaN"),
                Cell::Real(x) => assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits()),
                Cell::Whole(n) => assert_eq!(text.parse::<u64>().unwrap(), n),
            }
        });
        assert!(texts.next().is_none());
    }
    assert!(lines.next().is_none());
}
