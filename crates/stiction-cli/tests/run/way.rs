//! What a run tells.

use super::place;

#[test]
fn the_summary_is_for_people() {
    let text = place().good("run small.toml");
    for word in [
        "small: a test",
        "hold",
        "µ 0.3 static, 0.2 kinetic",
        "200 ticks",
        "Contacts",
        "Force",
        "Depth",
        "Moved",
        "Slid",
        "p99",
        "Hash",
    ] {
        assert!(text.contains(word), "no {word} in {text}");
    }
    assert!(text.lines().all(|l| l.chars().count() <= 110), "{text}");
}

#[test]
fn json_has_every_figure() {
    let place = place();
    let object = place.json("run small.toml");
    let numbers = [
        "ticks",
        "contacts_mean",
        "contacts_max",
        "tick_us_p50",
        "tick_us_p90",
        "tick_us_p99",
        "tick_us_max",
        "stuck_share",
        "drift_m",
        "displaced_m",
        "turned_rad",
        "slipped_m",
        "rolled_m",
        "elastic_m",
        "sunk_m",
        "crept_m",
        "slide_count",
        "ticks_unsolved",
        "rate_hz",
        "depth_max_m",
        "residual_max",
        "device_force_max_n",
        "device_torque_max_nm",
        "force_rms_20_500_n",
        "force_step_max_n",
        "ticks_holding",
        "ticks_sliding",
        "ticks_rolling",
        "ticks_free",
        "bounded_ticks",
        "build_seconds",
        "run_seconds",
    ];
    for key in numbers {
        assert!(object[key].as_f64().is_some_and(|x| x >= 0.0 && x.is_finite()), "{key} in {object}");
    }
    assert_eq!((&object["scene"], &object["friction"]), (&"small".into(), &"hold".into()));
    assert_eq!((&object["finite"], &object["stopped"]), (&true.into(), &false.into()));
    assert_eq!(object["ticks"], 200);
    let order: Vec<f64> = ["tick_us_p50", "tick_us_p90", "tick_us_p99", "tick_us_max"]
        .iter()
        .map(|k| object[k].as_f64().unwrap())
        .collect();
    assert!(order.is_sorted() && order[0] > 0.0, "{order:?}");
    // Pressed with 4 N, it holds up to some 1.2 N of pull and slides then.
    assert!(object["ticks_holding"].as_u64() > Some(20) && object["ticks_sliding"].as_u64() > Some(20), "{object}");
}

/// A part that slid and was caught once read as "holds", and one that sank as drifting.
#[test]
fn a_part_that_was_caught_says_how_far_it_slid_first() {
    let place = place();
    let told = place.good("run small.toml --seconds 1 --set hand.keyframes.2.t=0.3");
    let end = told.lines().find(|l| l.starts_with("In the end")).unwrap();
    assert!(!end.contains("slides") && end.contains(", after it slid "), "{told}");
    assert!(told.lines().any(|l| l.starts_with("Slid ") && l.contains(" s, caught at ")), "{told}");
    assert!(!told.contains("Drift"), "{told}");
    let object = place.json("run small.toml --seconds 1 --set hand.keyframes.2.t=0.3");
    let slide = &object["slides"][0];
    assert!(
        slide["from_s"].as_f64() < slide["caught_s"].as_f64() && slide["slipped_m"].as_f64() > Some(1e-4),
        "{object}"
    );
}

