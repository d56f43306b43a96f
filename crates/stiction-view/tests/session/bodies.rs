//! Worlds of many bodies: taken, thrown, recorded and shown.

use super::{FirstShown, Server, folder};
use crate::page::{Frame, Page};
use serde_json::{Value, json};

const BLOCKS: &str = r#"
engine = "volume"
[run]
seconds = 2
rate = 500
[[body]]
name = "floor"
fixed = true
solid = "box"
size = [0.6, 0.6, 0.02]
position = [0, 0, -0.01]
[[body]]
name = "block"
solid = "box"
size = [0.03, 0.03, 0.03]
mass = 0.05
position = [-0.05, 0, 0.015]
copies = { count = [2, 1, 2], step = [0.05, 0, 0.03] }
[load]
gravity = [0, 0, -9.81]
"#;

/// Two hands that are paddles, besides a block.
const PADDLES: &str = r#"
engine = "volume"
[run]
rate = 500
[[body]]
name = "left"
solid = "box"
size = [0.01, 0.05, 0.05]
mass = 0.05
[[body]]
name = "right"
solid = "box"
size = [0.01, 0.05, 0.05]
mass = 0.05
[[hand]]
holds = "left"
grip = "device"
script = [{ wait = 1 }]
from = { position = [-0.1, 0, 0.05] }
[[hand]]
holds = "right"
grip = "device"
script = [{ wait = 1 }]
from = { position = [0.1, 0, 0.05] }
[load]
gravity = [0, 0, -9.81]
"#;

/// A page of a server whose loop runs, and the world.
fn begun(server: &Server) -> (Page, Value) {
    let mut page = server.page();
    let world = page.wait("world", |_| true);
    page.say(json!({ "type": "script" }));
    page.until("time runs", |f| f.source == 0 && f.time > 0.05);
    (page, world)
}

fn grab(page: &mut Page, body: impl Into<Option<u32>>) {
    let body: Option<u32> = body.into();
    page.say(json!({ "type": "grab", "body": body }));
}

/// The height of a body.
fn height(frame: &Frame, body: usize) -> f64 {
    frame.lane[0].bodies[body][2]
}

#[test]
fn all_bodies_are_told_with_their_shapes_and_the_areas_on_which_they_stand() {
    let server = Server::new(BLOCKS, None);
    let (mut page, world) = begun(&server);
    let bodies = world["bodies"].as_array().unwrap();
    let names: Vec<&str> = bodies.iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 5, "{names:?}");
    assert_eq!((names[0], &bodies[0]["fixed"], &bodies[0]["grab"]), ("floor", &json!(true), &json!(false)));
    assert!(
        bodies[1..].iter().all(|b| b["grab"] == true && b["mesh"] == bodies[1]["mesh"]),
        "one shape for all: {world}"
    );
    assert_ne!(bodies[0]["mesh"], bodies[1]["mesh"]);
    let mesh = |number: &Value| server.get(&format!("/api/mesh/{}/body/{number}", world["generation"]));
    let (status, triangles) = mesh(&bodies[1]["mesh"]);
    assert_eq!((status, &triangles[4..8]), (200, &12_u32.to_le_bytes()[..]));
    assert_eq!(mesh(&json!(7)).0, 404);
    let frame =
        page.until("four areas stick", |f| f.lane[0].areas.len() == 4 && f.lane[0].areas.iter().all(|a| a.state == 1));
    let lane = &frame.lane[0];
    assert_eq!((lane.bodies.len(), lane.holds, lane.word), (5, [0, 0], 255), "{lane:?}");
    assert!(lane.sentence.contains("holds nothing") && lane.sentence.contains("4 contact areas"), "{}", lane.sentence);
    for area in &lane.areas {
        assert!(area.outline.len() >= 4 && area.bodies[0] != area.bodies[1], "{area:?}");
        let level = area.outline[0][2];
        assert!(area.outline.iter().all(|p| (p[2] - level).abs() < 1e-5), "level: {area:?}");
    }
}

#[test]
fn a_body_is_taken_lifted_and_let_fall() {
    let server = Server::new(BLOCKS, None);
    let (mut page, _) = begun(&server);
    // The upper block over the first one.
    grab(&mut page, 3);
    let held = page.until("the hand has it", |f| f.lane[0].holds == [4, 0]);
    assert_eq!(held.source, 1);
    assert!((held.hand[2] - height(&held, 3)).abs() < 2e-3, "the hand is where the body is: {held:?}");
    page.hand(1, [held.hand[0], held.hand[1], held.hand[2] + 0.1]);
    let high = page.until("it is lifted", |f| height(f, 3) > height(&held, 3) + 0.09);
    assert_eq!((high.lane[0].word, high.lane[0].areas.len()), (0, 3), "free: {high:?}");
    grab(&mut page, None);
    page.until("it falls onto the other again", |f| f.lane[0].holds == [0, 0] && height(f, 3) < 0.05);
    // What never moves, and what is not there, is not taken.
    grab(&mut page, 0);
    let told = page.wait("problem", |_| true);
    assert!(told["message"].as_str().unwrap().contains("never moves"), "{told}");
    grab(&mut page, 99);
    let told = page.wait("problem", |p| p["message"].as_str().unwrap().contains("no body 99"));
    assert_eq!(told["fatal"], false);
}

