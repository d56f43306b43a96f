//! What this program has in it: `stiction --version`.

use std::env::consts::{ARCH, OS};
use stiction_scene::SceneSource;

/// What to do about a program without its page.
pub const NO_PAGE: &str = "this program was built without its page: `make page`, then build it again (needs Node 20)";

/// Version, processor, scenes and page, a line each.
pub fn text() -> String {
    let scenes: Vec<&str> = SceneSource::bundled_names().collect();
    let page = if stiction_view::is_built() { "in this program" } else { NO_PAGE };
    format!(
        "{}\nbuilt for {ARCH} {OS} with {}\nscenes: {}\npage of the viewer: {page}",
        env!("CARGO_PKG_VERSION"),
        stiction::vector_instructions().name(),
        scenes.join(", ")
    )
}
