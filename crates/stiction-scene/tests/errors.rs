//! Every mistake in a scene is told with its place and what to do, before anything is baked.

use std::path::{Path, PathBuf};
use stiction_scene::{Place, Problem, Scene, SceneError, Setting};

const GOOD: &str = r#"
[held]
solid = "box"
size = [0.1, 0.1, 0.1]
[fixed]
solid = "plate"
size = [0.2, 0.2]
thickness = 0.01
[hand]
keyframes = [{ t = 0, position = [0, 0, 0.06] }, { t = 1, position = [0, 0, 0.05] }]
"#;

fn parse(text: &str, set: &[&str]) -> Result<Scene, SceneError> {
    let set: Vec<Setting> = set.iter().map(|s| s.parse().unwrap()).collect();
    Scene::parse(text, Path::new("some/scene.toml"), &set)
}

fn message(text: &str, set: &[&str]) -> String {
    parse(text, set).expect_err(text).to_string()
}

#[test]
fn the_good_one_is_good() {
    let scene = parse(GOOD, &[]).unwrap();
    assert_eq!((scene.name.as_str(), scene.seconds, scene.rate), ("some", 1.0, 1000.0));
    assert_eq!(scene.start().translation.vector.z, 0.06);
}

#[test]
fn an_unknown_key_is_told_with_line_column_and_the_nearest_one() {
    let text = format!("{GOOD}\n[coupling]\nstifness = 5\n");
    let error = parse(&text, &[]).unwrap_err();
    let SceneError::Wrong { place: Place::Text { line, column, .. }, problem } = &error else { panic!("{error}") };
    let Problem::UnknownKey { key, .. } = &**problem else { panic!("{error}") };
    assert_eq!((*line, *column, key.as_str()), (13, 1, "stifness"));
    assert_eq!(
        error.to_string(),
        "some/scene.toml, line 13 column 1: unknown key `stifness` in [coupling]: did you mean `stiffness`?"
    );
}

