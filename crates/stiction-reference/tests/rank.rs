//! Facts about the rank of G, as the solvers report it.

use stiction::contact::{Contact, ContactId};
use stiction::friction::{Cone, FrictionSettings, FrictionSolver, Method};
use stiction::spatial::Vec3;
use stiction_reference::families::{Family, Loading, Random, SampleProblem, generate};

fn rank(sample: &SampleProblem) -> u8 {
    let problem = sample.problem().unwrap();
    let settings =
        FrictionSettings { method: Method::Lp, cone: sample.cone, warm_start: false, ..FrictionSettings::default() };
    FrictionSolver::new(settings, problem.len()).unwrap().solve(&problem).unwrap().rank
}

fn of_family(family: Family, contacts: usize, seed: u64) -> SampleProblem {
    let loading = Loading::ALL[(seed % 4) as usize];
    generate(family, contacts, seed, loading, Cone::paper(8))
}

#[test]
fn walls() {
    for seed in 0..200 {
        let contacts = 12 + (seed % 90) as usize;
        for (family, expected) in [
            (Family::Planar, 3),
            (Family::Corner, 5),
            (Family::FrictionlessWall, 5),
            (Family::Peg, 5),
            (Family::ThreeWalls, 6),
            (Family::WideFriction, 6),
            (Family::WideLimits, 6),
            (Family::WideStiffness, 6),
            (Family::RandomNormals, 6),
        ] {
            let sample = of_family(family, contacts, seed);
            let rotation = Random::new(seed).rotation();
            for (how, sample) in
                [("as is", sample.clone()), ("rotated", sample.moved(&rotation)), ("in mm", sample.rescaled(1e3))]
            {
                assert_eq!(rank(&sample), expected, "{family:?} {contacts} {seed}, {how}");
            }
        }
    }
}

#[test]
fn few_contacts() {
    for seed in 0..200 {
        assert_eq!(rank(&of_family(Family::OneContact, 1, seed)), 2, "{seed}");
        // Two points: four columns, and no friction stops the rotation about the line through both.
        assert_eq!(rank(&of_family(Family::TwoContacts, 2, seed)), 4, "{seed}");
        assert_eq!(rank(&of_family(Family::Planar, 2, seed)), 3, "{seed}");
        assert_eq!(rank(&of_family(Family::Collinear, 3 + seed as usize % 50, seed)), 3, "{seed}");
        let expected = if distinct_points(&of_family(Family::Coincident, 12, seed)) == 1 { 2 } else { 3 };
        assert_eq!(rank(&of_family(Family::Coincident, 12, seed)), expected, "{seed}");
    }
}

fn distinct_points(sample: &SampleProblem) -> usize {
    let mut points: Vec<Vec3> = Vec::new();
    for c in sample.contacts.iter().filter(|c| !c.is_separated()) {
        if !points.contains(&c.point) {
            points.push(c.point);
        }
    }
    points.len()
}

#[test]
fn duplicates_add_nothing() {
    for seed in 0..100 {
        for family in [Family::OneContact, Family::TwoContacts] {
            let mut sample = of_family(family, 2, seed);
            let expected = rank(&sample);
            let again: Vec<Contact> = sample.contacts.iter().cycle().take(40).copied().collect();
            sample.contacts = again;
            sample.contacts.iter_mut().enumerate().for_each(|(i, c)| c.id = ContactId(i as u64));
            assert_eq!(rank(&sample), expected, "{family:?} {seed}");
        }
    }
}

#[test]
fn rank_does_not_depend_on_limits() {
    for seed in 0..100 {
        for (family, expected) in [(Family::Corner, 5), (Family::ThreeWalls, 6)] {
            for factor in [0.0, 1e-12, 1e6] {
                let mut sample = of_family(family, 24, seed);
                let mut random = Random::new(seed);
                for c in &mut sample.contacts {
                    let factor = if random.below(2) == 0 { factor } else { 1.0 };
                    (c.mu_static, c.mu_kinetic) = (c.mu_static * factor, c.mu_kinetic * factor);
                }
                assert_eq!(rank(&sample), expected, "{family:?} {seed} {factor}");
            }
        }
    }
}

/// From clearly not flat to clearly flat: the rank never rises as the normals come together, is 6 above the
/// tolerance of 1e-10 and 3 below it.
#[test]
fn nearly_parallel_normals() {
    for seed in 0..100 {
        let mut before = 6;
        for exponent in 3..=12 {
            let now = rank(&of_family(Family::NearlyParallel { exponent }, 40, seed));
            assert!(now <= before, "{seed} {exponent}: {before}, then {now}");
            match exponent {
                ..=8 => assert_eq!(now, 6, "{seed} {exponent}"),
                12.. => assert_eq!(now, 3, "{seed} {exponent}"),
                _ => {}
            }
            before = now;
        }
    }
}