#[test]
fn a_change_of_settings_goes_on_where_all_bodies_are_and_a_reset_does_not() {
    let server = Server::new(BLOCKS, None);
    let (mut page, _) = begun(&server);
    grab(&mut page, 4);
    let held = page.until("the hand has it", |f| f.lane[0].holds == [5, 0]);
    page.hand(1, [0.1, 0.1, 0.15]);
    page.until("it is there", |f| (height(f, 4) - 0.15).abs() < 2e-3);
    page.say(
        json!({ "type": "configure", "scene": server.scene(), "set": { "friction.static": "0.9" }, "compare": null }),
    );
    page.wait("world", |w| w["set"]["friction.static"] == "0.9");
    let after = page.until("it goes on", |f| f.tick > held.tick + 50.0 && f.lane[0].holds == [5, 0]);
    assert!((height(&after, 4) - 0.15).abs() < 0.01 && (after.lane[0].bodies[4][0] - 0.1).abs() < 0.01, "{after:?}");
    page.say(json!({ "type": "reset" }));
    page.until("all is as the scene begins", |f| f.lane[0].holds == [0, 0] && height(f, 4) < 0.05);
}

#[test]
fn the_page_moves_the_hand_whose_body_it_takes() {
    let server = Server::new(PADDLES, None);
    let (mut page, world) = begun(&server);
    assert_eq!(world["hands"], 2);
    let first = page.until("both are held", |f| f.lane[0].holds == [1, 2]);
    assert_eq!(first.bits & 8, 0);
    grab(&mut page, 1);
    let second = page.until("the page has the second hand", |f| f.bits & 8 != 0);
    assert!((second.hand[0] - 0.1).abs() < 1e-6 && second.lane[0].holds == [1, 2], "{second:?}");
    page.hand(1, [0.05, 0.02, 0.06]);
    let moved = page.until("it moves", |f| (f.lane[0].bodies[1][0] - 0.05).abs() < 1e-4);
    assert!((moved.lane[0].bodies[0][0] + 0.1).abs() < 1e-6, "the other stays: {moved:?}");
}

#[test]
fn what_was_taken_and_thrown_replays_to_the_same_bits() {
    for (text, body) in [(BLOCKS, 3), (PADDLES, 1)] {
        let server = Server::new(text, None);
        let (mut page, _) = begun(&server);
        page.say(json!({ "type": "record", "on": true }));
        let name = page.wait("recordings", |r| r["recording"].is_string())["recording"].clone();
        page.until("it is recorded", |f| f.bits & 2 != 0 && f.time < 10.0);
        grab(&mut page, body);
        let number = body as u16 + 1;
        let held = page.until("the hand has it", |f| f.lane[0].holds.contains(&number));
        page.hand(1, [held.hand[0] + 0.04, held.hand[1], held.hand[2] + 0.08]);
        let there = page.until("it is moved", |f| height(f, body as usize) > held.hand[2] + 0.07);
        grab(&mut page, None);
        page.until("it falls", |f| height(f, body as usize) < there.hand[2] - 0.02);
        page.say(json!({ "type": "record", "on": false }));
        page.wait("recordings", |r| r["recording"].is_null());
        page.say(json!({ "type": "play", "name": name }));
        let world = page.wait("world", |w| !w["playback"].is_null());
        let verdict = world["playback"]["verdict"].as_str().unwrap();
        assert!(verdict.starts_with("replayed to the same bits"), "{verdict}");
        let shown = page.until("the recording shows it held", |f| f.bits & 4 != 0 && f.lane[0].holds.contains(&number));
        assert_eq!(shown.lane[0].bodies.len(), world["bodies"].as_array().unwrap().len());
        let survey = server.get(&format!("/api/survey/{}?from=0&to=10&rows=50", world["generation"]));
        assert_eq!((survey.0, &survey.1[4..8]), (200, &15_u32.to_le_bytes()[..]));
    }
}

#[test]
fn other_engines_refuse_to_take_a_body() {
    let server = Server::new(super::SCENE, None);
    let mut page = server.page();
    let world = page.wait("world", |_| true);
    assert_eq!((world["bodies"].as_array().map(Vec::len), &world["hands"]), (Some(0), &json!(1)));
    grab(&mut page, 0);
    let told = page.wait("problem", |_| true);
    assert!(told["message"].as_str().unwrap().contains("holds the scene's part"), "{told}");
}

#[test]
fn two_lanes_of_many_bodies_share_their_hands() {
    let folder = folder("two-lanes-of-many");
    std::fs::write(folder.join("scene.toml"), BLOCKS).unwrap();
    let first = FirstShown::Scene(folder.join("scene.toml").display().to_string());
    let server = Server::showing(first, folder, None, None);
    let (mut page, _) = begun(&server);
    let compare = json!({ "friction.static": "0.1" });
    page.say(json!({ "type": "configure", "scene": server.scene(), "set": {}, "compare": compare }));
    page.until("there are two", |f| f.lanes == 2);
    grab(&mut page, 3);
    page.until("both hold it", |f| f.lanes == 2 && f.lane.iter().all(|lane| lane.holds == [4, 0]));
}
