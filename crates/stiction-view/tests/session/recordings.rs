//! Recordings of the viewer that are passed on, and such as end on a full disk.

use super::{SCENE, Server, folder};
use serde_json::json;
use std::process::Command;
use std::time::{Duration, Instant};
use stiction_bake::export::write_stl;
use stiction_bake::solids::Solid;
use stiction_view::FirstShown;

#[test]
fn a_recording_of_the_viewer_carries_its_mesh_and_plays_without_it() {
    let folder = folder("carried");
    let mut stl = Vec::new();
    write_stl(&Solid::Box { size: [0.02; 3] }.mesh().unwrap(), &mut stl).unwrap();
    std::fs::write(folder.join("cube.stl"), stl).unwrap();
    let text = SCENE.replace(r#"solid = "box", size = [0.02, 0.02, 0.02]"#, r#"mesh = "cube.stl""#);
    std::fs::write(folder.join("scene.toml"), text).unwrap();
    let scene = FirstShown::Scene(folder.join("scene.toml").display().to_string());
    let server = Server::showing(scene, folder, None, None);
    let mut page = server.page();
    page.wait("world", |_| true);
    page.say(json!({ "type": "record", "on": true }));
    let name = page.wait("recordings", |r| r["recording"].is_string())["recording"].clone();
    let before = page.until("it is recorded", |f| f.bits & 2 != 0).tick;
    page.until("some of it", |f| f.tick > before + 300.0);
    page.say(json!({ "type": "record", "on": false }));
    page.wait("recordings", |r| r["recording"].is_null());
    // On another machine there is neither scene nor mesh; triangles for display come from the recording too.
    let path = server.folder.join("recordings").join(name.as_str().unwrap());
    let elsewhere = super::folder("elsewhere");
    let moved = elsewhere.join("moved.mcap");
    std::fs::rename(path, &moved).unwrap();
    drop(page);
    drop(server);
    let server = Server::showing(FirstShown::Recording(moved), elsewhere, None, None);
    let world = server.page().wait("world", |w| !w["playback"].is_null());
    assert!(world["playback"]["verdict"].as_str().unwrap().starts_with("replayed to the same bits"), "{world}");
    let (status, triangles) = server.get(&format!("/api/mesh/{}/held", world["generation"]));
    assert_eq!((status, &triangles[4..8]), (200, &12_u32.to_le_bytes()[..]));
}

const CHILD: &str = "STICTION_VIEW_FULL_DISK";
/// Blocks of 512 bytes that a file may have there: 1 MB, some seconds.
const FULL_BLOCKS: u64 = 2000;

/// Records onto a disk that is full. Only of use as a child of the test below.
#[test]
fn the_child_records_onto_a_full_disk() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let server = Server::new(SCENE, None);
    let mut page = server.page();
    page.wait("world", |_| true);
    page.say(json!({ "type": "record", "on": true }));
    page.wait("recordings", |r| r["recording"].is_string());
    let recordings = server.folder.join("recordings");
    let full = std::thread::spawn(move || {
        let size = || {
            let files = std::fs::read_dir(&recordings).into_iter().flatten().flatten();
            files.filter_map(|file| Some(file.metadata().ok()?.len())).max().unwrap_or(0)
        };
        while size() < FULL_BLOCKS * 512 {
            std::thread::sleep(Duration::from_millis(1));
        }
        Instant::now()
    });
    // Nobody stops the recording: the page is told by itself.
    let told = page.wait("problem", |_| true)["message"].as_str().unwrap().to_owned();
    let late = Instant::now().saturating_duration_since(full.join().unwrap());
    assert!(late < Duration::from_secs(1), "told {late:?} after the disk was full");
    assert!(told.contains("ended early") && told.contains("ticks are kept in the file"), "{told}");
    let frame = page.until("the loop goes on without it", |f| f.bits & 2 == 0);
    page.until("and on", |f| f.tick > frame.tick + 10.0);
    let files = std::fs::read_dir(server.folder.join("recordings")).unwrap().map(|file| file.unwrap().path());
    let mut recording = stiction_record::Recording::open(&files.last().unwrap()).unwrap();
    let first = told.split("its first ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u64>().ok());
    // What was torn may have whole ticks in it, too.
    let kept = recording.survey().unwrap().entries;
    assert!(first.is_some_and(|first| first > 0 && first <= kept), "{kept}: {told}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_on_the_page_within_a_second_with_what_was_kept() {
    // The process lives on when it wants more.
    let test = "recordings::the_child_records_onto_a_full_disk";
    let limited = format!("trap '' XFSZ; ulimit -f {FULL_BLOCKS}; exec \"$0\" --exact {test}");
    let program = std::env::current_exe().unwrap();
    let output = Command::new("sh").args(["-c", &limited]).arg(program).env(CHILD, "1").output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && told.contains("1 passed"), "{told}");
}
