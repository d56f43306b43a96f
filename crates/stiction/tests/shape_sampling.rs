//! Sampling of distance fields against exact distances, finite differences and its own definition.

mod shape_support;

use shape_support::{Random, SOLIDS, Solid, fields, lattice, sparse};
use stiction::shape::{Aabb, Dense, DistanceField, Lattice, Sample, Sparse};
use stiction::spatial::Vec3;

/// (√3/2) h and half a unit of 16 bits (bands are at most 16 h).
fn slack(field: &DistanceField) -> f64 {
    let h = field.lattice().spacing;
    (0.75f64.sqrt() + 16.0 / 65534.0) * h
}

fn band(field: &DistanceField) -> f64 {
    match field {
        DistanceField::Dense(_) => f64::MAX,
        DistanceField::Sparse(sparse) => sparse.band(),
    }
}

#[test]
fn linear_fields_are_reproduced_exactly() {
    // All numbers have few bits: no rounding anywhere.
    let lattice = Lattice { origin: Vec3::new(-1.0, 2.0, 0.5), spacing: 0.25, cells: [5, 7, 3] };
    let (slope, offset) = (Vec3::new(0.5, -0.25, 0.75), 3.0);
    let mut values = Vec::new();
    for k in 0..4 {
        for j in 0..8 {
            for i in 0..6 {
                values.push((slope.dot(&lattice.position([i, j, k])) + offset) as f32);
            }
        }
    }
    let middle = (lattice.bounds().min + lattice.bounds().max) * 0.5;
    let field: DistanceField = Dense::new(lattice, Aabb { min: middle, max: middle }, values).unwrap().into();
    let mut random = Random(1);
    for _ in 0..2000 {
        let t = Vec3::from_fn(|a, _| random.below(64 * lattice.cells[a] as usize + 1) as f64 / 64.0);
        let p = lattice.origin + t * lattice.spacing;
        let sample = field.sample(p);
        assert_eq!(sample, Sample { distance: slope.dot(&p) + offset, gradient: slope }, "{p}");
        assert_eq!(field.distance(p), sample.distance);
        let inner = (0..3).all(|a| t[a] >= 0.5 && t[a] <= f64::from(lattice.cells[a]) - 0.5);
        if inner {
            assert_eq!(field.sample_smooth(p), sample);
        }
    }
}

