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

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("{field} in {row}"))
}

/// The rows of a demo by kind.
fn demo(flags: &str) -> [Vec<Value>; 3] {
    let rows = objects(&stdout(&stiction(&format!("demo --json {flags}"))));
    ["moment", "slip", "creep"].map(|kind| rows.iter().filter(|r| r["row"] == kind).cloned().collect())
}

#[test]
fn the_demo_holds_and_then_slips_as_coulombs_law_says() {
    let [moments, slip, creep] = demo("");
    let rests: Vec<_> = moments.iter().filter(|m| m["hand"] == "keeps pulling, at rest").collect();
    assert!(!rests.is_empty());
    for m in rests {
        assert!(m["sliding"] == 0 && number(m, "stuck") > 50.0, "{m}");
        assert!(number(m, "pull_n") > 7.0 && number(m, "margin") < 1.0 && number(m, "moved_m") < 2e-4, "{m}");
    }
    let last = moments.last().unwrap();
    assert!(last["stuck"] == 0 && number(last, "sliding") > 50.0 && number(last, "moved_m") > 1e-4, "{last}");
    let [slip] = &slip[..] else { panic!("{slip:?}") };
    for [pull, law] in [["pull_n", "coulomb_n"], ["slipping_pull_n", "slipping_coulomb_n"]] {
        let (pull, law) = (number(slip, pull), number(slip, law));
        assert!((pull - law).abs() < 0.01 * law, "{pull} N, by Coulomb's law {law} N");
    }
    let of = |method: &str| creep.iter().find(|c| c["friction"] == method).unwrap();
    let gave_way = ["hold", "yamane", "none"].map(|method| number(of(method), "gave_way_m"));
    assert!(number(of("hold"), "crept_m") < 1e-15);
    assert!(gave_way[0] < 2e-4 && gave_way[0] < gave_way[1] && gave_way[1] < gave_way[2], "{gave_way:?}");
    assert!((gave_way[2] - number(of("none"), "hand_m")).abs() < 1e-4, "{gave_way:?}");
}

#[test]
fn the_demo_slips_early_with_little_friction_and_at_once_with_none() {
    for (flags, most) in [("--mu 0.2", 4.5), ("--friction none", 0.1)] {
        let [_, slip, _] = demo(flags);
        assert!(slip.len() == 1 && number(&slip[0], "pull_n") < most, "{flags}: {slip:?}");
    }
}

#[test]
fn wrong_flags_end_with_two_and_say_why() {
    for (arguments, reason) in [
        ("", "Usage"),
        ("dance", "unrecognized subcommand"),
        ("demo --mu -1", "at least zero"),
        ("demo --mu nan", "at least zero"),
        ("demo --friction glue", "possible values: hold, qp, lp, yamane, none"),
        ("bench friction --quick", "stiction-lab bench"),
        ("figures", "stiction-lab figures"),
        ("soak --minutes 1", "stiction-lab soak"),
    ] {
        let output = stiction(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(stderr(&output).contains(reason), "{arguments}: {}", stderr(&output));
    }
}

#[test]
fn the_demo_is_a_table_and_a_picture_or_says_why_not() {
    let path = std::env::temp_dir().join(format!("stiction-demo-{}.svg", std::process::id()));
    let text = stdout(&stiction(&format!("demo --picture {}", path.display())));
    for words in ["presses the cube", "keeps pulling", "slips along", "It slipped at", "yamane", "Picture: "] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let svg = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
    // A dot for each contact of either view, one in either centre, two in the legend.
    assert!(svg.matches("<circle").count() > 150, "{svg}");
    let nowhere = stiction("demo --json --picture /nowhere/at/all.svg");
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(stderr(&nowhere).contains("there is no folder /nowhere/at"), "{}", stderr(&nowhere));
}
