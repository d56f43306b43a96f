//! What is refused, and in which words.

use super::{place, stderr};

/// Arguments, exit code, and what the message must say.
#[test]
fn mistakes_are_named_with_their_remedy() {
    let place = place();
    std::fs::create_dir(place.path("folder.csv")).unwrap();
    std::fs::write(place.path("broken.toml"), "name = \"x\"\n[held\n").unwrap();
    let cases = [
        ("run no-such-scene", 1, "`no-such-scene`: possible are"),
        ("run missing.toml", 1, "missing.toml: cannot be read"),
        ("run broken.toml", 1, "broken.toml, line 2"),
        ("run small.toml --set friction.sttic=0.3", 1, "did you mean `static`?"),
        ("run small.toml --set frction.static=0.3", 1, "did you mean `friction`?"),
        ("run small.toml --set friction.method=hodl", 1, "did you mean `hold`?"),
        ("run small.toml --set friction.static=many", 1, "`static` must be a number"),
        ("run small.toml --set held.points=-3", 1, "points"),
        ("run small.toml --set friction.static", 2, "expected key=value"),
        ("run small.toml --set =3", 2, "expected key=value"),
        ("run small.toml --set friction.static=0.3 --set friction.kinetic=0.5", 1, "kinetic"),
        ("run small.toml --friction hodl", 2, "tip: a similar value exists: 'hold'"),
        ("run small.toml --mu -1", 2, "at least zero"),
        ("run small.toml --seconds 0", 2, "above zero"),
        ("run small.toml --rate -5", 2, "above zero"),
        ("run small.toml --metric mass", 2, "--metric is for --friction qp only"),
        ("run small.toml --trace run.txt", 2, ".csv or .parquet"),
        ("run small.toml --contacts last.parquet", 2, ".csv"),
        ("run small.toml --trace a.csv --contacts a.csv", 2, "the same file"),
        ("run small.toml --trace nowhere/run.csv", 1, "there is no folder nowhere"),
        ("run small.toml --trace folder.csv", 1, "it is a folder"),
        ("run", 2, "<SCENE>"),
    ];
    for (arguments, code, words) in cases {
        let output = place.run(arguments);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
        assert!(message.contains(words), "{arguments}: {message}");
        assert!(output.stdout.is_empty(), "{arguments}");
        assert!(!message.contains("panicked"), "{message}");
    }
    assert!(
        !place.list("").iter().any(|name| name.contains("a.csv"))
            && !place.list("").iter().any(|name| name.contains(".part"))
    );
}

#[test]
fn a_place_that_cannot_be_written_is_found_before_the_run() {
    let place = place();
    // Even root may not write there.
    let output = place.run("run small.toml --seconds 1000000 --trace /proc/run.csv");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("/proc/run.csv: cannot write"), "{}", stderr(&output));
}
