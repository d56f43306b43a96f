//! The file of a baked shape: round trips, fixed bytes, and what is said about damaged files.

mod shape_support;

use shape_support::{Solid, decoded, dense, encoded, shape, sparse, with_allowance, with_edges};
use stiction::shape::file::{DecodeError, FORMAT, decode, encode, peek};
use stiction::shape::{Aabb, Dense, DistanceField, Lattice, Shape};
use stiction::spatial::Vec3;
use xxhash_rust::xxh3::xxh3_64;

/// One cell, all outside.
fn tiny() -> DistanceField {
    let lattice = Lattice { origin: Vec3::new(-1.0, -1.0, -1.0), spacing: 2.0, cells: [1, 1, 1] };
    Dense::new(lattice, Aabb { min: Vec3::zeros(), max: Vec3::zeros() }, vec![1.5; 8]).unwrap().into()
}

fn all() -> Vec<Shape> {
    vec![
        shape(dense(Solid::Brick, 0.1), 1, 300),
        shape(sparse(Solid::Torus, 0.05, 4.0), 2, 1),
        shape(sparse(Solid::Cloud, 0.06, 6.0), 3, 77),
        shape(tiny(), 4, 0),
        with_allowance(shape(tiny(), 4, 0), 5),
        with_edges(shape(tiny(), 4, 0), 7),
        with_edges(with_allowance(shape(tiny(), 4, 3), 5), 8),
        with_allowance(shape(sparse(Solid::Torus, 0.05, 4.0), 2, 40), 6),
    ]
}

#[test]
fn shapes_come_back_as_they_were() {
    for shape in all() {
        let bytes = encoded(&shape);
        let back = decoded(&bytes).unwrap();
        assert_eq!(back, shape);
        assert_eq!(encoded(&back), bytes);
        for end in [bytes.len() - 1, bytes.len() / 2, 200.min(bytes.len() - 1)] {
            assert!(matches!(decoded(&bytes[..end]), Err(DecodeError::Truncated)));
        }
        let peeked = peek(&mut &bytes[..400.min(bytes.len())], bytes.len() as u64).unwrap();
        assert_eq!((peeked.format, &peeked.provenance), (FORMAT, &shape.provenance));
    }
}

