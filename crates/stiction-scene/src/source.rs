//! Where scenes are: files, and those that are bundled with the program.

use crate::error::{Nearest, SceneError};
use crate::{EngineKind, Scene, Setting};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

mod bundled {
    include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
}

/// The name of a scene's file in its folder.
const FILE: &str = "scene.toml";

/// Where the text of a scene is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneSource {
    /// In a file.
    File(PathBuf),
    /// At hand: bundled with the program, or from a recording.
    Text {
        /// The file that it is from or would be in: it names the scene, leads to other files and is shown in messages.
        origin: PathBuf,
        /// The text.
        text: Cow<'static, str>,
    },
}

impl SceneSource {
    /// The scene of that name that is bundled with the program.
    pub fn bundled(name: &str) -> Option<SceneSource> {
        let (name, text) = bundled::BUNDLED.iter().find(|(known, _)| *known == name)?;
        Some(SceneSource::Text { origin: ["scenes", name, FILE].iter().collect(), text: Cow::Borrowed(text) })
    }

    /// The names of all scenes that are bundled with the program, sorted.
    pub fn bundled_names() -> impl Iterator<Item = &'static str> {
        bundled::BUNDLED.iter().map(|(name, _)| *name)
    }

    /// The file that the scene is in, is from, or would be in if it were not bundled.
    pub fn origin(&self) -> &Path {
        match self {
            SceneSource::File(origin) | SceneSource::Text { origin, .. } => origin,
        }
    }

    /// The text of the scene; files are read anew each time.
    ///
    /// # Errors
    /// [`SceneError::Unreadable`] where the file cannot be read.
    pub fn text(&self) -> Result<Cow<'static, str>, SceneError> {
        match self {
            SceneSource::Text { text, .. } => Ok(text.clone()),
            SceneSource::File(path) => std::fs::read_to_string(path)
                .map(Cow::Owned)
                .map_err(|e| SceneError::Unreadable { path: path.clone(), cause: e.to_string() }),
        }
    }
}

impl From<PathBuf> for SceneSource {
    fn from(path: PathBuf) -> SceneSource {
        SceneSource::File(path)
    }
}

impl Scene {
    /// Finds a scene by the path of its file or folder, or by its name.
    ///
    /// A path comes first. A name is looked for in the folders `scenes` of the current folder and of all above it, then among the scenes
    /// that are bundled with the program: so a copy that somebody edits is what runs, and without one every name works anywhere.
    ///
    /// # Errors
    /// [`SceneError::NotFound`], with the nearest name.
    pub fn find(name_or_path: &str) -> Result<SceneSource, SceneError> {
        let given = Path::new(name_or_path);
        if given.is_dir() && given.join(FILE).is_file() {
            return Ok(SceneSource::File(given.join(FILE)));
        }
        if given.is_file() || given.extension().is_some_and(|e| e == "toml") {
            return Ok(SceneSource::File(given.into()));
        }
        let local = scene_folders().into_iter().map(|scenes| scenes.join(given).join(FILE)).find(|file| file.is_file());
        let found = local.map(SceneSource::File).or_else(|| SceneSource::bundled(name_or_path));
        found.ok_or_else(|| {
            let names = Scene::names();
            let nearest = Nearest::of(name_or_path, names.iter().map(String::as_str));
            SceneError::NotFound { name: name_or_path.into(), nearest }
        })
    }

    /// The names of all scenes that [`find`](Self::find) knows, sorted.
    pub fn names() -> Vec<String> {
        let local = scene_folders().into_iter().flat_map(|folder| scenes_in(&folder));
        let mut names: Vec<String> = local.chain(SceneSource::bundled_names().map(String::from)).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The names of all scenes that [`find`](Self::find) knows and that can be read, of one engine, sorted.
    pub fn names_of(engine: EngineKind) -> Vec<String> {
        let has = |name: &String| {
            let scene = Scene::find(name).and_then(|source| Scene::read(&source, &[]));
            scene.is_ok_and(|scene| scene.engine == engine)
        };
        Scene::names().into_iter().filter(has).collect()
    }

    /// Reads a scene, with overrides.
    ///
    /// # Errors
    /// [`SceneError`] where the file cannot be read, or says what makes no sense.
    pub fn read(source: &SceneSource, set: &[Setting]) -> Result<Scene, SceneError> {
        Scene::parse(&source.text()?, source.origin(), set)
    }
}

/// The folders `scenes` of the current folder and of those above it.
fn scene_folders() -> Vec<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    here.ancestors().map(|folder| folder.join("scenes")).filter(|folder| folder.is_dir()).collect()
}

fn scenes_in(folder: &Path) -> Vec<String> {
    let items = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let scenes = items.filter(|item| item.path().join(FILE).is_file());
    scenes.map(|item| item.file_name().to_string_lossy().into_owned()).collect()
}
