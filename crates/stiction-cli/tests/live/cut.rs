//! Recordings that ended early: on a full disk, or because the program was killed.

use super::{place, stderr};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A file may have so many blocks of 512 bytes, and the process lives on when it wants more: a disk that is full.
const FULL: &str = "trap '' XFSZ; ulimit -f 400";
const FULL_BYTES: u64 = 400 * 512;

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_within_a_second_while_the_run_goes_on_and_says_what_was_kept() {
    use std::io::{BufRead, BufReader};
    let place = place();
    place.good("run small.toml --seconds 0.01");
    let mut command =
        place.shell(FULL, "run small.toml --device sim --no-priority --seconds 60 --record full.mcap --json");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let reader = std::thread::spawn(move || {
        let told = lines.into_iter().find(|line| line.starts_with("error: "));
        (told.expect("it was told"), Instant::now())
    });
    let (file, begun) = (place.path("full.mcap"), Instant::now());
    while std::fs::metadata(&file).map_or(0, |f| f.len()) < FULL_BYTES {
        assert!(begun.elapsed() < Duration::from_secs(50), "the disk was never full");
        std::thread::sleep(Duration::from_millis(1));
    }
    let full = Instant::now();
    // The run has a minute to go when this is read.
    let (told, read) = reader.join().unwrap();
    let late = read.saturating_duration_since(full);
    assert!(late < Duration::from_secs(1), "told {late:?} after the disk was full");
    assert!(child.try_wait().unwrap().is_none(), "the run goes on");
    assert!(told.contains("full.mcap: the recording ended early") && told.contains("are kept in the file"), "{told}");
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "a recording that ended early is a failure");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let kept = report["recorded"]["ticks"].as_u64().unwrap();
    assert!(kept > 0 && told.contains(&format!("its first {kept} ticks")), "{told}: {report}");
    assert!(report["recorded"]["error"].as_str().unwrap().contains("ended early"), "{report}");
    // What was torn may have whole ticks in it, too.
    let replay = place.json("replay full.mcap");
    assert!(replay["same"] == true && replay["ticks"].as_u64() >= Some(kept), "{kept}: {replay}");
    assert!(replay["cut_off_at_byte"].is_u64(), "{replay}");
}

/// On a virtual clock nobody holds the handle: there is nothing to wait for.
#[cfg(unix)]
#[test]
fn a_full_disk_ends_a_recording_on_a_virtual_clock() {
    let place = place();
    let begun = Instant::now();
    let output = place.shell(FULL, "record small.toml -o full.mcap --clock virtual --seconds 80000").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("full.mcap: the recording ended early"), "{}", stderr(&output));
    let page = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(page.contains("full.mcap, ended early: ") && page.contains("stiction replay full.mcap"), "{page}");
    // 40 million ticks would take many minutes.
    assert!(begun.elapsed() < Duration::from_secs(120));
}

#[test]
fn exporting_a_recording_that_was_cut_off_says_so_and_exports_what_is_there() {
    let place = place();
    place.good("record small.toml -o run.mcap --clock virtual --seconds 2.2");
    let whole = place.read("run.mcap");
    place.write("cut.mcap", &whole[..whole.len() * 3 / 4]);
    let output = place.run("export cut.mcap -o cut.csv");
    assert!(output.status.success() && stderr(&output).contains("cut.mcap: the recording is cut off at byte"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("all that can be read of it"));
    let export = place.json("export cut.mcap -o cut.parquet");
    let rows = export["rows"].as_u64().unwrap();
    assert!(export["cut_off_at_byte"].is_u64() && rows > 400, "{export}");
    assert_eq!(place.text("cut.csv").lines().count() as u64, 1 + rows);
    let export = place.json("export run.mcap -o run.csv");
    assert!(export["cut_off_at_byte"].is_null() && export["rows"] == 1100, "{export}");
}