/// Written by hand from the documentation of the format.
#[test]
fn bytes_are_fixed_and_little_endian() {
    let mut shape = shape(tiny(), 4, 0);
    shape.provenance = "ab".into();
    let bytes = encoded(&shape);
    let sections = 16 + 4 * 32 + 8;
    assert_eq!(bytes[..16], *b"\x89STIC\r\n\x1a\x01\0\0\0\x04\0\0\0");
    assert_eq!(bytes[16..40], *b"PROV\0\0\0\0\x98\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0");
    assert_eq!(bytes[48..72], *b"MASS\0\0\0\0\x9a\0\0\0\0\0\0\0\x68\0\0\0\0\0\0\0");
    assert_eq!(bytes[80..104], *b"SHEL\0\0\0\0\x02\x01\0\0\0\0\0\0\x08\0\0\0\0\0\0\0");
    assert_eq!(bytes[112..136], *b"DENS\0\0\0\0\x0a\x01\0\0\0\0\0\0\x80\0\0\0\0\0\0\0");
    assert_eq!(bytes[sections..sections + 2], *b"ab");
    // Volume 1/2, the inertia's first entry 1.
    assert_eq!(bytes[0x9a..0xa2], [0, 0, 0, 0, 0, 0, 0xe0, 0x3f]);
    assert_eq!(bytes[0xba..0xc2], [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
    // Origin -1, spacing 2, cells 1 1 1, and 1.5 at the nodes.
    assert_eq!(bytes[0x10a..0x112], [0, 0, 0, 0, 0, 0, 0xf0, 0xbf]);
    assert_eq!(bytes[0x122..0x12a], [0, 0, 0, 0, 0, 0, 0, 0x40]);
    assert_eq!(bytes[0x12a..0x13a], [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes[0x16a..0x16e], [0, 0, 0xc0, 0x3f]);
    assert_eq!(bytes.len(), 0x18a);
    // Checksums: of XXH3's own specification, by the one-shot function.
    assert_eq!(bytes[40..48], xxh3_64(b"ab").to_le_bytes());
    assert_eq!(bytes[sections - 8..sections], xxh3_64(&bytes[..sections - 8]).to_le_bytes());
}

fn message(bytes: &[u8]) -> String {
    decoded(bytes).expect_err("a damaged file").to_string()
}

/// The header's checksum made right again.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = 16 + 32 * bytes[12] as usize;
    let sum = xxh3_64(&bytes[..end]).to_le_bytes();
    bytes[end..end + 8].copy_from_slice(&sum);
    bytes
}

#[test]
fn damage_is_named() {
    let good = encoded(&shape(sparse(Solid::Torus, 0.05, 4.0), 2, 40));
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    assert_eq!(message(b""), "not a baked shape");
    assert_eq!(message(b"solid cube"), "not a baked shape");
    assert_eq!(message(&good[..5]), "truncated: it ends before its contents do");
    assert_eq!(message(&good[..100]), "truncated: it ends before its contents do");
    assert_eq!(message(&good[..good.len() - 1]), "truncated: it ends before its contents do");
    let newer = "made by a newer version (format 7; this program reads up to 1): update stiction or bake again";
    assert_eq!(message(&with(8, 7)), newer);
    assert_eq!(message(&with(12, 200)), "damaged header: format 1 with 200 sections");
    assert_eq!(message(&with(20, 1)), "damaged header: the checksum does not match");
    assert_eq!(message(&resealed(with(24, 1))), "damaged header: the provenance is not where it should be");
    let last = *good.last().unwrap();
    assert_eq!(message(&with(good.len() - 1, !last)), "damaged sparse field: the checksum does not match");
    assert_eq!(message(&resealed(with(16, b'X'))), "damaged file: no provenance");
    assert_eq!(message(&[&good[..], b"more"].concat()), "damaged header: 4 bytes after the last section");
    // The reader has less than the length that was promised.
    let short = decode(&mut &good[..good.len() - 10], good.len() as u64);
    assert!(matches!(short, Err(DecodeError::Truncated)));
}

/// Allowances are two sections after the others, and are checked like them.
#[test]
fn damaged_allowances_are_named() {
    let plain = shape(tiny(), 4, 5);
    assert_eq!(encoded(&plain)[12], 4);
    let good = encoded(&with_allowance(plain.clone(), 7));
    assert_eq!(good[12], 6);
    assert_eq!(good[144..148], *b"ALLO");
    assert_eq!(good[176..180], *b"SHAL");
    let offset = |row: usize| u64::from_le_bytes(good[24 + 32 * row..32 + 32 * row].try_into().unwrap()) as usize;
    let (lattice, points) = (offset(4), offset(5));
    assert_eq!((points - lattice, good.len() - points), (24 + 8 + 16 + 4 * 6 * 5 * 7, 8 + 4 * 5));
    let sealed = |row: usize, at: usize, with: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        let end = if row == 4 { points } else { bytes.len() };
        let sum = xxh3_64(&bytes[offset(row)..end]).to_le_bytes();
        bytes[40 + 32 * row..48 + 32 * row].copy_from_slice(&sum);
        resealed(bytes)
    };
    assert_eq!(decoded(&sealed(4, lattice, &[])).unwrap(), with_allowance(plain, 7));
    let mut bytes = good.clone();
    bytes[points - 4] ^= 1;
    assert_eq!(message(&bytes), "damaged allowance: the checksum does not match");
    bytes = good.clone();
    bytes[points + 9] ^= 1;
    assert_eq!(message(&bytes), "damaged allowance of the shell: the checksum does not match");
    let small = 1e-6f32.to_le_bytes();
    let boundary = "invalid allowance: a node on the boundary of its lattice is not zero";
    assert_eq!(message(&sealed(4, points - 4, &small)), boundary);
    assert_eq!(message(&sealed(4, points - 4, &f32::NAN.to_le_bytes())), "invalid allowance: a value of NaN m");
    assert_eq!(message(&sealed(4, points - 4, &2f32.to_le_bytes())), "invalid allowance: a value of 2 m");
    assert_eq!(message(&sealed(4, lattice + 24, &0f64.to_le_bytes())), "invalid lattice: a spacing of 0 m");
    let negative = message(&sealed(5, points + 8, &(-1e-6f32).to_le_bytes()));
    assert_eq!(negative, "invalid point shell: an allowance of -0.000001 m");
    assert!(message(&sealed(5, points, &4u32.to_le_bytes())).contains("4 bytes too many"));
    // For other points than the shell has.
    let mut shorter = sealed(5, points, &4u32.to_le_bytes());
    shorter.truncate(good.len() - 4);
    shorter[16 + 32 * 5 + 16..16 + 32 * 5 + 24].copy_from_slice(&24u64.to_le_bytes());
    let sum = xxh3_64(&shorter[points..]).to_le_bytes();
    shorter[40 + 32 * 5..48 + 32 * 5].copy_from_slice(&sum);
    assert_eq!(message(&resealed(shorter)), "invalid point shell: 4 allowances for 5 points");
}

#[test]
fn a_damaged_allowance_at_edges_is_named() {
    let edged = with_edges(shape(tiny(), 4, 5), 7);
    let edges = edged.allowance.as_ref().unwrap().edges().unwrap();
    let good = encoded(&edged);
    let row = 16 + 32 * 5;
    assert_eq!(good[row..row + 4], *b"EDGE");
    let start = u64::from_le_bytes(good[row + 8..row + 16].try_into().unwrap()) as usize;
    let slots = 4 * edges.slots().len();
    assert_eq!(good.len() - start, 48 + 8 + slots + 4 * edges.nodes().len());
    let sealed = |at: usize, with: &[u8]| {
        let mut bytes = good.clone();
        bytes[start + at..start + at + with.len()].copy_from_slice(with);
        let sum = xxh3_64(&bytes[start..]).to_le_bytes();
        bytes[row + 24..row + 32].copy_from_slice(&sum);
        resealed(bytes)
    };
    let mut bytes = good.clone();
    bytes[start + 20] ^= 1;
    assert_eq!(message(&bytes), "damaged allowance at edges: the checksum does not match");
    assert_eq!(message(&sealed(24, &0f64.to_le_bytes())), "invalid lattice: a spacing of 0 m");
    assert!(message(&sealed(56, &7u32.to_le_bytes())).starts_with("invalid allowance at edges: "));
    assert_eq!(message(&sealed(56 + slots, &(-1f32).to_le_bytes())), "invalid allowance at edges: a value of -1 m");
    assert!(message(&sealed(48, &0u32.to_le_bytes())).contains("bytes too many"));
}

/// A later version of the same format may add sections.
#[test]
fn unknown_sections_are_skipped() {
    let good = encoded(&shape(tiny(), 4, 5));
    let mut bytes = good[..16].to_vec();
    bytes[12] = 5;
    let extra = b"something new";
    for i in 0..4 {
        let row = &good[16 + 32 * i..48 + 32 * i];
        let offset = u64::from_le_bytes(row[8..16].try_into().unwrap()) + 32 + extra.len() as u64;
        if i == 0 {
            bytes.extend(b"NEW!\0\0\0\0");
            bytes.extend((offset - extra.len() as u64).to_le_bytes());
            bytes.extend((extra.len() as u64).to_le_bytes());
            bytes.extend(xxh3_64(extra).to_le_bytes());
        }
        bytes.extend(&row[..8]);
        bytes.extend(offset.to_le_bytes());
        bytes.extend(&row[16..]);
    }
    bytes.extend([0; 8]);
    bytes.extend(extra);
    bytes.extend(&good[16 + 4 * 32 + 8..]);
    let bytes = resealed(bytes);
    assert_eq!(encoded(&decoded(&bytes).unwrap()), good);
    assert_eq!(peek(&mut &bytes[..], bytes.len() as u64).unwrap().provenance, decoded(&good).unwrap().provenance);
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let mut shape = shape(tiny(), 4, 0);
    shape.mass.volume = f64::NAN;
    let mut bytes = Vec::new();
    assert!(encode(&shape, &mut bytes).is_err());
    assert!(bytes.is_empty());
}

/// An error of the device is passed on, in both directions.
#[test]
fn errors_of_reader_and_writer_are_passed_on() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    assert_eq!(decode(&mut Broken, 1000).unwrap_err().to_string(), "the disk is gone");
    let mut full = [0u8; 50];
    assert!(encode(&shape(tiny(), 4, 0), &mut &mut full[..]).is_err());
}
