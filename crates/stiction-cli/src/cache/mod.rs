//! `stiction cache`: the shapes that were baked before.

mod clean;

use crate::facts::number;
use crate::record::ShapeRecord;
use crate::{Failure, output};
use clap::{Args, Subcommand};
use clean::Clean;
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use stiction_bake::bytes;
use stiction_bake::cache::{Cache, CacheEntry};

const EXAMPLES: &str = "\
Examples:
  stiction cache                               what there is
  stiction cache clean --older-than 30         remove what was not used for 30 days
  stiction cache clean --keep 5GiB --dry-run   say what would go to leave the last used 5 GiB

The cache is in the folder that STICTION_CACHE names, or in stiction inside XDG_CACHE_HOME or ~/.cache.";

/// List and clean the shapes that were baked before
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct CacheArgs {
    #[command(subcommand)]
    action: Option<Action>,
    /// One JSON object instead of the table
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Action {
    /// List the shapes, the last used first (what happens without a word)
    List,
    /// Print the cache's folder
    Path,
    Clean(Clean),
}

impl CacheArgs {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let none = || Failure::Other("there is no folder for a cache: set STICTION_CACHE or HOME".into());
        let cache = Cache::new(Cache::default_folder().ok_or_else(none)?);
        match &self.action {
            None | Some(Action::List) => list(&cache, self.json),
            Some(Action::Path) if self.json => Ok(output::json(&json!({ "folder": folder(&cache) }))?),
            Some(Action::Path) => Ok(output::line(&folder(&cache))?),
            Some(Action::Clean(clean)) => clean.run(&cache, self.json),
        }
    }
}

fn folder(cache: &Cache) -> String {
    cache.folder().display().to_string()
}

fn list(cache: &Cache, as_json: bool) -> Result<(), Failure> {
    let entries = cache.entries()?;
    let total: u64 = entries.iter().map(|e| e.bytes).sum();
    if as_json {
        let all: Vec<Value> = entries.iter().map(entry_json).collect();
        return Ok(output::json(&json!({ "folder": folder(cache), "bytes": total, "entries": all }))?);
    }
    if entries.is_empty() {
        return Ok(output::line(&format!("{} is empty", folder(cache)))?);
    }
    output::line(&format!("{:>9}  {:>10}  {:<28}  settings", "size", "last used", "mesh"))?;
    for entry in &entries {
        let (mesh, settings) = described(entry);
        let age = age(entry.used);
        output::line(&format!("{:>9}  {age:>10}  {mesh:<28}  {settings}", bytes(entry.bytes)))?;
    }
    Ok(output::line(&format!("\n{} in {}, {}", shapes(entries.len()), folder(cache), bytes(total)))?)
}

/// So many shapes.
fn shapes(n: usize) -> String {
    if n == 1 { "1 shape".into() } else { format!("{} shapes", crate::facts::grouped(n)) }
}

/// Mesh and settings of an entry, or what is wrong with it.
fn described(entry: &CacheEntry) -> (String, String) {
    match &entry.provenance {
        Ok(text) => {
            let record = ShapeRecord::read(text);
            (record.get("source").into(), format!("{} {}", record.get("import"), record.get("flags")))
        }
        Err(cause) => (entry.path.file_name().unwrap_or_default().to_string_lossy().into_owned(), cause.clone()),
    }
}

fn entry_json(entry: &CacheEntry) -> Value {
    let record = entry.provenance.as_deref().map(ShapeRecord::read);
    let text = |key| record.as_ref().ok().map(|r| r.get(key).to_string());
    json!({
        "file": entry.path.display().to_string(),
        "bytes": entry.bytes,
        "unused_seconds": unused(entry.used).as_secs(),
        "source": text("source"),
        "hash": text("hash"),
        "import": text("import"),
        "settings": text("settings"),
        "problem": entry.provenance.as_ref().err(),
    })
}

fn unused(used: SystemTime) -> Duration {
    SystemTime::now().duration_since(used).unwrap_or_default()
}

/// How long ago, in words.
fn age(used: SystemTime) -> String {
    let seconds = unused(used).as_secs();
    match seconds {
        0..60 => "just now".into(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        _ => format!("{} d ago", number((seconds / 86_400) as f64)),
    }
}
