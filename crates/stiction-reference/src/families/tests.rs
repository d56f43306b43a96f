//! The truth of each sample checked by direct evaluation, and the facts that the families promise.

use super::*;
use nalgebra::DMatrix;
use std::collections::BTreeSet;

const CONES: [Cone; 4] = [Cone::Disk, Cone::paper(8), Cone::paper(3), Cone::Polygon { sides: 16, fit: Fit::Inscribed }];

/// Wrench norm with torques per 0.1 of the length unit's metre.
fn size(w: Vec6, length: f64) -> f64 {
    Vec6::from_fn(|i, _| if i < 3 { w[i] } else { w[i] / length }).norm()
}

fn admissible(cone: Cone, limit: f64, b: [f64; 2]) -> bool {
    let slack = limit * 1e-12;
    match cone {
        Cone::Disk => b[0].hypot(b[1]) <= limit + slack,
        Cone::Polygon { sides, fit } => {
            let step = std::f64::consts::PI / sides as f64;
            let distance = if fit == Fit::Inscribed { limit * step.cos() } else { limit };
            (0..sides).all(|j| {
                let (sin, cos) = ((2 * j + 1) as f64 * step).sin_cos();
                b[0] * cos + b[1] * sin <= distance + slack
            })
        }
    }
}

/// Everything a sample claims, evaluated from its numbers alone.
fn check(sample: &SampleProblem, length: f64) {
    let who = (sample.family, sample.loading, sample.cone, sample.contacts.len());
    let problem = sample.problem().unwrap_or_else(|e| panic!("{who:?}: {e}"));
    assert_eq!(problem.len(), sample.contacts.len());
    let (load, truth) = (&sample.load, &sample.truth);
    let t = truth.fraction;
    assert_eq!(truth.verdict == Verdict::Holds, t <= 1.0, "{who:?}");
    assert!(t > 0.0 && t != 1.0);
    let residual = load.wrench + load.stiffness * truth.held_step;
    let mut support = 0.0;
    for (c, &b) in sample.contacts.iter().zip(&truth.extreme) {
        assert!(admissible(sample.cone, limit(c), b), "{who:?}");
        let g = columns(c);
        support += b[0] * g[0].dot(&truth.direction) + b[1] * g[1].dot(&truth.direction);
        let [lambda_u, lambda_v] = g.map(|g| g.dot(&truth.lambda).abs());
        let scale = truth.lambda.fixed_rows::<3>(0).norm() + c.point.norm() * truth.lambda.fixed_rows::<3>(3).norm();
        assert!(lambda_u.max(lambda_v) <= 1e-11 * scale, "{who:?}: {lambda_u} {lambda_v} of {scale}");
        // No vertex, nor any of many directions, beats the extreme point.
        for j in 0..16 {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(j) / 16.0).sin_cos();
            let other = extreme(sample.cone, limit(c), [cos, sin]);
            let gain = (other[0] - b[0]) * g[0].dot(&truth.direction) + (other[1] - b[1]) * g[1].dot(&truth.direction);
            assert!(gain <= 1e-12 * limit(c) * truth.direction.norm() * (1.0 + c.point.norm()), "{who:?}");
        }
    }
    assert!(support > 0.0, "{who:?}");
    let slope = load.mass * truth.held_step + load.stiffness.transpose() * truth.lambda;
    let terms = load.mass.abs() * truth.held_step.abs() + load.stiffness.transpose().abs() * truth.lambda.abs();
    assert!(size(slope, length) <= 1e-12 * size(terms, length), "{who:?}");
    let edge = friction_wrench(&sample.contacts, &truth.extreme);
    let terms = load.wrench.abs() + load.stiffness.abs() * truth.held_step.abs();
    let error = size(residual + edge * t, length);
    assert!(error <= 1e-13 * size(terms, length), "{who:?}: {error:e} of {:e}", size(terms, length));
    // The direction separates exactly when the load is beyond the edge.
    let value = truth.direction.dot(&residual) + support;
    assert_eq!(value < 0.0, truth.verdict == Verdict::Slips, "{who:?}: {value:e} at {:e}", t - 1.0);
}

