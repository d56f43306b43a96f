//! Motion is told as what it is: displaced, slipped, elastic, crept. `incline` at 40° once ended in "holds" without a word about the 4 cm that it slid, and a part
//! that sank read as one that drifted.

mod support;

use stiction_scene::{MotionSummary, Run};
use support::world;

fn whole(name: &str, set: &[&str]) -> (Run, MotionSummary) {
    let mut run = world(name, set).run().unwrap();
    while !run.finished() {
        run.step();
    }
    let motion = run.summary().motion;
    (run, motion)
}

/// The box slides until the spring, k = 50 N/m, bears what kinetic friction does not: m g (sin a - µ_k cos a)/k.
#[test]
fn a_box_that_slid_down_an_incline_says_how_far_and_when_it_was_caught() {
    for (angle, kinetic) in [(40.0f64, 0.3), (30.0, 0.2)] {
        let set = [format!("fixed.rotation.angle_deg={angle}"), format!("friction.kinetic={kinetic}")];
        let (run, motion) = whole("incline", &set.each_ref().map(String::as_str));
        let (s, c) = angle.to_radians().sin_cos();
        let wanted = 0.5 * 9.81 * (s - kinetic * c) / 50.0;
        assert_eq!(run.trace().verdict.name(), "holds");
        assert!((motion.displaced_m - wanted).abs() < 0.01 * wanted, "{wanted} was wanted: {motion:?}");
        // Without velocity it does so in a few ticks, in the first of which its edge meets the plate with normals of its own.
        assert!((motion.slipped_m - wanted).abs() < 0.05 * wanted, "{wanted} was wanted: {motion:?}");
        let first = motion.slides[0];
        let caught = first.caught_s.unwrap();
        assert!(first.from_s < 0.01 && caught > first.from_s && caught < 0.05, "{motion:?}");
        let listed: f64 = motion.slides.iter().map(|s| s.slipped_m).sum();
        assert!(motion.slide_count > 32 || (listed - motion.slipped_m).abs() < 1e-12, "{motion:?}");
        assert!(motion.crept_m < 1e-9 && motion.turned_rad < 1e-3, "{motion:?}");
    }
}

/// Under its weight a box sinks into its contacts and leans, which returns; it neither slips nor creeps.
#[test]
fn a_box_that_stays_has_neither_slipped_nor_crept() {
    let (_, motion) = whole("incline", &[]);
    assert_eq!((motion.slide_count, motion.slipped_m, motion.last_caught_s), (0, 0.0, None));
    assert!(motion.crept_m < 1e-12, "{motion:?}");
    assert!(motion.elastic_m > 0.0 && motion.sunk_m > 0.0 && motion.elastic_m < 20e-6, "{motion:?}");
    assert!(motion.displaced_m < 30e-6, "{motion:?}");
}

/// A cube that is pulled below the limit leans by what it springs back when it is released: its contacts are then where they were.
#[test]
fn a_pulled_and_released_cube_springs_back() {
    let released = "hand.keyframes=[{t=0,position=[0,0,0.0249]},{t=0.5,position=[0,0,0.0199]},{t=1,position=[0.0022,0,0.0199]},{t=1.5,position=[0,0,0.0199]}]";
    let mut run = world("plate-cube", &[released]).run().unwrap();
    let mut at = |ticks: u64| {
        while run.ticks() < ticks {
            run.step();
        }
        run.summary().motion
    };
    let (pressed, pulled, released) = (at(500), at(1000), at(1900));
    for motion in [&pressed, &pulled, &released] {
        assert!(motion.slipped_m == 0.0 && motion.crept_m < 1e-10, "{motion:?}");
    }
    assert!(pulled.elastic_m > 3.0 * pressed.elastic_m, "{pressed:?} {pulled:?}");
    assert!(released.elastic_m < 0.1 * pulled.elastic_m, "{pulled:?} {released:?}");
    assert!(
        (released.displaced_m - pressed.displaced_m).abs()
            < 0.1 * (pulled.displaced_m - pressed.displaced_m).abs().max(1e-9)
    );
}

/// Beyond the limit it slides: the hand goes 6 mm, and the spring of 2000 N/m stays behind by µ N/k (µ_s = µ_k: with less kinetic friction it would be anywhere between).
#[test]
fn a_pulled_cube_slips_by_what_the_spring_does_not_take() {
    let pull = "hand.keyframes=[{t=0,position=[0,0,0.0249]},{t=0.5,position=[0,0,0.0199]},{t=1,position=[0.006,0,0.0199]},{t=2,position=[0.006,0,0.0199]}]";
    let (run, motion) = whole("plate-cube", &[pull, "friction.pair.0.static=0.4"]);
    let normal = run.trace().pressure;
    let wanted = 0.006 - 0.4 * normal / 2000.0;
    assert!((motion.slipped_m - wanted).abs() < 0.01 * wanted, "{wanted} was wanted: {motion:?}");
    assert!(motion.crept_m < 1e-9 && motion.slide_count >= 1 && motion.last_caught_s.is_some(), "{motion:?}");
}
