//! Baked shells walked through baked fields: the pruned walk against looking at every point, over random poses; and the
//! radii of the tree against all descendants.
//!
//! `STICTION_STUDY=n` does n times as many poses; `make study-prune` does a million with those of the engine's own test.

#[path = "common/random.rs"]
mod random;

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use random::Random;
use stiction::collide::{Query, Traversal};
use stiction::shape::{PointShell, Shape};
use stiction::spatial::Vec3;
use stiction_bake::field::{FieldOptions, Fineness, Storage};
use stiction_bake::solids::{Solid, SpurGear};
use stiction_bake::{BakeOptions, Silent, bake};

fn baked(solid: &Solid, storage: Storage, points: usize) -> Shape {
    let field = FieldOptions { fineness: Fineness::Resolution(96), storage, ..FieldOptions::default() };
    let options = BakeOptions { field, shell_points: points, ..BakeOptions::default() };
    bake(&solid.mesh().unwrap(), &options, String::new(), &Silent).unwrap().shape
}

#[test]
fn pruned_and_exhaustive_walks_find_the_same_points() {
    let study: usize = std::env::var("STICTION_STUDY").ok().and_then(|s| s.parse().ok()).unwrap_or(1).max(1);
    let gear = Solid::Gear(SpurGear::standard(0.002, 20, 0.01));
    let plate = Solid::PlateRoundHole { size: [0.08, 0.06], thickness: 0.008, radius: 0.02, segments: 64 };
    let mut random = Random(23);
    for (held, fixed, storage) in [(&gear, &plate, Storage::Dense), (&plate, &gear, Storage::Sparse)] {
        let shell = baked(held, Storage::Dense, 1500).shell;
        let field = baked(fixed, storage, 10).field;
        let mut walk = Traversal::with_capacity(shell.points().len());
        let (mut touching, mut samples) = (0, 0);
        for _ in 0..500 * study {
            let q = [0; 4].map(|_| 2.0 * random.unit() - 1.0);
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
            let shift = random.point(Vec3::repeat(-0.05), Vec3::repeat(0.05));
            let pose = Isometry3::from_parts(Translation3::from(shift), turn);
            let mut found = Vec::new();
            let result = walk.touching(&shell, &field, &pose, Query::within(0.0), |hit| found.push(hit.point)).unwrap();
            found.sort_unstable();
            let all = shell.points().iter().enumerate();
            let inside = |p: &Vec3| field.distance(pose.rotation * p + pose.translation.vector);
            // Rounding may decide for points at the very surface.
            let expected: Vec<u32> =
                all.clone().filter(|(_, p)| inside(&p.position) < -1e-12).map(|(i, _)| i as u32).collect();
            let allowed: Vec<u32> = all.filter(|(_, p)| inside(&p.position) < 1e-12).map(|(i, _)| i as u32).collect();
            assert!(expected.iter().all(|p| found.binary_search(p).is_ok()), "a point was pruned away at {pose}");
            assert!(found.iter().all(|p| allowed.binary_search(p).is_ok()), "a point too many at {pose}");
            touching += usize::from(!expected.is_empty());
            samples += result.samples;
        }
        let part = samples as f64 / (500 * study * shell.points().len()) as f64;
        println!("{touching} of {} poses touch; {:.1} % of all points were sampled", 500 * study, 100.0 * part);
        assert!(touching > 50 * study && part < 0.7, "{touching} {part}");
    }
}

/// Points of the last level below a node.
fn descendants(shell: &PointShell, node: usize, out: &mut Vec<u32>) {
    let n = shell.nodes()[node];
    if n.children == 0 {
        out.push(n.point);
    }
    (n.first_child..n.first_child + n.children).for_each(|child| descendants(shell, child as usize, out));
}

#[test]
fn radii_are_exact() {
    let shell = baked(&Solid::Gear(SpurGear::standard(0.002, 20, 0.01)), Storage::Dense, 1500).shell;
    for (i, node) in shell.nodes().iter().enumerate() {
        let mut below = Vec::new();
        descendants(&shell, i, &mut below);
        let at = |p: u32| shell.points()[p as usize].position;
        let furthest = below.iter().map(|&p| (at(p) - at(node.point)).norm()).fold(0.0, f64::max);
        let radius = f64::from(node.radius);
        assert!(radius >= furthest * (1.0 - 1e-7) && radius <= furthest * (1.0 + 1e-6), "{radius} {furthest}");
    }
}
