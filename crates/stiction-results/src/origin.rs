//! Where results come from: command, date, commit and machine.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// The first line of a file of results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Name of the bench or study; also that of the file.
    pub name: String,
    /// The command that measured.
    pub command: String,
    /// The day on which it began, by UTC, as in 2026-11-17.
    pub date: String,
    /// The commit, with "+ changes" where files of the tree differ from it.
    pub commit: String,
    /// Processor, cores, system and kind of build.
    pub machine: String,
}

impl Origin {
    /// The origin of results that this process measures now.
    pub fn now(name: &str, command: &str) -> Self {
        Origin { name: name.into(), command: command.into(), date: today(), commit: commit(), machine: machine() }
    }
}

/// The folder for results: `STICTION_RESULTS`, or else `target/results` of the source tree that the process works in (`CARGO_TARGET_DIR` is heeded).
/// `None` outside of the source tree: an installed program leaves no files behind.
pub fn folder() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("STICTION_RESULTS") {
        return Some(given.into());
    }
    let tree = tree()?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
    Some(tree.join(target).join("results"))
}

/// The source tree that the process works in.
fn tree() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().find(|folder| folder.join("crates/stiction-results/Cargo.toml").is_file()).map(Path::to_path_buf)
}

/// Processor, cores, system and kind of build.
pub fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|l| l.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let build = if cfg!(debug_assertions) { "with debug checks" } else { "optimised" };
    format!(
        "{}, {cores} core{}, {} {}, build {build}",
        cpu.unwrap_or_else(|| "processor unknown".into()),
        if cores == 1 { "" } else { "s" },
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(tree()?).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short", "HEAD"]) else { return "unknown".into() };
    match git(&["status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs"]) {
        Some(changes) if changes.is_empty() => commit,
        _ => commit + " + changes",
    }
}

fn today() -> String {
    chrono::DateTime::<chrono::Utc>::from(SystemTime::now()).date_naive().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page has dates such as 2026-11-17.
    #[test]
    fn a_date_is_year_month_and_day() {
        let date = today();
        let parts: Vec<&str> = date.split('-').collect();
        assert_eq!(parts.iter().map(|p| p.len()).collect::<Vec<_>>(), [4, 2, 2], "{date}");
        assert!(parts.iter().all(|p| p.chars().all(|c| c.is_ascii_digit())), "{date}");
    }
}
