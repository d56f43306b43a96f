use super::*;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

const URL: &str = "http://127.0.0.1:7780/?token=a&b=$(touch%20x);c'\"d";

/// One test at a time: a script cannot be started while another thread's child, not yet a program of its own, has it open for writing.
static ONE: Mutex<()> = Mutex::new(());

/// A folder of fake programs that write what they are given into `NAME.out`; gone with the value.
struct Folder(PathBuf, #[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

impl Folder {
    fn new(name: &str) -> Folder {
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = std::env::temp_dir().join(format!("stiction-browser-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder, one)
    }

    /// Written aside and renamed, so that the file is there when it is complete.
    fn program(&self, name: &str, status: u8) -> &Folder {
        let (path, out) = (self.0.join(name), self.0.join(format!("{name}.out")));
        let out = out.display();
        let script = format!(
            "#!/bin/sh\nfor x in \"$@\"; do echo \"$x\"; done > '{out}.new'\n/bin/mv '{out}.new' '{out}'\nexit {status}\n"
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    /// What a program was given, as soon as it was.
    fn given(&self, name: &str) -> Vec<String> {
        let out = self.0.join(format!("{name}.out"));
        let begin = Instant::now();
        while !out.exists() {
            assert!(begin.elapsed() < Duration::from_secs(20), "{name} was not called");
            std::thread::sleep(Duration::from_millis(5));
        }
        fs::read_to_string(out).unwrap().lines().map(String::from).collect()
    }

    fn surroundings(&self, browser: Option<&str>, display: bool) -> Surroundings {
        let path = self.0.clone().into_os_string();
        Surroundings { system: System::Desktop, display, browser: browser.map(String::from), path }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_named_browser_gets_the_address_as_one_argument() {
    let folder = Folder::new("named");
    folder.program("mine", 0).program("xdg-open", 0);
    open_in(URL, &folder.surroundings(Some("mine"), true)).unwrap();
    assert_eq!(folder.given("mine"), [URL]);
    assert!(!folder.0.join("xdg-open.out").exists());
}

#[test]
fn a_named_browser_may_have_arguments_and_a_place_for_the_address() {
    let folder = Folder::new("arguments");
    folder.program("mine", 0).program("with space", 0);
    open_in(URL, &folder.surroundings(Some("gone:mine --new --at=%s -q"), false)).unwrap();
    assert_eq!(folder.given("mine"), ["--new", &format!("--at={URL}"), "-q"]);
    let path = folder.0.join("with space").display().to_string();
    open_in(URL, &folder.surroundings(Some(&path), false)).unwrap();
    assert_eq!(folder.given("with space"), [URL]);
}

#[test]
fn the_desktops_own_opener_is_asked_where_none_is_named() {
    let folder = Folder::new("desktop");
    folder.program("gio", 0);
    open_in(URL, &folder.surroundings(None, true)).unwrap();
    assert_eq!(folder.given("gio"), ["open", URL]);
}

#[test]
fn one_that_fails_at_once_is_followed_by_the_next() {
    let folder = Folder::new("fails");
    folder.program("mine", 1).program("xdg-open", 3).program("x-www-browser", 0);
    open_in(URL, &folder.surroundings(Some("mine"), true)).unwrap();
    assert_eq!(folder.given("x-www-browser"), [URL]);
    assert_eq!(folder.given("xdg-open"), [URL]);
}

#[test]
fn one_that_cannot_start_is_followed_by_the_next() {
    let folder = Folder::new("broken");
    folder.program("gio", 0);
    // Executable, but no program.
    fs::write(folder.0.join("xdg-open"), "#!/nowhere/at/all\n").unwrap();
    fs::set_permissions(folder.0.join("xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
    open_in(URL, &folder.surroundings(None, true)).unwrap();
    assert_eq!(folder.given("gio"), ["open", URL]);
    fs::remove_file(folder.0.join("gio")).unwrap();
    let reason = open_in(URL, &folder.surroundings(None, true)).unwrap_err();
    assert!(reason.contains("xdg-open did not start: "), "{reason}");
}

#[test]
fn without_a_display_or_a_browser_the_reason_is_told() {
    let folder = Folder::new("none");
    assert_eq!(open_in(URL, &folder.surroundings(None, true)), Err("no browser found".into()));
    folder.program("xdg-open", 0);
    assert_eq!(open_in(URL, &folder.surroundings(None, false)), Err("no display".into()));
    assert_eq!(open_in(URL, &folder.surroundings(Some("gone"), false)), Err("no display".into()));
    let nowhere = Surroundings { path: OsString::new(), ..folder.surroundings(None, true) };
    assert_eq!(open_in(URL, &nowhere), Err("no browser found".into()));
    assert!(!folder.0.join("xdg-open.out").exists());
}

#[test]
fn windows_opens_what_linux_under_it_has_no_display_for() {
    let folder = Folder::new("wsl");
    folder.program("rundll32.exe", 0);
    let wsl = Surroundings { system: System::Wsl, ..folder.surroundings(None, false) };
    open_in(URL, &wsl).unwrap();
    assert_eq!(folder.given("rundll32.exe"), ["url.dll,FileProtocolHandler", URL]);
}

#[test]
fn what_is_no_page_is_not_opened() {
    let folder = Folder::new("page");
    folder.program("xdg-open", 0);
    for url in ["", "--help", "file:///etc/passwd", "http://a b", "http://a\nb", "javascript:alert(1)"] {
        assert!(open_in(url, &folder.surroundings(None, true)).is_err(), "{url}");
    }
}

#[test]
fn a_browser_that_stays_open_holds_nobody_up_and_no_zombie_stays() {
    let folder = Folder::new("stays");
    let path = folder.0.join("slow");
    fs::write(
        &path,
        format!("#!/bin/sh\necho $$ > '{0}.new'\n/bin/mv '{0}.new' '{0}.out'\nexec /bin/sleep 1\n", path.display()),
    )
    .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let begin = Instant::now();
    open_in(URL, &folder.surroundings(Some("slow"), false)).unwrap();
    assert!(begin.elapsed() < Duration::from_millis(900));
    let process = folder.given("slow").remove(0);
    if cfg!(target_os = "linux") {
        while Path::new("/proc").join(&process).exists() {
            assert!(begin.elapsed() < Duration::from_secs(20), "process {process} is still there");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
