//! Numbers on the scenes' pages are those that the scenes give: each is made from a run here, and the page must have it. `plate-cube` once said 60 % of what friction holds, where
//! it was 58 %.

mod support;

use stiction_scene::Run;
use support::world;

fn whole(name: &str, set: &[&str]) -> Run {
    let mut run = world(name, set).run().unwrap();
    while !run.finished() {
        run.step();
    }
    run
}

/// The page of a scene has these words.
fn says(name: &str, words: &str) {
    let path = stiction_scene::Scene::find(name).unwrap().origin().with_file_name("README.md");
    let page = std::fs::read_to_string(path).unwrap().replace('\n', " ");
    assert!(page.contains(words), "the page of {name} should say \"{words}\":\n{page}");
}

/// How far the hand is from the part in the end (mm).
fn behind(run: &Run) -> f64 {
    let trace = run.trace();
    1e3 * (trace.hand.translation.vector - trace.part.translation.vector).norm()
}

#[test]
fn the_page_of_corner_cube_has_the_numbers_of_its_run() {
    let run = whole("corner-cube", &[]);
    let shell = &world("corner-cube", &[]).fixed.shell;
    let points = shell.points().len();
    let levels = shell.levels().len();
    says("corner-cube", &format!("a shell of {},{:03} points on {levels} levels", points / 1000, points % 1000));
    let wrench = run.trace().wrench;
    assert_eq!(format!("{:.0}", wrench.y), format!("{:.0}", wrench.z));
    says(
        "corner-cube",
        &format!("into both walls ({:.0} N each) and pulls it along the edge with {:.0} N", wrench.y, -wrench.x),
    );
    let share = -wrench.x / (0.8 * (wrench.y + wrench.z));
    assert!((share - 0.5).abs() < 0.01, "half of what friction can hold: {share}");
    says("corner-cube", &format!("about {:.0}0 contacts", f64::from(run.trace().contacts) / 10.0));
}

#[test]
fn the_page_of_gear_on_shaft_has_the_numbers_of_its_run() {
    let run = whole("gear-on-shaft", &[]);
    says("gear-on-shaft", &format!("presses it there with {:.0} N", run.trace().wrench.z));
    says("gear-on-shaft", &format!("some {:.0}0 contacts", f64::from(run.trace().contacts) / 10.0));
}

#[test]
fn the_page_of_incline_has_the_numbers_of_its_runs() {
    let (sine, cosine) = 20f64.to_radians().sin_cos();
    says("incline", &format!("{:.3} < 0.4", sine / cosine));
    let leans = whole("incline", &[]).summary().motion.displaced_m;
    assert!((1e-6..10e-6).contains(&leans), "some micrometres: {leans}");
    let moved = |set: &str| 1e3 * whole("incline", &[set]).summary().motion.displaced_m;
    let (low, high) = (moved("fixed.rotation.angle_deg=25"), moved("fixed.rotation.angle_deg=40"));
    says("incline", &format!("{low:.1} mm at 25 degrees, {high:.1} mm at 40"));
}

#[test]
fn the_pages_of_pegs_have_the_numbers_of_their_runs() {
    let run = whole("peg-in-hole-chamfered", &[]);
    let rate = run.ticks() as f64 / run.time();
    says("peg-in-hole-chamfered", &format!("free motion for {:.1} s", run.summary().ticks_free as f64 / rate));
    says("peg-in-hole-chamfered", &format!("{:.0} mm in and holds", -1e3 * run.trace().part.translation.z));
    let run = whole("peg-in-hole-round", &[]);
    says("peg-in-hole-round", &format!("stays about {:.1} mm behind ({:.1} N)", behind(&run), run.trace().wrench.z));
    let run = whole("peg-in-hole-square", &[]);
    says("peg-in-hole-square", &format!("stays {:.1} mm behind", behind(&run)));
}

#[test]
fn the_page_of_plate_cube_has_the_numbers_of_its_run() {
    let run = whole("plate-cube", &[]);
    let trace = run.trace();
    let share = 100.0 * -trace.wrench.x / trace.limit;
    says(
        "plate-cube",
        &format!("pulled sideways with {:.1} N: {share:.0} % of what friction can hold", -trace.wrench.x),
    );
    says("plate-cube", &format!("some {:.0}00 contacts, all stuck", f64::from(trace.contacts) / 100.0));
    assert_eq!(run.summary().stuck_share, 1.0);
}

/// The guide of the viewer compares two methods on a rough plate under a varying load.
#[test]
fn the_guide_of_the_viewer_has_what_methods_slip_and_creep() {
    let rough = ["fixed.normal_noise=0.05", "load.vary={force=[1.0,0,0],period=0.25}"];
    let moved = |method: &str| whole("plate-cube", &[&rough[..], &[method]].concat()).summary().motion;
    let (qp, hold) = (moved("friction.method=qp"), moved("friction.method=hold"));
    let guide = include_str!("../../../docs/guide/view.md").replace("\n ", "");
    let words = format!(
        "`qp` slips {:.0} µm and creeps {:.1} µm in 2 s, and `hold` neither",
        1e6 * qp.slipped_m,
        1e6 * qp.crept_m
    );
    assert!(guide.contains(&words), "the guide should say \"{words}\"");
    assert!(hold.slipped_m == 0.0 && hold.crept_m < 1e-9, "{hold:?}");
}