#[test]
fn values_are_within_the_slack_of_the_distance_or_below_it() {
    let mut random = Random(2);
    let mut seen = [0; 4];
    for solid in SOLIDS {
        for field in fields(solid) {
            let (slack, band, bounds) = (slack(&field), band(&field), field.lattice().bounds());
            assert!(field.slack() <= slack * (1.0 + 1e-4) && field.slack() >= 0.75f64.sqrt() * field.lattice().spacing);
            for i in 0..20_000 {
                let p = random.point(&bounds, if i % 4 == 0 { 1.6 } else { 1.0 });
                let inside = (0..3).all(|a| p[a] >= bounds.min[a] && p[a] <= bounds.max[a]);
                let (f, d) = (field.distance(p), solid.distance(p));
                let context = || format!("{solid:?}, {p:?}: {f} for {d}, slack {slack}");
                assert!(f.abs() <= d.abs() + slack, "{}", context());
                assert!(f * d > 0.0 || d.abs() <= slack, "{}", context());
                if inside && d.abs() <= band {
                    seen[0] += 1;
                    assert!((f - d).abs() <= slack, "{}", context());
                } else if inside {
                    seen[1] += 1;
                    assert!(f.abs() >= band - slack, "{}", context());
                    // A bound of some use: within the largest coarse slack.
                    assert!(f.abs() >= d.abs() - 17.0 * field.lattice().spacing, "{}", context());
                } else {
                    seen[2] += 1;
                    seen[3] += u32::from(d > 3.0 * slack);
                    assert!(f > 0.0 && f >= 0.5 * d - 17.0 * field.lattice().spacing, "{}", context());
                }
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 10_000), "{seen:?}");
}

#[test]
fn gradients_are_those_of_the_values() {
    let mut random = Random(3);
    let mut checked = [0; 2];
    for solid in SOLIDS {
        for field in fields(solid) {
            let (h, bounds) = (field.lattice().spacing, field.lattice().bounds());
            for i in 0..4000 {
                let p = random.point(&bounds, if i % 4 == 0 { 1.5 } else { 1.0 });
                // Not near a cell's face: the gradient jumps there.
                let t = (p - bounds.min) / h;
                if t.iter().any(|t| (t - t.round()).abs() < 1e-3) {
                    continue;
                }
                let sample = field.sample(p);
                // On the constant part, and beyond it, the direction is a hint.
                let y = p.sup(&bounds.min).inf(&bounds.max);
                if field.distance(y).abs() == band(&field) {
                    continue;
                }
                let step = 1e-5 * h;
                let difference = Vec3::from_fn(|a, _| {
                    let e = Vec3::from_fn(|b, _| if a == b { step } else { 0.0 });
                    (field.distance(p + e) - field.distance(p - e)) / (2.0 * step)
                });
                let off = (difference - sample.gradient).norm();
                let outside = (0..3).any(|a| p[a] < bounds.min[a] || p[a] > bounds.max[a]);
                // A step across the band's edge or the edge of the plateau is no derivative.
                let edge = (sample.distance.abs() - band(&field)).abs() < 1e-4 * h;
                assert!(off < 1e-6 || edge, "{solid:?}, {p:?}: {difference:?} for {sample:?}");
                checked[usize::from(outside)] += 1;
            }
        }
    }
    assert!(checked.iter().all(|&n| n > 5000), "{checked:?}");
}

/// |F(a) - F(b)| for points this close; the steepest slope of a coarse cell is below 3.
fn assert_continuous(field: &DistanceField, a: Vec3, b: Vec3, what: &str) {
    let (fa, fb) = (field.distance(a), field.distance(b));
    assert!((fa - fb).abs() <= 3.0 * (a - b).norm() + 1e-13, "{what}: {fa} and {fb} at {a:?} and {b:?}");
}

#[test]
fn values_are_continuous_across_every_border() {
    let mut random = Random(4);
    let tiny = 1e-9;
    for solid in SOLIDS {
        for field in fields(solid) {
            let lattice = *field.lattice();
            let bounds = lattice.bounds();
            for i in 0..6000 {
                let mut p = random.point(&bounds, if i % 3 == 0 { 1.2 } else { 1.0 });
                // Across a face, an edge or a corner of a cell, a block, or the lattice.
                let mut across = Vec3::zeros();
                for a in 0..3 {
                    if random.unit() < 0.4 || a == i % 3 {
                        let cells = lattice.cells[a] as usize;
                        let every = [1, 8, 8, cells][i % 4];
                        let plane = random.below(cells / every + 1) * every;
                        p[a] = lattice.origin[a] + plane as f64 * lattice.spacing;
                        across[a] = if random.unit() < 0.5 { tiny } else { -tiny };
                    }
                }
                assert_continuous(&field, p - across, p + across, ["cell", "block", "block", "box"][i % 4]);
            }
        }
    }
}

/// The border of the band, wherever it is: found by bisection along segments. Any jump on the way would be found too.
#[test]
fn values_are_continuous_where_the_band_ends() {
    let mut random = Random(5);
    let mut found = 0;
    for solid in SOLIDS {
        for (spacing, voxels) in [(0.03, 4.0), (0.02, 3.5), (0.025, 9.7), (0.03, 16.0)] {
            let field = sparse(solid, spacing, voxels);
            let (bounds, band) = (field.lattice().bounds(), voxels * spacing);
            for _ in 0..400 {
                let (a, b) = (random.point(&bounds, 1.1), random.point(&bounds, 1.0));
                let steps = ((b - a).norm() / (0.25 * spacing)).ceil();
                let at = |i: f64| a + (b - a) * (i / steps);
                for i in 0..steps as usize {
                    let (mut p, mut q) = (at(i as f64), at(i as f64 + 1.0));
                    assert_continuous(&field, p, q, "segment");
                    let outside = |p: Vec3| field.distance(p).abs() >= band * (1.0 - 1e-14);
                    if outside(p) == outside(q) {
                        continue;
                    }
                    found += 1;
                    while (q - p).norm() > 1e-11 {
                        let middle = (p + q) * 0.5;
                        if outside(middle) == outside(p) { p = middle } else { q = middle }
                    }
                    assert_continuous(&field, p, q, "band");
                }
            }
        }
    }
    assert!(found > 10_000, "{found}");
}

#[test]
fn smooth_gradients_are_central_differences_over_a_cell_and_do_not_jump() {
    let mut random = Random(6);
    for solid in SOLIDS {
        for field in fields(solid) {
            let (lattice, bounds) = (*field.lattice(), field.lattice().bounds());
            let h = lattice.spacing;
            for i in 0..3000 {
                let mut p = random.point(&bounds, if i % 4 == 0 { 1.2 } else { 1.0 });
                let smooth = field.sample_smooth(p);
                assert_eq!(smooth.distance, field.sample(p).distance, "{p}");
                let expected = Vec3::from_fn(|a, _| {
                    let e = Vec3::from_fn(|b, _| if a == b { 0.5 * h } else { 0.0 });
                    (field.distance(p + e) - field.distance(p - e)) / h
                });
                assert!((smooth.gradient - expected).norm() < 1e-9, "{solid:?} {p:?} {smooth:?} {expected:?}");
                // Across planes of nodes and planes half way between them.
                let a = i % 3;
                let plane = random.below(2 * lattice.cells[a] as usize + 1) as f64 * 0.5;
                p[a] = lattice.origin[a] + plane * h;
                let across = Vec3::from_fn(|b, _| if a == b { 1e-10 } else { 0.0 });
                let jump = field.sample_smooth(p + across).gradient - field.sample_smooth(p - across).gradient;
                assert!(jump.norm() < 1e-6, "{solid:?}: a jump of {jump:?} at {p:?}");
            }
        }
    }
}

#[test]
fn a_batch_is_its_single_samples() {
    let mut random = Random(7);
    for field in fields(Solid::Torus) {
        let points: Vec<_> = (0..777).map(|_| random.point(&field.lattice().bounds(), 1.3)).collect();
        let mut samples = vec![Sample { distance: 0.0, gradient: Vec3::zeros() }; 777];
        field.sample_batch(&points, &mut samples);
        assert!(points.iter().zip(&samples).all(|(p, s)| field.sample(*p) == *s));
        field.sample_smooth_batch(&points, &mut samples);
        assert!(points.iter().zip(&samples).all(|(p, s)| field.sample_smooth(*p) == *s));
    }
}

#[test]
fn distances_rise_away_from_the_box() {
    let mut random = Random(8);
    for field in fields(Solid::Brick) {
        let bounds = field.lattice().bounds();
        for _ in 0..2000 {
            let p = random.point(&bounds, 2.0);
            let y = p.sup(&bounds.min).inf(&bounds.max);
            if (p - y).norm() > 0.0 {
                let (near, far) = (field.distance(y + (p - y) * 0.5), field.distance(p));
                assert!(far > near && near > field.distance(y), "{p:?}: {near}, then {far}");
            }
        }
    }
}

#[test]
fn points_that_are_not_finite_or_huge_have_finite_answers() {
    for field in fields(Solid::Sphere) {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for a in 0..3 {
                let mut p = Vec3::new(0.1, 0.2, 0.3);
                p[a] = bad;
                let nothing = Sample { distance: f64::MAX, gradient: Vec3::zeros() };
                assert_eq!(field.sample(p), nothing);
                assert_eq!(field.distance(p), f64::MAX);
                assert!(field.sample_smooth(p).gradient.iter().all(|x| x.is_finite()));
            }
        }
        for size in [1e10, 1e99, 1.1e100, 1e154, 1e200, f64::MAX] {
            for p in [Vec3::x() * size, Vec3::repeat(-size), Vec3::new(0.0, size, -size)] {
                let s = field.sample(p);
                assert!(s.distance.is_finite() && s.distance >= size * (1.0 - 1e-9), "{p:?}: {s:?}");
                assert!((s.gradient.norm() - 1.0).abs() < 1e-6, "{p:?}: {s:?}");
            }
        }
    }
}

