//! A killed process and a full disk: what is older than a second is there and replays; the loop does not notice.

mod support;

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use stiction_device::CycleSink;
use stiction_device::servo_loop::{run_virtual, start};
use stiction_record::{Recorder, RecorderState, Recording, WriteOptions};
use stiction_session::{Pace, Plan, RecordSink, Session};
use support::{plan, session};

const FILE: &str = "STICTION_KILLED_FILE";

/// Records the real loop until it is killed, telling its clock. Only of use as a child of the test below.
#[test]
fn the_child_records_until_it_is_killed() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let session = session(plan("small", &[]));
    let header = session.header("test", 0);
    let (_recorder, [feed]) = Recorder::create(Path::new(&file), &header, WriteOptions::default()).unwrap();
    let mut feed = Some(feed);
    let sink = |_| feed.take().map(|feed| Box::new(RecordSink::new(feed, false)) as Box<dyn CycleSink>);
    let (arms, mut reins) = session.arms(Pace::Real, sink).unwrap();
    let running = start(arms, None).unwrap();
    for _ in 0..6000 {
        let snapshot = reins[0].snapshots.take().0;
        println!("now {} {}", snapshot.cycle, snapshot.input.now);
        io::stdout().flush().unwrap();
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(running);
}

#[test]
fn a_killed_process_loses_less_than_a_second_and_the_rest_replays() {
    let file: PathBuf = std::env::temp_dir().join(format!("stiction-killed-{}.mcap", std::process::id()));
    // Baked before the child looks for it.
    let session = session(plan("small", &[]));
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_child_records_until_it_is_killed", "--nocapture"])
        .env(FILE, &file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut began, mut last) = (None, 0);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    for line in lines {
        let mut words = line.split_once("now ").map_or("", |(_, rest)| rest).split(' ');
        let (Some(Ok(cycle)), Some(Ok(now))) =
            (words.next().map(str::parse::<u64>), words.next().map(str::parse::<u64>))
        else {
            continue;
        };
        if cycle > 0 {
            last = now;
        }
        if cycle > 0 && now > *began.get_or_insert(now) + 2_200_000_000 {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    assert!(last > began.unwrap() + 2_200_000_000, "the child ended by itself");
    let mut recording = Recording::open(&file).unwrap();
    assert!(!recording.closed());
    let survey = recording.survey().unwrap();
    let [_, recorded] = survey.times_ns.unwrap();
    assert!(recorded + 1_000_000_000 > last, "killed at {last} ns, recorded up to {recorded} ns");
    let found = session.replay(&mut recording, |_, _| true).unwrap();
    assert!(found.difference.is_none() && found.gap.is_none() && found.cut_off.is_some(), "{found:?}");
    assert!(found.ticks == survey.entries && found.ticks > 100, "{found:?}");
    std::fs::remove_file(&file).unwrap();
}

/// A disk with some room.
struct Disk(usize);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl stiction_record::RecordOutput for Disk {}

/// The bits of all that was sent in 1.2 s of virtual time.
fn sent(session: &Session, mut sink: Option<Box<dyn CycleSink>>) -> Vec<[u64; 6]> {
    let (mut arms, _reins) = session.arms(Pace::Virtual(session.period()), |_| sink.take()).unwrap();
    let mut out = Vec::new();
    run_virtual(&mut arms, |arms, _| {
        out.extend(arms.iter().map(|a| <[f64; 6]>::from(*a.sent().wrench()).map(f64::to_bits)));
        out.len() < 1200
    });
    out
}

#[test]
fn a_full_disk_ends_the_recording_and_not_the_loop() {
    let session = session(Plan { arms: 1, ..plan("small", &[]) });
    let header = session.header("test", 0);
    let without = sent(&session, None);
    // Waiting for room must end, too, where there is nobody to make any.
    for (patient, ring) in [(false, 4096), (false, 4), (true, 64)] {
        let options = WriteOptions { compress: false, ring };
        let (recorder, [feed]) = Recorder::start(Disk(300_000), &header, options).unwrap();
        let with = sent(&session, Some(Box::new(RecordSink::new(feed, patient))));
        assert!(with == without, "a recorder changed what was sent");
        let watch = recorder.watch();
        let ended = recorder.finish();
        let status = watch.status();
        if ring > 4 {
            let told = ended.unwrap_err().to_string();
            assert!(told.contains("full") || told.contains("space"), "{told}");
            assert!(matches!(status.state, RecorderState::Failed(_)), "{status:?}");
        } else {
            assert!(status.counts.dropped > 0, "{status:?}");
        }
        assert_eq!(status.counts.accepted + status.counts.dropped, 1200);
    }
}