#[test]
fn mistakes_are_told_where_they_are() {
    let with = |more: &str| format!("{GOOD}{more}");
    let cases = [
        // What, and what its message must have.
        (with("[run"), "line 11 column"),
        (with("[frictoin]\nstatic = 1"), "did you mean `friction`?"),
        (with("[friction]\nmethod = \"lpp\""), "unknown word \"lpp\" for `method`: did you mean `lp`?"),
        (with("[friction]\nmethod = \"simplex\""), "possible are hold, qp, lp, yamane, none"),
        (
            with("[friction]\nstatic = 0.3\nkinetic = 0.4"),
            "line 13 column 11: `kinetic` is 0.4, but must be at most `static`",
        ),
        (with("[friction]\nstatic = nan"), "`static` is NaN, but must be at least zero and finite"),
        (with("[friction]\nmethod = \"lp\"\ncone = \"disk\""), "needs a pyramid"),
        (with("[friction]\ncone = { sides = 2 }"), "`sides` is 2, but must be a whole number from 3 to 64"),
        (with("[friction]\ncone = { side = 4 }"), "did you mean `sides`?"),
        (with("[[friction.pair]]\nbetween = [\"a\"]\nstatic = 1"), "a list of 2 texts"),
        (with("[[friction.pair]]\nbetween = [\"a\", \"b\"]"), "[[friction.pair]] has no `static`"),
        (with("[run]\nseconds = 0"), "`seconds` is 0, but must be above zero"),
        (with("[run]\nrate = -1000"), "`rate` is -1000"),
        (with("[run]\nrate = inf"), "`rate` is inf"),
        (with("[run]\nrate = \"fast\""), "`rate` must be a number, but is the text \"fast\""),
        (with("[run]\nrate = 2020-01-01"), "a date"),
        (with("[damping]\nalpha = 1.0"), "at least 0 and below 1"),
        (with("[contact]\nblend = 0"), "above 0 and at most 1"),
        (with("[contact]\ntangent_axis = [0, 0, 0]"), "without direction"),
        (with("[contact]\nrelease = true"), "\"applied\" or \"three\" or \"paper\" or \"none\""),
        (GOOD.replace("size = [0.1, 0.1, 0.1]", "size = [0.1, 0.1, 0.1]\ncube = 1"), "true or false"),
        (with("[contact]\nsubsteps = 2.5"), "a whole number"),
        (with("[contact]\nmodulus = 0"), "`modulus` is 0, but must be above zero"),
        (with("[contact]\nmodulus = 1e11\nstiffness = 1e6"), "only one of them can be given"),
        (
            with("[contact]\nmodulus = 1e11\nmodel = \"penalty\""),
            "contact.modulus has no effect: contacts are penalty contacts here",
        ),
        (with("[load]\ngravity = [0, -9.81]"), "a list of 3 numbers, but is a list of 2 items"),
        (with("[load]\nvary = { force = [1, 0, 0] }"), "`vary` has no `period`"),
        (with("[start]\nrotation = { axis = [0, 0, 1] }"), "a rotation has no `angle_deg`"),
        (with("[start]\nrotation = { angle_deg = 5 }"), "a rotation has no `axis`: The axis, of any length"),
        (with("[start]\nrotation = { qz = 1 }"), "a quaternion has no `qw`"),
        (with("[start]\nrotation = { qw = 2, qx = 0, qy = 0, qz = 0 }"), "length 2, but must have 1"),
        (with("[start]\nrotation = { angle = 2 }"), "unknown key `angle` in `rotation`"),
        (GOOD.replace("[held]", "[hold]"), "did you mean `held`?"),
        (GOOD.replace("solid = \"box\"\nsize = [0.1, 0.1, 0.1]\n", ""), "[held] has no `solid`"),
        (GOOD.replace("\"box\"", "\"bxo\""), "did you mean `box`?"),
        (GOOD.replace("\"box\"", "\"capsule\""), "unknown key `size` in [held] with solid = \"capsule\""),
        (GOOD.replace("size = [0.1, 0.1, 0.1]", "size = [0.1, 0.1, -0.1]"), "`size` is -0.1, but must be above zero"),
        (GOOD.replace("size = [0.1, 0.1, 0.1]", "size = [0.1, 0.1, 0.1]\nmass = -1"), "`mass` is -1"),
        (GOOD.replace("size = [0.1, 0.1, 0.1]", "size = [0.1, 0.1, 0.1]\nmass = 1\ndensity = 1"), "keep one of them"),
        (GOOD.replace("solid = \"box\"\nsize = [0.1, 0.1, 0.1]", "mesh = \"none.stl\""), "there is no such file"),
        (GOOD.replace("solid = \"box\"\nsize = [0.1, 0.1, 0.1]", "mesh = 3"), "a text in quotes"),
        (GOOD.replace("thickness", "mesh = \"a.stl\"\nthickness"), "`solid` and `mesh` say the same twice"),
        (GOOD.replace("{ t = 1,", "{ t = 0,"), "times must increase"),
        (
            GOOD.replace("{ t = 1,", "{ t = 1, pose = 1,"),
            "unknown key `pose` in a keyframe: possible are t, position, rotation",
        ),
        (GOOD.replace("keyframes = [", "csv = \"x.csv\"\nkeyframes = ["), "say the same twice"),
        (GOOD.replace("keyframes", "from = { position = [0, 0, 0] }\nkeyframes"), "there is no `script`"),
        ("[hand]\ncsv = \"none.csv\"".to_string() + &GOOD[..GOOD.find("[hand]").unwrap()], "there is no such file"),
        (String::new(), "the scene has no `held`"),
        ("[held]\nsolid=\"box\"\nsize=[1,1,1]".into(), "the scene has no `fixed`"),
        ("name = \"a\"\nname = \"b\"".into(), "not TOML"),
        (
            "[held]\nsolid = \"torus\"\nmajor = 0.1\nminor = 0.2".to_string()
                + &GOOD[GOOD.find("[fixed]").unwrap() - 1..],
            "thicker than the ring",
        ),
    ];
    for (text, wanted) in &cases {
        let got = message(text, &[]);
        assert!(got.contains(wanted), "wanted: {wanted}\n   got: {got}\n{text}");
        assert!(got.starts_with("some/scene.toml, line "), "{got}");
    }
}

