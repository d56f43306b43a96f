//! `stiction new`.

use super::{place, stderr};

#[test]
fn two_meshes_become_a_scene_that_runs() {
    let place = place();
    place.good("solid box --size 0.02,0.02,0.02 -o held.stl");
    place.good("solid box --size 0.06,0.06,0.01 -o fixed.stl");
    let text = place.good("new held.stl fixed.stl -o mine.toml");
    assert!(text.contains("Next: stiction run mine.toml"), "{text}");
    assert!(text.contains("mm is a guess for both meshes") && text.contains("20 mm long"), "{text}");
    let scene = place.text("mine.toml");
    assert!(scene.contains("mesh = \"held.stl\"") && scene.contains("mm is a guess for both meshes"), "{scene}");
    assert!(!scene.contains("stiffness = 50000"), "{scene}");
    let object = place.json("run mine.toml --seconds 3 --rate 200 --set held.resolution=32 --set fixed.resolution=32");
    assert_eq!(object["finite"], true, "{object}");
    assert!(object["contacts_max"].as_u64() > Some(0), "{object}");
    assert_eq!(object["warnings"], serde_json::json!([]), "{object}");
}

#[test]
fn unit_and_friction_can_be_given() {
    let place = place();
    place.good("solid box --size 0.02,0.02,0.02 --unit inch -o a.stl");
    let text = place.good("new a.stl a.stl --unit inch --mu 0.3 -o mine.toml");
    assert!(text.contains("Both meshes are in inch, as given"), "{text}");
    let object = place.json("run mine.toml --seconds 0.01 --set held.resolution=32 --set fixed.resolution=32");
    assert_eq!((&object["mu_static"], &object["mu_kinetic"]), (&0.3.into(), &0.3.into()), "{object}");
    let told = place.json("new a.stl a.stl --unit inch -o told.toml");
    assert_eq!(told["output"], "told.toml", "{told}");
    assert!(
        told["notes"].as_array().unwrap().iter().any(|n| n.as_str().unwrap().contains("in inch, as given")),
        "{told}"
    );
    for wrong in ["--unit parsec", "--mu -1"] {
        assert_eq!(place.run(&format!("new a.stl a.stl {wrong} -o other.toml")).status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn start_and_goal_are_poses_with_units_and_turns() {
    let place = place();
    place.good("solid box --size 0.02,0.02,0.02 -o held.stl");
    place.good("solid box --size 0.06,0.06,0.01 -o fixed.stl");
    place.good("new held.stl fixed.stl -o mine.toml --start 5mm,-5mm,30mm,0,0,1,90");
    let scene = place.text("mine.toml");
    let first =
        "{ t = 0.0, position = [0.005, -0.005, 0.03], rotation = { axis = [0.0, 0.0, 1.0], angle_deg = 90.0 } }";
    assert!(scene.contains(first) && scene.contains("presses there with about 10 N"), "{scene}");
    place.good("new held.stl fixed.stl -o goal.toml --goal 0,0,0.0149");
    let scene = place.text("goal.toml");
    assert!(scene.contains("{ t = 4.0, position = [0.0, 0.0, 0.0149] }") && scene.contains("carries"), "{scene}");
    for (wrong, code, words) in [
        ("--start 1,2", 2, "X,Y,Z,AX,AY,AZ,DEG"),
        ("--goal 0,0,0,0,0,0,90", 2, "axis"),
        ("--start 1m,0,0", 1, "give a goal too"),
    ] {
        let output = place.run(&format!("new held.stl fixed.stl {wrong} -o other.toml"));
        assert_eq!(output.status.code(), Some(code), "{wrong}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{wrong}: {}", stderr(&output));
    }
}

#[test]
fn nothing_is_overwritten_without_asking() {
    let place = place();
    place.good("solid box -o a.stl");
    let before = place.text("small.toml");
    let output = place.run("new a.stl a.stl -o small.toml");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--force"), "{}", stderr(&output));
    assert_eq!(place.text("small.toml"), before);
    place.good("new a.stl a.stl -o small.toml --force");
    assert_ne!(place.text("small.toml"), before);
}

#[test]
fn mistakes_are_named() {
    let place = place();
    place.good("solid box -o a.stl");
    for (arguments, code, words) in [
        ("new a.stl none.stl", 1, "none.stl"),
        ("new a.stl", 2, "<FIXED>"),
        ("new a.stl a.stl -o scene.txt", 2, ".toml"),
        ("new a.stl a.stl -o no/scene.toml", 1, "there is no folder no"),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments}: {}", stderr(&output));
    }
    assert!(!place.path("scene.toml").exists());
}
