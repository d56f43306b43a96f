//! The pruned walk against an exhaustive search, over random shells, fields and poses.
//!
//! `STICTION_STUDY=n` does n times as many poses; 100 is a million.

mod shape_support;

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use shape_support::{Random, SOLIDS, Solid, dense, fields, shell, sparse};
use stiction::collide::{Hit, Query, TooManyPoints, Traversal};
use stiction::shape::{DistanceField, PointShell, ShellNode, ShellPoint};
use stiction::spatial::Vec3;
use stiction::tick::Work;

fn study() -> usize {
    std::env::var("STICTION_STUDY").ok().and_then(|s| s.parse().ok()).unwrap_or(1).max(1)
}

fn pose(random: &mut Random, spread: f64) -> Isometry3<f64> {
    let (v, w) = (random.vector(), random.within(-1.0, 1.0));
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, v.x, v.y, v.z));
    Isometry3::from_parts(Translation3::from(random.vector() * spread), turn)
}

/// A ball or a box, solid surfaces of about the size of the field's part.
fn some_shell(random: &mut Random, count: usize) -> PointShell {
    let size = random.within(0.05, 0.5);
    if random.unit() < 0.5 {
        shell(random, count, |r| r.direction() * size)
    } else {
        shell(random, count, |r| {
            let v = r.vector();
            v / v.amax() * size
        })
    }
}

/// Every point, by the field's own samples: the motion of points is computed in another way.
fn exhaustive(shell: &PointShell, field: &DistanceField, pose: &Isometry3<f64>, margin: f64) -> Vec<(u32, f64)> {
    let distance = |p: &Vec3| field.distance(pose.rotation * p + pose.translation.vector);
    let all = shell.points().iter().enumerate().map(|(i, p)| (i as u32, distance(&p.position)));
    all.filter(|(_, d)| *d < margin).collect()
}

fn assert_same(found: &[Hit], expected: &[(u32, f64)], margin: f64, context: &str) {
    // Points within rounding of the margin may fall on either side.
    let clear = |d: f64| (d - margin).abs() > 1e-12;
    let mut found: Vec<_> = found.iter().map(|h| (h.point, h.sample.distance)).filter(|h| clear(h.1)).collect();
    found.sort_by_key(|h| h.0);
    let expected: Vec<_> = expected.iter().copied().filter(|e| clear(e.1)).collect();
    let same = found.len() == expected.len()
        && found.iter().zip(&expected).all(|(f, e)| f.0 == e.0 && (f.1 - e.1).abs() < 1e-12);
    assert!(same, "{context}: found {found:?}, expected {expected:?}");
}

#[test]
fn pruning_misses_nothing_and_reports_nothing_twice() {
    let mut random = Random(11);
    let (mut poses, mut touching, mut samples, mut points) = (0, 0, 0, 0);
    let mut memory = Traversal::with_capacity(400);
    for solid in SOLIDS {
        for field in fields(solid) {
            for _ in 0..6 {
                let count = 1 + random.below(400);
                let shell = some_shell(&mut random, count);
                for _ in 0..70 * study() {
                    let pose = pose(&mut random, 1.2);
                    let margin = field.reach() * [0.0, 0.1, 0.9, 1.0, -0.3][random.below(5)];
                    let expected = exhaustive(&shell, &field, &pose, margin);
                    let mut found = Vec::new();
                    let query = Query::within(margin);
                    let walk = memory.touching(&shell, &field, &pose, query, |hit| found.push(hit)).unwrap();
                    assert_same(&found, &expected, margin, &format!("{solid:?}, {pose:?}, margin {margin}"));
                    assert!(walk.hits == found.len() && walk.samples <= count && walk.nodes >= walk.samples);
                    assert!(!walk.stopped && walk.levels == shell.levels().len());
                    poses += 1;
                    touching += usize::from(!expected.is_empty());
                    samples += walk.samples;
                    points += count;
                }
            }
        }
    }
    println!("{poses} poses, {touching} touching; {:.1} % of points sampled", 100.0 * samples as f64 / points as f64);
    assert!(poses >= 10_000 && touching > poses / 10, "{touching} of {poses} touch");
    assert!(samples < points * 3 / 4, "{samples} samples for {points} points: nothing is pruned");
}

