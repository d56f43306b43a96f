//! The program alone, as on a machine where it was not built: no source tree, an empty home, an empty folder. Every command of the README and of the guide
//! is run there, in the order in which the README links to the pages.
//!
//! `make dist-check` runs these tests on the program of the archive, by the variable `STICTION_PROGRAM`.
#![cfg(unix)]

#[path = "../documents/mod.rs"]
mod documents;
#[path = "../serving/mod.rs"]
mod serving;

use serving::Viewer;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

/// The program that is tried.
fn program() -> PathBuf {
    std::env::var_os("STICTION_PROGRAM").map_or(env!("CARGO_BIN_EXE_stiction").into(), PathBuf::from)
}

/// A folder with the program, an empty home and an empty folder to work in; removed in the end.
struct CleanMachine {
    folder: PathBuf,
    /// Whether the system lets us put an empty folder over the source tree.
    hides: bool,
}

impl CleanMachine {
    fn new(name: &str) -> CleanMachine {
        let folder = std::env::temp_dir().join(format!("stiction-anywhere-{name}-{}", std::process::id()));
        for part in ["bin", "home", "work"] {
            fs::create_dir_all(folder.join(part)).unwrap();
        }
        fs::copy(program(), folder.join("bin/stiction")).unwrap();
        let mut machine = CleanMachine { folder, hides: true };
        // Containers may not allow it. Then the tree is there, but no way leads to it: the program has no path of it (see the test below).
        machine.hides = machine.command(&["--version"]).output().is_ok_and(|output| output.status.success());
        if machine.hides {
            let mut look = machine.in_namespace();
            let seen = look.args(["ls", "-A"]).arg(documents::root()).output().unwrap();
            assert!(seen.status.success() && seen.stdout.is_empty(), "the source tree is not hidden");
        } else {
            println!("the source tree is not hidden: `unshare` is not allowed here");
        }
        machine
    }

    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// A command in a namespace of its own, in which the source tree is an empty folder.
    fn in_namespace(&self) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs none \"$0\" && exec \"$@\""]);
        command.arg(documents::root());
        command
    }

    /// The program with nothing but what a new machine has.
    fn command(&self, words: &[&str]) -> Command {
        let program = self.folder.join("bin/stiction");
        let mut command = if self.hides {
            let mut command = self.in_namespace();
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(words).current_dir(self.work()).env_clear();
        command.env("HOME", self.folder.join("home")).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command
    }

    /// Runs what should succeed; standard output.
    fn good(&self, words: &[&str]) -> String {
        let output = self.command(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", told(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for CleanMachine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The commands of a page that are for this program, as words behind its name.
fn commands(page: &documents::DocumentPage) -> Vec<Vec<String>> {
    let lines = page.blocks("sh").concat();
    let words = lines.lines().map(documents::words);
    words.filter(|words| words.first().is_some_and(|w| w == "stiction")).map(|words| words[1..].to_vec()).collect()
}

#[test]
fn every_command_of_the_readme_and_of_the_guide_runs_on_a_machine_without_the_source() {
    let machine = CleanMachine::new("guide");
    // What the pages call yours: two meshes and a table of points.
    machine.good(&["solid", "gear", "-o", "part.stl"]);
    machine.good(&["solid", "plate", "-o", "board.stl"]);
    fs::write(machine.work().join("p.csv"), "0,0,0.01\n").unwrap();
    let readme = documents::page("README.md");
    let guide = fs::read_dir(documents::root().join("docs/guide")).unwrap().count();
    assert_eq!(readme.guide_links().len(), guide, "the README links to every page of the guide");
    let pages = readme.guide_links().into_iter().map(|link| documents::page(&link));
    let mut tried = 0;
    for page in [documents::page("README.md")].into_iter().chain(pages) {
        for words in commands(&page) {
            let begun = Instant::now();
            let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words[0] {
                "view" => {
                    words.extend(["--no-open", "--no-priority", "--port", "0"]);
                    shown(&machine, &words);
                }
                // Of a run, the beginning is enough; a demonstration is short.
                "run" | "record" => {
                    words.extend(["--seconds", "0.2"]);
                    machine.good(&words);
                }
                _ => drop(machine.good(&words)),
            }
            println!("{:6.1} s  {}: stiction {}", begun.elapsed().as_secs_f64(), page.path, words.join(" "));
            tried += 1;
        }
    }
    assert!(tried >= 30, "only {tried} commands were found");
    // All that was written is where a user looks for it.
    assert_eq!(names(&machine.folder.join("home")), [".cache"]);
    assert_eq!(names(&machine.folder), ["bin", "home", "work"]);
}

/// Names of everything in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let listing = fs::read_dir(folder).unwrap().map(|item| item.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = listing.collect();
    names.sort();
    names
}

/// Starts the viewer, looks at its page and at its loop or recording, and ends it.
fn shown(machine: &CleanMachine, words: &[&str]) {
    let viewer = Viewer::spawn(&mut machine.command(words));
    let page = viewer.get("/");
    assert!(page.starts_with("HTTP/1.1 200"), "{words:?}: {page}");
    // The first shapes are there once the scene or the recording is shown.
    let token = viewer.address.split_once('?').map_or(String::new(), |(_, token)| format!("?{token}"));
    viewer.wait(&format!("/api/mesh/1/held{token}"), "HTTP/1.1 200");
    let (good, told) = viewer.stop();
    assert!(good && !told.contains("error"), "{words:?}: {told}");
}

#[test]
fn scenes_and_page_are_in_the_program_and_no_path_of_the_source_tree_is() {
    let machine = CleanMachine::new("program");
    let version = machine.good(&["--version"]);
    let scenes = names(&documents::root().join("scenes"));
    let scenes: Vec<&String> = scenes.iter().filter(|name| !name.contains('.')).collect();
    assert!(scenes.len() >= 7);
    for scene in scenes {
        assert!(version.contains(scene.as_str()), "{scene}: {version}");
        // It is found and read: only the key is wrong.
        let wrong = machine.command(&["run", scene, "--set", "friction.statc=1"]).output().unwrap();
        assert!(told(&wrong).contains("did you mean `static`"), "{scene}: {}", told(&wrong));
    }
    let with_page = version.contains("page of the viewer: in this program");
    assert!(with_page || version.contains("make page"), "{version}");
    // The archive must have it; elsewhere the page is there if it was built before.
    assert!(with_page || std::env::var_os("STICTION_PROGRAM").is_none(), "{version}");
    // Short of debug information, which has the root alone, a path would be one of these.
    let bytes = fs::read(program()).unwrap();
    for folder in ["crates", "scenes", "web", "docs"] {
        let path = documents::root().join(folder);
        let path = path.to_str().unwrap().as_bytes();
        assert!(!bytes.windows(path.len()).any(|window| window == path), "the program has a path in {folder}/");
    }
}

#[test]
fn a_scene_of_ones_own_comes_before_a_bundled_one_of_that_name() {
    let machine = CleanMachine::new("own");
    let described = |machine: &CleanMachine| machine.good(&["run", "incline", "--seconds", "0.01"]);
    assert!(!described(&machine).contains("my own incline"));
    let own = machine.work().join("scenes/incline");
    fs::create_dir_all(&own).unwrap();
    let text = fs::read_to_string(documents::root().join("scenes/incline/scene.toml")).unwrap();
    let (before, after) = text.split_once("description = \"").unwrap();
    fs::write(own.join("scene.toml"), format!("{before}description = \"my own incline. {after}")).unwrap();
    assert!(described(&machine).contains("my own incline"));
}
