//! What was found or made, as a title and a sentence a line.

use crate::terminal::page_width;
use stiction_bake::diagnose::wrapped;
pub use stiction_bake::diagnose::{grouped, number};

const INDENT: usize = 12;

/// Lines of titles and texts, wrapped.
#[derive(Default)]
pub struct Facts(String);

impl Facts {
    /// Adds a fact.
    pub fn say(&mut self, title: &str, text: impl AsRef<str>) {
        self.0 += &wrapped(&format!("{title:<INDENT$}{}", text.as_ref()), INDENT, page_width());
    }

    /// The text, without the last line's end.
    pub fn text(&self) -> &str {
        self.0.trim_end()
    }
}

/// A volume in the unit that suits it.
pub fn volume(cubic_metres: f64) -> String {
    let (size, unit) = match cubic_metres.abs() {
        v if v >= 0.1 => (cubic_metres, "m³"),
        v if v >= 1e-7 => (1e6 * cubic_metres, "cm³"),
        _ => (1e9 * cubic_metres, "mm³"),
    };
    format!("{} {unit}", number(size))
}

/// A file's name as a shell takes it.
pub fn quoted(path: &std::path::Path) -> String {
    stiction_bake::diagnose::quoted(&path.to_string_lossy())
}
