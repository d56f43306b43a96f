//! A file that this format's first version wrote is read for as long as the format is. `REGENERATE_GOLDEN=1 cargo test` writes it anew: only with a new format.

mod support;

use std::path::Path;
use stiction_record::{Entry, FORMAT, Header, Recording, WriteOptions};
use support::{Random, attachment, entry, header, same, wild, write};

/// Smooth ticks, wild ones, a gap, a second hand.
fn entries() -> Vec<Entry> {
    let mut random = Random(42);
    let smooth = (0..30).map(entry);
    let second = (0..5).map(|tick| Entry { hand: 1, ..entry(tick) });
    let wild = (40..70).map(|tick| wild(tick, &mut random));
    smooth.chain(second).chain(wild).collect()
}

#[test]
fn the_format_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/format-{FORMAT}.mcap"));
    let attachments = vec![attachment("held.stl", b"solid held"), attachment("fixed.stl", &[])];
    let shapes = vec![[1, 2], [3, u64::MAX]];
    let two = Header { hands: 2, shapes, attachments, stiction: "0.1.0".into(), ..header() };
    if std::env::var_os("REGENERATE_GOLDEN").is_some() {
        std::fs::write(&path, write(&two, WriteOptions::default(), entries())).unwrap();
    }
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(*recording.header(), two);
    let found: Vec<Entry> = recording.entries().unwrap().map(Result::unwrap).collect();
    assert!(same(&found, &entries()));
    let survey = recording.survey().unwrap();
    assert_eq!((survey.missing, survey.cut_off), (10, None));
}
