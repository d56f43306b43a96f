//! Scenes as a user runs them: what is printed, what is written, what is refused.

mod bad;
mod new;
#[path = "../place/mod.rs"]
mod place;
#[cfg(unix)]
mod stopped;
mod terminal;
mod trace;
mod way;

use place::{Place, stderr};

/// A folder with the scene in it.
fn place() -> Place {
    Place::with_scene()
}
