//! What reaches a terminal: lines that fit it, and names that command nothing.

use super::{Place, place, stderr};
use std::process::Output;

/// Sets a terminal's title, colours it, clears it, and turns the direction of writing.
const EVIL: &str = "a\x1b]0;mine\x07\x1b[31m\u{9b}2J\u{202e}b";

fn shown(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(both).unwrap()
}

fn commands(text: &str) -> bool {
    text.chars().any(|c| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c))
}

#[test]
fn escape_sequences_in_names_never_reach_a_terminal_raw() {
    let place = place();
    let scene = place.text("small.toml").replace(r#"name = "small""#, r#"name = "\u001b[31msmall\u009b2J""#);
    let [toml, mesh, other] = ["toml", "stl", "obj"].map(|ending| format!("{EVIL}.{ending}"));
    place.write(&toml, scene);
    place.write(&mesh, format!("solid {EVIL}\nfacet normal 0 0 {EVIL}\nendsolid {EVIL}\n"));
    place.write(&other, format!("o {EVIL}\nv 0 0 {EVIL}\nf 1 2 3\n"));
    let run = |words: &[&str]| place.command("").args(words).output().unwrap();
    let recording = format!("{EVIL}.mcap");
    let trace = format!("{EVIL}.csv");
    let cases: [&[&str]; 18] = [
        &["run", &toml, "--trace", &trace],
        &["run", &toml, "--json"],
        &["run", &toml, "--set", &format!("{EVIL}=1")],
        &["run", &toml, "--seconds", "1e9"],
        &["run", EVIL],
        &["record", &toml, "-o", &recording, "--clock", "virtual", "--seconds", "0.05"],
        &["replay", &recording],
        &["replay", &recording, "--json"],
        &["info", &recording],
        &["info", &recording, "--json"],
        &["export", &recording, "-o", &trace],
        &["inspect", &mesh],
        &["inspect", &other],
        &["bake", &mesh],
        &["query", EVIL, "--points", &mesh],
        &["replay", EVIL],
        &["info", &mesh],
        &["new", &mesh, &other, "-o", EVIL],
    ];
    for words in cases {
        let output = run(words);
        let text = shown(&output);
        assert!(!text.is_empty() && !commands(&text), "{words:?}: {text:?}");
    }
    // The parser of the command line, too.
    for words in [[EVIL, "x"], ["run", &format!("--{EVIL}")], ["demo", &format!("--friction={EVIL}")]] {
        let output = run(&words);
        assert!(output.status.code() == Some(2) && !commands(&shown(&output)), "{words:?}: {:?}", shown(&output));
        assert!(shown(&output).contains("\\u{9b}"), "{:?}", shown(&output));
    }
    // What is told is the name all the same.
    assert!(shown(&run(&["info", &recording])).contains("\\u{1b}[31msmall"));
    let json: serde_json::Value = serde_json::from_slice(&run(&["info", &recording, "--json"]).stdout).unwrap();
    assert_eq!(json["header"]["scene"], "\u{1b}[31msmall\u{9b}2J");
}

/// Every command's words on a terminal of 80 columns, and on a narrower one; what no space divides stays whole.
#[test]
fn reports_fit_the_terminal() {
    let place = place();
    place.good("solid box -o box.stl");
    place.good("record small.toml -o run.mcap --clock virtual --seconds 0.05");
    for arguments in [
        "run small.toml",
        "run small.toml --device sim --clock virtual",
        "record small.toml -o WIDTH.mcap --clock virtual --seconds 0.05",
        "replay run.mcap",
        "info run.mcap",
        "export run.mcap -o run.csv",
        "inspect box.stl",
        "bake box.stl --unit mm --resolution 16 -o box.shape",
        "inspect box.shape",
        "demo",
        "cache",
        "devices",
        "run nothing",
        "run small.toml --seconds 1e9",
    ] {
        for width in [80, 50] {
            let words = arguments.replace("WIDTH", &width.to_string());
            let output = place.command(&words).env("COLUMNS", width.to_string()).output().unwrap();
            for line in shown(&output).lines() {
                let fits = line.chars().count() <= width || !line.trim().contains(' ');
                assert!(fits, "{words}, {width} columns: {line}");
            }
        }
    }
    // Without a terminal nothing is cut or broken that was not before.
    let wide = place.good("info run.mcap");
    assert!(wide.lines().any(|line| line.chars().count() > 80), "{wide}");
    assert!(stderr(&place.run("run nothing")).lines().count() == 1);
}

#[test]
fn names_of_files_with_spaces_stay_whole_where_a_report_tells_what_to_type() {
    let place = Place::with_scene();
    std::fs::rename(place.path("small.toml"), place.path("a b.toml")).unwrap();
    let output =
        place.command("").args(["record", "a b.toml", "-o", "a b.mcap", "--clock", "virtual"]).output().unwrap();
    assert!(shown(&output).contains("stiction replay 'a b.mcap'"), "{}", shown(&output));
}
