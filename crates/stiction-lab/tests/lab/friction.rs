//! `stiction-lab bench friction`.

use crate::place::{Place, stderr};

#[test]
fn the_benchmark_prints_every_field_and_solver() {
    let rows = Place::new().rows("bench friction --seconds 2 --contacts 4,16");
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
    let text = Place::new().good("bench friction --seconds 0.2 --contacts 4");
    assert!(text.contains("stiction-hold-warm") && text.contains("agree"), "{text}");
}

#[test]
fn a_check_of_nothing_is_an_error() {
    let output = Place::new().run("bench friction --check --seconds 0.1 --contacts 3");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