#[test]
fn every_sample_is_valid_and_its_truth_holds() {
    for family in Family::ALL {
        for loading in Loading::ALL {
            for cone in CONES {
                for (seed, contacts) in [1, 2, 3, 7, 12, 40, 98].into_iter().enumerate() {
                    let sample = generate(family, contacts, seed as u64, loading, cone);
                    check(&sample, 0.1);
                    check(&sample.rescaled(1e3), 100.0);
                    check(&sample.permuted(5), 0.1);
                    if !matches!(family, Family::NearlyParallel { .. }) {
                        check(&sample.moved(&Random::new(seed as u64).rotation()), 0.1);
                    }
                }
            }
        }
    }
}

#[test]
fn samples_are_determined_by_their_seed() {
    assert_eq!(Random::new(1).bits(), 0xcfc5_d07f_6f03_c29b, "the generator of the reference implementation");
    for family in Family::ALL {
        let make = |seed| generate(family, 20, seed, Loading::Edge, Cone::paper(8));
        assert_eq!(make(3), make(3));
        assert_ne!(make(3), make(4));
    }
    let scene = |seed| MovingScene::new(30, Cone::Disk, Loading::Holds, seed).take(20).collect::<Vec<_>>();
    assert_eq!(scene(2), scene(2));
    assert_ne!(scene(2), scene(6));
}

fn rank(sample: &SampleProblem) -> usize {
    let columns: Vec<Vec6> = sample.contacts.iter().flat_map(columns).collect();
    let g = DMatrix::from_fn(6, columns.len(), |i, j| columns[j][i] * if i < 3 { 1.0 } else { 20.0 });
    let values = g.singular_values();
    values.iter().filter(|&&s| s > 1e-9 * values.max()).count()
}

#[test]
fn ranks_are_as_the_geometry_says() {
    for seed in 0..20 {
        for (family, expected) in [
            (Family::Planar, 3),
            (Family::Collinear, 3),
            (Family::Coincident, 3),
            (Family::Corner, 5),
            (Family::FrictionlessWall, 5),
            (Family::Peg, 5),
            (Family::ThreeWalls, 6),
            (Family::RandomNormals, 6),
            (Family::OneContact, 2),
            (Family::TwoContacts, 4),
            (Family::NearlyParallel { exponent: 6 }, 6),
        ] {
            let sample = generate(family, 30, seed, Loading::Holds, Cone::Disk);
            assert_eq!(rank(&sample), expected, "{family:?} {seed}");
            let at_full_rank = sample.truth.lambda == Vec6::zeros();
            assert_eq!(at_full_rank, expected == 6, "{family:?} {seed}");
        }
    }
}

#[test]
fn wide_families_are_wide() {
    let limits = |family| {
        let all = (0..20).flat_map(|s| generate(family, 50, s, Loading::Holds, Cone::Disk).contacts);
        let limits: Vec<f64> = all.filter(|c| !c.is_separated()).map(|c| limit(&c)).collect();
        (limits.iter().copied().fold(f64::INFINITY, f64::min), limits.iter().copied().fold(0.0, f64::max))
    };
    let (low, high) = limits(Family::WideLimits);
    assert!((1e-9 * 0.99..1e-8).contains(&low) && (1e2..1e3 * 1.01).contains(&high), "{low} {high}");
    let (low, _) = limits(Family::WideFriction);
    assert_eq!(low, 0.0);
}

#[test]
fn loads_stay_in_their_class() {
    for (loading, low, high) in [
        (Loading::Holds, 0.05, 0.95),
        (Loading::Slips, 1.05, 3.0),
        (Loading::Edge, 0.99, 1.01),
        (Loading::EdgeClose, 1.0 - 1.0001e-9, 1.0 + 1.0001e-9),
    ] {
        let ts: Vec<f64> = (0..1000).map(|i| loading.fraction(f64::from(i) / 1000.0)).collect();
        assert!(ts.iter().all(|t| (low..=high).contains(t) && *t != 1.0), "{loading:?}");
    }
    for loading in [Loading::Edge, Loading::EdgeClose] {
        let holds = (0..1000).filter(|&i| loading.fraction(f64::from(i) / 1000.0) < 1.0).count();
        assert_eq!(holds, 500);
    }
}

