//! Seeded mutations of every importer's files: no panic, no large allocation, and a mesh that keeps its promises.
//!
//! `FUZZ_CASES` sets the number of cases for each file; a failure names seed and case.

mod import_support;

use import_support::{every_file, glb, gltf_buffer, gltf_with, read};
use stiction_bake::import::MeshFormat;
use stiction_testing::alloc::{Counting, counts, reset_largest};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Small numbers from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        stiction_testing::splitmix64(&mut self.0)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1",
    "255",
    "256",
    "65535",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "1e999",
    "nan",
    "-inf",
    "1e-320",
];

/// One change: a bit, a byte, an extreme word, a cut, a piece copied or left out, a number replaced, another file's piece.
fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if bytes.is_empty() {
        bytes.extend(other);
        return;
    }
    let at = random.below(bytes.len());
    match random.below(9) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.next() as u8,
        2 => {
            let word = [u32::MAX, 0, 1 << 31, f32::NAN.to_bits(), f32::INFINITY.to_bits(), 1_000_000_000];
            let word = word[random.below(word.len())].to_le_bytes();
            let end = (at + 4).min(bytes.len());
            bytes[at..end].copy_from_slice(&word[..end - at]);
        }
        3 => bytes.truncate(at),
        4 => {
            let end = (at + random.below(60)).min(bytes.len());
            bytes.drain(at..end);
        }
        5 => {
            let end = (at + random.below(60)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, piece);
        }
        6 if !other.is_empty() => {
            let from = random.below(other.len());
            let end = (from + random.below(200)).min(other.len());
            let stop = (at + random.below(40)).min(bytes.len());
            bytes.splice(at..stop, other[from..end].iter().copied());
        }
        _ => {
            // The number at or after a place, in text.
            let Some(start) = (at..bytes.len()).find(|&i| bytes[i].is_ascii_digit()) else { return };
            let end = (start..bytes.len()).find(|&i| !bytes[i].is_ascii_digit()).unwrap_or(bytes.len());
            bytes.splice(start..end, random.pick(&NUMBERS).bytes());
        }
    }
}

fn attack(seed: u64, files: &[(MeshFormat, Vec<u8>)]) {
    let cases: u64 = std::env::var("FUZZ_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let (mut good, mut bad) = (0u64, 0u64);
    for case in 0..cases {
        let mut random = Random(seed << 32 | case);
        let (format, file) = &files[random.below(files.len())];
        let other = &files[random.below(files.len())].1;
        let mut bytes = file.clone();
        for _ in 0..1 + random.below(6) {
            mutate(&mut bytes, other, &mut random);
        }
        reset_largest();
        let hint = if random.below(8) == 0 { None } else { Some(*format) };
        let outcome = read(&bytes, hint);
        let largest = counts().largest;
        assert!(largest > 0 || bytes.is_empty(), "the watcher sleeps");
        assert!(largest <= (1 << 26) + 100 * bytes.len(), "seed {seed}, case {case}: {largest} bytes at once");
        match outcome {
            Ok(imported) => {
                good += 1;
                let mesh = &imported.mesh;
                assert!(!mesh.faces.is_empty(), "seed {seed}, case {case}");
                let count = mesh.points.len() as u32;
                assert!(mesh.faces.iter().flatten().all(|&i| i < count), "seed {seed}, case {case}");
                assert!(mesh.points.iter().flatten().all(|x| x.abs() <= 1e12), "seed {seed}, case {case}");
            }
            Err(error) => {
                bad += 1;
                let text = error.to_string();
                assert!(text.starts_with("test.file: ") && text.len() < 600, "seed {seed}, case {case}: {text}");
                assert!(!text.contains("please report"), "seed {seed}, case {case}: the crate panicked");
            }
        }
    }
    // Both ways must have been tried, or the mutations are no good.
    assert!(good > cases / 100 && bad > cases / 10, "{good} good, {bad} bad");
}

fn files(wanted: &[MeshFormat]) -> Vec<(MeshFormat, Vec<u8>)> {
    every_file().into_iter().filter(|(_, f, _)| wanted.contains(f)).map(|(_, f, b)| (f, b)).collect()
}

#[test]
fn stl_survives_mutation() {
    attack(1, &files(&[MeshFormat::StlBinary, MeshFormat::StlAscii]));
}

#[test]
fn obj_survives_mutation() {
    attack(2, &files(&[MeshFormat::Obj]));
}

#[test]
fn ply_survives_mutation() {
    attack(3, &files(&[MeshFormat::Ply]));
}

#[test]
fn gltf_survives_mutation() {
    let nested = r#","nodes":[{"children":[1,2],"scale":[1,-1,2]},{"mesh":0,"rotation":[0,0,1,0]},{"mesh":0,
        "matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}],"scenes":[{"nodes":[0]}]"#;
    let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, gltf_buffer());
    let sparse = String::from_utf8(gltf_with(&format!(r#","uri":"data:;base64,{data}""#), nested)).unwrap().replace(
        r#""count":4"#,
        r#""count":4,"sparse":{"count":2,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}}"#,
    );
    let mut all = files(&[MeshFormat::Gltf, MeshFormat::Glb]);
    all.push((MeshFormat::Gltf, sparse.into_bytes()));
    all.push((MeshFormat::Glb, glb()));
    attack(4, &all);
}
