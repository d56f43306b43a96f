//! `stiction view` as a user starts and stops it; what pages see is tested in `stiction-view` and, in a browser, in `web/e2e`.
#![cfg(unix)]

mod browser;
#[path = "../place/mod.rs"]
mod place;
#[path = "../serving/mod.rs"]
mod serving;

use place::{Place, stderr};
use serving::Viewer;
use std::time::Duration;

const SCENE: &str = r#"
held = { solid = "box", size = [0.02, 0.02, 0.02], resolution = 24, points = 150 }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.01, resolution = 64, points = 200 }
hand = { script = [{ move = [0, 0, -0.003], seconds = 0.3 }], from = { position = [0, 0, 0.0155] } }
"#;

fn start(place: &Place, arguments: &str) -> Viewer {
    Viewer::spawn(&mut place.command(&format!("view --no-open --no-priority {arguments}")))
}

#[test]
fn it_prints_its_address_serves_and_ends_with_ctrl_c() {
    let place = Place::new();
    place.write("scene.toml", SCENE);
    let viewer = start(&place, "scene.toml --port 0");
    assert!(viewer.address.starts_with("http://127.0.0.1:"), "{}", viewer.address);
    viewer.ticks("");
    let (good, told) = viewer.stop();
    assert!(good, "{told}");
}

#[test]
fn beyond_loopback_it_asks_for_a_token_of_its_own_making() {
    let place = Place::new();
    place.write("scene.toml", SCENE);
    let viewer = start(&place, "scene.toml --port 0 --listen 0.0.0.0");
    let token = viewer.address.split_once("?token=").unwrap_or_else(|| panic!("{}", viewer.address)).1.to_owned();
    assert_eq!(token.len(), 32);
    assert!(viewer.get("/api/stats").starts_with("HTTP/1.1 401"));
    viewer.ticks(&format!("?token={token}"));
    assert!(viewer.stop().0);
}

#[test]
fn a_port_in_use_names_who_has_it_and_one_that_is_free() {
    let place = Place::new();
    place.write("scene.toml", SCENE);
    let first = start(&place, "scene.toml --port 0");
    let port = first.port();
    let output = place.run(&format!("view scene.toml --no-open --port {port}"));
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains(&format!("stiction view asked for 127.0.0.1:{port}")) && told.contains("which is free"),
        "{told}"
    );
    if cfg!(target_os = "linux") {
        assert!(told.contains(&format!("process {}", first.child.id())), "{told}");
    }
    assert!(first.stop().0);
}

#[test]
fn a_scene_whose_shapes_cannot_be_made_is_told_and_the_page_is_served_all_the_same() {
    let place = Place::new();
    place.write("scene.toml", SCENE.replace("solid = \"box\", size = [0.02, 0.02, 0.02]", "mesh = \"bad.stl\""));
    place.write("bad.stl", "no mesh");
    let viewer = start(&place, "scene.toml --port 0");
    assert!(viewer.get("/api/stats").starts_with("HTTP/1.1 200"));
    std::thread::sleep(Duration::from_millis(300));
    let (_, told) = viewer.stop();
    assert!(told.contains("error: ") && told.contains("bad.stl"), "{told}");
}

#[test]
fn what_cannot_be_shown_at_all_ends_with_the_error_and_serves_nothing() {
    let place = Place::new();
    place.write("wrong.toml", "held = { solid = \"bax\" }");
    for (arguments, words) in [
        ("nosuch", "`nosuch`: possible are block-stack"),
        ("corner-cub", "did you mean `corner-cube`"),
        ("nosuch.toml", "nosuch.toml: cannot be read"),
        ("wrong.toml", "did you mean `box`"),
        ("corner-cube --set friction.statc=1", "did you mean `static`"),
        ("nosuch.mcap", "nosuch.mcap: cannot be read"),
    ] {
        let output = place.run(&format!("view --no-open --port 0 {arguments}"));
        assert_eq!(output.status.code(), Some(1), "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments}: an address was printed");
    }
}

#[test]
fn wrong_flags_are_told_before_anything_starts() {
    let place = Place::new();
    for (arguments, words) in [
        ("view --token short", "8 to 128"),
        ("view --listen nowhere", "invalid"),
        ("view run.mcap --set a=b", "--set is for scenes"),
        ("view --port 99999", "99999"),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments}: {}", stderr(&output));
    }
}
