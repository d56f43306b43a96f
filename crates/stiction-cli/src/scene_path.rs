//! The scene that the user named; for files of another kind, the command that was meant.

use crate::Failure;
use crate::facts::quoted;
use std::path::Path;
use stiction_scene::{Scene, SceneSource};

/// Endings of meshes.
const MESHES: [&str; 5] = ["stl", "obj", "ply", "gltf", "glb"];

/// The scene of a name, a folder or a file.
pub fn find(name: &str) -> Result<SceneSource, Failure> {
    match other_kind(name) {
        Some(message) => Err(Failure::Other(message)),
        None => Ok(Scene::find(name)?),
    }
}

/// What to do with a file that is no scene, by its ending.
fn other_kind(name: &str) -> Option<String> {
    let path = Path::new(name);
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let file = quoted(path);
    match &*ending {
        mesh if MESHES.contains(&mesh) => Some(format!(
            "{name} is a mesh, not a scene: `stiction inspect {file}` tells about it, and `stiction new {file} OTHER.stl` makes a scene of it and another mesh"
        )),
        "mcap" => Some(format!(
            "{name} is a recording, not a scene: `stiction replay {file}` runs it again, `stiction view {file}` shows it, and `stiction info {file}` tells about it"
        )),
        "shape" => Some(format!(
            "{name} is a baked shape, not a scene: `stiction inspect {file}` tells about it, and scenes name the mesh that it was made of"
        )),
        "csv" | "parquet" => {
            Some(format!("{name} is a table, not a scene: a scene is a .toml file or a folder with a scene.toml"))
        }
        _ => None,
    }
}
