//! The laboratory's program as a user runs it: what it prints and leaves behind, its exit codes, and that the product is built without it.

mod contact_problem;
mod friction;
#[path = "../../../stiction-cli/tests/place/mod.rs"]
mod place;
mod product;
mod results;
mod scenes;

use place::{Place, stderr};

#[test]
fn a_soak_holds_every_wrench_to_its_limits() {
    let place = Place::with_scene();
    let row = place.json("soak --scene small.toml --minutes 0.05");
    assert_eq!((row["broken_rules"].as_u64(), row["ticks"].as_u64()), (Some(0), Some(1500)), "{row}");
    assert!(row["force_max_of_limit"].as_f64() > Some(0.0), "{row}");
}

#[test]
fn wrong_words_are_refused_with_cause() {
    let place = Place::new();
    for (arguments, code, reason) in [
        ("", 2, "Usage"),
        ("dance", 2, "unrecognized subcommand"),
        ("bench friction --contacts 4,x", 2, "number of contacts"),
        ("bench friction --seconds 0", 2, "above zero"),
        ("bench friction --quick --seconds 3", 2, "cannot be used with"),
        ("soak --scene nothing --minutes 0.001", 1, "nothing"),
        ("figures lp-99", 2, "there is no figure lp-99"),
        ("results", 1, "there are no results"),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{arguments}: {}", stderr(&output));
    }
}
