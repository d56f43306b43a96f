//! Scenes with a simulated device as a user runs them: live, recorded, replayed, exported; and what is refused.

mod carry;
mod cut;
#[path = "../place/mod.rs"]
mod place;

use place::{Place, stderr};
use std::process::Stdio;
use std::time::Duration;

/// A small cube on a plate: pressed, then pulled. Bakes in no time.
const SCENE: &str = r#"
name = "small"
description = "a test"
run = { seconds = 0.8, rate = 500 }
held = { solid = "box", size = [0.02, 0.02, 0.02], mass = 0.1, resolution = 16, points = 200 }
fixed = { solid = "plate", size = [0.1, 0.1], thickness = 0.02, resolution = 32, points = 50, position = [0, 0, -0.01] }

[friction]
static = 0.5
kinetic = 0.4

[hand]
keyframes = [{ t = 0, position = [0, 0, 0.0101] }, { t = 0.3, position = [0, 0, 0.004] }, { t = 0.8, position = [0.01, 0, 0.004] }]
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("small.toml", SCENE);
    place
}

#[test]
fn a_live_run_keeps_time_and_tells_how() {
    let place = place();
    let run = place.json("run small.toml --device sim --no-priority");
    assert_eq!((run["scene"].as_str(), run["clock"].as_str()), (Some("small"), Some("real")));
    // Wake-ups are the machine's doing; but it ran as long as it should (400 deadlines; on a busy machine it is told late to stop), and did not run
    // through.
    let ticks = run["ticks"].as_u64().unwrap() + run["skipped_deadlines"].as_u64().unwrap();
    assert!((350..=4000).contains(&ticks), "{run}");
    assert!(run["wall_seconds"].as_f64().unwrap() >= 0.79, "{run}");
    assert!(run["compute_us"]["p50"].as_f64().unwrap() > 0.0 && run["late_us"]["max"].as_f64().unwrap() > 0.0, "{run}");
    let text = place.good("run small.toml --device sim --no-priority --seconds 0.1");
    for word in ["Compute", "Wake-up", "Envelope", "Energy", "In the end"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

/// Such runs once told neither how a part moved nor that their ticks had no answer.
#[test]
fn a_run_with_a_device_tells_the_motion_as_one_without_does() {
    let place = place();
    let run = place.json("run small.toml --device sim --clock virtual --record moved.mcap");
    place.good("export moved.mcap -o moved.csv");
    let table = place.text("moved.csv");
    let names: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let column = |name: &str| -> Vec<&str> {
        let at = names.iter().position(|n| *n == name).unwrap();
        table.lines().skip(1).map(|line| line.split(',').nth(at).unwrap()).collect()
    };
    let steps = ["step_x_m", "step_y_m", "step_z_m"]
        .map(|name| column(name).iter().map(|x| x.parse::<f64>().unwrap()).collect::<Vec<_>>());
    // A box that slides straight on a plane slips by its way.
    let slides: Vec<usize> =
        column("verdict").iter().enumerate().filter(|(_, v)| **v == "slips").map(|(i, _)| i).collect();
    let way: f64 = slides.iter().map(|&i| (steps[0][i].powi(2) + steps[1][i].powi(2)).sqrt()).sum();
    let number = |key: &str| run[key].as_f64().unwrap_or_else(|| panic!("{key}: {run}"));
    assert!(way > 1e-3 && (number("slipped_m") - way).abs() < 0.02 * way, "{way} m by the recording: {run}");
    assert_eq!(run["slides"][0]["from_s"].as_f64(), Some(slides[0] as f64 / 500.0), "{run}");
    assert_eq!(run["ticks_sliding"].as_u64(), Some(slides.len() as u64), "{run}");
    assert!(number("crept_m") < 1e-9 && number("displaced_m") > 0.5 * way && number("elastic_m") > 0.0, "{run}");
    // The same keys, at the top for the held part and for each hand.
    let without = place.json("run small.toml");
    let summary = [
        "displaced_m",
        "turned_rad",
        "slipped_m",
        "rolled_m",
        "elastic_m",
        "sunk_m",
        "crept_m",
        "slide_count",
        "slides",
        "last_caught_s",
        "last_lifted_s",
    ];
    for key in summary.into_iter().chain(["ticks_holding", "ticks_unsolved", "flags", "depth_max_m", "advice"]) {
        assert!(without.get(key).is_some() && run.get(key).is_some(), "{key}");
    }
    assert!(summary.iter().all(|key| run["arms"][0][key] == run[key]), "{run}");
    let (page, other) = (place.good("run small.toml --device sim --clock virtual"), place.good("run small.toml"));
    for word in [
        "Moved       the part's centre is",
        "Slid        ",
        "Held        elastic: springs back by",
        "held by friction in",
    ] {
        assert!(page.contains(word) && other.contains(word), "{word}: {page}");
    }
    // Each of two hands has its own; an engine beside the loop is summed up, too.
    let two = place.json("run small.toml --device sim --clock virtual --two-hands");
    assert!((0..2).all(|i| two["arms"][i]["slipped_m"].is_number()), "{two}");
    for clock in ["virtual", "real --no-priority"] {
        let beside = place.json(&format!("run small.toml --device sim --clock {clock} --set run.engine_rate=250"));
        assert!(beside["slipped_m"].as_f64() > Some(1e-3) && beside["crept_m"].is_number(), "{clock}: {beside}");
    }
}

#[test]
fn a_run_with_a_device_and_without_an_answer_ends_with_an_error() {
    let place = place();
    for clock in ["virtual", "real --no-priority"] {
        let command = format!("run small.toml --device sim --clock {clock} --set contact.stiffness=1e300 --json");
        let output = place.run(&command);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("ticks could not be solved, so the run has no answer"), "{message}");
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(2 * object["ticks_unsolved"].as_u64().unwrap() > object["ticks"].as_u64().unwrap(), "{object}");
    }
}

#[test]
fn a_recorded_run_replays_to_the_same_bits_and_one_changed_bit_does_not() {
    let place = place();
    for (name, flags) in [
        ("a.mcap", "--clock virtual"),
        ("b.mcap", "--clock virtual --hand light --two-hands --handle-offset 0,0,0.01"),
        ("c.mcap", "--clock real --no-priority --motion-scale 1.5 --force-scale 0.5 --mu 0.3 --no-passivity"),
        ("d.mcap", "--clock virtual --device sim-falcon"),
    ] {
        let device = if flags.contains("--device") { "" } else { "--device sim" };
        let run = place.json(&format!("run small.toml {device} {flags} --record {name}"));
        assert_eq!(run["recorded"]["dropped"], 0, "{run}");
        let replay = place.json(&format!("replay {name}"));
        assert!(replay["same"] == true && replay["ticks"].as_u64() >= Some(300), "{flags}: {replay}");
        let info = place.json(&format!("info {name}"));
        assert_eq!((info["header"]["scene"].as_str(), info["missing"].as_u64()), (Some("small"), Some(0)), "{info}");
    }
    // The same run again has the same wrenches: the virtual clock is no clock.
    place.good("record small.toml -o again.mcap --clock virtual");
    let wrench = |name: &str| {
        place.good(&format!("export {name} -o {name}.csv"));
        let text = place.text(&format!("{name}.csv"));
        let header: Vec<String> = text.lines().next().unwrap().split(',').map(str::to_owned).collect();
        let sent = header.iter().position(|c| c == "sent_fx_n").unwrap();
        text.lines().skip(1).map(|l| l.split(',').nth(sent).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(wrench("a.mcap"), wrench("again.mcap"));
    assert!(wrench("a.mcap").iter().any(|x| x.parse::<f64>().unwrap() != 0.0), "nothing was felt");
    // A tick has the same columns in both tables.
    place.good("run small.toml --trace ticks.csv --seconds 0.01");
    let names = |file: &str| place.text(file).lines().next().unwrap().to_owned();
    let ticks = names("ticks.csv");
    let columns = ticks.strip_prefix("time_s,").unwrap();
    assert!(columns.starts_with("tick,hand_x_m,") && names("a.mcap.csv").ends_with(&format!(",{columns}")), "{ticks}");
    // Phases and faults are words, and their numbers are beside them for one release.
    let table = place.text("a.mcap.csv");
    let at = |name: &str| names("a.mcap.csv").split(',').position(|c| c == name).unwrap();
    let cells =
        |name: &str| table.lines().skip(1).map(|l| l.split(',').nth(at(name)).unwrap().to_owned()).collect::<Vec<_>>();
    assert!(
        cells("phase").contains(&"running".into()) && cells("fault").iter().all(|f| f.parse::<f64>().is_err()),
        "{}",
        cells("phase")[9]
    );
    assert!(cells("phase_number").contains(&"2".into()));
    let told = place.json("export a.mcap -o a.parquet");
    assert!(told["rows"].as_u64() >= Some(300) && told["error"].is_null(), "{told}");
    assert!(place.read("a.parquet").starts_with(b"PAR1"));
    // A changed byte anywhere is found by the checksums; cut off, what is there still replays.
    let whole = place.read("a.mcap");
    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    place.write("changed.mcap", &changed);
    let output = place.run("replay changed.mcap");
    assert!(!output.status.success() && stderr(&output).contains("damaged"), "{}", stderr(&output));
    place.write("cut.mcap", &whole[..whole.len() * 2 / 3]);
    let cut = place.json("replay cut.mcap");
    assert!(cut["same"] == true && cut["cut_off_at_byte"].is_u64(), "{cut}");
}

#[test]
fn bad_input_is_one_message_with_cause_and_remedy() {
    let place = place();
    place.write("text.mcap", "no recording");
    place.good("record small.toml -o there.mcap --clock virtual --seconds 0.05");
    for (arguments, words) in [
        ("replay nowhere.mcap", "nowhere.mcap"),
        ("replay text.mcap", "no MCAP file"),
        ("info text.mcap", "stiction record"),
        ("run small.toml --device sim --record there.mcap", "already there"),
        ("run small.toml --device sim --record there.txt", "must end in .mcap"),
        ("run small.toml --record x.mcap", "--device"),
        ("run small.toml --device sim --trace x.csv", "cannot be used with"),
        ("run small.toml --device sim --rate 20000", "100 to 10000 Hz"),
        ("run small.toml --device sim-falcon --rate 5000", "100 to 1000 Hz"),
        ("run small.toml --device nothing", "possible values"),
        ("run small.toml --device sim --motion-scale 0", "above zero"),
        ("run small.toml --device sim --handle-offset 1,2", "three lengths"),
        ("replay there.mcap --scene other", "is of the scene \"small\""),
        ("export there.mcap -o x.txt", "must end in .csv or .parquet"),
    ] {
        let output = place.run(arguments);
        assert!(!output.status.success(), "{arguments}");
        assert!(stderr(&output).contains(words), "{arguments}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{arguments}: {}", stderr(&output));
    }
}

#[test]
fn devices_are_listed_with_what_is_missing_and_why() {
    let place = place();
    let list = place.json("devices");
    assert_eq!(list["found"].as_array().unwrap().len(), 4, "{list}");
    assert!(list["missing"].as_array().unwrap().iter().all(|d| !d["why"].as_str().unwrap().is_empty()), "{list}");
    assert!(place.good("devices").contains("sim-falcon"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_live_run_and_its_recording_well() {
    let place = place();
    place.good("run small.toml --seconds 0.01");
    let mut child = place
        .command("run small.toml --device sim --no-priority --seconds 60 --record stopped.mcap")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Until something of it is on the disk.
    let recording = place.path("stopped.mcap");
    for _ in 0..600 {
        if std::fs::metadata(&recording).is_ok_and(|file| file.len() > 100_000) {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    let replay = place.json("replay stopped.mcap");
    assert!(
        replay["same"] == true && replay["ticks"].as_u64() > Some(100) && replay["cut_off_at_byte"].is_null(),
        "{replay}"
    );
}