/// A part that moves by steps of all sizes, rests and jumps: what is remembered of earlier poses changes nothing in what is reported, and saves samples.
#[test]
fn walks_that_remember_find_what_an_exhaustive_search_finds() {
    let mut random = Random(15);
    let (mut poses, mut touching, mut samples, mut plain_samples) = (0, 0, 0, 0);
    for solid in SOLIDS {
        for field in fields(solid) {
            for _ in 0..6 {
                let count = 1 + random.below(400);
                let shell = some_shell(&mut random, count);
                let (mut memory, mut plain) = (Traversal::remembering(&shell), Traversal::with_capacity(count));
                let mut at = pose(&mut random, 0.6);
                for _ in 0..70 * study() {
                    match random.below(20) {
                        0 => at = pose(&mut random, 0.6),
                        1 => {}
                        2 => memory.forget(),
                        _ => {
                            let size = 10f64.powf(random.within(-8.0, -1.5));
                            let turn = UnitQuaternion::from_scaled_axis(random.vector() * size);
                            at = Isometry3::from_parts(Translation3::from(random.vector() * size), turn) * at;
                        }
                    }
                    let margin = field.reach() * [0.0, 0.1, 0.9, 1.0, -0.3][random.below(5)];
                    let expected = exhaustive(&shell, &field, &at, margin);
                    let (mut found, query) = (Vec::new(), Query::within(margin));
                    let walk = memory.touching(&shell, &field, &at, query, |hit| found.push(hit)).unwrap();
                    assert_same(&found, &expected, margin, &format!("{solid:?}, {at:?}, margin {margin}"));
                    let least = exhaustive(&shell, &field, &at, f64::INFINITY).into_iter().map(|(_, d)| d);
                    let least = least.fold(f64::INFINITY, f64::min);
                    // Beyond its reach the field itself is only a bound.
                    let bound = if least < field.reach() { least + field.slack() } else { f64::INFINITY };
                    assert!(walk.clearance <= bound, "{} above {bound}", walk.clearance);
                    plain_samples += plain.touching(&shell, &field, &at, query, |_| ()).unwrap().samples;
                    poses += 1;
                    touching += usize::from(!expected.is_empty());
                    samples += walk.samples;
                }
            }
        }
    }
    println!("{poses} poses, {touching} touching; {samples} samples instead of {plain_samples}");
    assert!(poses >= 10_000 && touching > poses / 10, "{touching} of {poses} touch");
    assert!(4 * samples < 3 * plain_samples, "{samples} samples, {plain_samples} without memory");
}

/// Next to a small ball interpolated values are steeper than distances, by up to √3: a subtree of one more point that
/// lies down the slope, and a margin that just holds it.
#[test]
fn pruning_allows_for_interpolation() {
    let mut random = Random(14);
    let mut memory = Traversal::with_capacity(2);
    let mut steep = 0;
    for field in fields(Solid::Cloud) {
        let h = field.lattice().spacing;
        for _ in 0..250_000 {
            let p = random.point(field.part(), 1.0);
            let sample = field.sample(p);
            let r = random.within(0.1, 0.9) * h;
            let q = p - sample.gradient * (r / sample.gradient.norm().max(1e-3));
            let margin = field.distance(q) + 1e-9;
            let radius = ((q - p).norm() * (1.0 + 1e-7)) as f32;
            if margin > field.reach() || sample.distance - margin < f64::from(radius) {
                continue;
            }
            steep += 1;
            let points = [p, q].map(|position| ShellPoint { position, normal: Vec3::x() }).to_vec();
            let leaf = |point| ShellNode { point, first_child: 0, children: 0, radius: 0.0 };
            let nodes = vec![ShellNode { point: 0, first_child: 1, children: 2, radius }, leaf(0), leaf(1)];
            let shell = PointShell::new(points, nodes, vec![1, 2]).unwrap();
            let mut found = false;
            let visit = |hit: Hit| found |= hit.point == 1;
            memory.touching(&shell, &field, &Isometry3::identity(), Query::within(margin), visit).unwrap();
            assert!(found, "{p:?}, {q:?}, margin {margin}");
        }
    }
    assert!(steep > 200, "{steep}");
}

