//! Errors of scenes: what is wrong, where it is, and what to do about it.

use std::path::PathBuf;
use stiction::tick::EngineError;
use stiction_bake::bake::BakeError;
use stiction_bake::convex::ConvexPartsError;
use stiction_bake::diagnose::length;
use stiction_bake::import::ImportError;
use stiction_bake::solids::SolidError;
use stiction_formation::PolyhedronError;
use stiction_formation::settings::FormationSettingsError;
use stiction_volume::ConvexError;

/// Where a key or a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A scene's file; line and column count from 1, columns in characters.
    Text {
        /// The path of the file.
        file: PathBuf,
        /// The number of the line.
        line: usize,
        /// The number of the column.
        column: usize,
    },
    /// An override.
    Set {
        /// The override as it was given: `key=value`.
        text: String,
    },
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Place::Text { file, line, column } => write!(f, "{}, line {line} column {column}", file.display()),
            Place::Set { text } => write!(f, "--set {text}"),
        }
    }
}

/// Errors of a key or a value in a scene.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not TOML.
    #[error("this is not TOML: {0}")]
    Syntax(String),
    /// The key is not known in its table.
    #[error("unknown key `{key}` in {table}{}", hint(nearest))]
    UnknownKey {
        /// The name of the key.
        key: String,
        /// The table that the key is in, as messages call it.
        table: String,
        /// The nearest known word, or all of them.
        nearest: Nearest,
    },
    /// The word is not one of those that the key takes.
    #[error("unknown word \"{word}\" for `{key}`{}", hint(nearest))]
    UnknownWord {
        /// The name of the key.
        key: String,
        /// The unknown word.
        word: String,
        /// The nearest known word, or all of them.
        nearest: Nearest,
    },
    /// The value is of another kind than its key takes.
    #[error("`{key}` must be {wanted}, but is {found}")]
    WrongKind {
        /// The name of the key.
        key: String,
        /// The kind that the key takes, in words.
        wanted: String,
        /// The kind that was found, in words.
        found: String,
    },
    /// The number is outside the range of its key.
    #[error("`{key}` is {value}, but must be {wanted}")]
    OutOfRange {
        /// The name of the key.
        key: String,
        /// The value that was found.
        value: String,
        /// The range of the key, in words.
        wanted: String,
    },
    /// A required key is missing.
    #[error("{table} has no `{key}`: {advice}")]
    Missing {
        /// The name of the key.
        key: String,
        /// The table that needs the key.
        table: String,
        /// What the key is for.
        advice: String,
    },
    /// Two keys are given of which only one can be.
    #[error("`{first}` and `{second}` say the same twice: keep one of them")]
    Both {
        /// One of the two keys.
        first: String,
        /// The other key.
        second: String,
    },
    /// A key is given that has no effect here.
    #[error("{key} has no effect: {why}")]
    NoEffect {
        /// The dotted name of the key.
        key: String,
        /// Why it has none, and what to do.
        why: String,
    },
    /// Values contradict each other, or the engine cannot take them.
    #[error("{0}")]
    Contradiction(String),
    /// A file that the scene names cannot be used.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why the file cannot be used, and what to do.
        cause: String,
    },
}

/// A suggestion for an unknown word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// The known word that is most like it.
    Word(String),
    /// All known words, since none is like it.
    All(Vec<String>),
}

impl Nearest {
    /// The known word that is most like `word`, or all known words if none is.
    pub fn of<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Nearest {
        let known: Vec<&str> = known.into_iter().collect();
        let best = known.iter().map(|k| (distance(&word.to_lowercase(), k), *k)).min_by_key(|(d, _)| *d);
        match best {
            Some((d, k)) if d <= 2.max(k.chars().count() / 3) && d < k.chars().count() => Nearest::Word(k.into()),
            _ => Nearest::All(known.iter().map(|k| k.to_string()).collect()),
        }
    }
}

/// The end of a sentence about an unknown word.
pub fn hint(nearest: &Nearest) -> String {
    match nearest {
        Nearest::Word(word) => format!(": did you mean `{word}`?"),
        Nearest::All(words) if words.is_empty() => String::new(),
        Nearest::All(words) => format!(": possible are {}", words.join(", ")),
    }
}

/// Letters to insert, delete, replace or swap with their neighbour to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swap = if swapped { rows[i - 2][j - 2] + 1 } else { usize::MAX };
                replaced.min(swap).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1)
            };
        }
    }
    rows[a.len()][b.len()]
}

