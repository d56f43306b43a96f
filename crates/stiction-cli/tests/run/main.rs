//! Scenes as a user runs them: what is printed, what is written, what is refused.

mod bad;
mod bench;
mod new;
mod trace;
mod way;

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A small cube on a plate: pressed, then pulled until it slips. Bakes in no time.
const SCENE: &str = r#"
name = "small"
description = "a test"
run = { seconds = 0.4, rate = 500 }
held = { solid = "box", size = [0.02, 0.02, 0.02], mass = 0.1, resolution = 16, points = 200, material = "steel" }
fixed = { solid = "plate", size = [0.1, 0.1], thickness = 0.02, resolution = 32, points = 50, position = [0, 0, -0.01], material = "brass" }

[friction]
static = 0.5
kinetic = 0.4
[[friction.pair]]
between = ["steel", "brass"]
static = 0.3
kinetic = 0.2

[hand]
keyframes = [{ t = 0, position = [0, 0, 0.0101] }, { t = 0.1, position = [0, 0, 0.008] }, { t = 0.4, position = [0.004, 0, 0.008] }]
"#;

/// A folder of its own for every test, with a cache and the scene in it; removed in the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("stiction-run-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("small.toml"), SCENE).unwrap();
        Place(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The program in this folder.
    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
        command.args(arguments.split_whitespace()).current_dir(&self.0).env("STICTION_CACHE", self.path("cache"));
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs what should succeed; standard output.
    fn good(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs what should succeed with `--json`: one object and nothing else.
    fn json(&self, arguments: &str) -> Value {
        let text = self.good(&format!("{arguments} --json"));
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{arguments}: {e}: {text}"))
    }

    /// Files in the folder that begin or end so.
    fn has_like(&self, part: &str) -> bool {
        fs::read_dir(&self.0).unwrap().flatten().any(|f| f.file_name().to_string_lossy().contains(part))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
