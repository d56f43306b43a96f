//! Messages of the server, as JSON.

use serde::Serialize;
use std::collections::BTreeMap;
use stiction_record::ColumnFacts;
use stiction_scene::Control;

/// A message to pages.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The first message that a page receives.
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
    /// The pages that are connected.
    Roles {
        /// The page that may move the part; `None` if nobody holds it.
        holder: Option<u32>,
        /// Numbers of all pages.
        pages: Vec<u32>,
        /// Numbers of the pages that ask for the part.
        asking: Vec<u32>,
        /// Time until the first of those takes over from a holder that does nothing (s); `None` where nobody asks.
        takes_over_in: Option<f64>,
        /// The last take-over, until the part changes hands otherwise.
        taken_over: Option<TakeOver>,
    },
    /// The world that frames show.
    World(Box<WorldFacts>),
    /// Progress of work that takes a while. An empty text means that it is done.
    Progress {
        /// Name of the work.
        text: String,
        /// Number of steps that are done.
        done: u64,
        /// Number of all steps; 0 if it is unknown.
        of: u64,
    },
    /// An error for the user.
    Problem {
        /// The message that the terminal prints, too.
        message: String,
        /// Whether there is no world to show.
        fatal: bool,
    },
    /// Recordings that can be shown.
    Recordings {
        /// Folder of the recordings.
        folder: String,
        /// The recordings, newest first.
        files: Vec<RecordingFile>,
        /// Name of the recording that is being written.
        recording: Option<String>,
    },
    /// Answer to a ping.
    Pong {
        /// The number that came with the ping.
        sent: f64,
    },
}

impl ServerMessage {
    /// The message as JSON text.
    pub fn json(&self) -> String {
        serde_json::to_string(self)
            .unwrap_or_else(|_| r#"{"type":"problem","message":"a message could not be written","fatal":false}"#.into())
    }
}

/// A page took the part over from another one that did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TakeOver {
    /// The page that held the part.
    pub from: u32,
    /// The page that holds it since.
    pub by: u32,
    /// How long the first one had done nothing (s).
    pub idle: f64,
}

/// A recording in the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordingFile {
    /// Name of the file.
    pub name: String,
    /// Size of the file (bytes).
    pub bytes: u64,
}

/// A lane's settings.
#[derive(Clone, Debug, Serialize)]
pub struct LaneFacts {
    /// Friction method: hold, qp, lp, yamane or none; "formation" for the engine of contact formations, which has rules instead.
    pub method: String,
    /// Label of the lane, for display.
    pub label: String,
    /// Coefficient of friction of contacts that hold.
    pub mu_static: f64,
    /// Coefficient of friction of contacts that slide.
    pub mu_kinetic: f64,
}

/// A recording that is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Playback {
    /// Name of the file.
    pub name: String,
    /// Length of the recording (s).
    pub seconds: f64,
    /// Whether it was replayed to the same bits, in words.
    pub verdict: String,
}

/// A body of a world of many bodies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyFacts {
    /// The name of the body.
    pub name: String,
    /// The number of its triangles in `/api/mesh/GENERATION/body/NUMBER`: bodies of the same shape share them.
    pub mesh: usize,
    /// Whether it never moves.
    pub fixed: bool,
    /// Whether a hand can take it.
    pub grab: bool,
    /// Box of the body in its own axes (m): least and largest corner.
    #[serde(rename = "box")]
    pub bounds: [[f64; 3]; 2],
    /// Where it is at first.
    pub start: [f64; 7],
}

/// The world that frames of the same generation show.
#[derive(Clone, Debug, Serialize)]
pub struct WorldFacts {
    /// Number of its shapes; it goes up when shapes change.
    pub generation: u32,
    /// Name of the scene.
    pub scene: String,
    /// What the scene shows, for display.
    pub description: String,
    /// What to try, for display while the demonstration runs.
    pub invitation: String,
    /// Overrides in force, by key.
    pub set: BTreeMap<String, String>,
    /// Overrides of the second lane, on top of those.
    pub compare: Option<BTreeMap<String, String>>,
    /// The engine, by its word in a scene.
    pub engine: &'static str,
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
    /// The bodies, in the order of frames, for engines of many bodies; empty where there are a held and a fixed part.
    pub bodies: Vec<BodyFacts>,
    /// Box in the world of all bodies that move, with the ways that hands take theirs (m); `None` where there are a held and a fixed part.
    pub room: Option<[[f64; 3]; 2]>,
    /// Number of hands that the engine has.
    pub hands: usize,
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
    /// Most work of a tick, in samples of a distance field; `None` if ticks do not count it.
    pub work: Option<u64>,
    /// What looks odd.
    pub notes: Vec<String>,
    /// A recording instead of the loop.
    pub playback: Option<Playback>,
    /// The device that holds the part instead of a page, and its hand; `None` where a page holds it.
    pub device: Option<String>,
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
