//! Bodies, hands and loads as lists, and the engine by its word: read as the two-part form is, and refused in words where the engine cannot take them.

use std::path::Path;
use stiction::spatial::Vec6;
use stiction_bake::Silent;
use stiction_scene::{EngineKind, Scene, SceneError, Setting};

const TWO_PARTS: &str = r#"
[held]
solid = "box"
size = [0.02, 0.02, 0.02]
mass = 0.3
material = "a"
resolution = 16
points = 100
[fixed]
solid = "plate"
size = [0.1, 0.1]
thickness = 0.01
position = [0, 0, -0.005]
rotation = { axis = [1, 0, 0], angle_deg = 10 }
material = "b"
resolution = 16
points = 100
[start]
position = [0, 0, 0.011]
[hand]
relative_to = "fixed"
script = [{ move = [0, 0, -0.001], seconds = 0.1 }]
[load]
gravity = [0, 0, -9.81]
force = [1, 0, 0]
ramp_seconds = 0.2
"#;

const LISTS: &str = r#"
engine = "quasi-static"
[[body]]
name = "table"
fixed = true
solid = "plate"
size = [0.1, 0.1]
thickness = 0.01
position = [0, 0, -0.005]
rotation = { axis = [1, 0, 0], angle_deg = 10 }
material = "b"
resolution = 16
points = 100
[[body]]
name = "cube"
solid = "box"
size = [0.02, 0.02, 0.02]
mass = 0.3
material = "a"
resolution = 16
points = 100
position = [0, 0, 0.011]
[[hand]]
holds = "cube"
relative_to = "table"
script = [{ move = [0, 0, -0.001], seconds = 0.1 }]
[[load]]
on = "cube"
gravity = [0, 0, -9.81]
force = [1, 0, 0]
ramp_seconds = 0.2
"#;

const PAIR: &str = "[[friction.pair]]\nbetween = [\"b\", \"a\"]\nstatic = 0.3\nkinetic = 0.2\n";

fn parse(text: &str, set: &[&str]) -> Result<Scene, SceneError> {
    let set: Vec<Setting> = set.iter().map(|s| s.parse().unwrap()).collect();
    Scene::parse(text, Path::new("some/scene.toml"), &set)
}

fn message(text: &str) -> String {
    parse(text, &[]).expect_err(text).to_string()
}

#[test]
fn the_two_part_form_is_read_as_lists() {
    let [two, lists] = [TWO_PARTS, LISTS].map(|text| parse(&format!("{text}{PAIR}"), &[]).unwrap());
    assert_eq!(two.engine, EngineKind::QuasiStatic);
    assert_eq!((&two.settings, two.seconds), (&lists.settings, lists.seconds));
    assert_eq!((two.settings.mass, two.settings.mu_static, two.settings.mu_kinetic), (0.3, 0.3, 0.2));
    assert_eq!(two.settings.gravity.z, -9.81);
    assert_eq!((&two.held().part, &two.fixed().part), (&lists.held().part, &lists.fixed().part));
    assert_eq!((two.start(), two.world_from_fixed()), (lists.start(), lists.world_from_fixed()));
    assert_eq!((two.hand(), two.load()), (lists.hand(), lists.load()));
    let names = |scene: &Scene| scene.bodies().iter().map(|b| (b.name.clone(), b.fixed)).collect::<Vec<_>>();
    assert_eq!(names(&two), [("held".to_owned(), false), ("fixed".to_owned(), true)]);
    assert_eq!(names(&lists), [("table".to_owned(), true), ("cube".to_owned(), false)]);
    assert_eq!((lists.hands()[0].holds, lists.loads()[0].on), (Some(1), 1));
}

#[test]
fn both_forms_run_to_the_same_bits() {
    let [two, lists] = [TWO_PARTS, LISTS].map(|text| {
        let mut run = parse(text, &[]).unwrap().build(None, &Silent).unwrap().run().unwrap();
        while !run.finished() {
            run.step();
        }
        run.summary()
    });
    assert!(two.contacts_max > 0);
    assert_eq!(two.trace_hash, lists.trace_hash);
}

#[test]
fn a_held_body_without_a_pose_is_where_its_hand_is() {
    let text = LISTS
        .replace("position = [0, 0, 0.011]\n", "")
        .replace("script = [", "from = { position = [0, 0, 0.02] }\nscript = [")
        .replace("relative_to = \"table\"\n", "");
    assert_eq!(parse(&text, &[]).unwrap().start().translation.vector.z, 0.02);
}

#[test]
fn several_loads_on_a_body_add_up() {
    let more = "[[load]]\non = \"cube\"\nforce = [0, 2, 0]\ngravity = [0, 0.5, 0]\nvary = { force = [4, 0, 0], period = 0.5 }\n";
    let scene = parse(&format!("{LISTS}{more}"), &[]).unwrap();
    assert_eq!(scene.settings.gravity.as_slice(), [0.0, 0.5, -9.81]);
    // At an eighth of the period of 0.5 s, with the ramp of 0.2 s at its end from 0.2 s on.
    for (t, x) in [(0.5 + 0.0625, 1.0 + 4.0 * 0.5f64.sqrt()), (0.75, 1.0)] {
        assert!((scene.load().at(t) - Vec6::new(x, 2.0, 0.0, 0.0, 0.0, 0.0)).norm() < 1e-12, "{t}");
    }
    let in_two_parts =
        TWO_PARTS.replace("[load]", "[[load]]\non = \"held\"\ntorque = [0, 0, 0.1]\n[[load]]\non = \"held\"");
    let load = parse(&in_two_parts, &[]).unwrap().load().at(1.0);
    assert_eq!(load.as_slice(), [1.0, 0.0, 0.0, 0.0, 0.0, 0.1]);
}

