//! What the server says as JSON.

use serde::Serialize;
use std::collections::BTreeMap;
use stiction_record::ColumnFacts;
use stiction_scene::Control;

/// A message to pages.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// First of all.
    Welcome {
        /// Version of the protocol.
        protocol: u32,
        /// Version of Stiction.
        version: String,
        /// The page's number.
        page: u32,
        /// Scenes that can be asked for.
        scenes: Vec<String>,
        /// Controls of the keys that can be set.
        controls: &'static [Control],
    },
    /// Who is there.
    Roles {
        /// Who may move the part.
        holder: Option<u32>,
        /// All of them.
        pages: Vec<u32>,
        /// Those who want it.
        asking: Vec<u32>,
    },
    /// The world that frames show.
    World(Box<WorldFacts>),
    /// Something takes its time; nothing any more where the text is empty.
    Progress {
        /// What.
        text: String,
        /// How much is done.
        done: u64,
        /// Of how much; 0 where nobody knows.
        of: u64,
    },
    /// For the user.
    Problem {
        /// As the terminal has it.
        message: String,
        /// There is no world to show.
        fatal: bool,
    },
    /// Files that can be shown.
    Recordings {
        /// Where they are.
        folder: String,
        /// Newest first.
        files: Vec<RecordingFile>,
        /// The one that is being written.
        recording: Option<String>,
    },
    /// Answer to a ping.
    Pong {
        /// What came with it.
        sent: f64,
    },
}

impl ServerMessage {
    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self)
            .unwrap_or_else(|_| r#"{"type":"problem","message":"a message could not be written","fatal":false}"#.into())
    }
}

/// A recording in the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordingFile {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// A lane's settings.
#[derive(Clone, Debug, Serialize)]
pub struct LaneFacts {
    /// hold, qp, lp, yamane, none.
    pub method: String,
    /// For people.
    pub label: String,
    /// Coefficient of friction of contacts that hold.
    pub mu_static: f64,
    /// Coefficient of friction of contacts that slide.
    pub mu_kinetic: f64,
}

/// A recording that is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Playback {
    /// Its name.
    pub name: String,
    /// Its length (s).
    pub seconds: f64,
    /// Whether it was replayed to the same bits, in words.
    pub verdict: String,
}

/// The world that frames of the same generation show.
#[derive(Clone, Debug, Serialize)]
pub struct WorldFacts {
    /// Counts shapes.
    pub generation: u32,
    /// Its name.
    pub scene: String,
    /// What it shows.
    pub description: String,
    /// Overrides in force, by key.
    pub set: BTreeMap<String, String>,
    /// Overrides of the second lane, on top of those.
    pub compare: Option<BTreeMap<String, String>>,
    /// Values in force of all keys that reach the engine's settings; those that the engine finds by itself have none.
    pub values: BTreeMap<String, String>,
    /// The lanes.
    pub lanes: Vec<LaneFacts>,
    /// The columns of a tick in frames.
    pub columns: Vec<ColumnFacts>,
    /// Whether the engine can tell how far the part is from slipping.
    pub margins: bool,
    /// Ticks a second (Hz).
    pub rate: f64,
    /// Farthest point of the held part from its centre (m).
    pub radius: f64,
    /// Where the fixed part is.
    pub world_from_fixed: [f64; 7],
    /// Where the held part is at first.
    pub start: [f64; 7],
    /// Where the scene's own hand ends.
    pub end: [f64; 7],
    /// Box of the held part in its own axes (m): least and largest corner.
    pub held_box: [[f64; 3]; 2],
    /// Box of the fixed part in its own axes (m).
    pub fixed_box: [[f64; 3]; 2],
    /// "held" or "fixed".
    pub shell_on: String,
    /// Points of the shell that collides.
    pub shell_points: usize,
    /// Levels of that shell.
    pub shell_levels: usize,
    /// Length of the scene's own motion (s).
    pub seconds: f64,
    /// The spring between hand and part.
    pub coupling: CouplingFacts,
    /// Most work of a tick, in samples of a distance field; none where ticks do not count it.
    pub work: Option<u64>,
    /// What looks odd.
    pub notes: Vec<String>,
    /// A recording instead of the loop.
    pub playback: Option<Playback>,
}

/// The coupling.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CouplingFacts {
    /// (N/m)
    pub stiffness: f64,
    /// (N m/rad)
    pub torsion: f64,
    /// (N)
    pub max_force: f64,
    /// (N m)
    pub max_torque: f64,
}

impl From<&stiction::coupling::Coupling> for CouplingFacts {
    fn from(c: &stiction::coupling::Coupling) -> Self {
        CouplingFacts { stiffness: c.stiffness, torsion: c.torsion, max_force: c.max_force, max_torque: c.max_torque }
    }
}