/// The keys that the guide lists are those that are printed, and those it calls deprecated are still there.
#[test]
fn the_guide_lists_the_keys_of_a_run() {
    let place = place();
    let guide = include_str!("../../../../docs/guide/report.md");
    let listed = |after: &str| -> std::collections::BTreeSet<String> {
        let rest = guide.split_once(after).unwrap_or_else(|| panic!("the guide has no {after}")).1;
        let table = rest.split("\n## ").next().unwrap().split("\n### ").next().unwrap();
        let rows = table.lines().filter(|l| l.starts_with("| `"));
        rows.flat_map(|l| {
            l.split('|').nth(1).unwrap().split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
    };
    let printed = |arguments: &str| -> std::collections::BTreeSet<String> {
        place.json(arguments).as_object().unwrap().keys().cloned().collect()
    };
    let columns: Vec<String> =
        stiction::trace::Trace::columns().iter().map(|c| c.name.to_string()).filter(|c| c != "flags").collect();
    let run: std::collections::BTreeSet<String> =
        printed("run small.toml").into_iter().filter(|k| !columns.contains(k)).collect();
    assert_eq!(run, listed("### `stiction run --json`"));
    assert_eq!(
        printed("run small.toml --device sim --clock virtual"),
        listed("### `stiction run --device sim --json`")
    );
    let named: std::collections::BTreeSet<String> = listed("### Columns of a tick");
    assert_eq!(named, columns.into_iter().chain(["flags".to_owned()]).collect());
}

#[test]
fn the_same_run_has_the_same_hash_and_another_has_another() {
    let place = place();
    let hash = |arguments: &str| place.json(&format!("run small.toml {arguments}"))["trace_hash"].clone();
    let first = hash("");
    assert_eq!(first.as_str().map(str::len), Some(16));
    // From a fresh bake, from the cache, without it, recorded and not.
    assert_eq!(first, hash(""));
    assert_eq!(first, hash("--no-cache"));
    assert_eq!(first, hash("--trace a.csv"));
    assert_eq!(first, hash("--trace a.parquet"));
    assert_eq!(first, hash("--friction hold --set run.rate=500"));
    for other in [
        "--mu 0.31",
        "--friction qp",
        "--rate 1000",
        "--seconds 0.2",
        "--set held.seed=2 --set held.normal_noise=0.01 --friction qp",
    ] {
        assert_ne!(first, hash(other), "{other}");
    }
}

#[test]
fn flags_set_what_they_say() {
    let place = place();
    for friction in ["none", "lp", "qp", "hold", "yamane"] {
        let object = place.json(&format!("run small.toml --friction {friction} --seconds 0.1"));
        assert_eq!((&object["friction"], &object["ticks"]), (&friction.into(), &50.into()), "{object}");
        assert_eq!(object["finite"], true);
        let holding = object["ticks_holding"].as_u64().unwrap();
        assert_eq!(holding > 0, friction != "none", "{friction}: {object}");
    }
    let object = place.json("run small.toml --friction qp --metric mass --mu 0.7 --rate 1000 --seconds 0.1");
    assert_eq!((&object["metric"], &object["ticks"]), (&"mass".into(), &100.into()));
    // Whatever the pair of materials says.
    assert_eq!((&object["mu_static"], &object["mu_kinetic"]), (&0.7.into(), &0.7.into()));
}

#[test]
fn a_folder_with_a_scene_is_a_scene() {
    let place = place();
    std::fs::create_dir_all(place.path("scenes/mine")).unwrap();
    std::fs::copy(place.path("small.toml"), place.path("scenes/mine/scene.toml")).unwrap();
    for scene in ["mine", "scenes/mine", "scenes/mine/scene.toml"] {
        assert_eq!(place.json(&format!("run {scene} --seconds 0.02"))["ticks"], 10, "{scene}");
    }
}

#[test]
fn deep_starts_are_explained() {
    let place = place();
    let text = place.good("run small.toml --set start.position=[0,0,-0.004] --seconds 0.002");
    let told =
        ["Attention   in 1 tick, also in the last, the parts were deeper in each other", "than is safe", "[start]"];
    assert!(
        told.iter().all(|words| text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(&words.replace("   ", " "))),
        "{text}"
    );
    let object = place.json("run small.toml --set start.position=[0,0,-0.004] --seconds 0.002");
    assert_eq!(object["flags"]["deep"], 1, "{object}");
}

#[test]
fn advice_is_about_the_whole_run_not_only_about_its_end() {
    let place = place();
    // Pressed in deeply, then lifted off: nothing is wrong in the last tick.
    let hand = "hand.keyframes=[{t=0,position=[0,0,0.002]},{t=0.2,position=[0,0,0.002]},{t=0.3,position=[0,0,0.05]}]";
    let run =
        format!("run small.toml --set contact.model=penalty --set contact.stiffness=1000 --set {hand} --seconds 0.4");
    let object = place.json(&run);
    assert_eq!((&object["depth_m"], &object["stuck"]), (&0.0.into(), &0.into()), "{object}");
    let advice = object["advice"][0].as_str().unwrap();
    let ticks = object["flags"]["deep"].as_u64().unwrap();
    assert!(
        ticks > 50 && advice.starts_with(&format!("in {ticks} ticks the parts were deeper in each other")),
        "{advice}"
    );
    assert!(!advice.contains("also in the last"), "{advice}");
    assert!(place.good(&run).contains("Attention"), "{advice}");
    // What is seldom is no reason for advice.
    assert_eq!(place.json("run small.toml")["advice"], serde_json::json!([]));
}

/// A scene of contact formations: a cube that comes down on a plate and slides.
const FORMATION: &str = r#"
engine = "formation"
held = { solid = "box", size = [0.02, 0.02, 0.02] }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.01 }
hand = { script = [{ move = [0, 0, -0.003], seconds = 0.1 }, { move = [0.02, 0, 0], seconds = 0.2 }], from = { position = [0, 0, 0.0155] } }
"#;

#[test]
fn a_run_of_contact_formations_tells_what_touched() {
    let place = place();
    place.write("formation.toml", FORMATION);
    let text = place.good("run formation.toml --trace ticks.csv --contacts last.csv");
    assert!(
        text.contains("Touched") && text.contains("s nothing touches") && text.contains(" s {f-f} face "),
        "{text}"
    );
    assert!(text.contains("by the rules of contact formations") && !text.contains("Balance"), "{text}");
    let table = place.text("ticks.csv");
    let (head, last) = (table.lines().next().unwrap(), table.lines().last().unwrap());
    assert!(head.contains(",motion,") && head.contains(",contact1_kind,"), "{head}");
    assert!(
        last.contains(",face-face,") && last.contains(",sliding") && place.text("last.csv").lines().count() == 2,
        "{last}"
    );
    let object = place.json("run formation.toml");
    let spans = object["formations"]["spans"].as_array().unwrap();
    assert_eq!((object["engine"].as_str(), object["formations"]["left_out"].as_u64()), (Some("formation"), Some(0)));
    let types: Vec<&str> = spans.iter().map(|s| s["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["{}", "{f-f}"]);
    assert!(
        spans[1]["words"].as_str().unwrap().contains(" of the part on face ")
            && spans[1]["sliding_share"].as_f64() > Some(0.1)
    );
    assert_eq!(object["trace_hash"], place.json("run formation.toml")["trace_hash"]);
    // With a device, recorded and replayed.
    let live = place.json("run formation.toml --device sim --clock virtual --record run.mcap");
    assert!(live["formations"]["spans"].as_array().is_some_and(|s| s.len() > 1), "{live}");
    assert!(live["arms"][0]["formation"].as_str().unwrap().contains("face"), "{live}");
    let again = place.json("replay run.mcap");
    assert_eq!((&again["same"], &again["formations"]), (&serde_json::json!(true), &live["formations"]));
}

/// Contacts of the quasi-static engine have names where both parts are polyhedra, and none where one is not.
#[test]
fn contacts_at_points_are_named_where_both_parts_are_polyhedra() {
    let place = place();
    let object = place.json("run small.toml");
    let words = object["formations"]["last"].to_string();
    assert!(words.contains(" of the part on face ") && words.contains(" points, "), "{object}");
    let round = "solid = \"cylinder\", radius = 0.01, height = 0.02, segments = 400,";
    place.write("round.toml", super::place::SCENE.replace("solid = \"box\", size = [0.02, 0.02, 0.02],", round));
    let cylinder = place.json("run round.toml");
    assert!(cylinder["formations"].is_null(), "{cylinder}");
}

/// A scene of many bodies: a hand presses a block on a floor while another block falls beside it.
const MANY: &str = r#"
engine = "volume"
run = { seconds = 0.6, rate = 1000 }
load = { gravity = [0, 0, -9.81] }
body = [
    { name = "floor", fixed = true, solid = "box", size = [1, 1, 0.1], position = [0, 0, -0.05] },
    { name = "tool", solid = "box", size = [0.04, 0.04, 0.04] },
    { name = "block", solid = "box", size = [0.04, 0.04, 0.04], mass = 0.2, position = [0.1, 0, 0.04] },
]
hand = [{ holds = "tool", from = { position = [0, 0, 0.021] }, script = [{ move = [0, 0, -0.002], seconds = 0.3 }] }]
"#;

#[test]
fn a_run_of_many_bodies_tells_of_all_of_them() {
    let place = place();
    place.write("many.toml", MANY);
    let text = place.good("run many.toml --trace ticks.csv --contacts last.csv");
    for wanted in
        ["over contact areas", "3, 2 of them free; told of below: tool", "2 pairs of convex parts touch", "Energy"]
    {
        assert!(text.contains(wanted), "no {wanted} in {text}");
    }
    assert!(!text.contains("Balance") && text.lines().all(|l| l.chars().count() <= 110), "{text}");
    let (ticks, last) = (place.text("ticks.csv"), place.text("last.csv"));
    assert!(ticks.lines().next().unwrap().contains("world_hash"), "{ticks}");
    assert_eq!((ticks.lines().count(), last.lines().count()), (601, 2), "one area of the tool");
    let object = place.json("run many.toml");
    assert_eq!((object["engine"].as_str(), object["told_of"].as_str()), (Some("volume"), Some("tool")));
    assert_eq!((object["world"]["bodies"].as_u64(), object["world"]["pairs"].as_u64()), (Some(3), Some(2)));
    assert_eq!(object["trace_hash"], place.json("run many.toml")["trace_hash"]);
    let live = place.json("run many.toml --device sim --clock virtual --record run.mcap");
    assert!(live["arms"][0]["holds"].as_str().unwrap().starts_with("holds tool: 1 stuck, 0 sliding"), "{live}");
    assert_eq!(place.json("replay run.mcap")["same"], serde_json::json!(true));
    assert!(place.good("info run.mcap").contains("volume"));
}