/// Errors from reading, building or running a scene.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// There is no scene of that name.
    #[error("there is no scene, folder with a scene.toml, or .toml file `{name}`{}", hint(nearest))]
    NotFound {
        /// The name that was asked for.
        name: String,
        /// The nearest scene, or all that were found.
        nearest: Nearest,
    },
    /// The scene's file cannot be read.
    #[error("{}: cannot be read: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// Something in the scene, or in an override, is wrong.
    #[error("{place}: {problem}")]
    Wrong {
        /// Where it is.
        place: Place,
        /// What is wrong with it.
        problem: Box<Problem>,
    },
    /// An override is not of the form `key=value`.
    #[error("--set {text}: expected key=value, as in friction.method=lp")]
    Setting {
        /// The override as it was given.
        text: String,
    },
    /// A mesh could not be read.
    #[error("the {part} part: {source}")]
    Mesh {
        /// The role of the part: "held" or "fixed".
        part: &'static str,
        /// The cause.
        source: ImportError,
    },
    /// A solid cannot be made.
    #[error("the {part} part: {source}")]
    Solid {
        /// The role of the part: "held" or "fixed".
        part: &'static str,
        /// The cause.
        source: SolidError,
    },
    /// A shape could not be baked.
    #[error("the {part} part: {source}")]
    Bake {
        /// The role of the part: "held" or "fixed".
        part: &'static str,
        /// The cause.
        source: BakeError,
    },
    /// Voxels of a sparse field are so small that it does not tell apart how deep the hardest push sinks.
    #[error(
        "the {part} part: voxels of {} are too fine. A sparse field tells depths apart over {widest} voxels, {}, but the hardest push (coupling.max_force on \
         contact.stiffness) needs {}: set {part}.{key} = {value}, or lower coupling.max_force. Or: {cause}",
        length(*voxel), length(*voxel * f64::from(*widest)), length(*depth)
    )]
    TooFine {
        /// The role of the part: "held" or "fixed".
        part: &'static str,
        /// Edge of its voxels (m).
        voxel: f64,
        /// Widest band of a sparse field, in voxels.
        widest: u32,
        /// Depth that is needed (m).
        depth: f64,
        /// Why the field is not dense, or how it could be.
        cause: String,
        /// The key of the part to change.
        key: &'static str,
        /// Its value that works.
        value: String,
    },
    /// A part without a volume cannot have a mass by its density.
    #[error("the held part has no volume, so that its mass does not follow from a density: give `mass` in [held]")]
    NoVolume,
    /// A new scene's held part does not come down on the fixed one.
    #[error("from there the held part does not come down on the fixed one: start over it, or give a goal too")]
    NothingBelow,
    /// The scene has two hands, and a run drives one.
    #[error("this scene has two hands, and so needs two devices: `stiction run SCENE --device sim --two-hands`")]
    TwoHands,
    /// A part is no polyhedron, which the engine of contact formations needs.
    #[error("the {part} part is no polyhedron, and engine = \"formation\" needs one: {source}{}", instead(source))]
    Polyhedron {
        /// The role of the part: "held" or "fixed".
        part: &'static str,
        /// The cause.
        source: PolyhedronError,
    },
    /// A union of solids is no polyhedron.
    #[error(
        "the {part} part is a union of {solids} solids, which may overlap, and engine = \"formation\" needs one closed surface: give a prism, another solid or a mesh \
         of the whole, or set engine = \"quasi-static\", which takes unions"
    )]
    Union {
        /// The role of the part: "held" or "fixed".
        part: &'static str,
        /// Number of its solids.
        solids: usize,
    },
    /// A body's mesh could not be read.
    #[error("the body `{body}`: {source}")]
    BodyMesh {
        /// The name of the body.
        body: String,
        /// The cause.
        source: ImportError,
    },
    /// A body's solid cannot be made.
    #[error("the body `{body}`: {source}")]
    BodySolid {
        /// The name of the body.
        body: String,
        /// The cause.
        source: SolidError,
    },
    /// A body has no convex parts, which the engine of contact volumes needs.
    #[error("the body `{body}`: {source}")]
    ConvexParts {
        /// The name of the body.
        body: String,
        /// The cause.
        source: ConvexPartsError,
    },
    /// A convex part of a body has no volume.
    #[error("the body `{body}` has a convex part that cannot be used: {source}")]
    Convex {
        /// The name of the body.
        body: String,
        /// The cause.
        source: ConvexError,
    },
    /// The engine of contact volumes refuses bodies, joints or settings.
    #[error("the engine of contact volumes: {told}")]
    Volume {
        /// What it refuses, with the names of bodies and keys, and what would do.
        told: String,
    },
    /// The engine refuses the settings.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine of contact formations refuses the settings.
    #[error(transparent)]
    Formation(#[from] FormationSettingsError),
    /// A run of another engine was asked for than the scene's.
    #[error("the scene has engine = \"{scene}\", and this run is one of \"{asked}\"")]
    OtherEngine {
        /// The engine of the scene.
        scene: &'static str,
        /// The engine that was asked for.
        asked: &'static str,
    },
}

/// The engine that takes a part, where the cause does not name it.
fn instead(source: &PolyhedronError) -> &'static str {
    if source.to_string().contains("quasi-static") { "" } else { ". Or use engine = \"quasi-static\"" }
}

impl SceneError {
    /// Whether the user stopped the work.
    pub fn cancelled(&self) -> bool {
        matches!(
            self,
            SceneError::Bake { source: BakeError::Cancelled(_), .. }
                | SceneError::ConvexParts { source: ConvexPartsError::Cancelled(_), .. }
        )
    }
}
