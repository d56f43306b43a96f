//! What a run tells.

use super::place;

#[test]
fn the_summary_is_for_people() {
    let text = place().good("run small.toml");
    for word in
        ["small: a test", "hold", "µ 0.3 static, 0.2 kinetic", "200 ticks", "Contacts", "Force", "Depth", "p99", "Hash"]
    {
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
    assert!(text.contains("Attention") && text.contains("deep contact") && text.contains("[start]"), "{text}");
    assert!(text.contains("Noticed     deep"), "{text}");
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
    assert!(advice.contains("in deep contact in") && advice.contains("% of the ticks, up to"), "{advice}");
    assert!(!advice.contains("also in the last"), "{advice}");
    assert!(place.good(&run).contains("Attention"), "{advice}");
    // What is seldom is no reason for advice.
    assert_eq!(place.json("run small.toml")["advice"], serde_json::json!([]));
}
