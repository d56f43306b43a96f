//! From a mesh to contact shapes as a user does it: what is printed, what is written, and what is left behind.

mod bad;
#[path = "../place/mod.rs"]
mod place;
mod same;
mod stopped;
mod way;

use place::{Place, stderr};
use std::fs;
use std::path::Path;

fn is_svg(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.starts_with("<svg") && text.trim_end().ends_with("</svg>"))
}
