//! Ticks of the program of before, beside ours in the same run: `bench tick --before`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use stiction_cli::Failure;
use stiction_results::Measurement;

/// Medians of earlier ticks, by scene and friction method (µs).
pub struct EarlierTicks {
    tree: PathBuf,
    /// The tree's commit, or its folder where there is none.
    name: String,
    medians: BTreeMap<(String, String), f64>,
}

impl EarlierTicks {
    /// Of the program in a source tree that was built with `cargo build --release`.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn of(tree: &Path) -> Result<EarlierTicks, Failure> {
        let commit = Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(tree).output();
        let commit = commit.ok().filter(|out| out.status.success()).and_then(|out| String::from_utf8(out.stdout).ok());
        let name = commit.map_or_else(|| tree.display().to_string(), |commit| commit.trim().into());
        let earlier = EarlierTicks { tree: tree.into(), name, medians: BTreeMap::new() };
        earlier.program()?;
        Ok(earlier)
    }

    /// Times the ticks of a scene with the earlier program, in its own tree, with its own scenes. A scene that it does not time, as it may not know it, is
    /// told and left out.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn measure(&mut self, scene: &str) -> Result<(), Failure> {
        let results = std::env::temp_dir().join(format!("stiction-before-{}", std::process::id()));
        let out = Command::new(self.program()?)
            .args(["bench", "tick", "--no-growth", "--json", "--scenes", scene])
            .current_dir(&self.tree)
            .env("STICTION_RESULTS", &results)
            .stderr(Stdio::null())
            .output()?;
        let _ = std::fs::remove_dir_all(&results);
        let known = self.medians.len();
        for line in String::from_utf8_lossy(&out.stdout).lines() {
            let Ok(row) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            let word = |key: &str| row[key].as_str().map(String::from);
            if let (Some(scene), Some(friction), Some(median)) =
                (word("scene"), word("friction"), row["tick_us_p50"].as_f64())
            {
                self.medians.insert((scene, friction), median);
            }
        }
        if self.medians.len() == known {
            eprintln!("{}: no ticks of {scene}; it may not know the scene", self.name);
        }
        Ok(())
    }

    /// What the earlier program took for the ticks of a row, and its ratio to what ours take; nothing where it did not run that row.
    pub fn rows(&self, scene: &str, friction: &str, median_us: f64) -> Vec<Measurement> {
        let Some(before) = self.medians.get(&(scene.to_string(), friction.to_string())) else { return Vec::new() };
        vec![
            Measurement::new(format!("{scene}, {friction}: median of {}, before", self.name), *before, "µs"),
            Measurement::new(
                format!("{scene}, {friction}: median of {} over that now", self.name),
                before / median_us,
                "x",
            ),
        ]
    }

    /// The laboratory's program, or the program itself where it had the benches.
    fn program(&self) -> Result<PathBuf, Failure> {
        let built = ["stiction-lab", "stiction"].map(|name| self.tree.join("target/release").join(name));
        let tree = self.tree.display();
        let missing = || {
            Failure::Other(format!(
                "there is no program in {tree}/target/release: run `cargo build --release` in {tree}"
            ))
        };
        built.into_iter().find(|program| program.is_file()).and_then(|p| p.canonicalize().ok()).ok_or_else(missing)
    }
}
