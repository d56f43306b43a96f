//! Hashing for maps of cells and triangles.

use std::hash::{BuildHasherDefault, Hasher};

/// Hashing of whole numbers that nobody chose to collide: a multiplication and two shifts. The same in every run.
#[derive(Default)]
pub struct Mix(u64);

/// For the maps and sets of the parent module.
pub type Mixing = BuildHasherDefault<Mix>;

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(b.into()));
    }

    fn write_u64(&mut self, x: u64) {
        let x = (self.0.rotate_left(23) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = x ^ (x >> 32);
    }

    fn write_u128(&mut self, x: u128) {
        self.write_u64(x as u64);
        self.write_u64((x >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        // The upper bits choose the slot's tag, the lower the slot.
        self.0.wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}
