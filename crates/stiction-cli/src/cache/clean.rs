//! Room made in the cache.

use super::{shapes, unused};
use crate::sizes::parse_bytes;
use crate::words::parse_positive;
use crate::{Failure, output};
use clap::Args;
use serde_json::json;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use stiction_bake::bytes;
use stiction_bake::cache::Cache;

/// Unfinished files younger than this may belong to a bake that still runs.
const UNFINISHED: Duration = Duration::from_secs(3600);

/// Remove shapes from the cache: all of them, or those that the options tell
///
/// Only files that the cache made are touched: they have a hash for a name. Anything else in its folder stays.
#[derive(Args)]
pub struct Clean {
    /// Only what was not used for so many days
    #[arg(long, value_name = "DAYS", value_parser = parse_positive)]
    older_than: Option<f64>,
    /// Only so much that at most this remains, the last used first, as in 5GiB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    keep: Option<u64>,
    /// Say what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

impl Clean {
    /// Removes what is not wanted any more.
    pub fn run(&self, cache: &Cache, as_json: bool) -> Result<(), Failure> {
        let entries = cache.entries()?;
        let mut kept = 0;
        let mut doomed: Vec<(PathBuf, u64)> = Vec::new();
        // The last used come first, so that those are the ones that fit.
        for entry in &entries {
            let old = self.older_than.is_some_and(|days| unused(entry.used).as_secs_f64() > days * 86_400.0);
            let over = self.keep.is_some_and(|most| kept + entry.bytes > most);
            if old || over || (self.older_than.is_none() && self.keep.is_none()) {
                doomed.push((entry.path.clone(), entry.bytes));
            } else {
                kept += entry.bytes;
            }
        }
        let removed = doomed.len();
        doomed.extend(unfinished(cache));
        if !self.dry_run {
            for (path, _) in &doomed {
                match fs::remove_file(path) {
                    // Somebody else was faster.
                    Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                    Err(e) => return Err(Failure::Other(format!("{}: cannot be removed: {e}", path.display()))),
                    Ok(()) => {}
                }
            }
        }
        let freed: u64 = doomed.iter().map(|d| d.1).sum();
        let (rest, left) = (entries.len() - removed, doomed.len() - removed);
        if as_json {
            return Ok(output::json(&json!({
                "dry_run": self.dry_run,
                "removed": removed,
                "unfinished_removed": left,
                "freed_bytes": freed,
                "remaining": rest,
                "remaining_bytes": kept,
            }))?);
        }
        let verb = if self.dry_run { "would be removed" } else { "removed" };
        let unfinished = if left > 0 { format!(" and {left} unfinished files") } else { String::new() };
        let words =
            format!("{}{unfinished} {verb}, {}; {} left, {}", shapes(removed), bytes(freed), shapes(rest), bytes(kept));
        Ok(output::line(&words)?)
    }
}

/// Files that a bake left unfinished, because the machine or the program was stopped hard.
fn unfinished(cache: &Cache) -> Vec<(PathBuf, u64)> {
    let old = cache.unfinished().into_iter().filter_map(|path| {
        let data = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        (unused(data.modified().ok()?) > UNFINISHED).then_some((path, data.len()))
    });
    old.collect()
}
