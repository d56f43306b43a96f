//! Puts the scenes of the folder `scenes` into the crate, so that programs know them where there is no source tree: a table of names and texts.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let scenes = here.join("../../scenes");
    println!("cargo:rerun-if-changed={}", scenes.display());
    println!("cargo:rerun-if-changed=build.rs");
    let mut files: Vec<(String, PathBuf)> = fs::read_dir(&scenes)
        .into_iter()
        .flatten()
        .flatten()
        .map(|item| (item.file_name().to_string_lossy().into_owned(), item.path().join("scene.toml")))
        .filter(|(_, file)| file.is_file())
        .collect();
    files.sort();
    if files.is_empty() {
        println!("cargo:warning=there are no scenes in {}: programs will know none by name", scenes.display());
    }
    let rows: String = files.iter().map(|(name, file)| format!("    ({name:?}, include_str!({file:?})),\n")).collect();
    let text = format!(
        "/// Names and texts of the bundled scenes, by name.\npub static BUNDLED: &[(&str, &str)] = &[\n{rows}];\n"
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("bundled.rs");
    if let Err(error) = fs::write(&out, text) {
        println!("cargo:warning=the scenes cannot be bundled: {error}");
    }
}
