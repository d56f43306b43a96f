//! What can be wrong with a scene: what, where, and what to do about it.

use std::path::PathBuf;
use stiction::tick::EngineError;
use stiction_bake::bake::BakeError;
use stiction_bake::diagnose::length;
use stiction_bake::import::ImportError;
use stiction_bake::solids::SolidError;

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file; line and column count from 1, columns in characters.
    Text {
        /// The file.
        file: PathBuf,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// In an override.
    Set {
        /// As it was given: `key=value`.
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

/// What is wrong with a key or a value of a scene.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Not TOML.
    #[error("this is not TOML: {0}")]
    Syntax(String),
    /// A key that means nothing there.
    #[error("unknown key `{key}` in {table}{}", hint(nearest))]
    UnknownKey {
        /// The key.
        key: String,
        /// The table it is in.
        table: String,
        /// What may have been meant, or all that is possible.
        nearest: Nearest,
    },
    /// A word that means nothing there.
    #[error("unknown word \"{word}\" for `{key}`{}", hint(nearest))]
    UnknownWord {
        /// The key.
        key: String,
        /// Its value.
        word: String,
        /// What may have been meant, or all that is possible.
        nearest: Nearest,
    },
    /// A value of another kind than its key wants.
    #[error("`{key}` must be {wanted}, but is {found}")]
    WrongKind {
        /// The key.
        key: String,
        /// What it wants.
        wanted: String,
        /// What is there.
        found: String,
    },
    /// A number outside its range.
    #[error("`{key}` is {value}, but must be {wanted}")]
    OutOfRange {
        /// The key.
        key: String,
        /// Its value.
        value: String,
        /// What is possible.
        wanted: String,
    },
    /// A key that must be there is not.
    #[error("{table} has no `{key}`: {advice}")]
    Missing {
        /// The key.
        key: String,
        /// The table that needs it.
        table: String,
        /// What it is for.
        advice: String,
    },
    /// Two keys that cannot both be there.
    #[error("`{first}` and `{second}` say the same twice: keep one of them")]
    Both {
        /// A key.
        first: String,
        /// Another.
        second: String,
    },
    /// Values that do not go together.
    #[error("{0}")]
    Contradiction(String),
    /// A file that is named there cannot be used.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not, and what to do.
        cause: String,
    },
}

/// What may have been meant by an unknown word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// Probably this.
    Word(String),
    /// Nothing alike; all that is possible.
    All(Vec<String>),
}

impl Nearest {
    /// The word most like `word`, or all of them.
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
    /// No scene of that name.
    #[error("there is no scene, folder with a scene.toml, or .toml file `{name}`{}", hint(nearest))]
    NotFound {
        /// What was asked for.
        name: String,
        /// What may have been meant, or all scenes that were found.
        nearest: Nearest,
    },
    /// The file system said no.
    #[error("{}: cannot be read: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// Something in the scene, or in an override, is wrong.
    #[error("{place}: {problem}")]
    Wrong {
        /// Where.
        place: Place,
        /// What.
        problem: Box<Problem>,
    },
    /// An override that is no `key=value`.
    #[error("--set {text}: expected key=value, as in friction.method=lp")]
    Setting {
        /// As it was given.
        text: String,
    },
    /// A mesh could not be read.
    #[error("the {part} part: {source}")]
    Mesh {
        /// "held" or "fixed".
        part: &'static str,
        /// Why.
        source: ImportError,
    },
    /// A solid cannot be made.
    #[error("the {part} part: {source}")]
    Solid {
        /// "held" or "fixed".
        part: &'static str,
        /// Why.
        source: SolidError,
    },
    /// A shape could not be baked.
    #[error("the {part} part: {source}")]
    Bake {
        /// "held" or "fixed".
        part: &'static str,
        /// Why.
        source: BakeError,
    },
    /// Voxels of a sparse field are so small that it does not tell apart how deep the hardest push sinks.
    #[error(
        "the {part} part: voxels of {} are too fine. A sparse field tells depths apart over {widest} voxels, {}, but the hardest push (coupling.max_force on \
         contact.stiffness) needs {}: set {part}.{key} = {value}, or lower coupling.max_force. Or: {cause}",
        length(*voxel), length(*voxel * f64::from(*widest)), length(*depth)
    )]
    TooFine {
        /// "held" or "fixed".
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
    /// A run drives one hand.
    #[error("this scene has two hands, and so needs two devices: run it with --two-hands")]
    TwoHands,
    /// The engine refuses the settings.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl SceneError {
    /// Whether the user stopped it.
    pub fn cancelled(&self) -> bool {
        matches!(self, SceneError::Bake { source: BakeError::Cancelled(_), .. })
    }
}
