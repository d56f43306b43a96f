//! Results on their way from a bench to the page.

use crate::place::Place;

/// A bench leaves its rows with the command that measured them, and `stiction-lab results` makes the page of them.
#[test]
fn a_bench_leaves_rows_from_which_the_page_is_made() {
    let place = Place::with_scene();
    let run = |arguments: &str| {
        let output = place.command(arguments).env("STICTION_RESULTS", place.path("measured")).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", crate::stderr(&output));
    };
    run("bench tick --no-growth --scenes small.toml --json");
    run("results");
    let page = place.text("docs/results.md");
    assert!(page.contains("`stiction-lab bench tick --no-growth --scenes small.toml --json`"), "{page}");
    assert!(page.contains("contacts, hold: median") && page.contains(" µs |"), "{page}");
    assert_eq!(place.list("docs/results"), ["bench-tick.jsonl"]);
}
