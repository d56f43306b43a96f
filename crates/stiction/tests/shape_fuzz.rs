//! A seeded mutation fuzz of the decoder: no file makes it panic, or ask for much more memory than the file is long.
//!
//! Half of the files have their checksums made right again, so that what comes after is reached. The entry of a
//! coverage-guided fuzzer is the same: `decode(&mut &bytes[..], bytes.len() as u64)`, and sampling what it returns.

mod shape_support;

use shape_support::{Random, Solid, decoded, dense, encoded, shape, sparse, with_allowance, with_edges};
use std::collections::BTreeMap;
use stiction::shape::file::DecodeError;
use stiction::spatial::Vec3;
use stiction_testing::alloc::{Counting, counts};
use xxhash_rust::xxh3::xxh3_64;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn number(bytes: &[u8]) -> usize {
    u64::from_le_bytes(bytes.try_into().unwrap()) as usize
}

/// Makes all checksums right, as far as the table makes sense.
fn reseal(bytes: &mut [u8]) {
    if bytes.len() < 16 {
        return;
    }
    let rows = bytes[12] as usize;
    let end = 16 + 32 * rows;
    if bytes.len() < end + 8 {
        return;
    }
    for row in 0..rows {
        let at = 16 + 32 * row;
        let (offset, length) = (number(&bytes[at + 8..at + 16]), number(&bytes[at + 16..at + 24]));
        if let Some(section) = offset.checked_add(length).and_then(|end| bytes.get(offset..end)) {
            let sum = xxh3_64(section).to_le_bytes();
            bytes[at + 24..at + 32].copy_from_slice(&sum);
        }
    }
    let sum = xxh3_64(&bytes[..end]).to_le_bytes();
    bytes[end..end + 8].copy_from_slice(&sum);
}

/// The number of sections, as far as it is one of those that are written.
fn rows(bytes: &[u8]) -> usize {
    bytes.get(12).map_or(4, |&n| usize::from(n).clamp(4, 6))
}

/// Somewhere in a file, half of the time where the small, interesting numbers are.
fn place(random: &mut Random, bytes: &[u8]) -> usize {
    let rows = rows(bytes);
    if random.unit() < 0.5 || bytes.len() < 16 + 32 * rows {
        return random.below(bytes.len().max(1));
    }
    let start = 16 + 32 * random.below(rows);
    let section = number(&bytes[start + 8..start + 16]).min(bytes.len() - 1);
    let near = if random.unit() < 0.3 { start } else { section };
    (near + random.below(160)).min(bytes.len() - 1)
}

/// Changes the length of a section and tells the table, so that the sections still meet.
fn resize(random: &mut Random, bytes: &mut Vec<u8>) {
    let rows = rows(bytes);
    let row = random.below(rows);
    let at = 16 + 32 * row;
    if bytes.len() < 16 + 32 * rows + 8 {
        return;
    }
    let (offset, length) = (number(&bytes[at + 8..at + 16]), number(&bytes[at + 16..at + 24]));
    let Some(end) = offset.checked_add(length).filter(|&end| end <= bytes.len()) else { return };
    let change = 1 + random.below(64);
    let grow = random.unit() < 0.5 || length < change;
    if grow {
        let filler: Vec<u8> = (0..change).map(|_| random.bits() as u8).collect();
        bytes.splice(end..end, filler);
    } else {
        bytes.drain(end - change..end);
    }
    let shift = |n: usize| if grow { n.wrapping_add(change) } else { n.wrapping_sub(change) } as u64;
    bytes[at + 16..at + 24].copy_from_slice(&shift(length).to_le_bytes());
    for later in row + 1..rows {
        let at = 16 + 32 * later + 8;
        let moved = shift(number(&bytes[at..at + 8]));
        bytes[at..at + 8].copy_from_slice(&moved.to_le_bytes());
    }
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = place(random, bytes);
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => {
            let (from, length) = (random.below(bytes.len()), random.below(64));
            let piece: Vec<u8> = bytes[from..].iter().copied().take(length).collect();
            bytes.splice(at..at, piece);
        }
        2 => {
            let end = (at + random.below(64)).min(bytes.len());
            bytes.drain(at..end);
        }
        3 => resize(random, bytes),
        4 | 5 => {
            // A number with a meaning: the largest, zero, NaN, infinity.
            let words: [&[u8]; 6] =
                [&[0xff; 4], &[0; 8], &[0, 0, 0xc0, 0x7f], &[0, 0, 0x80, 0x7f], &[0xff; 8], &[0, 0x80]];
            for (i, byte) in words[random.below(6)].iter().enumerate() {
                if let Some(place) = bytes.get_mut((at & !1) + i) {
                    *place = *byte;
                }
            }
        }
        _ => {
            for _ in 0..1 + random.below(4) {
                if let Some(place) = bytes.get_mut(at + random.below(4)) {
                    *place ^= 1 << random.below(8);
                }
            }
        }
    }
}

