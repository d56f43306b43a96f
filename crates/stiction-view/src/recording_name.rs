//! Names of new recordings.

use chrono::DateTime;
use std::path::Path;

/// SCENE-YYYYMMDD-HHMMSS.mcap in UTC, with a number where that is taken.
pub fn free_name(folder: &Path, scene: &str, unix: u64) -> String {
    let scene: String =
        scene.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(32).collect();
    let scene = scene.trim_start_matches('_');
    let time = DateTime::from_timestamp(unix as i64, 0).unwrap_or_default().format("%Y%m%d-%H%M%S");
    let stem = if scene.is_empty() { time.to_string() } else { format!("{scene}-{time}") };
    let name = |n: u32| if n == 0 { format!("{stem}.mcap") } else { format!("{stem}-{n}.mcap") };
    (0..).map(name).find(|name| !folder.join(name).exists()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_whatever_the_scene_is_called() {
        let folder = std::env::temp_dir();
        for scene in ["corner-cube", "../../etc/x", "/tmp/a b/scene.toml", "…", ""] {
            let name = free_name(&folder, scene, 1_794_830_400);
            assert!(crate::wire::file_name(&name).is_ok(), "{name}");
            assert!(name.ends_with("20261116-120000.mcap"), "{name}");
        }
    }
}