#[test]
fn overrides_are_checked_as_the_file_is_and_named_in_messages() {
    for (set, wanted) in [
        ("friction.methd=lp", "--set friction.methd=lp: unknown key `methd` in [friction]: did you mean `method`?"),
        ("friction.method=lpp", "--set friction.method=lpp: unknown word \"lpp\""),
        ("run.seconds=-1", "--set run.seconds=-1: `seconds` is -1"),
        ("held.size.7=1", "there are 3, from 0"),
        ("held.solid.x=1", "that is no table"),
        ("hand.keyframes.1.t=0", "times must increase"),
        ("friction.kinetic=0.9", "--set friction.kinetic=0.9: `kinetic` is 0.9"),
        ("hand.csv=nowhere.csv", "--set hand.csv=nowhere.csv: some/nowhere.csv: there is no such file"),
    ] {
        let got = message(GOOD, &[set]);
        assert!(got.contains(wanted), "wanted: {wanted}\n   got: {got}");
    }
    for text in ["friction.method", "=lp", "a.=1", "a="] {
        let error = text.parse::<Setting>().unwrap_err().to_string();
        assert!(error.contains("expected key=value"), "{error}");
    }
}

#[test]
fn overrides_are_taken_as_values_of_toml_and_words() {
    let set = [
        "friction.method=lp",
        "friction.cone.sides=4",
        "run.seconds=2",
        "held.size.0=0.3",
        "hand.keyframes.0.position=[1,2,3]",
    ];
    let scene = parse(GOOD, &set).unwrap();
    assert_eq!(scene.seconds, 2.0);
    assert_eq!(scene.settings.friction.method, stiction::friction::Method::Lp);
    assert_eq!(scene.settings.friction.cone, stiction::friction::Cone::paper(4));
    assert_eq!(scene.start().translation.vector, stiction::spatial::Vec3::new(1.0, 2.0, 3.0));
    // One way to say the mass replaces the other.
    let text = GOOD.replace("size = [0.1, 0.1, 0.1]", "size = [0.1, 0.1, 0.1]\nmass = 1");
    let text = format!("{text}[load]\ngravity = [0, 0, -9.81]\n");
    assert_eq!(parse(&text, &["held.density=500"]).unwrap().held().part.mass, stiction_scene::PartMass::Density(500.0));
    assert!(message(&text, &["held.density=500", "held.mass=2"]).contains("keep one of them"));
}

#[test]
fn a_quaternion_that_is_nearly_of_length_one_is_made_so() {
    let text = format!("{GOOD}[start]\nrotation = {{ qw = 0.7072, qx = 0, qy = 0, qz = 0.7071 }}\n");
    let q = parse(&text, &[]).unwrap().start().rotation;
    assert!((q.quaternion().norm() - 1.0).abs() < 1e-15);
}

#[test]
fn materials_match_in_either_order_and_the_first_match_counts() {
    let pair = "[[friction.pair]]\nbetween = [\"steel\", \"brass\"]\nstatic = 0.3\nkinetic = 0.2\n";
    let later = "[[friction.pair]]\nbetween = [\"brass\", \"steel\"]\nstatic = 0.9\n";
    let text = format!("{GOOD}{pair}{later}");
    for (held, fixed) in [("steel", "brass"), ("brass", "steel")] {
        let scene = parse(&text, &[&format!("held.material={held}"), &format!("fixed.material={fixed}")]).unwrap();
        assert_eq!((scene.settings.mu_static, scene.settings.mu_kinetic), (0.3, 0.2), "{held} on {fixed}");
    }
    for (held, fixed) in [("steel", "steel"), ("wood", "brass")] {
        let told = message(&text, &[&format!("held.material={held}"), &format!("fixed.material={fixed}")]);
        assert!(
            told.contains(&format!("the parts have \"{held}\" and \"{fixed}\", and no pair is of these two")),
            "{told}"
        );
    }
}

#[test]
fn an_unknown_scene_is_told_with_the_nearest_name() {
    let error = Scene::find("corner-cub").unwrap_err().to_string();
    assert!(error.contains("did you mean `corner-cube`?"), "{error}");
    assert!(Scene::find("corner-cube").unwrap().origin().ends_with("scenes/corner-cube/scene.toml"));
    let error = Scene::read(&PathBuf::from("no/such.toml").into(), &[]).unwrap_err().to_string();
    assert!(error.starts_with("no/such.toml: cannot be read"), "{error}");
}
