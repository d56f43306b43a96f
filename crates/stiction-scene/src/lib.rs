//! Scenes by a text file: bodies, hands that move some of them, loads, and what to measure.
//!
//! A `scene.toml` is read into a [`Scene`], in which everything is checked; [`Scene::build`] makes the shapes of its parts and
//! gives a [`World`]; [`World::run`] gives a [`Run`], which drives the engine tick by tick and sums up what happened.
//!
//! ```
//! use std::path::Path;
//! use stiction_bake::Silent;
//! use stiction_scene::Scene;
//!
//! let text = r#"
//!     held = { solid = "box", size = [0.02, 0.02, 0.02], resolution = 16, points = 100 }
//!     fixed = { solid = "plate", size = [0.1, 0.1], thickness = 0.01, resolution = 32, points = 100 }
//!     hand.keyframes = [{ t = 0, position = [0, 0, 0.016] }, { t = 0.2, position = [0, 0, 0.014] }]
//! "#;
//! let scene = Scene::parse(text, Path::new("scene.toml"), &["friction.static=0.3".parse()?])?;
//! let mut run = scene.build(None, &Silent)?.run()?;
//! while !run.finished() {
//!     run.step();
//! }
//! assert!(run.summary().contacts_max > 0);
//! # Ok::<(), stiction_scene::SceneError>(())
//! ```
#![forbid(unsafe_code)]

mod band;
mod build;
mod document;
mod driven;
mod engine_kind;
mod error;
mod files;
mod hand;
mod keys;
mod loads;
mod motion;
mod new;
mod noise;
mod read;
mod run;
mod scene;
mod setting;
mod source;
mod summary;
mod volume;
mod volume_driver;

pub use band::Band;
pub use build::World;
pub use driven::{DrivenEngine, FormationDriver};
pub use engine_kind::EngineKind;
pub use error::{Nearest, Place, Problem, SceneError};
pub use files::{FileContents, SceneFile};
pub use hand::{Hand, Move, minimum_jerk};
pub use keys::{
    Choice, Control, ControlWord, METRICS, ParameterForm, SIGNS, STORAGES, SolidKind, SolidParameter, UPS,
    check_control, controls, formation_values_in_force, method_word, reference, schema, solid_kinds, solid_with,
    value_in_force, values_in_force, volume_values_in_force, word_of, words_of,
};
pub use loads::{LoadSum, TimedLoad};
pub use motion::{MotionSummary, Slide};
pub use new::{NewScene, NewSceneOptions, new_coupling, new_scene};
pub use run::Run;
pub use scene::{
    Body, Demonstration, FormationOptions, FrictionPair, Geometry, Part, PartMass, PosedSolid, Scene, SceneHand,
    SceneLoad, VolumeOptions,
};
pub use setting::Setting;
pub use source::SceneSource;
pub use summary::{Summary, Tally};
pub use volume::{VolumeBody, VolumeShape, VolumeWorld};
pub use volume_driver::{VolumeDriver, VolumeSummary, trace_of_volume_row};
