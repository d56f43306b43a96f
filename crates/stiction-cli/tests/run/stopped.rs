//! Runs that are stopped, killed, too long, or long enough to be told of before they start.

use super::{Place, place, stderr};
use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A run of twenty minutes of the scene's time, once it has its first rows on the disk.
fn long_run(place: &Place, trace: &str) -> Child {
    place.good("run small.toml --seconds 0.01");
    let mut run = place.command(&format!("run small.toml --seconds 80000 --trace {trace} --contacts last.csv"));
    let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for _ in 0..1200 {
        if place.list("").iter().any(|name| {
            name.starts_with(&format!(".{trace}.")) && std::fs::metadata(place.path(name)).is_ok_and(|m| m.len() > 0)
        }) {
            return child;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no row was written");
}

fn signal(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_stopped_run_keeps_its_trace_whole_up_to_then() {
    let place = place();
    let child = long_run(&place, "run.csv");
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let text = place.text("run.csv");
    let columns = text.lines().next().unwrap().split(',').count();
    assert!(text.ends_with('\n') && text.lines().all(|line| line.split(',').count() == columns));
    let ticks = text.lines().count() - 1;
    let told = stderr(&output);
    let kept = format!("stopped after {ticks} ticks; kept up to then: run.csv, last.csv");
    assert!(ticks > 100 && told.contains(&kept), "{told}");
    let page = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(page.contains("of the scene, stopped") && page.contains("Hash"), "{page}");
    assert!(place.text("last.csv").lines().count() > 1);

    let child = long_run(&place, "run.parquet");
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let reader = SerializedFileReader::new(Bytes::from(place.read("run.parquet"))).unwrap();
    let rows = reader.metadata().file_metadata().num_rows();
    assert!(rows > 100 && stderr(&output).contains(&format!("stopped after {rows} ticks")), "{}", stderr(&output));
    assert_eq!(reader.get_row_iter(None).unwrap().map(Result::unwrap).count() as i64, rows);
    assert!(!place.list("").iter().any(|name| name.ends_with(".part")), "{:?}", place.list(""));
}

#[test]
fn what_a_killed_run_left_is_gone_after_the_next_start() {
    let place = place();
    let parts = || -> Vec<String> { place.list("").into_iter().filter(|name| name.ends_with(".part")).collect() };
    let mut child = long_run(&place, "run.csv");
    // While it lives nobody takes its file away.
    place.good("run small.toml --seconds 0.01 --trace other.csv");
    assert_eq!(parts().len(), 1);
    signal(&child, "-KILL");
    child.wait().unwrap();
    assert_eq!(parts().len(), 1);
    place.write(".theirs.csv.1.part", "not ours");
    place.good("run small.toml --seconds 0.01 --trace run.csv");
    assert_eq!(parts(), [".theirs.csv.1.part"]);
    // The same for shapes in the cache, whatever the next command is.
    place.write("cache/.x.shape.4294967295.stiction.part", "half a shape");
    place.good("cache");
    assert!(!place.list("cache").iter().any(|name| name.ends_with(".part")), "{:?}", place.list("cache"));
}

#[test]
fn a_run_is_no_longer_than_a_day_unless_asked() {
    let place = place();
    for (arguments, words) in [
        ("run small.toml --seconds 1e9", "at most 86,400 s; --long allows up to a year"),
        ("run small.toml --set run.seconds=1e6", "at most 86,400 s"),
        ("run small.toml --seconds 1e9 --long", "at most 31,536,000 s"),
        ("run small.toml --seconds 1e9 --device sim --clock virtual", "at most 86,400 s"),
        ("record small.toml -o run.mcap --seconds 1e300 --long", "at most 31,536,000 s"),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        assert!(stderr(&output).contains(words) && output.stdout.is_empty(), "{arguments}: {}", stderr(&output));
    }
}

#[test]
fn a_long_run_is_told_of_before_it_starts_and_a_short_one_is_not() {
    let place = place();
    let child = long_run(&place, "run.csv");
    signal(&child, "-INT");
    let told = stderr(&child.wait_with_output().unwrap());
    let note = told.lines().find(|line| line.starts_with("note: ")).unwrap_or_else(|| panic!("{told}"));
    assert!(note.contains("40,000,000 ticks will take about") && note.contains("and run.csv about"), "{note}");
    assert!(note.contains("GiB"), "{note}");
    assert!(!stderr(&place.run("run small.toml --trace short.csv")).contains("will take about"));
}
