//! Files of results become the page as expected; bad ones are told by file and line.

use std::path::{Path, PathBuf};
use stiction_results::{Measurement, ResultRow, Target, read, render};

const ORIGIN: &str = r#"{"name":"bench-wall","command":"stiction-lab bench wall --check","date":"2026-11-17","commit":"ca2d5b7","machine":"a machine"}"#;

/// A file of the test's own, in a folder of its own.
fn file(test: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("bench-wall.jsonl");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_file_becomes_a_section_with_a_table() {
    let rows = [
        Measurement::new("bare: |edge/bound - 1|", 0.0123456, "%").held_to(Target::AtMost(5.0)),
        Measurement::new("faster", 12.0, " x").held_to(Target::AtLeast(20.0)),
        Measurement::new("no target", 3e-17, "m"),
        Measurement::new("no number", f64::NAN, "").held_to(Target::AtMost(1.0)),
    ];
    let mut text = format!("{ORIGIN}\n");
    for row in rows {
        text += &(serde_json::to_string(&ResultRow::Measured(row)).unwrap() + "\n");
    }
    text += "{\"name\":\"lp-12\",\"verdict\":\"partly\"}\n";
    let page = render(&[read(&file("section", &text)).unwrap()]);
    let tables = page.split_once("| results |").unwrap().1;
    assert_eq!(
        format!("| results |{tables}"),
        "\
| results | rows | targets met | date | commit |
|---|---|---|---|---|
| [bench-wall](#bench-wall) | 5 | 1 of 4 | 2026-11-17 | ca2d5b7 |

## bench-wall

`stiction-lab bench wall --check`, 2026-11-17, commit ca2d5b7, on a machine.

| what | measured | target | met |
|---|---|---|---|
| bare: \\|edge/bound - 1\\| | 0.01235 % | ≤ 5 | yes |
| faster | 12 x | ≥ 20 | **no** |
| no target | 3e-17 m |  |  |
| no number | no number | ≤ 1 | **no** |

| figure | verdict |
|---|---|
| lp-12 | partly |
"
    );
}

#[test]
fn a_bad_file_is_told_by_name_and_line() {
    let row = r#"{"what":"a","value":1.0,"unit":"","target":null,"met":null}"#;
    for (test, text, wanted) in [
        ("cut", format!("{ORIGIN}\n{row}\n{}", &row[..20]), "line 3: the file is cut off here"),
        ("empty", String::new(), "line 1: the file is cut off here"),
        ("alone", format!("{ORIGIN}\n"), "line 1: there are no rows after this"),
        ("headless", format!("{row}\n"), "line 1: not a line with name, command, date, commit and machine"),
        ("broken", format!("{ORIGIN}\n{row}\nnonsense\n{row}\n"), "line 3: not JSON"),
        ("short", format!("{ORIGIN}\n{{\"what\":\"a\"}}\n"), "line 2: not a measurement (missing field"),
        ("verdict", format!("{ORIGIN}\n{{\"name\":\"a\",\"verdict\":\"maybe\"}}\n"), "line 2: \"maybe\" is none of"),
        (
            "name",
            format!("{}\n{row}\n", ORIGIN.replace("bench-wall", "other")),
            "line 1: these are results of \"other\"",
        ),
    ] {
        let told = read(&file(test, &text)).unwrap_err().to_string();
        assert!(told.contains(wanted) && told.contains("bench-wall.jsonl"), "{test}: {told}");
    }
}

/// `docs/results.md` is what `make results` makes of the files beside it.
#[test]
fn the_page_in_docs_was_not_edited() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(docs.join("results")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let files: Vec<_> = paths.iter().map(|path| read(path).unwrap_or_else(|e| panic!("{e}"))).collect();
    let page = std::fs::read_to_string(docs.join("results.md")).unwrap();
    assert!(page == render(&files), "docs/results.md differs from its files: run `make results`");
}
