//! Samples and hits have the same bits on every processor and in every profile.

mod shape_support;

use shape_support::{Random, Solid, fields, shell};
use stiction::collide::{Pose, Query, Traversal};
use stiction::shape::Sample;

/// The hash of all samples. A change here is a change of what the engine computes: say why in the commit.
const GOLDEN: u64 = 0x7e6e_4498_4b52_cc91;

/// FNV-1a, 64 bits.
fn add(hash: &mut u64, sample: &Sample) {
    for x in [sample.distance, sample.gradient.x, sample.gradient.y, sample.gradient.z] {
        for byte in x.to_bits().to_le_bytes() {
            *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[test]
fn samples_have_the_same_bits_everywhere() {
    let (mut hash, mut hits) = (0xcbf2_9ce4_8422_2325, 0);
    let mut random = Random(30);
    let shell = shell(&mut random, 200, |r| r.direction() * 0.5);
    let mut memory = Traversal::with_capacity(200);
    for solid in [Solid::Torus, Solid::Plate] {
        for field in fields(solid) {
            for _ in 0..500 {
                let p = random.point(&field.lattice().bounds(), 1.3);
                add(&mut hash, &field.sample(p));
                add(&mut hash, &field.sample_smooth(p));
                let pose = Pose::translation(p.x, p.y, p.z);
                let visit = |hit: stiction::collide::Hit| {
                    add(&mut hash, &hit.sample);
                    hits += 1;
                };
                memory.touching(&shell, &field, &pose, Query::within(0.02), visit).unwrap();
            }
        }
    }
    assert!(hits > 1000, "{hits}");
    assert_eq!(hash, GOLDEN, "the engine's samples have changed: {hash:#018x}. If that is meant, it is the new GOLDEN");
}
