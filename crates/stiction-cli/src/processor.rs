//! Whether this processor can run this program: it is built for AVX2 (see `.cargo/config.toml`).

/// What is missing, and what to do about it.
///
/// # Errors
/// A message where the system says that an instruction set this program was built for is not there. (Asking the processor itself through the
/// standard library is no use: it answers yes to whatever the compiler was told.)
pub fn check() -> Result<(), String> {
    let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") else { return Ok(()) };
    missing(&text, cfg!(target_feature = "avx2")).map_or(Ok(()), Err)
}

fn missing(cpuinfo: &str, needs_avx2: bool) -> Option<String> {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    let found = flags.split_whitespace().any(|flag| flag == "avx2");
    (needs_avx2 && !found).then(|| {
        "this program is built for processors with AVX2 and this one has none; build it for any x86-64 by \
         RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn an_old_processor_is_told_apart() {
        let old = "processor\t: 0\nflags\t\t: fpu sse2 avx\n";
        assert!(missing(old, true).unwrap().contains("AVX2"));
        assert!(missing(old, false).is_none());
        assert!(missing("flags\t\t: fpu sse2 avx avx2\n", true).is_none());
        assert!(missing("Features\t: asimd\n", true).is_none());
    }
}