#[test]
fn moving_scenes_change_slowly_and_keep_their_truth() {
    for seed in 0..8 {
        for loading in Loading::ALL {
            let mut before = BTreeSet::new();
            let (mut changed, mut total) = (0, 0);
            for sample in MovingScene::new(98, CONES[(seed % 4) as usize], loading, seed).take(100) {
                check(&sample, 0.1);
                let now: BTreeSet<_> = sample.contacts.iter().map(|c| c.id).collect();
                assert!((90..=106).contains(&now.len()), "{}", now.len());
                assert_eq!(now.len(), sample.contacts.len());
                if !before.is_empty() {
                    let change = now.symmetric_difference(&before).count();
                    assert!(change <= 12, "{change}");
                    changed += change;
                    total += now.len();
                }
                before = now;
            }
            let share = changed as f64 / total as f64;
            assert!((0.01..0.05).contains(&share), "{share}");
        }
    }
    // A single contact is a scene too.
    MovingScene::new(1, Cone::Disk, Loading::Slips, 0).take(200).for_each(|s| check(&s, 0.1));
}

/// The most of the load that friction can hold, by a general simplex: max a with Gβ = -a (f + K q*), β_i ∈ P_i.
fn margin_by_simplex(sample: &SampleProblem) -> f64 {
    use microlp::{ComparisonOp, OptimizationDirection, Problem};
    let Cone::Polygon { sides, fit } = sample.cone else { panic!("polygons only") };
    let angle = std::f64::consts::PI / sides as f64;
    let residual = sample.load.wrench + sample.load.stiffness * sample.truth.held_step;
    let scale = size(residual, 0.1);
    let mut lp = Problem::new(OptimizationDirection::Maximize);
    let a = lp.add_var(1.0, (0.0, 100.0));
    let mut rows: [Vec<_>; 6] = std::array::from_fn(|i| {
        let length = if i < 3 { 1.0 } else { 0.1 };
        vec![(a, residual[i] / length / scale)]
    });
    for c in sample.contacts.iter().filter(|c| limit(c) > 0.0) {
        let unbounded = (f64::NEG_INFINITY, f64::INFINITY);
        let beta = [lp.add_var(0.0, unbounded), lp.add_var(0.0, unbounded)];
        for (column, variable) in columns(c).iter().zip(beta) {
            for (i, row) in rows.iter_mut().enumerate() {
                row.push((variable, column[i] / if i < 3 { 1.0 } else { 0.1 } / scale));
            }
        }
        let distance = limit(c) * if fit == Fit::Inscribed { angle.cos() } else { 1.0 };
        for j in 0..sides {
            let (sin, cos) = ((2 * j + 1) as f64 * angle).sin_cos();
            lp.add_constraint([(beta[0], cos), (beta[1], sin)], ComparisonOp::Le, distance);
        }
    }
    for row in rows {
        // Twin inequalities with a little room: below full rank, equations would be inconsistent by rounding.
        lp.add_constraint(row.as_slice(), ComparisonOp::Le, 1e-9);
        lp.add_constraint(row.as_slice(), ComparisonOp::Ge, -1e-9);
    }
    lp.solve().unwrap().into_solution().unwrap().objective()
}

#[test]
fn a_general_simplex_finds_the_same_margin() {
    let families = [
        Family::Planar,
        Family::Corner,
        Family::ThreeWalls,
        Family::Peg,
        Family::RandomNormals,
        Family::OneContact,
        Family::TwoContacts,
        Family::Collinear,
        Family::Coincident,
        Family::FrictionlessWall,
        Family::NearlyParallel { exponent: 3 },
    ];
    for family in families {
        for seed in 0..6 {
            for cone in [Cone::paper(8), Cone::Polygon { sides: 5, fit: Fit::Inscribed }] {
                let sample = generate(family, 9, seed, Loading::ALL[(seed % 3) as usize], cone);
                let margin = margin_by_simplex(&sample) * sample.truth.fraction;
                assert!((margin - 1.0).abs() < 1e-6, "{family:?} {seed} {cone:?}: {margin}");
            }
        }
    }
}

#[test]
fn random_numbers_have_the_bits_that_kept_seeds_rely_on() {
    let mut random = Random::new(7);
    assert_eq!(
        [random.bits(), random.bits(), random.bits()],
        [0x0e2c1a002aae913d, 0x2c0fc8ddfa4e9e14, 0xb7b311b3b0d45872]
    );
}
