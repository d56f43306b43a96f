//! Every figure in its quick form: it has a picture, data and a verdict, and any of its checks can fail.

use std::fs;
use std::path::PathBuf;
use stiction_bake::Silent;
use stiction_figures::{ALL, Check, Context, FigureReport, FigureVerdict, find, write};

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("stiction-figures-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    dir
}

fn checked(dir: &std::path::Path, report: &FigureReport) {
    let name = report.figure.name;
    let outcome = report.outcome.as_ref().unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(!outcome.checks.is_empty() && !outcome.measured.is_empty() && !outcome.why.is_empty(), "{name}");
    assert!(
        outcome.checks.iter().all(|c| c.least.is_finite() || c.most.is_finite()),
        "{name}: a check without a bound"
    );
    assert!(outcome.tables[0].rows() > 3, "{name}: {} rows", outcome.tables[0].rows());
    // Whatever came out, a wrong number in any one check must not pass.
    for i in 0..outcome.checks.len() {
        let mut checks: Vec<Check> = outcome.checks.clone();
        for c in &mut checks {
            c.measured = if c.least.is_finite() { c.least } else { c.most };
        }
        assert_eq!(FigureVerdict::of(&checks), FigureVerdict::Reproduced, "{name}: the bounds themselves pass");
        let c = &mut checks[i];
        c.measured = if c.most.is_finite() { c.most + c.most.abs() + 1.0 } else { c.least - c.least.abs() - 1.0 };
        assert_ne!(FigureVerdict::of(&checks), FigureVerdict::Reproduced, "{name}: {}", outcome.checks[i].what);
    }
    write::write(dir, report).unwrap();
    let csv = fs::read_to_string(dir.join(name).join("data.csv")).unwrap();
    let columns = csv.lines().next().unwrap().split(',').count();
    assert!(csv.lines().all(|l| l.split(',').count() == columns), "{name}: ragged data");
    let svg = fs::read_to_string(dir.join(name).join("plot.svg")).unwrap();
    // Pixels in base 64 may spell anything.
    let svg: String = svg
        .split("base64,")
        .enumerate()
        .map(|(i, text)| if i == 0 { text } else { text.split_once('"').unwrap().1 })
        .collect();
    assert!(
        svg.starts_with("<svg") && (svg.contains("<path") || svg.contains("<circle")) && !svg.contains("NaN"),
        "{name}: no picture"
    );
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[test]
fn every_figure_has_picture_data_and_a_verdict_that_can_fail() {
    let dir = folder("all");
    let context = Context::new(true, &Silent);
    let reports: Vec<FigureReport> = ALL.iter().map(|f| write::run(f, &context).unwrap()).collect();
    for report in &reports {
        println!("{:16} {:15} {:.1} s", report.figure.name, report.verdict().name(), report.seconds);
        checked(&dir, report);
        let row = serde_json::to_value(report.row()).unwrap();
        for field in ["name", "claim", "measured", "tolerance", "verdict", "seconds"] {
            assert!(!row[field].is_null() && row[field] != "", "{}: no {field}", report.figure.name);
        }
        assert_eq!(row["verdict"], report.verdict().name());
    }
    write::write_page(&dir).unwrap();
    let page = fs::read_to_string(dir.join("index.html")).unwrap();
    for report in &reports {
        assert!(page.contains(&format!("<section id=\"{}\">", report.figure.name)));
    }
    // A figure that is run again replaces its own part, and no other.
    let mut again = write::run(find("lp-07").unwrap(), &context).unwrap();
    again.outcome.as_mut().unwrap().measured = "measured again".into();
    write::write(&dir, &again).unwrap();
    write::write_page(&dir).unwrap();
    let later = fs::read_to_string(dir.join("index.html")).unwrap();
    for report in &reports {
        let name = report.figure.name;
        assert_eq!(later.matches(&format!("<section id=\"{name}\">")).count(), 1, "{name} is gone");
        assert_eq!(later.contains(&escaped(&report.measured())), name != "lp-07", "{name}");
    }
    assert!(later.contains("measured again") && later.contains(&format!("of {} claims", reports.len())));
    assert!(page.contains("A quick run") && !page.contains("src=\"") && !page.contains("http://www.w3.org/1999"));
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn every_readme_has_its_three_parts() {
    for figure in ALL {
        for part in [figure.claim(), figure.experiment(), figure.tolerance()] {
            assert!(part.len() > 40, "{}: {part:?}", figure.name);
        }
        assert!(find(figure.name).is_some());
    }
    assert!(find("lp-99").is_none());
}

/// Where a README says which verdict is expected, it says so in the words of the verdicts, and why where it is not the whole claim.
#[test]
fn expected_verdicts_are_told_in_their_own_words() {
    let told: Vec<_> = ALL.iter().filter(|f| !f.expected().is_empty()).collect();
    for figure in &told {
        let expected = figure.expected();
        let verdict = FigureVerdict::ALL.iter().find(|v| expected.to_lowercase().starts_with(v.name()));
        let whole = verdict == Some(&FigureVerdict::Reproduced);
        assert!(verdict.is_some() && (whole || expected.len() > 60), "{}: {expected:?}", figure.name);
    }
    assert!(told.len() > 8);
}