#[test]
fn hits_carry_the_field_where_the_point_is() {
    let mut random = Random(12);
    let field = sparse(Solid::Brick, 0.02, 5.0);
    let shell = some_shell(&mut random, 300);
    let mut memory = Traversal::with_capacity(300);
    let mut hits = 0;
    for _ in 0..200 {
        let pose = pose(&mut random, 0.5);
        let visit = |hit: Hit| {
            let expected = pose.rotation * shell.points()[hit.point as usize].position + pose.translation.vector;
            assert!((hit.position - expected).norm() < 1e-14);
            assert_eq!(hit.sample, field.sample(hit.position));
            hits += 1;
        };
        memory.touching(&shell, &field, &pose, Query::within(0.01), visit).unwrap();
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn a_walk_out_of_budget_ends_with_a_whole_level() {
    let mut random = Random(13);
    let field = dense(Solid::Sphere, 0.05);
    let (mut stopped, mut memory) = (0, Traversal::with_capacity(400));
    let shells: Vec<_> = (0..20).map(|i| some_shell(&mut random, 100 + 15 * i)).collect();
    for _ in 0..2000 {
        let shell = &shells[random.below(20)];
        let pose = pose(&mut random, 0.8);
        let query = Query { margin: 0.005, max_samples: random.below(120) };
        let mut found = Vec::new();
        let walk = memory.touching(shell, &field, &pose, query, |hit| found.push(hit)).unwrap();
        let coarsest = shell.levels()[0] as usize;
        assert!(walk.samples <= query.max_samples.max(coarsest), "{walk:?} for {query:?}");
        // What a walk of the whole shell finds among the points of the levels that were walked.
        let level = if walk.stopped { shell.levels()[walk.levels - 1] } else { u32::MAX };
        let mut expected = exhaustive(shell, &field, &pose, query.margin);
        expected.retain(|e| e.0 < level);
        assert_same(&found, &expected, query.margin, "budget");
        stopped += usize::from(walk.stopped);
    }
    assert!(stopped > 200, "{stopped}");
}

/// Both kinds of walks report points in the order that a shell tells, of which every level is a prefix: hard contacts number their points by it.
#[test]
fn points_are_reported_in_the_order_of_walks() {
    let mut random = Random(16);
    let field = dense(Solid::Sphere, 0.1);
    for _ in 0..50 {
        let count = 1 + random.below(300);
        let shell = some_shell(&mut random, count);
        let order = shell.walk_order();
        for &level in shell.levels() {
            let mut prefix = order[..level as usize].to_vec();
            prefix.sort_unstable();
            assert!(prefix.into_iter().eq(0..level), "level {level} of {count} points");
        }
        for mut memory in [Traversal::with_capacity(count), Traversal::remembering(&shell)] {
            let mut found = Vec::new();
            let pose = pose(&mut random, 0.1);
            memory.touching(&shell, &field, &pose, Query::within(1e9), |hit| found.push(hit.point)).unwrap();
            assert_eq!(found, order);
        }
    }
}

/// A walk that refines nodes by batches must not take more than a walk that asks before every node, whatever it remembers and whatever its hits cost.
#[test]
fn a_limited_walk_never_takes_more_than_its_limit() {
    let mut random = Random(17);
    let field = dense(Solid::Sphere, 0.05);
    let (mut stopped, mut whole, mut poses) = (0, 0, 0);
    for _ in 0..40 {
        let count = 100 + random.below(400);
        let shell = some_shell(&mut random, count);
        let roots = u64::from(shell.levels()[0]);
        let mut memory = Traversal::remembering(&shell);
        let mut at = pose(&mut random, 0.6);
        for _ in 0..50 {
            let turn = UnitQuaternion::from_scaled_axis(random.vector() * 1e-3);
            at = Isometry3::from_parts(Translation3::from(random.vector() * 1e-3), turn) * at;
            let most = random.below(20) as u64;
            // A walk looks at the first level, or at some of it, whatever it takes.
            let limit = roots * (most + 1) + random.below(1500) as u64;
            let margin = 0.005;
            let (mut left, mut spent, mut found) = (limit, 0, Vec::new());
            let walk = memory.touching_within(&shell, &field, &at, Query::within(margin), &mut left, most, |hits| {
                found.extend_from_slice(hits);
                let price = hits.len() as u64 * most;
                spent += price;
                price
            });
            let walk = walk.unwrap();
            let work = Work { samples: walk.samples as u64, remembered: walk.remembered as u64, ..Work::default() };
            // Remembered points are rounded up once more.
            assert!(spent + work.units() <= limit + 1, "{spent} and {} of {limit}: {walk:?}", work.units());
            assert!(walk.hits == found.len());
            let expected = exhaustive(&shell, &field, &at, margin + 1e-12);
            assert!(found.iter().all(|h| expected.iter().any(|e| e.0 == h.point)), "a hit that is none");
            if !walk.stopped {
                assert_same(&found, &exhaustive(&shell, &field, &at, margin), margin, "a limit that does not bind");
            }
            let least = exhaustive(&shell, &field, &at, f64::INFINITY).into_iter().map(|(_, d)| d);
            let least = least.fold(f64::INFINITY, f64::min);
            assert!(walk.clearance <= least + field.slack() || least >= field.reach(), "{walk:?}, {least}");
            stopped += usize::from(walk.stopped && !expected.is_empty());
            whole += usize::from(!walk.stopped && !expected.is_empty());
            poses += 1;
        }
    }
    assert!(stopped > 100 && whole > 100, "{stopped} stopped and {whole} whole of {poses}");
}

#[test]
fn an_empty_shell_touches_nothing_and_a_large_one_is_refused() {
    let field = dense(Solid::Sphere, 0.1);
    let empty = PointShell::new(vec![], vec![], vec![]).unwrap();
    let mut memory = Traversal::with_capacity(10);
    let pose = Isometry3::identity();
    let walk = memory.touching(&empty, &field, &pose, Query::within(1.0), |_| panic!("a hit")).unwrap();
    assert_eq!((walk.samples, walk.nodes, walk.stopped), (0, 0, false));
    let large = some_shell(&mut Random(1), 11);
    let refused = memory.touching(&large, &field, &pose, Query::within(1.0), |_| panic!("a hit"));
    assert_eq!(refused, Err(TooManyPoints { points: 11, capacity: 10 }));
}

#[test]
fn a_pose_that_is_not_finite_touches_nothing() {
    let field = dense(Solid::Sphere, 0.1);
    let shell = some_shell(&mut Random(1), 50);
    let mut memory = Traversal::with_capacity(50);
    let pose = Isometry3::translation(f64::NAN, 0.0, 0.0);
    let walk = memory.touching(&shell, &field, &pose, Query::within(0.1), |_| panic!("a hit")).unwrap();
    assert_eq!(walk.hits, 0);
    // Nor does it spoil what later walks remember.
    let mut remembering = Traversal::remembering(&shell);
    let near = Isometry3::identity();
    let mut hits = |pose| remembering.touching(&shell, &field, pose, Query::within(0.5), |_| ()).unwrap().hits;
    let before = hits(&near);
    assert_eq!((hits(&pose), hits(&near)), (0, before));
    assert!(before > 0);
}
