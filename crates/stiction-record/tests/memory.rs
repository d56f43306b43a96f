//! The loop's side allocates nothing, and a long recording needs no more memory than a short one.

mod support;

use std::sync::Mutex;
use stiction_record::{Recorder, WriteOptions, Writer};
use stiction_testing::alloc::{Counting, bytes_in_use, counts, most_bytes_in_use, reset_most};
use support::{entry, header};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Only one test at a time looks at the memory of the whole process.
static ALONE: Mutex<()> = Mutex::new(());

/// While there is room, when the ring is full, and after the end.
#[test]
fn pushing_does_not_allocate() {
    let _alone = ALONE.lock().unwrap();
    let options = WriteOptions { ring: 256, ..WriteOptions::default() };
    let (recorder, [mut feed]) = Recorder::start(std::io::sink(), &header(), options).unwrap();
    let before = counts().allocations;
    let mut taken = 0;
    for tick in 0..20_000 {
        taken += u64::from(feed.push(&entry(tick)));
        feed.has_room();
    }
    let found = counts().allocations - before;
    let written = recorder.finish().unwrap();
    let after = counts().allocations;
    assert!(!feed.push(&entry(0)));
    assert_eq!((found, counts().allocations - after), (0, 0));
    assert_eq!((written.accepted, written.accepted + written.dropped), (taken, 20_000));
    assert!(written.dropped > 0, "the ring was never full");
}

/// A million ticks, a quarter of an hour: what is kept for the summary is the only thing that grows, 200 bytes each half second.
#[test]
fn a_million_ticks_need_bounded_memory() {
    let _alone = ALONE.lock().unwrap();
    let most_for = |ticks: u64| {
        let before = bytes_in_use();
        reset_most();
        let mut writer = Writer::new(std::io::sink(), &header(), WriteOptions::default()).unwrap();
        (0..ticks).for_each(|tick| writer.add(&entry(tick)).unwrap());
        writer.finish().unwrap();
        assert_eq!(writer.written(), ticks);
        most_bytes_in_use() - before
    };
    let (few, many) = (most_for(20_000), most_for(1_000_000));
    assert!(many < few + (2 << 20) && many < 12 << 20, "{few} and {many} bytes");
}

/// Four seconds at 1 kHz, a few megabytes.
#[test]
fn the_ring_is_bounded() {
    let ring = WriteOptions::default().ring;
    assert!(ring >= 4000 && ring * size_of::<stiction_record::Entry>() < 8 << 20);
}