#[test]
fn no_file_makes_the_decoder_panic_or_ask_for_much_memory() {
    let good = [
        encoded(&shape(dense(Solid::Brick, 0.2), 1, 30)),
        encoded(&shape(sparse(Solid::Torus, 0.09, 4.0), 2, 50)),
        encoded(&shape(sparse(Solid::Plate, 0.12, 3.5), 3, 0)),
        encoded(&with_allowance(shape(dense(Solid::Brick, 0.25), 4, 20), 5)),
        encoded(&with_edges(shape(dense(Solid::Brick, 0.25), 4, 20), 6)),
    ];
    let mut random = Random(20);
    let mut outcomes: BTreeMap<&str, u32> = BTreeMap::new();
    let study: usize = std::env::var("STICTION_STUDY").ok().and_then(|s| s.parse().ok()).unwrap_or(1).max(1);
    for _ in 0..30_000 * study {
        let mut bytes = good[random.below(good.len())].clone();
        for _ in 0..1 + random.below(3) {
            if !bytes.is_empty() {
                mutate(&mut random, &mut bytes);
            }
        }
        if random.unit() < 0.7 {
            reseal(&mut bytes);
        }
        let before = counts().bytes;
        let result = decoded(&bytes);
        let asked = counts().bytes - before;
        assert!(asked <= 4 * bytes.len() as u64 + (1 << 19), "{asked} bytes for a file of {}", bytes.len());
        let outcome = match result {
            Ok(shape) => {
                for _ in 0..8 {
                    let p = random.point(&shape.field.lattice().bounds(), 1.5);
                    let p = if random.unit() < 0.2 { p * f64::from_bits(random.bits()) } else { p };
                    assert!(
                        !shape.field.sample(p).distance.is_nan() && !shape.field.sample_smooth(p).distance.is_nan()
                    );
                }
                shape.field.sample(Vec3::repeat(f64::NAN));
                if let Some(allowance) = &shape.allowance {
                    for _ in 0..8 {
                        let (value, gradient) = allowance.sample(random.point(&allowance.bounds(), 1.5));
                        assert!((0.0..=allowance.largest() * (1.0 + 1e-12)).contains(&value));
                        assert!(gradient.iter().all(|g| g.is_finite()));
                        let bounds = allowance.edges().map_or(allowance.bounds(), |edges| edges.lattice().bounds());
                        let (value, gradient) = allowance.sample(random.point(&bounds, 1.5));
                        assert!((0.0..=allowance.largest() * (1.0 + 1e-12)).contains(&value));
                        assert!(gradient.iter().all(|g| g.is_finite()));
                    }
                }
                "a shape"
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                match error {
                    DecodeError::NotAShape => "not a shape",
                    DecodeError::Newer { .. } => "newer",
                    DecodeError::Truncated => "truncated",
                    DecodeError::Header(_) => "header",
                    DecodeError::Checksum(_) => "checksum",
                    DecodeError::Section { .. } => "section",
                    DecodeError::Missing(_) => "missing",
                    DecodeError::Invalid(_) => "invalid",
                    DecodeError::Memory(_) => "memory",
                    DecodeError::Read(error) => panic!("{error}"),
                }
            }
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{outcomes:?}");
    // Every kind of answer but "does not fit in memory" was reached.
    assert!(outcomes.len() >= 9, "{outcomes:?}");
}
