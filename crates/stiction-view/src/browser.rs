//! The user's browser, opened on the page. No shell sees the address: programs get it as one argument.

mod surroundings;

pub use surroundings::{Surroundings, System};

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A program that fails within this time has not opened anything, and the next is tried.
const EARLY: Duration = Duration::from_secs(5);

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Program {
    path: std::path::PathBuf,
    arguments: Vec<String>,
}

/// Opens the user's browser on an address, without waiting for it. `Ok` says that a program was started, not that a page is seen, so
/// the address should be printed too.
///
/// # Errors
/// Why none was opened, as a part of a sentence: "no display", "no browser found".
pub fn open(url: &str) -> Result<(), String> {
    open_in(url, &Surroundings::of_this_process())
}

/// The same with given surroundings instead of those of this process.
///
/// # Errors
/// As [`open`].
pub fn open_in(url: &str, surroundings: &Surroundings) -> Result<(), String> {
    let page = url.starts_with("http://") || url.starts_with("https://");
    if !page || url.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return Err("that is no address of a page".into());
    }
    let mut programs = surroundings.programs(url)?.into_iter();
    let mut reason = "no browser found".into();
    let started = programs.by_ref().find_map(|program| match start(&program) {
        Ok(child) => Some(child),
        Err(cause) => {
            reason = format!("{} did not start: {cause}", program.path.display());
            None
        }
    });
    let Some(child) = started else { return Err(reason) };
    let rest: Vec<Program> = programs.collect();
    // Waited for, or it would stay as a zombie.
    let reaper = std::thread::Builder::new().name("browser".into()).spawn(move || reap(child, &rest));
    reaper.map(drop).map_err(|cause| format!("no thread for it: {cause}"))
}

/// Waits for a browser; while they fail early, starts the next.
fn reap(mut child: Child, rest: &[Program]) {
    let mut rest = rest.iter();
    loop {
        let begin = Instant::now();
        let failed = !child.wait().is_ok_and(|status| status.success());
        if !failed || begin.elapsed() > EARLY {
            return;
        }
        let Some(next) = rest.find_map(|program| start(program).ok()) else { return };
        child = next;
    }
}

/// Starts a program on its own: no input or output of ours, and no part in an interrupt of our terminal.
fn start(program: &Program) -> std::io::Result<Child> {
    let mut command = Command::new(&program.path);
    command.args(&program.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// Whether a path is a program.
fn executable(path: &Path) -> bool {
    let Ok(data) = path.metadata() else { return false };
    #[cfg(unix)]
    let may = std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may = true;
    data.is_file() && may
}

#[cfg(all(test, unix))]
mod tests;
