//! The one table of what may stand in scene.toml: kind, unit, default and meaning of every key. Checks, defaults, the JSON
//! schema and the table in `scenes/README.md` all come from here.

mod check;
mod kind;
mod parts;
mod schema;
mod tables;
mod words;

pub use check::check;
pub use kind::{Key, Kind, Table};
pub use parts::solid_keys;
pub use schema::schema;
pub use tables::{PAIR, POLYGON, ROOT};
pub use words::reference;
