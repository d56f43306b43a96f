//! `stiction view` opens the user's browser: programs in a folder of the test stand for browsers and for the desktop's openers.

use crate::place::Place;
use crate::{SCENE, Viewer};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// A folder whose `bin` has programs that write what they are given into `NAME.out` and end with a status.
fn place(programs: &[(&str, u8)]) -> Place {
    let place = Place::new();
    place.write("scene.toml", SCENE);
    std::fs::create_dir(place.path("bin")).unwrap();
    for (name, status) in programs {
        let (path, out) = (place.path(&format!("bin/{name}")), place.path(&format!("{name}.out")));
        let out = out.display();
        let script = format!(
            "#!/bin/sh\nfor x in \"$@\"; do echo \"$x\"; done > '{out}.new'\n/bin/mv '{out}.new' '{out}'\nexit {status}\n"
        );
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    place
}

/// The viewer with those programs and these variables only.
fn view(place: &Place, variables: &[(&str, &str)]) -> Viewer {
    let mut command = place.command("view scene.toml --port 0 --no-priority");
    for name in ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"] {
        command.env_remove(name);
    }
    Viewer::spawn(command.env("PATH", place.path("bin")).envs(variables.iter().copied()))
}

/// What a program was given, as soon as it was.
fn given(place: &Place, name: &str) -> Vec<String> {
    let (out, begun) = (place.path(&format!("{name}.out")), Instant::now());
    while !out.exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{name} was not called");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::fs::read_to_string(out).unwrap().lines().map(String::from).collect()
}

#[test]
fn the_named_browser_gets_the_address_as_one_argument() {
    let place = place(&[("mine", 0), ("xdg-open", 0)]);
    let viewer = view(&place, &[("BROWSER", "gone:mine")]);
    assert_eq!(given(&place, "mine"), [viewer.address.as_str()]);
    assert!(viewer.stop().0 && !place.path("xdg-open.out").exists());
}

#[test]
fn an_opener_that_fails_at_once_is_followed_by_the_next() {
    let place = place(&[("xdg-open", 3), ("gio", 0)]);
    let viewer = view(&place, &[("DISPLAY", ":0")]);
    assert_eq!(given(&place, "gio"), ["open", &viewer.address]);
    assert_eq!(given(&place, "xdg-open"), [viewer.address.as_str()]);
    let (good, told) = viewer.stop();
    assert!(good && !told.contains("no browser"), "{told}");
}

#[test]
fn without_a_display_or_an_opener_the_reason_is_told() {
    for (variables, reason) in [(&[][..], "(no display)"), (&[("DISPLAY", ":0")], "(No such file")] {
        let place = place(if variables.is_empty() { &[("xdg-open", 0)] } else { &[] });
        let viewer = view(&place, variables);
        viewer.ticks("");
        let (good, told) = viewer.stop();
        assert!(good && told.contains(&format!("note: no browser was opened {reason}")), "{told}");
        assert!(!place.path("xdg-open.out").exists());
    }
}
