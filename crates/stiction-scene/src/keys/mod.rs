//! The one declaration of every key of scene.toml: its kind, unit, default, range and meaning, the contact model or friction method that it belongs
//! to, its way into the engine's settings, and how it is set live. Reader, checks, JSON schema, the table in `scenes/README.md`, the values in force and
//! the viewer's controls all come from here.

mod check;
mod choices;
mod engine;
mod formation;
mod idle;
mod kind;
mod live;
mod parts;
mod schema;
mod solids;
mod tables;
mod volume;
mod words;

pub use check::check;
pub use choices::{METRICS, method_word, needs_pyramid};
pub use engine::{PAIR, apply};
pub use formation::MOMENTS;
pub use idle::{IdleKey, MatchedPair, Surroundings, idle_keys};
pub use kind::{Choice, Key, Table, WordList, choice, choices, meaning, word_of};
pub use live::{
    Control, ControlWord, check_control, controls, formation_values_in_force, value_in_force, values_in_force,
    volume_values_in_force, words_of,
};
pub use parts::{BODY, POSED_SOLID, SIGNS, STORAGES, UPS, keys_of};
pub use schema::schema;
pub use solids::{ParameterForm, SolidKind, SolidParameter, solid, solid_kinds, solid_with};
pub use tables::{HANDS, LOADS, ROOT};
pub use volume::{CONTACT_METHODS, GRIPS, JOINT, JOINT_KINDS};
pub use words::reference;

/// Keys of a table of which only one can be given; an override of one replaces the others.
pub const INSTEAD: [&[&str]; 3] = [&["keyframes", "csv", "script"], &["mass", "density"], &["resolution", "voxel"]];
/// Ways to describe a surface, of which only one can be given.
pub const SURFACES: &[&str] = &["solid", "mesh", "solids"];
/// Tables of the engine's settings, that with the contact model first: defaults of the others depend on it.
pub const ENGINE_TABLES: [&str; 4] = ["contact", "friction", "coupling", "damping"];
