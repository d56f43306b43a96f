//! What tests of several crates share. Only ever a dev-dependency.
//!
//! [`alloc`] counts allocations: a test installs [`alloc::Counting`] as its global allocator and compares counts. [`splitmix64`] makes random numbers that are the same everywhere.

pub mod alloc;

/// Reads and writes MCAP files independently of `stiction-record`.
pub use mcap;

/// The next number of S. Vigna's splitmix64, whose state is a seed at first.
pub fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
