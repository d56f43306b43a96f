//! Errors from building or replaying a session.

use std::path::PathBuf;
use stiction::tick::EngineError;
use stiction_device::EnvelopeError;
use stiction_device::mapping::MappingError;
use stiction_device::sim::SimError;
use stiction_record::{FileFacts, RecordError};
use stiction_scene::SceneError;

/// Errors from building or replaying a session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The simulated device.
    #[error("simulated device: {0}")]
    Sim(#[from] SimError),
    /// The handle's mapping.
    #[error(transparent)]
    Mapping(#[from] MappingError),
    /// The envelope's limits.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// The recording.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A parameter of a plan.
    #[error("parameter {name}: {why}")]
    Plan {
        /// Name of the parameter.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The device cannot keep the rate.
    #[error(
        "{device} can be driven at {low} to {high} Hz, not at {rate} Hz: choose another rate (run.rate, --rate) or device"
    )]
    Rate {
        /// Name of the device.
        device: String,
        /// The rate that was asked for (Hz).
        rate: f64,
        /// The lowest rate at which it can be driven (Hz).
        low: f64,
        /// The highest rate at which it can be driven (Hz).
        high: f64,
    },
    /// A device is not the one that limits and coupling were derived for.
    #[error(
        "arm {arm} is set up for {expected}, but {found} is attached, with other capabilities: attach it with Session::attached first, so that limits, coupling and recording follow from it"
    )]
    OtherDevice {
        /// The number of the arm, from 0.
        arm: u8,
        /// Name of the device that the session was made for.
        expected: String,
        /// Name of the device that was given.
        found: String,
    },
    /// Another version baked other shapes.
    #[error(
        "the shapes of the scene are not those of the recording ({which} part: {now:016x} now, {then:016x} recorded by Stiction {version}): \
         a mesh has changed, or this version bakes them differently; replay with that version and the same meshes (a recording by `--carry shapes` has its shapes with it)"
    )]
    OtherShapes {
        /// "held" or "fixed".
        which: &'static str,
        /// Hash of what was baked now.
        now: u64,
        /// Hash in the recording.
        then: u64,
        /// The version that recorded.
        version: String,
    },
    /// A file that the scene of a recording names is nowhere.
    #[error(
        "{name}: the recording does not carry this file, and there is none of that name ({places}): bring it back, or give its folder with --meshes DIR"
    )]
    NoFile {
        /// Name of the file in the scene.
        name: String,
        /// Where it was looked for.
        places: String,
    },
    /// A file that the scene of a recording names has another content than then.
    #[error(
        "{}: this is not the file that was recorded with: it has {} bytes and the hash {}, that one had {} bytes and the hash {}: bring that one back, or \
         give its folder with --meshes DIR",
        .path.display(), .now.bytes, .now.hash, .recorded.bytes, .recorded.hash
    )]
    OtherFile {
        /// The file that was found.
        path: PathBuf,
        /// The file that was recorded with.
        recorded: Box<FileFacts>,
        /// The file as it is now.
        now: Box<FileFacts>,
    },
    /// A baked shape that a recording carries cannot be used.
    #[error(
        "{name}, a shape that the recording carries, cannot be used: {why}: use another copy of the recording, or record again"
    )]
    CarriedShape {
        /// Name of the attachment.
        name: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A file is too long for a recording.
    #[error(
        "{name} has {}, and a recording carries at most {} of a file: record with --carry none and keep the file beside the recording",
        stiction_bake::bytes(*.bytes), stiction_bake::bytes(*.most)
    )]
    TooLong {
        /// Name of the file or shape.
        name: String,
        /// Its size (bytes).
        bytes: u64,
        /// Size of an attachment at most (bytes).
        most: u64,
    },
    /// The recording is of another scene than the one named.
    #[error("the recording is of the scene \"{recorded}\", not of \"{given}\": leave the scene out, or give that one")]
    OtherScene {
        /// In the recording.
        recorded: String,
        /// On the command line.
        given: String,
    },
}
