//! Names of new recordings.

use std::path::Path;

/// SCENE-YYYYMMDD-HHMMSS.mcap in UTC, with a number where that is taken.
pub fn free_name(folder: &Path, scene: &str, unix: u64) -> String {
    let scene: String =
        scene.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(32).collect();
    let scene = scene.trim_start_matches('_');
    let (days, seconds) = (unix / 86_400, unix % 86_400);
    let [year, month, day] = civil(days);
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let stem = format!(
        "{}{year:04}{month:02}{day:02}-{h:02}{m:02}{s:02}",
        if scene.is_empty() { String::new() } else { format!("{scene}-") }
    );
    let name = |n: u32| if n == 0 { format!("{stem}.mcap") } else { format!("{stem}-{n}.mcap") };
    (0..).map(name).find(|name| !folder.join(name).exists()).unwrap_or_default()
}

/// Year, month and day of a day since 1970-01-01 in the Gregorian calendar, by counting 400-year cycles of 146,097 days from March of year 0.
fn civil(days: u64) -> [u64; 3] {
    let z = days + 719_468;
    let (era, of_era) = (z / 146_097, z % 146_097);
    let of_cycle = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_cycle + of_cycle / 4 - of_cycle / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    [era * 400 + of_cycle + u64::from(month <= 2), month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (days, date) in [
            (0, [1970, 1, 1]),
            (59, [1970, 3, 1]),
            (11_016, [2000, 2, 29]),
            (20_773, [2026, 11, 16]),
            (47_541, [2100, 3, 1]),
        ] {
            assert_eq!(civil(days), date);
        }
    }

    #[test]
    fn names_are_plain_whatever_the_scene_is_called() {
        let folder = std::env::temp_dir();
        for scene in ["corner-cube", "../../etc/x", "/tmp/a b/scene.toml", "…", ""] {
            let name = free_name(&folder, scene, 1_794_835_200);
            assert!(crate::wire::file_name(name.clone()).is_ok(), "{name}");
        }
    }
}
