//! The published schema and the table in the README are what the code says.

use std::path::{Path, PathBuf};
use stiction::tick::Settings;
use stiction_scene::{
    Problem, Scene, SceneError, Setting, check_control, controls, formation_values_in_force, reference, schema,
    value_in_force, values_in_force, volume_values_in_force,
};

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

const BEGIN: &str = "<!-- keys: made by the code, do not edit -->\n";

/// Compares, or writes where `STICTION_UPDATE` is set.
fn up_to_date(path: &Path, wanted: &str) {
    if std::env::var_os("STICTION_UPDATE").is_some() {
        std::fs::write(path, wanted).unwrap();
    }
    let there = std::fs::read_to_string(path).unwrap();
    assert!(
        there == wanted,
        "{} is not up to date: STICTION_UPDATE=1 cargo test -p stiction-scene --test schema",
        path.display()
    );
}

#[test]
fn the_schema_in_the_tree_is_up_to_date() {
    up_to_date(&scenes().join("scene.schema.json"), &schema());
}

#[test]
fn the_readme_has_every_key() {
    let path = scenes().join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, _) = text.split_once(BEGIN).expect("the mark before the keys");
    up_to_date(&path, &format!("{head}{BEGIN}{}", reference()));
}

/// The page's unit tests use the controls that a server would send.
#[test]
fn the_controls_in_the_pages_tests_are_up_to_date() {
    let controls = serde_json::to_string_pretty(&controls()).unwrap() + "\n";
    up_to_date(&scenes().join("../web/test/controls.json"), &controls);
}

#[test]
fn what_is_left_out_is_as_the_engine_has_it() {
    let text = "held = { solid = \"box\", size = [1, 1, 1] }\nfixed = { solid = \"box\", size = [1, 1, 1] }";
    let scene = Scene::parse(text, Path::new("scene.toml"), &[]).unwrap();
    assert_eq!(scene.settings, Settings::default());
    assert_eq!(scene.held().part.options, stiction_bake::BakeOptions::default());
}

/// A value in force, given back as an override, leaves the settings as they are: `set` and `get` of every row agree.
#[test]
fn values_in_force_are_read_back_to_the_same_settings() {
    let parts = "held = { solid = \"box\", size = [1, 1, 1] }\nfixed = { solid = \"box\", size = [1, 1, 1] }\n";
    let parse = |text: &str, set: &[Setting]| Scene::parse(&format!("{parts}{text}"), Path::new("scene.toml"), set);
    let of = |text: &str, set: &[Setting]| parse(text, set).unwrap_or_else(|e| panic!("{text}: {e}")).settings;
    let hard = "contact = { stiffness = 3e6, allowance = 1e-5, work = 5000, max_samples = 9, shell_on = \"fixed\" }\n\
                friction = { micro_slip = 2e-6, static = 0.7, kinetic = 0.3, budget = 9 }\nload = { gravity = [1, 2, 3] }\n\
                coupling = { stiffness = 1, torsion = 2, max_force = 3, max_torque = 4 }";
    let penalty = "contact = { stiffness = 3e4, blend = 0.5, release = \"none\", substeps = 7, step_bound = 1e-4, shell_on = \"held\", tangent_axis = [0, 1, 0] }\n\
                   damping = { alpha = 0.1, when = \"colliding\" }\n\
                   friction = { method = \"qp\", metric = \"mass\", cone = { sides = 6, fit = \"inscribed\" } }";
    for text in [hard, penalty, "", "friction.method = \"lp\"", "friction.method = \"none\"", "contact.modulus = 1e11"]
    {
        let settings = of(text, &[]);
        if text.contains('{') {
            assert_ne!(settings, Settings::default());
        }
        // Keys without effect have values, but cannot be given.
        let mut back: Vec<Setting> = values_in_force(&settings)
            .into_iter()
            .filter(|(key, value)| !(key == "contact.shell_on" && value == "both"))
            .map(|(key, value)| Setting { key, value })
            .collect();
        while let Err(SceneError::Wrong { problem, .. }) = parse("", &back)
            && let Problem::NoEffect { key, .. } = &*problem
        {
            back.retain(|setting| setting.key != *key);
        }
        assert!(back.len() > 8, "{back:?}");
        let again = of("", &back);
        assert_eq!(Settings { model: settings.model, ..again }, settings, "{text}");
    }
}

/// Every control is of a key that the settings have a value for or find by themselves, and its words and limits are those of the key.
#[test]
fn controls_take_what_the_scene_takes() {
    let controls = controls();
    let parts = "held = { solid = \"box\", size = [1, 1, 1] }\nfixed = { solid = \"box\", size = [1, 1, 1] }\n";
    for control in &controls {
        let most = control.limits[1].to_string();
        let values: Vec<&str> = match control.kind {
            "number" => vec![&most],
            "word" => control.words.iter().map(|w| w.word).collect(),
            "flag" => vec!["true", "false"],
            "cone" => vec!["disk", "{ sides = 3 }", "{ sides = 64 }"],
            other => panic!("{other}"),
        };
        for value in values {
            check_control(&controls, &control.key, value).unwrap();
            let mut set = vec![Setting { key: control.key.clone(), value: value.into() }];
            if control.doc.starts_with("penalty: ") {
                set.push("contact.model=penalty".parse().unwrap());
            }
            if value == "unilateral" {
                set.push("friction.method=staggered".parse().unwrap());
            }
            if let Some(engine) = control.engine.filter(|engine| *engine != "quasi-static") {
                set.push(format!("engine={engine}").parse().unwrap());
            }
            set.extend(control.method.map(|method| format!("friction.method={method}").parse().unwrap()));
            if control.at_most.is_some() {
                set.push("friction.static=10".parse().unwrap());
            }
            let scene = Scene::parse(parts, Path::new("scene.toml"), &set).unwrap_or_else(|e| panic!("{e}"));
            // Shapes are no settings of the engine.
            let shape = control.key.starts_with("held.") || control.key.starts_with("fixed.");
            assert!(control.built || !shape, "{}", control.key);
            let own = || {
                let formation = formation_values_in_force(&scene.formation);
                formation.into_iter().chain(volume_values_in_force(&scene.volume)).find(|(key, _)| *key == control.key)
            };
            let in_force = value_in_force(&scene.settings, &control.key).or_else(|| own().map(|(_, value)| value));
            assert_eq!(in_force.as_deref(), (!shape).then_some(value), "{}", control.key);
        }
    }
    assert!(check_control(&controls, "friction.method", "glue").unwrap_err().contains("one of"));
    assert!(check_control(&controls, "held.points", "10.5").unwrap_err().contains("whole number"));
    assert!(check_control(&controls, "friction.statc", "1").unwrap_err().contains("did you mean `friction.static`?"));
    assert!(check_control(&controls, "held.mesh", "a.stl").unwrap_err().contains("cannot be set from a page"));
    assert!(check_control(&controls, "friction.static", "-1").unwrap_err().contains("from 0 to 10"));
}

#[test]
fn the_schema_is_json_with_a_description_of_everything() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    fn look(value: &serde_json::Value) {
        if let Some(properties) = value["properties"].as_object() {
            for (name, property) in properties {
                assert!(property["description"].as_str().is_some_and(|d| !d.is_empty()), "{name}");
                look(property);
            }
        }
        for key in ["oneOf", "anyOf"] {
            value[key].as_array().into_iter().flatten().for_each(look);
        }
    }
    look(&schema);
    schema["$defs"].as_object().unwrap().values().for_each(look);
    assert_eq!(schema["properties"]["held"]["oneOf"].as_array().unwrap().len(), 21);
}
