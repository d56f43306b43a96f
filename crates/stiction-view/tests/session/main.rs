//! The server as pages see it: real sockets, a real loop, a small scene.

mod bodies;
mod page;
mod recordings;

use page::Page;
use serde_json::json;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use stiction_session::{Carry, HandWord, SimWord};
use stiction_view::{FirstShown, ViewOptions, serve};
use tungstenite::Message;

const SCENE: &str = r#"
held = { solid = "box", size = [0.02, 0.02, 0.02], resolution = 24, points = 150, mass = 0.1 }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.01, resolution = 64, points = 200 }
friction = { static = 0.5, kinetic = 0.5 }
contact = { model = "penalty", shell_on = "held" }
coupling = { stiffness = 1000, max_force = 10.0, max_torque = 0.05 }
[hand]
script = [{ move = [0, 0, -0.003], seconds = 0.3 }, { wait = 10 }]
from = { position = [0, 0, 0.0155] }
"#;

/// Longer than any test takes.
const PATIENCE: Duration = Duration::from_secs(600);

/// A server in a folder of its own.
struct Server {
    port: u16,
    folder: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    fn new(text: &str, token: Option<&str>) -> Server {
        Server::patient(text, token, PATIENCE)
    }

    /// One whose pages may take over after that time.
    fn patient(text: &str, token: Option<&str>, take_over: Duration) -> Server {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("stiction-view-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let scene = folder.join("scene.toml");
        std::fs::write(&scene, text).unwrap();
        let first = FirstShown::Scene(scene.display().to_string());
        Server::start(first, folder, token, None, take_over)
    }

    fn showing(first: FirstShown, folder: PathBuf, token: Option<&str>, device: Option<(SimWord, HandWord)>) -> Server {
        Server::start(first, folder, token, device, PATIENCE)
    }

    fn start(
        first: FirstShown,
        folder: PathBuf,
        token: Option<&str>,
        device: Option<(SimWord, HandWord)>,
        take_over: Duration,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let stop = Arc::new(AtomicBool::new(false));
        let (stopping, recordings, token) = (Arc::clone(&stop), folder.join("recordings"), token.map(str::to_owned));
        let thread = std::thread::spawn(move || {
            let options = ViewOptions {
                first,
                given: Vec::new(),
                device,
                cache: None,
                priority: None,
                recordings,
                carry: Carry::Auto,
                meshes: Vec::new(),
                take_over,
                token,
                tell: Box::new(|_| {}),
                stopped: Box::new(move || stopping.load(Ordering::Relaxed)),
            };
            serve(listener, options).unwrap();
        });
        Server { port, folder, stop, thread: Some(thread) }
    }

    fn page(&self) -> Page {
        Page::connect(self.port, "", &[]).unwrap()
    }

    fn scene(&self) -> String {
        self.folder.join("scene.toml").display().to_string()
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let status = std::str::from_utf8(&bytes[9..12]).unwrap().parse().unwrap();
        let body = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
        (status, bytes[body..].to_vec())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().unwrap().join();
        let _ = std::fs::remove_dir_all(&self.folder);
        assert!(ended.is_ok() || std::thread::panicking());
    }
}

/// Presses the cube down by 2 mm (2 N) and waits until it holds.
fn press(page: &mut Page) -> f64 {
    page.hand(1, [0.0, 0.0, 0.013]);
    let frame = page.until("the cube holds", |f| {
        f.seq == 1.0 && f.lane[0].verdict == 1 && f.lane[0].contacts > 3 && (f.hand[2] - 0.013).abs() < 1e-6
    });
    frame.lane[0].part[0]
}

#[test]
fn the_hand_waits_for_a_page_and_the_demonstration_goes_on_until_the_first_drag() {
    let shown = "[demonstration]\ntext = \"Try it.\"\nscript = [{ move = [0.004, 0, 0], seconds = 0.2 }]\n";
    let server = Server::new(&format!("{SCENE}{shown}"), None);
    let mut page = server.page();
    assert_eq!(page.wait("world", |_| true)["invitation"], "Try it.");
    let waits = page.until("a hand that waits", |f| f.source == 5 && f.tick > 5.0);
    assert_eq!(waits.hand[0], 0.0);
    page.say(json!({"type": "demonstrate"}));
    let first = page.until("it begins, and time with it", |f| f.source == 6);
    assert!(first.time < 0.1, "{}", first.time);
    for round in 0..2 {
        page.until(&format!("forth, {round}"), |f| f.hand[0] > 0.0035);
        page.until(&format!("back, {round}"), |f| f.hand[0] < 0.0005);
    }
    page.hand(1, [0.0, 0.0, 0.013]);
    page.until("the first drag ends it", |f| f.source == 1 && (f.hand[2] - 0.013).abs() < 1e-5);
    page.say(json!({"type": "reset"}));
    let reset = page.until("reset: as at the start", |f| f.time < 0.5 && f.lane[0].contacts == 0);
    assert!(
        [1, 4].contains(&reset.source) && (reset.hand[2] - waits.hand[2]).abs() < 1e-9,
        "at rest where the scene begins"
    );
}

#[test]
fn a_hand_presses_sticks_and_slips_and_the_sentence_says_so() {
    let server = Server::new(SCENE, None);
    let mut page = server.page();
    let welcome = page.wait("welcome", |_| true);
    assert_eq!((&welcome["protocol"], &welcome["page"]), (&json!(4), &json!(1)));
    let world = page.wait("world", |_| true);
    assert_eq!(world["values"]["friction.static"], "0.5");
    assert_eq!(world["lanes"].as_array().unwrap().len(), 1);
    page.say(json!({"type": "script"}));
    let frame = page.until("the script has pressed", |f| f.source == 0 && f.lane[0].contacts > 3);
    assert_eq!(frame.lane[0].positions.len(), frame.lane[0].contacts as usize);
    assert!(frame.lane[0].positions.iter().all(|p| (p[2] - 0.005).abs() < 1e-3), "contacts are on the plate");
    let before = press(&mut page);
    // 2 N down, µ 0.5: 1 N of friction, 1 mm of the coupling. Half of it holds.
    page.hand(2, [0.0005, 0.0, 0.013]);
    let held = page.until("it holds under half the limit", |f| {
        f.seq == 2.0
            && f.lane[0].sentence.contains(" could fall to ")
            && (f.hand[0] - 0.0005).abs() < 1e-6
            && (f.lane[0].margin - 0.5).abs() < 0.05
    });
    assert!(held.lane[0].sentence.contains(", then it slides along x"), "{}", held.lane[0].sentence);
    assert!(held.lane[0].sentence.contains(" of the part on face "), "{}", held.lane[0].sentence);
    let [x, y, z, ..] = held.lane[0].weakest;
    assert!(held.lane[0].word == 1 && x > 5.0 * (y.abs() + z.abs()), "with the pull of the hand: {x} {y} {z}");
    assert!((held.lane[0].part[0] - before).abs() < 2e-5, "friction holds");
    assert!((held.lane[0].wrench[0] + 0.5).abs() < 0.05, "the hand feels the spring: {:?}", held.lane[0].wrench);
    page.hand(3, [0.02, 0.0, 0.013]);
    let slid = page.until("it slides", |f| f.lane[0].slipped > 0 && f.lane[0].part[0] > 0.002);
    assert!(slid.lane[0].word == 3 && slid.lane[0].sentence.starts_with("slides at "), "{}", slid.lane[0].sentence);
    page.until("it has followed", |f| f.lane[0].part[0] > 0.01);
    assert_eq!(slid.source, 1, "a page moves the hand");
    page.say(json!({ "type": "let_go" }));
    page.until("the hand is at the part", |f| f.source == 4 && f.lane[0].wrench[..3].iter().all(|x| x.abs() < 0.02));
}

#[test]
fn settings_change_live_and_the_part_stays_where_it_is() {
    let server = Server::new(SCENE, None);
    let mut page = server.page();
    page.wait("world", |_| true);
    press(&mut page);
    page.hand(2, [0.0004, 0.0, 0.013]);
    let before =
        page.until("it holds", |f| f.seq == 2.0 && (f.hand[0] - 0.0004).abs() < 1e-7 && f.lane[0].verdict == 1);
    page.say(json!({ "type": "configure", "scene": server.scene(), "set": { "friction.method": "lp", "friction.static": "0.7" }, "compare": { "friction.method": "yamane" } }));
    let world = page.wait("world", |w| w["lanes"].as_array().unwrap().len() == 2);
    assert_eq!((&world["lanes"][0]["method"], &world["lanes"][1]["method"]), (&json!("lp"), &json!("yamane")));
    assert_eq!(world["values"]["friction.kinetic"], "0.5");
    let after = page.until("there are two lanes", |f| f.lanes == 2 && f.lane[0].contacts > 3 && f.lane[1].contacts > 3);
    assert_eq!(after.generation, before.generation, "the shapes are the same");
    assert!((after.lane[0].part[0] - before.lane[0].part[0]).abs() < 1e-4);
    assert!(after.time > before.time, "time goes on");
    page.until("springs say that they creep", |f| {
        f.lane[1].sentence.starts_with("springs hold it") && f.lane[1].creep >= 0.0
    });
    // What makes no sense changes nothing and is told.
    page.say(
        json!({ "type": "configure", "scene": server.scene(), "set": { "friction.static": "-1" }, "compare": null }),
    );
    let told = page.wait("problem", |_| true);
    assert!(told["message"].as_str().unwrap().contains("static"), "{told}");
    assert_eq!(told["fatal"], false);
    page.until("both lanes are still there", |f| f.lanes == 2);
    page.say(json!({ "type": "configure", "scene": "no-such-scene", "set": {}, "compare": null }));
    assert!(page.wait("problem", |_| true)["message"].as_str().unwrap().contains("there is no scene"));
    page.say(json!({ "type": "configure", "scene": "/etc/passwd", "set": {}, "compare": null }));
    assert!(page.wait("problem", |_| true)["message"].as_str().unwrap().contains("there is no scene"));
    page.say(json!({ "type": "reset" }));
    page.until("it is as at the start", |f| f.time < 1.0 && f.lane[0].contacts == 0);
}

#[test]
fn pause_step_and_slow_motion_count_ticks() {
    let server = Server::new(SCENE, None);
    let mut page = server.page();
    page.wait("world", |_| true);
    page.say(json!({"type": "script"}));
    page.until("it touches", |f| f.lane[0].contacts > 3);
    page.say(json!({ "type": "time", "paused": true, "speed": 1.0 }));
    page.until("it is paused", |f| f.paused());
    let paused = page.until("it is paused", |f| f.paused());
    let still = page.until("it is paused", |f| f.paused());
    assert_eq!(paused.tick, still.tick);
    page.say(json!({ "type": "step", "ticks": 10 }));
    page.until("ten ticks are done", |f| f.tick == paused.tick + 10.0);
    // A change in a pause is one tick, so that the new contacts are known.
    let touching = page.until("it is paused", |f| f.paused()).lane[0].contacts;
    page.say(
        json!({ "type": "configure", "scene": server.scene(), "set": { "friction.static": "0.9" }, "compare": null }),
    );
    page.wait("world", |w| w["values"]["friction.static"] == "0.9");
    let changed = page.until("it is known what touches", |f| f.tick == paused.tick + 11.0);
    assert_eq!(changed.lane[0].contacts > 0, touching > 0);
    page.say(json!({ "type": "time", "paused": false, "speed": 0.01 }));
    let (begun, first) = (Instant::now(), page.until("it goes on", |f| !f.paused()).tick);
    let later = page.until("it goes on slowly", |f| f.tick >= first + 5.0);
    assert!(begun.elapsed().as_secs_f64() > 0.3, "5 ticks at a hundredth of 1 kHz take half a second");
    assert_eq!(later.speed, 0.01);
}

#[test]
fn a_recording_replays_to_the_same_bits_and_can_be_scrubbed() {
    let server = Server::new(SCENE, None);
    let mut page = server.page();
    page.wait("world", |_| true);
    press(&mut page);
    page.say(json!({ "type": "record", "on": true }));
    let name = page.wait("recordings", |r| r["recording"].is_string())["recording"].as_str().unwrap().to_owned();
    page.until("it records", |f| f.bits & 2 != 0);
    page.hand(5, [0.03, 0.0, 0.013]);
    page.until("it has slid", |f| f.lane[0].part[0] > 0.02);
    page.say(json!({ "type": "record", "on": false }));
    let list = page.wait("recordings", |r| r["recording"].is_null());
    assert_eq!(list["files"][0]["name"], name.as_str());
    // By a replay that knows nothing of the viewer.
    let path = server.folder.join("recordings").join(&name);
    replays(&path);
    page.say(json!({ "type": "play", "name": name }));
    let world = page.wait("world", |w| !w["playback"].is_null());
    let seconds = world["playback"]["seconds"].as_f64().unwrap();
    assert!(world["playback"]["verdict"].as_str().unwrap().starts_with("replayed to the same bits"), "{world}");
    surveyed(&server, &world, seconds);
    page.say(json!({ "type": "time", "paused": true, "speed": 1.0 }));
    page.say(json!({ "type": "seek", "time": 0.0 }));
    let first = page.until("its start", |f| f.bits & 4 != 0 && f.time < 0.025 && f.paused());
    page.say(json!({ "type": "seek", "time": 1e6 }));
    let last = page.until("its end", |f| (f.time - seconds).abs() < 0.05);
    assert!(
        last.lane[0].part[0] - first.lane[0].part[0] > 0.01,
        "{} to {}",
        first.lane[0].part[0],
        last.lane[0].part[0]
    );
    assert!(!first.lane[0].positions.is_empty(), "contacts are shown in recordings");
    let (status, bytes) = server.get(&format!("/api/recordings/{name}"));
    assert_eq!((status, bytes), (200, std::fs::read(&path).unwrap()));
    page.say(json!({ "type": "live" }));
    page.wait("world", |w| w["playback"].is_null());
    page.until("the loop is back", |f| f.bits & 4 == 0 && !f.paused());
    // However often recordings are shown, the loop's own shapes are still there.
    for _ in 0..4 {
        page.say(json!({ "type": "play", "name": name }));
        page.wait("world", |w| !w["playback"].is_null());
    }
    page.say(json!({ "type": "live" }));
    let world = page.wait("world", |w| w["playback"].is_null());
    assert_eq!(server.get(&format!("/api/mesh/{}/held", world["generation"])).0, 200);
    // A change that fails while a recording is shown leaves it there.
    page.say(json!({ "type": "play", "name": name }));
    page.wait("world", |w| !w["playback"].is_null());
    page.say(
        json!({ "type": "configure", "scene": server.scene(), "set": { "friction.static": "-1" }, "compare": null }),
    );
    page.wait("problem", |_| true);
    page.until("the recording is still shown", |f| f.bits & 4 != 0);
    page.say(json!({ "type": "live" }));
    page.wait("world", |w| w["playback"].is_null());
    // As from the command line.
    let again = Server::showing(FirstShown::Recording(path.clone()), server.folder.join("again"), None, None);
    again.page().wait("world", |w| !w["playback"].is_null());
    page.say(json!({ "type": "play", "name": "missing.mcap" }));
    assert!(page.wait("problem", |_| true)["message"].as_str().unwrap().contains("missing.mcap"));
}

/// All plots of a recording are known as soon as it is shown, over its whole length and in every detail.
fn surveyed(server: &Server, world: &serde_json::Value, seconds: f64) {
    let ask = |from: f64, to: f64, rows: usize| {
        let (status, bytes) =
            server.get(&format!("/api/survey/{}?from={from}&to={to}&rows={rows}", world["generation"]));
        assert_eq!(status, 200);
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let f64_at = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let (count, columns) = (u32_at(0), u32_at(4));
        assert_eq!((columns, bytes.len()), (15, 24 + count * columns * 8));
        let value = |row: usize, at: usize| {
            let at = 24 + (row * columns * 2 + at) * 4;
            f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
        };
        let rows: Vec<Vec<f32>> = (0..count).map(|row| (0..2 * columns).map(|at| value(row, at)).collect()).collect();
        (f64_at(8), f64_at(16), rows)
    };
    let (from, each, whole) = ask(0.0, seconds, 100);
    assert!(whole.len() > 50 && whole.len() <= 100 && from < 0.01, "{} rows from {from}", whole.len());
    assert!((from + each * whole.len() as f64 - seconds).abs() < 2.0 * each, "to its end");
    assert!(whole.iter().all(|row| row.chunks(2).all(|two| !(two[0] > two[1]))), "least and largest");
    let (force, band) = (2 * 3, 2 * 14);
    assert!(whole.iter().any(|row| row[force + 1] > 1.0), "the hand pulled");
    assert!(
        whole.iter().any(|row| row[band + 1] == 1.0) && whole.iter().any(|row| row[band + 1] == 3.0),
        "stick, slip"
    );
    let (_, tick, near) = ask(0.0, 0.05, 1000);
    assert!(
        (tick - 0.001).abs() < 1e-12 && near.len() >= 49,
        "every tick of a short stretch: {} of {tick} s",
        near.len()
    );
    assert!(near.iter().all(|row| row[force] == row[force + 1]), "a single tick has a single value");
    for bad in ["", "?from=a&to=1&rows=3", "?from=0&to=1&rows=-3"] {
        assert_eq!(server.get(&format!("/api/survey/{}{bad}", world["generation"])).0, 400, "{bad}");
    }
    assert_eq!(server.get("/api/survey/9999?from=0&to=1&rows=3").0, 404);
}

fn replays(path: &Path) {
    use stiction_session::{Plan, Session};
    let mut recording = stiction_record::Recording::open(path).unwrap();
    let session = Session::new(Plan::recorded(recording.header()).unwrap(), None, &stiction_bake::Silent).unwrap();
    let found = session.replay(&mut recording, |_, _| true).unwrap();
    assert!(found.difference.is_none() && found.gap.is_none() && found.cut_off.is_none(), "{found:?}");
    assert!(found.ticks > 100, "{found:?}");
}

#[test]
fn one_page_holds_the_part_and_others_watch() {
    let server = Server::new(SCENE, None);
    let (mut first, mut second) = (server.page(), server.page());
    first.wait("world", |_| true);
    second.wait("world", |_| true);
    second.hand(1, [0.0, 0.0, 0.013]);
    assert!(second.wait("problem", |_| true)["message"].as_str().unwrap().contains("another page holds"));
    second.say(json!({ "type": "ask" }));
    let roles = first.wait("roles", |r| r["asking"] == json!([2]));
    assert_eq!(roles["holder"], 1);
    first.say(json!({ "type": "give", "to": 2 }));
    second.wait("roles", |r| r["holder"] == 2 && r["asking"] == json!([]));
    second.hand(7, [0.0, 0.0, 0.014]);
    first.until("the watcher sees what the holder does", |f| f.seq == 7.0);
    first.say(json!({ "type": "give", "to": 1 }));
    assert!(
        first.wait("problem", |_| true)["message"].as_str().unwrap().contains("another page holds"),
        "only the holder gives"
    );
    drop(second);
    first.wait("roles", |r| r["holder"] == 1);
}

#[test]
fn a_page_takes_over_from_a_holder_that_does_nothing_and_both_are_told() {
    let server = Server::patient(SCENE, None, Duration::from_secs(3));
    let (mut first, mut second) = (server.page(), server.page());
    first.wait("world", |_| true);
    second.wait("world", |_| true);
    second.say(json!({ "type": "ask" }));
    let told = first.wait("roles", |r| r["asking"] == json!([2]));
    let left = told["takes_over_in"].as_f64().unwrap();
    assert!(left > 0.0 && left <= 3.0, "{told}");
    // A holder that keeps it is left in peace.
    first.say(json!({ "type": "keep", "from": 2 }));
    second.wait("roles", |r| r["asking"] == json!([]) && r["holder"] == 1);
    second.say(json!({ "type": "ask" }));
    for page in [&mut first, &mut second] {
        let told = page.wait("roles", |r| r["holder"] == 2);
        assert_eq!((&told["taken_over"]["from"], &told["taken_over"]["by"]), (&json!(1), &json!(2)), "{told}");
    }
    second.hand(7, [0.0, 0.0, 0.014]);
    first.until("the new holder moves the part", |f| f.seq == 7.0);
    first.hand(8, [0.0, 0.0, 0.014]);
    assert!(first.wait("problem", |_| true)["message"].as_str().unwrap().contains("another page holds"));
}

#[test]
fn sockets_that_send_half_a_request_are_closed_and_keep_nobody_out() {
    use std::io::{Read, Write};
    let server = Server::new(SCENE, None);
    server.page().wait("world", |_| true);
    let begun = Instant::now();
    let slow: Vec<std::net::TcpStream> = (0..200)
        .map(|_| {
            let mut socket = std::net::TcpStream::connect(("127.0.0.1", server.port)).unwrap();
            socket.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
            socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
            socket
        })
        .collect();
    server.page().wait("world", |_| true);
    assert_eq!(server.get("/api/stats").0, 200);
    // Of too many idle sockets the oldest are closed at once; the others when their headers do not come in time.
    let ends = |mut socket: &std::net::TcpStream| {
        let mut rest = Vec::new();
        // Closed, or reset since it had sent something.
        let _ = socket.read_to_end(&mut rest);
        begun.elapsed()
    };
    assert!(ends(&slow[0]) < Duration::from_secs(8), "the oldest of 200 is closed for the newest");
    let last = ends(&slow[199]);
    assert!(last > Duration::from_secs(8) && last < Duration::from_secs(50), "time for headers ran out after {last:?}");
}

#[test]
fn a_foreign_origin_and_a_missing_token_are_refused() {
    let server = Server::new(SCENE, Some("a-long-token"));
    let refused = |query: &str, headers: &[(&'static str, &str)]| Page::connect(server.port, query, headers).err();
    assert_eq!(refused("", &[]), Some(401));
    assert_eq!(refused("?token=wrong", &[]), Some(401));
    assert_eq!(refused("?token=a-long-token", &[("origin", "http://evil.example")]), Some(403));
    assert_eq!(refused("?token=a-long-token", &[("host", "evil.example")]), Some(403));
    let own = format!("http://127.0.0.1:{}", server.port);
    assert_eq!(refused("?token=a-long-token", &[("origin", own.as_str())]), None);
    for path in [
        "/api/stats",
        "/api/mesh/1/held",
        "/api/shell/1",
        "/api/slice/1/held?axis=x",
        "/api/recordings/x.mcap",
        "/api/survey/1",
    ] {
        assert_eq!(server.get(path).0, 401, "{path}");
    }
    assert_eq!(
        server.get("/").0 / 100 * 100,
        if stiction_view::is_built() { 400 } else { 200 },
        "the page is free; packed, it wants gzip"
    );
    assert_eq!(server.get("/api/stats?token=a-long-token").0, 200);
}

#[test]
fn malformed_and_oversized_messages_do_no_harm() {
    let server = Server::new(SCENE, None);
    let mut page = server.page();
    page.wait("world", |_| true);
    let texts = ["", "{", "null", "\u{0}", "{\"type\":\"hand\",\"seq\":1,\"pose\":[null]}", "{\"type\":\"nothing\"}"];
    for text in texts {
        page.raw(Message::text(text));
        assert_eq!(page.wait("problem", |_| true)["fatal"], false, "{text:?}");
    }
    page.raw(Message::binary(vec![1, 2, 3]));
    page.wait("problem", |_| true);
    page.say(json!({ "type": "ping", "sent": 4.0 }));
    assert_eq!(page.wait("pong", |_| true)["sent"], 4.0);
    page.raw(Message::text("x".repeat(9000)));
    let code = loop {
        match page.next() {
            Ok(_) => {}
            Err(code) => break code,
        }
    };
    assert!(code.is_none_or(|code| code == 1009), "{code:?}");
    // Too much nonsense is enough.
    let mut page = server.page();
    for _ in 0..110 {
        page.raw(Message::text("nonsense"));
    }
    let code = loop {
        match page.next() {
            Ok(_) => {}
            Err(code) => break code,
        }
    };
    assert!(code.is_none_or(|code| code == 1008), "{code:?}");
    // Paths that name nothing.
    for path in [
        "/api/mesh/99/held",
        "/api/mesh/1/other",
        "/api/mesh/x/held",
        "/api/recordings/..%2F..%2Fetc%2Fpasswd",
        "/api/recordings/x.mcap",
        "/../../etc/passwd",
    ] {
        let status = server.get(path).0;
        assert!(status == 404 || status == 400, "{path}: {status}");
    }
    assert_eq!(server.get("/api/slice/1/held?axis=w").0, 400);
    let mut page = server.page();
    page.say(json!({"type": "script"}));
    page.until("the loop goes on", |f| f.lane[0].contacts > 0);
}

#[test]
fn a_scene_that_fails_to_load_is_told_and_another_can_be_chosen() {
    let server = Server::new("held = { solid = \"bax\" }", None);
    let mut page = server.page();
    let told = page.wait("problem", |_| true);
    assert_eq!(told["fatal"], true);
    assert!(told["message"].as_str().unwrap().contains("bax"), "{told}");
    // A page that comes later is told the same.
    let mut late = server.page();
    assert_eq!(late.wait("problem", |_| true)["message"], told["message"]);
    std::fs::write(server.folder.join("scene.toml"), SCENE).unwrap();
    page.say(json!({ "type": "configure", "scene": server.scene(), "set": {}, "compare": null }));
    page.wait("world", |_| true);
    page.until("the loop runs", |f| f.tick > 10.0);
}

#[test]
fn a_page_that_reads_nothing_holds_up_neither_the_loop_nor_other_pages() {
    let server = Server::new(SCENE, None);
    let mut page = server.page();
    page.wait("world", |_| true);
    let _asleep: Vec<Page> = (0..3).map(|_| server.page()).collect();
    let first = page.until("frames come", |f| f.tick > 0.0);
    let begun = Instant::now();
    page.frames = 0;
    let last = page.until("two seconds have passed", |f| f.tick > first.tick + 2000.0);
    let seconds = begun.elapsed().as_secs_f64();
    assert!(last.tick - first.tick >= 2000.0 && page.frames > 20, "{} frames in {seconds} s", page.frames);
    let stats: serde_json::Value = serde_json::from_slice(&server.get("/api/stats").1).unwrap();
    assert_eq!(stats["pages"], 4);
    assert!(stats["loop"]["ticks"]["count"].as_u64().unwrap() > 2000);
}

/// A folder of its own with the scene in it.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("stiction-view-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("scene.toml"), SCENE).unwrap();
    folder
}

#[test]
fn a_recording_of_two_hands_plays_and_shows_both_parts_move() {
    use stiction_device::servo_loop::run_virtual;
    use stiction_record::{Entry, WriteOptions, Writer};
    use stiction_session::{Pace, Plan, SceneDevice, Session, entry};
    let folder = folder("two-hands");
    let plan = Plan { arms: 2, ..Plan::of(&folder.join("scene.toml").into(), Vec::new()).unwrap() };
    let session = Session::new(plan, None, &stiction_bake::Silent).unwrap();
    // The second hand carries the plate away to the side.
    let pace = Pace::Virtual(session.period());
    let devices = |arm: u8| -> Result<Box<dyn stiction_device::Device>, stiction_session::SessionError> {
        if arm == 0 {
            return Ok(Box::new(session.device(0, pace)?));
        }
        let mut params = session.plan.device.params();
        params.hand = HandWord::Firm.hand();
        let way = [stiction_scene::Move::Shift([0.01, 0.0, 0.0].into(), 0.8), stiction_scene::Move::Wait(1.0)];
        let hand = stiction_scene::Hand::script(session.world.scene.world_from_fixed(), &way);
        let mapping = stiction_device::Mapping::new(session.caps(1).actuated);
        Ok(Box::new(SceneDevice::new(params, hand, mapping, pace)?))
    };
    let (mut arms, _handles) = session.arms_with(|_| None, devices).unwrap();
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &session.header("test", 0), WriteOptions::default()).unwrap();
    let mut ticks = 0;
    run_virtual(&mut arms, |arms, _| {
        for arm in arms.iter() {
            // A snapshot counts its own cycle already.
            let told = entry(arm.snapshot());
            writer.add(&Entry { tick: told.tick - 1, ..told }).unwrap();
        }
        ticks += 1;
        ticks < 1000
    });
    writer.finish().unwrap();
    drop(writer);
    let file = folder.join("two.mcap");
    std::fs::write(&file, bytes).unwrap();
    let server = Server::showing(FirstShown::Recording(file), folder, None, None);
    let mut page = server.page();
    let world = page.wait("world", |w| !w["playback"].is_null());
    assert!(world["playback"]["verdict"].as_str().unwrap().starts_with("replayed to the same bits"), "{world}");
    assert!((world["playback"]["seconds"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{world}");
    page.say(json!({ "type": "time", "paused": true, "speed": 1.0 }));
    page.say(json!({ "type": "seek", "time": 0.0 }));
    let first = page.until("its start", |f| f.time < 0.025 && f.paused());
    page.say(json!({ "type": "seek", "time": 1e6 }));
    let last = page.until("its end", |f| f.time > 0.95);
    let moved = |body: usize| last.lane[0].bodies[body][0] - first.lane[0].bodies[body][0];
    assert!(moved(1) > 0.005, "the plate went with the second hand: {}", moved(1));
    assert_eq!(last.lane[0].bodies[0], last.lane[0].part, "the first body is the held part");
    assert!(last.lane[0].creep < 1e-5, "friction holds the cube on the plate that moves: {}", last.lane[0].creep);
}

#[test]
fn a_simulated_device_moves_the_hand_and_the_page_looks_on() {
    let folder = folder("device");
    let first = FirstShown::Scene(folder.join("scene.toml").display().to_string());
    let server = Server::showing(first, folder, None, Some((SimWord::Sim, HandWord::Light)));
    let mut page = server.page();
    let world = page.wait("world", |_| true);
    assert_eq!(world["device"], "sim, light hand", "{world}");
    // The scene's hand goes down by 3 mm; a light hand is held up by the plate before.
    let pressed = page.until("it is pressed", |f| f.source == 3 && f.time > 0.8 && f.lane[0].contacts > 0);
    assert!(pressed.hand[2] > 0.0126 && pressed.hand[2] < 0.0155, "the hand gives way: {:?}", pressed.hand);
    page.hand(1, [0.05, 0.0, 0.05]);
    let later = page.until("time goes on", |f| f.time > pressed.time + 0.3);
    assert!((later.hand[0] - pressed.hand[0]).abs() < 1e-3, "a page moves nothing: {:?}", later.hand);
}

const FORMATION: &str = r#"
engine = "formation"
held = { solid = "box", size = [0.02, 0.02, 0.02] }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.01 }
friction = { static = 0.5, kinetic = 0.5 }
coupling = { stiffness = 1000, max_force = 10.0, max_torque = 0.05 }
[hand]
script = [{ move = [0, 0, -0.003], seconds = 0.3 }, { wait = 10 }]
from = { position = [0, 0, 0.0155] }
"#;

#[test]
fn contact_formations_are_shown_and_told_and_their_settings_change_live() {
    let server = Server::new(FORMATION, None);
    let mut page = server.page();
    let world = page.wait("world", |_| true);
    assert_eq!((&world["engine"], &world["margins"]), (&json!("formation"), &json!(false)));
    assert_eq!(world["lanes"][0]["method"], "formation");
    assert_eq!(world["values"]["formation.moments"], "paper");
    page.hand(1, [0.0, 0.0, 0.013]);
    let held = page.until("the cube holds", |f| f.seq == 1.0 && f.lane[0].contacts == 1 && f.lane[0].word == 1);
    let words = &held.lane[0].sentence;
    assert!(
        words.starts_with("holds") && words.contains(". Touches: face ") && words.contains(" of the part on face "),
        "{words}"
    );
    let set = json!({ "formation.moments": "area", "friction.static": "0.9" });
    page.say(json!({ "type": "configure", "scene": server.scene(), "set": set, "compare": null }));
    let world = page.wait("world", |w| w["set"].as_object().is_some_and(|set| !set.is_empty()));
    assert_eq!(world["values"]["formation.moments"], "area");
    let after = page.until("it goes on", |f| f.time > held.time && f.lane[0].contacts == 1);
    assert_eq!(after.generation, held.generation, "the shapes are the same");
    let set = json!({ "friction.method": "lp" });
    page.say(json!({ "type": "configure", "scene": server.scene(), "set": set, "compare": null }));
    let told = page.wait("problem", |_| true);
    assert!(told["message"].as_str().unwrap().contains("the engine is \"formation\""), "{told}");
    page.hand(2, [0.02, 0.0, 0.013]);
    page.until("it slides", |f| f.lane[0].word == 3 && f.lane[0].sentence.contains("sliding"));
}
