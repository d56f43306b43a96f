//! Hard contacts on blocks: certificates, Coulomb's limit, and rest.

mod tick_support;

use stiction::contact::penalty::ShellOn;
use stiction::friction::Verdict;
use stiction::tick::Settings;
use stiction::trace::Flags;
use tick_support::Floor;

/// A cube rocks and slides on a floor of 5 mm voxels, whose field rounds the cube's edges into slopes that its steps just reach.
#[test]
fn every_tick_is_solved_and_its_certificate_is_confirmed_by_the_verifier() {
    for shell_on in [ShellOn::Held, ShellOn::Fixed, ShellOn::Both] {
        let mut floor = Floor::new(Settings { shell_on, ..Settings::default() });
        for i in 0..3000 {
            let a = f64::from(i) * 0.05;
            let t = floor.tick(4e-3 * a.sin(), 3e-3 * (1.7 * a).cos(), -0.003 - 0.0025 * (0.3 * a).sin());
            assert!(!t.flags.has(Flags::UNDECIDED), "{shell_on:?}, tick {i}");
            let found = floor.engine.certificate().unwrap();
            let force = t.pressure.max(1e-3);
            assert!(found.unbalanced[0] < 1e-8 * force, "{shell_on:?}, tick {i}: {found:?}");
            assert!(found.normal_error < 1e-9 * force && found.beyond_limit < 1e-9 * force, "tick {i}: {found:?}");
            // η is a millionth of the slip memory: friction is Coulomb's to some picometres.
            assert!(found.slip_gap < 1e-10 * force && found.slip_gap > -1e-12 * force, "tick {i}: {found:?}");
        }
    }
}

#[test]
fn a_wrong_answer_has_no_certificate() {
    let mut floor = Floor::new(Settings::default());
    for _ in 0..20 {
        floor.tick(0.0, 0.0, -0.005);
    }
    let good = floor.engine.certificate().unwrap();
    let contacts: Vec<_> = floor.engine.contacts().collect();
    assert!(good.unbalanced[0] < 1e-8 && !contacts.is_empty());
    // The same forces without the load that they balance.
    use stiction::hard::HardContact;
    use stiction::hard::verify::{AnsweredContact, certify};
    use stiction::spatial::{Mat6, Vec3, Vec6};
    let answered = contacts.iter().map(|c| AnsweredContact {
        contact: HardContact {
            point: 0,
            arm: c.position,
            normal: c.normal,
            depth: 2.0 * c.depth,
            stiffness: c.normal_force / c.depth,
            mu: 0.0,
            slip: Vec3::zeros(),
        },
        force: c.normal_force,
        friction: Vec3::x() * c.normal_force,
    });
    let bad = certify(&Vec6::zeros(), &Mat6::identity(), &Vec6::zeros(), answered);
    assert!(bad.unbalanced[0] > 1.0 && bad.normal_error > 0.1 && bad.beyond_limit > 0.1 && bad.gap > 0.0, "{bad:?}");
}

#[test]
fn a_part_breaks_away_at_static_friction_and_slides_at_kinetic() {
    let mut floor = Floor::new(Settings { mu_static: 0.5, mu_kinetic: 0.4, ..Settings::default() });
    for _ in 0..100 {
        floor.tick(0.0, 0.0, -0.005);
    }
    let (mut most, mut slides) = (0.0f64, 0.0);
    for i in 0..5000 {
        let t = floor.tick(1e-6 * f64::from(i), 0.0, -0.005);
        most = most.max(-t.wrench[0] / t.wrench[2]);
        if t.verdict == Verdict::Slips {
            slides = -t.wrench[0] / t.wrench[2];
        }
    }
    assert!((most / 0.5 - 1.0).abs() < 0.02, "breaks away at {most}");
    assert!((slides / 0.4 - 1.0).abs() < 0.02, "slides at {slides}");
}

#[test]
fn a_part_at_rest_stays_to_the_bit_and_is_not_said_to_slip() {
    let mut floor = Floor::new(Settings::default());
    for i in 0..1000 {
        floor.tick(1e-3 * f64::from(i.min(100)) / 100.0, 0.0, -0.005);
    }
    let before = *floor.engine.trace();
    for _ in 0..1000 {
        let t = floor.tick(1e-3, 0.0, -0.005);
        assert_eq!((t.part, t.verdict), (before.part, Verdict::Holds));
    }
}

/// What `stiction inspect` tells is what contacts have.
#[test]
fn contacts_have_the_stiffness_that_the_defaults_tell() {
    let mut floor = Floor::new(Settings::default());
    let defaults = floor.engine.contact_defaults();
    for _ in 0..20 {
        floor.tick(0.0, 0.0, -0.005);
    }
    let contacts: Vec<_> = floor.engine.contacts().collect();
    let stiffest = contacts.iter().map(|c| c.normal_force / c.depth).fold(0.0, f64::max);
    assert!((stiffest / defaults.stiffness - 1.0).abs() < 1e-6, "{stiffest}, told {defaults:?}");
    // The coupling's largest torque on a lever of half the cube's side.
    assert_eq!(defaults.force, 4.0 / tick_support::HALF);
    assert_eq!((defaults.elastic_depth, defaults.micro_slip, defaults.spring_back), (20e-6, 40e-6, 40e-6));
}
