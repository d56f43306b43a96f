//! The program as a user runs it: what it prints, and its exit codes.

use serde_json::Value;
use std::process::{Command, Output};

fn stiction(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stiction")).args(arguments.split_whitespace()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

#[test]
fn the_demo_holds_and_then_slips() {
    let text = stdout(&stiction("demo"));
    let rows: Vec<&str> = text.lines().filter(|l| l.contains(" of 98")).collect();
    let holds = rows.iter().take_while(|row| row.contains("Holds")).count();
    assert!(holds >= 10 && holds < rows.len(), "{text}");
    assert!(rows[holds..].iter().all(|row| row.contains("Slips")), "{text}");
    assert!(text.contains("Coulomb's law predicts 10.000 N"), "{text}");
}

#[test]
fn every_method_of_the_demo_keeps_coulombs_law() {
    let flags = [
        "",
        "--method lp",
        "--method lp --cone 4",
        "--method qp --metric mass",
        "--method qp --cone 8",
        "--cone 4 --mu 0.2 --contacts 7",
        "--method qp --cone disk --contacts 300",
    ];
    for flags in flags {
        let rows = objects(&stdout(&stiction(&format!("demo --json {flags}"))));
        for row in &rows {
            let margin = row["margin"].as_f64().unwrap();
            let expected = if margin < 1.0 { "Holds" } else { "Slips" };
            assert_eq!(row["verdict"], expected, "{flags}: {row}");
            for field in ["pull_n", "sliding", "contacts", "friction_n", "step_um", "time_us"] {
                assert!(row[field].as_f64().is_some_and(|x| x >= 0.0), "{flags}: {field} in {row}");
            }
        }
        // The last pull is half as much again as the law allows.
        let last = rows.last().unwrap()["margin"].as_f64().unwrap();
        assert!((last - 1.5).abs() < 1e-9, "{flags}: {last}");
    }
}

#[test]
fn the_benchmark_prints_every_field_and_solver() {
    let rows = objects(&stdout(&stiction("bench friction --json --seconds 2 --contacts 4,16")));
    let numbers = ["contacts", "p50_us", "p99_us", "iterations_mean", "iterations_p99", "stalls", "agree", "samples"];
    for row in &rows {
        for field in numbers {
            assert!(row[field].as_f64().is_some_and(|x| x >= 0.0), "{field} in {row}");
        }
        assert!(row["p50_us"].as_f64() <= row["p99_us"].as_f64(), "{row}");
        assert!(row["agree"].as_f64() <= Some(1.0), "{row}");
    }
    let has = |cone: &str, load: &str, solver: &str| {
        rows.iter().any(|r| r["cone"] == cone && r["load"] == load && r["solver"] == solver && r["contacts"] == 16)
    };
    let always = ["stiction-qp", "stiction-qp-warm", "stiction-hold", "stiction-hold-warm", "clarabel-hold"];
    let polygons = ["stiction-lp", "stiction-lp-warm", "microlp-lp", "clarabel-lp", "clarabel-qp"];
    for load in ["holds", "slips", "edge"] {
        for cone in ["4", "8", "disk"] {
            always.iter().for_each(|solver| assert!(has(cone, load, solver), "{solver}, {cone}, {load}"));
            let polygon = cone != "disk";
            polygons.iter().for_each(|solver| assert_eq!(has(cone, load, solver), polygon, "{solver}, {cone}, {load}"));
            assert_eq!(has(cone, load, "clarabel-socp"), !polygon);
        }
    }
}

#[test]
fn the_table_is_for_people() {
    let text = stdout(&stiction("bench friction --seconds 0.2 --contacts 4"));
    assert!(text.contains("stiction-hold-warm") && text.contains("agree"), "{text}");
}

#[test]
fn a_check_of_nothing_is_an_error() {
    let output = stiction("bench friction --check --seconds 0.1 --contacts 3");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn wrong_flags_end_with_two_and_say_why() {
    for (arguments, reason) in [
        ("", "Usage"),
        ("dance", "unrecognized subcommand"),
        ("demo --cone 2", "from 3 to 64"),
        ("demo --cone round", "\"disk\""),
        ("demo --mu -1", "above zero"),
        ("demo --mu nan", "above zero"),
        ("demo --contacts 0", "from 1 to"),
        ("demo --method lp --cone disk", "needs a polygon"),
        ("demo --metric mass", "--method qp only"),
        ("bench friction --contacts 4,x", "number of contacts"),
        ("bench friction --seconds 0", "above zero"),
        ("bench friction --quick --seconds 3", "cannot be used with"),
    ] {
        let output = stiction(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(stderr(&output).contains(reason), "{arguments}: {}", stderr(&output));
    }
}

#[test]
fn the_demo_draws_a_picture_or_says_why_not() {
    let path = std::env::temp_dir().join(format!("stiction-demo-{}.svg", std::process::id()));
    stdout(&stiction(&format!("demo --contacts 6 --json --picture {}", path.display())));
    let svg = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
    // Six contacts in either scene, and one dot for each of 17 rows.
    assert_eq!(svg.matches("<circle").count(), 2 * 6 + 17);
    let nowhere = stiction("demo --json --picture /nowhere/at/all.svg");
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(stderr(&nowhere).contains("cannot write /nowhere/at/all.svg"), "{}", stderr(&nowhere));
}
