//! Which vector instructions the engine was compiled for.
//!
//! Friction is solved four contacts at a time (`wide::f64x4`). Where the compiler may use AVX2 these are one register, else two of SSE2 or
//! NEON, with the same bits: nothing is ever fused or reordered. The flags of the *whole program* decide, and `.cargo/config.toml` of this
//! repository only counts for what is built inside it: a program that has this crate as a dependency must set its own flags.
//!
//! There is no choice at run time. It would need `unsafe` calls of functions with `#[target_feature]` around everything that a tick calls,
//! and a second copy of it all, to save the quarter of a tick that `docs/speed.md` measures; a line in a build file gives the same without either.

use crate::named;

named! {
    /// Vector instructions by which four contacts are computed at a time.
    pub enum VectorInstructions {
        /// One register of four numbers.
        Avx2 = "AVX2",
        /// Two registers of two numbers, on every x86-64 processor.
        Sse2 = "SSE2",
        /// Two registers of two numbers, on every 64-bit ARM processor.
        Neon = "NEON",
        /// Whatever the compiler makes of plain loops.
        Plain = "no vector instructions",
    }
}

/// The vector instructions that this build of the engine uses; the compiler's flags decide, not the processor at hand.
pub const fn vector_instructions() -> VectorInstructions {
    if cfg!(target_feature = "avx2") {
        VectorInstructions::Avx2
    } else if cfg!(target_arch = "x86_64") {
        VectorInstructions::Sse2
    } else if cfg!(target_feature = "neon") {
        VectorInstructions::Neon
    } else {
        VectorInstructions::Plain
    }
}

/// A sentence for the start of a program whose ticks take longer than they need to because of how it was built; `None` if there is nothing to
/// gain.
pub const fn build_notice() -> Option<&'static str> {
    match vector_instructions() {
        VectorInstructions::Sse2 => Some(
            "the engine was built without AVX2, so a tick takes about a third longer than it needs to: build the program with \
             RUSTFLAGS=\"-C target-cpu=x86-64-v3\", or put the flag into its .cargo/config.toml",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_avx2_says_so_and_how_to_change_it() {
        let slow = cfg!(all(target_arch = "x86_64", not(target_feature = "avx2")));
        assert_eq!(build_notice().is_some(), slow);
        assert!(build_notice().is_none_or(|text| text.contains("target-cpu=x86-64-v3")));
        assert_eq!(vector_instructions() == VectorInstructions::Avx2, cfg!(target_feature = "avx2"));
    }
}
