//! `stiction-lab contact-problem`.

use crate::place::{Place, stderr};

/// One contact that slides, and one that comes apart.
const GOOD: &str = r#"{"name": "two", "contacts": 2, "mu": [0.5, 0.5], "q": [-2, 3, 4, 1, 0, 0],
    "blocks": [[0, 0, [2, 0, 0, 0, 4, 0, 0, 0, 4]], [1, 1, [2, 0, 0, 0, 4, 0, 0, 0, 4]]]}"#;

#[test]
fn every_solver_tells_residual_time_and_iterations() {
    let place = Place::new();
    std::fs::write(place.path("two.json"), GOOD).unwrap();
    let rows = place.rows("contact-problem two.json --tolerance 1e-10");
    let solvers: Vec<_> = rows.iter().map(|row| row["solver"].as_str().unwrap()).collect();
    let expected = ["graph-intersection", "bipotential", "exact"].map(|rule| format!("gauss-seidel {rule}"));
    assert_eq!(solvers[..3], expected);
    assert_eq!(solvers[3..], ["staggered", "staggered-8", "newton", "lemke-8"]);
    for row in &rows {
        assert_eq!((row["verdict"].as_str(), row["contacts"].as_u64()), (Some("solved"), Some(2)), "{row}");
        assert!(row["residual"].as_f64() <= Some(1e-10) && row["ms"].as_f64() > Some(0.0), "{row}");
        assert!(row["iterations"].as_u64() >= Some(1), "{row}");
    }
    let table = place.good("contact-problem two.json");
    assert!(table.contains("staggered-8") && table.contains("residual"), "{table}");
}

#[test]
fn a_problem_without_a_solution_is_refused_by_all() {
    let place = Place::new();
    // Opposed walls that both overlap.
    let wedged = r#"{"contacts": 2, "mu": [0.5, 0.5], "q": [-1, 0, 0, -1, 0, 0], "blocks": [[0, 0, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
        [1, 1, [1, 0, 0, 0, 1, 0, 0, 0, 1]], [0, 1, [-1, 0, 0, 0, 1, 0, 0, 0, 1]], [1, 0, [-1, 0, 0, 0, 1, 0, 0, 0, 1]]]}"#;
    std::fs::write(place.path("wedged.json"), wedged).unwrap();
    for row in place.rows("contact-problem wedged.json") {
        assert_eq!(
            (row["verdict"].as_str(), row["problem"].as_str()),
            (Some("not-converged"), Some("wedged")),
            "{row}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said_and_the_others_are_solved() {
    let place = Place::new();
    std::fs::write(place.path("two.json"), GOOD).unwrap();
    std::fs::write(place.path("cut.json"), &GOOD[..60]).unwrap();
    std::fs::write(place.path("short.json"), GOOD.replace("[0.5, 0.5]", "[0.5]")).unwrap();
    let output = place.run("contact-problem cut.json short.json none.json two.json");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for words in
        ["cut.json: it is not a contact problem", "\"mu\" has 1 numbers", "none.json: cannot read it", "3 of 4 files"]
    {
        assert!(said.contains(words), "{words:?} is not in {said:?}");
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("staggered-8"));
    assert_eq!(place.run("contact-problem").status.code(), Some(2));
    assert_eq!(place.run("contact-problem two.json --tolerance 0").status.code(), Some(2));
}

#[test]
fn rivals_are_timed_and_their_problems_are_exported() {
    let place = Place::new();
    let rows = place.rows("bench rivals --quick");
    let methods = ["lp", "qp", "hold", "staggered", "gauss-seidel", "gauss-seidel exact"];
    for (phase, start) in [("rest", "cold"), ("rest", "warm"), ("sliding", "cold"), ("sliding", "warm")] {
        let some = || rows.iter().filter(|r| r["phase"] == phase && r["start"] == start);
        assert_eq!(some().count(), 3 + 3 * 4, "W in two forms, two residuals");
        assert!(methods.iter().all(|m| some().any(|r| r["method"] == *m)));
        assert!(some().all(|r| r["p50_us"].as_f64() > Some(0.0) && r["over_lp"].as_f64() > Some(0.0)));
    }
    assert!(place.good("bench rivals --quick --export problems").contains("problems in problems"));
    let name = place.list("problems").into_iter().find(|name| name.contains("sliding")).unwrap();
    assert_eq!(place.rows(&format!("contact-problem problems/{name}")).len(), 7);
}
