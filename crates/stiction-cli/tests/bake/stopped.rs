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

/// Stages that do not look whether they should stop, such as mending a mesh of very many components, ended only when they were through.
#[test]
fn ctrl_c_ends_a_diagnosis_in_any_of_its_stages() {
    let place = Place::new();
    let mut stl = vec![0; 80];
    let count = 400_000_u32;
    stl.extend(count.to_le_bytes());
    for i in 0..count {
        let at = [i % 100, i / 100 % 100, i / 10_000].map(|x| x as f32);
        let corner = |shift: [f32; 3]| (0..3).flat_map(move |k| (at[k] + shift[k]).to_le_bytes());
        stl.extend([0; 12]);
        stl.extend(corner([0.0; 3]).chain(corner([0.4, 0.0, 0.1])).chain(corner([0.0, 0.4, 0.2])));
        stl.extend([0; 2]);
    }
    std::fs::write(place.path("many.stl"), stl).unwrap();
    for wait in [100, 800, 2000] {
        let mut inspect = place.command("inspect many.stl --unit mm");
        let child = inspect.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "after {wait} ms: {}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}
