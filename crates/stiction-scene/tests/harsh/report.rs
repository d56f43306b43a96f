//! What was found: one table for people, and failures by name.

use std::collections::BTreeMap;
use std::time::Duration;

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

/// Prints the table, the time of each check and the failures; how many failures there are.
pub fn print(reports: &[FitReport]) -> usize {
    println!("| fit | check | tried | failed | worst case | numbers of the worst case |\n|---|---|---|---|---|---|");
    let mut times: BTreeMap<&str, Duration> = BTreeMap::new();
    for report in reports {
        println!("| {} | | | | | {} |", report.name, report.facts);
        for (check, time) in &report.times {
            *times.entry(check).or_default() += *time;
            let rows: Vec<&Outcome> = report.outcomes.iter().filter(|o| o.check == *check).collect();
            let rank = |o: &Outcome| if o.share.is_nan() { f64::INFINITY } else { o.share };
            let Some(worst) = rows.iter().max_by(|a, b| rank(a).total_cmp(&rank(b))) else { continue };
            let failed = rows.iter().filter(|o| o.failed()).count();
            println!("| {} | {check} | {} | {failed} | {} | {} |", report.name, rows.len(), worst.case, worst.words);
        }
    }
    let seconds: Vec<String> =
        times.iter().map(|(check, time)| format!("{check} {:.1} s", time.as_secs_f64())).collect();
    println!("\nTime on one core: {}", seconds.join(", "));
    let failures: Vec<String> = reports
        .iter()
        .flat_map(|r| r.outcomes.iter().filter(|o| o.failed()).map(move |o| (r, o)))
        .map(|(r, o)| format!("{}: {} {}: {}", r.name, o.check, o.case, o.words))
        .collect();
    let tried: usize = reports.iter().map(|r| r.outcomes.len()).sum();
    println!("\n{} of {tried} failed", failures.len());
    failures.iter().for_each(|f| println!("FAILED {f}"));
    failures.len()
}

/// Micrometres.
pub fn um(metres: f64) -> String {
    format!("{:.2} µm", 1e6 * metres)
}
