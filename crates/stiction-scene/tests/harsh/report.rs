//! What was found: one table for people, and failures by name.

use std::collections::BTreeMap;
use std::time::Duration;
use stiction_results::{Measurement, ResultLog, Target};

/// One measurement of one check on one fit.
pub struct Outcome {
    /// The check's name.
    pub check: &'static str,
    /// What was tried, such as "+x, µ 0.2/0.2".
    pub case: String,
    /// The largest measured value as a share of its bound: above 1 is a failure, and so is NaN.
    pub share: f64,
    /// The numbers, with their bounds.
    pub words: String,
}

impl Outcome {
    fn failed(&self) -> bool {
        !(self.share <= 1.0)
    }
}

/// Everything that was found on one fit.
pub struct FitReport {
    /// The fit's name.
    pub name: String,
    /// Its size, in words.
    pub facts: String,
    /// All measurements.
    pub outcomes: Vec<Outcome>,
    /// Time that each check took.
    pub times: Vec<(&'static str, Duration)>,
}

/// Prints the head of the table.
pub fn print_head() {
    println!("| fit | check | tried | failed | worst case | numbers of the worst case |\n|---|---|---|---|---|---|");
}

/// Whether only some fits or checks are tried: that is not the study, and leaves no results.
fn chosen() -> bool {
    ["STICTION_FITS", "STICTION_CHECKS"].iter().any(|name| std::env::var_os(name).is_some())
}

/// Prints the rows of a fit, one a check, with its worst case; a study leaves them as results, too.
pub fn print_rows(report: &FitReport) {
    let mut rows = format!("| {} | | | | | {} |\n", report.name, report.facts);
    for (check, _) in &report.times {
        let found: Vec<&Outcome> = report.outcomes.iter().filter(|o| o.check == *check).collect();
        let rank = |o: &Outcome| if o.share.is_nan() { f64::INFINITY } else { o.share };
        let Some(worst) = found.iter().max_by(|a, b| rank(a).total_cmp(&rank(b))) else { continue };
        let failed = found.iter().filter(|o| o.failed()).count();
        let Outcome { case, words, .. } = worst;
        if std::env::var_os("STICTION_CASES").is_some() {
            for o in &found {
                rows += &format!("CASE {} {check} {}: {:.3}: {}\n", report.name, o.case, o.share, o.words);
            }
        }
        if std::env::var_os("STICTION_STUDY").is_some() && !chosen() {
            let what = format!(
                "{}: {check}, worst of {} cases, as a share of its bound: {case}: {words}",
                report.name,
                found.len()
            );
            let row = Measurement::new(what, worst.share, "").held_to(Target::AtMost(1.0));
            ResultLog::of_study("study-pairs").add(&row).unwrap();
        }
        rows += &format!("| {} | {check} | {} | {failed} | {case} | {words} |\n", report.name, found.len());
    }
    print!("{rows}");
}

/// Prints the time of each check and all failures by name; how many failures there are.
pub fn print_failures(reports: &[FitReport]) -> usize {
    let mut times: BTreeMap<&str, Duration> = BTreeMap::new();
    for (check, time) in reports.iter().flat_map(|r| &r.times) {
        *times.entry(check).or_default() += *time;
    }
    let seconds: Vec<String> =
        times.iter().map(|(check, time)| format!("{check} {:.1} s", time.as_secs_f64())).collect();
    println!("\nTime on one core: {}", seconds.join(", "));
    let mut failures = 0;
    for report in reports {
        for Outcome { check, case, words, .. } in report.outcomes.iter().filter(|o| o.failed()) {
            println!("FAILED {}: {check} {case}: {words}", report.name);
            failures += 1;
        }
    }
    let tried: usize = reports.iter().map(|r| r.outcomes.len()).sum();
    println!("{failures} of {tried} failed");
    failures
}

/// Micrometres.
pub fn um(metres: f64) -> String {
    format!("{:.2} µm", 1e6 * metres)
}
