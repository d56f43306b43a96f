//! The published schema and the table in the README are what the code says.

use std::path::{Path, PathBuf};
use stiction::tick::Settings;
use stiction_scene::{Scene, reference, schema};

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
    let controls = serde_json::to_string_pretty(&stiction_scene::controls()).unwrap() + "\n";
    up_to_date(&scenes().join("../web/test/controls.json"), &controls);
}

#[test]
fn what_is_left_out_is_as_the_engine_has_it() {
    let text = "held = { solid = \"box\", size = [1, 1, 1] }\nfixed = { solid = \"box\", size = [1, 1, 1] }";
    let scene = Scene::parse(text, Path::new("scene.toml"), &[]).unwrap();
    assert_eq!(scene.settings, Settings::default());
    assert_eq!(scene.held().part.options, stiction_bake::BakeOptions::default());
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
    assert_eq!(schema["properties"]["held"]["oneOf"].as_array().unwrap().len(), 16);
}
