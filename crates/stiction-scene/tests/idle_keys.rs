//! A key that is set and has no effect is an error that says what to do instead: `--set friction.static=0.3` once lost against a pair of materials in silence.

use std::path::Path;
use stiction_scene::{Problem, Scene, SceneError, Setting};

const PARTS: &str = r#"
held = { solid = "box", size = [0.1, 0.1, 0.1], material = "steel" }
fixed = { solid = "plate", size = [0.2, 0.2], thickness = 0.01, material = "brass" }
"#;
const PAIR: &str = "[[friction.pair]]\nbetween = [\"wood\", \"steel\"]\nstatic = 0.6\n[[friction.pair]]\nbetween = [\"brass\", \"steel\"]\nstatic = 0.3\n";

fn parse(text: &str, set: &[&str]) -> Result<Scene, SceneError> {
    let set: Vec<Setting> = set.iter().map(|s| s.parse().unwrap()).collect();
    Scene::parse(&format!("{PARTS}{text}"), Path::new("some/scene.toml"), &set)
}

/// The key that has no effect and the whole message.
fn idle(text: &str, set: &[&str]) -> (String, String) {
    let error = parse(text, set).map(drop).expect_err(&format!("{text} {set:?}"));
    let told = error.to_string();
    let SceneError::Wrong { problem, .. } = error else { panic!("{told}") };
    let Problem::NoEffect { key, .. } = *problem else { panic!("{told}") };
    (key, told)
}

#[test]
fn coefficients_do_not_lose_against_a_pair_of_materials_in_silence() {
    let (_, told) = idle(PAIR, &["friction.static=0.5"]);
    assert_eq!(
        told,
        "--set friction.static=0.5: friction.static has no effect: the pair of materials \"steel\" and \"brass\" has its own coefficients. Leave it out and \
         set friction.pair.1.static, or leave the pair out (friction.pair = [])"
    );
    let mu = |set: &[&str]| parse(PAIR, set).unwrap().settings.mu_static;
    assert_eq!(mu(&["friction.pair.1.static=0.5"]), 0.5, "the advice works");
    assert_eq!(mu(&["friction.pair=[]", "friction.static=0.5"]), 0.5, "and so does the other");
    let (_, told) = idle(&format!("[friction]\nkinetic = 0.2\n{PAIR}"), &[]);
    assert!(told.starts_with("some/scene.toml, line 5 column 1: friction.kinetic has no effect"), "{told}");
    assert!(idle(PAIR, &["friction.pair.0.static=0.5"]).1.contains("friction.pair.1 is the first that matches"));
}

#[test]
fn every_kind_of_key_without_effect_is_told_in_files_and_in_overrides() {
    // The file, overrides that have no effect by themselves, and one that makes it count.
    let cases = [
        ("", "friction.metric=mass", "friction.method=qp"),
        ("", "friction.spring_stiffness=5", "friction.method=yamane"),
        ("", "damping.alpha=0.9", "contact.model=penalty"),
        ("contact.model = \"penalty\"\n", "contact.work=9", "contact.model=hard"),
        ("friction.method = \"none\"\n", "friction.static=0.4", "friction.method=hold"),
        ("friction.method = \"none\"\n", "friction.micro_slip=1e-6", "friction.method=qp"),
        ("friction.method = \"yamane\"\n", "friction.cone.sides=6", "friction.method=qp"),
        ("friction.method = \"yamane\"\n", "friction.budget=9", "friction.method=qp"),
        ("", "fixed.seed=3", "fixed.normal_noise=0.1"),
        ("", "load.ramp_seconds=1", "load.force=[1,0,0]"),
        ("", "load.vary.period=1", "load.vary.force=[1,0,0]"),
        ("", "start.relative_to=fixed", "start.position=[0,0,1]"),
        ("", "hand.relative_to=fixed", "hand.script=[{ wait = 1 }]"),
        ("contact.model = \"penalty\"\ndamping.alpha = 0.0\n", "damping.when=colliding", "damping.alpha=0.5"),
    ];
    for (text, dead, alive) in cases {
        let (key, told) = idle(text, &[dead]);
        assert!(dead.starts_with(&key) && told.starts_with(&format!("--set {dead}: {key} has no effect: ")), "{told}");
        let scene = parse(text, &[dead, alive]);
        assert!(scene.is_ok(), "{dead} {alive}: {}", scene.unwrap_err());
        let (key, value) = dead.split_once('=').unwrap();
        let word = value.parse::<f64>().is_err();
        let line = if word { format!("{key} = \"{value}\"\n") } else { format!("{key} = {value}\n") };
        let in_table = ["fixed.", "friction.cone."].iter().any(|table| key.starts_with(table));
        if !in_table {
            assert_eq!(idle(&format!("{text}{line}"), &[]).0, idle(text, &[dead]).0, "in the file");
        }
    }
    let thick = PARTS.replace("0.01,", "0.01, thicken = 0.001,");
    let told = Scene::parse(&thick, Path::new("scene.toml"), &[]).unwrap_err().to_string();
    assert!(told.contains("fixed.thicken has no effect: solids have no open sheets"), "{told}");
}

