//! A scene: everything that a run needs, checked, with nothing baked yet.

use crate::document::{self, At, SceneFault};
use crate::error::{Nearest, Place, SceneError};
use crate::{EngineKind, Hand, LoadSum, Setting, TimedLoad, read};
use nalgebra::Point3;
use std::path::{Path, PathBuf};
use stiction::spatial::Pose;
use stiction::tick::Settings;
use stiction_bake::import::ImportOptions;
use stiction_bake::solids::{Solid, SolidError};
use stiction_bake::{BakeOptions, Mesh};

/// A scene as its file describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The name of the scene.
    pub name: String,
    /// What the scene shows, in a line.
    pub description: String,
    /// The folder of its file: other files are looked for there.
    pub folder: PathBuf,
    /// The engine that computes the motion.
    pub engine: EngineKind,
    /// How the engine works. The mass is 1 kg until [`build`](Self::build), where the held part has a density.
    pub settings: Settings,
    /// Ticks a second (Hz).
    pub rate: f64,
    /// Ticks of the engine a second (Hz), where it is slower than the loop and runs beside it.
    pub engine_rate: Option<f64>,
    /// Length of the run (s).
    pub seconds: f64,
    /// What the viewer shows until somebody drags the part.
    pub demonstration: Demonstration,
    pub(crate) bodies: Vec<Body>,
    pub(crate) hands: Vec<SceneHand>,
    pub(crate) loads: Vec<SceneLoad>,
    /// The numbers of the held body and of the other one.
    pub(crate) roles: [usize; 2],
}

/// A body of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// What hands and loads call it; "held" and "fixed" in scenes of two parts.
    pub name: String,
    /// Its surface, material and mass.
    pub part: Part,
    /// Where it is at first.
    pub world_from_body: Pose,
    /// Whether it never moves.
    pub fixed: bool,
}

/// A hand of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneHand {
    /// The number of the body that it holds.
    pub holds: usize,
    /// How it moves.
    pub motion: Hand,
}

/// What the viewer shows of a scene until somebody drags the part.
#[derive(Clone, Debug, PartialEq)]
pub struct Demonstration {
    /// What to try, in a sentence or two.
    pub text: String,
    /// How the first hand moves meanwhile, forth and back.
    pub motion: Hand,
}

/// A load of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneLoad {
    /// The number of the body that it acts on.
    pub on: usize,
    /// What acts, besides the body's weight.
    pub load: TimedLoad,
}

/// What a body is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Where its surface comes from.
    pub geometry: Geometry,
    /// How it is baked.
    pub options: BakeOptions,
    /// What it is made of, as pairs of materials know it.
    pub material: Option<String>,
    /// How heavy it is; of use for held bodies only.
    pub mass: PartMass,
    /// Standard deviation by which shell normals are turned about each of two axes (rad).
    pub normal_noise: f64,
    /// Seed of that noise.
    pub seed: u64,
}

/// Where a part's surface comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// A solid by its parameters.
    Solid(Solid),
    /// The union of solids that may overlap and touch.
    Union(Vec<PosedSolid>),
    /// A mesh from a file.
    Mesh {
        /// The path of the file.
        path: PathBuf,
        /// The unit of the file's numbers, and where the mesh goes in its part.
        import: ImportOptions,
    },
}

/// A solid of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct PosedSolid {
    /// The solid.
    pub solid: Solid,
    /// Where it is in its part.
    pub part_from_solid: Pose,
}

impl Geometry {
    /// The faces of a part by parameters, all those of a union's solids; `None` for a file.
    ///
    /// # Errors
    /// [`SolidError`] for parameters that no solid has.
    pub fn faces(&self) -> Result<Option<Mesh>, SolidError> {
        match self {
            Geometry::Solid(solid) => solid.mesh().map(Some),
            Geometry::Mesh { .. } => Ok(None),
            Geometry::Union(solids) => {
                let mut all = Mesh::default();
                for PosedSolid { solid, part_from_solid } in solids {
                    let mesh = solid.mesh()?;
                    let before = all.points.len() as u32;
                    all.faces.extend(mesh.faces.iter().map(|f| f.map(|corner| corner + before)));
                    all.points.extend(mesh.points.iter().map(|p| (part_from_solid * Point3::from(*p)).coords));
                }
                Ok(Some(all))
            }
        }
    }
}

/// The mass of a part, told in one of two ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartMass {
    /// The mass itself (kg).
    Total(f64),
    /// The mass by volume (kg/m³).
    Density(f64),
}

/// The name of a scene's file in its folder.
const FILE: &str = "scene.toml";

impl Scene {
    /// All bodies of the scene.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// All hands of the scene.
    pub fn hands(&self) -> &[SceneHand] {
        &self.hands
    }

    /// All loads of the scene.
    pub fn loads(&self) -> &[SceneLoad] {
        &self.loads
    }

    /// The body in the first hand.
    pub fn held(&self) -> &Body {
        &self.bodies[self.roles[0]]
    }

    /// The other body, which is fixed or in a second hand.
    pub fn fixed(&self) -> &Body {
        &self.bodies[self.roles[1]]
    }

    /// Where the held body is at first (world from body).
    pub fn start(&self) -> Pose {
        self.held().world_from_body
    }

    /// Puts the held body elsewhere at first (world from body).
    pub fn set_start(&mut self, start: Pose) {
        self.bodies[self.roles[0]].world_from_body = start;
    }

    /// Where the other body is at first (world from body).
    pub fn world_from_fixed(&self) -> Pose {
        self.fixed().world_from_body
    }

    /// How the first hand moves.
    pub fn hand(&self) -> &Hand {
        &self.hands[0].motion
    }

    /// Makes the first hand move in another way.
    pub fn set_hand(&mut self, motion: Hand) {
        self.hands[0].motion = motion;
    }

    /// What acts on the held body besides its weight.
    pub fn load(&self) -> LoadSum {
        LoadSum::of(self.loads.iter().filter(|load| load.on == self.roles[0]).map(|load| load.load))
    }

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
        scene().map_err(|fault: SceneFault| SceneError::Wrong {
            place: place(text, origin, set, fault.at),
            problem: Box::new(fault.problem),
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
