//! Where this process runs, as far as that decides how a browser is opened.

use super::{Program, executable};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A kind of system, by how it opens browsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Linux and its like, with the tools of freedesktop.org.
    Desktop,
    /// Linux under Windows, which may have no display of its own and still open a browser.
    Wsl,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

/// What of the environment decides; a value, so that tests need not change the process's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// The system.
    pub system: System,
    /// Whether there is something to open a window on: `DISPLAY` or `WAYLAND_DISPLAY`. Only looked at on [`System::Desktop`].
    pub display: bool,
    /// `BROWSER`: programs, separated by colons, with arguments; `%s` in them is the address.
    pub browser: Option<String>,
    /// `PATH`: where programs are.
    pub path: OsString,
}

impl Surroundings {
    /// Those of this process.
    pub fn of_this_process() -> Surroundings {
        let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        let system = if cfg!(windows) {
            System::Windows
        } else if cfg!(target_os = "macos") {
            System::Mac
        } else if set("WSL_DISTRO_NAME").is_some() || set("WSL_INTEROP").is_some() {
            System::Wsl
        } else {
            System::Desktop
        };
        Surroundings {
            system,
            display: set("DISPLAY").is_some() || set("WAYLAND_DISPLAY").is_some(),
            browser: set("BROWSER").and_then(|v| v.into_string().ok()),
            path: set("PATH").unwrap_or_default(),
        }
    }

    /// The programs that may open an address, best first, of those that are there. What `BROWSER` names is asked first, display or not:
    /// it may open a page on another machine, as editors' remote terminals do.
    pub(super) fn programs(&self, url: &str) -> Result<Vec<Program>, String> {
        let named =
            self.browser.iter().flat_map(|b| entries(b, self.system)).filter_map(|entry| self.named(entry, url));
        let mut programs: Vec<Program> = named.collect();
        let usual: &[&[&str]] = match self.system {
            System::Desktop if !self.display && programs.is_empty() => return Err("no display".into()),
            System::Desktop if !self.display => &[],
            System::Desktop => &[&["xdg-open"], &["gio", "open"], &["sensible-browser"], &["x-www-browser"]],
            System::Wsl => &[
                &["wslview"],
                &["rundll32.exe", "url.dll,FileProtocolHandler"],
                &["xdg-open"],
                &["gio", "open"],
                &["sensible-browser"],
            ],
            System::Mac => &[&["open"]],
            System::Windows => &[&["rundll32.exe", "url.dll,FileProtocolHandler"]],
        };
        programs.extend(usual.iter().filter_map(|words| {
            let (name, arguments) = words.split_first()?;
            let arguments = arguments.iter().copied().chain([url]).map(String::from).collect();
            Some(Program { path: self.find(name)?, arguments })
        }));
        Ok(programs)
    }

    /// A program of `BROWSER`: the whole entry where it is one, spaces and all, else its first word, with the others as arguments.
    fn named(&self, entry: &str, url: &str) -> Option<Program> {
        if let Some(path) = self.find(entry) {
            return Some(Program { path, arguments: vec![url.into()] });
        }
        let mut words = entry.split_whitespace();
        let path = self.find(words.next()?)?;
        let mut arguments: Vec<String> = words.map(|word| word.replace("%s", url)).collect();
        if !entry.contains("%s") {
            arguments.push(url.into());
        }
        Some(Program { path, arguments })
    }

    /// The file of a program by its name, or by its path.
    fn find(&self, name: &str) -> Option<PathBuf> {
        if Path::new(name).components().count() > 1 {
            return Some(PathBuf::from(name)).filter(|p| executable(p));
        }
        // Not from the current folder, which an empty entry stands for.
        let folders = std::env::split_paths(&self.path).filter(|f| f.is_absolute());
        folders.map(|f| f.join(name)).find(|p| executable(p))
    }
}

/// The entries of `BROWSER`. On Windows colons are part of paths, so there is one.
fn entries(browser: &str, system: System) -> impl Iterator<Item = &str> {
    let separator = if system == System::Windows { '\0' } else { ':' };
    browser.split(separator).map(str::trim).filter(|entry| !entry.is_empty())
}
