//! A scene: everything that a run needs, checked, with nothing baked yet.

use crate::document::{self, At, Fault};
use crate::error::{Nearest, Place, SceneError};
use crate::{Hand, Loads, Setting, read};
use std::path::{Path, PathBuf};
use stiction::spatial::Pose;
use stiction::tick::Settings;
use stiction_bake::BakeOptions;
use stiction_bake::import::ImportOptions;
use stiction_bake::solids::Solid;

/// A scene as its file describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// What it is called.
    pub name: String,
    /// What it shows.
    pub description: String,
    /// The folder of its file: other files are looked for there.
    pub folder: PathBuf,
    /// How the engine works. The mass is 1 kg until [`build`](Self::build), where the held part has a density.
    pub settings: Settings,
    /// Ticks a second (Hz).
    pub rate: f64,
    /// Length of the run (s).
    pub seconds: f64,
    /// The part in the hand.
    pub held: Part,
    /// The part that does not move.
    pub fixed: Part,
    /// Where that is (world from part).
    pub world_from_fixed: Pose,
    /// Where the held part is at first (world from part).
    pub start: Pose,
    /// How the hand moves.
    pub hand: Hand,
    /// What acts on the held part besides its weight.
    pub load: Loads,
}

/// One of the two parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its surface.
    pub geometry: Geometry,
    /// What is made of it.
    pub options: BakeOptions,
    /// What it is made of, as pairs of materials know it.
    pub material: Option<String>,
    /// How heavy it is; of use for the held part only.
    pub mass: Mass,
    /// Standard deviation by which shell normals are turned about each of two axes (rad).
    pub normal_noise: f64,
    /// Seed of that noise.
    pub seed: u64,
}

/// Where a part's surface comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// By parameters.
    Solid(Solid),
    /// From a file.
    Mesh {
        /// The file.
        path: PathBuf,
        /// Unit and placement.
        import: ImportOptions,
    },
}

/// How heavy a part is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// So much (kg).
    Total(f64),
    /// By its volume (kg/m³).
    Density(f64),
}

/// The name of a scene's file in its folder.
const FILE: &str = "scene.toml";

impl Scene {
    /// The file of a scene by its name, a folder or a file. Names are folders of `scenes`, looked for in the current folder and
    /// all above it, then in the source tree that the program was built from.
    ///
    /// # Errors
    /// [`SceneError::NotFound`], with the nearest name.
    pub fn find(name_or_path: &str) -> Result<PathBuf, SceneError> {
        let given = Path::new(name_or_path);
        if given.is_dir() && given.join(FILE).is_file() {
            return Ok(given.join(FILE));
        }
        if given.is_file() || given.extension().is_some_and(|e| e == "toml") {
            return Ok(given.into());
        }
        let mut known = Vec::new();
        for scenes in scene_folders() {
            let file = scenes.join(given).join(FILE);
            if file.is_file() {
                return Ok(file);
            }
            known.extend(scenes_in(&scenes));
        }
        known.sort();
        known.dedup();
        let nearest = Nearest::of(name_or_path, known.iter().map(String::as_str));
        Err(SceneError::NotFound { name: name_or_path.into(), nearest })
    }

    /// The names of all scenes that [`find`](Self::find) knows.
    pub fn names() -> Vec<String> {
        let mut names: Vec<String> = scene_folders().iter().flat_map(|f| scenes_in(f)).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Reads a scene, with overrides.
    ///
    /// # Errors
    /// [`SceneError`] where the file cannot be read, or says what makes no sense.
    pub fn read(path: &Path, set: &[Setting]) -> Result<Scene, SceneError> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| SceneError::Unreadable { path: path.into(), cause: e.to_string() })?;
        Self::parse(&text, path, set)
    }

    /// The scene of a text; `origin` is the file it would be in: it names the scene and leads to other files.
    ///
    /// # Errors
    /// [`SceneError`] where the text says what makes no sense.
    pub fn parse(text: &str, origin: &Path, set: &[Setting]) -> Result<Scene, SceneError> {
        let scene = || {
            let mut root = document::parse(text)?;
            for (number, setting) in set.iter().enumerate() {
                document::apply(&mut root, setting, number)?;
            }
            read::scene(&root, origin)
        };
        scene().map_err(|fault: Fault| SceneError::Wrong {
            place: place(text, origin, set, fault.at),
            problem: fault.problem,
        })
    }
}

/// Line and column of a byte, or the override.
fn place(text: &str, origin: &Path, set: &[Setting], at: At) -> Place {
    match at {
        At::Byte(byte) => {
            let before = text.get(..byte).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            Place::Text { file: origin.into(), line, column }
        }
        At::Set(number) => Place::Set { text: set.get(number).map(Setting::to_string).unwrap_or_default() },
    }
}

fn scene_folders() -> Vec<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_path_buf);
    let folders = here.ancestors().map(Path::to_path_buf).chain(built);
    folders.map(|f| f.join("scenes")).filter(|f| f.is_dir()).collect()
}

fn scenes_in(folder: &Path) -> Vec<String> {
    let items = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let scenes = items.filter(|item| item.path().join(FILE).is_file());
    scenes.map(|item| item.file_name().to_string_lossy().into_owned()).collect()
}
