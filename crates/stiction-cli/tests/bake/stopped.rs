//! Ctrl-C.

use super::{Place, stderr};
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn ctrl_c_leaves_nothing_behind() {
    let place = Place::new();
    place.good("solid gear --refine 0.5mm -o gear.stl");
    std::fs::create_dir(place.path("out")).unwrap();
    // While distances are computed, and later on.
    for wait in [400, 1500] {
        let mut bake = place.command("bake gear.stl --unit mm --resolution 1024 --shell 300000 -o out/gear.shape");
        let child = bake.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        assert_eq!(stderr(&output), "stopped; nothing was written\n");
        assert!(output.stdout.is_empty());
        assert!(place.list("out").is_empty() && place.list("cache").is_empty(), "{:?}", place.list("out"));
    }
}
