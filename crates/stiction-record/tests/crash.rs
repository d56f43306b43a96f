//! A program that records is killed: what is older than a second can be read.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use stiction_record::{Entry, EntryInput, Recorder, Recording, WriteOptions};
use support::{entry, header};

const FILE: &str = "STICTION_CRASH_FILE";

/// Records until it is killed, telling the time of each tick. Only of use as a child of the test below.
#[test]
fn the_child_records_until_it_is_killed() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let (_recorder, [mut feed]) = Recorder::create(Path::new(&file), &header(), WriteOptions::default()).unwrap();
    let began = Instant::now();
    for tick in 0..30_000 {
        let now_ns = began.elapsed().as_nanos() as u64;
        let entry = Entry { input: EntryInput { now_ns, ..entry(tick).input }, ..entry(tick) };
        assert!(feed.push(&entry));
        println!("now {now_ns}");
        std::io::stdout().flush().unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_killed_program_loses_less_than_a_second() {
    let file: PathBuf = std::env::temp_dir().join(format!("stiction-crash-{}.mcap", std::process::id()));
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_child_records_until_it_is_killed", "--nocapture"])
        .env(FILE, &file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut last = 0;
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    for line in lines {
        let Some((_, now)) = line.split_once("now ") else { continue };
        last = now.trim().parse::<u64>().unwrap_or(last);
        if last > 2_300_000_000 {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    assert!(last > 2_300_000_000, "the child ended by itself at {last} ns");
    let mut recording = Recording::open(&file).unwrap();
    assert!(!recording.closed());
    let survey = recording.survey().unwrap();
    let [_, recorded] = survey.times_ns.unwrap();
    assert!(recorded <= last && last - recorded < 1_000_000_000, "killed at {last} ns, recorded up to {recorded} ns");
    assert_eq!((survey.missing, survey.cut_off.unwrap().entries), (0, survey.entries));
    std::fs::remove_file(&file).unwrap();
}
