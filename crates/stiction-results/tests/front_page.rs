//! Numbers on the front page and on the page of checks are those that benches left in `docs/results`.

use serde_json::Value;
use std::path::Path;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of a file of results.
fn rows(name: &str) -> Vec<(String, f64, String)> {
    let text = std::fs::read_to_string(root().join(format!("docs/results/{name}.jsonl"))).unwrap();
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let target = row["target"].as_str().unwrap_or_default().to_owned();
        Some((row["what"].as_str()?.to_owned(), row["value"].as_f64()?, target))
    };
    text.lines().filter_map(row).collect()
}

/// The number that a page has for a measured one: as many digits as it shows.
fn is_rounded(shown: &str, measured: f64) -> bool {
    let number: f64 = shown.replace(',', "").parse().unwrap_or_else(|e| panic!("{shown}: {e}"));
    let measured = measured.abs();
    let unit = match shown.split_once('e') {
        Some((_, power)) => 10f64.powi(power.parse().unwrap()),
        None => 10f64.powi(-(shown.split_once('.').map_or(0, |(_, decimals)| decimals.len()) as i32)),
    };
    (number - measured).abs() <= 0.5001 * unit
}

/// What the front page calls the rows of its table, and what the bench calls their settings.
const HOLDING: [(&str, &[&str]); 7] = [
    ("**Stiction, `hold`**", &["Stiction 0.1.0, hold,"]),
    ("Stiction, `qp`", &["Stiction 0.1.0, qp, stiffness metric,", "Stiction 0.1.0, qp, mass metric,"]),
    ("Stiction, `lp`", &["Stiction 0.1.0, lp, 8-gon,"]),
    ("Stiction, `yamane`", &["Stiction 0.1.0, yamane, 1e5 N/m,"]),
    ("MuJoCo 4.0.0", &["MuJoCo 4.0.0, default,", "MuJoCo 4.0.0, cone=elliptic, c", "MuJoCo 4.0.0, best"]),
    (
        "Drake 1.51.1",
        &[
            "Drake 1.51.1, default: shape=spheres, across=2,",
            "Drake 1.51.1, shape=spheres, across=2, discrete_contact_approximation=sap,",
            "Drake 1.51.1, best",
        ],
    ),
    ("PyBullet 3.2.7", &["PyBullet 3.2.7, default,", "PyBullet 3.2.7, frictionAnchor=1,", "PyBullet 3.2.7, best"]),
];

#[test]
fn the_table_of_the_front_page_has_what_the_bench_measured() {
    let page = std::fs::read_to_string(root().join("README.md")).unwrap();
    let measured = rows("bench-holding-peers");
    for (name, settings) in HOLDING {
        let line =
            page.lines().find(|l| l.starts_with(&format!("| {name}"))).unwrap_or_else(|| panic!("no row {name}"));
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        for (load, cell) in ["constant load", "varying load"].iter().zip(&cells[1..]) {
            // What stands in brackets is the same with its digits.
            let cell = match cell.split_once(" (") {
                Some((_, inner)) => inner.trim_end_matches(')'),
                None => cell,
            };
            let shown: Vec<&str> = cell.split(" / ").map(|x| x.trim_matches('*')).collect();
            assert_eq!(shown.len(), settings.len(), "{line}");
            for (shown, setting) in shown.iter().zip(settings) {
                // The setting of MuJoCo's elliptic cone is the beginning of others.
                let is_it = |what: &str| match setting.strip_suffix(" c") {
                    Some(short) => what.starts_with(&format!("{short} {load}")),
                    None => what.starts_with(setting) && what.contains(load),
                };
                let row = measured.iter().find(|(what, ..)| is_it(what)).unwrap_or_else(|| panic!("{setting} {load}"));
                assert!(
                    is_rounded(shown, row.1),
                    "{name}, {load}: the page has {shown}, the bench {} ({})",
                    row.1,
                    row.0
                );
            }
        }
    }
}

/// The page of checks once had targets of ticks that the bench had long made stricter.
#[test]
fn the_page_of_checks_has_the_targets_of_the_bench_of_ticks() {
    let page = std::fs::read_to_string(root().join("docs/checks.md")).unwrap();
    let line = page.lines().find(|l| l.contains("`make bench-tick`")).unwrap();
    for (what, words) in [
        ("corner-cube, 92 contacts, hold: median", "corner-cube: median {} µs"),
        ("corner-cube 10 kHz, hold: p99.9", "at 10 kHz p99.9 {} µs"),
        ("gear-on-shaft, hold: p99", "gear-on-shaft: p99 {} µs"),
        ("plate-cube, hold: p99", "every other scene: p99 {} µs"),
        ("nut-on-bolt, hold: p99", "M12 nut: p99 {} µs"),
        ("10,000 contacts, hold", "at most {} times as much"),
    ] {
        let rows = rows("bench-tick");
        let row = rows.iter().find(|(name, _, target)| name.starts_with(what) && !target.is_empty());
        let target = &row.unwrap_or_else(|| panic!("no target for {what}")).2;
        let words = words.replace("{}", target.trim_start_matches("≤ "));
        assert!(line.contains(&words), "docs/checks.md should say \"{words}\": {line}");
    }
}

#[test]
fn a_number_that_is_not_the_measured_one_is_found() {
    assert!(
        is_rounded("5,054", 5053.7)
            && is_rounded("1e-14", 1.14e-14)
            && is_rounded("0.09", 0.08641)
            && is_rounded("0", 0.0)
    );
    assert!(!is_rounded("5,054", 5055.0) && !is_rounded("1e-14", 1.6e-14) && !is_rounded("0.09", 0.096));
}
