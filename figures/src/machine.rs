//! A note about the machine, for figures with times.

/// Processor, cores, system and kind of build.
pub fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|l| l.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let build = if cfg!(debug_assertions) { "with debug checks" } else { "optimised" };
    format!(
        "{}, {cores} core{}, {} {}, build {build}; times are processor time of one thread",
        cpu.unwrap_or_else(|| "processor unknown".into()),
        if cores == 1 { "" } else { "s" },
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}