/// The theorem of the header, with constants of its own: |L| ≤ max(|d| - √3 h, 2√3 h).
#[test]
fn coarse_interpolation_stays_below_the_distance() {
    let mut random = Random(9);
    let mut tight = f64::MAX;
    for solid in SOLIDS {
        for h in [0.05, 0.02, 0.01] {
            let lattice = lattice(solid, h);
            for _ in 0..20_000 {
                let cell: [usize; 3] = std::array::from_fn(|a| 8 * random.below(lattice.cells[a] as usize / 8));
                let t = random.vector().map(|x| 0.5 + 0.5 * x);
                let mut value = 0.0;
                for corner in 0..8 {
                    let bit = |a: usize| corner >> a & 1;
                    let d = solid.distance(lattice.position(std::array::from_fn(|a| cell[a] + 8 * bit(a))));
                    let weight: f64 = (0..3).map(|a| if bit(a) == 1 { t[a] } else { 1.0 - t[a] }).product();
                    value += weight * f64::from(Sparse::coarse_value(d, h));
                }
                let d = solid.distance(lattice.position(cell) + t * 8.0 * h);
                let bound = (d.abs() - 3f64.sqrt() * h).max(2.0 * 3f64.sqrt() * h);
                tight = tight.min((bound - value.abs()) / h);
                assert!(value.abs() <= bound, "{solid:?}, h = {h}: {value} for {d}");
            }
        }
    }
    // Not so loose that the test could not fail.
    assert!(tight < 0.5, "{tight}");
}
