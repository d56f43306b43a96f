//! A note about the machine, for figures with times.

/// Processor, cores, system and kind of build.
pub fn machine() -> String {
    format!("{}; times are processor time of one thread", stiction_results::machine())
}
