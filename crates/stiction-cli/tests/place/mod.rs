//! A folder of its own for every test in which the program runs as a user runs it; removed in the end.
#![allow(dead_code, reason = "every program test uses a part of it")]

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The program of the package that is tested; the laboratory's tests use this file too.
const PROGRAM: &str = match (option_env!("CARGO_BIN_EXE_stiction"), option_env!("CARGO_BIN_EXE_stiction-lab")) {
    (Some(program), _) | (None, Some(program)) => program,
    (None, None) => panic!("there is no program to test"),
};

/// A small cube on a plate: pressed, then pulled until it slips. Bakes in no time.
pub const SCENE: &str = r#"
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

/// The folder, with a cache in it.
pub struct Place(PathBuf);

impl Place {
    /// An empty one.
    pub fn new() -> Place {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("stiction-test-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    /// One with the scene in it, as `small.toml`.
    pub fn with_scene() -> Place {
        let place = Place::new();
        place.write("small.toml", SCENE);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The program in this folder.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments.split_whitespace()).current_dir(&self.0).env("STICTION_CACHE", self.path("cache"));
        command.env_remove("STICTION_RESULTS").env_remove("COLUMNS");
        command
    }

    /// The program in this folder, in a shell that first runs `before`: for limits of the process.
    pub fn shell(&self, before: &str, arguments: &str) -> Command {
        let program = self.command("");
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{before}; exec {PROGRAM} {arguments}")]).current_dir(&self.0);
        command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command
    }

    pub fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs what should succeed; standard output.
    pub fn good(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs what should succeed with `--json`: one object and nothing else.
    pub fn json(&self, arguments: &str) -> Value {
        let text = self.good(&format!("{arguments} --json"));
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{arguments}: {e}: {text}"))
    }

    /// Runs what should succeed with `--json`: one object a line.
    pub fn rows(&self, arguments: &str) -> Vec<Value> {
        let text = self.good(&format!("{arguments} --json"));
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    }

    /// Names of everything in a folder in here, sorted; none without the folder.
    pub fn list(&self, folder: &str) -> Vec<String> {
        let listing = fs::read_dir(self.path(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> = listing.map(|f| f.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