#[test]
fn overrides_of_the_two_part_form_work_on_lists() {
    let set = [
        "held.mass=2",
        "fixed.thickness=0.02",
        "start.position=[0,0,0.5]",
        "start.relative_to=world",
        "hand.script=[{ wait = 3 }]",
        "load.force=[7,0,0]",
        "body.1.size.0=0.04",
    ];
    let [two, lists] = [(TWO_PARTS, "held.size.0=0.04"), (LISTS, "body.1.size.0=0.04")].map(|(text, own)| {
        let set: Vec<&str> = set[..6].iter().copied().chain([own]).collect();
        parse(text, &set).unwrap()
    });
    assert_eq!((two.settings.mass, two.seconds, two.start().translation.vector.z), (2.0, 3.0, 0.5));
    assert_eq!((&two.settings, two.seconds, two.start()), (&lists.settings, lists.seconds, lists.start()));
    assert_eq!((&two.held().part, &two.fixed().part), (&lists.held().part, &lists.fixed().part));
    assert_eq!((two.load(), two.hand()), (lists.load(), lists.hand()));
}

#[test]
fn two_hands_hold_two_bodies_and_need_two_devices() {
    let text = LISTS.replace("fixed = true\n", "").replace("relative_to = \"table\"\n", "")
        + "[[hand]]\nholds = \"table\"\nscript = [{ move = [0, 0.01, 0], seconds = 2 }]\n";
    let scene = parse(&text, &[]).unwrap();
    assert_eq!((scene.hands().len(), scene.hands()[1].holds, scene.seconds), (2, Some(0), 2.0));
    assert_eq!(scene.fixed().name, "table");
    assert_eq!(scene.hands()[1].motion.pose(0.0), scene.world_from_fixed());
    let refused = scene.build(None, &Silent).unwrap().run().err().unwrap();
    assert!(matches!(refused, SceneError::TwoHands), "{refused}");
}

#[test]
fn what_the_engine_cannot_take_is_told_in_words() {
    let third = "[[body]]\nname = \"third\"\nfixed = true\nsolid = \"box\"\nsize = [1, 1, 1]\n";
    let without = |from: &str| LISTS[..LISTS.find(from).unwrap()].to_owned();
    let with = |more: &str| format!("{LISTS}{more}");
    for (text, wanted) in [
        (with(third), "the quasi-static engine takes two bodies, one held and one fixed or both held; there are 3"),
        (without("[[hand]]"), "the quasi-static engine needs a hand"),
        (LISTS.replace("fixed = true\n", "").replace("relative_to = \"table\"\n", ""), "`table` is neither"),
        (LISTS.replace("holds = \"cube\"", "holds = \"table\""), "cannot hold `table`, which is fixed"),
        (with("[[hand]]\nholds = \"cube\"\n"), "cannot hold `cube`, which is in another hand already"),
        (
            LISTS.replace("holds = \"cube\"", "holds = \"cub\""),
            "unknown word \"cub\" for `holds`: did you mean `cube`?",
        ),
        (LISTS.replace("on = \"cube\"", "on = \"tabel\""), "did you mean `table`?"),
        (LISTS.replace("on = \"cube\"", "on = \"table\""), "takes loads on the body of the first hand, `cube`"),
        (LISTS.replace("relative_to = \"table\"", "relative_to = \"cube\""), "possible are table, world"),
        (LISTS.replace("name = \"cube\"", "name = \"table\""), "the name `table` is taken"),
        (LISTS.replace("holds = \"cube\"\n", ""), "[[hand]] has no `holds`"),
        (
            LISTS.replace("[[hand]]\nholds = \"cube\"\nrelative_to = \"table\"", "[hand]"),
            "`hand` is a list too: [[hand]]",
        ),
        (LISTS.replace("[[load]]\non = \"cube\"", "[load]"), "`load` is a list too: [[load]]"),
        (with("[start]\nposition = [0, 0, 0]\n"), "`start` does not go with a list of bodies"),
        (with("[held]\nsolid = \"box\"\nsize = [1, 1, 1]\n"), "`held` does not go with a list of bodies"),
        (
            LISTS.replace("\"quasi-static\"", "\"rigid\""),
            "unknown word \"rigid\" for `engine`: possible are quasi-static",
        ),
        (LISTS.replace("\"quasi-static\"", "\"quasistatic\""), "did you mean `quasi-static`?"),
        (
            LISTS.replace("engine = \"quasi-static\"", "body = []").replace("[[body]]", "[[bodies]]"),
            "unknown key `bodies`",
        ),
    ] {
        let got = message(&text);
        assert!(got.contains(wanted), "wanted: {wanted}\n   got: {got}");
        assert!(got.starts_with("some/scene.toml, line "), "{got}");
    }
}
