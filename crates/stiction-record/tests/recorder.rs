//! The recorder's thread: full disks, full rings, ends without goodbye.

mod support;

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use stiction_record::{
    Entry, Feed, RecordError, RecordOutput, Recorder, RecorderState, Recording, WriteOptions, Writer,
};
use support::{entry, header, read, same};

/// A disk with so much room that can be slow.
#[derive(Clone)]
struct Disk {
    data: Arc<Mutex<Vec<u8>>>,
    room: usize,
    stuck: Arc<AtomicBool>,
    syncs: Arc<AtomicU64>,
}

impl Disk {
    fn new(room: usize) -> Self {
        Disk { data: Arc::default(), room, stuck: Arc::default(), syncs: Arc::default() }
    }

    fn bytes(&self) -> Vec<u8> {
        self.data.lock().unwrap().clone()
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        while self.stuck.load(SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut data = self.data.lock().unwrap();
        let fits = bytes.len().min(self.room - data.len());
        data.extend_from_slice(&bytes[..fits]);
        if fits == 0 && !bytes.is_empty() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(fits) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RecordOutput for Disk {
    fn sync(&mut self) -> io::Result<()> {
        self.syncs.fetch_add(1, SeqCst);
        Ok(())
    }
}

fn wait(what: &str, mut until: impl FnMut() -> bool) {
    let began = Instant::now();
    while !until() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn push_all(feed: &mut Feed, ticks: impl Iterator<Item = u64>) {
    for tick in ticks {
        wait("the writer stands still", || feed.has_room());
        assert!(feed.push(&entry(tick)));
    }
}

#[test]
fn what_is_fed_is_written() {
    let disk = Disk::new(usize::MAX);
    let (recorder, [mut feed]) = Recorder::start(disk.clone(), &header(), WriteOptions::default()).unwrap();
    assert_eq!(recorder.status().state, RecorderState::Running);
    let watch = recorder.watch();
    push_all(&mut feed, 0..5000);
    let counts = recorder.finish().unwrap();
    assert_eq!((counts.accepted, counts.written, counts.dropped), (5000, 5000, 0));
    assert_eq!(counts.bytes, disk.bytes().len() as u64);
    assert_eq!(watch.status().state, RecorderState::Finished);
    assert!(!feed.push(&entry(5000)) && feed.closed());
    let (found, cut_off, error) = read(&disk.bytes()).unwrap();
    assert!(cut_off.is_none() && error.is_none());
    assert!(same(&found, &(0..5000).map(entry).collect::<Vec<_>>()));
}

/// At every size of the disk: what is older than a second (here: than half a second and a tick) is there.
#[test]
fn a_full_disk_loses_less_than_a_second() {
    let all: Vec<_> = (0..3000).map(entry).collect();
    let whole = support::write(&header(), WriteOptions::default(), all.iter().copied()).len();
    let mut readable = 0;
    for room in (0..whole).step_by(9973).chain([whole - 100, whole - 1]) {
        let mut disk = Disk::new(room);
        let Ok(mut writer) = Writer::new(&mut disk, &header(), WriteOptions::default()) else { continue };
        let failed = all.iter().position(|e| writer.add(e).is_err());
        let finished = writer.finish();
        let written = writer.written() as usize;
        assert!(matches!(finished, Err(RecordError::Write { .. })));
        // Nothing is added after a failure.
        assert!(writer.add(&all[0]).is_err());
        drop(writer);
        let (found, cut_off, error) = read(&disk.bytes()).unwrap();
        assert!(error.is_none() && cut_off.is_some(), "{room}: {error:?}");
        assert!(found.len() >= written && failed.unwrap_or(3000) - found.len() <= 501, "{room}: {}", found.len());
        assert!(same(&found, &all[..found.len()]) && found.len() >= readable);
        readable = found.len();
    }
    assert!(readable >= 2500, "{readable}");
}

#[test]
fn a_full_disk_stops_the_recording_and_not_the_loop() {
    let disk = Disk::new(200_000);
    let (recorder, [mut feed]) = Recorder::start(disk.clone(), &header(), WriteOptions::default()).unwrap();
    let mut tick = 0;
    wait("it never fails", || {
        feed.push(&entry(tick));
        tick += 1;
        matches!(recorder.status().state, RecorderState::Failed(_))
    });
    assert!(!feed.push(&entry(tick)));
    let status = recorder.status();
    assert!(status.counts.dropped >= 1 && status.counts.written < status.counts.accepted);
    let error = recorder.finish().unwrap_err();
    assert!(error.to_string().contains("ended early") && error.to_string().contains("free some space"), "{error}");
    assert_eq!(read(&disk.bytes()).unwrap().0.len() as u64, status.counts.written);
}

/// A disk that stands still: the ring fills, the rest is dropped and counted, and the gap can be seen.
#[test]
fn a_full_ring_drops_and_says_so() {
    let disk = Disk::new(usize::MAX);
    let options = WriteOptions { ring: 100, ..WriteOptions::default() };
    let (recorder, [mut feed]) = Recorder::start(disk.clone(), &header(), options).unwrap();
    disk.stuck.store(true, SeqCst);
    // The writer takes some until it has a whole chunk.
    let mut tick = 0;
    wait("it never stands still", || {
        std::thread::sleep(Duration::from_micros(100));
        tick += 1;
        !feed.push(&entry(tick - 1))
    });
    let first_lost = tick - 1;
    for _ in 0..500 {
        feed.push(&entry(tick));
        tick += 1;
    }
    let lost = recorder.status().counts.dropped;
    assert!((1..=501).contains(&lost), "{lost}");
    disk.stuck.store(false, SeqCst);
    push_all(&mut feed, tick..tick + 50);
    let counts = recorder.finish().unwrap();
    assert_eq!((counts.dropped, counts.written), (lost, tick + 50 - lost));
    let bytes = disk.bytes();
    let survey = Recording::new(io::Cursor::new(&bytes)).unwrap().survey().unwrap();
    assert_eq!((survey.missing, survey.gaps[0].after + 1), (lost, first_lost));
}

/// Nothing more comes for a while: what came is in the file within a second, without an end.
#[test]
fn a_loop_that_pauses_does_not_hold_its_last_ticks_back() {
    let disk = Disk::new(usize::MAX);
    let (recorder, [mut feed]) = Recorder::start(disk.clone(), &header(), WriteOptions::default()).unwrap();
    push_all(&mut feed, 0..10);
    wait("the chunk stays open", || recorder.status().counts.written == 10);
    let (found, cut_off, _) = read(&disk.bytes()).unwrap();
    assert_eq!((found.len(), cut_off.unwrap().entries), (10, 10));
    wait("the disk is not asked to keep it", || disk.syncs.load(SeqCst) >= 2);
}

#[test]
fn dropping_the_recorder_or_the_feeds_ends_the_file() {
    let disk = Disk::new(usize::MAX);
    let (recorder, [mut feed]) = Recorder::start(disk.clone(), &header(), WriteOptions::default()).unwrap();
    push_all(&mut feed, 0..10);
    drop(recorder);
    assert_eq!(read(&disk.bytes()).map(|r| (r.0.len(), r.1)).unwrap(), (10, None));

    let disk = Disk::new(usize::MAX);
    let (recorder, [mut one, mut two]) = Recorder::start(disk.clone(), &header(), WriteOptions::default()).unwrap();
    push_all(&mut one, 0..10);
    push_all(&mut two, 10..20);
    drop((one, two));
    wait("it goes on without feeds", || recorder.status().state == RecorderState::Finished);
    assert_eq!(read(&disk.bytes()).unwrap().0.len(), 20);
    assert_eq!(recorder.finish().unwrap().written, 20);
}

/// A mistake of the caller that costs the entry and not the recording.
#[test]
fn a_hand_that_is_not_in_the_header_is_refused() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &header(), WriteOptions::default()).unwrap();
    let error = writer.add(&Entry { hand: 1, ..entry(0) }).unwrap_err();
    assert!(error.to_string().contains("hand 1 in a recording of 1 hands"), "{error}");
    writer.add(&entry(0)).unwrap();
    drop(writer);
    assert_eq!(read(&bytes).map(|r| (r.0.len(), r.1)).unwrap(), (1, None));

    let (recorder, [mut feed]) = Recorder::start(io::sink(), &header(), WriteOptions::default()).unwrap();
    assert!(!feed.push(&Entry { hand: 1, ..entry(0) }));
    let counts = recorder.finish().unwrap();
    assert_eq!((counts.accepted, counts.dropped), (0, 1));
}

#[test]
fn an_older_recording_is_never_overwritten() {
    let path = std::env::temp_dir().join(format!("stiction-record-{}.mcap", std::process::id()));
    let (recorder, [mut feed]) = Recorder::create(&path, &header(), WriteOptions::default()).unwrap();
    push_all(&mut feed, 0..100);
    assert_eq!(recorder.finish().unwrap().written, 100);
    let again = Recorder::create::<1>(&path, &header(), WriteOptions::default()).map(|_| ()).unwrap_err();
    assert!(again.to_string().contains("already there"), "{again}");
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(recording.survey().unwrap().entries, 100);
    std::fs::remove_file(&path).unwrap();
}