#[test]
fn an_override_may_take_the_effect_of_what_the_file_says() {
    let text = format!("contact.allowance = 1e-5\nfriction.micro_slip = 1e-6\n{PAIR}");
    for set in ["friction.method=none", "friction.method=lp", "friction.pair=[]", "contact.model=penalty"] {
        assert!(parse(&text, &[set]).is_ok(), "{set}: {}", parse(&text, &[set]).unwrap_err());
    }
    // One that has no effect with or without the override is told all the same.
    assert!(parse("contact.blend = 0.5\n", &["friction.static=0.1"]).is_err());
}

#[test]
fn what_describes_a_part_may_stand_in_a_file_and_has_no_effect_as_an_override() {
    let heavy = PARTS.replace("\"steel\" }", "\"steel\", mass = 2.0 }");
    let read = |text: &str, set: &str| Scene::parse(text, Path::new("scene.toml"), &[set.parse().unwrap()]);
    assert!(Scene::parse(&heavy, Path::new("scene.toml"), &[]).is_ok(), "a part has a mass");
    let told = read(&heavy, "held.mass=3").unwrap_err().to_string();
    assert!(told.contains("held.mass has no effect: nothing depends on the mass"), "{told}");
    assert!(read(&format!("{heavy}load.gravity = [0, 0, -9.81]\n"), "held.mass=3").is_ok());
    assert!(idle("", &["contact.tangent_axis=[0,0,1]"]).1.contains("friction.cone = { sides = 8 }"));
    assert!(parse("", &["contact.tangent_axis=[0,0,1]", "friction.method=lp"]).is_ok());
}

#[test]
fn the_scene_of_a_recording_may_have_keys_without_effect() {
    let text = format!("{PARTS}[friction]\nstatic = 0.4\n{PAIR}");
    assert!(Scene::parse(&text, Path::new("scene.toml"), &[]).is_err());
    let scene = Scene::parse_recorded(
        &text,
        Path::new("scene.toml"),
        &["friction.static=0.9".parse().unwrap()],
        &Default::default(),
    )
    .unwrap();
    assert_eq!(scene.settings.mu_static, 0.3);
}

#[test]
fn contact_model_paper_alone_is_the_papers_engine_and_says_so_key_by_key() {
    use stiction::friction::{Cone, Method, Metric};
    use stiction::tick::Settings;
    let settings = |text: &str, set: &[&str]| parse(text, set).unwrap().settings;
    let held = |s: Settings| Settings { mass: 1.0, ..s };
    assert_eq!(held(settings("", &["contact.model=paper"])), held(Settings::paper()));
    assert_eq!(held(settings("contact.model = \"paper\"\n", &[])), held(Settings::paper()), "wherever it stands");
    // What is given counts, in any order.
    let both = settings("friction.method = \"qp\"\ndamping.when = \"sliding\"\ncontact.model = \"paper\"\n", &[]);
    assert_eq!((both.friction.method, both.friction.cone), (Method::Qp(Metric::Mass), Cone::paper(8)));
    assert_eq!(both.damped, stiction::tick::Damping::Sliding);
    let set = ["contact.model=paper", "friction.method=hold", "contact.release=three", "friction.cone.sides=4"];
    let s = settings("", &set);
    assert_eq!((s.friction.method, s.friction.cone), (Method::Hold, Cone::paper(4)));
    assert_eq!(s.release, stiction::contact::separating::ReleaseRule::Three);
    // Keys of penalty contacts count, keys of hard ones do not.
    assert!(parse("", &["contact.model=paper", "contact.stiffness=3e4", "contact.blend=0.5"]).is_ok());
    assert_eq!(idle("", &["contact.model=paper", "contact.allowance=1e-5"]).0, "contact.allowance");
    assert_eq!(idle("", &["contact.release=paper"]).0, "contact.release");
    let told = parse("contact.release = false\ncontact.model = \"paper\"\n", &[]).unwrap_err().to_string();
    assert!(told.contains("\"applied\" or \"three\" or \"paper\" or \"none\""), "{told}");
}
